/*
 * import_row: what the readers of foreign files have in common: the row that they fill, and numbers
 * and times as other programs write them. Pure, but for the time zone.
 *
 * Texts come from files that anyone may have written: they are made valid UTF-8, control characters
 * become "?", and they are cut.
 *
 *	import_row_begin(&r, in, line);
 *	import_row_text(&r, RTRACK_ROW_NAME, name, 128);
 *	import_row_label(&r, "nextflow.queue", queue);
 *	failed = import_row_give(&r, key, false, e);
 */
#ifndef FLEET_IMPORT_IMPORT_ROW_H
#define FLEET_IMPORT_IMPORT_ROW_H

#include "fleet/import/import_reader.h"

#define IMPORT_ROW_NAME   ((size_t)128) /* bytes of a name; of a directory; of all labels */
#define IMPORT_ROW_PATH   ((size_t)192)
#define IMPORT_ROW_LABELS ((size_t)256)
#define IMPORT_ROW_KEY    ((size_t)128)

struct import_row {
	struct import *in; /* borrowed */
	size_t line;       /* of the file, for sentences; 0: unknown */
	double submit;     /* Unix seconds; NAN: unknown */
	char labels[IMPORT_ROW_LABELS + 1];
	size_t labelled;       /* bytes of them */
	struct rtrack_row row; /* of a job; must not be copied */
};

/* Everything is unknown, but that it is a job. in: where values that are not understood are
 * counted. */
void import_row_begin(struct import_row *r, struct import *in, size_t line);

/* At most max bytes of a text. "" and what says that it is unknown (import_row_absent) stay
 * unknown. */
void import_row_text(struct import_row *r, enum rtrack_row_id id, const char *text, size_t max);

/* Adds KEY=VALUE to the labels, if it finds room; a ";" of the value becomes ",". Nothing where the
 * value is unknown. */
void import_row_label(struct import_row *r, const char *key, const char *value);

/* Gives the row, with its labels. global: as in struct import_job. */
int import_row_give(struct import_row *r, const char *key, bool global, struct err *e);

/* The name of the program that a command line begins with, without its folder: the words after it
 * may be secrets, which nothing here would recognise. */
void import_row_program(struct import_row *r, const char *command);

/* How a reader understands a value: 0, or -1. Never negative, infinite or NaN. */
typedef int import_row_reader(const char *text, double *out);

/* The value of a cell; NAN where it is unknown, or is not understood, which is counted. */
double import_row_value(struct import_row *r, const char *column, const char *cell,
                        import_row_reader *reader);

/* "", "-", "NA", "N/A", "nan", "null", "None": the program says that it does not know. */
bool import_row_absent(const char *text);

/* Digits with a point or a comma before the decimals, and an exponent; blanks around. */
int import_row_number(const char *text, double *out);

/* The number that *text begins with, as above, and the blanks after it (ASCII's, and those of
 * locales: U+00A0, U+202F); *text is moved behind them. */
int import_row_number_of(const char **text, double *out);

/* Unix seconds of "2026-11-23 10:00:00.123": local time, but for a Z or an offset (+01:00) at its
 * end. A T, too, may stand before the time. */
int import_row_time(const char *text, double *out);

/* The same, or milliseconds since 1970. */
int import_row_time_ms(const char *text, double *out);

#endif
