/* model_views: the run in the terms of other tools (Snakemake, Nextflow), and sparklines. */
#include "report/model/model_views.h"
#include "report/runs/job_key.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "report/units/model_json.h"
#include "report/units/nextflow.h"

#define MIB     (1024.0 * 1024.0)
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

/* Of totals that may be missing, and have no samples in their place. */
static double known_total(const struct snapshot *s, double v)
{
	return s->totals.known ? v : (double)NAN;
}

/* The largest RSS of all processes in a sample, or of one process between two; no less than the
 * job's peak, in which shared pages count once. */
static double peak_rss(const struct run *run)
{
	double rss = fmax(run->stats[METRIC_PROCESS_RSS].max,
	                  known_total(&run->snapshot, run->snapshot.totals.peak_rss_b));

	return rss < run->stats[METRIC_PROCESS_MEMORY].max ? run->stats[METRIC_PROCESS_MEMORY].max
	                                                   : rss;
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
	cJSON_AddStringToObject(parent, key, !collected ? "NA" : isfinite(v) ? text : NOTHING);
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
	add_decimals(o, "max_rss", peak_rss(run) / MIB, collected);
	add_decimals(o, "max_vms", peak_virtual(run) / MIB, collected);
	add_decimals(o, "max_uss", v[METRIC_PROCESS_RSS_PRIVATE].max / MIB, collected);
	add_decimals(o, "max_pss", v[METRIC_PROCESS_MEMORY].max / MIB, collected);
	add_decimals(o, "io_in", usage_total(run, METRIC_PROCESS_READ_BYTES) / MIB, collected);
	add_decimals(o, "io_out", usage_total(run, METRIC_PROCESS_WRITE_BYTES) / MIB, collected);
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
	cJSON_AddStringToObject(o, "peak_rss", nextflow_memory(peak_rss(run), text));
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
	model_openmetrics_add(model, in);
	add_junit(model, in);
	add_sparklines(model);
	return 0;
}
