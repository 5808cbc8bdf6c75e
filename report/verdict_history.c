/* verdict_history: the sentence on how the run compares with earlier ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "history.h"
#include "tree.h"
#include "verdict.h"

#define MAD_TO_SD 1.4826 /* of a normal distribution */

static double duration_of(const struct run *run)
{
	return run->duration;
}

static double cores_of(const struct run *run)
{
	return run->stats[METRIC_PROCESS_CPU_USAGE].mean;
}

/* 0 stands for what was not measured. */
static double peak_of(const struct run *run)
{
	double peak = run->stats[METRIC_PROCESS_MEMORY].max;

	return peak > 0 ? peak : (double)NAN;
}

static const struct measure {
	const char *name;
	double (*of)(const struct run *run);
	bool less_is_good; /* and more is worth a warning */
} measures[] = {
    {"duration", duration_of, true},
    {"mean CPU", cores_of, false},
    {"peak memory", peak_of, true},
};

/* A measure of the runs that count and have it. */
struct past {
	double *v, mean;
	size_t n;
};

static void past_of(const struct runs *r, const struct measure *m, struct past *p)
{
	double sum = 0;

	*p = (struct past){.v = calloc(r->n, sizeof *p->v)};
	for (size_t i = 1; p->v && i < r->n; i++) {
		double v = r->v[i].used ? m->of(&r->v[i]) : (double)NAN;
		if (isnan(v))
			continue;
		p->v[p->n++] = v;
		sum += v;
	}
	p->mean = p->n ? sum / (double)p->n : (double)NAN;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_size);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Whether a value is beyond the noise of the past, which loses its values by it. */
static bool stands_out(double now, struct past *p)
{
	double middle, deviation;

	if (p->n < VERDICT_HISTORY_RUNS)
		return false;
	middle = median(p->v, p->n);
	for (size_t i = 0; i < p->n; i++)
		p->v[i] = fabs(p->v[i] - middle);
	deviation = median(p->v, p->n) * MAD_TO_SD;
	return fabs(now - middle) > fmax(VERDICT_CHANGE * middle, VERDICT_DEVIATIONS * deviation);
}

/* " duration +12%", and of how many runs where others have more of them. */
static bool add_change(struct buf *text, const char *name, double now, const struct past *p,
                       size_t used)
{
	double percent = stats_round((now / p->mean - 1) * 100, 0);
	char number[UNITS_SIZE];

	if (!isfinite(percent))
		return false;
	buf_printf(text, "%s %s %s%s", text->len ? "," : "", name, percent >= 0 ? "+" : "\u2212",
	           units_percent(fabs(percent), number));
	if (p->n < used)
		buf_printf(text, " (of %zu)", p->n);
	return true;
}

verdict_level verdict_say_history(const struct model_input *in, struct buf *text)
{
	const struct run *now = &in->runs->v[0];
	bool ended = now->status == RUN_FINISHED || now->status == RUN_UNKNOWN, worse = false;
	size_t used = history_used(in->runs);
	struct buf changes = {0}, outliers = {0};

	for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
		const struct measure *m = &measures[i];
		double v = m->of(now);
		struct past p;
		past_of(in->runs, m, &p);
		if (p.v && add_change(&changes, m->name, v, &p, used) && ended &&
		    stands_out(v, &p)) {
			buf_printf(&outliers, "%s%s", outliers.len ? " and " : "", m->name);
			worse |= m->less_is_good && v > p.mean;
		}
		free(p.v);
	}
	if (changes.len) {
		buf_printf(text, "Against the average of %zu earlier run%s:%s.", used,
		           used == 1 ? "" : "s", buf_cstr(&changes));
		if (outliers.len)
			buf_printf(text, " Beyond their usual spread: %s.", buf_cstr(&outliers));
	}
	buf_free(&changes);
	buf_free(&outliers);
	return !text->len ? NULL : worse ? "warn" : "info";
}
