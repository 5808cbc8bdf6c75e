/*
 * s3_file: reads a small file of AWS' tools: settings, credentials, a token.
 */
#ifndef REPORT_AWS_KEYS_S3_FILE_H
#define REPORT_AWS_KEYS_S3_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"

/* Appends the file to out. -1 with a sentence that names it: larger than max bytes, unreadable.
 * *absent: no such file, and then 0 is returned; a file in a folder that may not be entered counts
 * as absent, as for AWS' tools: a container's HOME is often another user's. */
int s3_file_read(const char *path, size_t max, struct buf *out, bool *absent, struct err *e);

#endif
