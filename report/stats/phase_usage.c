/* phase_usage: samples → statistics of each phase. */
#include "report/stats/phase_usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/head/overview.h"
#include "core/recording/elapsed.h"

const struct phase_usage_column phase_usage_columns[PHASE_USAGE_MEASURES] = {
    [PHASE_USAGE_CPU] = {"cpu", "CPU usage", USAGE_CPU, UNIT_CORES, false},
    [PHASE_USAGE_MEMORY] = {"memory", "Memory", USAGE_MEMORY, UNIT_BYTES, false},
    [PHASE_USAGE_READ] = {"read", "Disk read", USAGE_READ, UNIT_RATE, false},
    [PHASE_USAGE_WRITE] = {"write", "Disk write", USAGE_WRITE, UNIT_RATE, false},
    [PHASE_USAGE_GPU] = {"gpu", "GPU usage", USAGE_GPU, UNIT_GPUS, true},
    [PHASE_USAGE_VRAM] = {"vram", "GPU memory", USAGE_VRAM, UNIT_BYTES, true},
};

/* The work of one call; on the heap. */
struct phase_work {
	struct phase_parts parts;
	struct phase_sums sums[PHASE_USAGE_MEASURES][PHASE_USAGE_NAMES_MAX];
	struct phase_sums states[STATES_N][PHASE_USAGE_NAMES_MAX];
	struct phase_sums peaks[PHASE_USAGE_NAMES_MAX]; /* METRIC_PROCESS_MEMORY_PEAK */
};

static void name_parts(const struct phase_parts *p, const struct phases *marked,
                       struct phase_usage *out)
{
	out->left_out = marked->left_out + marked->n - p->n;
	for (; out->n < p->names; out->n++)
		out->name[out->n].name = p->name[out->n];
	for (size_t i = 0; i < p->n; i++) {
		const struct phase_part *one = &p->v[i];
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

static void add_samples(const struct phase_work *w, struct phase_sums *sums, const struct run *run,
                        enum metric_id id)
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
		struct phase_sample s;
		if (!phase_sums_time(&last, t[i], elapsed_at(&rows, i), &s))
			continue;
		s.value = phase_sums_value(m, col[i], &s);
		if (!isnan(s.value))
			phase_sums_add(&w->parts, sums, &s, &first);
	}
	frame_rest(f);
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
		           phase_sums_has_part(&marked->v[i], run->stop) &&
		           !phase_in_overview(o, marked->v[i].name)))
			return true;
	return false;
}

static struct phase_stats stats_of_overview(const struct overview *o, const char *name,
                                            enum metric_id id)
{
	const struct overview_phase *p = phase_in_overview(o, name);

	return p ? p->of[id] : (struct phase_stats){NAN, NAN, NAN, NAN};
}

static bool uses_gpus(const struct run *run)
{
	return run->snapshot.server.gpu_count > 0 || usage_stats(USAGE_VRAM, run)->max > 0;
}

static void measure_parts(struct phase_work *w, const struct run *run, struct phase_usage *out)
{
	const struct overview *o = run->snapshot.overview;

	for (int m = 0; m < PHASE_USAGE_MEASURES; m++) {
		const struct phase_usage_column *c = &phase_usage_columns[m];
		enum metric_id id = usage_column(c->usage, run, c->usage);
		out->measured[m] = run->stats[id].n && (!c->gpu || uses_gpus(run));
		if (out->measured[m] && !o)
			add_samples(w, w->sums[m], run, id);
		for (size_t i = 0; i < out->n; i++)
			out->name[i].of[m] = o && out->measured[m]
			                         ? stats_of_overview(o, out->name[i].name, id)
			                         : phase_sums_stats(&w->sums[m][i]);
	}
}

/* The peak of a phase is that of its rows' intervals, as the run's is; and not above it. */
static void measure_peaks(struct phase_work *w, const struct run *run, struct phase_usage *out)
{
	const struct overview *o = run->snapshot.overview;

	if (usage_column(USAGE_MEMORY, run, USAGE_MEMORY) != METRIC_PROCESS_MEMORY ||
	    !out->measured[PHASE_USAGE_MEMORY])
		return;
	if (!o)
		add_samples(w, w->peaks, run, METRIC_PROCESS_MEMORY_PEAK);
	for (size_t i = 0; i < out->n; i++) {
		struct phase_stats *s = &out->name[i].of[PHASE_USAGE_MEMORY];
		double peak =
		    o ? stats_of_overview(o, out->name[i].name, METRIC_PROCESS_MEMORY_PEAK).max
		      : phase_sums_stats(&w->peaks[i]).max;
		peak = fmin(peak, run->memory.peak_b);
		s->max = peak > s->max ? peak : s->max;
	}
}

/* The means of the states in a phase, which add up to what was measured of it, as its time. */
static void measure_states(struct phase_work *w, const struct run *run, struct phase_usage *out)
{
	const struct overview *o = run->snapshot.overview;

	for (int k = 0; k < STATES_N && !o; k++)
		add_samples(w, w->states[k], run, states_metric((enum states_id)k));
	for (size_t i = 0; i < out->n; i++) {
		double sum = 0, *s = out->name[i].states_s;
		for (int k = 0; k < STATES_N; k++) {
			enum metric_id id = states_metric((enum states_id)k);
			s[k] = o ? stats_of_overview(o, out->name[i].name, id).mean
			         : phase_sums_stats(&w->states[k][i]).mean;
			s[k] = s[k] > 0 ? s[k] : 0;
			sum += s[k];
		}
		for (int k = 0; k < STATES_N && sum > 0; k++)
			s[k] *= out->name[i].total_s / sum;
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
	phase_sums_parts(&w->parts, marked, run->stop);
	name_parts(&w->parts, marked, out);
	if (out->n) {
		measure_parts(w, run, out);
		measure_peaks(w, run, out);
		measure_states(w, run, out);
	}
	free(w);
	return 0;
}
