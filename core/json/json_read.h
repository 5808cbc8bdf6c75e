/*
 * json_read: reads JSON (RFC 8259) from a gz_in as it is inflated, without a tree.
 *
 * A pull reader: the caller asks for the value that it expects. A tree of a week of samples would
 * take gigabytes; here the memory is one window, whatever the file holds. The first error is kept
 * with its byte, and every later call fails, so a caller may check once. Python's NaN and Infinity
 * are accepted as numbers, because json.dump writes them.
 *
 *	bool first = true, failed = json_read_open(&j, '{');
 *	while (!failed && json_read_more(&j, '{', &first) > 0)
 *		failed = json_read_key(&j, &key) || json_read_cell(&j, &value);
 */
#ifndef CORE_JSON_JSON_READ_H
#define CORE_JSON_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/gz.h"

#define JSON_READ_DEPTH_MAX 32
#define JSON_READ_WINDOW    131072 /* bytes */

struct json_read {
	struct gz_in *g;  /* borrowed; NULL: the text is all in the window */
	const char *name; /* of the file, for error sentences; borrowed */
	struct err *e;    /* borrowed; may be NULL */
	size_t at, end;
	uint64_t base; /* offset of window[0] in the inflated content */
	int depth;
	bool failed;
	char window[JSON_READ_WINDOW + 1]; /* ends in a NUL */
};

/* j holds a 128 KiB window: allocate it on the heap. */
void json_read_init(struct json_read *j, struct gz_in *g, const char *name, struct err *e);

/* Reads n bytes of text instead, at most JSON_READ_WINDOW, which are copied. */
void json_read_init_text(struct json_read *j, const char *text, size_t n);

/* The next character that is not white space, without consuming it. 0 at the end of the content or
 * after an error. */
int json_read_peek(struct json_read *j);

/* Enters an object ('{') or an array ('['). 0, or -1 if another value stands there. */
int json_read_open(struct json_read *j, char bracket);

/* 1: another element follows (the comma is consumed); 0: the bracket closed; -1: error. *first is
 * true before the first call and belongs to the loop. */
int json_read_more(struct json_read *j, char bracket, bool *first);

/* Reads a string, unescaped, into b, which is emptied first. \\u0000 and lone surrogates become
 * U+FFFD. A string longer than b->max is an error. */
int json_read_string(struct json_read *j, struct buf *b);

/* Reads an object's key and its colon. */
int json_read_key(struct json_read *j, struct buf *b);

/* Takes this key with its colon if it comes next, without white space and whole in the window; else
 * nothing, and json_read_key reads what comes. key: as JSON writes it, without escapes. */
bool json_read_is_key(struct json_read *j, const char *key);

/* The same for a member whose value is a plain number, with the comma before it: another
 * json_read_more(), json_read_key() and json_read_cell(), all three or nothing. */
bool json_read_is_number(struct json_read *j, const char *key, bool *first, double *v);

/* Reads a cell of a table: a number, or a string that holds one. NAN for null, infinities and
 * values of any other kind, which are skipped. */
int json_read_cell(struct json_read *j, double *v);

/* Reads more plain numbers of an array, each after its comma, as long as they lie in the window
 * without white space: at most max. Returns how many; 0 is not an error, for json_read_cell reads
 * what this does not. */
size_t json_read_cells(struct json_read *j, double *v, size_t max);

/* Skips any value, checking only its nesting and the length of its strings (1 MiB). copy, if not
 * NULL, gets its text, with null for NaN and infinities. */
int json_read_skip(struct json_read *j, struct buf *copy);

/* Fails unless only white space follows. Reads to the end, so that gzip's checksum is verified. */
int json_read_end(struct json_read *j);

/* Fails with "NAME: byte N: SENTENCE", unless an error is there already. Always returns -1. */
int json_read_fail(struct json_read *j, const char *sentence);

#endif
