/* s3_setting: settings that the environment has, or else the profile; URLs among them. */
#include "report/aws_keys/s3_setting.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* -- URLs -------------------------------------------------------------------------------------- */

static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text >= 0x7f || strchr("\\\"<>^`{|}", *text))
			return false;
	return true;
}

/* Copies the host, and sets *end to what follows it. */
static bool take_host(struct s3_url *u, const char *from, const char **end)
{
	struct in6_addr v6;
	bool brackets = *from == '[';
	size_t n = strcspn(from += brackets, brackets ? "]" : ":/?");

	if (!n || n >= sizeof u->host || (brackets && from[n] != ']'))
		return false;
	for (size_t i = 0; i < n; i++)
		u->host[i] = (char)tolower((unsigned char)from[i]);
	u->host[n] = '\0';
	*end = from + n + brackets;
	if (brackets)
		return inet_pton(AF_INET6, u->host, &v6) == 1;
	return strspn(u->host, "abcdefghijklmnopqrstuvwxyz0123456789-._") == n && u->host[0] != '.';
}

static bool take_port(const char **at)
{
	size_t n;
	long port;

	if (**at != ':')
		return true;
	n = strspn(*at + 1, "0123456789");
	port = n && n <= 5 ? strtol(*at + 1, NULL, 10) : 0;
	*at += n + 1;
	return port > 0 && port < 65536;
}

int s3_setting_url(struct s3_url *u, const char *url, struct err *e)
{
	const char *at;
	size_t n = strlen(url);

	*u = (struct s3_url){.https = strncasecmp(url, "https://", 8) == 0};
	/* Before anything else, for the other sentences might be less clear about it. */
	if (strchr(url, '@'))
		return err_set(e, "a user name or a password in the URL is not used (credentials "
		                  "are taken as AWS' tools take them)");
	if (!u->https && strncasecmp(url, "http://", 7) != 0)
		return err_set(e, "this is not a URL that begins with https:// or http://");
	if (!is_plain(url))
		return err_set(e, "the URL has a character that no URL may have");
	if (strchr(url, '#'))
		return err_set(e, "the URL has a '#'");
	if (!take_host(u, url + (u->https ? 8 : 7), &at))
		return err_set(e, "the URL has no valid host");
	if (!take_port(&at) || !strchr("/?", *at))
		return err_set(e, "the URL's port is none");
	u->query = strchr(at, '?') != NULL;
	while (n && url[n - 1] == '/')
		n--;
	if (n >= sizeof u->base)
		return err_set(e, "the URL is longer than %zu bytes", sizeof u->base - 1);
	snprintf(u->base, sizeof u->base, "%s%.*s", u->https ? "https" : "http",
	         (int)(n - (u->https ? 5 : 4)), url + (u->https ? 5 : 4));
	return 0;
}

bool s3_setting_is_loopback(const struct s3_url *u)
{
	struct in6_addr v6;
	struct in_addr v4;

	if (inet_pton(AF_INET, u->host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	if (inet_pton(AF_INET6, u->host, &v6) == 1)
		return IN6_IS_ADDR_LOOPBACK(&v6);
	return strcmp(u->host, "localhost") == 0;
}

/* -- settings ---------------------------------------------------------------------------------- */

bool s3_setting_find(struct s3_setting *s, const struct s3_profile *p, const char *names)
{
	static const size_t services = sizeof S3_PROFILE_SERVICES - 1;
	const char *value = NULL;
	char name[64];

	for (; *names && !value; names += strspn(names, " ")) {
		size_t n = strcspn(names, " ");
		snprintf(name, sizeof name, "%.*s", (int)n, names);
		value =
		    isupper((unsigned char)*name) ? s3_profile_env(name) : s3_profile_get(p, name);
		names += n;
	}
	if (!value)
		return false;
	s->value = value;
	if (isupper((unsigned char)*name))
		snprintf(s->from, sizeof s->from, "%s", name);
	else
		snprintf(s->from, sizeof s->from, "%s of the profile %s",
		         name + (*name == '[' ? services : 0), p->name);
	return true;
}

int s3_setting_on(const struct s3_profile *p, const char *names, bool *on, struct err *e)
{
	struct s3_setting s;

	*on = false;
	if (!s3_setting_find(&s, p, names))
		return 0;
	*on = strcasecmp(s.value, "true") == 0;
	if (*on || strcasecmp(s.value, "false") == 0)
		return 0;
	return err_set(e, "%s is neither true nor false", s.from);
}

int s3_setting_endpoint(const struct s3_profile *p, const char *names, struct s3_url *u,
                        bool *found, struct err *e)
{
	struct s3_setting s;
	bool ignored;

	*found = false;
	if (s3_setting_on(p, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS ignore_configured_endpoint_urls",
	                  &ignored, e))
		return -1;
	if (ignored || !s3_setting_find(&s, p, names))
		return 0;
	if (s3_setting_url(u, s.value, e))
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

	s3_setting_find(&s, p, "AWS_REGION AWS_DEFAULT_REGION region");
	if (!s3_setting_is_region(s.value, aws))
		return err_set(e, "%s: \"%.100s\" is not the name of a region", s.from, s.value);
	snprintf(out, S3_SETTING_REGION_MAX, "%s", s.value);
	return 0;
}

int s3_setting_ca(const struct s3_profile *p, char out[PATH_MAX], struct err *e)
{
	struct s3_setting s = {.value = ""};

	s3_setting_find(&s, p, "AWS_CA_BUNDLE ca_bundle");
	if (snprintf(out, PATH_MAX, "%s", s.value) >= PATH_MAX)
		return err_set(e, "%s: %s", s.from, strerror(ENAMETOOLONG));
	if (*out && access(out, R_OK))
		return err_set(e, "%s: %s: %s", s.from, out, strerror(errno));
	return 0;
}
