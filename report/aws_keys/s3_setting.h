/*
 * s3_setting: settings that the environment has, or else the profile; URLs among them.
 */
#ifndef REPORT_AWS_KEYS_S3_SETTING_H
#define REPORT_AWS_KEYS_S3_SETTING_H

#include <limits.h>
#include <stdbool.h>

#include "core/base/err.h"
#include "report/aws_keys/s3_profile.h"

#define S3_SETTING_REGION_MAX 64

/* An endpoint's, http:// or https://. */
struct s3_url {
	bool https;
	char host[256]; /* in lower case; an IPv6 address without its brackets */
	char base[512]; /* the URL without a slash at its end */
	bool query;     /* the URL has a '?' */
};

/* Sentences say what is wrong and quote nothing: a URL may hold a password. Refused are a user name
 * or a password, a fragment, a port that is none, and whatever is not plain ASCII. */
int s3_setting_url(struct s3_url *u, const char *url, struct err *e);

/* Whether the host is an address of this machine itself: localhost, 127.0.0.0/8, ::1. */
bool s3_setting_is_loopback(const struct s3_url *u);

struct s3_setting {
	const char *value; /* borrowed from the environment or the profile; NULL: not set */
	char from[400];    /* "AWS_REGION", "region of the profile build": for sentences */
};

/* The first of names that is set: "AWS_REGION region", variables in capitals, keys of the profile
 * (s3_profile_get). False if none is; *s is only changed if one is. */
bool s3_setting_find(struct s3_setting *s, const struct s3_profile *p, const char *names);

/* -1 with a sentence for words other than true and false. */
int s3_setting_on(const struct s3_profile *p, const char *names, bool *on, struct err *e);

/* *found: an endpoint is named. -1 with a sentence that does not quote it. */
int s3_setting_endpoint(const struct s3_profile *p, const char *names, struct s3_url *u,
                        bool *found, struct err *e);

/* us-east-1 if none is set. aws: it becomes part of the name of a host of AWS. */
int s3_setting_region(const struct s3_profile *p, bool aws, char out[S3_SETTING_REGION_MAX],
                      struct err *e);
bool s3_setting_is_region(const char *name, bool aws);

/* The file of certificates to trust instead of the system's; "": none is named. -1 with a sentence
 * if it cannot be read. */
int s3_setting_ca(const struct s3_profile *p, char out[PATH_MAX], struct err *e);

#endif
