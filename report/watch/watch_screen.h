/*
 * watch_screen: a running job as lines for a terminal of any size. Pure.
 */
#ifndef REPORT_WATCH_WATCH_SCREEN_H
#define REPORT_WATCH_WATCH_SCREEN_H

#include <stdbool.h>

#include "core/base/buf.h"
#include "core/numbers/phases.h"
#include "report/runs/load.h"
#include "report/stats/time_left.h"
#include "report/watch/watch_now.h"

enum watch_state { WATCH_WAITS, WATCH_RUNS, WATCH_ENDED };

struct watch_view {
	enum watch_state state;
	const char *source; /* WATCH_WAITS: where jobs are looked for */
	const char *end;    /* WATCH_ENDED: how, a sentence */
	const char *failed; /* why it cannot be read now; "" */
	size_t job, jobs;   /* "1 of 3"; jobs 0: none runs */
	double now;         /* Unix seconds */

	/* Not of WATCH_WAITS: */
	const struct run *run; /* its head only */
	const struct phases *phases;
	const struct watch_now *is;
	struct time_left left;
	enum watch_sort sort;
};

struct watch_size {
	size_t width, height; /* columns, and lines */
	bool colour, utf8;    /* what the terminal can show */
};

/* Appends at most size->height lines of at most size->width columns, each with a line feed behind
 * it but for the last. */
void watch_screen(const struct watch_view *v, const struct watch_size *size, struct buf *out);

#endif
