/*
 * load: files and folders → runs, each with its statistics.
 */
#ifndef REPORT_RUNS_LOAD_H
#define REPORT_RUNS_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/err.h"
#include "core/opts.h"
#include "core/snapshot.h"
#include "core/stats.h"

#define LOAD_RUNS_MAX 10000

/* Clocks differ by minutes, and by hours where local time is taken for UTC. */
#define LOAD_FUTURE_S 86400.0

enum run_status { RUN_FINISHED, RUN_FAILED, RUN_KILLED, RUN_UNFINISHED, RUN_UNKNOWN };

/* A recording and what it comes to. Times are Unix seconds, NAN where not told. */
struct run {
	char *file;
	struct snapshot
	    snapshot; /* without its rows in a run that is history (head_only, mostly) */
	struct stats stats[METRIC_COUNT];
	enum run_status status;
	double start, stop, duration; /* of the job: stop - start */
	double interval;              /* between samples: as told, else as the time stamps say */
	double sampled_duration; /* timestamp.duration: the duration; of other tools' recordings
	                            last - first time stamp + interval, as they have it */
	size_t samples;
	size_t given;    /* 0 is the run that was read first */
	bool used;       /* counts in the history's statistics */
	const char *why; /* why not: static; "" where used */
	bool future;     /* it starts after runs.now: a wrong clock, or a wrong file */
	dev_t device;    /* of the file, if regular (else 0): a recording counts once, */
	ino_t inode;     /* however often it is given */
};

struct load_file {
	dev_t device;
	ino_t inode; /* 0: a free place */
};

struct load_failure {
	char *file;
	struct err err;
};

/* Valid when zero. v[0] is this run once history_choose was called. Only one run keeps its rows
 * while files are read, so a thousand runs need little memory: the file `current`, or else the
 * newest. */
struct runs {
	const char *current; /* set before loading; borrowed; NULL: the newest by its start */
	const struct opts_list
	    *group_by; /* what makes runs of one job: job_key.h; borrowed, or NULL */
	double now;    /* set before loading; 0: no run is in the future */
	struct snapshot_budget budget; /* of all files, from the first on */
	size_t keeper;                 /* the run that has its rows */
	struct run *v;
	size_t n;
	struct load_failure *failed;
	size_t n_failed;
	struct load_file *known; /* a table by hash of the regular files that were read, or NULL */
	size_t known_max;        /* its places, a power of 2; fewer than half are taken */
};

/* Reads path: a snapshot, a journal, or a folder that stands for the snapshots in it (*.json,
 * *.json.gz, *.partial; regular files, not those below it). What can't be read goes to ->failed; a
 * file that was read already is passed over. Of a file whose head has the statistics, only that
 * head is read. -1 only where there is no memory or more than LOAD_RUNS_MAX. */
int load_path(struct runs *r, const char *path, struct err *e);

/* Reads a run again, whole, that does not have its rows: these are few, so only the caps of a file
 * hold. -1 with a sentence, and the run as it was. */
int load_whole(struct run *run, struct err *e);

/* Lets the rows go: what they come to stays. */
void load_drop_rows(struct run *run);

/* Whether a started later than b; a run in the future is older than all that are not, and a run
 * without a start is the oldest of its kind. Ties go by file name, so that the answer does not
 * depend on the order of the arguments. */
bool load_newer(const struct run *a, const struct run *b);

/* The part of a path after its last slash. */
const char *load_file_name(const char *path);

const char *load_status_word(enum run_status status);

/* Whether the kernel ended the job because memory ran out. */
bool load_is_oom(const struct run *run);

/* Takes the user's word ("failed" or "finished"; NULL: none) where the recording is silent. */
void load_tell_status(struct run *run, const char *word);

void load_free(struct runs *r);

#endif
