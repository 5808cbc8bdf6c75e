/*
 * watch_page: which recording the page of --watch is about, each time that it is written.
 *
 * Each time is a process of its own, confined before it reads anything; between them there is only
 * this struct, in memory that they share.
 */
#ifndef REPORT_WATCH_WATCH_PAGE_H
#define REPORT_WATCH_WATCH_PAGE_H

#include <limits.h>

#include "report/watch/watch_jobs.h"

#define WATCH_PAGE_S       5.0  /* between two pages, at least */
#define WATCH_PAGE_STORE_S 30.0 /* from a store */

struct watch_page {
	enum { WATCH_PAGE_NONE, WATCH_PAGE_RUNS, WATCH_PAGE_LAST } state; /* of the last time */
	bool running;   /* the job, at the last time; WATCH_PAGE_LAST as well, after Ctrl-C */
	bool stop;      /* the user ends it: this is the last time */
	double every_s; /* until the next time */
	char journal[PATH_MAX]; /* of the job; "": none has run yet */
};

/* Chooses: the job of the last time while it runs, then its recording once more; first, the newest
 * that runs. Sets ->state: NONE: nothing to write yet; RUNS: of ->journal, which runs; LAST: of
 * *current, and no more after that. Appends to *current the path of the recording. */
int watch_page_choose(struct watch_page *p, const struct store *s, const struct input *source,
                      size_t n, struct buf *current, struct err *e);

#endif
