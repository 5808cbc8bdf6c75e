/*
 * s3_instance: the keys of the role of an EC2 instance, from its metadata service, version 2 only.
 *
 * AWS_EC2_METADATA_SERVICE_ENDPOINT, else the address of AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE
 * (IPv4 or IPv6). Each request takes at most a second, and is tried twice: on other machines nobody
 * answers.
 */
#ifndef REPORT_AWS_KEYS_S3_INSTANCE_H
#define REPORT_AWS_KEYS_S3_INSTANCE_H

#include <stdbool.h>

#include "core/base/err.h"
#include "report/aws_keys/s3_keys.h"
#include "report/aws_keys/s3_profile.h"

/* AWS_EC2_METADATA_DISABLED=true: false. */
bool s3_instance_is_allowed(void);

int s3_instance_get(const struct s3_profile *p, struct s3_keys *k, struct err *e);

#endif
