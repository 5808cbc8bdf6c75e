/*
 * catalog: many runs as rows of one table, `runs`, in SQLite or ClickHouse (docs/catalog.md).
 *
 * One interface serves both engines. An engine returns groups, sums, and histograms, never the rows
 * of all runs, so that memory depends on the number of groups alone. Both give the same answer to
 * the same query.
 *
 * Histograms have logarithmic buckets (log_bucket.h), each 1 % wide.
 */
#ifndef FLEET_CATALOG_CATALOG_H
#define FLEET_CATALOG_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/opts.h"
#include "core/head/rtrack_row.h"
#include "core/numbers/time_at.h"
#include "core/recording/states.h"
#include "fleet/import/import.h"

struct catalog;

/* The class of a run. Only CATALOG_COUNTED runs are in groups' histograms, proposed asks and sums
 * of money; the others are counted, with the reason. */
enum catalog_class {
	CATALOG_COUNTED,    /* finished, or killed because memory ran out */
	CATALOG_NO_ASK,     /* neither CPUs nor memory that were asked for are known */
	CATALOG_SHORT,      /* fewer than CATALOG_SAMPLES samples */
	CATALOG_FAILED,     /* it failed or was killed, not for memory */
	CATALOG_UNFINISHED, /* the recording has no end */
	CATALOG_UNMEASURED, /* wall time or peak memory is unknown */
	CATALOG_IMPOSSIBLE, /* its numbers cannot be true (catalog_row.h) */
	CATALOG_CLASSES
};

#define CATALOG_SAMPLES 10

/* Values of `mostly_code` above enum states_group: the recordings of a run differ. */
#define CATALOG_MIXED  STATES_GROUPS
#define CATALOG_MOSTLY (STATES_GROUPS + 1)

/* -- opening ----------------------------------------------------------------------------------- */

/* The user's name and password for ClickHouse are never kept in a struct that others print. */
struct catalog_fetcher;

enum catalog_use { CATALOG_READ, CATALOG_WRITE };

/* place: a file's path; http:// or https:// of a ClickHouse server; NULL: in memory. Writing makes
 * a catalog where there is none. A database of another program, or of a newer version, is refused.
 * fetcher: for ClickHouse (catalog_fetcher.h), else NULL. NULL with a sentence. */
struct catalog *catalog_open(const char *place, enum catalog_use use,
                             const struct catalog_fetcher *fetcher, struct err *e);

/* *from: the version that the catalog had before catalog_open gave it that of this program; 0: the
 * same, or there was none. Where columns are new, recordings of which it has rows are then missing
 * (catalog_missing). *rows: how many keep what an older version knew, because their recordings were
 * not read again; only in SQLite, else 0. */
int catalog_older(struct catalog *c, int *from, size_t *rows, struct err *e);

/* Frees it; NULL is fine. What was put is in the catalog already. */
void catalog_close(struct catalog *c);

/* -- adding and forgetting --------------------------------------------------------------------- */

/* A recording as it lies in a folder or a store. Borrowed. */
struct catalog_source {
	const char *path; /* absolute, or an address */
	int64_t size, mtime_ns;
	const char *tag; /* ETag; "": none, size and mtime are compared */
};

/* Sets missing[i] for each source that the catalog does not have as it is now. */
int catalog_missing(struct catalog *c, const struct catalog_source *v, size_t n, bool *missing,
                    struct err *e);

struct catalog_inside {
	double core_s, byte_s, gpu_s; /* used */
	double peak_b;                /* of memory, at the same time at most */
};

/* Values that a recording and accounting state differently, by more than sampling explains. */
#define CATALOG_DIFFERS_CPU    1
#define CATALOG_DIFFERS_MEMORY 2
#define CATALOG_DIFFERS_END    4

/* `origin_code`: the origin, and what differs times this; below CATALOG_ORIGINS. */
#define CATALOG_DIFFERS 16
#define CATALOG_BOUND   8 /* beside what differs: accounting's peak of memory is a lower bound */
#define CATALOG_ORIGINS (2 * CATALOG_BOUND * CATALOG_DIFFERS)

struct catalog_run {
	struct catalog_source source;
	const struct rtrack_row *row;
	double now; /* when it is put, Unix seconds: runs cannot end later; 0: unknown */
	enum import_origin origin;
	double submit; /* Unix seconds; 0, NAN: unknown */
	/* For a job that has several rows, such as a script and its steps (scan_jobs.h): */
	const char *joined;          /* the key of the run that they are; NULL: by the row */
	bool inside;                 /* of a row that lasts longer, which counts for both */
	struct catalog_inside inner; /* what the rows inside of this one used */
	bool beside_longer;          /* others of them have enough samples: it need not */
	/* The amounts of accounting, for a job that is recorded, too. */
	double accounted_cpu_s, accounted_memory_b; /* 0, NAN: unknown */
	int differs;                                /* CATALOG_DIFFERS_… */
};

/* Puts runs into the catalog, all or none. A run whose source is there already replaces it, and the
 * unfinished run of its journal (SOURCE.partial), which started at the same time. */
int catalog_put(struct catalog *c, const struct catalog_run *v, size_t n, struct err *e);

/* Begins, or ends, one transaction for many calls of catalog_put, where the engine has such: then
 * they are there all or none, once it has ended well. A call that fails ends it. Other writers
 * wait. */
int catalog_bulk(struct catalog *c, bool begin, struct err *e);

/* Calls each for runs that the catalog has: those whose source is a page's name; and those with the
 * name and the start of one of n rows, or of the job of one. */
#define CATALOG_ASKED ((size_t)64) /* rows of one call */
typedef int catalog_each_run(void *ctx, const char *id, const char *user, const char *source,
                             struct err *e);
int catalog_each_page(struct catalog *c, catalog_each_run *each, void *ctx, struct err *e);
int catalog_each_start(struct catalog *c, const struct rtrack_row *const *row, size_t n,
                       catalog_each_run *each, void *ctx, struct err *e);

/* Removes the run of this source, and those of all sources below it, if it is a folder; only those
 * that started `before` (Unix seconds; 0: all). Adds the number of removed runs to *n. */
int catalog_forget(struct catalog *c, const char *source, double before, size_t *n, struct err *e);

/* A folder that need not be read again (fleet/scan/scan_days.h), until it changes. Forgetting all
 * of a recording in it, of it, or of a folder above it opens it. Borrowed. */
struct catalog_folder {
	const char *path;
	int64_t changed_ns;
};

typedef int catalog_each_folder(void *ctx, const struct catalog_folder *f, struct err *e);
int catalog_each_closed(struct catalog *c, catalog_each_folder *each, void *ctx, struct err *e);
int catalog_close_folders(struct catalog *c, const struct catalog_folder *v, size_t n,
                          struct err *e);

/* -- querying ---------------------------------------------------------------------------------- */

#define CATALOG_KEYS 8 /* of --group-by */

/* Zero: all runs, grouped by name. */
struct catalog_query {
	const struct opts_list *group_by; /* catalog_where.h; NULL or empty: name */
	const struct opts_list *where;    /* conditions, all of which hold; or NULL */
	double since, until;              /* of the start, Unix seconds; 0: no bound */
	/* Only these n_only groups, each a value for each key; NULL: all. */
	const char *const *only;
	size_t n_only;
};

/* -1 with a sentence if --group-by or --where cannot be understood. Pure. */
int catalog_query_check(const struct catalog_query *q, struct err *e);

/* A map from keys, ascending, to `width` sums each: n entries of 1 + width numbers. */
struct catalog_map {
	const double *v;
	size_t n, width;
};

/* The value `column` (0 …) of entry i, and its key. */
#define catalog_map_key(m, i)        ((m)->v[(i) * (1 + (m)->width)])
#define catalog_map_at(m, i, column) ((m)->v[(i) * (1 + (m)->width) + 1 + (column)])

/* A type of machine. "" and NAN: unknown. */
struct catalog_machine {
	char vendor[32], instance[64], region[48];
	double vcpus, memory_b, gpus;
};

#define CATALOG_TIMES TIME_AT_POWERS

/* Columns of catalog_cell.classes. */
enum catalog_sum {
	CATALOG_SUM_RUNS,
	CATALOG_SUM_OOM,    /* runs that were killed because memory ran out */
	CATALOG_SUM_WALL_S, /* of all recordings of a run, as all below */
	CATALOG_SUM_PAID_S, /* machine-seconds: wall x the largest asked share of the machine */
	CATALOG_SUM_ASKED_CORE_S,
	CATALOG_SUM_USED_CORE_S,
	CATALOG_SUM_UNUSED_CORE_S,
	CATALOG_SUM_ASKED_BYTE_S,
	CATALOG_SUM_USED_BYTE_S,
	CATALOG_SUM_UNUSED_BYTE_S,
	CATALOG_SUM_ASKED_GPU_S,
	CATALOG_SUM_USED_GPU_S,
	CATALOG_SUM_UNUSED_GPU_S,
	CATALOG_SUM_CORES_KNOWN_S, /* WALL_S of those whose ASKED_CORE_S is known, and so on */
	CATALOG_SUM_BYTES_KNOWN_S,
	CATALOG_SUM_GPUS_KNOWN_S,
	CATALOG_SUM_TIME_KNOWN_S, /* WALL_S of those whose time with other CPUs is known */
	CATALOG_SUM_TIME_ASKED_S, /* of these, the time with as many free CPUs as were asked for */
	CATALOG_SUM_TIME_S,       /* and with 1, 2, 4 … free CPUs: CATALOG_TIMES of them */
	CATALOG_SUM_TIME_LAST_S = CATALOG_SUM_TIME_S + CATALOG_TIMES - 1,
	CATALOG_SUMS
};

/* The runs of one group on one type of machine; those of one recording and those of several are two
 * cells. A run of several nodes or tasks is one run: its sums are over its parts, its needs and
 * asks are those of the part with the largest. Everything is borrowed for the call. */
struct catalog_cell {
	const char *group[CATALOG_KEYS]; /* a value for each key of --group-by; "": unknown */
	const struct catalog_machine *machine;
	struct catalog_map classes; /* by enum catalog_class: enum catalog_sum */
	/* Runs that count, by bucket: */
	/* Need: runs, wall seconds of all recordings, runs killed because memory ran out. */
	struct catalog_map memory;
	/* By 4 × bucket + 0 … 3, the quarter of the group's runs by their start: the same, and
	 * asked byte-seconds. Runs that started at the same time are in the same quarter; those
	 * without a start are in none. */
	struct catalog_map quarters;
	struct catalog_map wall; /* runs, recordings */
	/* Mean; of a run that was short of CPU (cpu_demand.h), what it would have used: runs. */
	struct catalog_map cores;
	struct catalog_map gpus; /* peak: runs */
	struct catalog_map days; /* by day of the start: runs, sum of memory needs in bytes */
	/* All runs that can be true, by enum states_group or CATALOG_MIXED, and by enum end_cause;
	 * runs with unknown ones are in neither. */
	struct catalog_map mostly, ends;
	/* By `origin_code`: runs. */
	struct catalog_map origins;
	/* The largest of all runs; NAN: of none is it known. */
	double asked_cpus, asked_memory_b, asked_gpus, asked_time_s;
	double memory_need_b, wall_s; /* of runs that count */
	double killed_need_b;         /* of those that were killed because memory ran out */
	double killed_last;           /* their last start, and that of those that finished */
	double finished_last;
	double first, last; /* starts */
	const char *newest; /* source of the run that started last */
};

/* Called for each cell; the cells of one group follow each other, groups are in any order. A value
 * other than 0 ends the query, which returns -1 then. */
typedef int catalog_each_cell(void *ctx, const struct catalog_cell *cell, struct err *e);

/* One day, UTC, of all runs. Seconds are exact shares: a run of three days adds to each. */
struct catalog_day {
	int64_t day;  /* since 1970 */
	double run_s; /* wall time of runs within the day; / 86400: runs at once, on average */
	double asked_core_s, used_core_s, asked_byte_s, used_byte_s, asked_gpu_s, used_gpu_s;
	double started, failed, oom; /* runs by the day of their start; failed: not for memory */
};

/* Called for each day with runs, ascending, of all runs of the query that are not CATALOG_NO_ASK,
 * CATALOG_UNMEASURED or CATALOG_IMPOSSIBLE. A run longer than CATALOG_DAYS days adds to its first
 * days only. */
#define CATALOG_DAYS 400
typedef int catalog_each_day(void *ctx, const struct catalog_day *day, struct err *e);

/* The cells of a query, then its days. A callback that is NULL is left out. */
int catalog_overview(struct catalog *c, const struct catalog_query *q, catalog_each_cell *each_cell,
                     catalog_each_day *each_day, void *ctx, struct err *e);

/* Memory over wall time of a group's runs that count, in coarse buckets (log_bucket.h). */
struct catalog_spot {
	double memory_b, wall_s; /* the middle of the bucket */
	double runs, oom;
};

/* Memory over input of a group's runs that count and whose input is known, in buckets of 1 %. */
struct catalog_input {
	double input_b, memory_b; /* the middle of the bucket */
	double runs, oom;
};

/* A run to look at. */
struct catalog_worst {
	char *source, *host, *user; /* owned */
	double start, wall_s, used_core_s, asked_cpus, memory_need_b, asked_memory_b;
	double oom;             /* 1: killed because memory ran out */
	double code;            /* of its end */
	double class, end_code; /* enum catalog_class; why it ended: enum end_cause */
};

/* The part of a group that is shown when it is opened: its spots; its worst runs, those with most
 * unused machine-seconds, largest first; and its newest. {0} is valid: nothing. */
#define CATALOG_WORST   5
#define CATALOG_NEWEST  20
#define CATALOG_HISTORY 60 /* sources of its newest runs, newest first */
struct catalog_detail {
	struct catalog_spot *spot;
	size_t n_spots;
	struct catalog_input *input;
	size_t n_inputs;
	struct catalog_worst worst[CATALOG_WORST], newest[CATALOG_NEWEST];
	size_t n_worst, n_newest;
	char *history[CATALOG_HISTORY]; /* owned */
	size_t n_history;
};

/* Fills out[i], which was zero, for group i of q->only; a group that is gone by now has neither. -1
 * with a sentence; out can be freed either way. */
int catalog_details(struct catalog *c, const struct catalog_query *q, struct catalog_detail *out,
                    struct err *e);

void catalog_detail_free(struct catalog_detail *d);

#endif
