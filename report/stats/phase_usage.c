/* phase_usage: samples → statistics of each phase. */
#include "report/stats/phase_usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc_failed.h"
#include "core/elapsed.h"
#include "core/overview.h"

const struct phase_usage_column phase_usage_columns[PHASE_USAGE_MEASURES] = {
    [PHASE_USAGE_CPU] = {"cpu", "CPU usage", USAGE_CPU, UNIT_CORES, false},
    [PHASE_USAGE_MEMORY] = {"memory", "Memory", USAGE_MEMORY, UNIT_BYTES, false},
    [PHASE_USAGE_READ] = {"read", "Disk read", USAGE_READ, UNIT_RATE, false},
    [PHASE_USAGE_WRITE] = {"write", "Disk write", USAGE_WRITE, UNIT_RATE, false},
    [PHASE_USAGE_GPU] = {"gpu", "GPU usage", USAGE_GPU, UNIT_GPUS, true},
    [PHASE_USAGE_VRAM] = {"vram", "GPU memory", USAGE_VRAM, UNIT_BYTES, true},
};

/* Weighted mean and variance in one pass (West 1979). Valid when zero. */
struct weighted {
	size_t n;
	double weight, mean, squares, min, max;
};

/* Of all samples that touch a phase, and of those that lie in it by half or more. */
struct phase_sums {
	struct weighted touch, inside;
};

/* One phase, which ends before the next begins. */
struct phase_part {
	size_t name; /* PHASE_USAGE_NAMES_MAX: of a name for which there was no room */
	size_t order;
	double from, to;
};

/* The work of one call; on the heap. */
struct phase_work {
	struct phase_part v[PHASES_MAX];
	size_t n;
	struct phase_sums sums[PHASE_USAGE_NAMES_MAX][PHASE_USAGE_MEASURES];
};

static void weigh_in(struct weighted *s, double v, double weight)
{
	double off = v - s->mean;

	s->min = s->n && s->min < v ? s->min : v;
	s->max = s->n && s->max > v ? s->max : v;
	s->n++;
	s->weight += weight;
	s->mean += off * weight / s->weight;
	s->squares += weight * off * (v - s->mean);
}

/* Equal weights give the sample's standard deviation, as in stats.h. */
static double weighted_sd(const struct weighted *s)
{
	double n = (double)s->n;

	return s->n < 2 ? (double)NAN : sqrt(fmax(s->squares, 0) / s->weight * n / (n - 1));
}

/* -- from marks to parts ----------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct phase_part *p = a, *q = b;

	if (p->from != q->from)
		return p->from < q->from ? -1 : 1;
	return (p->order > q->order) - (p->order < q->order);
}

/* The row of a name: a new one if it has none yet. */
static size_t row_of_name(struct phase_usage *u, const char *name)
{
	size_t i = 0;

	while (i < u->n && strcmp(u->name[i].name, name) != 0)
		i++;
	if (i < u->n || i == PHASE_USAGE_NAMES_MAX)
		return i;
	u->name[u->n++] = (struct phase_usage_name){.name = name};
	return i;
}

static void clip_parts(struct phase_work *w, double stop)
{
	for (size_t i = 0; i < w->n; i++) {
		struct phase_part *one = &w->v[i];
		double last = i + 1 < w->n ? w->v[i + 1].from : stop;
		if (isnan(one->to) || one->to > last)
			one->to = last;
		if (!(one->to > one->from))
			one->to = one->from;
	}
}

static bool is_time(double t)
{
	return t >= 0 && t < 1e12;
}

static void gather_parts(struct phase_work *w, const struct run *run)
{
	const struct phases *marked = run->snapshot.phases;

	for (size_t i = 0; i < marked->n; i++)
		if (is_time(marked->v[i].start) && marked->v[i].start <= run->stop)
			w->v[w->n++] = (struct phase_part){
			    .order = i, .from = marked->v[i].start, .to = marked->v[i].end};
	qsort(w->v, w->n, sizeof *w->v, by_start);
	clip_parts(w, run->stop);
}

static void name_parts(struct phase_work *w, const struct phases *marked, struct phase_usage *out)
{
	out->left_out = marked->left_out + marked->n - w->n;
	for (size_t i = 0; i < w->n; i++) {
		struct phase_part *one = &w->v[i];
		one->name = row_of_name(out, marked->v[one->order].name);
		if (one->name == PHASE_USAGE_NAMES_MAX) {
			out->left_out++;
			continue;
		}
		out->name[one->name].count++;
		out->name[one->name].total_s += one->to - one->from;
		if (one->to > one->from && out->n_spans < PHASE_USAGE_SPANS_MAX)
			out->span[out->n_spans++] = (struct phase_usage_span){
			    one->name, stats_round(one->from, 3), stats_round(one->to, 3)};
	}
}

/* -- samples ----------------------------------------------------------------------------------- */

/* A sample at time t stands for the time since the one before. */
struct timed_value {
	double from, to, value;
};

static void meet_part(struct phase_sums *sums, const struct phase_part *p,
                      const struct timed_value *s)
{
	double from = s->from > p->from ? s->from : p->from, to = s->to < p->to ? s->to : p->to;

	if (!(to > from))
		return;
	weigh_in(&sums->touch, s->value, to - from);
	if (2 * (to - from) >= s->to - s->from)
		weigh_in(&sums->inside, s->value, to - from);
}

/* Parts and samples both ascend, so one walk over both is enough. *first is the first part that a
 * later sample may touch. */
static void spread_sample(struct phase_work *w, int measure, const struct timed_value *s,
                          size_t *first)
{
	while (*first < w->n && w->v[*first].to <= s->from)
		++*first;
	for (size_t i = *first; i < w->n && w->v[i].from < s->to; i++)
		if (w->v[i].name != PHASE_USAGE_NAMES_MAX)
			meet_part(&w->sums[w->v[i].name][measure], &w->v[i], s);
}

static void add_samples(struct phase_work *w, int measure, const struct run *run, enum metric_id id)
{
	const struct metric *m = &metrics[id];
	const struct frame *f = &run->snapshot.rows[m->scope];
	const double *t = frame_col(f, m->scope == METRIC_SCOPE_PROCESS ? METRIC_PROCESS_TIMESTAMP
	                                                                : METRIC_SYSTEM_TIMESTAMP);
	const struct elapsed_rows rows = elapsed_rows(&run->snapshot, m->scope);
	const double *col = frame_col(f, id);
	double last = NAN;
	size_t first = 0;

	for (size_t i = 0; t && col && i < f->rows; i++) {
		struct timed_value s = {.from = isnan(last) ? t[i] - elapsed_at(&rows, i) : last,
		                        .to = t[i]};
		if (!(s.to > s.from)) /* no time, or one that goes back */
			continue;
		last = t[i];
		s.value = m->kind == METRIC_KIND_DELTA ? col[i] / (s.to - s.from) : col[i];
		if (!isnan(s.value))
			spread_sample(w, measure, &s, &first);
	}
	frame_rest(f);
}

static struct phase_usage_stats stats_of_sums(const struct phase_sums *sums)
{
	const struct weighted *s = sums->inside.n ? &sums->inside : &sums->touch;

	if (!s->n)
		return (struct phase_usage_stats){NAN, NAN, NAN, NAN};
	return (struct phase_usage_stats){s->min, s->max, s->mean, weighted_sd(s)};
}

static const struct overview_phase *phase_in_overview(const struct overview *o, const char *name)
{
	for (size_t i = 0; o && i < o->n_phases; i++)
		if (strcmp(o->phase[i].name, name) == 0)
			return &o->phase[i];
	return NULL;
}

bool phase_usage_needs_rows(const struct run *run)
{
	const struct phases *marked = run->snapshot.phases;
	const struct overview *o = run->snapshot.overview;

	for (size_t i = 0; marked && i < marked->n; i++)
		if (!o || (o->n_phases < PHASE_USAGE_NAMES_MAX &&
		           !phase_in_overview(o, marked->v[i].name)))
			return true;
	return false;
}

static struct phase_usage_stats stats_of_overview(const struct overview *o, const char *name,
                                                  enum metric_id id)
{
	const struct overview_phase *p = phase_in_overview(o, name);

	if (!p)
		return (struct phase_usage_stats){NAN, NAN, NAN, NAN};
	return (struct phase_usage_stats){p->of[id].min, p->of[id].max, p->of[id].mean,
	                                  p->of[id].sd};
}

static bool uses_gpus(const struct run *run)
{
	return run->snapshot.server.gpu_count > 0 || usage_stats(USAGE_VRAM, run)->max > 0;
}

static void measure_parts(struct phase_work *w, const struct run *run, struct phase_usage *out)
{
	const struct overview *o = phase_usage_needs_rows(run) ? NULL : run->snapshot.overview;

	for (int m = 0; m < PHASE_USAGE_MEASURES; m++) {
		const struct phase_usage_column *c = &phase_usage_columns[m];
		enum metric_id id = usage_column(c->usage, run, c->usage);
		out->measured[m] = run->stats[id].n && (!c->gpu || uses_gpus(run));
		if (out->measured[m] && !o)
			add_samples(w, m, run, id);
		for (size_t i = 0; i < out->n; i++)
			out->name[i].of[m] = o && out->measured[m]
			                         ? stats_of_overview(o, out->name[i].name, id)
			                         : stats_of_sums(&w->sums[i][m]);
	}
}

int phase_usage_of(const struct run *run, struct phase_usage *out, struct err *e)
{
	const struct phases *marked = run->snapshot.phases;
	struct phase_work *w;

	memset(out, 0, sizeof *out);
	if (!marked)
		return 0;
	w = alloc_failed_note(calloc(1, sizeof *w));
	if (!w)
		return err_set(e, "no memory for the phases");
	gather_parts(w, run);
	name_parts(w, marked, out);
	if (out->n)
		measure_parts(w, run, out);
	free(w);
	return 0;
}
