/* s3_profile: what the chosen profile of ~/.aws/credentials and ~/.aws/config says. */
#include "report/aws_keys/s3_profile.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "report/aws_keys/s3_config.h"
#include "report/aws_keys/s3_file.h"
#include "report/aws_keys/s3_wipe.h"

static const char *const key_names[S3_PROFILE_N] = {
    [S3_PROFILE_ACCESS] = "aws_access_key_id",
    [S3_PROFILE_SECRET] = "aws_secret_access_key",
    [S3_PROFILE_TOKEN] = "aws_session_token",
    [S3_PROFILE_REGION] = "region",
    [S3_PROFILE_ENDPOINT] = "endpoint_url",
    [S3_PROFILE_SERVICES] = "services",
    [S3_PROFILE_IGNORE_ENDPOINTS] = "ignore_configured_endpoint_urls",
    [S3_PROFILE_STYLE] = "s3.addressing_style",
    [S3_PROFILE_DUALSTACK] = "use_dualstack_endpoint",
    [S3_PROFILE_FIPS] = "use_fips_endpoint",
    [S3_PROFILE_ROLE] = "role_arn",
    [S3_PROFILE_ROLE_SESSION] = "role_session_name",
    [S3_PROFILE_TOKEN_FILE] = "web_identity_token_file",
    [S3_PROFILE_SOURCE_PROFILE] = "source_profile",
    [S3_PROFILE_CREDENTIAL_SOURCE] = "credential_source",
    [S3_PROFILE_PROCESS] = "credential_process",
    [S3_PROFILE_SSO_ACCOUNT] = "sso_account_id",
    [S3_PROFILE_SSO_ROLE] = "sso_role_name",
    [S3_PROFILE_METADATA] = "ec2_metadata_service_endpoint",
    [S3_PROFILE_METADATA_MODE] = "ec2_metadata_service_endpoint_mode",
    [S3_PROFILE_CA_BUNDLE] = "ca_bundle",
    [S3_PROFILE_S3_ENDPOINT] = "s3.endpoint_url",
    [S3_PROFILE_STS_ENDPOINT] = "sts.endpoint_url",
};

static const struct {
	const char *variable, *name;
} files[S3_PROFILE_FILES] = {
    [S3_PROFILE_CREDENTIALS] = {"AWS_SHARED_CREDENTIALS_FILE", "credentials"},
    [S3_PROFILE_CONFIG] = {"AWS_CONFIG_FILE", "config"},
};

const char *s3_profile_env(const char *variable)
{
	const char *v = getenv(variable);

	return v && *v ? v : NULL;
}

const char *s3_profile_key_name(enum s3_profile_key key)
{
	return key_names[key];
}

static const char *home_folder(void)
{
	const struct passwd *user;
	const char *dir = s3_profile_env("HOME");

	if (dir)
		return dir;
	user = getpwuid(getuid());
	return user && user->pw_dir ? user->pw_dir : NULL;
}

static int find_file(struct s3_profile *p, enum s3_profile_file f, struct err *e)
{
	const char *named = s3_profile_env(files[f].variable), *dir = home_folder();
	int n = 0;

	if (named && (strncmp(named, "~/", 2) != 0 || !dir))
		n = snprintf(p->path[f], PATH_MAX, "%s", named);
	else if (named)
		n = snprintf(p->path[f], PATH_MAX, "%s%s", dir, named + 1);
	else if (dir)
		n = snprintf(p->path[f], PATH_MAX, "%s/.aws/%s", dir, files[f].name);
	return n < PATH_MAX ? 0
	                    : err_set(e, "%s: %s", named ? files[f].variable : "HOME",
	                              strerror(ENAMETOOLONG));
}

struct walk {
	struct s3_profile *p;
	enum s3_profile_file file;
	bool found, failed;
};

static void keep_value(struct walk *w, enum s3_profile_key from, enum s3_profile_key to,
                       const char *key, const char *value)
{
	for (enum s3_profile_key k = from; k < to; k++)
		if (strcmp(key_names[k], key) == 0) {
			char **kept = &w->p->value[w->file][k];
			s3_wipe_text(kept);
			*kept = alloc_failed_note(strdup(value));
			w->failed |= !*kept;
		}
}

/* In the credentials file a section is named like its profile; in the other one "profile NAME". */
static void on_profile(void *ctx, const char *section, const char *key, const char *value)
{
	struct walk *w = ctx;
	bool same = strcmp(section, w->p->name) == 0;

	if (w->file == S3_PROFILE_CREDENTIALS ? !same
	                                      : !s3_config_is(section, "profile", w->p->name) &&
	                                            !(same && strcmp(section, "default") == 0))
		return;
	w->found = true;
	keep_value(w, 0, S3_PROFILE_S3_ENDPOINT, key, value);
}

static void on_services(void *ctx, const char *section, const char *key, const char *value)
{
	struct walk *w = ctx;

	if (s3_config_is(section, "services", w->p->value[w->file][S3_PROFILE_SERVICES]))
		keep_value(w, S3_PROFILE_S3_ENDPOINT, S3_PROFILE_N, key, value);
}

static int read_profile_file(struct s3_profile *p, enum s3_profile_file f, bool *found,
                             struct err *e)
{
	struct buf text = {.max = S3_CONFIG_MAX + 2};
	struct walk w = {.p = p, .file = f};
	bool absent;
	int rc = -1;

	if (find_file(p, f, e))
		return -1;
	if (!*p->path[f])
		return 0;
	if (s3_file_read(p->path[f], S3_CONFIG_MAX, &text, &absent, e))
		goto out;
	if (s3_config_walk(buf_cstr(&text), text.len, on_profile, &w, e)) {
		err_wrap(e, "%s", p->path[f]);
		goto out;
	}
	if (p->value[f][S3_PROFILE_SERVICES])
		s3_config_walk(buf_cstr(&text), text.len, on_services, &w, NULL);
	*found |= w.found;
	rc = w.failed ? err_set(e, "%s: %s", p->path[f], strerror(ENOMEM)) : 0;
out:
	s3_wipe_buf(&text);
	return rc;
}

int s3_profile_load(struct s3_profile *p, struct err *e)
{
	const char *named = s3_profile_env("AWS_PROFILE");
	bool found = false;

	*p = (struct s3_profile){.name = ""};
	if ((size_t)snprintf(p->name, sizeof p->name, "%s", named ? named : "default") >=
	    sizeof p->name)
		return err_set(e, "AWS_PROFILE: no profile has a name of over %zu bytes",
		               sizeof p->name - 1);
	for (enum s3_profile_file f = 0; f < S3_PROFILE_FILES; f++)
		if (read_profile_file(p, f, &found, e))
			return -1;
	if (named && !found)
		return err_set(e, "AWS_PROFILE names the profile %s, which neither %s nor %s has",
		               named, p->path[S3_PROFILE_CONFIG], p->path[S3_PROFILE_CREDENTIALS]);
	return 0;
}

const char *s3_profile_get(const struct s3_profile *p, enum s3_profile_key key)
{
	for (enum s3_profile_file f = 0; f < S3_PROFILE_FILES; f++)
		if (p->value[f][key] && *p->value[f][key])
			return p->value[f][key];
	return NULL;
}

void s3_profile_free(struct s3_profile *p)
{
	for (enum s3_profile_file f = 0; f < S3_PROFILE_FILES; f++)
		for (enum s3_profile_key k = 0; k < S3_PROFILE_N; k++)
			s3_wipe_text(&p->value[f][k]);
}
