/*
 * s3_config: the grammar of the settings files of AWS' tools, ~/.aws/config and ~/.aws/credentials.
 * Pure.
 *
 *   [profile build]            a section; its name may be in quotes
 *   # comment, ; comment       also behind a value, after a blank
 *   region = eu-west-1         a key, in any case, and its value; ':' works, too
 *   s3 =                       a key with an empty value begins a group …
 *     addressing_style = path  … of lines that are indented more: the key
 *                              s3.addressing_style
 *
 * A byte-order mark and CRLF are accepted, and a section or key may come twice (the last one
 * counts), as AWS' SDKs have it.
 */
#ifndef REPORT_AWS_KEYS_S3_CONFIG_H
#define REPORT_AWS_KEYS_S3_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

#define S3_CONFIG_MAX ((size_t)1 << 20) /* bytes of a file */

/* section: as it stands between the brackets, without blanks around it. key: in lower case; ""
 * where the section begins. */
typedef void s3_config_each(void *ctx, const char *section, const char *key, const char *value);

/* Calls each for every key, in order. -1 with a sentence that names the line, not its text. */
int s3_config_walk(const char *text, size_t n, s3_config_each *each, void *ctx, struct err *e);

/* Whether a section is KIND NAME ("profile" "build"), the name in quotes or not. */
bool s3_config_is(const char *section, const char *kind, const char *name);

#endif
