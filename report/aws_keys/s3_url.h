/*
 * s3_url: the parts of an endpoint's URL, http:// or https://. Pure.
 */
#ifndef REPORT_AWS_KEYS_S3_URL_H
#define REPORT_AWS_KEYS_S3_URL_H

#include <stdbool.h>

#include "core/base/err.h"

struct s3_url {
	bool https;
	char host[256]; /* in lower case; an IPv6 address without its brackets */
	char base[512]; /* the URL without a slash at its end */
	bool query;     /* the URL has a '?' */
};

/* Sentences say what is wrong and quote nothing: a URL may hold a password. Refused are a user name
 * or a password, a fragment, a port that is none, and whatever is not plain ASCII. */
int s3_url_parse(struct s3_url *u, const char *url, struct err *e);

/* Whether the host is an address of this machine itself: localhost, 127.0.0.0/8, ::1. */
bool s3_url_is_loopback(const struct s3_url *u);

#endif
