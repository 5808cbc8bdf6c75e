/*
 * store_find: the recordings that a SOURCE in an object store stands for.
 *
 * s3://b/runs/ stands for all objects whose key begins so and whose name is that of a recording;
 * s3://b/runs/a*.json.gz for those that match in the last segment, as a shell would have it. The
 * pieces of a recording that has not ended are one recording, which is passed over where the whole
 * object is there.
 */
#ifndef REPORT_STORE_STORE_FIND_H
#define REPORT_STORE_STORE_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/store/store.h"

struct store_found {
	const char *address; /* of pieces: that of their folder, without the slash at its end */
	bool pieces;
	uint64_t size;   /* of all pieces */
	double modified; /* Unix seconds; of pieces, the newest */
	const char *tag; /* of pieces, that of the last */
};

/* No request may be made from it. A value other than 0 ends the search, which returns -1 then. */
typedef int store_found_each(void *ctx, const struct store_found *f, struct err *e);

struct store_find {
	bool (*is_recording)(const char *name); /* of an object below a prefix */
	store_found_each *each;
	void *ctx;
	size_t n; /* recordings that were found */

	/* Its own: */
	struct store_address at;
	size_t literal;            /* bytes of at.key in which no glob character stands */
	const char *pattern;       /* of the last segment, in at.key; NULL: a prefix */
	size_t key_at;             /* bytes of "s3://bucket/" */
	char key[STORE_KEY_MAX];   /* of the last object */
	bool whole[STORE_KEY_MAX]; /* the first i bytes of it are the key of an object */
	struct store_found pieces; /* those that are being listed, if size is not 0 */
	size_t pieces_key;         /* bytes of their key */
	char folder[STORE_SHOWN_MAX], tag[STORE_TAG_MAX];
};

/* Whether place stands for many objects: a prefix, or a glob. */
bool store_find_is_many(const struct store_address *a);

/* How a caller takes what a SOURCE stands for. Both set *n to how many there are; to 1 if that
 * cannot be found out, which they say themselves. */
struct store_find_taker {
	int (*one)(void *ctx, const char *address, size_t *n, struct err *e);
	int (*many)(void *ctx, const char *prefix, size_t *n, struct err *e); /* or a glob */
	void *ctx;
};

/* All that a SOURCE stands for: what is below a prefix or matches a glob; an object, or else what
 * is below its key. As a shell has it, a glob that matches nothing stands for itself. */
int store_find_source(const struct store_find_taker *t, const char *source, size_t *n,
                      struct err *e);

/* Lists what place stands for: one request for each 1,000 keys. */
int store_find(const struct store *s, const char *place, struct store_find *f, struct err *e);

/* The parts of store_find beside the listing: begin, then each object in the order of their keys,
 * then end. Pure. */
int store_find_begin(struct store_find *f, const char *place, struct err *e);
int store_find_object(void *find, const struct store_object *o, struct err *e);
int store_find_end(struct store_find *f, struct err *e);

#endif
