/*
 * keeper_file: answers of the Keeper API in one file, for machines without a network. An answer has
 * the servers of all sizes; whoever reads it chooses among them, as the service would. Pure, but
 * for keeper_file_read.
 *
 *	struct keeper_file f = {.saved_at = now};
 *	keeper_file_add(&f, path, true, body, n);    (for each answer)
 *	keeper_file_pack(&f, &out, e);
 */
#ifndef REPORT_PRICES_KEEPER_FILE_H
#define REPORT_PRICES_KEEPER_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"

#define KEEPER_FILE_MAX   ((size_t)64 << 20) /* inflated */
#define KEEPER_FILE_OLD_S (30 * 86400.0)     /* older prices are warned of */

/* {0} is valid: no answers. */
struct keeper_file {
	struct buf text; /* of the whole file, inflated */
	size_t first;    /* where the answers begin */
	double saved_at; /* Unix time */
};

void keeper_file_free(struct keeper_file *f);

/* The part of a request's path and parameters on which the answer in the file depends. servers: it
 * asks for servers to choose among, so without sizes, order, limit, and the filters that each row
 * is checked for. */
void keeper_file_key(const char *path, bool servers, struct buf *out);

/* A later answer to the same key replaces an earlier one. */
void keeper_file_add(struct keeper_file *f, const char *path, bool servers, const char *body,
                     size_t n);

/* The answer to a request, borrowed: NUL-terminated after *n bytes. NULL: none; *other is then
 * whether there is one with the scores of another benchmark. */
const char *keeper_file_get(const struct keeper_file *f, const char *path, bool servers, size_t *n,
                            bool *other);

/* Appends the file's content, compressed. */
int keeper_file_pack(const struct keeper_file *f, struct buf *out, struct err *e);

/* Checks f->text, which may be anyone's, and finds its date and answers. -1 with a sentence. */
int keeper_file_parse(struct keeper_file *f, struct err *e);

/* Reads a file. -1 with a sentence that names it. Free *f either way. */
int keeper_file_read(struct keeper_file *f, const char *path, struct err *e);

#endif
