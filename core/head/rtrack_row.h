/*
 * rtrack_row: the first member of a snapshot, one flat object with what a catalog of many runs
 * needs. It takes at most RTRACK_ROW_MAX bytes, so a reader of the first 4 KiB of a file has it.
 *
 * The keys are in core/head/rtrack_row.def.
 */
#ifndef CORE_HEAD_RTRACK_ROW_H
#define CORE_HEAD_RTRACK_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/json/json_write.h"
#include "core/recording/snapshot.h"

#define RTRACK_ROW_KEY "rtrack_row"
#define RTRACK_ROW_MAX 2048 /* bytes of the object */

/* In the file, the columns of this kind are one array. */
#define RTRACK_ROW_TIME_AT_KEY "time_at"

/* Bytes of the text of a snapshot that has nothing but the row, without its last brace. */
#define RTRACK_ROW_TEXT (RTRACK_ROW_MAX + sizeof "{\"" RTRACK_ROW_KEY "\":" - 1)

enum rtrack_row_id {
#define ROW(id, ...) RTRACK_ROW_##id,
#include "core/head/rtrack_row.def"
	RTRACK_ROW_COLUMNS
};

enum rtrack_row_kind {
	RTRACK_ROW_KIND_TEXT,
	RTRACK_ROW_KIND_ID,
	RTRACK_ROW_KIND_NUMBER,
	RTRACK_ROW_KIND_BYTES,
	RTRACK_ROW_KIND_TIME_AT
};

struct rtrack_row_column {
	const char *key;
	enum rtrack_row_kind kind;
};

extern const struct rtrack_row_column rtrack_row_columns[RTRACK_ROW_COLUMNS];

/* Whether a column's value is a text. */
bool rtrack_row_is_text(int column);

/* The values of the columns: a column's kind says whether its number or its text counts. */
struct rtrack_row {
	struct {
		double number;    /* NAN: unknown */
		const char *text; /* "": unknown. In the snapshot or in store */
	} of[RTRACK_ROW_COLUMNS];
	char store[RTRACK_ROW_MAX];
	size_t stored;
};

/* Makes every value unknown. */
void rtrack_row_clear(struct rtrack_row *row);

/* Fills *row, which must not be copied. stats: of every metric, by its id, in base units. samples:
 * the number of samples. */
void rtrack_row_fill(struct rtrack_row *row, const struct snapshot *s, const struct stats *stats,
                     size_t samples);

/* The column id alone: which run of a job, and which part of it. */
#define RTRACK_ROW_ID_SIZE 17
void rtrack_row_id(const struct snapshot *s, char id[RTRACK_ROW_ID_SIZE]);

/* Writes the member into an object that is open. Texts are cut until it fits. */
void rtrack_row_write(const struct rtrack_row *row, struct json_write *j);

/* Reads the row from the beginning of a snapshot (n inflated bytes; more than the row may follow,
 * cut anywhere). Pure. Unknown keys are passed over, and a value of another kind is unknown. Texts
 * are made valid UTF-8. 0, or -1 if the text does not begin with a whole row. */
int rtrack_row_read(const char *text, size_t n, struct rtrack_row *row);

/* Keeps a text in the row; "" where it finds no room. */
const char *rtrack_row_store(struct rtrack_row *row, const char *text);

/* Fills an empty snapshot from a row, as from the head of its recording: what the row does not say
 * is unknown. */
void rtrack_row_head(const struct rtrack_row *row, struct snapshot *s);

#endif
