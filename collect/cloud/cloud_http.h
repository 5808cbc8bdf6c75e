/*
 * cloud_http: one HTTP/1.1 exchange (RFC 9110, RFC 9112) on a non-blocking socket, bounded in
 * size.
 *
 * Metadata services speak plain HTTP on link-local addresses: no name lookup, proxy, redirect or
 * TLS. These few lines, in a process that lives for a second, spare rtrack-collect the load time
 * and memory of libcurl. The caller polls the file descriptor and keeps the time.
 */
#ifndef COLLECT_CLOUD_CLOUD_HTTP_H
#define COLLECT_CLOUD_CLOUD_HTTP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

#define CLOUD_HTTP_MAX     ((size_t)64 << 10) /* bytes of an answer, with its header */
#define CLOUD_HTTP_REQUEST 1024

struct cloud_answer {
	int status;
	char *body; /* NUL-terminated, inside the parsed text */
	size_t n;
};

/* Splits http://IPV4[:PORT][/PATH], where localhost may stand for an address. *path: the rest from
 * its slash on, or "". Pure. False for anything else: no name is ever looked up. */
bool cloud_http_url(const char *url, struct sockaddr_in *to, const char **path);

/* Parses an answer in place, joining chunks. text has room for n + 1 bytes; closed: the server
 * closed the connection. 1: *out is complete; 0: incomplete, and text is unchanged; -1:
 * malformed. */
int cloud_http_parse(char *text, size_t n, bool closed, struct cloud_answer *out);

struct cloud_http {
	int fd; /* -1: closed */
	char request[CLOUD_HTTP_REQUEST];
	size_t length, sent;
	char *text; /* the caller's */
	size_t n;
};

/* Begins to connect and to send the n bytes of request. text has room for CLOUD_HTTP_MAX + 1
 * bytes and is borrowed until cloud_http_close. 0, or -1. */
int cloud_http_open(struct cloud_http *h, const struct sockaddr_in *to, const char *request,
                    size_t n, char *text);

/* The events to poll the file descriptor for. */
short cloud_http_events(const struct cloud_http *h);

/* Continues without blocking. 1: *out is complete; 0: poll again; -1: failed. */
int cloud_http_step(struct cloud_http *h, struct cloud_answer *out);

void cloud_http_close(struct cloud_http *h);

#endif
