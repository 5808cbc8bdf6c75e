/* history: which run is reported on, and which earlier ones count. */
#include "report/stats/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/iso_time.h"
#include "core/numbers/stats.h"
#include "report/runs/job_key.h"
#include "report/runs/parts.h"
#include "report/stats/contention_run.h"
#include "report/stats/trend.h"

static int newest_first(const void *a, const void *b)
{
	return load_newer(a, b) ? -1 : load_newer(b, a);
}

/* Moves run i to the front; the others keep their order. */
static void move_to_front(struct runs *r, size_t i)
{
	struct run run = r->v[i];

	memmove(&r->v[1], &r->v[0], i * sizeof *r->v);
	r->v[0] = run;
}

static int pick_current(struct runs *r, struct err *e)
{
	if (!r->current)
		return 0;
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->v[i].file, r->current) == 0) {
			move_to_front(r, i);
			return 0;
		}
	return err_set(e, "%s: the run to report on could not be read", r->current);
}

static bool has_array_index(const struct snapshot_part *p)
{
	return p->array_job && *p->array_job && p->array_index >= 0 &&
	       p->array_index <= HISTORY_INDEX_MAX && floor(p->array_index) == p->array_index;
}

bool history_one_array(const struct run *a, const struct run *b)
{
	const struct snapshot_part *p = &a->snapshot.part, *q = &b->snapshot.part;

	return has_array_index(p) && has_array_index(q) && strcmp(p->array_job, q->array_job) == 0;
}

/* A key of a scheduler ends with how often the job was started again (collect/job/part.c); that of
 * a launcher alone has no such end. */
bool history_one_job(const struct run *a, const struct run *b)
{
	const struct snapshot_part *p = &a->snapshot.part, *q = &b->snapshot.part;
	const char *end = p->job ? strrchr(p->job, '/') : NULL;
	const char *other = q->job ? strrchr(q->job, '/') : NULL;

	return end && other && strcmp(end, other) != 0 && end - p->job == other - q->job &&
	       memcmp(p->job, q->job, (size_t)(end - p->job)) == 0;
}

bool history_in_array(const struct runs *r, size_t i)
{
	return history_one_array(&r->v[0], &r->v[i]);
}

/* Than the run that is reported on. Elements of its array are not history, whenever they began. */
static bool is_later(const struct runs *r, size_t i)
{
	return r->v[i].start > r->v[0].start && !history_in_array(r, i);
}

static bool is_known(const char *text)
{
	return text && *text && strcmp(text, "unknown") != 0;
}

/* Unknown is no difference: statistics that a program keeps have no machine. */
static bool is_same_number(double a, double b)
{
	return a == b || !(a > 0) || !(b > 0);
}

static double asked_cpus(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;

	return s->asked.known ? s->asked.of[SNAPSHOT_ASKED_CPUS].value : (double)NAN;
}

bool history_same_machine(const struct run *a, const struct run *b)
{
	const struct snapshot *s = &a->snapshot, *t = &b->snapshot;
	const char *model = s->machine.cpu_model, *other = t->machine.cpu_model;
	bool models = is_known(model) && is_known(other);

	if (!models) {
		model = s->cloud.instance_type;
		other = t->cloud.instance_type;
	}
	return (!is_known(model) || !is_known(other) || strcmp(model, other) == 0) &&
	       is_same_number(s->server.vcpus, t->server.vcpus) &&
	       is_same_number(asked_cpus(a), asked_cpus(b));
}

/* The CPU model, or else the instance type; "": unknown. */
static const char *machine_name(const struct run *run)
{
	const char *model = run->snapshot.machine.cpu_model;
	const char *type = run->snapshot.cloud.instance_type;

	if (is_known(model))
		return model;
	return is_known(type) ? type : "";
}

static bool is_alike(double a, double b)
{
	return a == b || (!(a > 0) && !(b > 0));
}

bool history_same_stratum(const struct run *a, const struct run *b)
{
	return strcmp(machine_name(a), machine_name(b)) == 0 &&
	       is_alike(a->snapshot.server.vcpus, b->snapshot.server.vcpus) &&
	       is_alike(asked_cpus(a), asked_cpus(b));
}

/* Whether this run, or one that is used, is another attempt of run i's job. */
static bool has_later_attempt(const struct runs *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if ((k == 0 || r->v[k].used) && history_one_job(&r->v[k], &r->v[i]))
			return true;
	return false;
}

static const char *why_not_used(const struct runs *r, size_t i, size_t used, long use)
{
	const struct run *run = &r->v[i];
	const char *other = job_key_differs(r->group_by, &r->v[0], run);

	if (*other)
		return other;
	if (run->future)
		return "its start is in the future";
	if (is_later(r, i))
		return "it began later";
	if (run->impossible)
		return "its numbers cannot be true";
	if (run->status == RUN_FAILED)
		return "it failed";
	if (run->status == RUN_KILLED)
		return "it was killed";
	if (run->status == RUN_RUNNING)
		return "it is still running";
	if (run->status == RUN_UNFINISHED)
		return "its recording is not finished";
	if (parts_missing(run->parts))
		return "not all of its parts were recorded";
	if (!history_same_machine(&r->v[0], run))
		return "it had another machine";
	if (history_in_array(r, i))
		return "";
	if ((long)used >= use)
		return r->not_last;
	return has_later_attempt(r, i) ? "its job was started again after it" : "";
}

static void set_not_last(struct runs *r, long use)
{
	bool array = false;

	for (size_t i = 1; i < r->n && !array; i++)
		array = history_in_array(r, i);
	if (array && use == 0)
		snprintf(r->not_last, sizeof r->not_last, "only its array is used");
	else if (array)
		snprintf(r->not_last, sizeof r->not_last,
		         "only its array and the last %ld run%s are used", use,
		         use == 1 ? "" : "s");
	else if (use == 0)
		snprintf(r->not_last, sizeof r->not_last, "--history is 0");
	else if (use == 1)
		snprintf(r->not_last, sizeof r->not_last, "only the last run is used");
	else
		snprintf(r->not_last, sizeof r->not_last, "only the last %ld runs are used", use);
}

static bool shows_need(const struct runs *r, size_t i)
{
	const struct run *run = &r->v[i];

	if (i == 0 || run->used || (r->alone && !history_in_array(r, i)))
		return i == 0 || run->used;
	if (is_later(r, i))
		return false;
	if (history_is_trend(r, i))
		return true;
	return load_is_oom(run) && !run->future && !run->impossible &&
	       !*job_key_differs(r->group_by, &r->v[0], run);
}

/* -- order ------------------------------------------------------------------------------------- */

static const char *text_of_label(const struct run *run, const char *key)
{
	const struct snapshot_pairs *labels = &run->snapshot.job.labels;

	for (size_t i = 0; i < labels->n; i++)
		if (labels->v[i].key && strcmp(labels->v[i].key, key) == 0)
			return labels->v[i].value ? labels->v[i].value : "";
	return "";
}

const char *history_commit(const struct run *run)
{
	return text_of_label(run, "git.commit");
}

/* NAN: unknown. A CI system says it of the commit that it builds, which may be another. */
static double commit_time(const struct run *run)
{
	double t = iso_time_read(text_of_label(run, "git.commit_time"));

	if (isnan(t) && *history_commit(run) &&
	    strcmp(history_commit(run), text_of_label(run, "ci.commit")) == 0)
		t = iso_time_read(text_of_label(run, "ci.commit_time"));
	return t;
}

bool history_precedes(const struct run *a, const struct run *b)
{
	return a->order != b->order ? a->order < b->order : load_newer(b, a);
}

static bool has_order(const struct runs *r, size_t i)
{
	return i == 0 || (!r->v[i].future && !is_later(r, i) &&
	                  !*job_key_differs(r->group_by, &r->v[0], &r->v[i]));
}

static void set_order(struct runs *r)
{
	double at[HISTORY_ORDERED];
	size_t run[HISTORY_ORDERED], n = 0;

	for (size_t i = 0; i < r->n; i++)
		r->v[i].order = isnan(r->v[i].start) ? -INFINITY : r->v[i].start;
	for (size_t i = 0; i < r->n && n < HISTORY_ORDERED; i++) {
		if (!has_order(r, i))
			continue;
		at[n] = commit_time(&r->v[i]);
		if (isnan(at[n]))
			return;
		run[n++] = i;
	}
	for (size_t i = 0; i < r->n; i++)
		r->v[i].order = -INFINITY;
	for (size_t k = 0; k < n; k++)
		r->v[run[k]].order = at[k];
}

int history_choose(struct runs *r, long use, struct err *e)
{
	size_t used = 0;

	if (!r->n)
		return err_set(e, "no recording to report on%s",
		               r->others.files + r->others.folders
		                   ? ": those that are there belong to other people"
		                   : "");
	qsort(r->v, r->n, sizeof *r->v, newest_first);
	if (pick_current(r, e))
		return -1;
	/* Runs in the future sort last. If the first is one, all are: this machine's clock is
	 * wrong. */
	for (size_t i = 1; i < r->n && r->v[0].future && !r->current; i++)
		r->v[i].future = false;
	r->v[0].future = false;
	r->v[0].why = "";
	set_not_last(r, use);
	r->alone = use == 0;
	r->use = (size_t)use;
	set_order(r);
	for (size_t i = 1; i < r->n; i++) {
		struct run *run = &r->v[i];
		run->why = why_not_used(r, i, used, use);
		run->used = !*run->why;
		used += run->used;
	}
	for (size_t i = 0, n = 0; i < r->n; i++) {
		r->v[i].shows_need = n < HISTORY_NEEDS && shows_need(r, i);
		n += r->v[i].shows_need;
	}
	return 0;
}

bool history_is_trend(const struct runs *r, size_t i)
{
	const struct run *run = &r->v[i];

	return i == 0 || run->used ||
	       (trend_ended(run) && !run->future && !run->impossible && !is_later(r, i) &&
	        !*job_key_differs(r->group_by, &r->v[0], run));
}

/* Whether run i takes the place of a contended one among the last `use`. */
static bool takes_place(const struct runs *r, size_t i, size_t last)
{
	return last < r->use && history_is_trend(r, i) &&
	       history_same_machine(&r->v[0], &r->v[i]) && !has_later_attempt(r, i);
}

/* The indexes of the runs that v[0] is compared with, newest first; returns how many. */
static size_t compared_runs(const struct runs *r, bool follows_load, size_t *index)
{
	size_t n = 0, last = 0;

	if (follows_load && contention_run_is(&r->v[0]))
		return 0;
	for (size_t i = 1; i < r->n; i++) {
		if (follows_load && contention_run_is(&r->v[i]))
			continue;
		if (!r->v[i].used && (!follows_load || !takes_place(r, i, last)))
			continue;
		last += !history_in_array(r, i);
		index[n++] = i;
	}
	return n;
}

struct history_range history_range(const struct runs *r, bool follows_load,
                                   double (*value)(const void *ctx, size_t i), const void *ctx)
{
	struct history_range out = {0, 0, NAN, NAN, NAN, NAN};
	size_t *index = alloc_failed_note(calloc(r->n, sizeof *index));
	double *v = alloc_failed_note(calloc(r->n, sizeof *v)), sum = 0;

	if (v && index)
		out.runs = compared_runs(r, follows_load, index);
	for (size_t k = 0; k < out.runs; k++) {
		double one = value(ctx, index[k]);
		if (!isfinite(one))
			continue;
		out.low = fmin(out.low, one);
		out.high = fmax(out.high, one);
		sum += one;
		v[out.n++] = one;
	}
	if (out.n) {
		out.mean = sum / (double)out.n;
		out.median = stats_median(v, out.n);
	}
	free(index);
	free(v);
	return out;
}

static bool run_counts(const struct run *run, bool needed)
{
	return needed ? run->shows_need : run->used;
}

static size_t count_history(const struct runs *r, bool needed)
{
	size_t n = 0;

	for (size_t i = 1; i < r->n; i++)
		n += run_counts(&r->v[i], needed);
	return n;
}

size_t history_older(const struct runs *r)
{
	size_t n = 0;

	for (size_t i = 1; i < r->n; i++)
		n += r->v[i].why == r->not_last;
	return n;
}

static void runs_text(const struct runs *r, bool needed, char out[HISTORY_TEXT])
{
	size_t elements = 0, older = needed ? 0 : history_older(r), others;
	int n = 0;

	for (size_t i = 1; i < r->n; i++)
		elements += run_counts(&r->v[i], needed) && history_in_array(r, i);
	others = count_history(r, needed) - elements;
	if (older && others && !elements) {
		char last[32] = "";
		if (others > 1)
			snprintf(last, sizeof last, " %zu", others);
		snprintf(out, HISTORY_TEXT, "the last%s of %zu comparable runs", last,
		         others + older);
		return;
	}
	if (elements)
		n = snprintf(out, HISTORY_TEXT, "%zu other element%s of its array%s", elements,
		             elements == 1 ? "" : "s", others ? " and " : "");
	if (others || !elements)
		snprintf(out + n, HISTORY_TEXT - (size_t)n, "%zu earlier run%s", others,
		         others == 1 ? "" : "s");
}

size_t history_used(const struct runs *r)
{
	return count_history(r, false);
}

void history_used_text(const struct runs *r, char out[HISTORY_TEXT])
{
	runs_text(r, false, out);
}

size_t history_needed(const struct runs *r)
{
	return count_history(r, true);
}

void history_needed_text(const struct runs *r, char out[HISTORY_TEXT])
{
	runs_text(r, true, out);
}
