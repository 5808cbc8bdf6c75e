/* model_gpu_tracker: the result dictionary of the Python package gpu_tracker. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/quantity.h"
#include "core/head/overview.h"
#include "core/recording/elapsed.h"
#include "report/model/gpu_brand.h"
#include "report/model/model_views.h"
#include "report/stats/memory_peak.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"

enum group { MAIN, DESCENDANTS, COMBINED, GROUPS };

static const char *const group_key[GROUPS] = {"main", "descendants", "combined"};

/* Peak and mean over the run; NAN if not measured. */
struct max_mean {
	double max, mean;
};

struct view {
	const struct run *run;
	const struct view_options *o;
	double ram, gpu_ram, time; /* size of the units, in bytes and seconds */
	double cores, expected;    /* NAN: unknown */
	double gpus, chosen;
	struct max_mean cpu[GROUPS], cpu_system, gpu;
	struct max_mean rss[3][GROUPS]; /* all, private, shared */
	struct max_mean threads[GROUPS], vram[GROUPS];
	double ram_capacity, ram_system, vram_capacity, vram_system;
};

/* gpu_tracker's defaults. */
#define RAM_UNIT  "gigabytes"
#define TIME_UNIT "hours"

static const char *option_or_default(const char *asked, const char *otherwise)
{
	return asked ? asked : otherwise;
}

/* The bytes or seconds of a unit that the options know. */
static double unit_size(const char *name)
{
	static const struct {
		const char *name;
		double size;
	} units[] = {
	    {"terabytes", 1e12},
	    {"gigabytes", 1e9},
	    {"megabytes", 1e6},
	    {"kilobytes", 1e3},
	    {"days", QUANTITY_DAY_S},
	    {"hours", QUANTITY_HOUR_S},
	    {"minutes", QUANTITY_MINUTE_S},
	};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].name, name) == 0)
			return units[i].size;
	return 1;
}

/* -- measuring --------------------------------------------------------------------------------- */

static struct max_mean column_max_mean(const struct run *run, enum metric_id id)
{
	return (struct max_mean){run->stats[id].max, run->stats[id].mean};
}

static const struct overview_difference *difference_in_overview(const struct run *run,
                                                                enum metric_id all,
                                                                enum metric_id part)
{
	const struct overview *o = run->snapshot.overview;

	for (size_t i = 0; o && i < o->n_differences; i++)
		if (o->difference[i].all == all && o->difference[i].part == part)
			return &o->difference[i];
	return NULL;
}

/* Sums over rows, for a peak and a mean over time. */
struct max_mean_sum {
	double max, sum, time; /* max: NAN before the first value */
};

static void add_to_max_mean(struct max_mean_sum *s, double v, double seconds)
{
	if (isnan(v))
		return;
	s->max = !(v <= s->max) ? v : s->max;
	s->sum += v * seconds;
	s->time += seconds;
}

static struct max_mean max_mean_of(const struct max_mean_sum *s)
{
	return (struct max_mean){s->max, s->time > 0 ? s->sum / s->time : (double)NAN};
}

/* Peak and mean of all − part, computed row by row: their peaks may be at different times. */
static struct max_mean difference_max_mean(const struct run *run, enum metric_id all,
                                           enum metric_id part)
{
	const struct overview_difference *known = difference_in_overview(run, all, part);
	const struct frame *f = &run->snapshot.rows[metrics[all].scope];
	const double *a = frame_col(f, all), *p = frame_col(f, part);
	const struct elapsed_rows rows = elapsed_rows(&run->snapshot, metrics[all].scope);
	struct max_mean_sum sum = {.max = NAN};

	if (known)
		return (struct max_mean){known->max, known->mean};
	for (size_t i = 0; a && p && i < f->rows; i++)
		add_to_max_mean(&sum, a[i] < p[i] ? 0 : a[i] - p[i], elapsed_at(&rows, i));
	frame_rest(f);
	return max_mean_of(&sum);
}

static void group_max_mean(const struct run *run, enum metric_id main, enum metric_id all,
                           struct max_mean out[GROUPS])
{
	out[MAIN] = column_max_mean(run, main);
	out[DESCENDANTS] = difference_max_mean(run, all, main);
	out[COMBINED] = column_max_mean(run, all);
	if (usage_is_partial(run))
		out[DESCENDANTS] = out[COMBINED] = (struct max_mean){NAN, NAN};
}

bool model_gpu_tracker_needs_rows(const struct run *run)
{
	for (size_t i = 0; i < OVERVIEW_PAIRS; i++) {
		enum metric_id all = overview_pairs[i].all, part = overview_pairs[i].part;
		if (run->stats[all].n && run->stats[part].n &&
		    !difference_in_overview(run, all, part))
			return true;
	}
	return false;
}

/* -- GPUs -------------------------------------------------------------------------------------- */

/* Whether word is the UUID or the brand of a GPU. */
static bool is_gpu(const struct snapshot_gpu *g, const char *word)
{
	return strcmp(g->uuid, word) == 0 || strcasecmp(gpu_brand(g), word) == 0;
}

static bool list_has_gpu(const struct opts_list *list, const struct snapshot_gpu *g)
{
	for (size_t i = 0; i < list->n; i++)
		if (is_gpu(g, list->v[i]))
			return true;
	return false;
}

static bool recording_has_gpu(const struct snapshot *s, const char *word)
{
	for (size_t i = 0; i < s->n_gpus; i++)
		if (is_gpu(&s->gpus[i], word))
			return true;
	return false;
}

static int unknown_gpu(const struct snapshot *s, const char *word, struct err *e)
{
	struct buf known = {0};

	for (size_t i = 0; i < s->n_gpus && i < 16; i++)
		buf_printf(&known, "%s%.64s", i ? ", " : "", s->gpus[i].uuid);
	if (!known.len)
		err_set(e, "--gpu %.128s: the recording has no GPU", word);
	else
		err_set(e, "--gpu %.128s: the recording has no such GPU; it has: %s", word,
		        buf_cstr(&known));
	buf_free(&known);
	return -1;
}

static int check_chosen_gpus(const struct view *v, struct err *e)
{
	const struct opts_list *list = &v->o->gpus;

	for (size_t i = 0; i < list->n; i++)
		if (!recording_has_gpu(&v->run->snapshot, list->v[i]))
			return unknown_gpu(&v->run->snapshot, list->v[i], e);
	return 0;
}

/* The sum of the chosen GPUs' usage in a row; NAN if none of them was measured. */
static double gpu_row_sum(const double *const *at, size_t n, size_t row)
{
	double sum = NAN;

	for (size_t i = 0; i < n; i++)
		if (!isnan(at[i][row]))
			sum = isnan(sum) ? at[i][row] : sum + at[i][row];
	return sum;
}

/* Peak and mean of that sum over the rows: the GPUs' peaks may be at different times. */
static struct max_mean gpu_sum_max_mean(const struct snapshot *s, const double *const *at, size_t n)
{
	const struct frame *f = &s->rows[METRIC_SCOPE_SYSTEM];
	const struct elapsed_rows rows = elapsed_rows(s, METRIC_SCOPE_SYSTEM);
	struct max_mean_sum sum = {.max = NAN};

	for (size_t i = 0; i < f->rows; i++)
		add_to_max_mean(&sum, gpu_row_sum(at, n, i), elapsed_at(&rows, i));
	frame_rest(f);
	return max_mean_of(&sum);
}

/* Peak and mean usage of the chosen GPUs; *n is their number. GPU i of the recording has column i.
 * If one of them has no column (more than METRIC_GPUS GPUs, or missing rows), the means over the
 * whole run are added up, and the peak of the sum is known only for a single GPU. */
static struct max_mean chosen_gpus_max_mean(const struct view *v, size_t *n)
{
	const struct snapshot *s = &v->run->snapshot;
	const struct frame *f = &s->rows[METRIC_SCOPE_SYSTEM];
	const double *at[METRIC_GPUS];
	struct max_mean x = {0, 0};
	size_t columns = 0;

	*n = 0;
	for (size_t i = 0; i < s->n_gpus; i++) {
		const double *col;
		if (!list_has_gpu(&v->o->gpus, &s->gpus[i]))
			continue;
		col = i < METRIC_GPUS ? frame_col(f, metric_gpu_usage(i)) : NULL;
		if (col)
			at[columns++] = col;
		x.max = *n ? NAN : s->gpus[i].utilisation_max;
		x.mean += s->gpus[i].utilisation_mean;
		++*n;
	}
	return *n && columns == *n ? gpu_sum_max_mean(s, at, columns) : x;
}

static void measure_gpus(struct view *v)
{
	const struct run *run = v->run;
	double counted = snapshot_gpus(&run->snapshot);
	size_t n = 0;

	v->gpus = run->snapshot.server.gpu_count;
	if (v->gpus == 0) { /* gpu_tracker writes 0 for everything then */
		memset(v->vram, 0, sizeof v->vram);
		return;
	}
	group_max_mean(run, METRIC_PROCESS_MAIN_GPU_VRAM, METRIC_PROCESS_GPU_VRAM, v->vram);
	/* The sum over the GPUs is in bytes; the machine's total is rounded to MiB. */
	v->vram_capacity = v->gpus == counted ? snapshot_gpus_memory(&run->snapshot)
	                                      : run->snapshot.server.gpu_memory_b;
	/* The use of all GPUs, as the capacity is; rtrack-collect --gpu may have left some out. */
	v->vram_system = v->gpus == counted ? run->stats[METRIC_SYSTEM_GPU_VRAM].max : (double)NAN;
	v->gpu = column_max_mean(run, METRIC_SYSTEM_GPU_USAGE);
	v->chosen = counted;
	if (!v->o->gpus.n)
		return;
	struct max_mean chosen = chosen_gpus_max_mean(v, &n);
	v->chosen = (double)n;
	if (v->chosen != counted)
		v->gpu = chosen;
}

/* The peak of a process may have been between two samples. The command alone had it where there was
 * nothing else. */
static void raise_rss(const struct run *run, struct max_mean rss[GROUPS])
{
	double peak = memory_peak_rss(run);

	if (!(peak > rss[COMBINED].max))
		return;
	rss[COMBINED].max = peak;
	if (rss[DESCENDANTS].max == 0)
		rss[MAIN].max = peak;
}

static void measure_run(struct view *v)
{
	const struct run *run = v->run;

	group_max_mean(run, METRIC_PROCESS_MAIN_RSS, METRIC_PROCESS_RSS, v->rss[0]);
	raise_rss(run, v->rss[0]);
	group_max_mean(run, METRIC_PROCESS_MAIN_RSS_PRIVATE, METRIC_PROCESS_RSS_PRIVATE, v->rss[1]);
	group_max_mean(run, METRIC_PROCESS_MAIN_RSS_SHARED, METRIC_PROCESS_RSS_SHARED, v->rss[2]);
	group_max_mean(run, METRIC_PROCESS_MAIN_CPU_USAGE, METRIC_PROCESS_CPU_USAGE, v->cpu);
	group_max_mean(run, METRIC_PROCESS_MAIN_THREADS, METRIC_PROCESS_THREADS, v->threads);
	v->cpu_system = column_max_mean(run, METRIC_SYSTEM_CPU_USAGE);
	v->ram_capacity = run->snapshot.server.memory_b;
	v->ram_system = run->stats[METRIC_SYSTEM_MEMORY_USED].max;
	v->cores = run->snapshot.server.vcpus;
	v->expected = v->o->expected_cores ? (double)v->o->expected_cores : v->cores;
	measure_gpus(v);
}

/* -- the dictionary ---------------------------------------------------------------------------- */

static void add_max_ram(cJSON *parent, const struct view *v)
{
	static const char *const key[] = {"total_rss", "private_rss", "shared_rss"};
	cJSON *ram = cJSON_AddObjectToObject(parent, "max_ram");

	cJSON_AddStringToObject(ram, "unit", option_or_default(v->o->ram_unit, RAM_UNIT));
	model_json_number(ram, "system_capacity", v->ram_capacity / v->ram);
	model_json_number(ram, "system", v->ram_system / v->ram);
	for (int group = 0; group < GROUPS; group++) {
		cJSON *one = cJSON_AddObjectToObject(ram, group_key[group]);
		for (int part = 0; part < 3; part++)
			model_json_number(one, key[part], v->rss[part][group].max / v->ram);
	}
}

static void add_max_gpu_ram(cJSON *parent, const struct view *v)
{
	cJSON *ram = cJSON_AddObjectToObject(parent, "max_gpu_ram");

	cJSON_AddStringToObject(ram, "unit", option_or_default(v->o->gpu_ram_unit, RAM_UNIT));
	model_json_number(ram, "system_capacity", v->vram_capacity / v->gpu_ram);
	model_json_number(ram, "system", v->vram_system / v->gpu_ram);
	for (int group = 0; group < GROUPS; group++)
		model_json_number(ram, group_key[group], v->vram[group].max / v->gpu_ram);
}

/* Percent of so many units; 0 if there are none. */
static double percent_of_units(double busy, double units)
{
	return units == 0 ? 0 : 100 * busy / units;
}

static void add_percentages(cJSON *parent, const char *key, const struct max_mean *x, double units)
{
	cJSON *p = cJSON_AddObjectToObject(parent, key);

	model_json_number(p, "max_sum_percent", 100 * x->max);
	model_json_number(p, "max_hardware_percent", percent_of_units(x->max, units));
	model_json_number(p, "mean_sum_percent", 100 * x->mean);
	model_json_number(p, "mean_hardware_percent", percent_of_units(x->mean, units));
}

static void add_cpu_utilization(cJSON *parent, const struct view *v)
{
	cJSON *cpu = cJSON_AddObjectToObject(parent, "cpu_utilization");
	char key[32];

	model_json_number(cpu, "system_core_count", v->cores);
	model_json_number(cpu, "n_expected_cores", v->expected);
	add_percentages(cpu, "system", &v->cpu_system, v->cores);
	for (int group = 0; group < GROUPS; group++)
		add_percentages(cpu, group_key[group], &v->cpu[group], v->expected);
	for (int group = 0; group < GROUPS; group++) {
		snprintf(key, sizeof key, "%s_n_threads", group_key[group]);
		model_json_number(cpu, key, v->threads[group].max);
	}
}

static void add_gpu_utilization(cJSON *parent, const struct view *v)
{
	cJSON *gpu = cJSON_AddObjectToObject(parent, "gpu_utilization");

	model_json_number(gpu, "system_gpu_count", v->gpus);
	model_json_number(gpu, "n_expected_gpus", v->chosen);
	add_percentages(gpu, "gpu_percentages", &v->gpu, v->chosen);
}

/* -- the same as a table of texts -------------------------------------------------------------- */

static void add_table_cell(cJSON *row, const char *key, double v, bool bytes)
{
	char text[64];

	if (!isfinite(v))
		snprintf(text, sizeof text, "–");
	else if (bytes)
		units_text(UNIT_BYTES, v, NULL, text);
	else /* + 0.0: zero has no sign */
		snprintf(text, sizeof text, fabs(v) < 1000 || fabs(v) >= 1e15 ? "%.4g" : "%.0f",
		         v + 0.0);
	cJSON_AddStringToObject(row, key, text);
}

/* NAN: not measured. A row without any value is left out. */
static void add_table_row(cJSON *table, const char *label, double system, const double of[GROUPS],
                          bool bytes)
{
	cJSON *row;

	if (isnan(system) && isnan(of[MAIN]) && isnan(of[DESCENDANTS]) && isnan(of[COMBINED]))
		return;
	row = model_json_row(table);
	cJSON_AddStringToObject(row, "label", label);
	for (int group = 0; group < GROUPS; group++)
		add_table_cell(row, group_key[group], of[group], bytes);
	add_table_cell(row, "system", system, bytes);
}

/* Each group has its mean, or its peak, in units. */
static void add_group_row(cJSON *table, const char *label, double system, const struct max_mean *x,
                          double unit, bool mean)
{
	double of[GROUPS];

	for (int group = 0; group < GROUPS; group++)
		of[group] = (mean ? x[group].mean : x[group].max) / unit;
	add_table_row(table, label, system, of, false);
}

/* Peaks of memory, in the unit of the option, else with binary units as in the whole report. */
static void add_memory_row(cJSON *table, const char *what, double system, const struct max_mean *x,
                           const char *asked)
{
	double unit = asked ? unit_size(asked) : 1, of[GROUPS];
	char label[80];

	snprintf(label, sizeof label, asked ? "%s, peak (%s)" : "%s, peak", what, asked);
	for (int group = 0; group < GROUPS; group++)
		of[group] = x[group].max / unit;
	add_table_row(table, label, system / unit, of, !asked);
}

static void add_table(cJSON *parent, const struct view *v)
{
	static const char *const part[] = {"RSS", "RSS, private", "RSS, shared"};
	cJSON *table = cJSON_AddArrayToObject(parent, "table");
	const double nothing[GROUPS] = {NAN, NAN, NAN},
		     time[GROUPS] = {NAN, NAN, v->run->duration / v->time};
	const struct max_mean *all = &v->cpu_system;
	char label[80];

	for (int i = 0; i < 3; i++)
		add_memory_row(table, part[i], i ? NAN : v->ram_system, v->rss[i], v->o->ram_unit);
	if (v->gpus > 0)
		add_memory_row(table, "GPU memory", v->vram_system, v->vram, v->o->gpu_ram_unit);
	add_group_row(table, "CPU, mean (% of one core)", 100 * all->mean, v->cpu, 0.01, true);
	add_group_row(table, "CPU, peak (% of one core)", 100 * all->max, v->cpu, 0.01, false);
	if (v->expected > 0) {
		snprintf(label, sizeof label, "CPU, mean (%% of %.0f cores)", v->expected);
		add_group_row(table, label, percent_of_units(all->mean, v->cores), v->cpu,
		              v->expected / 100, true);
	}
	add_group_row(table, "Threads, peak", NAN, v->threads, 1, false);
	if (v->chosen > 0) {
		snprintf(label, sizeof label, "GPU, mean (%% of %.0f GPU%s)", v->chosen,
		         v->chosen == 1 ? "" : "s");
		add_table_row(table, label, percent_of_units(v->gpu.mean, v->chosen), nothing,
		              false);
	}
	/* Without --time-unit this would repeat the duration, which "usage" already shows. */
	if (v->o->time_unit) {
		snprintf(label, sizeof label, "Time (%s)", v->o->time_unit);
		add_table_row(table, label, NAN, time, false);
	}
}

int model_gpu_tracker_add(cJSON *model, const struct run *run, const struct view_options *o,
                          struct err *e)
{
	struct view v = {.run = run,
	                 .o = o,
	                 .ram = unit_size(option_or_default(o->ram_unit, RAM_UNIT)),
	                 .gpu_ram = unit_size(option_or_default(o->gpu_ram_unit, RAM_UNIT)),
	                 .time = unit_size(option_or_default(o->time_unit, TIME_UNIT))};
	cJSON *t, *time;

	if (check_chosen_gpus(&v, e))
		return -1;
	measure_run(&v);
	t = cJSON_AddObjectToObject(model, "gpu_tracker");
	add_max_ram(t, &v);
	add_max_gpu_ram(t, &v);
	add_cpu_utilization(t, &v);
	add_gpu_utilization(t, &v);
	time = cJSON_AddObjectToObject(t, "compute_time");
	cJSON_AddStringToObject(time, "unit", option_or_default(o->time_unit, TIME_UNIT));
	model_json_number(time, "time", run->duration / v.time);
	add_table(t, &v);
	return 0;
}
