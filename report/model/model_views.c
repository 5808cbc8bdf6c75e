/* model_views: the run in the terms of other tools (OpenMetrics, Snakemake, Nextflow, JUnit). */
#include "report/model/model_views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/quantity.h"
#include "core/base/version.h"
#include "core/end/end_cause.h"
#include "report/model/openmetrics_family.h"
#include "report/runs/job_key.h"
#include "report/runs/parts.h"
#include "report/stats/asked.h"
#include "report/stats/memory_peak.h"
#include "report/stats/state_use.h"
#include "report/units/model_json.h"
#include "report/units/nextflow.h"

/* -- OpenMetrics ------------------------------------------------------------------------------- */

/* The families of columns, which name them in metric.def, with their type and unit, in their order.
 * A family that only one column names need not be here: it comes after all others, and its help is
 * the column's. Names and units, here and below, must stay: dashboards and merge requests compare
 * by them. */
static const struct column_family {
	const char *name, *help;
	const char *label; /* of its columns' members; NULL: "scope" */
} column_families[] = {
    {"rtrack_cpu_usage_cores", "CPUs kept busy.", NULL},
    {"rtrack_cpu_user_seconds", "User CPU time, as sampled.", NULL},
    {"rtrack_cpu_system_seconds", "System CPU time, as sampled.", NULL},
    {"rtrack_memory_bytes",
     "Memory in use: PSS of the job and of its main process, used memory of the machine.", NULL},
    {"rtrack_rss_bytes", "Resident set size; shared pages count once in each process.", NULL},
    {"rtrack_disk_read_bytes", "Read from storage.", NULL},
    {"rtrack_disk_written_bytes", "Written to storage.", NULL},
    {"rtrack_disk_space_used_bytes", "Used space of the mounted file systems.", NULL},
    {"rtrack_network_received_bytes", "Received by the machine.", NULL},
    {"rtrack_network_sent_bytes", "Sent by the machine.", NULL},
    {"rtrack_pressure_ratio",
     "Share of the time in which some task waited, or all tasks waited (full).", "waiting"},
    {"rtrack_throttled_seconds", "Time that a CPU quota held the job back.", NULL},
    {"rtrack_gpu_usage_gpus", "GPUs kept busy.", NULL},
    {"rtrack_gpu_memory_bytes", "GPU memory in use.", NULL},
};
#define COLUMN_FAMILIES (sizeof column_families / sizeof *column_families)

static const char *unit_of_column(const struct metric *m)
{
	static const char *const units[] = {
	    [METRIC_UNIT_SECONDS] = "seconds", [METRIC_UNIT_CORES] = "cores",
	    [METRIC_UNIT_MEMORY] = "bytes",    [METRIC_UNIT_VRAM] = "bytes",
	    [METRIC_UNIT_SPACE] = "bytes",     [METRIC_UNIT_BYTES] = "bytes",
	    [METRIC_UNIT_GPUS] = "gpus",       [METRIC_UNIT_SHARE] = "ratio",
	    [METRIC_UNIT_COUNT] = NULL,        [METRIC_UNIT_LOAD] = NULL,
	};

	return units[m->unit];
}

static void add_column_samples(struct openmetrics_family *b, const struct run *run,
                               const struct metric *m)
{
	static const char *const members[METRIC_SCOPES] = {"tree", "system"};
	const char *member = m->member ? m->member : members[m->scope];
	const struct stats *s = &run->stats[m->id];
	bool gpu = m->unit == METRIC_UNIT_GPUS || m->unit == METRIC_UNIT_VRAM;

	if (!s->n || (gpu && !(run->snapshot.server.gpu_count > 0)))
		return;
	b->type = m->kind == METRIC_KIND_DELTA ? "counter" : "gauge";
	b->unit = unit_of_column(m);
	if (m->kind == METRIC_KIND_DELTA) {
		openmetrics_member(b, member, NULL, NULL, usage_total(run, m->id));
		return;
	}
	/* Used disk space says something at its peak only. */
	if (m->unit != METRIC_UNIT_SPACE)
		openmetrics_member(b, member, "statistic", "mean", s->mean);
	openmetrics_member(b, member, "statistic", "max", s->max);
}

static void add_columns(struct openmetrics_family *f, const struct run *run,
                        const struct column_family *of)
{
	openmetrics_next(f, of->name, NULL, of->help);
	f->label = of->label ? of->label : "scope";
	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].family && strcmp(metrics[id].family, of->name) == 0)
			add_column_samples(f, run, &metrics[id]);
}

static bool is_listed(const char *name)
{
	for (size_t i = 0; i < COLUMN_FAMILIES; i++)
		if (strcmp(column_families[i].name, name) == 0)
			return true;
	return false;
}

/* Families that only a column's row names. */
static void add_unlisted(struct openmetrics_family *f, const struct run *run)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		char help[256];

		if (!metrics[id].family || is_listed(metrics[id].family))
			continue;
		snprintf(help, sizeof help, "%s.", metrics[id].help);
		add_columns(f, run, &(struct column_family){metrics[id].family, help, NULL});
	}
}

static void add_state_family(struct openmetrics_family *f, const struct run *run)
{
	struct state_use u = state_use_of(run);

	openmetrics_next(f, "rtrack_state_seconds", "seconds",
	                 "Where the time of the job went: seconds in each state.");
	f->type = "counter";
	f->label = "state";
	for (int k = 0; u.known && k < STATES_N; k++)
		openmetrics_member(f, states_word((enum states_id)k), NULL, NULL, u.of[k].s);
}

static void add_info(struct openmetrics_family *f, const struct run *run)
{
	char reporter[64];
	cJSON *labels;

	openmetrics_next(f, "rtrack_run", NULL, "The run that these metrics are of.");
	f->type = "info";
	labels = openmetrics_sample(f, "_info", 1);
	openmetrics_label(labels, "status", load_status_word(run->status));
	if (run->snapshot.end.known)
		openmetrics_label(labels, "end_cause",
		                  end_cause_word(end_cause_find(run->snapshot.end.cause)));
	snprintf(reporter, sizeof reporter, "rtrack-report %s", rtrack_version);
	openmetrics_label(labels, "reporter", reporter);
}

static void add_end(struct openmetrics_family *f, const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double code = s->exit.signal ? 128 + s->exit.signal : s->exit.code;
	bool ended =
	    run->status == RUN_FINISHED || run->status == RUN_FAILED || run->status == RUN_KILLED;

	openmetrics_value(f, "rtrack_run_duration_seconds", "seconds",
	                  "From the start of the job to its end.", run->duration);
	openmetrics_value(f, "rtrack_run_succeeded", NULL,
	                  "1 if the job finished with status 0, else 0.",
	                  ended ? run->status == RUN_FINISHED : (double)NAN);
	openmetrics_value(f, "rtrack_run_exit_code", NULL,
	                  "Exit status of the job; 128 + the signal that ended it.",
	                  s->exit.known ? code : (double)NAN);
}

/* One number to compare with, and what changed. */
static void add_history_families(struct openmetrics_family *f, const struct model_input *in)
{
	openmetrics_next(f, "rtrack_history_median", NULL,
	                 "Of the comparable earlier runs, in base units (seconds, bytes, cores).");
	f->label = "measure";
	for (int i = 0; in->history && i < TREND_JUDGED; i++)
		openmetrics_member(f, trend_measures[i].id, NULL, NULL, in->history->of[i].median);
	openmetrics_next(f, "rtrack_change_points", NULL,
	                 "Changes of a measure over the last 60 comparable runs.");
	f->label = "measure";
	for (int i = 0; in->history && i < TREND_JUDGED; i++) {
		const struct change_series *s = &in->history->of[i].series.found;
		double n[2] = {0};
		if (s->n < (size_t)2 * CHANGE_LEAST)
			continue;
		for (size_t k = 0; k < s->points; k++)
			if (change_point_is_of_job(&s->point[k]))
				n[s->point[k].step > 0]++;
		for (int more = 0; more < 2; more++)
			openmetrics_member(f, trend_measures[i].id, "direction",
			                   more ? "more" : "less", n[more]);
	}
}

static void add_part_families(struct openmetrics_family *f, const struct run *run)
{
	if (!run->parts)
		return;
	openmetrics_value(f, "rtrack_nodes_recorded", NULL,
	                  "Nodes of the job whose recordings were joined.",
	                  (double)run->parts->n_nodes);
	openmetrics_value(f, "rtrack_parts_missing", NULL,
	                  "Nodes, or tasks, of the job that were not recorded.",
	                  (double)parts_missing(run->parts));
}

static double advised(const char *formula, double v)
{
	return advice_known(formula) ? v : (double)NAN;
}

static void add_advice_families(struct openmetrics_family *f, const struct model_input *in)
{
	const struct advice *a = in->advice;

	openmetrics_value(f, "rtrack_recommended_cpus", "cpus", "CPUs to ask for next time.",
	                  advised(a->cpu_formula, (double)a->cpu));
	openmetrics_value(f, "rtrack_recommended_memory_bytes", "bytes",
	                  "Memory to ask for next time.",
	                  advised(a->memory_formula, (double)a->memory_mib * QUANTITY_MIB));
	openmetrics_value(f, "rtrack_recommended_time_seconds", "seconds",
	                  "Time limit to ask for next time.",
	                  advised(a->time_formula, (double)a->time_min * QUANTITY_MINUTE_S));
	if (!(in->runs->v[0].snapshot.server.gpu_count > 0))
		return;
	openmetrics_value(f, "rtrack_recommended_gpus", "gpus", "GPUs to ask for next time.",
	                  advised(a->gpu_formula, (double)a->gpu));
	openmetrics_value(f, "rtrack_recommended_gpu_memory_bytes", "bytes",
	                  "GPU memory to ask for next time.",
	                  advised(a->vram_formula, (double)a->vram_mib * QUANTITY_MIB));
}

/* The asks, their sources, and what was used of them. */
static void add_asked_families(struct openmetrics_family *f, const struct run *run)
{
	static const struct {
		const char *resource, *asked, *asked_unit, *unused, *unused_unit;
	} all[ASKED_RESOURCES] = {
	    [ASKED_CPUS] = {"cpu", "rtrack_asked_cpus", "cpus", "rtrack_unused_cpu_seconds",
	                    "seconds"},
	    [ASKED_MEMORY] = {"memory", "rtrack_asked_memory_bytes", "bytes",
	                      "rtrack_unused_memory_byte_seconds", "byte_seconds"},
	    [ASKED_GPUS] = {"gpu", "rtrack_asked_gpus", "gpus", "rtrack_unused_gpu_seconds",
	                    "seconds"},
	    [ASKED_TIME] = {"time", "rtrack_asked_time_seconds", "seconds", NULL, NULL},
	};

	for (int of = 0; of < ASKED_RESOURCES; of++) {
		struct asked a = asked_of(run, (enum asked_resource)of);
		openmetrics_next(f, all[of].asked, all[of].asked_unit,
		                 "Asked for, or what the limit or the machine left.");
		f->label = "source";
		openmetrics_member(f, a.source, NULL, NULL, a.amount);
		if (all[of].unused)
			openmetrics_value(f, all[of].unused, all[of].unused_unit,
			                  "Asked for and not used, times the duration.", a.unused);
	}
	openmetrics_next(f, "rtrack_efficiency_ratio", "ratio",
	                 "What was used, as a share of what was asked for.");
	f->label = "resource";
	for (int of = 0; of < ASKED_RESOURCES; of++)
		openmetrics_member(f, all[of].resource, NULL, NULL,
		                   asked_of(run, (enum asked_resource)of).efficiency);
}

static void add_cost_family(struct openmetrics_family *f, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	double s = in->runs->v[0].duration * (double)parts_all_nodes(&in->runs->v[0]);
	double cheapest = k->known ? cost_run(k->server[0].price_hour, s) : NAN,
	       present = k->present_known ? cost_run(k->present.price_hour, s) : NAN;
	cJSON *labels;

	openmetrics_next(f, "rtrack_run_cost", NULL,
	                 "Cost of the run at a server's price per hour.");
	f->label = "server";
	openmetrics_member(f, "present", "currency", k->currency, present);
	labels = openmetrics_member(f, "cheapest", "currency", k->currency, cheapest);
	if (labels && k->spot)
		openmetrics_label(labels, "price", "spot");
}

static void add_openmetrics_section(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	struct openmetrics_family f = {.all = cJSON_AddArrayToObject(model, "openmetrics"),
	                               .key = "job",
	                               .of = job_key_name(run)};

	add_info(&f, run);
	add_end(&f, run);
	for (size_t i = 0; i < COLUMN_FAMILIES; i++)
		add_columns(&f, run, &column_families[i]);
	add_part_families(&f, run);
	add_history_families(&f, in);
	add_advice_families(&f, in);
	add_unlisted(&f, run);
	add_state_family(&f, run);
	add_asked_families(&f, run);
	add_cost_family(&f, in);
	openmetrics_gates(&f, in->gates);
}

/* -- views ------------------------------------------------------------------------------------- */

#define NOTHING NEXTFLOW_NOTHING /* what Snakemake writes for a missing value, too */

static const cJSON *model_item(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

/* -- exact totals, else sums of the samples ---------------------------------------------------- */

static double exact_or_sampled(double exact, double sampled)
{
	return isnan(exact) ? sampled : exact;
}

static double total_cpu_s(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double sampled =
	    run->stats[METRIC_PROCESS_UTIME].sum + run->stats[METRIC_PROCESS_STIME].sum;

	if (!run->stats[METRIC_PROCESS_UTIME].n || !run->stats[METRIC_PROCESS_STIME].n)
		sampled = NAN;
	if (!s->totals.known)
		return sampled;
	return exact_or_sampled(s->totals.exact_cpu_s,
	                        exact_or_sampled(s->totals.utime_s + s->totals.stime_s, sampled));
}

/* A total that may be missing and has no samples in its place. */
static double known_total(const struct snapshot *s, double v)
{
	return s->totals.known ? v : (double)NAN;
}

static double peak_virtual(const struct run *run)
{
	return known_total(&run->snapshot, run->snapshot.totals.peak_virtual_b);
}

/* -- Snakemake --------------------------------------------------------------------------------- */

static void add_decimals(cJSON *parent, const char *key, double v, bool collected)
{
	char text[400];

	snprintf(text, sizeof text, "%.2f", v);
	if (!collected)
		cJSON_AddStringToObject(parent, key, "NA");
	else
		cJSON_AddStringToObject(parent, key, isfinite(v) ? text : NOTHING);
}

/* "1 day, 2:03:04", as Python prints a timedelta. */
static void add_h_m_s(cJSON *parent, const char *key, double s)
{
	long t = s >= 0 ? (long)s : 0, days = t / 86400;
	char text[64], day[32] = "";

	if (days)
		snprintf(day, sizeof day, "%ld day%s, ", days, days == 1 ? "" : "s");
	snprintf(text, sizeof text, "%s%ld:%02ld:%02ld", day, t / 3600 % 24, t / 60 % 60, t % 60);
	cJSON_AddStringToObject(parent, key, isnan(s) ? NOTHING : text);
}

static void add_snakemake(cJSON *model, const struct run *run)
{
	const struct stats *v = run->stats;
	bool collected = v[METRIC_PROCESS_CPU_USAGE].n || v[METRIC_PROCESS_MEMORY].n;
	cJSON *o = cJSON_AddObjectToObject(model, "snakemake");
	char text[64];

	snprintf(text, sizeof text, "%.4f", run->duration);
	cJSON_AddStringToObject(o, "s", isnan(run->duration) ? NOTHING : text);
	add_h_m_s(o, "h_m_s", run->duration);
	add_decimals(o, "max_rss", memory_peak_rss(run) / QUANTITY_MIB, collected);
	add_decimals(o, "max_vms", peak_virtual(run) / QUANTITY_MIB, collected);
	add_decimals(o, "max_uss", v[METRIC_PROCESS_RSS_PRIVATE].max / QUANTITY_MIB, collected);
	add_decimals(o, "max_pss", v[METRIC_PROCESS_MEMORY].max / QUANTITY_MIB, collected);
	add_decimals(o, "io_in", usage_total(run, METRIC_PROCESS_READ_BYTES) / QUANTITY_MIB,
	             collected);
	add_decimals(o, "io_out", usage_total(run, METRIC_PROCESS_WRITE_BYTES) / QUANTITY_MIB,
	             collected);
	add_decimals(o, "mean_load", 100 * v[METRIC_PROCESS_CPU_USAGE].mean, collected);
	add_decimals(o, "cpu_time", total_cpu_s(run), collected);
}

/* -- Nextflow ---------------------------------------------------------------------------------- */

static const char *exit_text(const struct snapshot *s, char out[64])
{
	if (!s->exit.known)
		return NOTHING;
	snprintf(out, 64, "%d", s->exit.signal ? 128 + s->exit.signal : s->exit.code);
	return out;
}

static void add_nextflow(cJSON *model, const struct run *run)
{
	static const char *const status[] = {
	    [RUN_FINISHED] = "COMPLETED", [RUN_FAILED] = "FAILED", [RUN_KILLED] = "FAILED",
	    [RUN_UNFINISHED] = "ABORTED", [RUN_UNKNOWN] = NOTHING, [RUN_RUNNING] = "RUNNING"};
	const struct snapshot *s = &run->snapshot;
	cJSON *o = cJSON_AddObjectToObject(model, "nextflow");
	const struct stats *cores = &run->stats[METRIC_PROCESS_CPU_USAGE];
	double percent = 100 * (cores->n ? cores->mean : total_cpu_s(run) / run->duration);
	char text[64];

	cJSON_AddStringToObject(o, "task_id", NOTHING);
	cJSON_AddStringToObject(o, "hash", NOTHING);
	snprintf(text, sizeof text, "%.0f", s->meta.pid);
	cJSON_AddStringToObject(o, "native_id", s->meta.pid > 0 ? text : NOTHING);
	model_json_cut(o, "name", job_key_name(run), MODEL_JSON_NAME_MAX);
	cJSON_AddStringToObject(o, "status", status[run->status]);
	cJSON_AddStringToObject(o, "exit", exit_text(s, text));
	cJSON_AddStringToObject(o, "submit", nextflow_date(run->start, text));
	cJSON_AddStringToObject(o, "duration", nextflow_duration(run->duration, text));
	cJSON_AddStringToObject(o, "realtime", nextflow_duration(run->duration, text));
	snprintf(text, sizeof text, "%.1f%%", percent);
	cJSON_AddStringToObject(o, "cpu", isfinite(percent) ? text : NOTHING);
	cJSON_AddStringToObject(o, "peak_rss", nextflow_memory(memory_peak_rss(run), text));
	cJSON_AddStringToObject(o, "peak_vmem", nextflow_memory(peak_virtual(run), text));
	cJSON_AddStringToObject(o, "rchar",
	                        nextflow_memory(known_total(s, s->totals.rchar_b), text));
	cJSON_AddStringToObject(o, "wchar",
	                        nextflow_memory(known_total(s, s->totals.wchar_b), text));
}

/* -- JUnit: the job and each gate as a test case ----------------------------------------------- */

/* Seconds with three decimals, as the JUnit schema demands; null if unknown. */
static void add_junit_seconds(cJSON *junit, double s)
{
	char text[64];

	snprintf(text, sizeof text, "%.3f", s);
	model_json_cut_or_null(junit, "time", isfinite(s) && s >= 0 ? text : NULL, sizeof text);
}

/* UTC without the Z: the JUnit schema allows no time zone. */
static void add_start_time(cJSON *junit, double unix_s)
{
	char iso[UNITS_SIZE], text[UNITS_SIZE];

	snprintf(text, sizeof text, "%.19s", units_time_iso(unix_s, iso));
	model_json_cut_or_null(junit, "timestamp", text, sizeof text);
}

static void add_junit(cJSON *model, const struct model_input *in)
{
	static const struct gate_results none;
	const struct gate_results *gates = in->gates ? in->gates : &none;
	const struct run *run = &in->runs->v[0];
	cJSON *junit = cJSON_AddObjectToObject(model, "junit");
	bool known = run->status != RUN_UNKNOWN && run->status != RUN_RUNNING;
	bool failed = known && run->status != RUN_FINISHED;

	cJSON_AddNumberToObject(junit, "tests", (double)gates->n + 1);
	cJSON_AddNumberToObject(junit, "failures", (double)gates->count[GATE_HOLDS] + failed);
	cJSON_AddNumberToObject(junit, "skipped", (double)gates->count[GATE_NOT_JUDGED] + !known);
	cJSON_AddBoolToObject(junit, "job_failed", failed);
	cJSON_AddBoolToObject(junit, "job_told", known);
	add_junit_seconds(junit, run->duration);
	add_start_time(junit, run->start);
}

/* -- sparklines -------------------------------------------------------------------------------- */

static bool is_spark_series(const cJSON *series)
{
	static const char *const ids[] = {"process_cpu_usage", "system_cpu_usage", "process_memory",
	                                  "system_memory_used"};
	const char *id = cJSON_GetStringValue(model_item(series, "id"));

	for (size_t i = 0; id && i < sizeof ids / sizeof *ids; i++)
		if (strcmp(ids[i], id) == 0)
			return true;
	return false;
}

static void add_spark(cJSON *sparks, const cJSON *series)
{
	const cJSON *spark = model_item(series, "spark"), *digest = model_item(series, "digest");
	cJSON *one;

	if (!is_spark_series(series) || !cJSON_IsString(spark) || !*spark->valuestring)
		return;
	one = model_json_row(sparks);
	cJSON_AddStringToObject(one, "label", cJSON_GetStringValue(model_item(series, "label")));
	cJSON_AddStringToObject(one, "spark", spark->valuestring);
	cJSON_AddItemToObject(one, "mean", cJSON_Duplicate(model_item(digest, "mean"), 1));
	cJSON_AddItemToObject(one, "max", cJSON_Duplicate(model_item(digest, "max"), 1));
}

/* Chosen here, because a template cannot filter: series that every report has. */
static void add_sparklines(cJSON *model)
{
	cJSON *parent = cJSON_AddObjectToObject(model, "sparklines"),
	      *sparks = cJSON_AddArrayToObject(parent, "rows");
	const cJSON *chart, *series;

	cJSON_ArrayForEach (chart, model_item(model, "charts"))
		cJSON_ArrayForEach (series, model_item(chart, "series"))
			add_spark(sparks, series);
	cJSON_AddBoolToObject(parent, "known", cJSON_GetArraySize(sparks) > 0);
}

int model_views_add(cJSON *model, const struct model_input *in, const struct view_options *o,
                    struct err *e)
{
	const struct run *run = &in->runs->v[0];

	if (model_gpu_tracker_add(model, run, o, e))
		return -1;
	add_snakemake(model, run);
	add_nextflow(model, run);
	add_openmetrics_section(model, in);
	add_junit(model, in);
	add_sparklines(model);
	return 0;
}
