/*
 * s3_container: keys from the service that a container's platform runs (ECS, EKS Pod Identity).
 *
 * AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is a path on http://169.254.170.2,
 * AWS_CONTAINER_CREDENTIALS_FULL_URI a URL. The header Authorization is the content of
 * AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE, else AWS_CONTAINER_AUTHORIZATION_TOKEN.
 */
#ifndef REPORT_AWS_KEYS_S3_CONTAINER_H
#define REPORT_AWS_KEYS_S3_CONTAINER_H

#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/aws_keys/s3_keys.h"

bool s3_container_is_set(void);

/* token: of the variable, which may be out of the environment by now; NULL: none. */
int s3_container_get(const char *token, struct s3_keys *k, struct err *e);

/* Appends the URL to ask. A full one is https://, or http:// to this machine itself and to the
 * addresses of AWS' services, as for AWS' SDKs: the answer is a secret. */
int s3_container_url(const char *relative, const char *full, struct buf *url, struct err *e);

#endif
