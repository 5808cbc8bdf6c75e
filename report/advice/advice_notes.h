/*
 * advice_notes: what the formulas of the advice cannot know: that a limit shaped what was measured.
 *
 * These are rtrack's own words, beside formulas that are also those of others; the thresholds are
 * the verdict's (verdict.h).
 */
#ifndef REPORT_ADVICE_ADVICE_NOTES_H
#define REPORT_ADVICE_ADVICE_NOTES_H

#include "report/advice/advice.h"
#include "report/runs/load.h"

#define ADVICE_NOTES_MAX 6

struct advice_note {
	const char *id;    /* "killed", "memory", "between", "swap", "cpu", "unfinished" */
	const char *level; /* "info", "warn": static */
	char text[512];    /* a sentence or two */
};

/* Of v[0], which must have its rows; a is the advice for these runs. Returns how many were written;
 * 0 where no limit was near, and the run came to its end. */
size_t advice_notes_make(const struct runs *r, const struct advice *a,
                         struct advice_note out[ADVICE_NOTES_MAX]);

#endif
