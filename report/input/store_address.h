/*
 * store_address: s3://bucket/key → its parts, and keys as URLs have them.
 */
#ifndef REPORT_INPUT_STORE_ADDRESS_H
#define REPORT_INPUT_STORE_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"

#define STORE_BUCKET_MAX 256
#define STORE_KEY_MAX    1025 /* bytes of a key, and a NUL */

/* The suffix of the folder with the pieces of a recording that has not ended: KEY.partial/…, of a
 * second recorder with the same key KEY.partial.2/… up to .100, as on disk. */
#define STORE_PIECES ".partial"

enum store_kind {
	STORE_NONE,  /* no address of a store: a file */
	STORE_S3,    /* s3://bucket/key */
	STORE_HTTPS, /* https://…: only to be written, by PUT */
};

enum store_kind store_kind_of(const char *place);

struct store_address {
	char bucket[STORE_BUCKET_MAX];
	char key[STORE_KEY_MAX]; /* as it is, not encoded; "" or ends in '/': a prefix */
};

/* Parses "s3://bucket/key". The key is everything after the first slash, byte for byte: nothing
 * in it is an escape. -1 with a sentence: a bucket's name that S3 does not allow, a key that is too
 * long, control characters. */
int store_address_parse(struct store_address *a, const char *place, struct err *e);

/* The address without what may be secret: of https:// the part before '?'. For sentences. Cut, and
 * marked as such, where it is too long. */
#define STORE_SHOWN_MAX 1400
const char *store_address_shown(const char *place, char out[STORE_SHOWN_MAX]);

#define STORE_GLOB "*?[\\" /* what ends the fixed part of a glob */

/* Whether the last segment of the key has one of the glob characters '*', '?' and '['. */
bool store_address_is_glob(const struct store_address *a);

/* Appends the key with each byte other than A-Z a-z 0-9 - . _ ~ and '/' as %XX (upper case). */
void store_address_encode(struct buf *out, const char *key);

#endif
