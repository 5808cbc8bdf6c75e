/*
 * s3_profile: what the chosen profile of ~/.aws/credentials and ~/.aws/config says.
 *
 * The files are AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE where these are set. The profile is
 * AWS_PROFILE, else "default". Their grammar:
 *
 *   [profile build]            a section; its name may be in quotes
 *   # comment, ; comment       also after a value, after a blank
 *   region = eu-west-1         a key, in any case, and its value; ':' works as well
 *   s3 =                       a key with an empty value begins a group …
 *     addressing_style = path  … of lines that are indented more: the key
 *                              s3.addressing_style
 *
 * A byte-order mark and CRLF are accepted, and a section or key may come twice (the last one
 * counts), as AWS' SDKs have it.
 */
#ifndef REPORT_AWS_KEYS_S3_PROFILE_H
#define REPORT_AWS_KEYS_S3_PROFILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"

#define S3_PROFILE_FILE_MAX ((size_t)1 << 20) /* bytes of a file */
#define S3_PROFILE_SERVICES "[services]"      /* before a key of [services NAME] */

enum s3_profile_file {
	S3_PROFILE_CREDENTIALS,
	S3_PROFILE_CONFIG,
	S3_PROFILE_FILES,
};

struct s3_profile {
	char name[256];
	char path[S3_PROFILE_FILES][PATH_MAX]; /* "": no home */
	struct s3_profile_value *values;
};

/* A file that is absent is empty. -1 with a sentence: a file that cannot be read, or has another
 * grammar; AWS_PROFILE names a profile that neither has. p must be freed in any case. */
int s3_profile_load(struct s3_profile *p, struct err *e);

/* The value, of the credentials file first; NULL if it is absent or empty. key: in lower case, with
 * S3_PROFILE_SERVICES before it that of the section [services NAME] that the profile names. */
const char *s3_profile_get(const struct s3_profile *p, const char *key);

/* The value of one file; NULL if it is absent. */
const char *s3_profile_in(const struct s3_profile *p, enum s3_profile_file f, const char *key);

/* Overwrites the secrets. */
void s3_profile_free(struct s3_profile *p);

/* A variable of the environment; NULL if it is not set, or empty. */
const char *s3_profile_env(const char *variable);

/* Appends a small file to out. -1 with a sentence that names it: larger than max bytes, unreadable.
 * *absent: no such file, and then 0 is returned; a file in a folder that may not be entered counts
 * as absent, as for AWS' tools: a container's HOME is often another user's. */
int s3_profile_read_file(const char *path, size_t max, struct buf *out, bool *absent,
                         struct err *e);

/* section: as it stands between the brackets, without blanks around it. key: in lower case; ""
 * where the section begins. */
typedef void s3_profile_each(void *ctx, const char *section, const char *key, const char *value);

/* Calls each for every key, in order. -1 with a sentence that names the line, not its text. */
int s3_profile_walk(const char *text, size_t n, s3_profile_each *each, void *ctx, struct err *e);

/* Whether a section is KIND NAME ("profile" "build"), the name in quotes or not. */
bool s3_profile_is(const char *section, const char *kind, const char *name);

/* -- settings that the environment has, or else the profile; URLs among them ------------------- */

#define S3_PROFILE_REGION_MAX 64

/* An endpoint's, http:// or https://. */
struct s3_url {
	bool https;
	char host[256]; /* in lower case; an IPv6 address without its brackets */
	char base[512]; /* the URL without a slash at its end */
	bool query;     /* the URL has a '?' */
};

/* Sentences say what is wrong and quote nothing: a URL may hold a password. Refused are a user name
 * or a password, a fragment, a port that is none, and whatever is not plain ASCII. */
int s3_profile_url(struct s3_url *u, const char *url, struct err *e);

/* Whether the host is an address of this machine itself: localhost, 127.0.0.0/8, ::1. */
bool s3_profile_is_loopback(const struct s3_url *u);

struct s3_profile_setting {
	const char *value; /* borrowed from the environment or the profile; NULL: not set */
	char from[400];    /* "AWS_REGION", "region of the profile build": for sentences */
};

/* The first of names that is set: "AWS_REGION region", variables in capitals, keys of the profile
 * (s3_profile_get). False if none is; *s is only changed if one is. */
bool s3_profile_find(struct s3_profile_setting *s, const struct s3_profile *p, const char *names);

/* -1 with a sentence for words other than true and false. */
int s3_profile_on(const struct s3_profile *p, const char *names, bool *on, struct err *e);

/* *found: an endpoint is named. -1 with a sentence that does not quote it. */
int s3_profile_endpoint(const struct s3_profile *p, const char *names, struct s3_url *u,
                        bool *found, struct err *e);

/* us-east-1 if none is set. aws: it becomes part of the name of a host of AWS. */
int s3_profile_region(const struct s3_profile *p, bool aws, char out[S3_PROFILE_REGION_MAX],
                      struct err *e);
bool s3_profile_is_region(const char *name, bool aws);

/* The file of certificates to trust instead of the system's; "": none is named. -1 with a sentence
 * if it cannot be read. */
int s3_profile_ca(const struct s3_profile *p, char out[PATH_MAX], struct err *e);

#endif
