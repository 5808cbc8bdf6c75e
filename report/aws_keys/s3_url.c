/* s3_url: the parts of an endpoint's URL, http:// or https://. */
#include "report/aws_keys/s3_url.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

int s3_url_parse(struct s3_url *u, const char *url, struct err *e)
{
	const char *at;
	size_t n = strlen(url);

	*u = (struct s3_url){.https = strncasecmp(url, "https://", 8) == 0};
	/* Before anything else, for the other sentences might be less clear about it. */
	if (strchr(url, '@'))
		return err_set(e, "a user name or a password in the URL is not used (credentials "
		                  "are taken as AWS' tools take them)");
	if (!u->https && strncasecmp(url, "http://", 7) != 0)
		return err_set(e, "this is no URL that begins with https:// or http://");
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

bool s3_url_is_loopback(const struct s3_url *u)
{
	struct in6_addr v6;
	struct in_addr v4;

	if (inet_pton(AF_INET, u->host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	if (inet_pton(AF_INET6, u->host, &v6) == 1)
		return IN6_IS_ADDR_LOOPBACK(&v6);
	return strcmp(u->host, "localhost") == 0;
}
