/* recommend: runs → advice → prices. */
#include "report/advice/recommend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"
#include "core/numbers/stats.h"
#include "report/prices/frontier.h"
#include "report/prices/keeper_saved.h"
#include "report/prices/keeper_where.h"
#include "report/runs/load_page.h"
#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/asked.h"
#include "report/stats/bottleneck.h"
#include "report/stats/default_stats.h"
#include "report/stats/history.h"
#include "report/stats/memory_peak.h"
#include "report/stats/time_at_run.h"
#include "report/stats/usage_column.h"

#define SIZES_FROM_S 10 /* a shorter run has too few samples */

#define PROCESS_MAX 64 /* of a name in a line to paste */

/* For one node: a run of several nodes counts with its worst node. */
static double of_node(const struct run *run, enum usage what, const struct default_stat *f)
{
	struct parts_used worst;

	if (!run->parts)
		return default_stat_base(f, run);
	worst = parts_worst_node(run->parts);
	switch (what) {
	case USAGE_CPU:
		return worst.cores;
	case USAGE_MEMORY:
		return worst.memory_b;
	case USAGE_GPU:
		return f->how == DEFAULT_STAT_MAX ? worst.gpu_max : worst.gpu;
	case USAGE_VRAM:
		return worst.vram_b;
	case USAGE_READ:
	case USAGE_WRITE:
		break;
	}
	return NAN;
}

/* All that is proposed is from the same runs (history.h). One that was killed for memory shows that
 * it needed more of it, and nothing else: it did not come to its end. */
static bool shows_use(const struct runs *r, size_t i)
{
	return i == 0 || (r->v[i].shows_need && !load_is_oom(&r->v[i]));
}

/* The statistic over this run and its history, in base units and for one node: the mean of means,
 * the maximum of maxima. All runs are read from the column that this run has. */
static double over_all_runs(const struct runs *r, enum usage what, enum default_stat_how how)
{
	struct default_stat f = {usage_column(what, &r->v[0], USAGE_CPU), how, ""};
	double sum = 0, max = NAN;
	size_t n = 0;

	/* The use of the machine does not show the need of the job. */
	if (usage_lacks_job(&r->v[0]))
		return NAN;
	for (size_t i = 0; i < r->n; i++) {
		double v = shows_use(r, i) ? of_node(&r->v[i], what, &f) : (double)NAN;
		/* As all outputs say it: 2.504 cores are 2.5, and 2 CPUs. */
		if (what == USAGE_CPU)
			v = stats_round(v, 2);
		if (isnan(v))
			continue;
		sum += v;
		max = fmax(max, v);
		n++;
	}
	if (!n)
		return NAN;
	return how == DEFAULT_STAT_MAX ? max : sum / (double)n;
}

/* The most that any of these runs would have used for each node, if it was short of CPU. On
 * several nodes, the busiest is taken to have waited as all did. */
static double needed_cores(const struct runs *r)
{
	double most = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct run *run = &r->v[i];
		double needed = shows_use(r, i) ? bottleneck_needed_cores(run) : 0;
		if (run->parts && needed > 0)
			needed *= parts_worst_node(run->parts).cores /
			          load_stats(run, METRIC_PROCESS_CPU_USAGE)->mean;
		most = fmax(most, needed);
	}
	return most;
}

/* The largest limit that killed this run or an element of its array, because one amount is asked
 * for all of them. Earlier runs do not count: one that was killed may have had other input, and is
 * not in the history's averages either. */
static double died_mib(const struct runs *r)
{
	double died = 0;

	for (size_t i = 0; i < r->n; i++)
		if (i == 0 || history_in_array(r, i))
			died = fmax(died, memory_peak_too_little(&r->v[i]));
	return died / QUANTITY_MIB;
}

static bool came_to_end(const struct run *run)
{
	return run->duration > 0 && (run->status == RUN_FINISHED || run->status == RUN_UNKNOWN);
}

static void add_run_times(const struct runs *r, struct advice_input *in)
{
	for (size_t i = 0; i < r->n; i++) {
		if (!shows_use(r, i) || !came_to_end(&r->v[i]))
			continue;
		in->finished++;
		in->longest_s = fmax(in->longest_s, r->v[i].duration);
	}
}

/* Over this run and its history, where the time is known; of a run of several nodes, of one. */
static void add_by_time(const struct runs *r, double slowdown, struct cpu_rule *out)
{
	struct asked asked = asked_of(&r->v[0], ASKED_CPUS);
	double allowed = allowance_cpus(&r->v[0]).amount;
	/* One that used more than it asked for had more. */
	double cpus = asked.amount >= asked.used ? asked.amount : fmax(allowed, asked.amount);
	struct time_at one;

	out->asked = cpus / (double)parts_nodes(&r->v[0]);
	out->slowdown = slowdown;
	if (!time_at_run(&r->v[0], &one))
		return;
	for (size_t i = 0; i < r->n; i++) {
		if (!shows_use(r, i) || !time_at_run(&r->v[i], &one))
			continue;
		time_at_join(&out->sums, &one);
		out->runs++;
	}
	cpu_rule_make(out, bottleneck_cpus_short(&r->v[0]) || bottleneck_throttled_s(&r->v[0]) > 0);
}

/* -- memory ------------------------------------------------------------------------------------ */

double recommend_lambda(const char *risk)
{
	static const struct {
		const char *word;
		double lambda;
	} all[] = {
	    {"thrifty", MEMORY_RULE_THRIFTY},
	    {"balanced", MEMORY_RULE_BALANCED},
	    {"careful", MEMORY_RULE_CAREFUL},
	};

	for (size_t i = 0; risk && i < sizeof all / sizeof *all; i++)
		if (strcmp(risk, all[i].word) == 0)
			return all[i].lambda;
	return 0;
}

static struct memory_run memory_of(const struct run *run, const struct default_stat *peak)
{
	double little = memory_peak_too_little(run);

	return (struct memory_run){
	    .need = {.need_b = of_node(run, USAGE_MEMORY, peak),
	             .input_b =
	                 run->snapshot.inputs.known ? run->snapshot.inputs.bytes : (double)NAN,
	             .limit_b = little,
	             .killed = !isnan(little),
	             .start = isnan(run->start) ? 0 : run->start},
	    .sizes = run->snapshot.inputs.sizes,
	    .wall_s = came_to_end(run) ? run->duration : (double)NAN,
	};
}

/* An array asks for one amount for all elements: that for the largest input. */
static void advise_by_runs(const struct runs *r, const struct recommend_rules *rules,
                           struct memory_advice *out)
{
	struct default_stat peak = {usage_column(USAGE_MEMORY, &r->v[0], USAGE_CPU),
	                            DEFAULT_STAT_MAX, ""};
	struct memory_run *v = alloc_failed_note(calloc(r->n, sizeof *v)), with;
	struct memory_request q = {
	    .today_b = asked_today(&r->v[0], ASKED_MEMORY) / (double)parts_nodes(&r->v[0]),
	    .lambda = recommend_lambda(rules->risk),
	    .with = &with,
	};
	size_t n = 0;
	bool some = v && !rules->plain && !usage_lacks_job(&r->v[0]);

	for (size_t i = 0; some && i < r->n; i++) {
		if (!r->v[i].shows_need)
			continue;
		v[n] = memory_of(&r->v[i], &peak);
		if (i == 0 || (history_in_array(r, i) && v[n].need.input_b > with.need.input_b))
			with = v[n];
		n++;
	}
	memory_advice_make(v, n, n ? &q : &(struct memory_request){0}, out);
	free(v);
}

static void make_advice(const struct runs *r, const struct memory_advice *memory,
                        const struct recommend_rules *rules, struct advice *out)
{
	char how[sizeof out->memory_formula];
	const char *name = r->v[0].snapshot.job.name;
	struct advice_input in = {
	    .cpu_mean = over_all_runs(r, USAGE_CPU, DEFAULT_STAT_MEAN),
	    .cpu_needed = rules->plain ? 0 : needed_cores(r),
	    .memory_max_mib = over_all_runs(r, USAGE_MEMORY, DEFAULT_STAT_MAX) / QUANTITY_MIB,
	    .gpu_mean = over_all_runs(r, USAGE_GPU, DEFAULT_STAT_MEAN),
	    .gpu_max = over_all_runs(r, USAGE_GPU, DEFAULT_STAT_MAX),
	    .vram_max_mib = over_all_runs(r, USAGE_VRAM, DEFAULT_STAT_MAX) / QUANTITY_MIB,
	    .memory_died_mib = rules->plain ? 0 : died_mib(r),
	    .memory_ask_mib = memory->ask_b / QUANTITY_MIB,
	    .time_most_s = memory->by == MEMORY_BY_INPUT ? memory->wall_most_s : (double)NAN,
	};

	memory_advice_formula(memory, how, sizeof how);
	/* With few runs the formula of the peak says the same. */
	if (!memory->rule.weak ||
	    in.memory_ask_mib > (double)advice_step(in.memory_max_mib * ADVICE_HEADROOM))
		in.memory_how = how;
	add_run_times(r, &in);
	if (!rules->plain)
		add_by_time(r, rules->slowdown, &in.by_time);
	advice_make(&in, out);
	out->nodes = (long)parts_all_nodes(&r->v[0]);
	out->tasks = (long)parts_tasks_per_node(&r->v[0]);
	memory_advice_line(memory, &out->line);
	if (out->line.of && name && *name && strlen(name) <= PROCESS_MAX)
		out->process = name;
}

static void basis_sentence(const struct runs *r, char out[RECOMMEND_BASIS_MAX])
{
	char used[HISTORY_TEXT];
	const char *whose = usage_tracks_job(&r->v[0]) ? "" : ", of the whole machine";
	char nodes[96] = "";

	if (usage_is_partial(&r->v[0]))
		whose = ", of its main process alone";

	if (parts_nodes(&r->v[0]) > 1)
		snprintf(nodes, sizeof nodes, " Per node, from the highest of %zu nodes%s.",
		         parts_nodes(&r->v[0]),
		         parts_missing(r->v[0].parts) ? " that were recorded" : "");
	history_needed_text(r, used);
	if (usage_lacks_job(&r->v[0]))
		snprintf(out, RECOMMEND_BASIS_MAX, "What the job used was not recorded.");
	else if (history_needed(r))
		snprintf(out, RECOMMEND_BASIS_MAX, "From this run and %s%s.%s", used, whose, nodes);
	else
		snprintf(out, RECOMMEND_BASIS_MAX, "From this run alone%s.%s", whose, nodes);
}

static int by_duration(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The runs that came to their end on servers of this type; {.runs = 0} without any. */
static struct frontier_measured measure_type(const struct runs *r, const struct snapshot_cloud *c)
{
	double *took = alloc_failed_note(calloc(r->n, sizeof *took));
	struct frontier_measured m = {.vendor = c->vendor, .type = c->instance_type};

	for (size_t i = 0; took && i < r->n; i++) {
		const struct snapshot_cloud *other = &r->v[i].snapshot.cloud;
		if (shows_use(r, i) && came_to_end(&r->v[i]) &&
		    keeper_query_is_known(other->vendor) &&
		    keeper_query_is_known(other->instance_type) &&
		    !strcasecmp(other->vendor, c->vendor) &&
		    !strcasecmp(other->instance_type, c->instance_type))
			took[m.runs++] = r->v[i].duration;
	}
	if (m.runs) {
		qsort(took, m.runs, sizeof *took, by_duration);
		m.least_s = took[0];
		m.most_s = took[m.runs - 1];
		m.median_s = (took[(m.runs - 1) / 2] + took[m.runs / 2]) / 2;
	}
	free(took);
	return m;
}

static size_t measure_types(const struct runs *r, struct frontier_measured out[RECOMMEND_TYPES_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < r->n && n < RECOMMEND_TYPES_MAX; i++) {
		const struct snapshot_cloud *c = &r->v[i].snapshot.cloud;
		bool had =
		    !keeper_query_is_known(c->vendor) || !keeper_query_is_known(c->instance_type);
		for (size_t k = 0; !had && k < n; k++)
			had = !strcasecmp(out[k].vendor, c->vendor) &&
			      !strcasecmp(out[k].type, c->instance_type);
		if (had)
			continue;
		out[n] = measure_type(r, c);
		n += out[n].runs > 0;
	}
	return n;
}

void recommend_job(const struct runs *r, const struct keeper_result *k, struct recommend_job *out)
{
	const struct run *run = &r->v[0];

	*out = (struct recommend_job){.here = k->present};
	out->here.price_hour = k->spot ? k->present.price_spot : k->present.price_ondemand;
	/* The architecture in which the job ran is known even where its server is not. */
	if (!*out->here.arch && run->snapshot.job.arch)
		keeper_result_copy(out->here.arch, sizeof out->here.arch, run->snapshot.job.arch);
	keeper_result_learn(&out->here.vcpus, run->snapshot.server.vcpus);
	out->job = (struct frontier_job){
	    .time = time_at_run(run, &out->time) ? &out->time : NULL,
	    .duration_s = run->duration,
	    .nodes = (double)parts_all_nodes(run),
	    .here = &out->here,
	    .cpus = run->snapshot.server.vcpus,
	    .measure = k->measure,
	    .measured = out->measured,
	    .n_measured = measure_types(r, out->measured),
	};
}

struct servers_choice {
	const struct runs *runs;
	struct recommend_job *of;
};

/* A keeper_pool.choose: keeps those that are worth a place in the report; that of the cheapest run
 * is proposed. */
static const struct keeper_server *choose_servers(void *ctx, const struct keeper_pool *pool,
                                                  struct keeper_result *out)
{
	const struct servers_choice *c = ctx;
	struct frontier_point *v = alloc_failed_note(calloc(pool->n + 1, sizeof *v));
	size_t n = 0;

	recommend_job(c->runs, out, c->of);
	for (size_t i = 0; v && i < pool->n; i++)
		frontier_point(&c->of->job, &pool->v[i], &v[n++]);
	n = v ? frontier_keep(v, n, KEEPER_SIZED_MAX) : 0;
	for (size_t i = 0; i < n; i++)
		out->sized[i] = *v[i].server;
	out->n_sized = n;
	free(v);
	return n ? &out->sized[0] : NULL;
}

/* Servers of other sizes are asked for only where the run is long enough for times to mean
 * something, and its memory is known. */
static void ask_sized(struct keeper_query *q, const struct runs *r, struct keeper_result *out)
{
	struct recommend_job *of = alloc_failed_note(calloc(1, sizeof *of));
	struct servers_choice choice = {r, of};
	struct keeper_pool pool = {.choose = of ? choose_servers : NULL, .ctx = &choice};

	if (of)
		recommend_job(r, out, of);
	if (of && of->job.time && r->v[0].duration >= SIZES_FROM_S && q->memory_mib > 0) {
		q->sizes = frontier_sizes(&of->job, q->size);
		q->measure = speed_measure(q->workload, frontier_one_core(&of->job));
	}
	keeper_ask(q, out, &pool);
	keeper_pool_free(&pool);
	free(of);
}

/* A page shows the prices that it showed, if it is asked the same. */
static void ask_keeper(struct keeper_query q, const struct runs *r, const struct advice *a,
                       bool plain, struct keeper_result *out)
{
	const struct run *run = &r->v[0];
	const struct snapshot *s = &run->snapshot;
	double least_mib = NAN;
	struct utsname machine;

	q.vcpus = advice_known(a->cpu_formula) ? (double)a->cpu : (double)NAN;
	q.memory_mib = advice_known(a->memory_formula) ? (double)a->memory_mib : (double)NAN;
	q.gpu = (double)a->gpu;
	q.vram_mib = (double)a->vram_mib;
	keeper_where_replace(
	    &q.where, (struct keeper_where_sizes){&q.vcpus, &least_mib, &q.gpu, &q.vram_mib});
	q.room = !plain && isnan(least_mib);
	if (!isnan(least_mib))
		q.memory_mib = least_mib;
	if (isnan(q.vcpus) && isnan(q.memory_mib))
		q.unsized = "No server is looked for: what the job used is not known.";
	q.present_vendor = s->cloud.vendor;
	q.present_type = s->cloud.instance_type;
	q.present_region = s->cloud.region;
	if (!q.of.arch.n && s->job.arch && *s->job.arch)
		q.of.arch.v[q.of.arch.n++] = s->job.arch;
	if (!q.of.arch.n && uname(&machine) == 0)
		q.of.arch.v[q.of.arch.n++] = machine.machine;
	if (!run->page || !run->page->prices || keeper_saved_read(run->page->prices, &q, out))
		ask_sized(&q, r, out);
}

int recommend_runs(const struct runs *r, const struct recommend_rules *rules,
                   const struct keeper_query *prices, struct recommend *out, struct err *e)
{
	advise_by_runs(r, rules, &out->memory);
	make_advice(r, &out->memory, rules, &out->advice);
	basis_sentence(r, out->basis);
	ask_keeper(*prices, r, &out->advice, rules->plain, &out->keeper);
	return *out->keeper.wrong ? err_set(e, "%s", out->keeper.wrong) : 0;
}
