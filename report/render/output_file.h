/*
 * output_file: a file that is written, whole or not at all.
 *
 * A regular file appears by rename when it is closed, and is never half there; a link in its place
 * is replaced, not followed. "-" is standard output; that, a device or a pipe (/dev/stdout, a FIFO)
 * is written to as it is.
 */
#ifndef REPORT_RENDER_OUTPUT_FILE_H
#define REPORT_RENDER_OUTPUT_FILE_H

#include <stdbool.h>

#include "core/buf.h"
#include "core/err.h"

/* Valid when zero: not open. */
struct output_file {
	bool open;
	int fd;           /* to ask what it is; not to write to */
	const char *path; /* borrowed */
	char *temporary;  /* NULL where it is written to as it is */
	bool standard;
};

/* 0, or -1 with a sentence that names the path. */
int output_file_open(struct output_file *o, const char *path, struct err *e);

/* 0, or -1. After a failure the caller still calls output_file_close or output_file_drop. */
int output_file_write(struct output_file *o, const char *p, size_t n, struct err *e);

/* Puts the file in its place, unless memory ran out: what there was none for may be missing in it.
 * 0, or -1: then the file is as it was before. */
int output_file_close(struct output_file *o, struct err *e);

/* Gives it up: the file stays as it was before. Nothing to do where it is not open. */
void output_file_drop(struct output_file *o);

/* All of it at once: opens, writes text, closes. text->failed is an error. */
int output_file_put(const char *path, const struct buf *text, struct err *e);

#endif
