/*
 * cloud_http: one HTTP/1.1 exchange (RFC 9110, 9112) on a socket that does not block, bounded in
 * size.
 *
 * Metadata services speak plain HTTP on addresses of the link, without names, proxies, redirects or
 * TLS. So a few lines of our own do, in a process that lives for a second, and the recording itself
 * does not carry a library for it. Time is the caller's: it polls the descriptor.
 */
#ifndef COLLECT_CLOUD_CLOUD_HTTP_H
#define COLLECT_CLOUD_CLOUD_HTTP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

#define CLOUD_HTTP_MAX     ((size_t)64 << 10) /* bytes of an answer, its header included */
#define CLOUD_HTTP_REQUEST 1024

struct cloud_answer {
	int status;
	char *body; /* NUL-terminated, in the text that was parsed */
	size_t n;
};

/* Takes an answer apart, in place: chunks are joined. text has room for n + 1 bytes; closed:
 * nothing follows. 1: *out is whole; 0: more is to come, and text is as it was; -1: not an answer.
 */
int cloud_http_parse(char *text, size_t n, bool closed, struct cloud_answer *out);

struct cloud_http {
	int fd; /* -1: closed */
	char request[CLOUD_HTTP_REQUEST];
	size_t length, sent;
	char *text; /* the caller's */
	size_t n;
};

/* Begins to connect and to send the n bytes of request; text takes CLOUD_HTTP_MAX + 1 bytes, and
 * stays the caller's. 0, or -1. */
int cloud_http_open(struct cloud_http *h, const struct sockaddr_in *to, const char *request,
                    size_t n, char *text);

/* What to poll the descriptor for. */
short cloud_http_events(const struct cloud_http *h);

/* Goes on as far as it can. 1: *out is whole; 0: poll again; -1: failed. */
int cloud_http_step(struct cloud_http *h, struct cloud_answer *out);

void cloud_http_close(struct cloud_http *h);

#endif
