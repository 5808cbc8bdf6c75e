/*
 * watch_report: --watch: jobs that run, on the terminal, or as outputs that are written again and
 * again.
 */
#ifndef REPORT_WATCH_REPORT_H
#define REPORT_WATCH_REPORT_H

#include "report/options/report_options.h"
#include "report/watch/watch_page.h"

/* On the terminal, until the user ends it or the job that was named has ended. Drops privileges.
 * Appends what is to be printed then. 0, or -1 with a sentence. */
int watch_report_screen(const struct report_options *o, const struct store *s, struct buf *said,
                        struct err *e);

/* The inputs of a page: the current recording and the SOURCEs of its history. */
struct watch_sources {
	struct input current, *input;
	size_t n;
	struct buf recording, *folder; /* their names */
};

/* Chooses it (watch_page.h). Free it either way. */
int watch_report_choose(const struct report_options *o, const struct store *s,
                        struct watch_page *page, struct watch_sources *from, struct err *e);
void watch_report_free(struct watch_sources *from);

/* Calls write in a process of its own, again and again, until the job has ended or a signal ends
 * it. Returns what it returned the last time; 1 with a sentence where it could not be started. */
typedef int watch_report_write(const struct report_options *o, struct watch_page *page,
                               struct err *e);
int watch_report_pages(watch_report_write *write, const struct report_options *o, struct err *e);

#endif
