/* critical_path: what the end of a job waited for. */
#include "report/stats/critical_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"

#define ROUNDED_S   0.0015 /* times are written with 3 decimals */
#define TOGETHER_S  0.1    /* children that end within this time end together, */
#define TOGETHER    0.01   /* or within this share of the life of the last one, if less */
#define LAST_STEPS  8      /* of the end of the path, in which the last process is looked for */
#define LAST_REST   0.05   /* as a share: what its ancestors may take after it */
#define LAST_REST_S 0.1
#define IDLE        0.01 /* as a share of its life: a process that ran less only waited; */
#define MOSTLY_RAN  0.5  /* one that ran so much, or more, was not waiting for something else */
#define CORES_BEFORE                                                                               \
	0.25 /* as a share of its life: more before it was alone, and its cores then
                             are not known */

double critical_path_start_s(const struct process_tree_node *p, const struct critical_path_job *job)
{
	return p->start_s > 0 ? fmin(p->start_s, job->duration_s) : 0;
}

double critical_path_end_s(const struct process_tree_node *p, const struct critical_path_job *job)
{
	double end = isnan(p->end_s) ? job->duration_s : fmin(p->end_s, job->duration_s);

	return fmax(end, critical_path_start_s(p, job));
}

bool critical_path_failed(const struct process_tree_node *p)
{
	return p->status != 0 && p->status != PROCESS_TREE_NO_STATUS;
}

static double cpu_or_0(double v)
{
	return isnan(v) ? 0 : v;
}

/* -- the walk ---------------------------------------------------------------------------------- */

struct path_child {
	double start_s, end_s;
	long at, parent;
};

struct walk {
	const struct process_tree *t;
	const struct critical_path_job *job;
	struct path_child *child; /* of all processes: by parent, latest end first */
	size_t *next;   /* of each parent, and at .kept of none: the next of its children */
	double slack_s; /* an end may be so much later than it was */
	struct critical_path *out;
};

static int by_parent_and_end(const void *a, const void *b)
{
	const struct path_child *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->end_s != y->end_s)
		return x->end_s > y->end_s ? -1 : 1;
	if (x->start_s != y->start_s)
		return x->start_s < y->start_s ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static size_t slot_of_parent(const struct walk *w, long parent)
{
	return parent >= 0 ? (size_t)parent : w->t->kept;
}

/* Steps come latest first. */
static void add_step(struct walk *w, long at, double from_s, double to_s)
{
	if (!(to_s > from_s))
		return;
	w->out->v[w->out->n++] = (struct critical_path_step){at, from_s, to_s};
	*(at >= 0 ? &w->out->on_s[at] : &w->out->none_s) += to_s - from_s;
}

/* The child that worked most of those that end together, such as the programs of a pipeline. */
static size_t busiest_with(const struct walk *w, size_t first, double from_s, double now_s)
{
	const struct path_child *v = w->child;
	double length_s = v[first].end_s - v[first].start_s;
	double least_s = v[first].end_s - fmin(TOGETHER_S, TOGETHER * length_s);
	size_t best = first;

	for (size_t i = first + 1; i < w->t->kept && v[i].parent == v[first].parent &&
	                           v[i].end_s >= least_s && v[i].end_s > from_s;
	     i++) {
		double cpu_s = w->t->of[v[i].at].cpu_s, most_s = w->t->of[v[best].at].cpu_s;
		if (v[i].start_s < now_s && cpu_s > (most_s > 0 ? most_s : 0))
			best = i;
	}
	return best;
}

/* The child that a process waited for last before a time. NULL: it waited for none. */
static const struct path_child *child_before(struct walk *w, long parent, double from_s,
                                             double now_s)
{
	size_t *next = &w->next[slot_of_parent(w, parent)];

	for (; *next < w->t->kept && w->child[*next].parent == parent; ++*next) {
		const struct path_child *c = &w->child[*next];
		if (c->end_s <= from_s)
			return NULL;
		if (c->end_s <= now_s + w->slack_s && c->start_s < now_s) {
			*next = busiest_with(w, *next, from_s, now_s);
			return &w->child[(*next)++];
		}
	}
	return NULL;
}

/* Follows the process backwards from a time. The stack holds its ancestors on the path. */
static void walk_back(struct walk *w, long at, double now_s, struct path_child *stack)
{
	struct path_child now = {.start_s = 0, .at = at};
	size_t depth = 0;

	if (at >= 0)
		now.start_s = critical_path_start_s(&w->t->of[at], w->job);
	for (;;) {
		const struct path_child *c = child_before(w, now.at, now.start_s, now_s);
		if (c) {
			double end_s = fmin(c->end_s, now_s);
			add_step(w, now.at, end_s, now_s);
			stack[depth++] = now;
			now_s = end_s;
			now = (struct path_child){.start_s = fmax(c->start_s, now.start_s),
			                          .at = c->at};
			continue;
		}
		add_step(w, now.at, now.start_s, now_s);
		now_s = fmin(now_s, now.start_s);
		if (!depth)
			return;
		now = stack[--depth];
	}
}

/* The root process; CRITICAL_PATH_NONE if it is not in the tree: then the ends of all without a
 * parent are the job's. */
static long find_root(const struct process_tree *t, double pid)
{
	for (size_t i = t->kept; i--;)
		if (t->of[i].pid == pid && t->of[i].parent < 0)
			return (long)i;
	return CRITICAL_PATH_NONE;
}

static void sort_path_children(struct walk *w)
{
	const struct process_tree *t = w->t;

	for (size_t i = 0; i < t->kept; i++)
		w->child[i] =
		    (struct path_child){.start_s = critical_path_start_s(&t->of[i], w->job),
		                        .end_s = critical_path_end_s(&t->of[i], w->job),
		                        .at = (long)i,
		                        .parent = t->of[i].parent};
	qsort(w->child, t->kept, sizeof *w->child, by_parent_and_end);
	for (size_t i = t->kept; i--;)
		w->next[slot_of_parent(w, w->child[i].parent)] = i;
}

static void in_order_of_time(struct critical_path *p)
{
	for (size_t i = 0; i < p->n / 2; i++) {
		struct critical_path_step early = p->v[p->n - 1 - i];
		p->v[p->n - 1 - i] = p->v[i];
		p->v[i] = early;
	}
}

/* -- the last process -------------------------------------------------------------------------- */

static void mark_ancestors(const struct process_tree *t, long at, bool *mark)
{
	for (; at >= 0; at = t->of[at].parent)
		mark[at] = true;
}

/* The seconds in which it ran, or could have: without those that it waited idly; NAN: not known. */
static double busy_s(const struct process_tree_node *p)
{
	const double *s = p->sampled ? p->sampled->states_s : NULL;
	double could_s = s ? s[STATES_CPU] + s[STATES_CPU_WAIT] + s[STATES_THROTTLED] : (double)NAN;

	return isnan(could_s) ? p->cpu_s : fmax(could_s, cpu_or_0(p->cpu_s));
}

/* Whether a process only waited: it is as if it were not there. */
static bool is_idle(const struct walk *w, const struct process_tree_node *p)
{
	double length_s = critical_path_end_s(p, w->job) - critical_path_start_s(p, w->job);

	return length_s > 0 && busy_s(p) < IDLE * length_s;
}

static bool mostly_ran(const struct walk *w, const struct process_tree_node *p)
{
	double length_s = critical_path_end_s(p, w->job) - critical_path_start_s(p, w->job);

	return busy_s(p) >= MOSTLY_RAN * length_s;
}

/* When the last of the others that ran ended; from when on it was alone. */
static double alone_from_s(const struct walk *w, const struct critical_path_step *step,
                           const bool *ancestor)
{
	const struct process_tree *t = w->t;
	double from_s = critical_path_start_s(&t->of[step->at], w->job);

	for (size_t i = 0; i < t->kept; i++) {
		const struct process_tree_node *p = &t->of[i];
		if (!ancestor[i] && critical_path_start_s(p, w->job) < step->to_s && !is_idle(w, p))
			from_s = fmax(from_s, critical_path_end_s(p, w->job));
	}
	for (size_t i = 0; i < t->n_groups; i++)
		if (t->groups[i].start_s < step->to_s)
			from_s = fmax(from_s, isnan(t->groups[i].end_s) ? w->job->duration_s
			                                                : t->groups[i].end_s);
	return fmin(from_s, step->to_s);
}

/* The mean number of processes that ran before a time; without CPU times, of those without
 * children. */
static double busy_before(const struct walk *w, double before_s, bool *has_child)
{
	const struct process_tree *t = w->t;
	double sum = 0;

	memset(has_child, 0, (t->kept + 1) * sizeof *has_child);
	for (size_t i = 0; i < t->kept; i++)
		has_child[slot_of_parent(w, t->of[i].parent)] = true;
	for (size_t i = 0; i < t->kept; i++) {
		const struct process_tree_node *p = &t->of[i];
		double start_s = critical_path_start_s(p, w->job);
		double length_s = critical_path_end_s(p, w->job) - start_s;
		double there_s = fmax(0, fmin(before_s, start_s + length_s) - start_s);
		if (!isnan(busy_s(p)) && length_s > 0)
			sum += busy_s(p) * there_s / length_s;
		else if (!has_child[i])
			sum += there_s;
	}
	for (size_t i = 0; i < t->n_groups; i++) {
		const struct process_tree_group *g = &t->groups[i];
		double length_s = (isnan(g->end_s) ? w->job->duration_s : g->end_s) - g->start_s;
		double there_s = fmin(before_s - g->start_s, length_s);
		if (there_s > 0)
			sum += g->cpu_s * there_s / length_s;
	}
	return before_s > 0 ? sum / before_s : 0;
}

static double cores_of(const struct walk *w, const struct critical_path_last *last)
{
	const struct process_tree_node *p = &w->t->of[last->at];
	double length = critical_path_end_s(p, w->job) - p->start_s;

	if (last->from_s - p->start_s > CORES_BEFORE * length)
		return NAN;
	return p->cpu_s / length;
}

static void find_last(const struct walk *w, double end_s, bool *mark)
{
	struct critical_path_last *best = &w->out->last;

	for (size_t i = 0; i < w->out->n && i < LAST_STEPS; i++) {
		const struct critical_path_step *step = &w->out->v[w->out->n - 1 - i];
		double from_s, all_s;
		if (step->at < 0 || !mostly_ran(w, &w->t->of[step->at]))
			continue;
		memset(mark, 0, (w->t->kept + 1) * sizeof *mark);
		mark_ancestors(w->t, step->at, mark);
		from_s = alone_from_s(w, step, mark);
		all_s = end_s - from_s;
		if (!(step->to_s > from_s) || end_s - step->to_s > LAST_REST * all_s + LAST_REST_S)
			continue;
		if (step->to_s - from_s > best->to_s - best->from_s)
			*best = (struct critical_path_last){
			    .at = step->at, .from_s = from_s, .to_s = step->to_s};
	}
	if (best->at < 0)
		return;
	best->cores = cores_of(w, best);
	best->before = busy_before(w, best->from_s, mark);
}

int critical_path_of(const struct process_tree *t, const struct critical_path_job *job,
                     struct critical_path *out)
{
	struct walk w = {.t = t, .job = job, .slack_s = ROUNDED_S, .out = out};
	struct path_child *stack = calloc(t->kept + 2, sizeof *stack);
	bool *mark = calloc(t->kept + 1, sizeof *mark);
	long root = find_root(t, job->pid);
	double end_s = root < 0 ? job->duration_s : critical_path_end_s(&t->of[root], job);
	int failed = -1;

	*out = (struct critical_path){.last.at = CRITICAL_PATH_NONE};
	out->v = calloc(2 * t->kept + 3, sizeof *out->v);
	out->on_s = calloc(t->kept + 1, sizeof *out->on_s);
	w.child = calloc(t->kept + 1, sizeof *w.child);
	w.next = calloc(t->kept + 1, sizeof *w.next);
	if (stack && mark && out->v && out->on_s && w.child && w.next) {
		for (size_t i = 0; i <= t->kept; i++)
			w.next[i] = t->kept;
		/* An end is the first sample without the process. */
		if (strcmp(t->source, PROCESS_TREE_EVENTS) != 0 && job->interval_s > 0)
			w.slack_s += fmin(job->interval_s, job->duration_s);
		sort_path_children(&w);
		walk_back(&w, root, end_s, stack);
		in_order_of_time(out);
		find_last(&w, end_s, mark);
		failed = 0;
	} else {
		alloc_failed_note(NULL);
		critical_path_free(out);
	}
	free(stack);
	free(mark);
	free(w.child);
	free(w.next);
	return failed;
}

void critical_path_free(struct critical_path *p)
{
	free(p->v);
	free(p->on_s);
	*p = (struct critical_path){.last.at = CRITICAL_PATH_NONE};
}
