/*
 * json_write: writes JSON (RFC 8259), straight into a buf or a sink, without a tree.
 *
 * Commas are the writer's business. Strings are made valid UTF-8 (buf_utf8), and the characters
 * < > &, DEL, C1 controls, U+2028, U+2029 and those that turn the direction of writing are always
 * written as \uXXXX, so that every JSON of ours may stand inside a <script> element, and on a
 * terminal. Numbers are written in the shortest form that reads back equal; NAN and infinities,
 * which JSON does not have, are written as null.
 *
 * Errors are sticky: json_write_ok() tells at the end.
 */
#ifndef CORE_JSON_WRITE_H
#define CORE_JSON_WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"

#define JSON_WRITE_DEPTH_MAX 64

/* Takes n bytes; returns 0, or -1 on failure, after which it is not called again. */
typedef int (*json_write_sink)(void *ctx, const char *p, size_t n);

struct json_write {
	struct buf b;         /* everything (no sink), or what was not handed to the sink yet */
	json_write_sink sink; /* NULL: all stays in b */
	void *ctx;
	bool comma[JSON_WRITE_DEPTH_MAX];
	int depth;
	bool failed;
	bool exponents; /* may write 1500000 as 15e5: shorter, for data that only programs read */
};

void json_write_object(struct json_write *j,
                       const char *key); /* key NULL: an array's element, or the root */
void json_write_object_end(struct json_write *j);
void json_write_array(struct json_write *j, const char *key);
void json_write_array_end(struct json_write *j);
void json_write_str(struct json_write *j, const char *key,
                    const char *value); /* value NULL: null */
void json_write_num(struct json_write *j, const char *key, double value);
void json_write_bool(struct json_write *j, const char *key, bool value);
void json_write_null(struct json_write *j, const char *key);

/* Hands what is left to the sink. True where nothing failed and every bracket is closed. */
bool json_write_finish(struct json_write *j);

void json_write_free(struct json_write *j);

/* The shortest decimal form of a finite v that strtod reads back equal; "null" otherwise. Returns
 * the length; out takes 32 bytes. */
size_t json_write_number_text(double v, char out[32]);

/* text as a JSON string with its quotes, escaped as above, appended to b. */
void json_write_quote(struct buf *b, const char *text, size_t n);

#endif
