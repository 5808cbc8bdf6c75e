/*
 * s3_service: the services that give keys: STS, a container's, an instance's.
 */
#ifndef REPORT_AWS_KEYS_S3_SERVICE_H
#define REPORT_AWS_KEYS_S3_SERVICE_H

#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/aws_keys/s3_keys.h"
#include "report/aws_keys/s3_profile.h"

/* The keys of a role, from STS, for a token that the platform wrote into a file (Kubernetes, GitHub
 * Actions), which is read again. Asks AWS_ENDPOINT_URL_STS, or what stands for it (s3_setting.h),
 * else STS of the region. */
struct s3_web_identity {
	const char *role, *token_file;
	const char *session; /* NULL: one is made up of the time */
};
int s3_service_web_identity(const struct s3_web_identity *w, const struct s3_profile *p, double now,
                            struct s3_keys *k, struct err *e);

/* Keys from the service that a container's platform runs (ECS, EKS Pod Identity).
 * AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is a path on http://169.254.170.2,
 * AWS_CONTAINER_CREDENTIALS_FULL_URI a URL. The header Authorization is the content of
 * AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE, else token: of AWS_CONTAINER_AUTHORIZATION_TOKEN, which
 * may be out of the environment by now; NULL: none. */
bool s3_service_has_container(void);
int s3_service_container(const char *token, struct s3_keys *k, struct err *e);

/* Appends the URL to ask. A full one is https://, or http:// to this machine itself and to the
 * addresses of AWS' services, as for AWS' SDKs: the answer is a secret. */
int s3_service_container_url(const char *relative, const char *full, struct buf *url,
                             struct err *e);

/* The keys of the role of an EC2 instance, from its metadata service, version 2 only, at
 * AWS_EC2_METADATA_SERVICE_ENDPOINT, else the address of AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE
 * (IPv4 or IPv6). Each request takes at most a second, and is tried twice: on other machines nobody
 * answers. With AWS_EC2_METADATA_DISABLED=true it is not asked. */
bool s3_service_may_ask_instance(void);
int s3_service_instance(const struct s3_profile *p, struct s3_keys *k, struct err *e);

#endif
