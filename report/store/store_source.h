/*
 * store_source: the bytes of one object, by Ranges as a reader needs them (core/base/gz.h).
 *
 * The first Range is small, as the head of a recording is; each further one is twice as long. All
 * are of the same version of the object.
 */
#ifndef REPORT_STORE_STORE_SOURCE_H
#define REPORT_STORE_STORE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/gz.h"
#include "report/store/store.h"

#define STORE_SOURCE_FIRST ((size_t)64 << 10)
#define STORE_SOURCE_MOST  ((size_t)4 << 20)
#define STORE_SOURCE_COPY  ((uint64_t)16 << 30) /* of store_source_copy */

/* {0} is valid: closed. */
struct store_source {
	const struct store *store;
	const char *address; /* borrowed */
	char *window;
	uint64_t at; /* of the window's first byte in the object */
	size_t n;    /* bytes of the window */
	size_t step; /* of the next Range */
	uint64_t size;
	char tag[STORE_TAG_MAX];
};

/* Reads the first Range. *absent: there is no such object (and then 0 is returned). -1 with a
 * sentence that begins with the address. Close it either way. */
int store_source_open(struct store_source *o, const struct store *s, const char *address,
                      bool *absent, struct err *e);

/* A source for gz_in_from. Its sentences do not begin with the address. Borrows o. */
struct gz_source store_source_gz(struct store_source *o);

/* Writes the whole object to fd, at the same offsets. -1 with a sentence. */
int store_source_copy(struct store_source *o, int fd, struct err *e);

void store_source_close(struct store_source *o);

#endif
