/* pipeline_row: what a row of a catalog says of an attempt. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/quantity.h"
#include "core/head/cpu_demand.h"
#include "fleet/catalog/catalog_row.h"
#include "fleet/pipeline/pipeline.h"

#define TEXT_MAX 512

/* Cuts at n bytes, between two characters. */
static const char *copy_text(char *out, size_t size, const char *text, size_t n)
{
	if (n >= size) {
		n = size - 1;
		while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
			n--;
	}
	memcpy(out, text, n);
	out[n] = '\0';
	return out;
}

/* The value of a key in "key=value;key=value", cut at n bytes; "": it has none. */
static const char *pipeline_label_of(const char *labels, const char *key, char *out, size_t n)
{
	size_t length = strlen(key);

	*out = '\0';
	for (const char *at = labels; at && *at; at = strchr(at, ';') ? strchr(at, ';') + 1 : NULL)
		if (strncmp(at, key, length) == 0 && at[length] == '=') {
			at += length + 1;
			return copy_text(out, n, at, strcspn(at, ";"));
		}
	return out;
}

static double pipeline_whole_number(const char *text)
{
	double v;
	size_t n = quantity_number(text, &v);

	return n && !text[n] && v < 1e6 && v == floor(v) ? v : (double)NAN;
}

/* -- who it is --------------------------------------------------------------------------------- */

/* What engines call the task, its process, and its attempts. The first whose `task` is there. */
static const struct engine {
	const char *task, *process, *id,
	    *more;           /* labels; NULL: none. more: shown behind the name */
	const char *attempt; /* from first on */
	double first;
} engines[] = {
    {"nextflow.task", NULL, "nextflow.task", NULL, "nextflow.attempt", 1},
    {"snakemake.rule", "snakemake.rule", "snakemake.job_id", "snakemake.wildcards",
     "snakemake.attempt", 1},
    {"airflow.task_id", "airflow.task_id", NULL, NULL, "airflow.try_number", 1},
    {"metaflow.step", "metaflow.step", "metaflow.task_id", "metaflow.task_id",
     "metaflow.retry_count", 0},
};

struct names {
	char name[TEXT_MAX], process[TEXT_MAX], same[2 * TEXT_MAX];
	double number;
};

/* "ALIGN (s1)" → "ALIGN" */
static void cut_tag(char *name)
{
	char *tag = strstr(name, " (");

	if (tag && tag > name && name[strlen(name) - 1] == ')')
		*tag = '\0';
}

static void name_of_engine(struct names *of, const struct engine *by, const char *labels)
{
	char more[PIPELINE_NAME_MAX] = "", id[TEXT_MAX] = "", number[32];
	size_t n = strlen(of->name);

	memcpy(of->process, of->name, n + 1);
	if (!by->process)
		cut_tag(of->process);
	if (by->more && *pipeline_label_of(labels, by->more, more, sizeof more) && n < TEXT_MAX)
		snprintf(of->name + n, sizeof of->name - n, " (%s)", more);
	if (by->id)
		pipeline_label_of(labels, by->id, id, sizeof id);
	pipeline_label_of(labels, by->attempt, number, sizeof number);
	of->number = pipeline_whole_number(number) + 1 - by->first;
	snprintf(of->same, sizeof of->same, "%s\n%s", of->process, *id ? id : of->name);
}

/* A job of a scheduler: "slurm/hpc/1234/1" is the second attempt of "slurm/hpc/1234". */
static void name_of_job(struct names *of, const struct catalog_result *v)
{
	const char *id = v[RTRACK_ROW_JOB_ID].text, *restart = strrchr(id, '/');
	double index = v[RTRACK_ROW_INDEX].number;
	size_t n;

	copy_text(of->name, PIPELINE_NAME_MAX, v[RTRACK_ROW_NAME].text,
	          strlen(v[RTRACK_ROW_NAME].text));
	memcpy(of->process, of->name, strlen(of->name) + 1);
	n = strlen(of->name);
	if (isfinite(index) && fabs(index) < 1e9)
		snprintf(of->name + n, sizeof of->name - n, "[%.0f]", index);
	if (restart)
		of->number = pipeline_whole_number(restart + 1) + 1;
	snprintf(of->same, sizeof of->same, "%.*s\n%s", restart ? (int)(restart - id) : 0, id,
	         of->name);
}

static void find_names(struct names *of, const struct catalog_result *v)
{
	const char *labels = v[RTRACK_ROW_LABELS].text;

	*of = (struct names){.number = NAN};
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
		if (*pipeline_label_of(labels, engines[i].task, of->name, PIPELINE_NAME_MAX)) {
			name_of_engine(of, &engines[i], labels);
			return;
		}
	name_of_job(of, v);
}

/* Of a job of one name without any other identity, nobody knows which are attempts of others. */
static void find_identity(struct names *of, size_t row)
{
	if (isnan(of->number) && *of->same == '\n') {
		char text[32];
		snprintf(text, sizeof text, "\n%zu", row);
		memcpy(of->same, text, sizeof text);
	}
}

/* -- its numbers ------------------------------------------------------------------------------- */

static enum pipeline_end end_of_attempt(const struct catalog_result *v)
{
	double code = v[RTRACK_ROW_CODE].number;

	if (v[CATALOG_COLUMN_OOM].number > 0)
		return PIPELINE_OOM;
	if (strcmp(v[RTRACK_ROW_STATUS].text, "unfinished") == 0)
		return PIPELINE_UNFINISHED;
	if (*v[RTRACK_ROW_SIGNAL].text || (isfinite(code) && code != 0) ||
	    (int)v[CATALOG_COLUMN_CLASS].number == CATALOG_FAILED)
		return PIPELINE_FAILED;
	return PIPELINE_DONE;
}

static double not_negative(double v)
{
	return v >= 0 && isfinite(v) ? v : (double)NAN;
}

static double asked_by_user(const struct catalog_result *v, int column, int source)
{
	double asked = v[column].number;

	if (source >= 0 && strcmp(v[source].text, SNAPSHOT_ASKED_MACHINE) == 0)
		return NAN;
	return asked > 0 && isfinite(asked) ? asked : (double)NAN;
}

static void find_use(struct pipeline_attempt *a, const struct catalog_result *v)
{
	double demand = v[RTRACK_ROW_CORES_DEMAND].number;

	a->cpu_s = not_negative(v[RTRACK_ROW_CPU].number);
	a->cores_mean = not_negative(a->cpu_s / a->wall_s);
	if (isnan(a->cores_mean))
		a->cores_mean = not_negative(v[RTRACK_ROW_CORES_MEAN].number);
	if (isnan(a->cpu_s))
		a->cpu_s = a->cores_mean * a->wall_s;
	a->cores_needed = a->cores_mean;
	if (cpu_demand_starved_row(a->cores_mean, demand) > 0)
		a->cores_needed = fmax(a->cores_mean, cpu_demand_cpus(demand));
	a->memory_peak_b = not_negative(v[RTRACK_ROW_MEMORY_PEAK].number);
	a->memory_mean_b = not_negative(v[RTRACK_ROW_MEMORY_MEAN].number);
	a->memory_need_b = not_negative(v[CATALOG_COLUMN_MEMORY_NEED].number);
	a->gpus_peak = not_negative(v[RTRACK_ROW_GPUS_PEAK].number);
	a->read_b = not_negative(v[RTRACK_ROW_READ].number);
	a->written_b = not_negative(v[RTRACK_ROW_WRITTEN].number);
	a->time_asked = v[CATALOG_COLUMN_TIME_ASKED].number;
	for (size_t i = 0; i < TIME_AT_POWERS; i++)
		a->time_at[i] = v[RTRACK_ROW_TIME_AT_1 + i].number;
}

static void find_numbers(struct pipeline_attempt *a, const struct catalog_result *v)
{
	enum catalog_class class = (enum catalog_class)(int)v[CATALOG_COLUMN_CLASS].number;

	double node_s = v[CATALOG_COLUMN_NODE_S].number;

	a->wall_s = not_negative(v[RTRACK_ROW_WALL].number);
	a->node_s = node_s >= 0 ? node_s : a->wall_s;
	a->start = not_negative(v[RTRACK_ROW_START].number);
	a->end = a->start + a->wall_s;
	a->submit = v[CATALOG_COLUMN_SUBMIT].number;
	if (!(a->submit > 0 && a->submit <= a->start))
		a->submit = NAN;
	a->ended = end_of_attempt(v);
	a->counts = class == CATALOG_COUNTED || class == CATALOG_NO_ASK;
	a->asked_cpus = asked_by_user(v, RTRACK_ROW_ASKED_CPUS, RTRACK_ROW_ASKED_CPUS_SOURCE);
	a->asked_memory_b =
	    asked_by_user(v, RTRACK_ROW_ASKED_MEMORY, RTRACK_ROW_ASKED_MEMORY_SOURCE);
	a->asked_gpus = asked_by_user(v, RTRACK_ROW_ASKED_GPUS, -1);
	a->asked_time_s = asked_by_user(v, RTRACK_ROW_ASKED_TIME, -1);
	find_use(a, v);
}

/* -- a row ------------------------------------------------------------------------------------- */

static void note_workflow(struct pipeline *p, const struct catalog_result *v)
{
	char engine[64];

	p->array |= *v[RTRACK_ROW_ARRAY].text != '\0';
	if (p->workflow && *p->workflow)
		return;
	if (!*pipeline_label_of(v[RTRACK_ROW_LABELS].text, "workflow", engine, sizeof engine))
		pipeline_label_of(v[RTRACK_ROW_LABELS].text, "ci.provider", engine, sizeof engine);
	if (!*engine)
		pipeline_label_of(v[RTRACK_ROW_LABELS].text, "scheduler", engine, sizeof engine);
	free(p->workflow);
	p->workflow = strdup(engine);
}

int pipeline_row_add(void *ctx, const struct catalog_result v[CATALOG_COLUMNS], struct err *e)
{
	struct pipeline *p = ctx;
	struct pipeline_attempt *a, *larger_room;
	struct names of;

	if (p->rows++ >= PIPELINE_ROWS_MAX)
		return 0;
	if ((int)v[CATALOG_COLUMN_CLASS].number == CATALOG_IMPOSSIBLE) {
		p->impossible++;
		return 0;
	}
	if (p->n == p->cap) {
		size_t cap = p->cap ? 2 * p->cap : 256;
		larger_room = realloc(p->attempt, cap * sizeof *larger_room);
		if (!larger_room)
			return err_set(e, "%s", strerror(ENOMEM));
		p->attempt = larger_room;
		p->cap = cap;
	}
	find_names(&of, v);
	find_identity(&of, p->rows);
	a = &p->attempt[p->n];
	*a = (struct pipeline_attempt){.number = of.number,
	                               .name = strdup(of.name),
	                               .process = strdup(of.process),
	                               .same = strdup(of.same),
	                               .joined = strdup(v[CATALOG_COLUMN_JOINED].text)};
	p->n++;
	find_numbers(a, v);
	note_workflow(p, v);
	return a->name && a->process && a->same && a->joined && p->workflow
	           ? 0
	           : err_set(e, "%s", strerror(ENOMEM));
}
