/*
 * output: a file that is written, whole or not at all.
 *
 * A regular file appears by rename when it is closed, and is never half there; a link in its place
 * is replaced, not followed. "-" is standard output; that, a device or a pipe (/dev/stdout, a FIFO)
 * is written to as it is.
 */
#ifndef REPORT_OUTPUT_H
#define REPORT_OUTPUT_H

#include <stdbool.h>

#include "../core/buf.h"
#include "../core/err.h"

/* Valid when zero: not open. */
struct output {
	bool open;
	int fd;           /* to ask what it is; not to write to */
	const char *path; /* borrowed */
	char *temporary;  /* NULL where it is written to as it is */
	bool standard;
};

/* 0, or -1 with a sentence that names the path. */
int output_open(struct output *o, const char *path, struct err *e);

/* 0, or -1. After a failure the caller still calls output_close or output_drop. */
int output_write(struct output *o, const char *p, size_t n, struct err *e);

/* Puts the file in its place, unless memory ran out: what there was none for may be missing in it.
 * 0, or -1: then the file is as it was before. */
int output_close(struct output *o, struct err *e);

/* Gives it up: the file stays as it was before. Nothing to do where it is not open. */
void output_drop(struct output *o);

/* All of it at once: opens, writes text, closes. text->failed is an error. */
int output_put(const char *path, const struct buf *text, struct err *e);

#endif
