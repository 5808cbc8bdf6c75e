/* trace_events: a run on a time line, in the Trace Event format. */
#include "report/render/trace_events.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/larger.h"
#include "core/json/json_write.h"
#include "core/numbers/stats.h"
#include "core/processes/process_tree.h"

enum { JOB = 1, PHASES, GROUPS, COUNTERS };

struct trace {
	struct json_write j;
	csv_table_sink sink;
	void *ctx;
	struct err *e;
};

static int pass_text_on(void *ctx, const char *p, size_t n)
{
	struct trace *t = ctx;

	return t->sink(t->ctx, p, n, t->e);
}

static double micro(double s)
{
	return stats_round(s * 1e6, 0);
}

static void begin_event(struct trace *t, const char *phase, const char *name, int pid, double tid)
{
	json_write_object(&t->j, NULL);
	json_write_str(&t->j, "ph", phase);
	json_write_str(&t->j, "name", name);
	json_write_num(&t->j, "pid", pid);
	json_write_num(&t->j, "tid", tid);
}

static void put_process_name(struct trace *t, int pid, const char *name)
{
	begin_event(t, "M", "process_name", pid, 0);
	json_write_object(&t->j, "args");
	json_write_str(&t->j, "name", name);
	json_write_object_end(&t->j);
	json_write_object_end(&t->j);
}

/* Leaves the event open. */
static void begin_complete(struct trace *t, const char *name, int pid, double tid, double start_s,
                           double end_s)
{
	begin_event(t, "X", name, pid, tid);
	json_write_num(&t->j, "ts", micro(start_s));
	json_write_num(&t->j, "dur", micro(end_s) - micro(start_s));
}

/* -- processes in lanes ------------------------------------------------------------------------ */

struct lane_node {
	const struct process_tree_node *row;
	double end_s;
	long parent, below; /* below: what it is nested in; -1: nothing */
	size_t lane;
};

static int by_lane_order(const void *a, const void *b)
{
	const struct lane_node *const *x = a, *const *y = b;

	if ((*x)->row->start_s != (*y)->row->start_s)
		return (*x)->row->start_s < (*y)->row->start_s ? -1 : 1;
	if ((*x)->end_s != (*y)->end_s)
		return (*x)->end_s > (*y)->end_s ? -1 : 1;
	/* Parents end, and so are listed, after their children. */
	return *x > *y ? -1 : *x < *y;
}

/* Takes from a lane what has ended. */
static long top_of_lane(const struct lane_node *v, long top, double now_s)
{
	while (top >= 0 && v[top].end_s <= now_s)
		top = v[top].below;
	return top;
}

static void place_in_lane(struct lane_node *v, long *lanes, size_t *n, struct lane_node *one)
{
	double start_s = one->row->start_s;
	size_t lane = 0;

	one->below = -1;
	if (one->parent >= 0 && v[one->parent].lane < *n) {
		lane = v[one->parent].lane;
		lanes[lane] = top_of_lane(v, lanes[lane], start_s);
		if (lanes[lane] == one->parent && one->end_s <= v[one->parent].end_s)
			one->below = one->parent;
	}
	if (one->below < 0) {
		for (lane = 0; lane < *n; lane++) {
			lanes[lane] = top_of_lane(v, lanes[lane], start_s);
			if (lanes[lane] < 0)
				break;
		}
		*n += lane == *n;
	}
	one->lane = lane;
	lanes[lane] = one - v;
}

static void put_process(struct trace *t, const struct lane_node *one)
{
	const struct process_tree_node *row = one->row;

	begin_complete(t, *row->name ? row->name : "unknown", JOB, (double)one->lane + 1,
	               row->start_s, one->end_s);
	json_write_object(&t->j, "args");
	json_write_num(&t->j, "pid", row->pid);
	if (*row->command)
		json_write_str(&t->j, "command", row->command);
	json_write_num(&t->j, "cpu_s", row->cpu_s);
	json_write_num(&t->j, "memory_bytes", row->memory_b);
	json_write_num(&t->j, "status",
	               row->status == PROCESS_TREE_NO_STATUS ? (double)NAN : row->status);
	json_write_object_end(&t->j);
	json_write_object_end(&t->j);
}

static int put_processes(struct trace *t, const struct process_tree *tree, double duration_s)
{
	struct lane_node *v = calloc(tree->kept + 1, sizeof *v), **order;
	long *lanes = calloc(tree->kept + 1, sizeof *lanes);
	size_t n = 0;

	order = calloc(tree->kept + 1, sizeof *order);
	for (size_t i = 0; v && lanes && order && i < tree->kept; i++) {
		const struct process_tree_node *row = &tree->of[i];
		double end_s = isnan(row->end_s) ? duration_s : row->end_s;
		v[i] = (struct lane_node){.row = row,
		                          .end_s = larger(end_s, row->start_s),
		                          .parent = row->parent,
		                          .lane = tree->kept};
		order[i] = &v[i];
	}
	if (v && lanes && order) {
		qsort(order, tree->kept, sizeof *order, by_lane_order);
		for (size_t i = 0; i < tree->kept; i++) {
			place_in_lane(v, lanes, &n, order[i]);
			put_process(t, order[i]);
		}
	}
	free(v);
	free(lanes);
	free(order);
	return order && lanes && v ? 0 : err_set(t->e, "no memory for the time line");
}

static void put_group_events(struct trace *t, const struct process_tree *tree, double duration_s)
{
	for (size_t i = 0; i < tree->n_groups; i++) {
		const struct process_tree_group *g = &tree->groups[i];
		double end_s = isnan(g->end_s) ? duration_s : g->end_s;
		begin_complete(t, *g->name ? g->name : "others", GROUPS, (double)i + 1, g->start_s,
		               larger(end_s, g->start_s));
		json_write_object(&t->j, "args");
		json_write_num(&t->j, "processes", g->n);
		json_write_num(&t->j, "cpu_s", g->cpu_s);
		json_write_object_end(&t->j);
		json_write_object_end(&t->j);
	}
}

/* -- phases and counters ----------------------------------------------------------------------- */

static void put_phases(struct trace *t, const struct run *run)
{
	const struct phases *p = run->snapshot.phases;

	for (size_t i = 0; p && i < p->n; i++) {
		double end = isnan(p->v[i].end) ? run->stop : p->v[i].end;
		begin_complete(t, p->v[i].name, PHASES, 1, p->v[i].start - run->start,
		               larger(end, p->v[i].start) - run->start);
		json_write_object_end(&t->j);
	}
}

/* The job's columns, and where no job was recorded the machine's. */
static const struct {
	const char *name, *unit;
	enum metric_id of[METRIC_SCOPES];
} counters[] = {
    {"CPU", "cores", {METRIC_PROCESS_CPU_USAGE, METRIC_SYSTEM_CPU_USAGE}},
    {"memory", "bytes", {METRIC_PROCESS_MEMORY, METRIC_SYSTEM_MEMORY_USED}},
    {"disk read", "bytes", {METRIC_PROCESS_READ_BYTES, METRIC_SYSTEM_DISK_READ_BYTES}},
    {"disk write", "bytes", {METRIC_PROCESS_WRITE_BYTES, METRIC_SYSTEM_DISK_WRITE_BYTES}},
};

static void put_counters(struct trace *t, const struct run *run)
{
	const struct frame *f = &run->snapshot.rows[METRIC_SCOPE_PROCESS];
	enum metric_scope scope = f->rows ? METRIC_SCOPE_PROCESS : METRIC_SCOPE_SYSTEM;
	const double *time;

	f = &run->snapshot.rows[scope];
	time = frame_col(f, metric_time_of(scope));
	for (size_t c = 0; time && c < sizeof counters / sizeof *counters; c++) {
		const double *v =
		    frame_col(f, counters[c].of[scope == METRIC_SCOPE_PROCESS ? 0 : 1]);
		for (size_t i = 0; v && i < f->rows; i++) {
			if (isnan(v[i]) || isnan(time[i]))
				continue;
			begin_event(t, "C", counters[c].name, COUNTERS, 0);
			json_write_num(&t->j, "ts", micro(time[i] - run->start));
			json_write_object(&t->j, "args");
			json_write_num(&t->j, counters[c].unit, v[i]);
			json_write_object_end(&t->j);
			json_write_object_end(&t->j);
		}
	}
}

/* The seconds of each state in a sample, which add up to it. */
static void put_states(struct trace *t, const struct run *run)
{
	const struct frame *f = &run->snapshot.rows[METRIC_SCOPE_PROCESS];
	const double *time = frame_col(f, METRIC_PROCESS_TIMESTAMP);

	for (size_t i = 0; time && frame_col(f, METRIC_PROCESS_STATE_CPU) && i < f->rows; i++) {
		if (isnan(time[i]))
			continue;
		begin_event(t, "C", "states", COUNTERS, 0);
		json_write_num(&t->j, "ts", micro(time[i] - run->start));
		json_write_object(&t->j, "args");
		for (int id = METRIC_PROCESS_STATE_CPU; id <= METRIC_PROCESS_STATE_UNKNOWN; id++) {
			const double *v = frame_col(f, (enum metric_id)id);
			if (v && !isnan(v[i]))
				json_write_num(&t->j, metrics[id].name[SCHEMA_1], v[i]);
		}
		json_write_object_end(&t->j);
		json_write_object_end(&t->j);
	}
}

int trace_events_write(const struct run *run, csv_table_sink sink, void *ctx, struct err *e)
{
	struct trace t = {.sink = sink, .ctx = ctx, .e = e};
	const struct process_tree *tree = run->snapshot.tree;
	int failed = 0;

	t.j.sink = pass_text_on;
	t.j.ctx = &t;
	json_write_object(&t.j, NULL);
	json_write_str(&t.j, "displayTimeUnit", "ms");
	json_write_array(&t.j, "traceEvents");
	put_process_name(&t, JOB, "processes");
	put_process_name(&t, PHASES, "phases");
	put_process_name(&t, GROUPS, "short processes, summed up");
	put_process_name(&t, COUNTERS, "counters");
	if (tree) {
		failed = put_processes(&t, tree, run->duration);
		put_group_events(&t, tree, run->duration);
	}
	put_phases(&t, run);
	put_counters(&t, run);
	put_states(&t, run);
	json_write_array_end(&t.j);
	json_write_object_end(&t.j);
	if (!json_write_finish(&t.j) && !failed)
		failed = *e->msg ? -1 : err_set(e, "no memory for the time line");
	json_write_free(&t.j);
	return failed;
}
