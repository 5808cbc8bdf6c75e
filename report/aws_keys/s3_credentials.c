/* s3_credentials: the keys that requests are signed with, from where AWS' own tools take them. */
#include "report/aws_keys/s3_credentials.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/base/iso_time.h"
#include "report/aws_keys/s3_endpoint.h"
#include "report/aws_keys/s3_profile.h"
#include "report/http/http_host.h"
#include "report/http/http_many.h"
#include "report/input/store_address.h"

/* -- the services that give keys --------------------------------------------------------------- */

/* A request to STS. */
struct s3_web_identity {
	const char *role, *token_file;
	const char *session; /* NULL: one is made up of the time */
};

#define BODY_MAX  ((size_t)64 << 10)
#define PAUSES_MS 2000L /* between the tries */

/* Asks a service; try_ms is all of one try, from the connection on. -1 with a sentence that names
 * the host, also for an answer other than 2xx, with its status and code; *status is then that
 * status, and 0 if there was no answer. The caller wipes body. */
static int ask_service(struct http_call *c, struct buf *body, long *status, struct err *e)
{
	char host[HTTP_HOST_MAX], code[S3_KEYS_CODE_MAX];

	c->clear = true;
	c->connect_ms = c->try_ms;
	c->body_max = BODY_MAX;
	if (http_many_only(c, c->tries * c->try_ms + PAUSES_MS, status, body, e))
		return -1;
	if (*status / 100 == 2)
		return 0;
	http_host(c->url, host);
	s3_keys_error_code(buf_cstr(body), body->len, code);
	return err_set(e, "%s answered %ld%s%s", host, *status, *code ? " " : "", code);
}

/* The same where keys are the answer. */
typedef int read_keys(struct s3_keys *k, const char *text, size_t n, struct err *e);
static int ask_for_keys(struct http_call *c, read_keys *read, struct s3_keys *k, struct err *e)
{
	struct buf body = {0};
	long status;
	int rc = ask_service(c, &body, &status, e);

	if (!rc)
		rc = read(k, buf_cstr(&body), body.len, e);
	s3_keys_wipe_buf(&body);
	return rc;
}

/* -- STS --------------------------------------------------------------------------------------- */

#define TOKEN_FILE_MAX ((size_t)64 << 10)

/* Appends the file's text without white space at its end. */
static int read_token(const char *path, struct buf *out, struct err *e)
{
	bool absent;

	if (s3_profile_read_file(path, TOKEN_FILE_MAX, out, &absent, e))
		return -1;
	if (absent)
		return err_set(e, "%s: there is no such file", path);
	while (out->len && memchr(" \t\r\n", out->s[out->len - 1], 4))
		out->s[--out->len] = '\0';
	if (!out->len)
		return err_set(e, "%s: the file is empty", path);
	for (size_t i = 0; i < out->len; i++)
		if (out->s[i] < ' ' || out->s[i] >= 0x7f)
			return err_set(e, "%s: byte %zu cannot be part of a token", path, i);
	return 0;
}

static int add_sts(struct buf *url, const struct s3_profile *p, struct err *e)
{
	char region[S3_PROFILE_REGION_MAX];
	struct s3_url u;
	bool found;

	if (s3_profile_endpoint(p,
	                        "AWS_ENDPOINT_URL_STS AWS_ENDPOINT_URL " S3_PROFILE_SERVICES
	                        "sts.endpoint_url endpoint_url",
	                        &u, &found, e) ||
	    (!found && s3_profile_region(p, true, region, e)))
		return -1;
	if (found)
		buf_printf(url, "%s/", u.base);
	else
		buf_printf(url, "https://sts.%s.%s/", region, s3_endpoint_suffix(region));
	return 0;
}

static void add_field(struct buf *form, const char *name, const char *value)
{
	buf_printf(form, "&%s=", name);
	store_address_encode(form, value);
}

static int add_form(struct buf *form, const struct s3_web_identity *w, double now, struct err *e)
{
	struct buf token = {0};
	char session[64];
	int rc = read_token(w->token_file, &token, e);

	snprintf(session, sizeof session, "rtrack-report-%.0f", now);
	buf_str(form, "Action=AssumeRoleWithWebIdentity&Version=2011-06-15");
	add_field(form, "RoleArn", w->role);
	add_field(form, "RoleSessionName", w->session ? w->session : session);
	add_field(form, "WebIdentityToken", buf_cstr(&token));
	s3_keys_wipe_buf(&token);
	return rc;
}

static int ask_sts(struct http_call *c, const struct buf *form, struct s3_keys *k, struct err *e)
{
	if (form->failed)
		return err_set(e, "%s", strerror(ENOMEM));
	c->sent = buf_cstr(form);
	c->sent_n = form->len;
	return ask_for_keys(c, s3_keys_read_sts, k, e);
}

/* The keys of a role, from STS, for a token that the platform wrote into a file (Kubernetes, GitHub
 * Actions), which is read again. Asks AWS_ENDPOINT_URL_STS, or what stands for it (s3_profile.h),
 * else STS of the region. */
static int service_web_identity(const struct s3_web_identity *w, const struct s3_profile *p,
                                double now, struct s3_keys *k, struct err *e)
{
	struct buf url = {0}, form = {0};
	struct http_call c = {
	    .method = "POST",
	    .headers = {"Content-Type: application/x-www-form-urlencoded", "Accept: text/xml"},
	    .try_ms = 5000,
	    .tries = 3};
	char ca[PATH_MAX];
	int rc = -1;

	if (add_sts(&url, p, e) || s3_profile_ca(p, ca, e))
		goto out;
	c.ca_file = *ca ? ca : NULL;
	c.url = buf_cstr(&url);
	if (url.failed)
		err_set(e, "%s", strerror(ENOMEM));
	else if (add_form(&form, w, now, e) == 0)
		rc = ask_sts(&c, &form, k, e);
	if (rc)
		err_wrap(e, "AssumeRoleWithWebIdentity of the role %.300s", w->role);
out:
	buf_free(&url);
	s3_keys_wipe_buf(&form);
	return rc;
}

/* -- a container's ----------------------------------------------------------------------------- */

static const char relative_name[] = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
		  full_name[] = "AWS_CONTAINER_CREDENTIALS_FULL_URI",
		  token_file_name[] = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE";

static bool service_has_container(void)
{
	return s3_profile_env(relative_name) || s3_profile_env(full_name);
}

static bool is_aws_service(const struct s3_url *u)
{
	/* ECS; EKS, with both kinds of addresses. */
	static const char *const hosts[] = {"169.254.170.2", "169.254.170.23", "fd00:ec2::23"};

	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
		if (strcmp(u->host, hosts[i]) == 0)
			return true;
	return s3_profile_is_loopback(u);
}

int s3_credentials_container_url(const char *relative, const char *full, struct buf *url,
                                 struct err *e)
{
	size_t before = url->len;
	struct s3_url u;

	if (relative && *relative != '/')
		return err_set(e, "%s does not begin with '/'", relative_name);
	if (relative)
		buf_printf(url, "http://169.254.170.2%s", relative);
	else
		buf_str(url, full);
	if (s3_profile_url(&u, buf_cstr(url) + before, e))
		return err_wrap(e, "%s", relative ? relative_name : full_name);
	if (!u.https && !is_aws_service(&u))
		return err_set(e,
		               "%s: http:// is only allowed to this machine itself, 169.254.170.2, "
		               "169.254.170.23 and [fd00:ec2::23]",
		               full_name);
	return 0;
}

static int add_authorization(struct buf *header, const char *token, struct err *e)
{
	const char *file = s3_profile_env(token_file_name);
	struct buf text = {0};
	int rc = -1;

	if (file && read_token(file, &text, e)) {
		err_wrap(e, "%s", token_file_name);
		goto out;
	}
	if (!file && token && strpbrk(token, "\r\n")) {
		err_set(e, "AWS_CONTAINER_AUTHORIZATION_TOKEN has a newline");
		goto out;
	}
	if (!file && token)
		buf_str(&text, token);
	if (text.len)
		buf_printf(header, "Authorization: %s", text.s);
	rc = 0;
out:
	s3_keys_wipe_buf(&text);
	return rc;
}

/* Keys from the service that a container's platform runs (ECS, EKS Pod Identity).
 * AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is a path on http://169.254.170.2,
 * AWS_CONTAINER_CREDENTIALS_FULL_URI a URL. The header Authorization is the content of
 * AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE, else token: of AWS_CONTAINER_AUTHORIZATION_TOKEN, which
 * may be out of the environment by now; NULL: none. */
static int service_container(const char *token, struct s3_keys *k, struct err *e)
{
	struct http_call c = {.method = "GET", .try_ms = 2000, .tries = 3};
	struct buf url = {0}, header = {0};
	int rc = -1;

	if (s3_credentials_container_url(s3_profile_env(relative_name), s3_profile_env(full_name),
	                                 &url, e) ||
	    add_authorization(&header, token, e))
		goto out;
	c.url = buf_cstr(&url);
	c.headers[0] = header.s;
	rc = ask_for_keys(&c, s3_keys_read_json, k, e);
	if (rc)
		err_wrap(e, "the container's credentials service");
out:
	buf_free(&url);
	s3_keys_wipe_buf(&header);
	return rc;
}

/* -- an instance's ----------------------------------------------------------------------------- */

#define TOKEN    "X-aws-ec2-metadata-token"
#define ROLES    "/latest/meta-data/iam/security-credentials/"
#define ROLE_MAX 256

static bool service_may_ask_instance(void)
{
	const char *off = s3_profile_env("AWS_EC2_METADATA_DISABLED");

	return !off || strcasecmp(off, "true") != 0;
}

static int find_metadata(char base[512], const struct s3_profile *p, struct err *e)
{
	struct s3_profile_setting s = {.value = "IPv4"};
	struct s3_url u;

	if (s3_profile_find(&s, p,
	                    "AWS_EC2_METADATA_SERVICE_ENDPOINT ec2_metadata_service_endpoint")) {
		if (s3_profile_url(&u, s.value, e))
			return err_wrap(e, "%s", s.from);
		memcpy(base, u.base, sizeof u.base);
		return 0;
	}
	s3_profile_find(
	    &s, p, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE ec2_metadata_service_endpoint_mode");
	if (strcasecmp(s.value, "IPv4") != 0 && strcasecmp(s.value, "IPv6") != 0)
		return err_set(e, "%s is neither IPv4 nor IPv6", s.from);
	snprintf(base, 512, "%s",
	         strcasecmp(s.value, "IPv6") == 0 ? "http://[fd00:ec2::254]"
	                                          : "http://169.254.169.254");
	return 0;
}

/* The first line of an answer that is one word. */
static const char *take_answer_word(struct buf *body, size_t max)
{
	size_t n = strcspn(buf_cstr(body), "\r\n");

	if (!n || n > max)
		return NULL;
	body->s[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if (body->s[i] <= ' ' || body->s[i] >= 0x7f)
			return NULL;
	return body->s;
}

/* Adds the header that the other requests have. */
static int add_session(const char *base, struct buf *header, struct err *e)
{
	struct http_call c = {
	    .method = "PUT", .headers = {TOKEN "-ttl-seconds: 21600"}, .try_ms = 1000, .tries = 2};
	struct buf url = {0}, body = {0};
	const char *token = NULL;
	long status;
	int rc;

	buf_printf(&url, "%s/latest/api/token", base);
	c.url = buf_cstr(&url);
	rc = ask_service(&c, &body, &status, e);
	if (rc)
		goto out;
	token = take_answer_word(&body, 1024);
	if (token)
		buf_printf(header, TOKEN ": %s", token);
	else
		rc = err_set(e, "its answer is not a token");
out:
	buf_free(&url);
	s3_keys_wipe_buf(&body);
	return rc;
}

/* Adds the name of the instance's role to the URL of all roles. */
static int add_role(struct http_call *c, struct buf *url, struct err *e)
{
	struct buf body = {0};
	const char *role = NULL;
	long status;
	int rc;

	c->url = buf_cstr(url);
	rc = ask_service(c, &body, &status, e);
	if (status == 404)
		err_set(e, "this instance has no role");
	if (rc)
		goto out;
	role = take_answer_word(&body, ROLE_MAX);
	if (role)
		store_address_encode(url, role);
	else
		rc = err_set(e, "its answer is not the name of a role");
out:
	c->url = buf_cstr(url);
	buf_free(&body);
	return rc;
}

/* The keys of the role of an EC2 instance, from its metadata service, version 2 only, at
 * AWS_EC2_METADATA_SERVICE_ENDPOINT, else the address of AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE
 * (IPv4 or IPv6). Each request takes at most a second, and is tried twice: on other machines nobody
 * answers. With AWS_EC2_METADATA_DISABLED=true it is not asked. */
static int service_instance(const struct s3_profile *p, struct s3_keys *k, struct err *e)
{
	struct http_call c = {.method = "GET", .try_ms = 1000, .tries = 2};
	struct buf header = {0}, url = {0};
	char base[512];
	int rc = -1;

	if (find_metadata(base, p, e))
		return -1;
	buf_printf(&url, "%s" ROLES, base);
	if (add_session(base, &header, e))
		goto out;
	c.headers[0] = buf_cstr(&header);
	if (add_role(&c, &url, e))
		goto out;
	if (url.failed)
		err_set(e, "%s", strerror(ENOMEM));
	else
		rc = ask_for_keys(&c, s3_keys_read_json, k, e);
out:
	if (rc)
		err_wrap(e, "the instance's metadata service");
	s3_keys_wipe_buf(&header);
	buf_free(&url);
	return rc;
}

/* -- which source counts ----------------------------------------------------------------------- */

/* After a try to take new keys, the old ones go on for so long at least, if they are valid. */
#define AGAIN_S 30

/* After a failure, the services are not asked again for so long: thousands of requests may want to
 * know, and each would wait for a service that does not answer. */
#define FAILED_S 10

static const char *const secret_names[] = {
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN",
};
enum { SECRET_KEY, SECRET_TOKEN, SECRET_CONTAINER, SECRETS };

struct s3_credentials {
	char *secret[SECRETS];
	struct s3_keys keys;
	bool have;      /* keys are valid, as far as is known */
	bool fixed;     /* their source has no others */
	double again;   /* earliest time to take others */
	struct err why; /* if the last try failed, and there were no valid keys */
};

struct chain {
	struct s3_credentials *c;
	struct s3_profile profile;
	double now;
	struct s3_keys keys;
	bool fixed;
};

/* -- the sources, in their order: 1: keys; 0: not configured; -1 with a sentence -------------- */

static int take_environment(struct chain *ch, struct err *e)
{
	const char *expires = s3_profile_env("AWS_CREDENTIAL_EXPIRATION");
	double at = expires ? iso_time_read(expires) : NAN;

	if (!s3_profile_env("AWS_ACCESS_KEY_ID"))
		return 0;
	if (s3_keys_set(&ch->keys,
	                &(struct s3_keys_found){
			    .access = s3_profile_env("AWS_ACCESS_KEY_ID"),
			    .secret = ch->c->secret[SECRET_KEY],
			    .token = ch->c->secret[SECRET_TOKEN],
			    .names = {"AWS_ACCESS_KEY_ID", secret_names[SECRET_KEY],
	                              secret_names[SECRET_TOKEN]},
			},
	                e))
		return err_wrap(e, "the environment has AWS_ACCESS_KEY_ID");
	if (!isnan(at))
		ch->keys.expires = at;
	ch->fixed = true;
	return 1;
}

static int take_web_identity(struct chain *ch, struct err *e)
{
	struct s3_web_identity w = {
	    .role = s3_profile_env("AWS_ROLE_ARN"),
	    .token_file = s3_profile_env("AWS_WEB_IDENTITY_TOKEN_FILE"),
	    .session = s3_profile_env("AWS_ROLE_SESSION_NAME"),
	};

	if (!w.token_file)
		return 0;
	if (!w.role)
		return err_set(e, "AWS_WEB_IDENTITY_TOKEN_FILE is set, but AWS_ROLE_ARN is not");
	return service_web_identity(&w, &ch->profile, ch->now, &ch->keys, e) ? -1 : 1;
}

static int say_unsupported(const struct s3_profile *p, const char *key, struct err *e)
{
	bool first = s3_profile_in(p, S3_PROFILE_CREDENTIALS, key) != NULL;

	return err_set(
	    e,
	    "%s: the profile %s has %s, which rtrack does not support; `aws configure "
	    "export-credentials --profile %s --format env` prints variables that it does",
	    p->path[first ? S3_PROFILE_CREDENTIALS : S3_PROFILE_CONFIG], p->name, key, p->name);
}

static int take_role(struct chain *ch, struct err *e)
{
	const struct s3_profile *p = &ch->profile;
	struct s3_web_identity w = {
	    .role = s3_profile_get(p, "role_arn"),
	    .token_file = s3_profile_get(p, "web_identity_token_file"),
	    .session = s3_profile_get(p, "role_session_name"),
	};

	if (!w.role)
		return 0;
	if (!w.token_file && s3_profile_get(p, "source_profile"))
		return say_unsupported(p, "source_profile", e);
	if (!w.token_file && s3_profile_get(p, "credential_source"))
		return say_unsupported(p, "credential_source", e);
	if (!w.token_file)
		return say_unsupported(p, "role_arn", e);
	if (!w.session)
		w.session = s3_profile_env("AWS_ROLE_SESSION_NAME");
	return service_web_identity(&w, p, ch->now, &ch->keys, e) ? -1 : 1;
}

static int take_file(struct chain *ch, enum s3_profile_file f, struct err *e)
{
	const struct s3_profile *p = &ch->profile;
	struct s3_keys_found found = {
	    .names = {"aws_access_key_id", "aws_secret_access_key", "aws_session_token"}};

	found.access = s3_profile_in(p, f, found.names[0]);
	found.secret = s3_profile_in(p, f, found.names[1]);
	found.token = s3_profile_in(p, f, found.names[2]);
	if (!found.access && !found.secret)
		return 0;
	if (s3_keys_set(&ch->keys, &found, e))
		return err_wrap(e, "%s: the profile %s", p->path[f], p->name);
	ch->fixed = true;
	return 1;
}

/* In the order of AWS' command line: a role or a sign-on of the profile counts before its keys, a
 * program before the keys of the config file. */
static int take_profile(struct chain *ch, struct err *e)
{
	static const char *const sign_on[] = {"sso_account_id", "sso_role_name"};
	int taken = take_role(ch, e);

	if (taken)
		return taken;
	for (size_t i = 0; i < sizeof sign_on / sizeof *sign_on; i++)
		if (s3_profile_get(&ch->profile, sign_on[i]))
			return say_unsupported(&ch->profile, sign_on[i], e);
	taken = take_file(ch, S3_PROFILE_CREDENTIALS, e);
	if (taken)
		return taken;
	if (s3_profile_get(&ch->profile, "credential_process"))
		return say_unsupported(&ch->profile, "credential_process", e);
	return take_file(ch, S3_PROFILE_CONFIG, e);
}

static int take_container(struct chain *ch, struct err *e)
{
	if (!service_has_container())
		return 0;
	return service_container(ch->c->secret[SECRET_CONTAINER], &ch->keys, e) ? -1 : 1;
}

static int take_instance(struct chain *ch, struct err *e)
{
	static const char none[] = "no credentials: set AWS_ACCESS_KEY_ID and "
				   "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE";

	if (!service_may_ask_instance())
		return err_set(e, "%s (profile %s has none, and AWS_EC2_METADATA_DISABLED is true)",
		               none, ch->profile.name);
	if (service_instance(&ch->profile, &ch->keys, e)) {
		struct err why = *e;
		return err_set(e, "%s (profile %s has none; %s)", none, ch->profile.name, why.msg);
	}
	return 1;
}

static int say_expired(double expires, struct err *e)
{
	time_t at = (time_t)expires;
	struct tm tm;
	char text[64];

	gmtime_r(&at, &tm);
	strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm);
	return err_set(e, "the credentials expired at %s", text);
}

static int take_keys(struct chain *ch, struct err *e)
{
	static int (*const sources[])(struct chain *, struct err *) = {
	    take_environment, take_web_identity, take_profile, take_container, take_instance,
	};
	int rc = s3_profile_load(&ch->profile, e);

	for (size_t i = 0; !rc && i < sizeof sources / sizeof *sources; i++)
		rc = sources[i](ch, e);
	s3_profile_free(&ch->profile);
	if (rc < 0)
		return -1;
	return ch->keys.expires <= ch->now ? say_expired(ch->keys.expires, e) : 0;
}

/* -- keys that are kept ------------------------------------------------------------------------ */

struct s3_credentials *s3_credentials_new(struct err *e)
{
	struct s3_credentials *c = alloc_failed_note(calloc(1, sizeof *c));

	for (size_t i = 0; c && i < SECRETS; i++) {
		const char *v = s3_profile_env(secret_names[i]);
		c->secret[i] = v ? alloc_failed_note(strdup(v)) : NULL;
		if (v && !c->secret[i]) {
			s3_credentials_free(c);
			c = NULL;
		}
	}
	if (!c)
		err_set(e, "%s", strerror(ENOMEM));
	return c;
}

const struct s3_keys *s3_credentials_get(struct s3_credentials *c, double now, struct err *e)
{
	struct chain ch = {.c = c, .now = now};
	bool valid = c->have && now < c->keys.expires;

	if (valid && (c->fixed || now < c->keys.expires - S3_CREDENTIALS_EARLY_S || now < c->again))
		return &c->keys;
	if (*c->why.msg && now < c->again) {
		err_set(e, "%s", c->why.msg);
		return NULL;
	}
	c->why.msg[0] = '\0';
	if (!take_keys(&ch, valid ? NULL : &c->why)) {
		c->keys = ch.keys;
		c->fixed = ch.fixed;
		c->have = valid = true;
	}
	c->again = now + (valid ? AGAIN_S : FAILED_S);
	s3_keys_wipe(&ch.keys);
	if (!valid)
		err_set(e, "%s", c->why.msg);
	return valid ? &c->keys : NULL;
}

bool s3_credentials_refresh(struct s3_credentials *c)
{
	if (c->fixed)
		return false;
	s3_keys_wipe(&c->keys);
	c->have = false;
	c->why.msg[0] = '\0';
	return true;
}

void s3_credentials_free(struct s3_credentials *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < SECRETS; i++)
		s3_keys_wipe_text(&c->secret[i]);
	s3_keys_wipe(&c->keys);
	free(c);
}

void s3_credentials_forget(void)
{
	for (size_t i = 0; i < SECRETS; i++) {
		char *v = getenv(secret_names[i]);
		if (v)
			explicit_bzero(v, strlen(v));
		unsetenv(secret_names[i]);
	}
}
