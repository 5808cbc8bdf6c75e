/* array_spread: the elements of a job array, and how they differ. */
#include "report/stats/array_spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "report/stats/history.h"
#include "report/stats/memory_peak.h"

#define RANGES_MAX 300 /* bytes */

static enum array_outcome outcome_of(const struct run *run)
{
	static const enum array_outcome of[] = {
	    [RUN_FINISHED] = ARRAY_FINISHED,  [RUN_FAILED] = ARRAY_FAILED,
	    [RUN_KILLED] = ARRAY_KILLED,      [RUN_UNFINISHED] = ARRAY_UNFINISHED,
	    [RUN_RUNNING] = ARRAY_UNFINISHED, [RUN_UNKNOWN] = ARRAY_UNKNOWN};

	return load_is_oom(run) ? ARRAY_OOM : of[run->status];
}

bool array_spread_counts(const struct array_element *e)
{
	return e->outcome == ARRAY_FINISHED || e->outcome == ARRAY_UNKNOWN;
}

static struct array_element element_of(const struct runs *r, size_t i)
{
	struct array_element e = {
	    .run = i, .index = r->v[i].snapshot.part.array_index, .outcome = outcome_of(&r->v[i])};

	for (int m = 0; m < ARRAY_SPREAD_MEASURES; m++)
		e.value[m] = trend_value((enum trend_id)m, r, i, NAN);
	if (e.outcome == ARRAY_OOM)
		e.value[TREND_MEMORY] =
		    fmax(e.value[TREND_MEMORY], memory_peak_too_little(&r->v[i]));
	return e;
}

static int by_index_newest_first(const void *a, const void *b, void *runs)
{
	const struct array_element *e = a, *f = b;
	const struct runs *r = runs;

	if (e->index != f->index)
		return e->index < f->index ? -1 : 1;
	return load_newer(&r->v[e->run], &r->v[f->run]) ? -1 : e->run != f->run;
}

/* Keeps the newest run of each index. Sorted. */
static void drop_earlier_attempts(struct array_spread *a, const struct runs *r)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct array_element *last = n ? &a->v[n - 1] : NULL;
		const char *job = r->v[a->v[i].run].snapshot.part.job;
		const char *its = last ? r->v[last->run].snapshot.part.job : NULL;
		if (!last || last->index != a->v[i].index)
			a->v[n++] = a->v[i];
		else if (job && its && *job && strcmp(job, its) == 0)
			a->parts++;
		else
			a->earlier++;
	}
	a->n = n;
}

/* Elements of an array are not in the order of time: one that is further from the median than a
 * tenth of it and than three deviations differs. The deviation is STATS_MAD_TO_SD × the median
 * absolute deviation. */
#define BEYOND_SHARE      0.1
#define BEYOND_DEVIATIONS 3

/* The distance from the median up to which a value of n is usual. Sorts v. */
static double usual_distance(double *v, size_t n, double *median)
{
	*median = stats_median(v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - *median);
	return fmax(BEYOND_SHARE * *median,
	            BEYOND_DEVIATIONS * STATS_MAD_TO_SD * stats_median(v, n));
}

static int measure_spread(struct array_spread *a, int m, double *scratch)
{
	double median, margin;
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		if (array_spread_counts(&a->v[i]) && isfinite(a->v[i].value[m]))
			scratch[n++] = a->v[i].value[m];
	if (stats_of(scratch, NULL, n, &a->of[m], NULL)) {
		alloc_failed_note(NULL);
		return -1;
	}
	if (n < ARRAY_SPREAD_OUTLIERS)
		return 0;
	margin = usual_distance(scratch, n, &median);
	for (size_t i = 0; i < a->n; i++) {
		struct array_element *e = &a->v[i];
		double distance = fabs(e->value[m] - median), far = distance / margin;
		e->beyond[m] = array_spread_counts(e) && distance > margin;
		if (e->beyond[m])
			e->distance = fmax(e->distance, far);
	}
	return 0;
}

int array_spread_make(struct array_spread *a, const struct runs *r)
{
	double *scratch = alloc_failed_note(calloc(r->n, sizeof *scratch));
	int failed = -1;

	*a = (struct array_spread){.v = alloc_failed_note(calloc(r->n, sizeof *a->v))};
	if (!scratch || !a->v)
		goto out;
	for (size_t i = 0; i < r->n; i++)
		if (history_in_array(r, i))
			a->v[a->n++] = element_of(r, i);
	qsort_r(a->v, a->n, sizeof *a->v, by_index_newest_first, (void *)r);
	drop_earlier_attempts(a, r);
	for (size_t i = 0; i < a->n; i++)
		a->count[a->v[i].outcome]++;
	failed = 0;
	for (int m = 0; m < ARRAY_SPREAD_MEASURES && !failed; m++)
		failed = measure_spread(a, m, scratch);
out:
	free(scratch);
	if (failed || a->n < 2)
		array_spread_free(a);
	return failed;
}

void array_spread_ranges(const struct array_spread *a, enum array_outcome outcome, struct buf *out)
{
	size_t begin = out->len;

	for (size_t i = 0; i < a->n; i++) {
		double from = a->v[i].index, to = from;
		if (outcome != ARRAY_OUTCOMES && a->v[i].outcome != outcome)
			continue;
		while (i + 1 < a->n && a->v[i + 1].index == to + 1 &&
		       (outcome == ARRAY_OUTCOMES || a->v[i + 1].outcome == outcome))
			to = a->v[++i].index;
		if (out->len - begin > RANGES_MAX) {
			buf_str(out, ",…");
			return;
		}
		buf_printf(out, "%s%.0f", out->len > begin ? "," : "", from);
		if (to > from)
			buf_printf(out, "%s%.0f", to > from + 1 ? "-" : ",", to);
	}
}

void array_spread_free(struct array_spread *a)
{
	free(a->v);
	*a = (struct array_spread){0};
}
