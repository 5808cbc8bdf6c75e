/* measure: a statistic of a run, by name. */
#include "report/stats/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/edit_distance.h"
#include "report/prices/cost.h"
#include "report/runs/parts.h"
#include "report/stats/contention_run.h"
#include "report/stats/growth.h"
#include "report/stats/time_at_run.h"
#include "report/stats/trend.h"
#include "report/stats/usage_column.h"

#define NAME_MAX_LEN 96

static const char *const stat_names[MEASURE_STATS] = {"min", "max", "mean", "sum",
                                                      "sd",  "p50", "p95"};

static const struct {
	const char *name;
	enum measure_kind kind;
	enum measure_unit unit;
	const char *label;
	enum asked_resource of;
} others[] = {
    {"duration", MEASURE_DURATION, MEASURE_SECONDS, "duration", ASKED_TIME},
    {"timestamp.duration", MEASURE_SAMPLED_DURATION, MEASURE_SECONDS, "duration", ASKED_TIME},
    {"process_memory.max_sampled", MEASURE_SAMPLED_MEMORY, MEASURE_BYTES,
     "peak memory of the samples", ASKED_MEMORY},
    {"cpu_seconds", MEASURE_CPU_SECONDS, MEASURE_SECONDS, "CPU time", ASKED_RESOURCES},
    {"cpu_s", MEASURE_CPU_SECONDS, MEASURE_SECONDS, "CPU time", ASKED_RESOURCES},
    {"contended", MEASURE_CONTENDED, MEASURE_NUMBER, "contended", ASKED_RESOURCES},
    {"cost", MEASURE_COST, MEASURE_MONEY, "cost of the run", ASKED_RESOURCES},
    {"cpu_efficiency", MEASURE_EFFICIENCY, MEASURE_NUMBER, "CPU efficiency", ASKED_CPUS},
    {"memory_efficiency", MEASURE_EFFICIENCY, MEASURE_NUMBER, "memory efficiency", ASKED_MEMORY},
    {"gpu_efficiency", MEASURE_EFFICIENCY, MEASURE_NUMBER, "GPU efficiency", ASKED_GPUS},
    {"time_efficiency", MEASURE_EFFICIENCY, MEASURE_NUMBER, "Share of the time asked for",
     ASKED_TIME},
};
#define OTHERS (sizeof others / sizeof *others)

static const struct {
	const char *name, *label;
} of_states[STATES_N] = {
#define STATE(id, word, measure, name, is, ...) {measure, "Share of the time " is},
#include "core/numbers/job_states.def"
#undef STATE
};

static bool is_other(const struct measure *m, size_t i)
{
	return m->kind == others[i].kind && m->of == others[i].of;
}

void measure_list_states(struct buf *out)
{
	for (int k = 0; k < STATES_N; k++)
		buf_printf(out, "%-8s %-20s %-6s %-21s %-6s %s\n", "job", of_states[k].name,
		           "share", of_states[k].name, "share", of_states[k].label);
}

/* The i-th name; false after the last one. */
static bool nth_measure(size_t i, char name[NAME_MAX_LEN], struct measure *m)
{
	size_t nth = i - OTHERS - STATES_N, column = nth / MEASURE_STATS,
	       stat = nth % MEASURE_STATS;

	*m = (struct measure){.kind = MEASURE_OF_COLUMN, .id = METRIC_COUNT, .of = ASKED_RESOURCES};
	if (i < OTHERS) {
		m->kind = others[i].kind;
		m->of = others[i].of;
		snprintf(name, NAME_MAX_LEN, "%s", others[i].name);
		return true;
	}
	if (i < OTHERS + STATES_N) {
		m->kind = MEASURE_STATE;
		m->state = (enum states_id)(i - OTHERS);
		snprintf(name, NAME_MAX_LEN, "%s", of_states[m->state].name);
		return true;
	}
	if (column >= METRIC_COUNT)
		return false;
	m->id = (enum metric_id)column;
	m->stat = (enum measure_stat)stat;
	if (m->stat != MEASURE_SUM && m->stat != MEASURE_SD)
		m->of = asked_of_column(m->id);
	snprintf(name, NAME_MAX_LEN, "%s_%s.%s", metric_scope_name(metrics[column].scope),
	         metrics[column].name[SCHEMA_1], stat_names[stat]);
	return true;
}

/* Time stamps and process IDs cannot be compared with amounts. */
static bool is_amount(const struct measure *m)
{
	return m->kind != MEASURE_OF_COLUMN ||
	       (metrics[m->id].unit != METRIC_UNIT_TIME && m->id != METRIC_PROCESS_PID);
}

/* Edit distance between a written name and a real one. A missing statistic usually means max, and a
 * missing scope the first one that has the column. */
static size_t measure_distance(const char *name, size_t n, const char *one, const struct measure *m)
{
	size_t length = strlen(one), d = edit_distance(name, n, one), scope;

	if (m->kind != MEASURE_OF_COLUMN)
		return d;
	if (m->stat == MEASURE_MAX && length == n + 4 && memcmp(one, name, n) == 0)
		return 0;
	scope = strlen(metric_scope_name(metrics[m->id].scope)) + 1;
	if (m->stat == MEASURE_MAX && length - scope == n + 4 && memcmp(one + scope, name, n) == 0)
		return 1;
	if (edit_distance(name, n, one + scope) + 1 < d)
		d = edit_distance(name, n, one + scope) + 1;
	return d;
}

/* The nearest right name of those that fit; "" if none is near. */
static void nearest_measure(const char *name, size_t n, bool (*fits)(const struct measure *),
                            char best[NAME_MAX_LEN])
{
	char one[NAME_MAX_LEN];
	size_t least = n / 2 + 1 < EDIT_DISTANCE_FAR ? n / 2 + 1 : EDIT_DISTANCE_FAR;
	struct measure m;

	*best = '\0';
	for (size_t i = 0; nth_measure(i, one, &m); i++) {
		size_t d = fits(&m) ? measure_distance(name, n, one, &m) : EDIT_DISTANCE_FAR;
		if (d < least) {
			least = d;
			snprintf(best, NAME_MAX_LEN, "%s", one);
		}
	}
}

/* -- of many runs ------------------------------------------------------------------------------ */

#define PREFIX     "fleet."
#define PREFIX_LEN (sizeof PREFIX - 1)

static const char not_asked[] = "it is not known what was asked for";
static const char no_price[] = "no price is known";
static const char no_runs[] = "it is unknown";
static const char no_trial[] = "no group has enough runs for a back-test";

const struct measure_fleet measure_fleets[MEASURE_FLEET_NAMES] = {
    [MEASURE_FLEET_RUNS] = {PREFIX "runs", MEASURE_NUMBER, false, "number of runs", no_runs},
    [MEASURE_FLEET_GROUPS] = {PREFIX "groups", MEASURE_NUMBER, false, "number of groups", no_runs},
    [MEASURE_FLEET_FAILED] = {PREFIX "failed", MEASURE_NUMBER, false, "failed runs", no_runs},
    [MEASURE_FLEET_OOM_KILLS] = {PREFIX "oom_kills", MEASURE_NUMBER, false,
                                 "runs killed because memory ran out", no_runs},
    [MEASURE_FLEET_CPU_EFFICIENCY] = {PREFIX "cpu_efficiency", MEASURE_NUMBER, true,
                                      "CPU efficiency of all runs", not_asked},
    [MEASURE_FLEET_MEMORY_EFFICIENCY] = {PREFIX "memory_efficiency", MEASURE_NUMBER, true,
                                         "memory efficiency of all runs", not_asked},
    [MEASURE_FLEET_GPU_EFFICIENCY] = {PREFIX "gpu_efficiency", MEASURE_NUMBER, true,
                                      "GPU efficiency of all runs", not_asked},
    [MEASURE_FLEET_UNUSED_CORE_HOURS] = {PREFIX "unused_core_hours", MEASURE_NUMBER, false,
                                         "unused core-hours", not_asked},
    [MEASURE_FLEET_UNUSED_GIB_HOURS] = {PREFIX "unused_gib_hours", MEASURE_NUMBER, false,
                                        "unused GiB-hours", not_asked},
    [MEASURE_FLEET_UNUSED_GPU_HOURS] = {PREFIX "unused_gpu_hours", MEASURE_NUMBER, false,
                                        "unused GPU-hours", not_asked},
    [MEASURE_FLEET_MONEY] = {PREFIX "money", MEASURE_MONEY, false, "cost of all runs", no_price},
    [MEASURE_FLEET_RECOVERABLE] = {PREFIX "recoverable", MEASURE_MONEY, false, "recoverable money",
                                   no_price},
    [MEASURE_FLEET_BACKTEST_FAILED] = {PREFIX "backtest_failed", MEASURE_NUMBER, true,
                                       "failures in the back-test", no_trial},
    [MEASURE_FLEET_BACKTEST_WASTED] = {PREFIX "backtest_wasted", MEASURE_NUMBER, false,
                                       "GiB-hours wasted in the back-test", no_trial},
};

static bool is_name(size_t i, const char *name, size_t n)
{
	return strlen(measure_fleets[i].name) == n && memcmp(measure_fleets[i].name, name, n) == 0;
}

/* "memory_efficiency" is as near as "fleet.memory_efficiency". */
static const char *nearest_of_fleet(const char *name, size_t n)
{
	size_t least = n / 2 + 1 < EDIT_DISTANCE_FAR ? n / 2 + 1 : EDIT_DISTANCE_FAR;
	const char *best = NULL;

	for (size_t i = 0; i < MEASURE_FLEET_NAMES; i++) {
		size_t whole = edit_distance(name, n, measure_fleets[i].name);
		size_t bare = edit_distance(name, n, measure_fleets[i].name + PREFIX_LEN);
		size_t d = whole < bare ? whole : bare;
		if (d >= least)
			continue;
		least = d;
		best = measure_fleets[i].name;
	}
	return best;
}

static bool is_of_fleet(const char *name, size_t n)
{
	for (size_t i = 0; i < MEASURE_FLEET_NAMES; i++)
		if (is_name(i, name, n))
			return true;
	return false;
}

int measure_find_fleet(const char *name, size_t n, enum measure_fleet_name *out, struct err *e)
{
	const char *near;

	for (size_t i = 0; i < MEASURE_FLEET_NAMES; i++)
		if (is_name(i, name, n)) {
			*out = (enum measure_fleet_name)i;
			return 0;
		}
	near = nearest_of_fleet(name, n);
	if (near)
		return err_set(e, "rtrack-fleet has no statistic \"%.*s\"; did you mean %s?",
		               (int)n, name, near);
	return err_set(
	    e, "rtrack-fleet has no statistic \"%.*s\", but fleet.memory_efficiency and others",
	    (int)n, name);
}

/* -- of one run -------------------------------------------------------------------------------- */

/* "time_at_4cpus", "time_at_1cpu". */
static bool find_time_at(const char *name, size_t n, struct measure *out)
{
	static const char begin[] = "time_at_";
	const size_t from = sizeof begin - 1;
	size_t digits = 0;
	double cpus = 0;

	if (n <= from || memcmp(name, begin, from) != 0)
		return false;
	for (; from + digits < n && name[from + digits] >= '0' && name[from + digits] <= '9';
	     digits++)
		cpus = cpus * 10 + (name[from + digits] - '0');
	name += from + digits;
	n -= from + digits;
	*out = (struct measure){.kind = MEASURE_TIME_AT, .of = ASKED_TIME, .cpus = cpus};
	return digits && cpus >= 1 && cpus <= TIME_AT_WIDEST && (n == 3 || n == 4) &&
	       memcmp(name, "cpus", n) == 0;
}

int measure_find(const char *name, size_t n, struct measure *out, struct err *e)
{
	char one[NAME_MAX_LEN];

	if (find_time_at(name, n, out))
		return 0;

	for (size_t i = 0; nth_measure(i, one, out); i++)
		if (is_amount(out) && strlen(one) == n && memcmp(one, name, n) == 0)
			return 0;
	if (is_of_fleet(name, n))
		return err_set(e, "%.*s is a statistic of many runs, and needs rtrack-fleet",
		               (int)n, name);
	nearest_measure(name, n, is_amount, one);
	if (*one)
		return err_set(e, "there is no statistic \"%.*s\"; did you mean %s?", (int)n, name,
		               one);
	return err_set(e, "there is no statistic \"%.*s\" (--list-metrics lists the columns)",
	               (int)n, name);
}

bool measure_is(const struct measure *m, const char *name)
{
	struct measure other;

	return !measure_find(name, strlen(name), &other, NULL) && m->kind == other.kind &&
	       (m->kind != MEASURE_OF_COLUMN || (m->id == other.id && m->stat == other.stat));
}

/* The peak of a level in bytes. */
static bool can_grow(const struct measure *m)
{
	return m->kind == MEASURE_OF_COLUMN && m->stat == MEASURE_MAX &&
	       measure_unit(m) == MEASURE_BYTES && metrics[m->id].kind == METRIC_KIND_GAUGE;
}

/* The bytes of a name that are its column. */
static size_t before_point(const char *name, size_t n)
{
	const char *point = memchr(name, '.', n);

	return point ? (size_t)(point - name) : n;
}

int measure_find_growth(const char *name, size_t n, struct measure *out, struct err *e)
{
	const size_t column = before_point(name, n);
	char text[NAME_MAX_LEN], near[NAME_MAX_LEN];
	int len = snprintf(text, sizeof text, "%.*s.max", n < NAME_MAX_LEN ? (int)column : 0, name);

	if (measure_find(text, (size_t)len, out, NULL)) {
		nearest_measure(text, (size_t)len, can_grow, near);
		if (*near)
			return err_set(e, "there is no column \"%.*s\"; did you mean %.*s?", (int)n,
			               name, (int)before_point(near, strlen(near)), near);
		return err_set(e, "there is no column \"%.*s\" (--list-metrics lists them)", (int)n,
		               name);
	}
	if (!can_grow(out))
		return err_set(e, "growth is of a level in bytes, such as process_memory");
	if (column < n)
		return err_set(e, "growth is of a column: growth(%.*s)", (int)column, name);
	out->kind = MEASURE_GROWTH;
	return 0;
}

enum measure_unit measure_unit(const struct measure *m)
{
	static const enum measure_unit units[] = {
	    [METRIC_UNIT_TIME] = MEASURE_SECONDS, [METRIC_UNIT_SECONDS] = MEASURE_SECONDS,
	    [METRIC_UNIT_MEMORY] = MEASURE_BYTES, [METRIC_UNIT_VRAM] = MEASURE_BYTES,
	    [METRIC_UNIT_SPACE] = MEASURE_BYTES,  [METRIC_UNIT_BYTES] = MEASURE_BYTES,
	    [METRIC_UNIT_CORES] = MEASURE_NUMBER, [METRIC_UNIT_GPUS] = MEASURE_NUMBER,
	    [METRIC_UNIT_COUNT] = MEASURE_NUMBER, [METRIC_UNIT_SHARE] = MEASURE_NUMBER,
	    [METRIC_UNIT_LOAD] = MEASURE_NUMBER,
	};

	for (size_t i = 0; i < OTHERS; i++)
		if (is_other(m, i))
			return others[i].unit;
	if (m->kind == MEASURE_OF_FLEET)
		return measure_fleets[m->fleet].unit;
	if (m->kind == MEASURE_STATE)
		return MEASURE_NUMBER;
	if (m->kind == MEASURE_TIME_AT)
		return MEASURE_SECONDS;
	if (m->kind == MEASURE_GROWTH)
		return MEASURE_BYTES_HOUR;
	return units[metrics[m->id].unit];
}

void measure_label(const struct measure *m, struct buf *out)
{
	static const char *const words[MEASURE_STATS] = {"lowest",
	                                                 "peak",
	                                                 "mean",
	                                                 "total",
	                                                 "standard deviation of",
	                                                 "median",
	                                                 "95th percentile of"};
	const char *label;
	bool small;

	for (size_t i = 0; i < OTHERS; i++)
		if (is_other(m, i)) {
			buf_str(out, others[i].label);
			return;
		}
	if (m->kind == MEASURE_STATE) {
		buf_printf(out, "s%s", of_states[m->state].label + 1);
		return;
	}
	if (m->kind == MEASURE_TIME_AT) {
		buf_printf(out, "time with %g free CPU%s", m->cpus, m->cpus == 1 ? "" : "s");
		return;
	}
	if (m->kind == MEASURE_OF_FLEET) {
		buf_str(out, measure_fleets[m->fleet].label);
		return;
	}
	label = metrics[m->id].label;
	small = label[1] >= 'a' && label[1] <= 'z'; /* "Memory", and not "CPU" */
	buf_printf(out, "%s %c%s%s", m->kind == MEASURE_GROWTH ? "growth of" : words[m->stat],
	           label[0] | (small ? 0x20 : 0), label + 1,
	           metrics[m->id].scope == METRIC_SCOPE_SYSTEM ? " of the machine" : "");
}

/* Documented columns hold 0 where there is no GPU. */
static bool without_gpu(const struct run *run, enum metric_id id)
{
	return metric_is_of_gpus(&metrics[id]) && !(snapshot_gpus(&run->snapshot) > 0) &&
	       !(load_stats(run, id)->max > 0);
}

static double column_stat(const struct stats *s, enum measure_stat stat)
{
	switch (stat) {
	case MEASURE_MIN:
		return s->min;
	case MEASURE_MAX:
		return s->max;
	case MEASURE_MEAN:
		return s->mean;
	case MEASURE_SUM:
		return s->sum;
	case MEASURE_SD:
		return s->sd;
	case MEASURE_P50:
		return s->p50;
	case MEASURE_P95:
		return s->p95;
	case MEASURE_STATS:
		break;
	}
	return NAN;
}

static double time_with(const struct run *run, double cpus)
{
	struct time_at t;

	return time_at_run(run, &t) ? time_at_free_cpus(&t, cpus).s : (double)NAN;
}

/* Bytes an hour; what grew unevenly counts as no growth. */
static double straight_growth(const struct run *run, enum metric_id id)
{
	struct growth g = growth_of_column(run, id);

	if (g.kind == GROWTH_UNKNOWN)
		return NAN;
	return g.kind == GROWTH_STRAIGHT ? g.per_s * 3600 : 0;
}

static double contended(const struct run *run)
{
	return contention_run(run).known ? contention_run_is(run) : (double)NAN;
}

bool measure_follows_load(const struct measure *m)
{
	switch (m->kind) {
	case MEASURE_OF_COLUMN:
		return trend_metric_follows_load(m->id);
	case MEASURE_EFFICIENCY:
		return m->of != ASKED_MEMORY;
	case MEASURE_SAMPLED_MEMORY:
	case MEASURE_CPU_SECONDS:
	case MEASURE_GROWTH:
	case MEASURE_CONTENDED:
		return false;
	default:
		return true;
	}
}

double measure_value(const struct measure *m, const struct run *run, double price_hour)
{
	switch (m->kind) {
	case MEASURE_OF_COLUMN:
		if (without_gpu(run, m->id))
			return NAN;
		return column_stat(load_stats(run, m->id), m->stat);
	case MEASURE_DURATION:
		return run->duration;
	case MEASURE_SAMPLED_DURATION:
		return run->sampled_duration;
	case MEASURE_SAMPLED_MEMORY:
		return run->memory_sampled_b;
	case MEASURE_CPU_SECONDS:
		return usage_cpu_seconds(run);
	case MEASURE_COST:
		return cost_run(price_hour, run->duration) * (double)parts_all_nodes(run);
	case MEASURE_EFFICIENCY:
		return asked_of(run, m->of).efficiency;
	case MEASURE_STATE:
		return state_use_of_run(run, m->state);
	case MEASURE_TIME_AT:
		return time_with(run, m->cpus);
	case MEASURE_GROWTH:
		return straight_growth(run, m->id);
	case MEASURE_CONTENDED:
		return contended(run);
	case MEASURE_OF_FLEET:
		break;
	}
	return NAN;
}

double measure_asked(const struct measure *m, const struct run *run)
{
	if (m->kind == MEASURE_EFFICIENCY || m->of == ASKED_RESOURCES)
		return NAN;
	return asked_of(run, m->of).amount;
}

static double lesser_known(double a, double b)
{
	return isnan(a) || b < a ? b : a;
}

double measure_limit(const struct measure *m, const struct run *run)
{
	const struct snapshot *s = &run->snapshot;

	if (m->kind != MEASURE_OF_COLUMN || m->stat == MEASURE_SUM || m->stat == MEASURE_SD)
		return NAN;
	switch (metrics[m->id].unit) {
	case METRIC_UNIT_CORES:
		return metrics[m->id].scope == METRIC_SCOPE_SYSTEM
		           ? s->server.vcpus
		           : lesser_known(s->limits.cpus, s->server.vcpus);
	case METRIC_UNIT_MEMORY:
		/* Without a limit, the job is not stopped before the machine is full, with what
		 * others use of it. */
		if (metrics[m->id].scope == METRIC_SCOPE_SYSTEM)
			return s->server.memory_b;
		return isnan(s->limits.memory_b)
		           ? (double)NAN
		           : lesser_known(s->server.memory_b, s->limits.memory_b);
	case METRIC_UNIT_VRAM:
		return snapshot_gpus_memory(s) > 0 ? snapshot_gpus_memory(s) : NAN;
	case METRIC_UNIT_GPUS:
		return snapshot_gpus(s) > 0 ? snapshot_gpus(s) : NAN;
	default:
		return NAN;
	}
}
