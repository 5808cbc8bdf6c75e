/* s3_credentials: the keys that requests are signed with, from where AWS' own tools take them. */
#include "report/aws_keys/s3_credentials.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc_failed.h"
#include "report/aws_keys/s3_profile.h"
#include "report/aws_keys/s3_service.h"
#include "report/aws_keys/s3_time.h"

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
	double at = expires ? s3_time_parse(expires) : NAN;

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
	return s3_service_web_identity(&w, &ch->profile, ch->now, &ch->keys, e) ? -1 : 1;
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
	return s3_service_web_identity(&w, p, ch->now, &ch->keys, e) ? -1 : 1;
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
	int rc = take_role(ch, e);

	for (size_t i = 0; !rc && i < sizeof sign_on / sizeof *sign_on; i++)
		if (s3_profile_get(&ch->profile, sign_on[i]))
			rc = say_unsupported(&ch->profile, sign_on[i], e);
	if (!rc)
		rc = take_file(ch, S3_PROFILE_CREDENTIALS, e);
	if (!rc && s3_profile_get(&ch->profile, "credential_process"))
		rc = say_unsupported(&ch->profile, "credential_process", e);
	return rc ? rc : take_file(ch, S3_PROFILE_CONFIG, e);
}

static int take_container(struct chain *ch, struct err *e)
{
	if (!s3_service_has_container())
		return 0;
	return s3_service_container(ch->c->secret[SECRET_CONTAINER], &ch->keys, e) ? -1 : 1;
}

static int take_instance(struct chain *ch, struct err *e)
{
	static const char none[] = "no credentials: set AWS_ACCESS_KEY_ID and "
				   "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE";

	if (!s3_service_may_ask_instance())
		return err_set(e, "%s (profile %s has none, and AWS_EC2_METADATA_DISABLED is true)",
		               none, ch->profile.name);
	if (s3_service_instance(&ch->profile, &ch->keys, e)) {
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
