/* s3_setting: settings that the environment has, or else the profile. */
#include "report/aws_keys/s3_setting.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool s3_setting_env(struct s3_setting *s, const char *variable)
{
	const char *v = s3_profile_env(variable);

	if (!v)
		return false;
	s->value = v;
	snprintf(s->from, sizeof s->from, "%s", variable);
	return true;
}

bool s3_setting_profile(struct s3_setting *s, const struct s3_profile *p, enum s3_profile_key key)
{
	const char *v = s3_profile_get(p, key);

	if (!v)
		return false;
	s->value = v;
	snprintf(s->from, sizeof s->from, "%s of the profile %s", s3_profile_key_name(key),
	         p->name);
	return true;
}

int s3_setting_on(const struct s3_profile *p, const char *variable, enum s3_profile_key key,
                  bool *on, struct err *e)
{
	struct s3_setting s;

	*on = false;
	if (!s3_setting_env(&s, variable) && !s3_setting_profile(&s, p, key))
		return 0;
	*on = strcasecmp(s.value, "true") == 0;
	if (*on || strcasecmp(s.value, "false") == 0)
		return 0;
	return err_set(e, "%s is neither true nor false", s.from);
}

int s3_setting_endpoint(const struct s3_profile *p, const char *variable, enum s3_profile_key key,
                        struct s3_url *u, bool *found, struct err *e)
{
	struct s3_setting s;
	bool ignored;

	*found = false;
	if (s3_setting_on(p, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", S3_PROFILE_IGNORE_ENDPOINTS,
	                  &ignored, e))
		return -1;
	if (ignored ||
	    (!s3_setting_env(&s, variable) && !s3_setting_env(&s, "AWS_ENDPOINT_URL") &&
	     !s3_setting_profile(&s, p, key) && !s3_setting_profile(&s, p, S3_PROFILE_ENDPOINT)))
		return 0;
	if (s3_url_parse(u, s.value, e))
		return err_wrap(e, "%s", s.from);
	if (u->query)
		return err_set(e, "%s: an endpoint has no '?'", s.from);
	*found = true;
	return 0;
}

bool s3_setting_is_region(const char *name, bool aws)
{
	size_t n = strlen(name);

	if (!n || n >= S3_SETTING_REGION_MAX || (aws && *name == '-'))
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr(aws ? "-" : "-._", *name))
			return false;
	return true;
}

int s3_setting_region(const struct s3_profile *p, bool aws, char out[S3_SETTING_REGION_MAX],
                      struct err *e)
{
	struct s3_setting s = {.value = "us-east-1"};

	if (!s3_setting_env(&s, "AWS_REGION") && !s3_setting_env(&s, "AWS_DEFAULT_REGION"))
		s3_setting_profile(&s, p, S3_PROFILE_REGION);
	if (!s3_setting_is_region(s.value, aws))
		return err_set(e, "%s: \"%.100s\" is no name of a region", s.from, s.value);
	snprintf(out, S3_SETTING_REGION_MAX, "%s", s.value);
	return 0;
}

int s3_setting_ca(const struct s3_profile *p, char out[PATH_MAX], struct err *e)
{
	struct s3_setting s = {.value = ""};

	if (!s3_setting_env(&s, "AWS_CA_BUNDLE"))
		s3_setting_profile(&s, p, S3_PROFILE_CA_BUNDLE);
	if (snprintf(out, PATH_MAX, "%s", s.value) >= PATH_MAX)
		return err_set(e, "%s: %s", s.from, strerror(ENAMETOOLONG));
	if (*out && access(out, R_OK))
		return err_set(e, "%s: %s: %s", s.from, out, strerror(errno));
	return 0;
}
