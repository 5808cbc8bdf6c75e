/*
 * http_host: which machine a URL names, and whether it is this one.
 */
#ifndef REPORT_HTTP_HTTP_HOST_H
#define REPORT_HTTP_HTTP_HOST_H

#include <stdbool.h>

#define HTTP_HOST_MAX 300

struct http_target {
	char host[HTTP_HOST_MAX]; /* "host" or "host:port", as error sentences name it */
	bool https, http, loopback;
	bool link_local; /* a service of the network that this machine is on: no proxy knows it */
};

/* False if the URL cannot be parsed; then its host is "the address". */
bool http_host_target(const char *url, struct http_target *t);

/* The host of http_host_target. */
void http_host(const char *url, char out[HTTP_HOST_MAX]);

/* Whether the address is this machine's own: 127.0.0.0/8 or ::1. */
struct sockaddr;
bool http_is_loopback(const struct sockaddr *a);

#endif
