/*
 * s3_profile: what the chosen profile of ~/.aws/credentials and ~/.aws/config says.
 *
 * The files are AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE where these are set. The profile is
 * AWS_PROFILE, else "default".
 */
#ifndef REPORT_AWS_KEYS_S3_PROFILE_H
#define REPORT_AWS_KEYS_S3_PROFILE_H

#include <limits.h>
#include <stdbool.h>

#include "core/base/err.h"

/* The names that they have in the files: the table in s3_profile.c. */
enum s3_profile_key {
	S3_PROFILE_ACCESS,
	S3_PROFILE_SECRET,
	S3_PROFILE_TOKEN,
	S3_PROFILE_REGION,
	S3_PROFILE_ENDPOINT,
	S3_PROFILE_SERVICES,
	S3_PROFILE_IGNORE_ENDPOINTS,
	S3_PROFILE_STYLE,
	S3_PROFILE_DUALSTACK,
	S3_PROFILE_FIPS,
	S3_PROFILE_ROLE,
	S3_PROFILE_ROLE_SESSION,
	S3_PROFILE_TOKEN_FILE,
	S3_PROFILE_SOURCE_PROFILE,
	S3_PROFILE_CREDENTIAL_SOURCE,
	S3_PROFILE_PROCESS,
	S3_PROFILE_SSO_ACCOUNT,
	S3_PROFILE_SSO_ROLE,
	S3_PROFILE_METADATA,
	S3_PROFILE_METADATA_MODE,
	S3_PROFILE_CA_BUNDLE,
	/* Of [services NAME], where the profile has services = NAME. */
	S3_PROFILE_S3_ENDPOINT,
	S3_PROFILE_STS_ENDPOINT,
	S3_PROFILE_N,
};

enum s3_profile_file {
	S3_PROFILE_CREDENTIALS,
	S3_PROFILE_CONFIG,
	S3_PROFILE_FILES,
};

struct s3_profile {
	char name[256];
	char path[S3_PROFILE_FILES][PATH_MAX]; /* "": no home */
	char *value[S3_PROFILE_FILES][S3_PROFILE_N];
};

/* A file that is absent is empty. -1 with a sentence: a file that cannot be read, or has another
 * grammar; AWS_PROFILE names a profile that neither has. p must be freed in any case. */
int s3_profile_load(struct s3_profile *p, struct err *e);

/* The value, of the credentials file first; NULL if it is absent or empty. */
const char *s3_profile_get(const struct s3_profile *p, enum s3_profile_key key);

/* As the files have it: "aws_access_key_id". */
const char *s3_profile_key_name(enum s3_profile_key key);

/* Overwrites the secrets. */
void s3_profile_free(struct s3_profile *p);

/* A variable of the environment; NULL if it is not set, or empty. */
const char *s3_profile_env(const char *variable);

#endif
