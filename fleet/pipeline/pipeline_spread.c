/* pipeline_spread: percentiles of attempts, and their needs as the fleet's rule takes them. */
#include "fleet/pipeline/pipeline_spread.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/larger.h"
#include "core/numbers/log_bucket.h"
#include "core/numbers/percentile.h"

static const struct pipeline_spread no_spread = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static int by_measured(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* v is sorted: the two values beside the place are enough. */
static double percentile_at(const double *v, size_t n, double share)
{
	double place = share * (double)(n - 1);
	size_t low = (size_t)place;
	struct percentile_value of[2] = {{v[low], 1}, {v[low + 1 < n ? low + 1 : low], 1}};
	struct percentile_stretch s = {.width = 1};

	percentile_take(&s, of, 2, place - (double)low);
	return percentile_mean(&s);
}

int pipeline_spread_of(double *v, size_t n, struct pipeline_spread *out)
{
	*out = no_spread;
	if (!n)
		return -1;
	qsort(v, n, sizeof *v, by_measured);
	*out = (struct pipeline_spread){.n = n,
	                                .min = v[0],
	                                .p5 = percentile_at(v, n, 0.05),
	                                .p25 = percentile_at(v, n, 0.25),
	                                .p50 = percentile_at(v, n, 0.5),
	                                .p75 = percentile_at(v, n, 0.75),
	                                .p95 = percentile_at(v, n, 0.95),
	                                .max = v[n - 1]};
	return 0;
}

/* A measure of an attempt; NAN: unknown. */
static double measured(const struct pipeline_attempt *a, enum pipeline_measure m)
{
	switch (m) {
	case PIPELINE_WALL:
		return a->wall_s;
	case PIPELINE_TIME_SHARE:
		return a->wall_s / a->asked_time_s;
	case PIPELINE_CORES:
		return a->cores_mean;
	case PIPELINE_CPU_SHARE:
		return a->wall_s > 0 ? a->cpu_s / (a->asked_cpus * a->node_s) : (double)NAN;
	case PIPELINE_MEMORY:
		return a->memory_peak_b;
	case PIPELINE_MEMORY_SHARE:
		return a->memory_peak_b / a->asked_memory_b;
	case PIPELINE_READ:
		return a->read_b;
	case PIPELINE_WRITTEN:
		return a->written_b;
	case PIPELINE_MEASURES:
		break;
	}
	return NAN;
}

/* -- what the next run needs ------------------------------------------------------------------- */

static int pipeline_by_need(const void *a, const void *b)
{
	const struct fleet_weight *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/* By buckets, as a catalog has them, so that the page of groups gives the same ask. */
static void add_weight(struct fleet_weights *w, double value, enum fleet_weights_keys keys,
                       const struct pipeline_attempt *a)
{
	struct fleet_weight one;
	int k;

	if (!isfinite(value))
		return;
	k = log_bucket(value);
	one = fleet_weights_bucket(log_bucket_low(k), log_bucket_middle(k), log_bucket_low(k + 1),
	                           keys);
	one.runs = 1;
	one.killed = a->ended == PIPELINE_OOM;
	one.sum = a->node_s;
	w->v[w->n++] = one;
}

static void add_attempt_times(struct fleet_times *t, const struct pipeline_attempt *a)
{
	if (!isfinite(a->time_asked) || !(a->wall_s > 0))
		return;
	t->known_s += a->wall_s;
	t->asked_s += a->time_asked * a->wall_s;
	for (size_t i = 0; i < CATALOG_TIMES; i++)
		t->at[i] += a->time_at[i] * a->wall_s;
}

struct needs_sums {
	double memory_s, memory_byte_s, cpus_s, cpus_core_s;
	double killed_b, killed_at, finished_at;
	double memory_max_b, wall_max_s;
};

static void sum_needs(struct needs_sums *s, const struct pipeline_attempt *a)
{
	bool killed = a->ended == PIPELINE_OOM;

	if (isfinite(a->asked_memory_b)) {
		s->memory_s += a->node_s;
		s->memory_byte_s += a->asked_memory_b * a->node_s;
	}
	if (isfinite(a->asked_cpus)) {
		s->cpus_s += a->node_s;
		s->cpus_core_s += a->asked_cpus * a->node_s;
	}
	s->memory_max_b = larger(s->memory_max_b, a->memory_need_b);
	s->wall_max_s = larger(s->wall_max_s, a->wall_s);
	if (killed) {
		s->killed_b = larger(s->killed_b, a->memory_need_b);
		s->killed_at = larger(s->killed_at, a->start);
	} else {
		s->finished_at = larger(s->finished_at, a->start);
	}
}

/* As catalog_groups divides the runs of a group: those that started together are in one. */
static size_t quarter_of(struct pipeline_attempt *const *v, size_t n, double start)
{
	size_t quarter = 0;

	for (size_t k = 1; k < FLEET_QUARTERS; k++)
		quarter += start >= v[k * n / FLEET_QUARTERS]->start;
	return quarter;
}

/* v: those that count, by their start. */
static void fill_needs(struct fleet_needs *needs, struct pipeline_attempt *const *v, size_t n)
{
	struct needs_sums sums = {.killed_b = NAN,
	                          .killed_at = NAN,
	                          .finished_at = NAN,
	                          .memory_max_b = NAN,
	                          .wall_max_s = NAN};

	needs->most_memory_b = NAN;
	for (size_t i = 0; i < n; i++) {
		const struct pipeline_attempt *a = v[i];
		struct fleet_weights *quarter = &needs->quarters.of[quarter_of(v, n, a->start)];
		add_weight(&needs->memory, a->memory_need_b, FLEET_WEIGHTS_PLAIN, a);
		add_weight(quarter, a->memory_need_b, FLEET_WEIGHTS_PLAIN, a);
		add_weight(&needs->wall, a->wall_s, FLEET_WEIGHTS_PLAIN, a);
		add_weight(&needs->cores, a->cores_needed, FLEET_WEIGHTS_CORES, a);
		add_weight(&needs->gpus, a->gpus_peak, FLEET_WEIGHTS_GPUS, a);
		add_attempt_times(&needs->times, a);
		needs->wall_s += a->node_s;
		needs->counted++;
		needs->most_memory_b = larger(needs->most_memory_b, a->asked_memory_b);
		sum_needs(&sums, a);
	}
	needs->today_memory_b = sums.memory_byte_s / sums.memory_s;
	needs->today_cpus = sums.cpus_core_s / sums.cpus_s;
	needs->killed_b = sums.finished_at >= sums.killed_at ? (double)NAN : sums.killed_b;
	needs->killed_most_b = sums.killed_b;
	fleet_weights_finish(&needs->memory, sums.memory_max_b, sums.killed_b > 0);
	for (size_t i = 0; i < FLEET_QUARTERS; i++)
		fleet_weights_finish(&needs->quarters.of[i], sums.memory_max_b, sums.killed_b > 0);
	fleet_weights_finish(&needs->wall, sums.wall_max_s, false);
}

/* A list of weights for each resource, and one for each quarter. */
#define LISTS (4 + FLEET_QUARTERS)

static int propose(struct pipeline_attempt *const *v, size_t n, const struct fleet_policy *policy,
                   struct pipeline_use *out, struct err *e)
{
	struct fleet_weight *room = calloc(LISTS * (n + 1), sizeof *room);
	struct fleet_needs needs = {.counted = 0};
	struct fleet_weights *list[LISTS] = {&needs.memory, &needs.wall, &needs.cores, &needs.gpus};

	if (!room)
		return err_set(e, "%s", strerror(ENOMEM));
	for (size_t k = 0; k < FLEET_QUARTERS; k++)
		list[4 + k] = &needs.quarters.of[k];
	for (size_t k = 0; k < LISTS; k++)
		list[k]->v = room + k * (n + 1);
	fill_needs(&needs, v, n);
	for (size_t k = 0; k < LISTS; k++)
		qsort(list[k]->v, list[k]->n, sizeof *room, pipeline_by_need);
	fleet_ask_propose(&needs, policy, &out->proposal);
	out->counted = n;
	free(room);
	return 0;
}

/* -- a process --------------------------------------------------------------------------------- */

#define WIDEN(range, value)                                                                        \
	((range).least = lesser((range).least, value), (range).most = larger((range).most, value))

int pipeline_spread_use(const struct pipeline *p, size_t process, const struct fleet_policy *policy,
                        struct pipeline_use *out, struct err *e)
{
	size_t cap = p->process[process].attempts, n = 0, counted = 0;
	struct pipeline_attempt **v = calloc(2 * cap + 1, sizeof *v), **counting = v + cap;
	double *value = calloc(cap + 1, sizeof *value);
	int failed = v && value ? 0 : err_set(e, "%s", strerror(ENOMEM));

	*out = (struct pipeline_use){
	    .cpus = {NAN, NAN}, .memory_b = {NAN, NAN}, .time_s = {NAN, NAN}, .gpus = {NAN, NAN}};
	for (size_t i = 0; !failed && i < p->n; i++) {
		struct pipeline_attempt *a = &p->attempt[i];
		if (a->of_process != process)
			continue;
		WIDEN(out->cpus, a->asked_cpus);
		WIDEN(out->memory_b, a->asked_memory_b);
		WIDEN(out->time_s, a->asked_time_s);
		WIDEN(out->gpus, a->asked_gpus);
		if (a->ended == PIPELINE_DONE)
			v[n++] = a;
		if (a->counts)
			counting[counted++] = a;
	}
	for (int m = 0; !failed && m < PIPELINE_MEASURES; m++) {
		size_t known = 0;
		for (size_t i = 0; i < n; i++) {
			double one = measured(v[i], (enum pipeline_measure)m);
			if (isfinite(one))
				value[known++] = one;
		}
		pipeline_spread_of(value, known, &out->of[m]);
	}
	failed = failed || propose(counting, counted, policy, out, e);
	free(v);
	free(value);
	return failed ? -1 : 0;
}
