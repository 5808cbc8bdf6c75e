/*
 * scan_worker: a process that reads recordings for scan.
 *
 * A question is a group of paths in memory that the worker shares with this process; its answers
 * are put there as well. An empty message on the socket says that a question or its answers are
 * there, so neither side ever waits for room in it. A worker that a hostile file has taken over may
 * write anything at any time: an answer is copied before it is looked at, and is worth no more than
 * its file.
 */
#ifndef FLEET_SCAN_SCAN_WORKER_H
#define FLEET_SCAN_SCAN_WORKER_H

#include <stdbool.h>
#include <stddef.h>

#include "fleet/scan/scan_head.h"
#include "report/sandbox/worker.h"

#define SCAN_WORKER_GROUP 32    /* files of one question */
#define SCAN_WORKER_SLOTS 2     /* questions of a worker: one is always there when it is done */
#define SCAN_WORKER_PATHS 16384 /* bytes of the paths of one question: at least four fit */

/* Either a row, or a sentence: without the path that it begins with. May hold anything. */
struct scan_answer {
	int failed;
	double bytes, seconds; /* that reading it took */
	struct scan_head_text row;
	struct err why;
};

struct scan_slot {
	unsigned n, done;               /* files, and answers so far */
	char paths[SCAN_WORKER_PATHS];  /* each with its NUL */
	uint64_t at[SCAN_WORKER_GROUP]; /* where the recording begins in its file */
	struct scan_answer answer[SCAN_WORKER_GROUP];
};

struct scan_job; /* a file, for the caller */

/* {0} is valid: no worker. */
struct scan_worker {
	struct worker process;
	struct scan_slot *slot; /* shared: SCAN_WORKER_SLOTS */
	/* This process's own knowledge of the slots, which it does not read from there. */
	unsigned first, asked; /* so many slots have questions, from the first on */
	unsigned seen;         /* answers to the oldest question */
	double waited_s;       /* for the one after these */
	unsigned n[SCAN_WORKER_SLOTS];
	size_t used[SCAN_WORKER_SLOTS];
	struct scan_job *job[SCAN_WORKER_SLOTS][SCAN_WORKER_GROUP];
};

/* Drops the rights that a worker does not need; runs in it. */
typedef void scan_worker_drop(const void *ctx);

/* Starts the worker v[n]; the new process forgets those before. -1: without it. */
int scan_worker_start(struct scan_worker *v, size_t n, scan_worker_drop *drop, const void *ctx);

void scan_worker_stop(struct scan_worker *w);

/* Stops one without waiting until it has ended. */
void scan_worker_abandon(struct scan_worker *w);

/* Whether a question may be asked. */
bool scan_worker_has_room(const struct scan_worker *w);

/* Adds a file to the next question; false if it has no room. */
bool scan_worker_add(struct scan_worker *w, struct scan_job *job, const char *path, uint64_t at);

/* Asks the question that was made. */
bool scan_worker_ask(struct scan_worker *w);

/* Waits for all answers to the oldest question. False if the worker has ended, as when asking, or
 * does not give them. */
bool scan_worker_wait(struct scan_worker *w);

/* Notes that this process waited so long for answers: for how long now for the same one. */
double scan_worker_waited(struct scan_worker *w, double s);

/* The file and the answer i of the oldest question, and how many there are. Where the worker has
 * ended, only the first *done answers are there. */
unsigned scan_worker_oldest(const struct scan_worker *w, unsigned *done);
struct scan_job *scan_worker_take(const struct scan_worker *w, unsigned i, struct scan_answer *out);

/* Forgets the oldest question. */
void scan_worker_next(struct scan_worker *w);

/* Takes the path that a sentence begins with off it. */
void scan_worker_strip(struct scan_answer *a, const char *path);

/* Seconds of a clock that nobody sets. */
double scan_worker_now(void);

/* Reads one recording. */
void scan_worker_answer(struct scan_head *h, const char *path, uint64_t at,
                        struct scan_answer *out);

/* Makes *row from an answer. 0, or -1 with a sentence that begins with path. Pure. */
int scan_worker_row(const struct scan_answer *a, const char *path, struct rtrack_row *row,
                    struct err *e);

#endif
