/* history_changes: a run beside the earlier runs of its job. */
#include "report/history/history_changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/numbers/stats.h"
#include "report/runs/parts.h"
#include "report/stats/contention_run.h"
#include "report/units/units.h"

/* -- the runs that are comparable -------------------------------------------------------------- */

struct measure_of {
	const struct runs *r;
	bool follows_load;
	double (*value)(const void *ctx, size_t i);
	const void *ctx;
	bool is_cpu_time;
};

/* NAN: the run is not comparable. */
static double comparable_value(const struct measure_of *m, size_t i)
{
	double v;

	if (!history_is_trend(m->r, i) || (i == 0 && !trend_ended(&m->r->v[0])) ||
	    (m->follows_load && contention_run_is(&m->r->v[i])))
		return NAN;
	v = m->value(m->ctx, i);
	return v > 0 && isfinite(v) ? v : (double)NAN;
}

/* A number for the kind of machine of run i: the index of the first run in the series with it. */
static size_t stratum_of(const struct runs *r, const struct history_series *s, size_t i)
{
	for (size_t k = s->n; k < CHANGE_RUNS; k++)
		if (history_same_stratum(&r->v[s->run[k]], &r->v[i]))
			return s->row[k].stratum;
	return i;
}

static double run_input(const struct measure_of *m, size_t i)
{
	const struct snapshot_inputs *in = &m->r->v[i].snapshot.inputs;

	return in->known ? in->bytes : (double)NAN;
}

/* The share of its time that other programs kept the run waiting. */
static double run_waited(const struct measure_of *m, size_t i)
{
	const struct run *run = &m->r->v[i];
	struct snapshot_contention c = contention_run(run);

	if (!m->is_cpu_time)
		return 0;
	return c.known && run->duration > 0 ? fmin(c.waited_s / run->duration, 1) : (double)NAN;
}

/* The median of the elements of run i's array that are comparable: of the measure, or of what `of`
 * has of them. */
static double array_median(const struct measure_of *m, size_t i,
                           double (*of)(const struct measure_of *m, size_t i))
{
	double *v = alloc_failed_note(calloc(m->r->n, sizeof *v)), median = NAN;
	size_t n = 0;

	for (size_t k = 0; v && k < m->r->n; k++) {
		bool one = k == i || history_one_array(&m->r->v[i], &m->r->v[k]);
		if (one && !isnan(comparable_value(m, k)) && !isnan(of(m, k)))
			v[n++] = of(m, k);
	}
	if (n)
		median = stats_median(v, n);
	free(v);
	return median;
}

/* Whether an element of the same array, or a later attempt of the same job, is in the series. */
static bool is_in_series(const struct runs *r, const struct history_series *s, size_t i)
{
	for (size_t k = s->n; k < CHANGE_RUNS; k++)
		if (history_one_array(&r->v[s->run[k]], &r->v[i]) ||
		    history_one_job(&r->v[s->run[k]], &r->v[i]))
			return true;
	return false;
}

/* Brings the series, which is in order of start, into that of history_precedes. */
static void order_rows(struct history_series *s, const struct runs *r)
{
	for (size_t i = 1; i < s->n; i++)
		for (size_t k = i;
		     k > 0 && history_precedes(&r->v[s->run[k]], &r->v[s->run[k - 1]]); k--) {
			struct change_row row = s->row[k];
			size_t run = s->run[k];
			s->row[k] = s->row[k - 1];
			s->run[k] = s->run[k - 1];
			s->row[k - 1] = row;
			s->run[k - 1] = run;
		}
	for (s->now = 0; s->now < s->n && s->run[s->now];)
		s->now++;
}

/* v[0] is this run, then newest first: the series is filled from its end, and moved to the front.
 * s->n is the first that is filled until then. */
static void fill_comparable(struct history_series *s, const struct measure_of *m)
{
	size_t from;

	s->n = CHANGE_RUNS;
	for (size_t i = 0; i < m->r->n && s->n > 0; i++) {
		double v = comparable_value(m, i);
		const char *job = m->r->v[i].snapshot.part.array_job;
		bool array = job && *job;
		size_t stratum;
		if (isnan(v) || is_in_series(m->r, s, i))
			continue;
		stratum = stratum_of(m->r, s, i);
		s->n--;
		s->run[s->n] = i;
		s->row[s->n] = (struct change_row){
		    .value = array ? array_median(m, i, comparable_value) : v,
		    .stratum = stratum,
		    .input = array ? array_median(m, i, run_input) : run_input(m, i),
		    .waited = array ? array_median(m, i, run_waited) : run_waited(m, i)};
	}
	from = s->n;
	s->n = CHANGE_RUNS - from;
	memmove(s->run, s->run + from, s->n * sizeof *s->run);
	memmove(s->row, s->row + from, s->n * sizeof *s->row);
	order_rows(s, m->r);
	s->found = (struct change_series){.rows = s->row, .n = s->n};
}

/* -- the word ---------------------------------------------------------------------------------- */

size_t history_change_age(const struct history_series *s, const struct change_point *c)
{
	return s->n - c->at;
}

/* How many change points are not after this run: all, if it is not in the series. */
static size_t points_until_now(const struct history_series *s)
{
	size_t k = s->found.points;

	while (k > 0 && s->found.point[k - 1].at > s->now)
		k--;
	return k;
}

/* The other runs on this run's machine and on its level. */
static struct change_usual usual_of(const struct history_series *s)
{
	double v[CHANGE_RUNS];
	size_t n = 0, k = points_until_now(s);
	size_t from = k ? s->found.point[k - 1].at : 0;
	size_t to = k < s->found.points ? s->found.point[k].at : s->n;

	for (size_t i = from; s->now < s->n && i < to; i++)
		if (i != s->now && s->row[i].stratum == s->row[s->now].stratum)
			v[n++] = s->found.rows[i].value;
	return change_points_usual(v, n);
}

/* The newest up to this run that is news and is one of the job. */
static const struct change_point *news_of(const struct history_series *s)
{
	size_t end = s->now < s->n ? s->now + 1 : s->n;

	for (size_t i = points_until_now(s); i-- > 0;)
		if (change_point_is_of_job(&s->found.point[i]))
			return end - s->found.point[i].at <= HISTORY_NEWS ? &s->found.point[i]
			                                                  : NULL;
	return NULL;
}

static const char *why_not_comparable(const struct runs *r, bool follows_load)
{
	if (parts_missing(r->v[0].parts))
		return "not all of it was recorded";
	if (!trend_ended(&r->v[0]))
		return "this run did not succeed";
	if (follows_load && contention_run_is(&r->v[0]))
		return "other programs kept this run waiting";
	return "";
}

static void choose_word(struct history_measure *m, const struct runs *r, bool follows_load)
{
	const struct history_series *s = &m->series;
	double now = m->now;

	if (s->now < s->n) /* with the last run's input */
		now *= s->found.rows[s->now].value / s->row[s->now].value;
	m->why = why_not_comparable(r, follows_load);
	m->usual = usual_of(s);
	m->change = news_of(s);
	m->missing = s->n < 2 * CHANGE_LEAST ? 2 * CHANGE_LEAST - s->n : 0;
	if (m->change)
		m->word = HISTORY_CHANGED;
	else if (*m->why || !isfinite(m->now) || m->missing)
		m->word = HISTORY_CANNOT_TELL;
	else if (m->usual.one_in > 0 && (now < m->usual.low || now > m->usual.high))
		m->word = HISTORY_UNUSUAL;
	else
		m->word = HISTORY_AS_USUAL;
}

/* -- measures ---------------------------------------------------------------------------------- */

static void begin_measure(struct history_measure *m, const struct measure_of *of)
{
	struct history_range past = history_range(of->r, of->follows_load, of->value, of->ctx);

	*m = (struct history_measure){
	    .now = of->value(of->ctx, 0), .n = past.n, .median = past.median, .why = ""};
	fill_comparable(&m->series, of);
}

/* Finds the changes of n measures that are shown together. */
static void find_changes(struct history_measure *m, size_t n)
{
	struct same_input all[CHANGE_TOGETHER];

	for (size_t i = 0; i < n; i++)
		all[i] = (struct same_input){.s = &m[i].series.found, .row = m[i].series.same};
	same_input_find(all, n);
	for (size_t i = 0; i < n; i++)
		m[i].series.same_input = all[i].kept;
}

void history_measure_make(struct history_measure *m, const struct runs *r, bool follows_load,
                          double (*value)(const void *ctx, size_t i), const void *ctx)
{
	const struct measure_of of = {r, follows_load, value, ctx, false};

	begin_measure(m, &of);
	find_changes(m, 1);
	choose_word(m, r, follows_load);
}

struct trend_ctx {
	const struct runs *r;
	enum trend_id id;
	double price_hour;
};

static double trend_value_of(const void *ctx, size_t i)
{
	const struct trend_ctx *of = ctx;

	return trend_value(of->id, of->r, i, of->price_hour);
}

struct history_changes *history_changes_new(const struct runs *r, double price_hour)
{
	struct history_changes *h = alloc_failed_note(calloc(1, sizeof *h));

	for (int i = 0; h && i < TREND_MEASURES; i++) {
		const struct trend_ctx ctx = {r, (enum trend_id)i, price_hour};
		begin_measure(&h->of[i],
		              &(struct measure_of){r, trend_measures[i].follows_load,
		                                   trend_value_of, &ctx, i == TREND_CPU_TIME});
	}
	if (!h)
		return NULL;
	find_changes(h->of, TREND_JUDGED);
	for (int i = 0; i < TREND_JUDGED; i++)
		choose_word(&h->of[i], r, trend_measures[i].follows_load);
	return h;
}

/* -- the change in words ----------------------------------------------------------------------- */

/* Whether the runs on both sides of the change were recorded on different commits. */
static bool is_between_commits(const struct runs *r, const struct history_series *s,
                               const struct change_point *c)
{
	const char *bad = history_commit(&r->v[s->run[c->at]]);
	const char *good = history_commit(&r->v[s->run[c->at - 1]]);

	return *bad && *good && strcmp(bad, good) != 0;
}

static const struct change_point *newest_of(const struct runs *r, const struct history_changes *h,
                                            bool between_commits, enum trend_id *id)
{
	const struct change_point *newest = NULL;

	for (int i = 0; i < TREND_JUDGED; i++) {
		const struct history_series *s = &h->of[i].series;
		for (size_t k = 0; k < s->found.points; k++) {
			const struct change_point *c = &s->found.point[k];
			size_t age = history_change_age(s, c);
			if (!change_point_is_of_job(c) ||
			    (between_commits && !is_between_commits(r, s, c)) ||
			    (newest && age >= history_change_age(&h->of[*id].series, newest)))
				continue;
			newest = c;
			*id = (enum trend_id)i;
		}
	}
	return newest;
}

const struct change_point *history_newest(const struct runs *r, const struct history_changes *h,
                                          enum trend_id *id)
{
	const struct change_point *c = newest_of(r, h, true, id);

	return c ? c : newest_of(r, h, false, id);
}

/* "a1b2c3d", or the day and time of the run. */
static void say_since(const struct run *run, struct buf *out)
{
	const char *commit = history_commit(run);
	char text[UNITS_SIZE];

	if (*commit)
		buf_printf(out, "%.*s", HISTORY_COMMIT, commit);
	else
		buf_str(out, units_time_text(run->start, text));
}

/* The parts on both sides of the change. */
static bool one_machine(const struct history_series *s, const struct change_point *c)
{
	size_t k = (size_t)(c - s->found.point);
	size_t from = k ? c[-1].at : 0, to = k + 1 < s->found.points ? c[1].at : s->n;

	for (size_t i = from + 1; i < to; i++)
		if (s->row[i].stratum != s->row[from].stratum)
			return false;
	return true;
}

/* The range reads from the smaller change to the larger. */
static void say_step_range(const struct change_point *c, struct buf *out)
{
	double a = fabs(c->least), b = fabs(c->most);

	if (c->least < 0 && c->most > 0) {
		buf_str(out, ", but it may be no change at all");
		return;
	}
	buf_printf(out, ", between %s and ", UNITS_PERCENT(stats_round(fmin(a, b) * 100, 0)));
	buf_str(out, UNITS_PERCENT(stats_round(fmax(a, b) * 100, 0)));
}

void history_change_text(const struct runs *r, enum trend_id id, const struct history_series *s,
                         const struct change_point *c, struct buf *out)
{
	const struct run *first = &r->v[s->run[c->at]], *last = &r->v[s->run[c->at - 1]];
	const char *commit = history_commit(first), *before = history_commit(last);
	size_t age = history_change_age(s, c);

	buf_str(out, "Since ");
	say_since(first, out);
	buf_printf(out, " (%zu run%s): ", age, age == 1 ? "" : "s");
	buf_printf(out, "%s %s %s", UNITS_PERCENT(stats_round(fabs(c->step) * 100, 0)),
	           c->step > 0 ? "more" : "less", trend_measures[id].more);
	if (s->same_input)
		buf_str(out, " for the same input");
	say_step_range(c, out);
	if (c->machine)
		buf_str(out, "; the machine changed here, so this says nothing about the job");
	else if (c->waited)
		buf_printf(out,
		           "; other programs kept the runs waiting %s since then, which changes "
		           "CPU time too, so this says nothing about the job",
		           c->step > 0 ? "longer" : "less");
	else if (one_machine(s, c))
		buf_str(out, "; the machine did not change");
	else
		buf_str(out, "; on each kind of machine");
	if (*commit && strcmp(commit, before) == 0)
		buf_str(out, "; the commit did not change");
	buf_char(out, '.');
}
