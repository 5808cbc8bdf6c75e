/*
 * s3_credentials: the keys that requests are signed with, from where AWS' own tools take them.
 *
 * In this order; the first source that is configured counts, and its failure is an error:
 *   environment       AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
 *   web identity      AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN (STS)
 *   credentials file  AWS_SHARED_CREDENTIALS_FILE, else ~/.aws/credentials: the profile AWS_PROFILE
 *   config file       AWS_CONFIG_FILE, else ~/.aws/config: keys, or role_arn with
 *                     web_identity_token_file
 *   container         AWS_CONTAINER_CREDENTIALS_FULL_URI or _RELATIVE_URI
 *   instance          metadata service, version 2 (AWS_EC2_METADATA_DISABLED=true: not asked)
 *
 * Runs in the worker that has the network. Never writes a secret into a sentence.
 */
#ifndef REPORT_AWS_KEYS_S3_CREDENTIALS_H
#define REPORT_AWS_KEYS_S3_CREDENTIALS_H

#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/aws_keys/s3_keys.h"

/* They are fetched again so many seconds before they expire. */
#define S3_CREDENTIALS_EARLY_S 300

struct s3_credentials; /* opaque */

/* Copies the secrets that the environment has. NULL with a sentence without memory. */
struct s3_credentials *s3_credentials_new(struct err *e);

/* The keys to sign with now (Unix seconds): cached ones while they are valid. NULL with a sentence
 * that names the source. Valid until the next call. */
const struct s3_keys *s3_credentials_get(struct s3_credentials *c, double now, struct err *e);

/* Forgets cached keys: the server refused them (ExpiredToken). False if the source has no others
 * (environment, files). */
bool s3_credentials_refresh(struct s3_credentials *c);

/* Overwrites the secrets in memory. */
void s3_credentials_free(struct s3_credentials *c);

/* Takes the secrets out of this process's environment: workers that start later inherit none. */
void s3_credentials_forget(void);

/* Appends the URL at which a container asks for its keys: a public function for its unit test.
 * relative and full are AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and _FULL_URI, or NULL. A full one
 * is https://, or http:// to this machine itself and to the addresses of AWS' services, as for AWS'
 * SDKs: the answer is a secret. -1 with a sentence. */
int s3_credentials_container_url(const char *relative, const char *full, struct buf *url,
                                 struct err *e);

#endif
