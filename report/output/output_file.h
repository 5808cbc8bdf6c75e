/*
 * output_file: writes a file, or an object in a store, completely or not at all.
 *
 * A regular file is written under a temporary name in the same folder and renamed when it is
 * closed; SIGINT, SIGTERM and SIGHUP remove it. A symbolic link in its place is replaced, not
 * followed. "-" is standard output. Standard output, devices and pipes (/dev/stdout, a FIFO) are
 * written to directly. s3:// and https:// are written through a store, one at a time.
 */
#ifndef REPORT_OUTPUT_OUTPUT_FILE_H
#define REPORT_OUTPUT_OUTPUT_FILE_H

#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/err.h"

struct store;

/* Sets the store through which addresses are written; NULL, as at the start: they are refused. */
void output_file_store(const struct store *s);

/* Valid when zero: not open. */
struct output_file {
	bool open;
	int fd;           /* for isatty() and the like (an address: -1); use output_file_write */
	const char *path; /* borrowed */
	char *temporary;  /* NULL if written to directly */
	bool standard;
	bool stored; /* an address */
};

/* A sentence that says why the path, or address, could not be written. Always -1. */
int output_file_fail(const char *path, const char *why, struct err *e);

/* Returns 0, or -1 with a sentence that names the path. */
int output_file_open(struct output_file *o, const char *path, struct err *e);

/* Returns 0, or -1, after which the caller still calls output_file_drop. */
int output_file_write(struct output_file *o, const char *p, size_t n, struct err *e);

/* Moves the file into its place. Returns 0, or -1, and then the old file is unchanged. Also fails
 * if any allocation of this process failed (alloc_failed), because the output may be incomplete. */
int output_file_close(struct output_file *o, struct err *e);

/* Discards the output; the old file is unchanged. Does nothing if o is not open. */
void output_file_drop(struct output_file *o);

/* Opens path, writes text and closes. Returns 0, or -1; text->failed is an error. */
int output_file_put(const char *path, const struct buf *text, struct err *e);

#endif
