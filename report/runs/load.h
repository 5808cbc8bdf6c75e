/*
 * load: files and folders → runs, each with its statistics.
 */
#ifndef REPORT_RUNS_LOAD_H
#define REPORT_RUNS_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/base/err.h"
#include "core/base/opts.h"
#include "core/files/snapshot_read.h"
#include "core/numbers/stats.h"
#include "report/input/input.h"
#include "report/runs/load_known.h"
#include "report/runs/run_impossible.h"

#define LOAD_RUNS_MAX 10000

#define LOAD_FUTURE_S RUN_IMPOSSIBLE_CLOCK_S

enum run_status {
	RUN_FINISHED,
	RUN_FAILED,
	RUN_KILLED,
	RUN_UNFINISHED, /* its recording broke off */
	RUN_UNKNOWN,
	RUN_RUNNING, /* its recording is still being written */
};
#define RUN_STATUSES (RUN_RUNNING + 1)

struct load_few;
struct parts;
struct read_ahead;
struct load_page;
struct load_short;

/* A recording, or the joined recordings of one job, and its statistics. Times are Unix seconds;
 * NAN: unknown. */
struct run {
	char *file;
	enum input_place place; /* of file */
	enum input_kind kind;
	uint64_t at; /* of a file of several recordings: where this one begins */
	char *mate;  /* the file of the machine's rows (settle.h); NULL: they are in file */
	struct snapshot
	    snapshot;         /* without its rows in a run that is history (head_only, mostly) */
	struct stats *stats;  /* of all METRIC_COUNT columns; of METRIC_PROCESS_MEMORY, .max is
	                        .memory.peak_b. In the arena of ->snapshot. NULL: the run is
	                        history; load_stats() has those that are left */
	struct load_few *few; /* and this is what is left, in the arena; or NULL */
	struct snapshot_memory memory; /* what is known of the job's peak memory */
	double memory_sampled_b;       /* the largest sample of the job's memory */
	double cores_sampled;          /* and of its CPU usage */
	enum run_status status;
	struct parts *parts;          /* parts.h; NULL: the run is one recording */
	double start, stop, duration; /* of the job: stop - start */
	double interval;              /* between samples: as recorded, else from the time stamps */
	double sampled_duration; /* timestamp.duration: the duration; in recordings of other tools,
	                            as there, last - first time stamp + interval */
	size_t samples;
	size_t given;                 /* order of reading: 0 is the first */
	double order;                 /* its place among the runs of its job (history_choose) */
	bool used;                    /* counts in the averages of the history */
	bool shows_need;              /* its memory counts in what is proposed (history.h) */
	const char *why;              /* why it is not used: static or in struct runs; "" if used */
	const char *impossible;       /* what it says and cannot be true; its times and asks are
	                                 unknown then. NULL: nothing */
	bool future;                  /* it starts after runs.now: wrong clock or wrong file */
	struct load_file_id id;       /* a recording counts once, however often it is given */
	const struct store *store;    /* borrowed; NULL: none */
	bool absent;                  /* there is nothing at the address */
	const struct load_page *page; /* load_page.h; NULL: it was read from a recording */
};

struct load_failure {
	char *file;
	struct err err;
};

/* Valid when zero. After history_choose v[0] is this run. While files are read only one run keeps
 * its rows and all of its statistics, the file `current` or else the newest, so that thousands of
 * runs need little memory. */
struct runs {
	const char *current; /* set before loading; borrowed; NULL: the newest by its start */
	const struct opts_list
	    *group_by;  /* keys that make runs of one job (job_key.h); borrowed, or NULL */
	double now;     /* set before loading; 0: no run counts as in the future */
	bool all_stats; /* set before loading: gates may ask history for any statistic */
	struct snapshot_budget budget; /* shared by all files */
	struct read_ahead *ahead;      /* set before loading; borrowed; NULL: none */
	const struct store *store;     /* the same: for addresses */
	size_t keeper;                 /* the run that keeps its rows */
	char not_last[64];             /* why older runs are not used: filled by history_choose */
	size_t use;                    /* so many runs are: as is this */
	bool alone;                    /* as is this: only the runs of its array are used */
	struct run *v;
	size_t n;
	struct load_failure *failed;
	size_t n_failed;
	struct load_short *shorts; /* files with short steps (recordings.h) */
	size_t n_shorts;
	struct input_others others; /* what belongs to other people is not in ->failed */
	struct load_known known;    /* the recordings that were read */
	size_t copies;              /* of other recordings, which were dropped (settle.h) */
	struct err copy;            /* the first: "b.json is a copy of a.json" */
};

/* Reads an input: a snapshot, a journal, CSV, standard input (standard_input.h), a page
 * (load_page.h), or a folder, which stands for the snapshots and pages directly in it (regular
 * files *.json, *.json.gz, *.partial, *.html), or an address (load_store.h). A file that cannot be
 * read is left out (load_leave_out); a recording that was read before is skipped. A file of several
 * recordings (recordings.h) stands for all of them. If a file's head has
 * the statistics, only the head is read.
 * -1 only without memory, or for more than LOAD_RUNS_MAX runs. */
int load_input(struct runs *r, struct input in, struct err *e);

/* Reads a run of one recording again, with more than its head, if it does not have its rows. Few
 * runs are: each file has its own caps, without the shared budget. On -1 the run is unchanged. */
int load_again(struct run *run, enum snapshot_want want, struct err *e);

/* Reads the recording of a run, or as much as is wanted of it, without making the statistics:
 * run->snapshot must be empty, and run->store be set for an address. */
int load_snapshot(struct run *run, struct input in, enum snapshot_want want, struct err *e);

/* Makes the statistics, times and status of a run from its snapshot. 0, or -1. */
int load_measure(struct run *run, struct err *e);

/* The statistics of a column, of any run. A run that is history keeps what history is made of: the
 * columns of usage and of the default set, and the sums of the states, which load_all_stats() has.
 * Other columns are unknown, with n 0. */
const struct stats *load_stats(const struct run *run, enum metric_id id);

/* The same of all METRIC_COUNT columns: the run's, or own with what it kept. */
const struct stats *load_all_stats(const struct run *run, struct stats own[METRIC_COUNT]);

/* The run's snapshot.time_at, which a run that is history keeps packed: then *own, unpacked. */
const struct time_at *load_time_at(const struct run *run, struct time_at *own);

/* The statistics that the head of its recording has, if there are any, else those of the run: the
 * history has these of every run. */
void load_stats_of_head(const struct run *run, struct stats out[METRIC_COUNT]);

/* A sentence about the short steps of the file of a run; empty if it has none. */
struct err load_short_text(const struct runs *r, const struct run *run);

/* Adds a file to ->failed, or counts it in ->others. -1 only without memory. */
int load_leave_out(struct runs *r, const char *file, const struct err *why, struct err *e);

bool load_has_rows(const struct run *run);

/* Frees the rows; the statistics stay. */
void load_drop_rows(struct run *run);

/* Whether a started later than b. A run in the future is older than all others, and a run without a
 * start the oldest of its group. File names break ties, so that the order of the arguments does not
 * matter. */
bool load_newer(const struct run *a, const struct run *b);

const char *load_status_word(enum run_status status);

/* Whether the kernel ended the job because memory ran out. */
bool load_is_oom(const struct run *run);

/* Sets the status that the user gave ("failed" or "finished"; NULL: none) if the recording has
 * none. */
void load_tell_status(struct run *run, const char *word);

void load_free(struct runs *r);

#endif
