/*
 * catalog_row: what a catalog computes of a run when it is added (catalog_columns.def). Pure.
 */
#ifndef FLEET_CATALOG_CATALOG_ROW_H
#define FLEET_CATALOG_CATALOG_ROW_H

#include "fleet/catalog/catalog.h"

/* The columns of a catalog: first those of rtrack_row.def (RTRACK_ROW_START), then those of
 * catalog_columns.def. */
enum catalog_column_id {
	CATALOG_COLUMN_BEFORE = RTRACK_ROW_COLUMNS - 1,
#define COLUMN(id, ...) CATALOG_COLUMN_##id,
#include "fleet/catalog/catalog_columns.def"
#undef COLUMN
	CATALOG_COLUMNS
};

enum catalog_kind { CATALOG_NULL, CATALOG_INTEGER, CATALOG_NUMBER, CATALOG_TEXT };

/* How the recordings of a run are joined into the run (catalog_columns.def). */
enum catalog_join {
	CATALOG_JOIN_LARGEST,
	CATALOG_JOIN_SMALLEST,
	CATALOG_JOIN_SUM,
	CATALOG_JOIN_COUNTED,
	CATALOG_JOIN_CLASS,
	CATALOG_JOIN_SAME,
	CATALOG_JOIN_END
};

/* Each column of the table `runs`, in order. */
struct catalog_column {
	const char *name;
	enum catalog_kind kind;
	enum catalog_join join;
};

extern const struct catalog_column catalog_columns[CATALOG_COLUMNS];

/* A value on its way into or out of an engine. Text is borrowed. */
struct catalog_value {
	enum catalog_kind kind;
	int64_t integer;
	double number;
	const char *text;
};

#define CATALOG_MACHINE_MAX 192
#define CATALOG_JOINED_MAX  256 /* bytes of `joined` */

/* Rows that are recordings of a scheduler's job; what accounting says of one has its own source. */
#define CATALOG_RECORDED_JOBS "job_id <> '' AND origin <> 'sacct'"
#define CATALOG_ACCOUNTED     "sacct://" /* and the job_id: the source */
/* The length of the path of the file in a recording's source: the second recording of a file has
 * "PATH/2" as its source, and so on. Pure. */
size_t catalog_source_file(const char *source);

/* The source of a job that another program than Slurm wrote down, with the job's key. */
#define CATALOG_IMPORTED "import://"

/* `covers` of a row that is of a whole job, as that of accounting (fleet/import/import.h). */
#define CATALOG_COVERS_JOB "job"

/* Says why a row cannot be true of a run (run_impossible.h), or NULL. */
const char *catalog_row_impossible(const struct rtrack_row *row, double now);

/* Texts that a row does not have itself. */
struct catalog_row_text {
	char machine[CATALOG_MACHINE_MAX];
	char joined[CATALOG_JOINED_MAX];
};

/* All values of a run in the order of catalog_columns. Texts point into *run, or into text.
 * Values that make no sense (a negative wall time, an amount that is not finite) are NULL. */
void catalog_row_values(const struct catalog_run *run, struct catalog_row_text *text,
                        struct catalog_value v[CATALOG_COLUMNS]);

/* The columns of amounts that are stored as those of one node where a row is of a whole job, on so
 * many nodes; else 1. */
#define CATALOG_ROW_OF_JOB                                                                         \
	RTRACK_ROW_ASKED_CPUS, RTRACK_ROW_ASKED_MEMORY, RTRACK_ROW_ASKED_GPUS,                     \
	    RTRACK_ROW_MEMORY_MEAN, RTRACK_ROW_MEMORY_PEAK
double catalog_row_nodes(const struct rtrack_row *row);

/* Whether a scheduler ended the run, or says that it failed: its accounting may know neither code
 * nor signal. */
bool catalog_row_was_ended(const struct rtrack_row *row);

/* The text of a type of machine, for grouping, and back. Tabs and control characters of names are
 * replaced. */
void catalog_machine_text(const struct catalog_machine *m, char out[CATALOG_MACHINE_MAX]);
int catalog_machine_parse(const char *text, struct catalog_machine *out);

#endif
