/* model_gpu_tracker: the run as the Python package gpu_tracker sums it up. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/elapsed.h"
#include "report/model/model_views.h"
#include "report/units/model_json.h"

enum who { MAIN, DESCENDANTS, COMBINED, WHO };

static const char *const who_key[WHO] = {"main", "descendants", "combined"};

/* What one column comes to. NAN where not measured. */
struct extent {
	double max, mean;
};

struct view {
	const struct run *run;
	const struct view_options *o;
	double ram, gpu_ram, time; /* what a unit comes to in bytes and seconds */
	double cores, expected;    /* NAN: not known */
	double gpus, chosen;
	struct extent cpu[WHO], cpu_system, gpu;
	struct extent rss[3][WHO]; /* all, private, shared */
	struct extent threads[WHO], vram[WHO];
	double ram_capacity, ram_system, vram_capacity, vram_system;
};

/* gpu_tracker's own. */
#define RAM_UNIT  "gigabytes"
#define TIME_UNIT "hours"

static const char *or_else(const char *asked, const char *otherwise)
{
	return asked ? asked : otherwise;
}

static double memory_unit(const char *name)
{
	return strcmp(name, "terabytes") == 0   ? 1e12
	       : strcmp(name, "gigabytes") == 0 ? 1e9
	       : strcmp(name, "megabytes") == 0 ? 1e6
	       : strcmp(name, "kilobytes") == 0 ? 1e3
	                                        : 1;
}

static double time_unit(const char *name)
{
	return strcmp(name, "days") == 0      ? 86400
	       : strcmp(name, "hours") == 0   ? 3600
	       : strcmp(name, "minutes") == 0 ? 60
	                                      : 1;
}

/* -- measuring --------------------------------------------------------------------------------- */

static struct extent of_column(const struct run *run, enum metric_id id)
{
	return (struct extent){run->stats[id].max, run->stats[id].mean};
}

/* Of all − part, row by row: their peaks need not fall together. */
static struct extent of_difference(const struct run *run, enum metric_id all, enum metric_id part)
{
	const struct frame *f = &run->snapshot.rows[metrics[all].scope];
	const double *a = frame_col(f, all), *p = frame_col(f, part);
	struct extent x = {NAN, NAN};
	const struct elapsed_rows rows = elapsed_rows(&run->snapshot, metrics[all].scope);
	double sum = 0, time = 0;

	for (size_t i = 0; a && p && i < f->rows; i++) {
		double v = a[i] - p[i], seconds = elapsed_at(&rows, i);
		if (isnan(v))
			continue;
		v = v > 0 ? v : 0;
		x.max = !(v <= x.max) ? v : x.max;
		sum += v * seconds;
		time += seconds;
	}
	frame_rest(f);
	x.mean = time > 0 ? sum / time : NAN;
	return x;
}

static void of_all(const struct run *run, enum metric_id main, enum metric_id all,
                   struct extent out[WHO])
{
	out[MAIN] = of_column(run, main);
	out[DESCENDANTS] = of_difference(run, all, main);
	out[COMBINED] = of_column(run, all);
}

/* -- GPUs -------------------------------------------------------------------------------------- */

static bool lists(const struct opts_list *list, const char *uuid)
{
	size_t n = strlen(uuid);

	for (size_t i = 0; i < list->n; i++)
		for (const char *p = list->v[i]; *p; p += *p == ',') {
			size_t len = strcspn(p, ",");
			if (n && len == n && memcmp(p, uuid, n) == 0)
				return true;
			p += len;
		}
	return false;
}

static bool is_known(const struct snapshot *s, const char *uuid, size_t n)
{
	for (size_t i = 0; i < s->n_gpus; i++)
		if (strlen(s->gpus[i].uuid) == n && memcmp(s->gpus[i].uuid, uuid, n) == 0)
			return true;
	return false;
}

static int unknown_gpu(const struct snapshot *s, const char *uuid, size_t n, struct err *e)
{
	struct buf known = {0};

	for (size_t i = 0; i < s->n_gpus && i < 16; i++)
		buf_printf(&known, "%s%.64s", i ? ", " : "", s->gpus[i].uuid);
	if (!known.len)
		err_set(e, "--gpu %.*s: the recording knows no GPU", (int)n, uuid);
	else
		err_set(e, "--gpu %.*s: the recording has no such GPU, but: %s", (int)n, uuid,
		        buf_cstr(&known));
	buf_free(&known);
	return -1;
}

static int check_gpus(const struct view *v, struct err *e)
{
	const struct opts_list *list = &v->o->gpus;
	const struct snapshot *s = &v->run->snapshot;

	for (size_t i = 0; i < list->n; i++)
		for (const char *p = list->v[i];; p++) {
			size_t n = strcspn(p, ",");
			if (!is_known(s, p, n))
				return unknown_gpu(s, p, n > 128 ? 128 : n, e);
			p += n;
			if (!*p)
				break;
		}
	return 0;
}

/* The sum of the chosen GPUs' usage in a row; NAN where none of them was measured. */
static double sum_of_row(const double *const *at, size_t n, size_t row)
{
	double sum = NAN;

	for (size_t i = 0; i < n; i++)
		if (!isnan(at[i][row]))
			sum = isnan(sum) ? at[i][row] : sum + at[i][row];
	return sum;
}

/* The peak and the mean of that sum over the rows, whose peaks need not fall together. */
static struct extent of_sum(const struct snapshot *s, const double *const *at, size_t n)
{
	const struct frame *f = &s->rows[METRIC_SCOPE_SYSTEM];
	const struct elapsed_rows rows = elapsed_rows(s, METRIC_SCOPE_SYSTEM);
	struct extent x = {NAN, NAN};
	double sum = 0, time = 0;

	for (size_t i = 0; i < f->rows; i++) {
		double v = sum_of_row(at, n, i), seconds = elapsed_at(&rows, i);
		if (isnan(v))
			continue;
		x.max = !(v <= x.max) ? v : x.max;
		sum += v * seconds;
		time += seconds;
	}
	frame_rest(f);
	x.mean = time > 0 ? sum / time : NAN;
	return x;
}

/* Of the chosen GPUs. The n-th GPU of the recording has the n-th column; where one has none (there
 * are many, or the rows are missing), the means of their whole runs add up, and the peak of the sum
 * is known only for a single GPU. */
static struct extent of_chosen(const struct view *v, size_t *n)
{
	const struct snapshot *s = &v->run->snapshot;
	const struct frame *f = &s->rows[METRIC_SCOPE_SYSTEM];
	const double *at[METRIC_GPUS];
	struct extent x = {0, 0};
	size_t columns = 0;

	*n = 0;
	for (size_t i = 0; i < s->n_gpus; i++) {
		const double *col;
		if (!lists(&v->o->gpus, s->gpus[i].uuid))
			continue;
		col = i < METRIC_GPUS ? frame_col(f, metric_gpu_usage(i)) : NULL;
		if (col)
			at[columns++] = col;
		x.max = *n ? NAN : s->gpus[i].utilisation_max;
		x.mean += s->gpus[i].utilisation_mean;
		++*n;
	}
	return *n && columns == *n ? of_sum(s, at, columns) : x;
}

static void measure_gpus(struct view *v)
{
	const struct run *run = v->run;
	double counted = snapshot_gpus(&run->snapshot);
	size_t n = 0;

	v->gpus = run->snapshot.server.gpu_count;
	if (v->gpus == 0) { /* as gpu_tracker has it: all is 0 then */
		memset(v->vram, 0, sizeof v->vram);
		return;
	}
	of_all(run, METRIC_PROCESS_MAIN_GPU_VRAM, METRIC_PROCESS_GPU_VRAM, v->vram);
	/* The sum of bytes is exact, the machine's is rounded. */
	v->vram_capacity = v->gpus == counted ? snapshot_gpus_memory(&run->snapshot)
	                                      : run->snapshot.server.gpu_memory_b;
	v->vram_system = run->stats[METRIC_SYSTEM_GPU_VRAM].max;
	v->gpu = of_column(run, METRIC_SYSTEM_GPU_USAGE);
	v->chosen = counted;
	if (!v->o->gpus.n)
		return;
	struct extent chosen = of_chosen(v, &n);
	v->chosen = (double)n;
	if (v->chosen != counted)
		v->gpu = chosen;
}

static void measure(struct view *v)
{
	const struct run *run = v->run;

	of_all(run, METRIC_PROCESS_MAIN_RSS, METRIC_PROCESS_RSS, v->rss[0]);
	of_all(run, METRIC_PROCESS_MAIN_RSS_PRIVATE, METRIC_PROCESS_RSS_PRIVATE, v->rss[1]);
	of_all(run, METRIC_PROCESS_MAIN_RSS_SHARED, METRIC_PROCESS_RSS_SHARED, v->rss[2]);
	of_all(run, METRIC_PROCESS_MAIN_CPU_USAGE, METRIC_PROCESS_CPU_USAGE, v->cpu);
	of_all(run, METRIC_PROCESS_MAIN_THREADS, METRIC_PROCESS_THREADS, v->threads);
	v->cpu_system = of_column(run, METRIC_SYSTEM_CPU_USAGE);
	v->ram_capacity = run->snapshot.server.memory_b;
	v->ram_system = run->stats[METRIC_SYSTEM_MEMORY_USED].max;
	v->cores = run->snapshot.server.vcpus;
	v->expected = v->o->expected_cores ? (double)v->o->expected_cores : v->cores;
	measure_gpus(v);
}

/* -- the dictionary ---------------------------------------------------------------------------- */

static void add_ram(cJSON *parent, const struct view *v)
{
	static const char *const key[] = {"total_rss", "private_rss", "shared_rss"};
	cJSON *ram = cJSON_AddObjectToObject(parent, "max_ram");

	cJSON_AddStringToObject(ram, "unit", or_else(v->o->ram_unit, RAM_UNIT));
	model_json_number(ram, "system_capacity", v->ram_capacity / v->ram);
	model_json_number(ram, "system", v->ram_system / v->ram);
	for (int who = 0; who < WHO; who++) {
		cJSON *one = cJSON_AddObjectToObject(ram, who_key[who]);
		for (int part = 0; part < 3; part++)
			model_json_number(one, key[part], v->rss[part][who].max / v->ram);
	}
}

static void add_gpu_ram(cJSON *parent, const struct view *v)
{
	cJSON *ram = cJSON_AddObjectToObject(parent, "max_gpu_ram");

	cJSON_AddStringToObject(ram, "unit", or_else(v->o->gpu_ram_unit, RAM_UNIT));
	model_json_number(ram, "system_capacity", v->vram_capacity / v->gpu_ram);
	model_json_number(ram, "system", v->vram_system / v->gpu_ram);
	for (int who = 0; who < WHO; who++)
		model_json_number(ram, who_key[who], v->vram[who].max / v->gpu_ram);
}

/* Of so many units; of none, nothing is used. */
static double share(double busy, double units)
{
	return units == 0 ? 0 : 100 * busy / units;
}

static void add_percent(cJSON *parent, const char *key, const struct extent *x, double units)
{
	cJSON *p = cJSON_AddObjectToObject(parent, key);

	model_json_number(p, "max_sum_percent", 100 * x->max);
	model_json_number(p, "max_hardware_percent", share(x->max, units));
	model_json_number(p, "mean_sum_percent", 100 * x->mean);
	model_json_number(p, "mean_hardware_percent", share(x->mean, units));
}

static void add_cpu(cJSON *parent, const struct view *v)
{
	cJSON *cpu = cJSON_AddObjectToObject(parent, "cpu_utilization");
	char key[32];

	model_json_number(cpu, "system_core_count", v->cores);
	model_json_number(cpu, "n_expected_cores", v->expected);
	add_percent(cpu, "system", &v->cpu_system, v->cores);
	for (int who = 0; who < WHO; who++)
		add_percent(cpu, who_key[who], &v->cpu[who], v->expected);
	for (int who = 0; who < WHO; who++) {
		snprintf(key, sizeof key, "%s_n_threads", who_key[who]);
		model_json_number(cpu, key, v->threads[who].max);
	}
}

static void add_gpu(cJSON *parent, const struct view *v)
{
	cJSON *gpu = cJSON_AddObjectToObject(parent, "gpu_utilization");

	model_json_number(gpu, "system_gpu_count", v->gpus);
	model_json_number(gpu, "n_expected_gpus", v->chosen);
	add_percent(gpu, "gpu_percentages", &v->gpu, v->chosen);
}

/* -- the same as a table of texts -------------------------------------------------------------- */

static void add_cell(cJSON *row, const char *key, double v, bool bytes)
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

/* system NAN: not measured. A row without any value is left out. */
static void add_row(cJSON *table, const char *label, double system, const double of[WHO],
                    bool bytes)
{
	cJSON *row;

	if (isnan(system) && isnan(of[MAIN]) && isnan(of[DESCENDANTS]) && isnan(of[COMBINED]))
		return;
	row = cJSON_CreateObject();
	cJSON_AddItemToArray(table, row);
	cJSON_AddStringToObject(row, "label", label);
	for (int who = 0; who < WHO; who++)
		add_cell(row, who_key[who], of[who], bytes);
	add_cell(row, "system", system, bytes);
}

static void add_row_of(cJSON *table, const char *label, double system, const struct extent *x,
                       double unit, bool mean)
{
	double of[WHO];

	for (int who = 0; who < WHO; who++)
		of[who] = (mean ? x[who].mean : x[who].max) / unit;
	add_row(table, label, system, of, false);
}

/* The peaks of memory: in the unit that was asked for, else as everywhere in the report. */
static void add_memory_row(cJSON *table, const char *what, double system, const struct extent *x,
                           const char *asked)
{
	double unit = asked ? memory_unit(asked) : 1, of[WHO];
	char label[80];

	snprintf(label, sizeof label, asked ? "%s, peak (%s)" : "%s, peak", what, asked);
	for (int who = 0; who < WHO; who++)
		of[who] = x[who].max / unit;
	add_row(table, label, system / unit, of, !asked);
}

static void add_memory_rows(cJSON *table, const struct view *v)
{
	static const char *const part[] = {"RSS", "RSS, private", "RSS, shared"};

	for (int i = 0; i < 3; i++)
		add_memory_row(table, part[i], i ? NAN : v->ram_system, v->rss[i], v->o->ram_unit);
	if (v->gpus > 0)
		add_memory_row(table, "GPU memory", v->vram_system, v->vram, v->o->gpu_ram_unit);
}

static void add_table(cJSON *parent, const struct view *v)
{
	cJSON *table = cJSON_AddArrayToObject(parent, "table");
	const double nothing[WHO] = {NAN, NAN, NAN},
		     time[WHO] = {NAN, NAN, v->run->duration / v->time};
	const struct extent *all = &v->cpu_system;
	char label[80];

	add_memory_rows(table, v);
	add_row_of(table, "CPU, mean (% of one core)", 100 * all->mean, v->cpu, 0.01, true);
	add_row_of(table, "CPU, peak (% of one core)", 100 * all->max, v->cpu, 0.01, false);
	if (v->expected > 0) {
		snprintf(label, sizeof label, "CPU, mean (%% of %.0f cores)", v->expected);
		add_row_of(table, label, share(all->mean, v->cores), v->cpu, v->expected / 100,
		           true);
	}
	add_row_of(table, "Threads, peak", NAN, v->threads, 1, false);
	if (v->chosen > 0) {
		snprintf(label, sizeof label, "GPU, mean (%% of %.0f GPU%s)", v->chosen,
		         v->chosen == 1 ? "" : "s");
		add_row(table, label, share(v->gpu.mean, v->chosen), nothing, false);
	}
	/* Else it is the duration, which stands in the usage. */
	if (v->o->time_unit) {
		snprintf(label, sizeof label, "Time (%s)", v->o->time_unit);
		add_row(table, label, NAN, time, false);
	}
}

int gpu_tracker_add(cJSON *model, const struct run *run, const struct view_options *o,
                    struct err *e)
{
	struct view v = {.run = run,
	                 .o = o,
	                 .ram = memory_unit(or_else(o->ram_unit, RAM_UNIT)),
	                 .gpu_ram = memory_unit(or_else(o->gpu_ram_unit, RAM_UNIT)),
	                 .time = time_unit(or_else(o->time_unit, TIME_UNIT))};
	cJSON *t, *time;

	if (check_gpus(&v, e))
		return -1;
	measure(&v);
	t = cJSON_AddObjectToObject(model, "gpu_tracker");
	add_ram(t, &v);
	add_gpu_ram(t, &v);
	add_cpu(t, &v);
	add_gpu(t, &v);
	time = cJSON_AddObjectToObject(t, "compute_time");
	cJSON_AddStringToObject(time, "unit", or_else(o->time_unit, TIME_UNIT));
	model_json_number(time, "time", run->duration / v.time);
	add_table(t, &v);
	return 0;
}
