/*
 * json_read: reads JSON (RFC 8259) from a gz_in as it is inflated, without a tree.
 *
 * A pull reader: the caller asks for what it expects. The first error is kept, with the byte at
 * which it was found, and every later call fails. Python's NaN and Infinity are taken as numbers.
 */
#ifndef CORE_JSON_READ_H
#define CORE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/gz.h"

#define JSON_READ_DEPTH_MAX 32

struct json_read {
	struct gz_in *g;  /* borrowed */
	const char *name; /* of the file, for sentences; borrowed */
	struct err *e;    /* borrowed; may be NULL */
	size_t at, end;
	uint64_t base; /* of window[0] in the content */
	int depth;
	bool failed;
	char window[65536];
};

/* j is large: keep it on the heap. */
void json_read_init(struct json_read *j, struct gz_in *g, const char *name, struct err *e);

/* The next character that is not white space, not consumed; 0 at the end of the content or after an
 * error. */
int json_read_peek(struct json_read *j);

/* Enters an object '{' or an array '['. 0, or -1 where there is something else. */
int json_read_open(struct json_read *j, char bracket);

/* 1: another element follows (the comma is consumed); 0: the bracket closed; -1: error. *first is
 * true before the first call and belongs to the loop. */
int json_read_more(struct json_read *j, char bracket, bool *first);

/* A string, unescaped, into b (emptied first); \\u0000 and lone surrogates become U+FFFD. Longer
 * than b->max: error. */
int json_read_string(struct json_read *j, struct buf *b);

/* An object's key and its colon. */
int json_read_key(struct json_read *j, struct buf *b);

/* A cell of a table: a number; NAN for null, strings without a number, infinities and for any value
 * of another kind, which is passed over. */
int json_read_cell(struct json_read *j, double *v);

/* Passes over any value, watching its nesting and the length of its strings (1 MiB) alone; copy,
 * where not NULL, gets its text, with null for NaN and infinities. */
int json_read_skip(struct json_read *j, struct buf *copy);

/* Asserts that only white space follows; reads to the end, so that a checksum is verified. */
int json_read_end(struct json_read *j);

/* Fails with "NAME: byte N: SENTENCE", unless it failed before. Always -1. */
int json_read_fail(struct json_read *j, const char *sentence);

#endif
