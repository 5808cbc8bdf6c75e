/* parts_join: recordings that are parts of one job → one run. */
#include "report/runs/parts_join.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/files/snapshot_read.h"
#include "core/processes/process_tree.h"
#include "report/runs/load_store.h"
#include "report/runs/parts_group.h"
#include "report/runs/parts_head.h"
#include "report/runs/parts_processes.h"
#include "report/runs/read_ahead.h"

/* Content of all parts of a run: 1,000 parts of a day at 1 s. */
#define CONTENT_MAX ((uint64_t)32 << 30)
#define NAMES_SAID  6

/* A run that is made of its parts. */
struct joining {
	struct run *run;
	struct parts_grid grid;
	struct parts_head *head; /* NULL: only the rows are made again */
	struct parts_processes processes;
	struct snapshot_budget budget;
	bool lines;     /* keep those of the nodes */
	bool has_trees; /* of processes, in parts: each has its own times and parents */
};

static const struct part *lead_of(const struct parts *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].task == 0)
			return &p->v[i];
	return p->v;
}

/* Phases of several tasks have no common times. */
static void take_phases(struct snapshot *out, const struct snapshot *s, const struct part *part)
{
	struct phases *copy = s->phases ? snapshot_alloc(out, sizeof *copy) : NULL;
	struct buf place = {0};

	if (!copy)
		return;
	*copy = *s->phases;
	for (size_t i = 0; i < copy->n; i++)
		copy->v[i].name = copy->pool + (s->phases->v[i].name - s->phases->pool);
	out->phases = copy;
	parts_place_text(part->node, part->task, &place);
	snapshot_note(out, "Phases are those that were marked on %s.", buf_cstr(&place));
	buf_free(&place);
}

static int add_part(struct joining *j, const struct part *part, const struct snapshot *s,
                    struct err *e)
{
	if (parts_grid_add(&j->grid, s, e))
		return -1;
	if (!j->head)
		return 0;
	parts_head_add(j->head, s, part);
	if (s->tree && !s->tree->largest && !j->has_trees)
		snapshot_note(j->head->out,
		              "The processes of each recording are on a time line in a "
		              "report of that recording alone.");
	j->has_trees |= s->tree && !s->tree->largest;
	if (part == lead_of(j->run->parts))
		take_phases(j->head->out, s, part);
	return parts_processes_add(&j->processes, s, part) || alloc_failed()
	           ? err_set(e, "no memory for the parts of a run")
	           : 0;
}

/* Reads part i whole, while the next one is read ahead. *why: why it could not be read. */
static int read_part(struct joining *j, size_t i, struct snapshot *s, struct err *why)
{
	const struct parts *p = j->run->parts;
	struct input in = p->v[i].input;
	struct load_stored stored = {.store = p->store, .address = in.name};
	const char *content;
	size_t n;

	if (i == 0)
		read_ahead_ask(p->ahead, in);
	content = read_ahead_take(p->ahead, &n);
	if (i + 1 < p->n)
		read_ahead_ask(p->ahead, p->v[i + 1].input);
	j->budget.cells = SNAPSHOT_BUDGET_CELLS; /* the cells are freed after each part */
	s->budget = &j->budget;
	s->wants = parts_grid_wants;
	if (in.place == INPUT_S3)
		return load_store_read(&stored, s, SNAPSHOT_WANT_ROWS, why);
	return content ? snapshot_read_text(s, content, n, in.name, why)
	               : snapshot_read_at(s, in.name, in.at, SNAPSHOT_WANT_ROWS, why);
}

/* The node's line as points: the mean of each, and of memory the maximum. A row counts if the node
 * runs for half of it; then its level is that of the time that it ran. */
static float *points_of_line(const struct joining *j, enum parts_line line,
                             const struct parts_node *node)
{
	size_t points = j->run->parts->points;
	float *to = snapshot_alloc(&j->run->snapshot, points * sizeof *to);
	bool peak = line == PARTS_MEMORY || line == PARTS_VRAM;
	const struct parts_grid *g = &j->grid;
	double least = 0.5 * fmin(g->step, node->stop - node->start);

	for (size_t i = 0; to && i < points; i++) {
		size_t from = i * g->rows / points, before = (i + 1) * g->rows / points, n = 0;
		double sum = 0, most = NAN;
		for (size_t k = from; k < before; k++) {
			double begin = g->from + g->step * (double)k, end = begin + g->step;
			double v = g->line[line][k], ran;
			end = node->stop < end ? node->stop : end;
			ran = end - (node->start > begin ? node->start : begin);
			if (isnan(v) || !(ran >= least))
				continue;
			sum += v * (g->step / ran);
			most = v <= most ? most : v;
			n++;
		}
		to[i] = (float)(!n ? NAN : peak ? most : sum / (double)n);
	}
	return to;
}

static double peak_of_line(const struct joining *j, enum parts_line line)
{
	double most = NAN;

	for (size_t k = 0; k < j->grid.rows; k++)
		most = fmax(most, parts_grid_line(&j->grid, line, k));
	return most;
}

static void end_node(struct joining *j, struct parts_node *node)
{
	const struct part *v = &j->run->parts->v[node->first];
	double memory = 0, vram = 0, gpu = 0, largest = 0;

	memset(node->states_s, 0, sizeof node->states_s);
	parts_grid_node_end(&j->grid, node->states_s);
	for (size_t i = 0; i < node->n; i++) { /* NAN if one is */
		memory += v[i].used.memory_b;
		largest = fmax(largest, v[i].used.memory_b);
		vram += v[i].used.vram_b;
		gpu += v[i].used.gpu_max;
	}
	if (node->n > 1 && !isnan(memory))
		node->used.memory_b =
		    fmax(fmax(peak_of_line(j, PARTS_MEMORY), largest),
		         j->grid.job ? parts_grid_node_peak(&j->grid) : (double)NAN);
	if (node->n > 1 && !isnan(gpu))
		node->used.gpu_max = peak_of_line(j, PARTS_GPU);
	if (node->n > 1 && !isnan(vram))
		node->used.vram_b = peak_of_line(j, PARTS_VRAM);
	for (int line = 0; line < PARTS_LINES && j->lines; line++)
		node->line[line] = points_of_line(j, (enum parts_line)line, node);
}

/* Reads all parts and adds them. Those that cannot be read are added to r->failed (r may be NULL),
 * lose their name and are counted in *lost. */
static int add_parts(struct joining *j, struct runs *r, size_t *lost, struct err *e)
{
	struct parts *p = j->run->parts;

	for (size_t i = 0; i < p->n_nodes; i++) {
		struct parts_node *node = &p->node[i];
		parts_grid_node(&j->grid);
		for (size_t k = node->first; k < node->first + node->n; k++) {
			struct snapshot s = {0};
			struct err why = {0};
			int failed = read_part(j, k, &s, &why);
			if (failed && (!r || load_leave_out(r, p->v[k].input.name, &why, e)))
				return r ? -1 : err_set(e, "%s", why.msg);
			if (failed) {
				p->v[k].input.name = NULL;
				++*lost;
				continue;
			}
			failed = *lost ? 0 : add_part(j, &p->v[k], &s, e);
			snapshot_free(&s);
			if (failed)
				return -1;
		}
		if (!*lost)
			end_node(j, node);
	}
	return 0;
}

static int begin_join(struct joining *j, struct err *e)
{
	const struct parts *p = j->run->parts;
	double from = INFINITY, to = -INFINITY, interval = INFINITY;

	for (size_t i = 0; i < p->n; i++) {
		from = fmin(from, p->v[i].start);
		to = fmax(to, p->v[i].stop);
		if (p->v[i].interval > 0)
			interval = fmin(interval, p->v[i].interval);
	}
	j->budget.bytes = CONTENT_MAX;
	if (parts_grid_init(&j->grid, from, to, interval, e))
		return -1;
	j->grid.job = p->of_job;
	j->run->parts->points = j->grid.rows < PARTS_POINTS ? j->grid.rows : PARTS_POINTS;
	if (j->head && j->grid.step > interval * 1.01)
		snapshot_note(j->head->out,
		              "The parts' samples are joined in steps of %.3g s, though they were "
		              "taken each %.3g s: peaks of sums may be too high.",
		              j->grid.step, interval);
	return 0;
}

/* Columns that only some parts have: a sum would be silently short. */
static void note_columns_left_out(const struct parts_grid *g, struct snapshot *out)
{
	struct buf text = {0};
	size_t n = 0;

	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		size_t all = g->recorded[m->scope], missing = all - g->measured[id];
		if (!g->measured[id] || !missing)
			continue;
		if (n++ < NAMES_SAID)
			buf_printf(&text, "%s%s%s (on %zu of %zu)", text.len ? ", " : "", m->label,
			           m->scope == METRIC_SCOPE_SYSTEM ? " of the machine" : "",
			           missing, all);
	}
	if (n > NAMES_SAID)
		buf_printf(&text, " and %zu more", n - NAMES_SAID);
	if (n)
		snapshot_note(out, "Not summed, for it was not measured on all recordings: %s.",
		              buf_cstr(&text));
	buf_free(&text);
}

static void free_joining(struct joining *j)
{
	parts_grid_free(&j->grid);
	parts_processes_free(&j->processes);
	free(j->head);
}

static double column_sum(const struct snapshot *s, enum metric_id id)
{
	const struct frame *f = &s->rows[metrics[id].scope];
	const double *v = frame_col(f, id);
	double sum = 0;

	for (size_t i = 0; v && i < f->rows; i++)
		sum += v[i] > 0 ? v[i] : 0;
	return sum;
}

/* Of the states, what the joined rows have is the mean over nodes: makes the head's sums, bounds
 * and waits come to that. */
static void settle_states(struct parts_head *h)
{
	struct snapshot_states *to = &h->out->states;
	double s[STATES_N], sum = 0, had = 0, by;

	for (int k = 0; k < STATES_N; k++) {
		s[k] = column_sum(h->out, states_metric((enum states_id)k));
		sum += s[k];
		had += to->of[k].value;
	}
	by = had > 0 ? sum / had : 0;
	to->known = to->known && sum > 0;
	for (int k = 0; k < STATES_N; k++) {
		struct snapshot_state *one = &to->of[k];
		double of_one = one->value > 0 ? s[k] / one->value : by;
		*one = (struct snapshot_state){s[k], one->least * of_one, one->most * of_one};
	}
	to->exact_s *= by;
	to->sampled_s *= by;
	to->bound_s *= by;
	for (size_t i = 0; i < to->n_waits; i++)
		h->waits[i].s *= by;
}

/* One pass over the parts. With a head, its rows, head and lists go into the run's snapshot; else
 * the rows alone. */
static int join_pass(struct run *run, struct runs *r, bool head, bool lines, size_t *lost,
                     struct err *e)
{
	struct joining j = {.run = run, .lines = lines};
	int failed;

	j.head = head ? calloc(1, sizeof *j.head) : NULL;
	if (head && !j.head)
		return err_set(e, "no memory for the parts of a run");
	if (j.head) {
		j.head->out = &run->snapshot;
		run->snapshot.n_gpus = 0; /* what an earlier pass left */
		run->snapshot.phases = NULL;
		run->snapshot.damage = (struct snapshot_damage){0};
	}
	failed = begin_join(&j, e) || add_parts(&j, r, lost, e);
	if (!failed && !*lost && head) {
		parts_head_end(j.head, run->parts, j.grid.step);
		note_columns_left_out(&j.grid, &run->snapshot);
		parts_processes_end(&j.processes, &run->snapshot);
	}
	if (!failed && !*lost)
		failed = parts_grid_finish(&j.grid, &run->snapshot, e);
	if (!failed && !*lost && head)
		settle_states(j.head);
	free_joining(&j);
	return failed ? -1 : 0;
}

int parts_load_whole(struct run *run, struct err *e)
{
	size_t lost = 0;

	if (!run->parts || load_has_rows(run))
		return load_again(run, SNAPSHOT_WANT_ROWS, e);
	if (join_pass(run, NULL, false, !run->parts->node->line[0], &lost, e) == 0)
		return 0;
	load_drop_rows(run);
	return -1;
}

/* What a run is beside its rows, from its parts' runs. The file is the current one, if it is among
 * them, else the first. */
static struct run empty_run(const struct runs *r, const size_t *order, size_t n)
{
	struct run run = {.why = "", .given = r->v[order[0]].given};
	const struct run *named = &r->v[order[0]];

	for (size_t i = 0; i < n; i++) {
		const struct run *one = &r->v[order[i]];
		run.given = one->given < run.given ? one->given : run.given;
		if (r->current && strcmp(one->file, r->current) == 0)
			named = one;
	}
	run.file = strdup(named->file);
	return run;
}

/* Frees what a part does not need once its head is read. */
static void free_parts_of(struct runs *r, const size_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		snapshot_free(&r->v[order[i]].snapshot);
		free(r->v[order[i]].file);
		r->v[order[i]].file = NULL;
	}
}

/* Joins runs into *out, and frees them. With no part left that can be read, out->file is NULL. */
static int join_group(struct runs *r, const size_t *order, size_t n, bool lines, struct run *out,
                      struct err *e)
{
	size_t lost;
	int failed;

	*out = empty_run(r, order, n);
	out->parts = parts_group_make(r, order, n, &out->snapshot);
	free_parts_of(r, order, n);
	if (!out->file || !out->parts)
		return err_set(e, "no memory for the parts of a run");
	out->parts->ahead = r->ahead;
	out->parts->store = r->store;
	do {
		lost = 0;
		failed = join_pass(out, r, true, lines, &lost, e);
		if (lost)
			parts_group_settle(out->parts);
	} while (!failed && lost && out->parts->n);
	if (!failed && out->parts->n)
		failed = load_measure(out, e);
	if (failed || out->parts->n)
		return failed;
	snapshot_free(&out->snapshot);
	free(out->file);
	*out = (struct run){0};
	return 0;
}

/* Of the joined runs only one keeps its rows. */
static void keep_one(struct run *run, struct run **keeper, const struct runs *r)
{
	bool is_current = r->current && strcmp(run->file, r->current) == 0;
	bool keep = r->current ? is_current : !*keeper || load_newer(run, *keeper);

	if (*keeper && keep)
		load_drop_rows(*keeper);
	if (keep)
		*keeper = run;
	else
		load_drop_rows(run);
}

static void remove_freed(struct runs *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].file)
			r->v[n++] = r->v[i];
	r->n = n;
}

int parts_join(struct runs *r, struct err *e)
{
	size_t *order = calloc(r->n + 1, 2 * sizeof *order), *turn = order + r->n, n;
	struct run *keeper = NULL;
	int failed = 0;

	if (!order)
		return err_set(e, "no memory for the parts of a run");
	n = parts_group_order(r, order, turn);
	for (size_t i = 0, length; i < n && !failed; i += length) {
		struct run *to = &r->v[order[i]], joined;
		bool join;
		length = parts_group_length(r, order + i, turn, n - i, &join);
		if (!join)
			continue;
		failed = join_group(r, order + i, length, true, &joined, e);
		if (!failed && joined.file) {
			joined.future = r->now > 0 && joined.start > r->now + LOAD_FUTURE_S;
			*to = joined;
			keep_one(to, &keeper, r);
		} else if (failed) {
			snapshot_free(&joined.snapshot);
			free(joined.file);
		}
	}
	remove_freed(r);
	free(order);
	return failed;
}
