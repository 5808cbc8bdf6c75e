/* s3_service: the services that give keys: STS, a container's, an instance's. */
#include "report/aws_keys/s3_service.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "report/aws_keys/s3_endpoint.h"
#include "report/aws_keys/s3_setting.h"
#include "report/http/http_host.h"
#include "report/http/http_many.h"
#include "report/input/store_address.h"

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
	char region[S3_SETTING_REGION_MAX];
	struct s3_url u;
	bool found;

	if (s3_setting_endpoint(p,
	                        "AWS_ENDPOINT_URL_STS AWS_ENDPOINT_URL " S3_PROFILE_SERVICES
	                        "sts.endpoint_url endpoint_url",
	                        &u, &found, e) ||
	    (!found && s3_setting_region(p, true, region, e)))
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

int s3_service_web_identity(const struct s3_web_identity *w, const struct s3_profile *p, double now,
                            struct s3_keys *k, struct err *e)
{
	struct buf url = {0}, form = {0};
	struct http_call c = {
	    .method = "POST",
	    .headers = {"Content-Type: application/x-www-form-urlencoded", "Accept: text/xml"},
	    .try_ms = 5000,
	    .tries = 3};
	char ca[PATH_MAX];
	int rc = add_sts(&url, p, e);

	if (!rc)
		rc = s3_setting_ca(p, ca, e);
	if (rc)
		goto out;
	rc = add_form(&form, w, now, e);
	if (!rc && (url.failed || form.failed))
		rc = err_set(e, "%s", strerror(ENOMEM));
	c.ca_file = *ca ? ca : NULL;
	c.url = buf_cstr(&url);
	c.sent = buf_cstr(&form);
	c.sent_n = form.len;
	if (!rc)
		rc = ask_for_keys(&c, s3_keys_read_sts, k, e);
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

bool s3_service_has_container(void)
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
	return s3_setting_is_loopback(u);
}

int s3_service_container_url(const char *relative, const char *full, struct buf *url, struct err *e)
{
	size_t before = url->len;
	struct s3_url u;

	if (relative && *relative != '/')
		return err_set(e, "%s does not begin with '/'", relative_name);
	if (relative)
		buf_printf(url, "http://169.254.170.2%s", relative);
	else
		buf_str(url, full);
	if (s3_setting_url(&u, buf_cstr(url) + before, e))
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
	int rc = 0;

	if (file)
		rc = read_token(file, &text, e);
	else if (token)
		buf_str(&text, token);
	if (rc)
		err_wrap(e, "%s", token_file_name);
	else if (text.len && strpbrk(text.s, "\r\n"))
		rc = err_set(e, "AWS_CONTAINER_AUTHORIZATION_TOKEN has a newline");
	else if (text.len)
		buf_printf(header, "Authorization: %s", text.s);
	s3_keys_wipe_buf(&text);
	return rc;
}

int s3_service_container(const char *token, struct s3_keys *k, struct err *e)
{
	struct http_call c = {.method = "GET", .try_ms = 2000, .tries = 3};
	struct buf url = {0}, header = {0};
	int rc = s3_service_container_url(s3_profile_env(relative_name), s3_profile_env(full_name),
	                                  &url, e);

	if (!rc)
		rc = add_authorization(&header, token, e);
	if (!rc) {
		c.url = buf_cstr(&url);
		c.headers[0] = header.s;
		rc = ask_for_keys(&c, s3_keys_read_json, k, e);
		if (rc)
			err_wrap(e, "the container's credentials service");
	}
	buf_free(&url);
	s3_keys_wipe_buf(&header);
	return rc;
}

/* -- an instance's ----------------------------------------------------------------------------- */

#define TOKEN    "X-aws-ec2-metadata-token"
#define ROLES    "/latest/meta-data/iam/security-credentials/"
#define ROLE_MAX 256

bool s3_service_may_ask_instance(void)
{
	const char *off = s3_profile_env("AWS_EC2_METADATA_DISABLED");

	return !off || strcasecmp(off, "true") != 0;
}

static int find_metadata(char base[512], const struct s3_profile *p, struct err *e)
{
	struct s3_setting s = {.value = "IPv4"};
	struct s3_url u;

	if (s3_setting_find(&s, p,
	                    "AWS_EC2_METADATA_SERVICE_ENDPOINT ec2_metadata_service_endpoint")) {
		if (s3_setting_url(&u, s.value, e))
			return err_wrap(e, "%s", s.from);
		memcpy(base, u.base, sizeof u.base);
		return 0;
	}
	s3_setting_find(
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
	if (!rc && !(token = take_answer_word(&body, 1024)))
		rc = err_set(e, "its answer is not a token");
	if (!rc)
		buf_printf(header, TOKEN ": %s", token);
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
	else if (!rc && !(role = take_answer_word(&body, ROLE_MAX)))
		rc = err_set(e, "its answer is not the name of a role");
	if (!rc)
		store_address_encode(url, role);
	c->url = buf_cstr(url);
	buf_free(&body);
	return rc;
}

int s3_service_instance(const struct s3_profile *p, struct s3_keys *k, struct err *e)
{
	struct http_call c = {.method = "GET", .try_ms = 1000, .tries = 2};
	struct buf header = {0}, url = {0};
	char base[512];
	int rc;

	if (find_metadata(base, p, e))
		return -1;
	buf_printf(&url, "%s" ROLES, base);
	rc = add_session(base, &header, e);
	c.headers[0] = buf_cstr(&header);
	if (!rc)
		rc = add_role(&c, &url, e);
	if (!rc && url.failed)
		rc = err_set(e, "%s", strerror(ENOMEM));
	if (!rc)
		rc = ask_for_keys(&c, s3_keys_read_json, k, e);
	if (rc)
		err_wrap(e, "the instance's metadata service");
	s3_keys_wipe_buf(&header);
	buf_free(&url);
	return rc;
}
