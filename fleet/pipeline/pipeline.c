/* pipeline: attempts → tasks → processes, and their sums. */
#include "fleet/pipeline/pipeline.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/larger.h"
#include "core/base/quantity.h"
#include "core/head/cpu_demand.h"
#include "fleet/catalog/catalog_row.h"

/* -- a row of the catalog → an attempt --------------------------------------------------------- */

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

/* -- an attempt: its names --------------------------------------------------------------------- */

/* The names that engines give to the task, its process, and its attempts. The first engine whose
 * `task` is there counts. */
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

/* In a job of one name without any other identity, it is unknown which are attempts of others. */
static void find_identity(struct names *of, size_t row)
{
	if (isnan(of->number) && *of->same == '\n') {
		char text[32];
		snprintf(text, sizeof text, "\n%zu", row);
		memcpy(of->same, text, sizeof text);
	}
}

/* -- an attempt: its numbers ------------------------------------------------------------------- */

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

/* -- an attempt: the whole row ----------------------------------------------------------------- */

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

/* -- attempts ---------------------------------------------------------------------------------- */

#define SEARCHED 1000 /* tasks of one name that failed: more are not compared */

bool pipeline_dated(const struct pipeline_attempt *a)
{
	return isfinite(a->start) && isfinite(a->end);
}

bool pipeline_failed(enum pipeline_end ended)
{
	return ended == PIPELINE_FAILED || ended == PIPELINE_OOM;
}

static void free_attempt(struct pipeline_attempt *a)
{
	free(a->name);
	free(a->process);
	free(a->same);
	free(a->joined);
}

void pipeline_free(struct pipeline *p)
{
	for (size_t i = 0; i < p->n; i++)
		free_attempt(&p->attempt[i]);
	free(p->attempt);
	free(p->task);
	free(p->process);
	free(p->workflow);
	*p = (struct pipeline){0};
}

/* -- the recordings of one job ----------------------------------------------------------------- */

static int by_joined(const void *a, const void *b)
{
	const struct pipeline_attempt *x = a, *y = b;

	return strcmp(x->joined, y->joined);
}

/* The sum of what is known. */
static double plus(double a, double b)
{
	if (isnan(a))
		return b;
	return isnan(b) ? a : a + b;
}

/* Asks and needs are those of the recording with the largest; use is the sum. */
static void join_attempt(struct pipeline_attempt *a, const struct pipeline_attempt *b)
{
	if (b->ended > a->ended || (b->ended == PIPELINE_OOM && pipeline_failed(a->ended)))
		a->ended = b->ended;
	a->start = lesser(a->start, b->start);
	a->end = larger(a->end, b->end);
	a->submit = lesser(a->submit, b->submit);
	a->wall_s = larger(a->wall_s, b->wall_s);
	a->node_s = plus(a->node_s, b->node_s);
	a->counts &= b->counts;
	a->asked_cpus = larger(a->asked_cpus, b->asked_cpus);
	a->asked_memory_b = larger(a->asked_memory_b, b->asked_memory_b);
	a->asked_gpus = larger(a->asked_gpus, b->asked_gpus);
	a->asked_time_s = larger(a->asked_time_s, b->asked_time_s);
	a->cpu_s = plus(a->cpu_s, b->cpu_s);
	a->cores_mean = larger(a->cores_mean, b->cores_mean);
	a->cores_needed = larger(a->cores_needed, b->cores_needed);
	a->memory_peak_b = larger(a->memory_peak_b, b->memory_peak_b);
	a->memory_need_b = larger(a->memory_need_b, b->memory_need_b);
	a->memory_mean_b = larger(a->memory_mean_b, b->memory_mean_b);
	a->gpus_peak = larger(a->gpus_peak, b->gpus_peak);
	a->read_b = plus(a->read_b, b->read_b);
	a->written_b = plus(a->written_b, b->written_b);
}

static void join_attempts(struct pipeline *p)
{
	size_t kept = 0;

	qsort(p->attempt, p->n, sizeof *p->attempt, by_joined);
	for (size_t i = 0; i < p->n; i++) {
		struct pipeline_attempt *last = kept ? &p->attempt[kept - 1] : NULL;
		if (last && *last->joined && by_joined(last, &p->attempt[i]) == 0) {
			join_attempt(last, &p->attempt[i]);
			free_attempt(&p->attempt[i]);
		} else {
			p->attempt[kept++] = p->attempt[i];
		}
	}
	p->n = kept;
}

/* -- tasks ------------------------------------------------------------------------------------- */

static int compare_known_first(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a > b) - (a < b);
}

static int by_attempt_start(const void *a, const void *b)
{
	const struct pipeline_attempt *x = a, *y = b;
	int order = compare_known_first(x->start, y->start);

	if (!order)
		order = compare_known_first(x->end, y->end);
	if (!order)
		order = strcmp(x->name, y->name);
	if (!order)
		order = compare_known_first(x->number, y->number);
	return order ? order : strcmp(x->joined, y->joined);
}

static int by_same(const void *a, const void *b)
{
	const struct pipeline_attempt *x = *(const struct pipeline_attempt *const *)a,
				      *y = *(const struct pipeline_attempt *const *)b;
	int order = strcmp(x->same, y->same);

	if (!order)
		order = compare_known_first(x->number, y->number);
	return order ? order : (x > y) - (x < y);
}

/* An attempt of a number follows one with a lower number; where numbers are unknown, it follows one
 * that failed before it started. */
static bool follows_attempt(const struct pipeline_attempt *a, const struct pipeline_attempt *last)
{
	if (isfinite(a->number) && isfinite(last->number))
		return a->number > last->number;
	return isnan(a->number) && isnan(last->number) && pipeline_failed(last->ended) &&
	       last->end <= a->start;
}

/* Whether a later attempt with this one's number can still follow the last. */
static bool may_be_followed(const struct pipeline_attempt *a, const struct pipeline_attempt *last)
{
	return isnan(a->number) && pipeline_failed(last->ended);
}

/* v: attempts of one name, in order. The first task that an attempt can follow gets it. Those
 * before `open` can have no more of this number. */
static void find_tasks_of(struct pipeline *p, struct pipeline_attempt **v, size_t n)
{
	size_t from = p->n_tasks, open = from;

	for (size_t i = 0; i < n; i++) {
		size_t at;
		if (i && compare_known_first(v[i]->number, v[i - 1]->number) != 0)
			open = from;
		for (at = open; at < p->n_tasks && at < open + SEARCHED; at++) {
			const struct pipeline_attempt *last = &p->attempt[p->task[at].last];
			if (follows_attempt(v[i], last))
				break;
			if (at == open && !may_be_followed(v[i], last))
				open++;
		}
		if (at == p->n_tasks || at == open + SEARCHED) {
			at = p->n_tasks++;
			p->task[at].first = (size_t)(v[i] - p->attempt);
		}
		p->task[at].last = (size_t)(v[i] - p->attempt);
		v[i]->task = at;
		v[i]->nth = p->task[at].attempts++;
	}
}

static int find_tasks(struct pipeline *p, struct err *e)
{
	struct pipeline_attempt **v = calloc(p->n + 1, sizeof *v);

	p->task = calloc(p->n + 1, sizeof *p->task);
	if (!v || !p->task) {
		free(v);
		return err_set(e, "%s", strerror(ENOMEM));
	}
	for (size_t i = 0; i < p->n; i++)
		v[i] = &p->attempt[i];
	qsort(v, p->n, sizeof *v, by_same);
	for (size_t i = 0, end; i < p->n; i = end) {
		for (end = i + 1; end < p->n && strcmp(v[end]->same, v[i]->same) == 0;)
			end++;
		find_tasks_of(p, &v[i], end - i);
	}
	free(v);
	return 0;
}

/* -- processes --------------------------------------------------------------------------------- */

static int by_process(const void *a, const void *b)
{
	const struct pipeline_attempt *x = *(const struct pipeline_attempt *const *)a,
				      *y = *(const struct pipeline_attempt *const *)b;
	int order = strcmp(x->process, y->process);

	return order ? order : (x > y) - (x < y);
}

/* Attempts are known by their place, so the first of a process is its earliest. */
static int by_earliest(const void *a, const void *b)
{
	const struct pipeline_attempt *x = *(const struct pipeline_attempt *const *)a,
				      *y = *(const struct pipeline_attempt *const *)b;

	return (x > y) - (x < y);
}

static int find_processes(struct pipeline *p, struct err *e)
{
	struct pipeline_attempt **v = calloc(p->n + 1, sizeof *v),
				**first = calloc(p->n + 1, sizeof *first);
	size_t n = 0;

	p->process = calloc(p->n + 1, sizeof *p->process);
	if (!v || !first || !p->process) {
		free(v);
		free(first);
		return err_set(e, "%s", strerror(ENOMEM));
	}
	for (size_t i = 0; i < p->n; i++)
		v[i] = &p->attempt[i];
	qsort(v, p->n, sizeof *v, by_process);
	for (size_t i = 0; i < p->n; i++)
		if (!i || strcmp(v[i]->process, v[i - 1]->process) != 0)
			first[n++] = v[i];
	qsort(first, n, sizeof *first, by_earliest);
	for (size_t k = 0; k < n; k++) {
		p->process[k].name = first[k]->process;
		first[k]->of_process = k;
	}
	for (size_t i = 1; i < p->n; i++)
		if (strcmp(v[i]->process, v[i - 1]->process) == 0)
			v[i]->of_process = v[i - 1]->of_process;
	p->n_processes = n;
	free(v);
	free(first);
	return 0;
}

/* -- sums -------------------------------------------------------------------------------------- */

static void add_known_hours(struct pipeline_hours *h, double asked, double used)
{
	if (!isfinite(asked) || !isfinite(used))
		return;
	h->asked += asked;
	h->used += used;
	h->n++;
}

static void sum_attempt(struct pipeline *p, const struct pipeline_attempt *a)
{
	struct pipeline_process *of = &p->process[a->of_process];
	double core_h = a->cpu_s / QUANTITY_HOUR_S,
	       asked_core_h = a->asked_cpus * a->node_s / QUANTITY_HOUR_S;
	double gib_h = a->memory_mean_b * a->node_s / QUANTITY_GIB / QUANTITY_HOUR_S,
	       asked_gib_h = a->asked_memory_b * a->node_s / QUANTITY_GIB / QUANTITY_HOUR_S;

	of->attempts++;
	of->wall_s = plus(of->wall_s, a->wall_s);
	add_known_hours(&of->core_h, asked_core_h, core_h);
	add_known_hours(&of->gib_h, asked_gib_h, gib_h);
	add_known_hours(&p->core_h, asked_core_h, core_h);
	add_known_hours(&p->gib_h, asked_gib_h, gib_h);
	p->begin = lesser(p->begin, a->start);
	p->end = larger(p->end, a->end);
	p->first_submit = lesser(p->first_submit, a->submit);
	p->undated += !pipeline_dated(a);
	if (a->nth + 1 < p->task[a->task].attempts)
		p->retries_core_h = plus(p->retries_core_h, core_h);
}

static void sum_task(struct pipeline *p, const struct pipeline_task *t)
{
	const struct pipeline_attempt *last = &p->attempt[t->last];
	struct pipeline_process *of = &p->process[last->of_process];

	of->tasks++;
	of->failed += pipeline_failed(last->ended);
	p->failed += pipeline_failed(last->ended);
	p->oom += last->ended == PIPELINE_OOM;
	p->unfinished += last->ended == PIPELINE_UNFINISHED;
	p->retried += t->attempts > 1;
	p->retries += t->attempts - 1;
}

int pipeline_make(struct pipeline *p, struct err *e)
{
	p->begin = p->end = p->first_submit = p->retries_core_h = NAN;
	if (!p->n)
		return 0;
	join_attempts(p);
	qsort(p->attempt, p->n, sizeof *p->attempt, by_attempt_start);
	if (find_tasks(p, e) || find_processes(p, e))
		return -1;
	for (size_t i = 0; i < p->n; i++)
		sum_attempt(p, &p->attempt[i]);
	for (size_t i = 0; i < p->n_tasks; i++)
		sum_task(p, &p->task[i]);
	return 0;
}

/* -- how many attempts ran at once, and what they asked for and used meanwhile ----------------- */

/* Adds v × the share of each part in which the attempt ran. */
static void add_over_time(double *parts, double from, double to, double v)
{
	size_t first = (size_t)from, last = (size_t)to;

	if (first >= PIPELINE_LOAD_POINTS)
		return;
	if (last >= PIPELINE_LOAD_POINTS)
		last = PIPELINE_LOAD_POINTS - 1;
	for (size_t i = first; i <= last; i++) {
		double left = fmax(from, (double)i), right = fmin(to, (double)(i + 1));
		parts[i] += v * fmax(right - left, 0);
	}
}

static void add_known_load(double *parts, double from, double to, double v, bool *known)
{
	if (!isfinite(v))
		return;
	*known = true;
	add_over_time(parts, from, to, v);
}

static int by_time(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* At the same time, ends come before starts: the next one took its slot. */
static void find_most(double *start, double *end, size_t n, struct pipeline_load *out)
{
	size_t ended = 0;

	qsort(start, n, sizeof *start, by_time);
	qsort(end, n, sizeof *end, by_time);
	for (size_t i = 0; i < n; i++) {
		while (ended < n && end[ended] <= start[i] && ended < i)
			ended++;
		if ((double)(i + 1 - ended) > out->most) {
			out->most = (double)(i + 1 - ended);
			out->most_at = start[i];
		}
	}
}

int pipeline_load_make(const struct pipeline *p, long process, struct pipeline_load *out,
                       struct err *e)
{
	double span = p->end - p->begin, scale = (double)PIPELINE_LOAD_POINTS / span, sum = 0;
	double *start = calloc(2 * p->n + 1, sizeof *start), *end = start + p->n;
	size_t n = 0;

	*out = (struct pipeline_load){.most_at = NAN};
	if (!start)
		return err_set(e, "%s", strerror(ENOMEM));
	for (size_t i = 0; i < p->n && span > 0; i++) {
		const struct pipeline_attempt *a = &p->attempt[i];
		double from = (a->start - p->begin) * scale, to = (a->end - p->begin) * scale;
		double nodes = a->wall_s > 0 ? a->node_s / a->wall_s : 1;
		if (!pipeline_dated(a) || (process >= 0 && a->of_process != (size_t)process))
			continue;
		start[n] = a->start;
		end[n++] = a->end;
		sum += a->end - a->start;
		add_over_time(out->running, from, to, 1);
		add_known_load(out->asked_cores, from, to, a->asked_cpus * nodes, &out->asked_cpus);
		add_known_load(out->used_cores, from, to, a->cpu_s / a->wall_s, &out->used_cpus);
		add_known_load(out->asked_b, from, to, a->asked_memory_b * nodes,
		               &out->asked_memory);
		add_known_load(out->used_b, from, to, a->memory_mean_b * nodes, &out->used_memory);
	}
	find_most(start, end, n, out);
	out->mean = span > 0 ? sum / span : 0;
	free(start);
	return 0;
}

/* -- attempts as bars in lanes, the lanes of one process below each other ---------------------- */

/* Lanes of one process, or of all (-1); returns how many. busy_to: room for all attempts. */
static size_t fill_lanes(const struct pipeline *p, long process, size_t first, double *busy_to,
                         size_t *lane)
{
	size_t lanes = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct pipeline_attempt *a = &p->attempt[i];
		size_t at = 0;
		if (!pipeline_dated(a) || (process >= 0 && a->of_process != (size_t)process))
			continue;
		while (at < lanes && busy_to[at] > a->start)
			at++;
		if (at == lanes)
			lanes++;
		busy_to[at] = a->end;
		lane[i] = first + at;
	}
	return lanes;
}

int pipeline_lanes_make(const struct pipeline *p, bool together, struct pipeline_lanes *out,
                        struct err *e)
{
	double *busy_to = calloc(p->n + 1, sizeof *busy_to);

	*out = (struct pipeline_lanes){.lane = calloc(p->n + 1, sizeof *out->lane),
	                               .first = calloc(p->n_processes + 2, sizeof *out->first)};
	if (!busy_to || !out->lane || !out->first) {
		free(busy_to);
		pipeline_lanes_free(out);
		return err_set(e, "%s", strerror(ENOMEM));
	}
	for (size_t k = 0; k < (together ? 1 : p->n_processes); k++) {
		out->first[k] = out->n;
		out->n += fill_lanes(p, together ? -1 : (long)k, out->n, busy_to, out->lane);
	}
	out->first[together ? 1 : p->n_processes] = out->n;
	free(busy_to);
	return 0;
}

void pipeline_lanes_free(struct pipeline_lanes *l)
{
	free(l->lane);
	free(l->first);
	*l = (struct pipeline_lanes){0};
}
