/*
 * load_store: recordings in an object store → snapshots.
 *
 * An object is read by Ranges as far as the parser needs. Where there is none, the pieces of the
 * recording (docs/stores.md) are put together in an unnamed temporary file.
 */
#ifndef REPORT_RUNS_LOAD_STORE_H
#define REPORT_RUNS_LOAD_STORE_H

#include <stdbool.h>

#include "core/files/snapshot_read.h"
#include "report/input/input.h"
#include "report/store/store_source.h"

/* An object, or the pieces of one, that is read. */
struct load_stored {
	const struct store *store;
	const char *address;
	/* What was found: */
	bool absent;                  /* neither an object nor pieces; then there is no sentence */
	char folder[STORE_SHOWN_MAX]; /* of the pieces, without its slash; "": an object */
	uint64_t size;
	char tag[STORE_TAG_MAX]; /* of an object */
};

/* Reads the recording at an address: the object, else its pieces. KEY.partial stands for the pieces
 * in KEY.partial/. *s must be empty. -1 with a sentence. */
int load_store_read(struct load_stored *from, struct snapshot *s, enum snapshot_want want,
                    struct err *e);

/* Finds the pieces of a key, or those in KEY.partial/ if KEY.partial is the name. */
struct store_pieces;
int load_store_pieces(const struct store *s, const char *address, struct store_pieces *p,
                      struct err *e);

/* absent: NULL, or there being nothing at the address is not a failure, but sets it. */
typedef int load_store_each(void *ctx, struct input in, bool *absent, struct err *e);

#define LOAD_STORE_MAX 10000 /* addresses of one SOURCE */
#define LOAD_TOO_MANY                                                                              \
	"more than %d recordings; rtrack-fleet reads them all, and rtrack-fleet job reports on "   \
	"one job of them"

/* Calls each for all recordings that a SOURCE stands for: an object, a prefix or a glob. *why: why
 * there are none, or they cannot be listed; else empty. -1 if each failed, or without memory. */
int load_store_source(const struct store *s, const char *source, load_store_each *each, void *ctx,
                      struct err *why, struct err *e);

#endif
