/*
 * s3_web_identity: the keys of a role, from STS, for a token that the platform wrote into a file
 * (Kubernetes, GitHub Actions).
 */
#ifndef REPORT_AWS_KEYS_S3_WEB_IDENTITY_H
#define REPORT_AWS_KEYS_S3_WEB_IDENTITY_H

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/aws_keys/s3_keys.h"
#include "report/aws_keys/s3_profile.h"

struct s3_web_identity {
	const char *role, *token_file;
	const char *session; /* NULL: one is made up of the time */
};

/* Reads the token's file anew, and asks AWS_ENDPOINT_URL_STS, or what stands for it (s3_setting.h),
 * else STS of the region. */
int s3_web_identity_get(const struct s3_web_identity *w, const struct s3_profile *p, double now,
                        struct s3_keys *k, struct err *e);

/* Appends the file's text without white space at its end. -1 with a sentence if it is absent,
 * empty, too large, or has a character that no token has. */
int s3_web_identity_token(const char *path, struct buf *out, struct err *e);

#endif
