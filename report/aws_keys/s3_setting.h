/*
 * s3_setting: settings that the environment has, or else the profile.
 */
#ifndef REPORT_AWS_KEYS_S3_SETTING_H
#define REPORT_AWS_KEYS_S3_SETTING_H

#include <limits.h>
#include <stdbool.h>

#include "core/base/err.h"
#include "report/aws_keys/s3_profile.h"
#include "report/aws_keys/s3_url.h"

#define S3_SETTING_REGION_MAX 64

struct s3_setting {
	const char *value; /* borrowed from the environment or the profile; NULL: not set */
	char from[400];    /* "AWS_REGION", "region of the profile build": for sentences */
};

/* False if it is not set there; *s is only changed if it is. */
bool s3_setting_env(struct s3_setting *s, const char *variable);
bool s3_setting_profile(struct s3_setting *s, const struct s3_profile *p, enum s3_profile_key key);

/* Of a variable, else of a key. -1 with a sentence for words other than true and false. */
int s3_setting_on(const struct s3_profile *p, const char *variable, enum s3_profile_key key,
                  bool *on, struct err *e);

/* The endpoint that was named for a service: its own variable, AWS_ENDPOINT_URL, its own key,
 * endpoint_url. *found: there is one. -1 with a sentence that does not quote it. */
int s3_setting_endpoint(const struct s3_profile *p, const char *variable, enum s3_profile_key key,
                        struct s3_url *u, bool *found, struct err *e);

/* us-east-1 if none is set. aws: it becomes part of the name of a host of AWS. */
int s3_setting_region(const struct s3_profile *p, bool aws, char out[S3_SETTING_REGION_MAX],
                      struct err *e);
bool s3_setting_is_region(const char *name, bool aws);

/* The file of certificates to trust instead of the system's; "": none is named. -1 with a sentence
 * if it cannot be read. */
int s3_setting_ca(const struct s3_profile *p, char out[PATH_MAX], struct err *e);

#endif
