/*
 * scan_work: a scan, how far it is, and reading the files of its batches, by workers or by this
 * process.
 *
 * A worker that ends, or does not come back from a file, costs that file; the others it was asked
 * for are asked again.
 */
#ifndef FLEET_SCAN_SCAN_WORK_H
#define FLEET_SCAN_SCAN_WORK_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "fleet/catalog/catalog.h"
#include "fleet/scan/id_table.h"
#include "fleet/scan/scan_jobs.h"
#include "fleet/scan/scan_list.h"
#include "fleet/scan/scan_names.h"
#include "fleet/scan/scan_worker.h"

#define SCAN_WORKERS_MAX 16
#define SCAN_BATCH       ((size_t)512) /* runs of one transaction */

struct scan_pages_run {
	uint64_t id; /* hash of ID and user */
	char *page;  /* the source of a page that is in the catalog, or NULL */
	bool recording;
};

/* The recordings and pages that a scan has met (scan_sources.c). {0} is valid: none yet. */
struct scan_pages {
	bool expected; /* set before: the list has pages */
	bool once;     /* set before: so a recording counts once, however many copies there are */
	bool looked;   /* for pages in the catalog */
	struct id_table runs;
};

/* {0} is valid: no workers, this process reads everything itself. */
struct scan {
	struct scan_worker worker[2 * SCAN_WORKERS_MAX]; /* n, and after them the spare ones */
	size_t n;
	size_t spare; /* for workers that are lost */
};

/* The counts of a scan. */
struct scan_result {
	size_t listed; /* recordings that were found */
	size_t added;  /* read, and put into the catalog: new or changed ones */
	size_t failed; /* sentences of scan_input.failure: files that were left out, and */
	size_t empty;  /* SOURCEs without recordings, */
	size_t over;   /* and users whose folder exceeded a limit of scan_budget.h */
	struct input_others others; /* none of these */
	size_t closed;              /* folders of days that were passed over (scan_days.h) */
	size_t copies; /* recordings with the id of an earlier one of the list, left out */
	/* Counts of files that other programs wrote: jobs, values that were not understood, and
	 * lines that were left out. */
	size_t imported, unknown, lines_left_out;
};

/* Called with a sentence for each file that is left out, in the order of the list; for a SOURCE
 * without recordings; and at the end for each user whose folder exceeded a limit. */
typedef void scan_failure(void *ctx, const struct err *why);

/* Called now and then: done of how many recordings. */
typedef void scan_progress(void *ctx, size_t done, size_t of);

struct scan_input {
	const struct input *input; /* files, folders, which stand for all recordings below them, and
	                              addresses */
	size_t n;
	scan_failure *failure;
	scan_progress *progress;   /* NULL: none */
	void *ctx;                 /* of both */
	const struct store *store; /* for addresses; or NULL */
	scan_failure *remark;      /* about a file that was read; NULL: none */
	double now;                /* as in catalog_run */
	FILE *accounting;          /* what sacct prints; NULL: nothing */
	bool steps;                /* of accounting: each step is a row */
	bool allocated;            /* of accounting: what was given counts as the ask */
	struct scan_limits limits; /* of the folder of each user */
	bool once; /* of recordings with one id the first counts; a catalog on disk, where the
	              others come one by one, knows them by their names */
};

#define SCAN_BATCHES 2 /* one is read while the other is put into the catalog */

enum scan_state {
	SCAN_WAITING,
	SCAN_ASKED,
	SCAN_FURTHER, /* an object whose first SCAN_HEAD bytes are not enough */
	SCAN_READ,
	SCAN_LEFT_OUT,
	SCAN_GONE
};

struct scan_job {
	struct scan_batch *batch;
	size_t entry;     /* in the list */
	char *path, *why; /* why it is left out */
	/* In a file of several recordings (scan_several.h): */
	char *source;    /* NULL: the path */
	uint64_t at;     /* where this one begins */
	size_t nth;      /* from 1; 0: the file has one */
	size_t of;       /* of the first, which comes last: how many there are */
	const char *tag; /* of an object; "": a file. Borrowed from the list */
	int64_t size, mtime_ns;
	enum input_place place;
	bool pieces;            /* of an object */
	char owner[SCAN_OWNER]; /* of a file in a user's folder: scan_work_own. "": in none */
	bool owner_named;       /* it is a name, not the number */
	uint32_t owner_id;
	dev_t device; /* of such a file */
	ino_t inode;
	enum scan_state state;
	bool again; /* waiting since its worker was lost */
};

/* Files whose recordings are given one by one. {0} is valid: none. */
struct scan_several {
	struct scan_job *v;
	size_t n, cap, next;
	/* The file v[next]: */
	struct recordings *walk; /* owned */
	bool found;              /* its first recording */
	uint64_t first;          /* where that begins */
	size_t nth;
	bool ended, damaged;
	struct err why; /* it is damaged */
};

/* New and changed recordings, in the order of the list, and their rows. */
struct scan_batch {
	struct scan_job job[SCAN_BATCH];
	struct rtrack_row row[SCAN_BATCH];
	size_t n;
	size_t next[2]; /* no file before the first is waiting, and no object before the second */
	size_t left;    /* neither read nor left out */
};

struct scan_work {
	struct scan *s;
	const struct scan_input *in;
	struct catalog *c;
	struct scan_result *out;
	struct scan_list list;
	struct scan_days days;
	struct scan_budget budget;
	struct scan_several several;
	size_t at;   /* in the list */
	size_t more; /* recordings beside the first ones of their files */
	size_t done; /* recordings that are in the catalog as they are, read, or left out */
	bool waits;  /* a worker waits for a file, and so may this process */
	struct {
		size_t entry;
		int64_t size;
	} left; /* the last file of several of which a recording was left out */
	struct scan_batch *batch[SCAN_BATCHES]; /* the older one first */
	struct scan_head *own;                  /* to read in this process; NULL until then */
	struct scan_answer answer;
	struct scan_pages pages;
	struct scan_jobs jobs;
	struct scan_names names; /* once a file in a user's folder was met */
	/* Puts batches that are read into the catalog, and fills them again. */
	int (*turn)(struct scan_work *w, struct err *e);
};

/* The first file, or object, that nothing was done about, or NULL. */
struct scan_job *scan_work_waiting(const struct scan_work *w, bool object);

/* Takes w->answer as that of a job that was asked. */
int scan_work_take(struct scan_work *w, struct scan_job *job, struct err *e);

/* Leaves a recording out, with its sentence. */
int scan_work_leave_out(struct scan_job *job, const char *why, struct err *e);

/* Notes the user of a file in the folder of `owner` (scan_list_owner): what its recording says of
 * its user may be anything. Files elsewhere may have been copied by anyone. Returns why the file is
 * left out (it belongs to somebody else), or NULL. st: of the file, not of what a link leads to. */
const char *scan_work_own(struct scan_work *w, struct scan_job *job, uint32_t owner,
                          const struct stat *st);

/* Asks the workers for as many files as there is room for. -1 without memory. */
int scan_work_ask(struct scan_work *w, struct err *e);

/* Waits until a worker has answers, and takes them. Without workers, reads a file itself. */
int scan_work_read(struct scan_work *w, struct err *e);

/* The user whose folder a file is in; SCAN_USERS_ANYONE: none. */
uint32_t scan_work_user(const struct scan_job *job);

/* Names the users whose folders exceeded their budgets, as failures. */
void scan_work_say_budgets(struct scan_work *w);

/* Closes the folders of days whose recordings are all in the catalog. Ended before that, the next
 * scan looks at the files again. */
int scan_work_close_days(const struct scan_work *w, struct err *e);

/* Calls the progress of the input. */
void scan_work_progress(const struct scan_work *w);

#endif
