/* parts_grid: sums of recordings on common rows. */
#include "report/runs/parts_grid.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/recording/elapsed.h"

#define JITTER 0.01 /* steps: times that are so near are the same */

/* The time that a row of a recording stands for, on the grid. Intervals of a recording do not
 * overlap, whatever its time stamps are, so that adding it takes time for its rows and the grid's,
 * and no more. */
struct parts_interval {
	double length; /* seconds, within the grid */
	double part;   /* of the row that counts: less than 1 where a machine was counted before */
	double awake;  /* seconds that the row's levels hold for */
	double first_share;   /* of it, in the first row that it overlaps */
	uint32_t first, last; /* which these are */
	uint32_t near;        /* the row whose time stamp is nearest to its end */
	uint32_t regular;     /* so many from this one on can be added as a run: is_regular() */
	bool ends;            /* the next sample is nearest to a later row */
};

/* How a column is added. */
enum way { LEAVE, SPREAD, LEVEL, SHARE, STATE };

static enum way way_of(const struct metric *m)
{
	bool of_main = strncmp(m->name[SCHEMA_1], "main_", 5) == 0;

	if (m->unit == METRIC_UNIT_TIME || m->id == METRIC_PROCESS_PID || of_main ||
	    m->id == METRIC_PROCESS_BUSIEST_THREAD || metric_is_of_one_gpu(m))
		return LEAVE;
	if (m->kind == METRIC_KIND_DELTA)
		return SPREAD;
	if (m->unit == METRIC_UNIT_SHARE)
		return SHARE;
	/* CPU and GPU usage are means over the interval, though they are called gauges. */
	return m->kind == METRIC_KIND_RATE || m->unit == METRIC_UNIT_CORES ||
	               m->unit == METRIC_UNIT_GPUS
	           ? LEVEL
	           : STATE;
}

bool parts_grid_wants(const struct metric *m)
{
	return way_of(m) != LEAVE || m->unit == METRIC_UNIT_TIME || metric_is_of_one_gpu(m);
}

static const enum metric_id lines[PARTS_LINES][METRIC_SCOPES] = {
    [PARTS_CPU] = {METRIC_PROCESS_CPU_USAGE, METRIC_SYSTEM_CPU_USAGE},
    [PARTS_MEMORY] = {METRIC_PROCESS_MEMORY, METRIC_SYSTEM_MEMORY_USED},
    [PARTS_GPU] = {METRIC_PROCESS_GPU_USAGE, METRIC_SYSTEM_GPU_USAGE},
    [PARTS_VRAM] = {METRIC_PROCESS_GPU_VRAM, METRIC_SYSTEM_GPU_VRAM},
};

static double *zeroes(size_t n)
{
	return alloc_failed_note(calloc(n, sizeof(double)));
}

int parts_grid_init(struct parts_grid *g, double from, double to, double interval, struct err *e)
{
	bool whole = true;

	*g = (struct parts_grid){.from = from, .to = to, .job = true};
	if (!isfinite(to - from) || to < from)
		return err_set(e, "the parts' times are of no use");
	g->step = interval > 0 && isfinite(interval) ? interval : 1;
	if ((to - from) / g->step > (double)PARTS_GRID_ROWS_MAX)
		g->step = (to - from) / (double)PARTS_GRID_ROWS_MAX;
	g->rows = (size_t)ceil((to - from) / g->step - JITTER);
	g->rows = g->rows < 1 ? 1 : g->rows > PARTS_GRID_ROWS_MAX ? PARTS_GRID_ROWS_MAX : g->rows;
	g->machine_s = zeroes(g->rows);
	g->node_peak = zeroes(g->rows);
	g->state_scale = zeroes(g->rows);
	for (int i = 0; i < PARTS_LINES; i++) {
		g->line[i] = zeroes(g->rows);
		whole = whole && g->line[i];
	}
	return whole && g->machine_s && g->node_peak && g->state_scale
	           ? 0
	           : err_set(e, "no memory for the sums of the parts");
}

void parts_grid_node(struct parts_grid *g)
{
	for (int i = 0; i < PARTS_LINES; i++)
		memset(g->line[i], 0, g->rows * sizeof *g->line[i]);
	memset(g->node_peak, 0, g->rows * sizeof *g->node_peak);
	g->node_peaks = 0;
	g->machine_until = -INFINITY;
	g->machine_rows = g->node_parts = 0;
}

/* The row that contains a time; a time between two rows belongs to the first. */
static size_t row_before(const struct parts_grid *g, double t)
{
	double at = ceil((t - g->from) / g->step) - 1;

	return !(at > 0) ? 0 : at >= (double)g->rows ? g->rows - 1 : (size_t)at;
}

/* The row whose time stamp is nearest; the last one's is g->to. */
static size_t row_near(const struct parts_grid *g, double t)
{
	double at = round((t - g->from) / g->step) - 1;
	double last_but_one = g->from + g->step * (double)(g->rows - 1);

	if (g->rows > 1 && t > (last_but_one + g->to) / 2)
		return g->rows - 1;
	return !(at > 0) ? 0 : at >= (double)g->rows ? g->rows - 1 : (size_t)at;
}

static double within_grid(const struct parts_grid *g, double t)
{
	return !(t > g->from) ? g->from : t > g->to ? g->to : t;
}

static bool has_intervals(struct parts_grid *g, size_t n)
{
	if (g->intervals >= n)
		return true;
	free(g->interval);
	free(g->first_share);
	g->interval = alloc_failed_note(calloc(n, sizeof *g->interval));
	g->first_share = alloc_failed_note(calloc(n, 3 * sizeof *g->first_share));
	g->intervals = g->interval && g->first_share ? n : 0;
	g->awake = g->first_share + g->intervals;
	g->steps_awake = g->awake + g->intervals;
	return g->intervals > 0;
}

/* An interval that counts whole, lies in one or two rows, and ends nearest to a row of its own. */
static bool is_regular(const struct parts_interval *v)
{
	return v->part == 1 && v->ends && v->last <= v->first + 1 &&
	       (v->last > v->first) == (v->first_share < 1);
}

/* Nearly all rows of a recording that has the step of the grid are runs of such intervals, each a
 * row after the one before. Their numbers are in arrays, which takes a third of the time. */
static void find_runs(struct parts_grid *g, size_t n)
{
	for (size_t i = n; i-- > 0;) {
		struct parts_interval *v = &g->interval[i];
		const struct parts_interval *next = i + 1 < n ? v + 1 : NULL;
		bool goes_on = next && next->first == v->first + 1 && next->near == v->near + 1;
		v->regular = is_regular(v) ? 1 : 0;
		if (v->regular && goes_on)
			v->regular += next->regular;
		g->first_share[i] = v->first_share;
		g->awake[i] = v->awake;
		g->steps_awake[i] = v->awake / g->step;
	}
}

/* Fills g->interval for the rows of a scope, which end at *until. `counted`: up to this time, the
 * rows count nothing. */
static int fill_intervals(struct parts_grid *g, const struct elapsed_rows *rows, double counted,
                          double *until, struct err *e)
{
	double cursor = rows->rule.start, first = rows->t[0] - rows->rule.interval;

	if (!has_intervals(g, rows->n))
		return err_set(e, "no memory for %zu rows", rows->n);
	cursor = within_grid(g, cursor < rows->t[0] ? cursor : first);
	for (size_t i = 0; i < rows->n; i++) {
		struct parts_interval *v = &g->interval[i];
		double hi = within_grid(g, isnan(rows->t[i]) ? cursor : rows->t[i]);
		double before = cursor, lo = before > counted ? before : counted;
		size_t begins, ends;

		cursor = hi = hi > cursor ? hi : cursor;
		*v = (struct parts_interval){.part = 1, .awake = elapsed_at(rows, i)};
		if (lo >= hi) { /* a row without a length, or counted before */
			v->part = counted >= hi ? 0 : 1;
			lo = hi;
		} else {
			v->part = (hi - lo) / (hi - before);
		}
		v->length = hi - lo;
		ends = row_before(g, hi);
		/* A start 1 % of a step before a row is the jitter of a start within it. */
		begins = lo < hi ? (size_t)((lo - g->from) / g->step + JITTER) : ends;
		begins = begins < ends ? begins : ends;
		v->first_share = begins == ends
		                     ? 1
		                     : (g->from + g->step * (double)(begins + 1) - lo) / v->length;
		v->first = (uint32_t)begins;
		v->last = (uint32_t)ends;
		v->near = (uint32_t)row_near(g, hi);
		v->ends = i + 1 == rows->n;
		if (i)
			v[-1].ends = v->near > v[-1].near;
	}
	find_runs(g, rows->n);
	*until = cursor;
	return 0;
}

/* Spreads an amount over the rows that an interval overlaps; most overlap one or two. */
static inline void spread(const struct parts_grid *g, const struct parts_interval *v, double amount,
                          double *sum)
{
	double share = amount * v->first_share, rest = amount - share;

	sum[v->first] += share;
	for (size_t k = v->first + 1; k < v->last; k++) {
		share = amount * (g->step / v->length);
		rest -= share;
		sum[k] += share;
	}
	if (v->last > v->first)
		sum[v->last] += rest;
}

/* Does what spread() does, with the same roundings, for the intervals of a run of n, the i-th of
 * which is the first; col and held are theirs, held NULL: 1. */
static void spread_run(const struct parts_grid *g, size_t i, size_t n, const double *col,
                       const double *held, double *sum)
{
	const double *first_share = g->first_share + i;
	double rest = 0, *row = sum + g->interval[i].first;
	size_t k;

	for (k = 0; k < n; k++) {
		double amount = held ? col[k] * held[k] : col[k], share = amount * first_share[k];
		row[k] = row[k] + rest + share;
		rest = first_share[k] < 1 ? amount - share : 0;
	}
	if (first_share[n - 1] < 1)
		row[n] += rest;
}

static void add_spread(struct parts_grid *g, const double *col, size_t n, enum way way, double *sum)
{
	const double *held = way == LEVEL ? g->steps_awake : way == SHARE ? g->awake : NULL;

	for (size_t i = 0, run; i < n; i += run) {
		const struct parts_interval *v = &g->interval[i];
		run = v->regular > 0 ? v->regular : 1;
		if (v->regular)
			spread_run(g, i, run, col + i, held ? held + i : NULL, sum);
		else if (v->part > 0)
			spread(g, v, col[i] * (held ? held[i] : 1) * v->part, sum);
	}
}

/* Each row's state is the maximum of its samples; a row without a sample takes the next one, since
 * a sample stands for the time before it. */
static size_t add_states(struct parts_grid *g, const double *col, size_t n, size_t from,
                         double *sum)
{
	size_t next = n ? g->interval[0].first : 0; /* the first row that has no state yet */
	double state = NAN;

	next = next > from ? next : from;
	for (size_t i = 0; i < n; i++) {
		const struct parts_interval *v = &g->interval[i];
		bool alone = i == 0 || v[-1].ends; /* no sample before it has the same row */
		state = col[i] <= state ? state : isnan(col[i]) ? state : col[i];
		if (!v->ends)
			continue;
		if (alone && v->near == next && v->regular) {
			for (size_t k = 0; k < v->regular; k++)
				sum[next + k] += col[i + k];
			next += v->regular;
			i += v->regular - 1;
		}
		for (; next <= v->near; next++)
			sum[next] += state;
		state = NAN;
	}
	return next;
}

static double *line_of(const struct parts_grid *g, enum metric_id id)
{
	for (int i = 0; i < PARTS_LINES; i++)
		if (lines[i][g->job ? METRIC_SCOPE_PROCESS : METRIC_SCOPE_SYSTEM] == id)
			return g->line[i];
	return NULL;
}

/* A recording leaves out the column of a state that the job never was in: there it is 0. */
static bool is_state_of_none(const struct snapshot *s, enum metric_id id)
{
	bool states = false;

	if (states_of_metric(id) == STATES_N)
		return false;
	for (int k = 0; k < STATES_N; k++)
		states |= frame_col(&s->rows[METRIC_SCOPE_PROCESS],
		                    states_metric((enum states_id)k)) != NULL;
	frame_rest(&s->rows[METRIC_SCOPE_PROCESS]);
	return states;
}

/* Where the numbers of a column are added: NULL without memory. */
static double *place_of_sum(struct parts_grid *g, enum metric_id id)
{
	enum states_id state = states_of_metric(id);

	g->sum[id] = g->sum[id] ? g->sum[id] : zeroes(g->rows);
	if (state == STATES_N || !g->sum[id])
		return g->sum[id];
	g->node_state[state] = g->node_state[state] ? g->node_state[state] : zeroes(g->rows);
	return g->node_state[state];
}

static int add_scope(struct parts_grid *g, const struct snapshot *s, enum metric_scope scope,
                     struct err *e)
{
	const struct frame *f = &s->rows[scope];
	const struct elapsed_rows rows = elapsed_rows(s, scope);
	bool machine = scope == METRIC_SCOPE_SYSTEM;
	size_t done = machine ? g->machine_rows : 0;
	double until = g->machine_until;

	if (!rows.t || !rows.n)
		return 0;
	if (fill_intervals(g, &rows, machine ? g->machine_until : -(double)INFINITY, &until, e))
		return -1;
	for (int id = 0; id < METRIC_COUNT; id++) {
		const double *col = frame_col(f, (enum metric_id)id);
		enum way way = way_of(&metrics[id]);
		double *line = line_of(g, (enum metric_id)id), *sum;
		if (metrics[id].scope != scope || way == LEAVE ||
		    (!col && !is_state_of_none(s, (enum metric_id)id)))
			continue;
		sum = place_of_sum(g, (enum metric_id)id);
		if (!sum)
			return err_set(e, "no memory for the sums of the parts");
		g->measured[id]++;
		if (!col)
			continue;
		if (id == METRIC_PROCESS_MEMORY_PEAK) {
			line = g->node_peak;
			g->node_peaks++;
		}
		for (double *to = sum; to; to = to == line ? NULL : line) {
			if (way == STATE)
				done =
				    add_states(g, col, rows.n, machine ? g->machine_rows : 0, to);
			else
				add_spread(g, col, rows.n, way, to);
		}
		frame_rest(f);
	}
	for (size_t i = 0; machine && i < rows.n; i++)
		if (g->interval[i].part > 0)
			spread(g, &g->interval[i], g->interval[i].awake * g->interval[i].part,
			       g->machine_s);
	if (machine) {
		g->machine_until = fmax(g->machine_until, until);
		g->machine_rows = done > g->machine_rows ? done : g->machine_rows;
	}
	return 0;
}

int parts_grid_add(struct parts_grid *g, const struct snapshot *s, struct err *e)
{
	bool alone = g->node_parts++ == 0; /* the first of its node */

	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		/* One recording of a node is enough to know its machine. */
		g->recorded[scope] +=
		    scope == METRIC_SCOPE_PROCESS || alone || s->rows[scope].rows > 0;
		if (add_scope(g, s, (enum metric_scope)scope, e))
			return -1;
	}
	return 0;
}

/* The last row ends with the last recording, so it may be shorter. */
static double last_row_s(const struct parts_grid *g)
{
	return g->to - (g->from + g->step * (double)(g->rows - 1));
}

/* By what the states of each row are multiplied so that they come to no more than its time. */
static void fill_state_scales(struct parts_grid *g, double *const states[STATES_N])
{
	for (size_t i = 0; i < g->rows; i++)
		g->state_scale[i] = 0;
	for (int k = 0; k < STATES_N; k++)
		for (size_t i = 0; states[k] && i < g->rows; i++)
			g->state_scale[i] += states[k][i] > 0 ? states[k][i] : 0;
	for (size_t i = 0; i < g->rows; i++) {
		double sum = g->state_scale[i],
		       length = i + 1 == g->rows && last_row_s(g) > 0 ? last_row_s(g) : g->step;
		g->state_scale[i] = sum > length ? length / sum : 1;
	}
}

void parts_grid_node_end(struct parts_grid *g, double states_s[STATES_N])
{
	fill_state_scales(g, g->node_state);
	for (int k = 0; k < STATES_N; k++) {
		double *node = g->node_state[k], *sum = g->sum[states_metric((enum states_id)k)];
		for (size_t i = 0; node && i < g->rows; i++) {
			double s = node[i] * g->state_scale[i];
			states_s[k] += s > 0 ? s : 0;
			sum[i] += s;
			node[i] = 0;
		}
	}
}

/* Of several nodes, the states of a row are the mean. */
static void mean_states(struct parts_grid *g)
{
	double *states[STATES_N];

	for (int k = 0; k < STATES_N; k++)
		states[k] = g->sum[states_metric((enum states_id)k)];
	fill_state_scales(g, states);
	for (int k = 0; k < STATES_N; k++)
		for (size_t i = 0; states[k] && i < g->rows; i++)
			states[k][i] *= g->state_scale[i];
}

static double finished_cell(const struct parts_grid *g, const struct metric *m, size_t row)
{
	double v = g->sum[m->id][row], machine_s = g->machine_s[row];

	if (m->scope == METRIC_SCOPE_SYSTEM && !(machine_s > 0))
		return NAN;
	if (way_of(m) == SHARE)
		v /= machine_s;
	if (way_of(m) == LEVEL && row + 1 == g->rows && last_row_s(g) > 0)
		v *= g->step / last_row_s(g);
	return isfinite(v) ? v : (double)NAN; /* the numbers may be anyone's */
}

double parts_grid_line(const struct parts_grid *g, enum parts_line line, size_t row)
{
	bool level = line == PARTS_CPU || line == PARTS_GPU, last = row + 1 == g->rows;

	return g->line[line][row] *
	       (level && last && last_row_s(g) > 0 ? g->step / last_row_s(g) : 1);
}

double parts_grid_node_peak(const struct parts_grid *g)
{
	double most = NAN;

	for (size_t k = 0; k < g->rows && g->node_peaks == g->node_parts; k++)
		most = fmax(most, g->node_peak[k]);
	return most;
}

int parts_grid_finish(struct parts_grid *g, struct snapshot *out, struct err *e)
{
	static const enum metric_id times[] = {METRIC_PROCESS_TIMESTAMP, METRIC_SYSTEM_TIMESTAMP};

	mean_states(g);
	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		struct frame *f = &out->rows[m->scope];
		if (g->sum[id] && g->measured[id] == g->recorded[m->scope])
			for (size_t k = 0; k < g->rows; k++)
				if (frame_push(f, m->id, finished_cell(g, m, k), e))
					return -1;
		free(g->sum[id]);
		g->sum[id] = NULL;
	}
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		struct frame *f = &out->rows[scope];
		for (size_t k = 0; frame_cells(f) && frame_len(f, times[scope]) < g->rows; k++) {
			bool last = k + 1 == g->rows && last_row_s(g) > 0;
			double t = last ? g->to : g->from + g->step * (double)(k + 1);
			if (frame_push(f, times[scope], t, e))
				return -1;
		}
		if (frame_square(f, e))
			return -1;
	}
	return 0;
}

void parts_grid_free(struct parts_grid *g)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		free(g->sum[id]);
	for (int i = 0; i < PARTS_LINES; i++)
		free(g->line[i]);
	for (int k = 0; k < STATES_N; k++)
		free(g->node_state[k]);
	free(g->machine_s);
	free(g->node_peak);
	free(g->state_scale);
	free(g->interval);
	free(g->first_share);
	*g = (struct parts_grid){0};
}
