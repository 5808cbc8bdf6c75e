/*
 * history_changes: a run beside the earlier runs of its job, measure by measure.
 *
 * Each measure has one number that it is compared with (history_range), its change points over the
 * comparable runs, and one word for this run:
 *
 *   changed      a change point that is at most HISTORY_NEWS runs old
 *   unusual      this run alone is outside of all comparable runs since the last change
 *   as usual
 *   cannot tell  too few comparable runs, or this run cannot be compared
 *
 * A run of an old commit is judged by the changes up to its place; what came after it is no news.
 *
 * Where a measure follows the size of the input, changes and words are about the runs as they would
 * have been with one input (same_input.h).
 */
#ifndef REPORT_HISTORY_HISTORY_CHANGES_H
#define REPORT_HISTORY_HISTORY_CHANGES_H

#include "report/history/same_input.h"
#include "report/stats/history.h"
#include "report/stats/trend.h"

#define HISTORY_NEWS   20 /* runs for which a change is news */
#define HISTORY_COMMIT 7  /* characters of a commit that are shown */

enum history_word {
	HISTORY_CANNOT_TELL,
	HISTORY_AS_USUAL,
	HISTORY_UNUSUAL,
	HISTORY_CHANGED,
	HISTORY_WORDS
};

/* A measure over the comparable runs, by history_precedes; the last is this run, if it is
 * comparable and not one of an old commit. The elements of one array are one run: their median; so
 * are the attempts of one job: the last that is comparable. */
struct history_series {
	size_t n;
	size_t now;              /* this run; n: it is not comparable */
	size_t run[CHANGE_RUNS]; /* index in runs; of an array the newest */
	struct change_row row[CHANGE_RUNS];
	struct change_row same[CHANGE_RUNS]; /* with the last run's input */
	bool same_input;                     /* these are searched: the measure follows it */
	struct change_series found;
};

struct history_measure {
	struct history_series series;
	double now;                /* this run's; NAN: not measured */
	size_t n;                  /* runs that median is of */
	double median;             /* NAN: none */
	struct change_usual usual; /* since the last change, of this run's kind of machine */
	enum history_word word;
	const char *why; /* of HISTORY_CANNOT_TELL: static, "" if runs are missing */
	size_t missing;  /* comparable runs */
	const struct change_point *change; /* of HISTORY_CHANGED, into series.found; else NULL */
};

/* Must not be copied: it points into itself. Free with free(3). */
struct history_changes {
	struct history_measure of[TREND_MEASURES]; /* the cost has median and n alone */
};

/* After history_choose. The cost is at price_hour. NULL without memory, which alloc_failed
 * knows. */
struct history_changes *history_changes_new(const struct runs *r, double price_hour);

/* The same of one measure of which value(ctx, i) is the value of run i. */
void history_measure_make(struct history_measure *m, const struct runs *r, bool follows_load,
                          double (*value)(const void *ctx, size_t i), const void *ctx);

/* How many runs have the new level, this one among them. */
size_t history_change_age(const struct history_series *s, const struct change_point *c);

/* "Since a1b2c3d (9 runs): 18% more memory, between 14% and 22%; the machine did not
 * change." */
void history_change_text(const struct runs *r, enum trend_id id, const struct history_series *s,
                         const struct change_point *c, struct buf *out);

/* The newest change of all judged measures between two different commits; without one, the newest
 * change; NULL: there is none. */
const struct change_point *history_newest(const struct runs *r, const struct history_changes *h,
                                          enum trend_id *id);

#endif
