/* rtrack_row: the first member of a snapshot, for catalogs. */
#include "core/head/rtrack_row.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fnv1a.h"
#include "core/base/larger.h"
#include "core/base/utf8.h"
#include "core/head/cpu_demand.h"
#include "core/head/snapshot_head.h"
#include "core/numbers/stats.h"
#include "core/numbers/time_at.h"
#include "core/numbers/usage.h"
#include "core/recording/states.h"

#define HASH_LENGTH    17  /* "#" and 16 digits */
#define TEXT_MAX       256 /* bytes of the longest text that is made here */
#define TIME_AT_DIGITS 3
#define NUMBER_MAX     1e18 /* a larger number is nonsense, and takes too much room */

const struct rtrack_row_column rtrack_row_columns[RTRACK_ROW_COLUMNS] = {
#define ROW(id, kind, key, ...) [RTRACK_ROW_##id] = {key, RTRACK_ROW_KIND_##kind},
#include "core/head/rtrack_row.def"
};

/* Where a column's value comes from: rtrack_row.def. Offset 0 stands for none. */
static const struct {
	size_t at, known;
	bool more;
	enum metric_id column[METRIC_SCOPES];
	size_t stat;
	size_t max;
} sources[RTRACK_ROW_COLUMNS] = {
#define AT(member)    .at = offsetof(struct snapshot, member)
#define KNOWN(member) .known = offsetof(struct snapshot, member)
#define STAT(member)  .stat = offsetof(struct stats, member)
#define COLUMN(process, system, member)                                                            \
	.column = {[METRIC_SCOPE_PROCESS] = METRIC_PROCESS_##process,                              \
	           [METRIC_SCOPE_SYSTEM] = METRIC_SYSTEM_##system},                                \
	STAT(member)
#define MACHINE(system, member)                                                                    \
	.column = {[METRIC_SCOPE_PROCESS] = METRIC_SYSTEM_##system,                                \
	           [METRIC_SCOPE_SYSTEM] = METRIC_SYSTEM_##system},                                \
	STAT(member)
#define ASKED(what, member)     AT(asked.of[SNAPSHOT_ASKED_##what].member), KNOWN(asked.known)
#define ROW(id, kind, key, ...) [RTRACK_ROW_##id] = {__VA_ARGS__},
#include "core/head/rtrack_row.def"
};

bool rtrack_row_is_text(int column)
{
	return rtrack_row_columns[column].kind == RTRACK_ROW_KIND_TEXT ||
	       rtrack_row_columns[column].kind == RTRACK_ROW_KIND_ID;
}

/* -- filling ----------------------------------------------------------------------------------- */

const char *rtrack_row_store(struct rtrack_row *row, const char *text)
{
	size_t n = strlen(text) + 1;
	char *at = row->store + row->stored;

	if (n > sizeof row->store - row->stored)
		return "";
	row->stored += n;
	return memcpy(at, text, n);
}

void rtrack_row_id(const struct snapshot *s, char id[RTRACK_ROW_ID_SIZE])
{
	const char *const texts[] = {s->job.host, s->part.known ? s->part.job : "",
	                             s->part.known ? s->part.node : ""};
	uint64_t hash = FNV1A_BEGIN;
	char text[128];

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		hash = fnv1a_add(hash, texts[i] ? texts[i] : "");
	snprintf(text, sizeof text, "%.0f %.6f", s->meta.pid, s->meta.start_time);
	snprintf(id, RTRACK_ROW_ID_SIZE, "%016" PRIx64, fnv1a_add(hash, text));
}

static void fill_exit(struct rtrack_row *row, const struct snapshot *s)
{
	const char *name = s->exit.signal ? snapshot_signal_name(s->exit.signal) : "";
	char number[16];

	if (s->exit.known && !s->exit.signal)
		row->of[RTRACK_ROW_CODE].number = s->exit.code;
	snprintf(number, sizeof number, "%d", s->exit.signal);
	row->of[RTRACK_ROW_SIGNAL].text =
	    s->exit.signal && !*name ? rtrack_row_store(row, number) : name;
}

/* The kernel's account where there is one, else the sum of the rows: as the report has them. */
static void fill_totals(struct rtrack_row *row, const struct snapshot *s, const struct stats *stats,
                        bool job)
{
	const struct snapshot_totals *t = &s->totals;
	const struct stats *u = &stats[job ? METRIC_PROCESS_UTIME : METRIC_SYSTEM_UTIME];
	const struct stats *k = &stats[job ? METRIC_PROCESS_STIME : METRIC_SYSTEM_STIME];

	row->of[RTRACK_ROW_CPU].number = u->n && k->n ? u->sum + k->sum : NAN;
	if (!t->known)
		return;
	row->of[RTRACK_ROW_CPU].number =
	    isnan(t->exact_cpu_s) ? t->utime_s + t->stime_s : t->exact_cpu_s;
	if (!isnan(t->read_b))
		row->of[RTRACK_ROW_READ].number = t->read_b;
	if (!isnan(t->write_b))
		row->of[RTRACK_ROW_WRITTEN].number = t->write_b;
	if (job)
		usage_exact_cores(
		    row->of[RTRACK_ROW_CPU].number / row->of[RTRACK_ROW_WALL].number,
		    usage_has_gaps(row->of[RTRACK_ROW_WALL].number, s->meta.interval, u->n),
		    &row->of[RTRACK_ROW_CORES_MEAN].number, &row->of[RTRACK_ROW_CORES_PEAK].number);
}

/* A throttled thread waits too, so throttled time counts only where the wait was not measured. */
static void fill_demand(struct rtrack_row *row, const struct snapshot *s, const struct stats *stats)
{
	const struct stats *throttled = &stats[METRIC_SYSTEM_THROTTLED];
	double waited = cpu_demand_waited_s(s, stats), wall = row->of[RTRACK_ROW_WALL].number;
	double used = row->of[RTRACK_ROW_CPU].number / wall;

	if (isnan(waited) && throttled->n)
		waited = throttled->sum;
	row->of[RTRACK_ROW_CORES_DEMAND].number =
	    cpu_demand_cores(used, cpu_demand_lost(s, stats, used, waited, wall));
}

static void fill_time_at(struct rtrack_row *row, const struct time_at *t)
{
	for (int i = 0; t && t->wall_s > 0 && i < TIME_AT_POWERS; i++)
		row->of[RTRACK_ROW_TIME_AT_1 + i].number =
		    time_at_free_cpus(t, (double)(1 << i)).s / t->wall_s;
	if (t && time_at_contention_known(t)) {
		row->of[RTRACK_ROW_CONTENDED].number = t->contended_s;
		row->of[RTRACK_ROW_STOLEN].number = t->stolen_s;
	}
}

/* A process has memory: 0 stands for "not measured". Without rtrack.memory, as in a recovered
 * journal, the column of peaks has what was there between two samples. */
static void fill_memory(struct rtrack_row *row, const struct snapshot *s, const struct stats *stats)
{
	double *mean = &row->of[RTRACK_ROW_MEMORY_MEAN].number;
	double *peak = &row->of[RTRACK_ROW_MEMORY_PEAK].number;
	struct snapshot_memory memory;

	snapshot_memory_of(s, larger(*peak, stats[METRIC_PROCESS_MEMORY_PEAK].max), &memory);
	*peak = memory.peak_b;
	*mean = *mean > 0 ? *mean : NAN;
	row->of[RTRACK_ROW_MEMORY_KNOWN].text = memory.how;
}

/* The beginning of the command line: one byte more than is written, which shows that it is cut. */
static void fill_command(struct rtrack_row *row, const struct snapshot_job *job)
{
	char text[TEXT_MAX + 2] = "";
	size_t n = 0;

	for (size_t i = 0; job->argv && i < job->argc && n < sizeof text - 1; i++)
		n +=
		    (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? " " : "", job->argv[i]);
	row->of[RTRACK_ROW_COMMAND].text = rtrack_row_store(row, text);
}

/* Labels that say which CI job it is and what it runs on: they come first, because a CI system has
 * more than find room. */
static bool label_comes_first(const char *key)
{
	static const char *const first[] = {
	    "ci.provider", "ci.workflow",    "ci.job",         "ci.repository",
	    "ci.runner",   "ci.runner_kind", "ci.runner_tags", "ci.arch",
	};

	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		if (strcmp(key, first[i]) == 0)
			return true;
	return false;
}

/* "key=value;key=value": as many whole pairs as find room. */
static void fill_pairs(struct rtrack_row *row, enum rtrack_row_id id,
                       const struct snapshot_pairs *pairs)
{
	char text[TEXT_MAX + 1] = "";
	size_t n = 0;

	for (int others = 0; others < 2; others++)
		for (size_t i = 0; i < pairs->n; i++) {
			const char *key = pairs->v[i].key, *value = pairs->v[i].value;
			if (!key || !*key || !value || label_comes_first(key) == others ||
			    n + strlen(key) + strlen(value) + 2 >= sizeof text)
				continue;
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%s=%s", n ? ";" : "",
			                      key, value);
		}
	row->of[id].text = rtrack_row_store(row, text);
}

/* -- what labels say --------------------------------------------------------------------------- */

/* "": there is none. */
static const char *label_of(const struct snapshot_pairs *pairs, const char *key)
{
	for (size_t i = 0; key && i < pairs->n; i++)
		if (pairs->v[i].key && strcmp(pairs->v[i].key, key) == 0)
			return pairs->v[i].value ? pairs->v[i].value : "";
	return "";
}

/* The labels of a scheduler that identify a job (collect/job/schedulers.def). index: of an array
 * whose elements share the job's id. */
static const struct {
	const char *scheduler, *job, *cluster, *restart, *index;
} job_labels[] = {
    {"slurm", "slurm.job_id", "slurm.cluster", "slurm.restart_count", NULL},
    {"pbs", "pbs.job_id", NULL, NULL, NULL},
    {"lsf", "lsf.job_id", NULL, NULL, "lsf.array_index"},
    {"sge", "sge.job_id", "sge.cell", NULL, "sge.task_id"},
    {"aws-batch", "aws_batch.job_id", NULL, "aws_batch.attempt", NULL},
};

static void fill_job_id(struct rtrack_row *row, const struct snapshot_pairs *labels)
{
	const char *scheduler = label_of(labels, "scheduler"), *index, *restart;
	char text[TEXT_MAX];

	for (size_t i = 0; i < sizeof job_labels / sizeof *job_labels; i++) {
		if (strcmp(scheduler, job_labels[i].scheduler) != 0 ||
		    !*label_of(labels, job_labels[i].job))
			continue;
		index = label_of(labels, job_labels[i].index);
		restart = label_of(labels, job_labels[i].restart);
		snprintf(text, sizeof text, "%s/%s/%s%s%s%s/%s", scheduler,
		         label_of(labels, job_labels[i].cluster),
		         label_of(labels, job_labels[i].job), *index ? "[" : "", index,
		         *index ? "]" : "", *restart ? restart : "0");
		row->of[RTRACK_ROW_JOB_ID].text = rtrack_row_store(row, text);
	}
}

/* The first that is there. */
static const struct {
	const char *engine, *run; /* labels; the engine's value is before that of the run */
} run_labels[] = {
    {NULL, "workflow.run"},
    {"ci.provider", "ci.run_id"},
    {"ci.provider", "ci.run_url"},
    {"workflow", "nextflow.workflow_id"},
    {"airflow.dag_id", "airflow.run_id"},
    {"metaflow.flow", "metaflow.run_id"},
};

static void fill_workflow_run(struct rtrack_row *row, const struct snapshot_job *job)
{
	const char *run = label_of(&job->tags, "workflow.run"), *engine = "";
	char text[TEXT_MAX];

	for (size_t i = 0; !*run && i < sizeof run_labels / sizeof *run_labels; i++) {
		run = label_of(&job->labels, run_labels[i].run);
		engine = label_of(&job->labels, run_labels[i].engine);
	}
	snprintf(text, sizeof text, "%s%s%s", engine, *engine ? "/" : "", run);
	row->of[RTRACK_ROW_WORKFLOW_RUN].text =
	    *run ? rtrack_row_store(row, text) : row->of[RTRACK_ROW_ARRAY].text;
}

static void fill_column(struct rtrack_row *row, int i, const struct snapshot *s,
                        const struct stats *stats, enum metric_scope scope)
{
	const char *base = (const char *)s;
	double v = NAN;

	if (sources[i].known && !*(const bool *)(base + sources[i].known))
		return;
	if (rtrack_row_is_text(i)) {
		const char *text =
		    sources[i].at ? *(const char *const *)(base + sources[i].at) : "";
		row->of[i].text = text && strcmp(text, "unknown") != 0 ? text : "";
		return;
	}
	if (sources[i].at)
		v = *(const double *)(base + sources[i].at);
	else if (sources[i].stat)
		v = *(const double *)((const char *)&stats[sources[i].column[scope]] +
		                      sources[i].stat);
	row->of[i].number = sources[i].more && v == 0 ? NAN : v;
}

/* The columns of GPUs are 0 where the machine has none. */
static void forget_absent_gpus(struct rtrack_row *row, const struct snapshot *s)
{
	static const enum rtrack_row_id gpus[] = {RTRACK_ROW_GPUS_MEAN, RTRACK_ROW_GPUS_PEAK,
	                                          RTRACK_ROW_VRAM_MEAN, RTRACK_ROW_VRAM_PEAK};

	for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
		if (!(s->server.gpu_count > 0) && row->of[gpus[i]].number == 0)
			row->of[gpus[i]].number = NAN;
}

void rtrack_row_clear(struct rtrack_row *row)
{
	row->stored = 0;
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		row->of[i].number = NAN;
		row->of[i].text = "";
	}
}

void rtrack_row_fill(struct rtrack_row *row, const struct snapshot *s, const struct stats *stats,
                     size_t samples)
{
	bool job = s->meta.track_processes;
	enum metric_scope scope = job ? METRIC_SCOPE_PROCESS : METRIC_SCOPE_SYSTEM;
	char id[RTRACK_ROW_ID_SIZE];

	rtrack_row_clear(row);
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++)
		fill_column(row, i, s, stats, scope);
	row->of[RTRACK_ROW_SCOPE].text = metric_scope_name(scope);
	row->of[RTRACK_ROW_WALL].number = s->meta.stop_time - s->meta.start_time;
	row->of[RTRACK_ROW_SAMPLES].number = (double)samples;
	if (!isfinite(row->of[RTRACK_ROW_ASKED_CPUS].number))
		row->of[RTRACK_ROW_ASKED_CPUS_SOURCE].text = "";
	if (!isfinite(row->of[RTRACK_ROW_ASKED_MEMORY].number))
		row->of[RTRACK_ROW_ASKED_MEMORY_SOURCE].text = "";
	if (!*row->of[RTRACK_ROW_ARRAY].text)
		row->of[RTRACK_ROW_INDEX].number = NAN;
	forget_absent_gpus(row, s);
	rtrack_row_id(s, id);
	row->of[RTRACK_ROW_ID].text = rtrack_row_store(row, id);
	row->of[RTRACK_ROW_MOSTLY].text = states_mostly(stats);
	fill_exit(row, s);
	fill_totals(row, s, stats, job);
	if (job) {
		fill_demand(row, s, stats);
		fill_memory(row, s, stats);
	} else if (isfinite(row->of[RTRACK_ROW_MEMORY_PEAK].number)) {
		row->of[RTRACK_ROW_MEMORY_KNOWN].text = SNAPSHOT_MEMORY_SAMPLED;
	}
	fill_time_at(row, s->time_at);
	fill_command(row, &s->job);
	fill_pairs(row, RTRACK_ROW_TAGS, &s->job.tags);
	fill_pairs(row, RTRACK_ROW_LABELS, &s->job.labels);
	fill_job_id(row, &s->job.labels);
	row->of[RTRACK_ROW_ACCOUNT].text =
	    rtrack_row_store(row, label_of(&s->job.labels, "slurm.account"));
	fill_workflow_run(row, &s->job);
}

/* -- writing ----------------------------------------------------------------------------------- */

/* Bytes of a text in JSON, without the quotes. Without memory *failed is set. */
static size_t quoted_length(const char *text, size_t n, bool *failed)
{
	struct buf b = {0};
	size_t length;

	json_write_quote(&b, text, n);
	*failed = *failed || b.failed;
	length = b.failed ? SIZE_MAX : b.len - 2;
	buf_free(&b);
	return length;
}

/* Writes a text that takes at most max bytes, cut and ended by end if need be. */
static void write_cut(struct json_write *j, const char *key, const char *text, size_t max,
                      const char *end)
{
	char cut[RTRACK_ROW_MAX];
	size_t n = strlen(text);

	if (n <= max && quoted_length(text, n, &j->failed) <= max) {
		json_write_str(j, key, text);
		return;
	}
	max -= strlen(end);
	n = utf8_cut(text, n, max);
	while (n && quoted_length(text, n, &j->failed) > max)
		n = utf8_cut(text, n, n - 1);
	memcpy(cut, text, n);
	memcpy(cut + n, end, strlen(end) + 1);
	json_write_str(j, key, cut);
}

static void write_text(struct json_write *j, int i, const char *text, size_t max)
{
	const char *key = rtrack_row_columns[i].key;
	char hash[HASH_LENGTH + 1];

	if (!*text) {
		json_write_null(j, key);
	} else if (rtrack_row_columns[i].kind == RTRACK_ROW_KIND_ID) {
		snprintf(hash, sizeof hash, "#%016" PRIx64, fnv1a_add(FNV1A_BEGIN, text));
		/* In place of an id, which has room for 16 digits, only those of the hash. */
		write_cut(j, key, text, sources[i].max, hash + (sources[i].max < HASH_LENGTH));
	} else {
		write_cut(j, key, text, max < sources[i].max ? max : sources[i].max, "…");
	}
}

static void write_time_at(const struct rtrack_row *row, struct json_write *j)
{
	if (isnan(row->of[RTRACK_ROW_TIME_AT_1].number)) {
		json_write_null(j, RTRACK_ROW_TIME_AT_KEY);
		return;
	}
	json_write_array(j, RTRACK_ROW_TIME_AT_KEY);
	for (int i = 0; i < TIME_AT_POWERS; i++)
		json_write_num(
		    j, NULL,
		    stats_digits(row->of[RTRACK_ROW_TIME_AT_1 + i].number, TIME_AT_DIGITS));
	json_write_array_end(j);
}

static void write_number(struct json_write *j, const struct rtrack_row_column *column, double v)
{
	int decimals = column->kind == RTRACK_ROW_KIND_BYTES ? 0 : 6;

	json_write_num(j, column->key, fabs(v) < NUMBER_MAX ? stats_round(v, decimals) : NAN);
}

/* Texts take at most max bytes each. */
static void write_row(const struct rtrack_row *row, struct json_write *j, const char *key,
                      size_t max)
{
	json_write_object(j, key);
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		if (rtrack_row_is_text(i))
			write_text(j, i, row->of[i].text, max);
		else if (i == RTRACK_ROW_TIME_AT_1)
			write_time_at(row, j);
		else if (rtrack_row_columns[i].kind != RTRACK_ROW_KIND_TIME_AT)
			write_number(j, &rtrack_row_columns[i], row->of[i].number);
	}
	json_write_object_end(j);
}

void rtrack_row_write(const struct rtrack_row *row, struct json_write *j)
{
	size_t max = 512, length;

	do {
		struct json_write probe = {.sink = NULL};
		max /= 2;
		write_row(row, &probe, NULL, max);
		length = probe.b.len;
		/* A row that lost something must not pass for a whole one. */
		j->failed = j->failed || probe.failed || probe.b.failed;
		json_write_free(&probe);
	} while (length > RTRACK_ROW_MAX && max > 8);
	write_row(row, j, RTRACK_ROW_KEY, max);
}

/* -- back -------------------------------------------------------------------------------------- */

/* The reverse of fill_column. Totals were filled from more than one member: they stay unknown. */
static void put_column(const struct rtrack_row *row, int i, struct snapshot *s, size_t samples,
                       enum metric_scope scope)
{
	const char *text = row->of[i].text;
	double v = row->of[i].number;
	char *base = (char *)s;

	if (sources[i].known == offsetof(struct snapshot, totals.known) ||
	    (rtrack_row_is_text(i) ? !*text : !isfinite(v)))
		return;
	if (sources[i].known)
		*(bool *)(base + sources[i].known) = true;
	if (sources[i].at && rtrack_row_is_text(i)) {
		*(const char **)(base + sources[i].at) = snapshot_strdup(s, text);
	} else if (sources[i].at) {
		*(double *)(base + sources[i].at) = v;
	} else if (sources[i].stat) {
		struct stats *of = &s->summary[sources[i].column[scope]];
		of->n = samples;
		*(double *)((char *)of + sources[i].stat) = v;
	}
}

static void put_exit(const struct rtrack_row *row, struct snapshot *s)
{
	double code = row->of[RTRACK_ROW_CODE].number;

	s->exit.signal = snapshot_signal_number(row->of[RTRACK_ROW_SIGNAL].text);
	s->exit.code = code >= 0 && code <= 255 ? (int)code : -1;
	s->exit.known = s->exit.code >= 0 || s->exit.signal;
	s->unfinished = strcmp(s->exit.cause, "unfinished") == 0;
}

void rtrack_row_head(const struct rtrack_row *row, struct snapshot *s)
{
	bool job =
	    strcmp(row->of[RTRACK_ROW_SCOPE].text, metric_scope_name(METRIC_SCOPE_SYSTEM)) != 0;
	enum metric_scope scope = job ? METRIC_SCOPE_PROCESS : METRIC_SCOPE_SYSTEM;
	double n = row->of[RTRACK_ROW_SAMPLES].number;
	size_t samples = n >= 1 && n <= FRAME_ROWS_MAX ? (size_t)n : 0;
	struct stats *time;

	s->schema = SCHEMA_1;
	snapshot_head_defaults(s);
	s->head_only = s->job.known = true;
	s->server.known = s->cloud.known = true;
	s->meta.track_processes = job;
	s->summary = snapshot_alloc(s, METRIC_COUNT * sizeof *s->summary);
	if (!s->summary)
		return;
	for (int id = 0; id < METRIC_COUNT; id++)
		s->summary[id] = stats_none();
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++)
		put_column(row, i, s, samples, scope);
	put_exit(row, s);
	s->meta.duration = row->of[RTRACK_ROW_WALL].number;
	s->meta.stop_time = s->meta.start_time + s->meta.duration;
	time = &s->summary[metric_time_of(scope)];
	time->n = samples;
	time->min = s->meta.start_time;
	time->max = s->meta.stop_time;
}
