/* http_host: which machine a URL names, and whether it is this one. */
#include "report/http/http_host.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/* Exact matches only: 127.0.0.1.example.com is not this machine. */
static bool is_loopback(const char *host)
{
	struct in_addr v4;

	if (inet_pton(AF_INET, host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	return strcasecmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0;
}

/* Metadata services: 169.254.0.0/16, and with IPv6 fd00:ec2::/32. */
static bool is_link_local(const char *host)
{
	struct in_addr v4;

	if (inet_pton(AF_INET, host, &v4) == 1)
		return ntohl(v4.s_addr) >> 16 == 0xa9fe;
	return strncasecmp(host, "[fd00:ec2:", 10) == 0 || strncasecmp(host, "[fe80:", 6) == 0;
}

bool http_is_loopback(const struct sockaddr *a)
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	if (a->sa_family == AF_INET) {
		memcpy(&v4, a, sizeof v4);
		return ntohl(v4.sin_addr.s_addr) >> 24 == 127;
	}
	if (a->sa_family != AF_INET6)
		return false;
	memcpy(&v6, a, sizeof v6);
	return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

bool http_host_target(const char *url, struct http_target *t)
{
	char *scheme = NULL, *host = NULL, *port = NULL;
	CURLU *u = curl_url();
	bool ok = u && !curl_url_set(u, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) &&
	          !curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) &&
	          !curl_url_get(u, CURLUPART_HOST, &host, 0) && strlen(host) < 256;

	*t = (struct http_target){.host = "the address"};
	if (ok) {
		bool with_port = !curl_url_get(u, CURLUPART_PORT, &port, 0);
		snprintf(t->host, sizeof t->host, "%s%s%.5s", host, with_port ? ":" : "",
		         with_port ? port : "");
		t->https = strcasecmp(scheme, "https") == 0;
		t->http = strcasecmp(scheme, "http") == 0;
		t->loopback = is_loopback(host);
		t->link_local = is_link_local(host);
	}
	curl_free(scheme);
	curl_free(host);
	curl_free(port);
	curl_url_cleanup(u);
	return ok;
}

void http_host(const char *url, char out[HTTP_HOST_MAX])
{
	struct http_target t;

	http_host_target(url, &t);
	memcpy(out, t.host, HTTP_HOST_MAX);
}
