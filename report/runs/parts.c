/* parts: what is known of the recordings of one job. */
#include "report/runs/parts.h"

#include <math.h>

#include "core/end/end_cause.h"

#define RANKS_SAID 5

size_t parts_nodes(const struct run *run)
{
	return run->parts ? run->parts->n_nodes : 1;
}

/* Numbers of a file may be anyone's: 0 for those that no job has. */
static size_t count_or_0(double n)
{
	return n >= 1 && n <= 1e9 ? (size_t)n : 0;
}

static size_t missing_nodes(const struct parts *p)
{
	size_t all = count_or_0(p->job_nodes);

	return all > p->n_nodes ? all - p->n_nodes : 0;
}

static size_t missing_tasks(const struct parts *p)
{
	size_t all = count_or_0(p->job_tasks);

	return p->tasks && all > p->tasks ? all - p->tasks : 0;
}

size_t parts_all_nodes(const struct run *run)
{
	return run->parts ? run->parts->n_nodes + missing_nodes(run->parts) : 1;
}

size_t parts_tasks_per_node(const struct run *run)
{
	size_t nodes = parts_all_nodes(run),
	       tasks = run->parts ? count_or_0(run->parts->job_tasks) : 0;

	return tasks % nodes == 0 ? tasks / nodes : 0;
}

size_t parts_missing(const struct parts *p)
{
	return !p ? 0 : missing_nodes(p) ? missing_nodes(p) : missing_tasks(p);
}

static bool has_rank(const struct parts *p, size_t rank)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].task == (double)rank)
			return true;
	return false;
}

/* " (not rank 3)", " (not ranks 3, 7 and 4 more)". */
static void say_missing_ranks(const struct parts *p, struct buf *out)
{
	size_t all = missing_tasks(p), said = 0;

	if (!all)
		return;
	buf_printf(out, " (not rank%s", all == 1 ? "" : "s");
	for (size_t rank = 0; said < all && said < RANKS_SAID; rank++)
		if (!has_rank(p, rank))
			buf_printf(out, "%s%zu", said++ ? ", " : " ", rank);
	if (all > said)
		buf_printf(out, " and %zu more", all - said);
	buf_char(out, ')');
}

void parts_recorded_text(const struct parts *p, struct buf *out)
{
	bool nodes = missing_nodes(p) || !missing_tasks(p);
	size_t have = nodes ? p->n_nodes : p->tasks;
	size_t all = have + (nodes ? missing_nodes(p) : missing_tasks(p));

	if (have == all)
		buf_printf(out, "%zu %s%s", all, nodes ? "node" : "task", all == 1 ? "" : "s");
	else
		buf_printf(out, "%zu of %zu %ss", have, all, nodes ? "node" : "task");
	if (!nodes)
		say_missing_ranks(p, out);
}

void parts_place_text(const char *node, double task, struct buf *out)
{
	buf_str(out, *node ? node : "an unknown node");
	if (!isnan(task))
		buf_printf(out, " (rank %.0f)", task);
}

static int badness(const struct part *p)
{
	static const int of[] = {[RUN_FINISHED] = 0, [RUN_UNKNOWN] = 1, [RUN_UNFINISHED] = 2,
	                         [RUN_RUNNING] = 2,  [RUN_FAILED] = 4,  [RUN_KILLED] = 4};

	if (p->oom)
		return 5;
	/* It was told to end, as launchers do to all parts after one has failed. */
	if (of[p->status] == 4 && p->end_known && end_cause_find(p->end_cause) == END_CAUSE_SENT)
		return 3;
	return of[p->status];
}

const struct part *parts_worse(const struct part *a, const struct part *b)
{
	if (badness(a) != badness(b))
		return badness(a) > badness(b) ? a : b;
	return badness(a) >= 3 && b->stop < a->stop ? b : a;
}

size_t parts_rows(const struct parts *p, enum parts_rows of)
{
	return of == PARTS_OF_NODES ? p->n_nodes : p->tasks ? p->n : 0;
}

struct parts_row parts_row(const struct parts *p, enum parts_rows of, size_t i)
{
	const struct parts_node *node;
	struct parts_row row;

	if (of == PARTS_OF_TASKS)
		return (struct parts_row){p->node[p->v[i].at].name,
		                          p->v[i].host,
		                          p->v[i].task,
		                          p->v[i].start,
		                          p->v[i].stop,
		                          &p->v[i].used,
		                          &p->v[i]};
	node = &p->node[i];
	row = (struct parts_row){node->name,  node->host,        NAN, node->start, node->stop,
	                         &node->used, &p->v[node->first]};
	for (size_t k = 1; k < node->n; k++)
		row.worst = parts_worse(row.worst, &p->v[node->first + k]);
	return row;
}

double parts_measure(const struct parts_row *row, enum parts_measure m)
{
	return m == PARTS_MEASURE_CPU      ? row->used->cpu_s
	       : m == PARTS_MEASURE_MEMORY ? row->used->memory_b
	                                   : row->stop - row->start;
}

struct parts_imbalance parts_imbalance(const struct parts *p, enum parts_measure m)
{
	struct parts_imbalance b = {
	    .of = p->n_nodes > 1 ? PARTS_OF_NODES : PARTS_OF_TASKS, .ratio = NAN, .most = NAN};
	size_t n = parts_rows(p, b.of);

	for (size_t i = 0; i < n; i++) {
		struct parts_row row = parts_row(p, b.of, i);
		double v = parts_measure(&row, m);
		b.mean += v / (double)n;
		if (!(v <= b.most)) {
			b.most = v;
			b.at = i;
		}
	}
	if (n > 1 && b.mean > 0)
		b.ratio = b.most / b.mean;
	return b;
}

double parts_line_value(const struct parts_used *used, enum parts_line line)
{
	return line == PARTS_CPU      ? used->cores
	       : line == PARTS_MEMORY ? used->memory_b
	       : line == PARTS_GPU    ? used->gpu
	                              : used->vram_b;
}

struct parts_used parts_worst_node(const struct parts *p)
{
	struct parts_used worst = p->node[0].used;

	for (size_t i = 1; i < p->n_nodes; i++) {
		const struct parts_used *u = &p->node[i].used;
		worst.cpu_s = fmax(worst.cpu_s, u->cpu_s);
		worst.cores = fmax(worst.cores, u->cores);
		worst.memory_b = fmax(worst.memory_b, u->memory_b);
		worst.vram_b = fmax(worst.vram_b, u->vram_b);
		worst.gpu = fmax(worst.gpu, u->gpu);
		worst.gpu_max = fmax(worst.gpu_max, u->gpu_max);
		worst.read_b = fmax(worst.read_b, u->read_b);
		worst.write_b = fmax(worst.write_b, u->write_b);
	}
	return worst;
}
