/*
 * store_pieces: the journal of a recording that has not ended, in an object store: put there in
 * pieces, found, put together, and deleted (docs/stores.md, "While a recording runs").
 *
 * A piece's key is FOLDER and 16 decimal digits, its offset in the journal. FOLDER is KEY.partial/;
 * of other recorders with the same key KEY.partial.2/ and so on. Pieces of one journal may overlap,
 * with the same bytes in both. The first piece is deleted last: it says whose the others are.
 */
#ifndef REPORT_STORE_STORE_PIECES_H
#define REPORT_STORE_STORE_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "report/store/store.h"
#include "report/store/store_pieces_names.h"

#define STORE_PIECES_MAX   1000000              /* of a folder; further ones are not read */
#define STORE_PIECES_BYTES ((uint64_t)16 << 30) /* of a journal */
/* Seconds after which a recorder that runs has uploaded a piece: some people upload seldom. */
#define STORE_PIECES_EVERY_S 300

struct store_piece {
	uint64_t at, size; /* its offset in the journal */
};

/* {0} is valid: no pieces. */
struct store_pieces {
	char folder[STORE_PIECES_ADDRESS]; /* "s3://b/run.json.gz.partial/" */
	struct store_piece *v;             /* in the order of their offsets; the first is at 0 */
	size_t n;
	double modified;  /* of the newest, Unix seconds */
	size_t recorders; /* folders of the key that have a first piece */
};

/* Finds the pieces of a key, or of the one folder that address names
 * (s3://b/run.json.gz.partial.2/). If several recorders have folders, the last modified one counts.
 * Folders without a first piece do not count. 0, also if there are none (out->n is 0 then), or -1
 * with a sentence and *out empty. */
int store_pieces_find(const struct store *s, const char *address, struct store_pieces *out,
                      struct err *e);

/* Writes the journal to fd, from its beginning on. Bytes of pieces that are missing are zero, which
 * a reader of journals takes for damage. */
int store_pieces_fetch(const struct store *s, const struct store_pieces *p, int fd, struct err *e);

/* Deletes the pieces that were found. */
int store_pieces_delete(const struct store *s, const struct store_pieces *p, struct err *e);

/* Deletes the pieces of the key whose journal is of the same recording as the snapshot (or the
 * journal) in the file: the same process on the same host, begun at the same time. Another
 * recorder's pieces stay. Sets *n to the number of deleted ones. */
int store_pieces_delete_same(const struct store *s, const char *address, const char *file,
                             size_t *n, struct err *e);

void store_pieces_free(struct store_pieces *p);

#endif
