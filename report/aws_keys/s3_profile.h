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

#endif
