/*
 * jsonin: reads JSON (RFC 8259) from a gz_in as it is inflated, without a tree.
 *
 * A pull reader: the caller asks for what it expects. The first error is kept, with the byte at
 * which it was found, and every later call fails. Python's NaN and Infinity are taken as numbers.
 */
#ifndef CORE_JSONIN_H
#define CORE_JSONIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "err.h"
#include "gz.h"

#define JSONIN_DEPTH_MAX 32

struct jsonin {
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
void jsonin_init(struct jsonin *j, struct gz_in *g, const char *name, struct err *e);

/* The next character that is not white space, not consumed; 0 at the end of the content or after an
 * error. */
int jsonin_peek(struct jsonin *j);

/* Enters an object '{' or an array '['. 0, or -1 where there is something else. */
int jsonin_open(struct jsonin *j, char bracket);

/* 1: another element follows (the comma is consumed); 0: the bracket closed; -1: error. *first is
 * true before the first call and belongs to the loop. */
int jsonin_more(struct jsonin *j, char bracket, bool *first);

/* A string, unescaped, into b (emptied first); \\u0000 and lone surrogates become U+FFFD. Longer
 * than b->max: error. */
int jsonin_string(struct jsonin *j, struct buf *b);

/* An object's key and its colon. */
int jsonin_key(struct jsonin *j, struct buf *b);

/* A cell of a table: a number; NAN for null, strings without a number, infinities and for any value
 * of another kind, which is passed over. */
int jsonin_cell(struct jsonin *j, double *v);

/* Passes over any value, watching its nesting and the length of its strings (1 MiB) alone; copy,
 * where not NULL, gets its text, with null for NaN and infinities. */
int jsonin_skip(struct jsonin *j, struct buf *copy);

/* Asserts that only white space follows; reads to the end, so that a checksum is verified. */
int jsonin_end(struct jsonin *j);

/* Fails with "NAME: byte N: SENTENCE", unless it failed before. Always -1. */
int jsonin_fail(struct jsonin *j, const char *sentence);

#endif
