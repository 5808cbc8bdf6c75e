/* pipeline: attempts → tasks → processes, and their sums. */
#include "fleet/pipeline/pipeline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/larger.h"

#define HOUR_S 3600.0
#define GIB    1073741824.0

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
	return isnan(a) ? b : isnan(b) ? a : a + b;
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
	double core_h = a->cpu_s / HOUR_S, asked_core_h = a->asked_cpus * a->node_s / HOUR_S;
	double gib_h = a->memory_mean_b * a->node_s / GIB / HOUR_S,
	       asked_gib_h = a->asked_memory_b * a->node_s / GIB / HOUR_S;

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
