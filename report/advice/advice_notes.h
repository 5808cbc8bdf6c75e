/*
 * advice_notes: warnings that the formulas of the advice cannot give: that a limit shaped what was
 * measured, or that the run did not finish.
 *
 * The thresholds are those of bottleneck.h and memory_peak.h, as in the verdict.
 */
#ifndef REPORT_ADVICE_ADVICE_NOTES_H
#define REPORT_ADVICE_ADVICE_NOTES_H

#include "report/advice/advice.h"
#include "report/runs/load.h"

#define ADVICE_NOTES_MAX 8

struct advice_note {
	/* "killed", "memory", "between", "swap", "cpu", "unfinished", "left_out", "own_size" */
	const char *id;
	const char *level; /* "info", "warn": static */
	char text[512];    /* one or two sentences */
};

/* Notes on v[0], which must have its rows; a is the advice for these runs. Returns their number: 0
 * if no limit was near and the run finished. */
size_t advice_notes_make(const struct runs *r, const struct advice *a,
                         struct advice_note out[ADVICE_NOTES_MAX]);

#endif
