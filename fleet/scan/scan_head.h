/*
 * scan_head: one recording → the text of its row, as at the beginning of a snapshot.
 */
#ifndef FLEET_SCAN_SCAN_HEAD_H
#define FLEET_SCAN_SCAN_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/head/rtrack_row.h"

#define SCAN_HEAD ((size_t)4096) /* bytes that are read of a recording with a row */

/* Limits for reading a recording without a row: 512 MiB of content, and numbers that take 256
 * MiB. */
#define SCAN_HEAD_BYTES ((uint64_t)512 << 20)
#define SCAN_HEAD_CELLS ((size_t)32 << 20)

struct scan_head;

/* Reads one recording after the other. NULL with a sentence. */
struct scan_head *scan_head_new(struct err *e);
void scan_head_free(struct scan_head *h);

struct scan_head_text {
	char text[RTRACK_ROW_TEXT + 1]; /* for rtrack_row_read; what follows the row may be there */
	size_t n;
};

/* Makes the row from the first n bytes of a file. 0, or -1 if they have none. Pure. */
int scan_head_parse(struct scan_head *h, const char *raw, size_t n, struct scan_head_text *out);

/* The same of a recording whose beginning has no row, as older ones, those of other tools, and
 * journals: from its head, or whole. store: NULL if path is a file. *absent: nothing is at the
 * address; also a failure. */
struct store;
int scan_head_read_on(struct scan_head *h, const struct store *store, const char *path,
                      struct scan_head_text *out, bool *absent, struct err *e);

/* Reads the recording at path. -1 with a sentence that begins with the path; SCAN_HEAD_NO_RUN of a
 * page that rtrack-report did not make, or that carries no run. */
#define SCAN_HEAD_NO_RUN 1
int scan_head_read(struct scan_head *h, const char *path, struct scan_head_text *out,
                   struct err *e);

#endif
