/*
 * json_write: writes JSON (RFC 8259), straight into a buf or a sink, without a tree.
 *
 * The writer puts the commas. Strings are made valid UTF-8 (buf_utf8). The characters < > &, DEL,
 * C1 controls, U+2028, U+2029 and bidirectional controls are always written as \uXXXX, so that the
 * JSON is safe inside a <script> element and on a terminal. Numbers are written in the shortest
 * form that reads back equal; NAN and infinities, which JSON does not have, are written as null.
 *
 * Errors are sticky: json_write_finish() reports them at the end.
 *
 *	json_write_object(&j, NULL);
 *	json_write_num(&j, "cpu_s", 1.5);
 *	json_write_object_end(&j);
 *	failed = !json_write_finish(&j);
 */
#ifndef CORE_JSON_JSON_WRITE_H
#define CORE_JSON_JSON_WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"

#define JSON_WRITE_DEPTH_MAX 64

/* Writes n bytes. Returns 0, or -1 on failure; it is not called again after that. */
typedef int (*json_write_sink)(void *ctx, const char *p, size_t n);

struct json_write {
	struct buf b;         /* all text (no sink), or the text that the sink has not got yet */
	json_write_sink sink; /* NULL: the text stays in b */
	void *ctx;
	bool comma[JSON_WRITE_DEPTH_MAX];
	int depth;
	bool failed;
	bool exponents; /* write 1500000 as 15e5 where shorter; for data that only programs read */
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

/* Hands the rest of the text to the sink. True if nothing failed and every bracket is closed. */
bool json_write_finish(struct json_write *j);

void json_write_free(struct json_write *j);

/* The shortest decimal form of a finite v that strtod reads back equal; "null" otherwise. Returns
 * the length; out takes 32 bytes. */
size_t json_write_number_text(double v, char out[32]);

/* text as a JSON string with its quotes, escaped as above, appended to b. */
void json_write_quote(struct buf *b, const char *text, size_t n);

#endif
