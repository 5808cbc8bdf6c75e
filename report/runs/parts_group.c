/* parts_group: which recordings are parts of one job. */
#include "report/runs/parts_group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"

/* -- grouping ---------------------------------------------------------------------------------- */

static const struct snapshot_part *part_head(const struct runs *r, size_t i)
{
	return &r->v[i].snapshot.part;
}

static bool is_part(const struct run *run)
{
	const struct snapshot_part *p = &run->snapshot.part;

	/* A page may have no rows that could be joined. */
	return !run->page && p->known && p->job && *p->job && isfinite(run->stop - run->start) &&
	       run->stop >= run->start;
}

static bool covers_task(const struct snapshot_part *p)
{
	return p->covers && strcmp(p->covers, "task") == 0;
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* The part of the job that a recording is: its node, and its rank where it covers a task. */
static int compare_places(const struct snapshot_part *a, const struct snapshot_part *b)
{
	double x = covers_task(a) ? a->task : -1, y = covers_task(b) ? b->task : -1;
	int order = compare_texts(a->node, b->node);

	return order ? order : (x > y) - (x < y);
}

/* By job, and of each job by place and start. */
static int by_place(const void *a, const void *b, void *runs)
{
	const struct runs *r = runs;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	int order = strcmp(part_head(r, i)->job, part_head(r, k)->job);

	if (!order)
		order = compare_places(part_head(r, i), part_head(r, k));
	if (!order)
		order = (r->v[i].start > r->v[k].start) - (r->v[i].start < r->v[k].start);
	return order ? order : (i > k) - (i < k);
}

struct by_run {
	const struct runs *r;
	const size_t *turn;
};

static bool same_run(const struct by_run *by, size_t i, size_t k)
{
	return by->turn[i] == by->turn[k] &&
	       strcmp(part_head(by->r, i)->job, part_head(by->r, k)->job) == 0;
}

/* By job, and of each job by turn. */
static int by_run(const void *a, const void *b, void *ctx)
{
	const struct by_run *by = ctx;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	int order = strcmp(part_head(by->r, i)->job, part_head(by->r, k)->job);

	if (!order)
		order = (by->turn[i] > by->turn[k]) - (by->turn[i] < by->turn[k]);
	return order ? order : (i > k) - (i < k);
}

/* A script may record several commands, one after the other: each is a run of its own. turn[i]: how
 * many recordings of the same place had ended when recording i began. */
static void count_turns(const struct runs *r, const size_t *order, size_t n, size_t *turn)
{
	double ended = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		const struct run *run = &r->v[order[i]];
		bool again =
		    i &&
		    strcmp(part_head(r, order[i])->job, part_head(r, order[i - 1])->job) == 0 &&
		    compare_places(part_head(r, order[i]), part_head(r, order[i - 1])) == 0;
		turn[order[i]] = !again ? 0 : turn[order[i - 1]] + (run->start >= ended);
		ended = again ? fmax(ended, run->stop) : run->stop;
	}
}

size_t parts_group_order(const struct runs *r, size_t *order, size_t *turn)
{
	struct by_run by = {r, turn};
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (is_part(&r->v[i]))
			order[n++] = i;
	qsort_r(order, n, sizeof *order, by_place, (void *)r);
	count_turns(r, order, n, turn);
	qsort_r(order, n, sizeof *order, by_run, &by);
	return n;
}

size_t parts_group_length(const struct runs *r, const size_t *order, const size_t *turn, size_t n,
                          bool *join)
{
	const struct snapshot_part *first = part_head(r, order[0]);
	const struct by_run by = {r, turn};
	size_t length = 1;

	while (length < n && same_run(&by, order[length], order[0]))
		length++;
	*join = length > 1 || first->nodes > 1 || (covers_task(first) && first->tasks > 1);
	return length;
}

/* -- what a head says -------------------------------------------------------------------------- */

static double known_or(double v, double other)
{
	return v >= 0 ? v : other;
}

static struct parts_used used_by(const struct run *run, bool job)
{
	const struct stats *s = run->stats;
	const struct snapshot_totals *t = &run->snapshot.totals;
	bool gpus = run->snapshot.server.gpu_count > 0;

	if (!job)
		return (struct parts_used){
		    .cpu_s = s[METRIC_SYSTEM_UTIME].sum + s[METRIC_SYSTEM_STIME].sum,
		    .cores = s[METRIC_SYSTEM_CPU_USAGE].mean,
		    .memory_b = s[METRIC_SYSTEM_MEMORY_USED].max,
		    .gpu = gpus ? s[METRIC_SYSTEM_GPU_USAGE].mean : (double)NAN,
		    .vram_b = gpus ? s[METRIC_SYSTEM_GPU_VRAM].max : (double)NAN,
		    .gpu_max = gpus ? s[METRIC_SYSTEM_GPU_USAGE].max : (double)NAN,
		    .read_b = s[METRIC_SYSTEM_DISK_READ_BYTES].sum,
		    .write_b = s[METRIC_SYSTEM_DISK_WRITE_BYTES].sum};
	return (struct parts_used){
	    .cpu_s = t->known && t->exact_cpu_s > 0
	                 ? t->exact_cpu_s
	                 : s[METRIC_PROCESS_UTIME].sum + s[METRIC_PROCESS_STIME].sum,
	    .cores = s[METRIC_PROCESS_CPU_USAGE].mean,
	    .memory_b = s[METRIC_PROCESS_MEMORY].max,
	    .gpu = gpus ? s[METRIC_PROCESS_GPU_USAGE].mean : (double)NAN,
	    .vram_b = gpus ? s[METRIC_PROCESS_GPU_VRAM].max : (double)NAN,
	    .gpu_max = gpus ? s[METRIC_PROCESS_GPU_USAGE].max : (double)NAN,
	    .read_b =
		known_or(t->known ? t->read_b : (double)NAN, s[METRIC_PROCESS_READ_BYTES].sum),
	    .write_b =
		known_or(t->known ? t->write_b : (double)NAN, s[METRIC_PROCESS_WRITE_BYTES].sum)};
}

static struct part part_of_run(const struct run *run, bool job, struct snapshot *out)
{
	const struct snapshot *s = &run->snapshot;
	const char *node = s->part.node && *s->part.node ? s->part.node : s->job.host;

	return (struct part){
	    .input = {run->place, run->kind, snapshot_strdup(out, run->file), run->at},
	    .host = snapshot_strdup(out, s->job.host),
	    .node = snapshot_strdup(out, node),
	    .task = covers_task(&s->part) ? s->part.task : (double)NAN,
	    .start = run->start,
	    .stop = run->stop,
	    .interval = run->interval,
	    .status = run->status,
	    .code = s->exit.code,
	    .signal = s->exit.signal,
	    .ended = s->exit.known,
	    .oom = load_is_oom(run),
	    .end_known = s->end.known,
	    .end_cause = snapshot_strdup(out, s->end.cause),
	    .end_sentence = snapshot_strdup(out, s->end.sentence),
	    .tasks = s->tasks,
	    .used = used_by(run, job),
	};
}

/* n2 before n10. */
static int by_node(const void *a, const void *b)
{
	const struct part *p = a, *q = b;
	int order = strverscmp(p->node, q->node);

	if (order)
		return order;
	if (p->start != q->start)
		return p->start < q->start ? -1 : 1;
	if (p->task < q->task || p->task > q->task)
		return p->task < q->task ? -1 : 1;
	return strcmp(p->input.name, q->input.name);
}

/* Whether two recordings of a node count the same processes: both of the node, or of one task, or
 * one of them of the node, at the same time. */
static bool covers_same(const struct part *a, const struct part *b)
{
	bool tasks = !isnan(a->task) && !isnan(b->task);

	return *a->node && strcmp(a->node, b->node) == 0 && a->start < b->stop &&
	       b->start < a->stop && (!tasks || a->task == b->task);
}

/* Of two, the one of the node, else the longer. */
static bool covers_more(const struct part *a, const struct part *b)
{
	if (isnan(a->task) != isnan(b->task))
		return isnan(a->task);
	return a->stop - a->start >= b->stop - b->start;
}

/* Clears the name of those that another one covers. Returns how many. */
static size_t leave_out_covered(struct parts *p)
{
	size_t out = 0;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = i + 1; k < p->n && p->v[i].input.name; k++) {
			if (strcmp(p->v[i].node, p->v[k].node) != 0)
				break;
			if (!p->v[k].input.name || !covers_same(&p->v[i], &p->v[k]))
				continue;
			if (covers_more(&p->v[i], &p->v[k]))
				p->v[k].input.name = NULL;
			else
				p->v[i].input.name = NULL;
			out++;
		}
	return out;
}

struct parts *parts_group_make(const struct runs *r, const size_t *order, size_t n,
                               struct snapshot *out)
{
	struct parts *p = snapshot_alloc(out, sizeof *p);
	bool job = true;
	size_t covered;

	if (!p || !(p->v = snapshot_alloc(out, n * sizeof *p->v)) ||
	    !(p->node = snapshot_alloc(out, n * sizeof *p->node)))
		return NULL;
	for (size_t i = 0; i < n; i++)
		job = job && r->v[order[i]].stats[METRIC_PROCESS_CPU_USAGE].n > 0;
	p->n = n;
	p->of_job = job;
	p->job_nodes = p->job_tasks = NAN;
	for (size_t i = 0; i < n; i++) {
		const struct snapshot_part *head = part_head(r, order[i]);
		p->v[i] = part_of_run(&r->v[order[i]], job, out);
		p->job_nodes = fmax(p->job_nodes, head->nodes);
		p->job_tasks = fmax(p->job_tasks, head->tasks);
	}
	if (alloc_failed())
		return NULL;
	qsort(p->v, n, sizeof *p->v, by_node);
	covered = leave_out_covered(p);
	if (covered)
		snapshot_note(out,
		              "%zu recording%s left out of the sums: another one of the same node "
		              "or task covers the same time.",
		              covered, covered == 1 ? " was" : "s were");
	parts_group_settle(p);
	return p;
}

/* -- nodes ------------------------------------------------------------------------------------- */

/* Sums over the parts of a node. Peaks of several are not known from heads (NAN). */
static void sum_node(struct parts_node *node, const struct part *v)
{
	struct parts_used u = v->used;
	double wall;

	node->name = v->node;
	node->host = v->host;
	node->start = v->start;
	node->stop = v->stop;
	node->used = u;
	if (node->n == 1)
		return;
	u = (struct parts_used){.memory_b = NAN, .vram_b = NAN, .gpu_max = NAN};
	for (size_t i = 0; i < node->n; i++) {
		wall = v[i].stop - v[i].start;
		node->start = fmin(node->start, v[i].start);
		node->stop = fmax(node->stop, v[i].stop);
		u.cpu_s += v[i].used.cpu_s;
		u.read_b += v[i].used.read_b;
		u.write_b += v[i].used.write_b;
		u.cores += v[i].used.cores * wall;
		u.gpu += v[i].used.gpu * wall;
	}
	wall = node->stop - node->start;
	u.cores = wall > 0 ? u.cores / wall : (double)NAN;
	u.gpu = wall > 0 ? u.gpu / wall : (double)NAN;
	node->used = u;
}

static void settle_nodes(struct parts *p)
{
	p->n_nodes = 0;
	for (size_t i = 0; i < p->n; i++) {
		/* Parts of unknown nodes may be of different ones. */
		bool same = i && *p->v[i].node && strcmp(p->v[i].node, p->v[i - 1].node) == 0;
		struct parts_node *node = &p->node[same ? p->n_nodes - 1 : p->n_nodes++];
		if (!same)
			*node = (struct parts_node){.first = i};
		node->n++;
		p->v[i].at = p->n_nodes - 1;
	}
	for (size_t i = 0; i < p->n_nodes; i++)
		sum_node(&p->node[i], &p->v[p->node[i].first]);
}

static void settle_late(struct parts *p)
{
	double first = INFINITY, last = -INFINITY;

	for (size_t i = 0; i < p->n_nodes; i++) {
		first = fmin(first, p->node[i].start);
		if (p->node[i].start > last) {
			last = p->node[i].start;
			p->late = i;
		}
	}
	p->spread = p->n_nodes ? last - first : 0;
}

/* Whether no part before it has the same rank. */
static bool is_new_rank(const struct parts *p, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (p->v[k].task == p->v[i].task)
			return false;
	return !isnan(p->v[i].task);
}

void parts_group_settle(struct parts *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].input.name)
			p->v[n++] = p->v[i];
	p->n = n;
	p->tasks = p->failed = p->unfinished = 0;
	p->worst = n ? p->v : NULL;
	for (size_t i = 0; i < n; i++) {
		const struct part *v = &p->v[i];
		p->tasks += is_new_rank(p, i);
		p->failed += v->oom || v->status == RUN_FAILED || v->status == RUN_KILLED;
		p->unfinished += v->status == RUN_UNFINISHED;
		p->worst = parts_worse(p->worst, v);
	}
	settle_nodes(p);
	settle_late(p);
}
