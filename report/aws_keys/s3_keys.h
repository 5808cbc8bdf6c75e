/*
 * s3_keys: what a request is signed with, how it is read from the answers of AWS' services, and how
 * memory with a secret is freed. Pure.
 */
#ifndef REPORT_AWS_KEYS_S3_KEYS_H
#define REPORT_AWS_KEYS_S3_KEYS_H

#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"

#define S3_CREDENTIALS_KEY_MAX   256
#define S3_CREDENTIALS_TOKEN_MAX 16384

struct s3_keys {
	char access[S3_CREDENTIALS_KEY_MAX], secret[S3_CREDENTIALS_KEY_MAX];
	char token[S3_CREDENTIALS_TOKEN_MAX]; /* of the session; "": none */
	double expires;                       /* Unix seconds; INFINITY: never */
};

/* Values that were found under three names. All may be NULL. */
struct s3_keys_found {
	const char *access, *secret, *token;
	const char *names[3]; /* for sentences: "AWS_ACCESS_KEY_ID" … */
};

/* -1 with a sentence that names what is missing, too long, or has a character that no key has (a
 * newline, which could become a header of its own). Without a token there is none. */
int s3_keys_set(struct s3_keys *k, const struct s3_keys_found *f, struct err *e);

/* The JSON answer of the container's and the instance's service. */
int s3_keys_read_json(struct s3_keys *k, const char *json, size_t n, struct err *e);

/* The XML answer of STS to AssumeRoleWithWebIdentity. */
int s3_keys_read_sts(struct s3_keys *k, const char *xml, size_t n, struct err *e);

/* The code of an error answer of these services, as a word for a sentence: "AccessDenied"; "" if it
 * has none. Never another part of the answer, which may quote what was sent. */
#define S3_KEYS_CODE_MAX 64
const char *s3_keys_error_code(const char *answer, size_t n, char out[S3_KEYS_CODE_MAX]);

/* Overwrite what may be secret, and free it. All accept what is empty, and leave it empty. */
void s3_keys_wipe(struct s3_keys *k);
void s3_keys_wipe_buf(struct buf *b);
void s3_keys_wipe_text(char **text);

#endif
