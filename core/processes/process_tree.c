/* process_tree: every process of a job: rows in memory, and the reader of rtrack.tree. */
#include "core/processes/process_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/head/snapshot_head.h"

#define TEXT_MAX    1024 /* bytes of a name or a command line that are read */
#define STRING_MAX  ((size_t)1 << 20)
#define SAMPLED_MAX ((size_t)4 << 20)

/* -- rows -------------------------------------------------------------------------------------- */

static int each_node(void *ctx, process_tree_visit visit, void *to, struct err *e)
{
	const struct process_tree *t = ctx;

	(void)e;
	for (size_t i = 0; i < t->kept; i++)
		visit(to, &t->of[i]);
	return 0;
}

struct process_tree_rows process_tree_rows_of(struct process_tree *t)
{
	return (struct process_tree_rows){.source = t->source,
	                                  .why = t->why,
	                                  .kernel = t->kernel,
	                                  .refused = t->refused,
	                                  .largest = t->largest,
	                                  .says_exact = t->says_exact,
	                                  .n = t->n,
	                                  .kept = t->kept,
	                                  .each = each_node,
	                                  .ctx = t,
	                                  .groups = t->groups,
	                                  .n_groups = t->n_groups};
}

double process_tree_memory(const struct process_tree_node *row)
{
	return row->sampled && !isnan(row->sampled->peak_pss_b) ? row->sampled->peak_pss_b
	                                                        : row->memory_b;
}

struct copy {
	struct snapshot *s;
	struct process_tree *t;
	size_t room;
};

/* Names repeat, mostly those of the row before. */
static void copy_row(void *to, const struct process_tree_node *row)
{
	struct copy *c = to;
	const struct process_tree_node *last = c->t->kept ? &c->t->of[c->t->kept - 1] : NULL;
	struct process_tree_node *n;

	if (c->t->kept == c->room)
		return;
	n = &c->t->of[c->t->kept++];
	*n = *row;
	n->name = last && strcmp(last->name, row->name) == 0 ? last->name
	                                                     : snapshot_strdup(c->s, row->name);
	n->command = *row->command ? snapshot_strdup(c->s, row->command) : "";
}

struct process_tree *process_tree_copy(struct snapshot *s, const struct process_tree_rows *rows)
{
	struct process_tree *t = snapshot_alloc(s, sizeof *t);
	struct copy c = {s, t, rows->kept};

	if (!t)
		return NULL;
	*t = (struct process_tree){
	    .source = snapshot_strdup(s, rows->source),
	    .why = snapshot_strdup(s, rows->why),
	    .kernel = rows->kernel ? snapshot_strdup(s, rows->kernel) : NULL,
	    .refused = rows->refused ? snapshot_strdup(s, rows->refused) : NULL,
	    .largest = rows->largest,
	    .says_exact = rows->says_exact,
	    .n = rows->n,
	    .of = snapshot_alloc(s, (rows->kept + 1) * sizeof *t->of),
	    .groups = snapshot_alloc(s, (rows->n_groups + 1) * sizeof *t->groups),
	    .n_groups = rows->n_groups};
	if (!t->of || !t->groups || rows->each(rows->ctx, copy_row, &c, NULL))
		return NULL;
	for (size_t i = 0; i < rows->n_groups; i++) {
		t->groups[i] = rows->groups[i];
		t->groups[i].name = snapshot_strdup(s, rows->groups[i].name);
	}
	return t;
}

/* -- reading ----------------------------------------------------------------------------------- */

enum { PID, PARENT, START, END, CPU, MEMORY, STATUS, NAME, COMMAND, CPU_EXACT, COLUMNS };

static const char *const columns[COLUMNS] = {"pid",     "parent",       "start_s", "end_s",
                                             "cpu_s",   "memory_bytes", "status",  "name",
                                             "command", "cpu_exact"};

struct texts {
	const char **v;
	size_t n;
};

struct reader {
	struct snapshot *s;
	struct json_read *in;
	struct buf text;
	double *cells[COLUMNS]; /* PROCESS_TREE_KEPT each; NULL: not read */
	size_t n[COLUMNS];
	struct texts names, commands;
	struct buf sampled; /* the JSON of the member */
	struct process_tree *t;
	double largest;
	bool wrong; /* it has another form */
};

/* Passes over a value of another form. */
static int skip_wrong(struct reader *r)
{
	r->wrong = true;
	return json_read_skip(r->in, NULL);
}

static int read_tree_column(struct reader *r, int c)
{
	bool first = true;
	int more;

	if (r->cells[c] || json_read_peek(r->in) != '[')
		return skip_wrong(r);
	r->cells[c] = alloc_failed_note(malloc(PROCESS_TREE_KEPT * sizeof *r->cells[c]));
	if (!r->cells[c])
		return skip_wrong(r);
	if (json_read_open(r->in, '['))
		return -1;
	while ((more = json_read_more(r->in, '[', &first)) > 0) {
		double v;
		if (json_read_cell(r->in, &v))
			return -1;
		if (r->n[c] == PROCESS_TREE_KEPT)
			r->wrong = true;
		else
			r->cells[c][r->n[c]++] = v;
	}
	return more;
}

/* Reads a string, of which TEXT_MAX bytes are taken. */
static int read_tree_text(struct reader *r, const char **out)
{
	if (json_read_peek(r->in) != '"')
		return skip_wrong(r);
	if (json_read_string(r->in, &r->text))
		return -1;
	if (r->text.len > TEXT_MAX)
		r->text.s[TEXT_MAX] = '\0';
	*out = snapshot_strdup(r->s, buf_cstr(&r->text));
	return 0;
}

static int read_tree_texts(struct reader *r, struct texts *t, size_t max)
{
	bool first = true;
	int more;

	if (t->v || json_read_peek(r->in) != '[')
		return skip_wrong(r);
	t->v = snapshot_alloc(r->s, max * sizeof *t->v);
	if (!t->v)
		return skip_wrong(r);
	if (json_read_open(r->in, '['))
		return -1;
	while ((more = json_read_more(r->in, '[', &first)) > 0) {
		if (t->n == max ? skip_wrong(r) : read_tree_text(r, &t->v[t->n]))
			return -1;
		t->n += t->n < max && t->v[t->n];
	}
	return more;
}

static int read_tree_group(struct reader *r, struct process_tree_group *g)
{
	bool first = true;
	double parent = -1;
	int more;

	*g = (struct process_tree_group){.name = "", .memory_b = NAN, .end_s = NAN};
	if (json_read_open(r->in, '{'))
		return -1;
	while ((more = json_read_more(r->in, '{', &first)) > 0) {
		static const char *const keys[] = {"parent",       "n",       "cpu_s", "cpu_exact",
		                                   "memory_bytes", "start_s", "end_s"};
		double *const to[] = {&parent,      &g->n,       &g->cpu_s, &g->cpu_exact,
		                      &g->memory_b, &g->start_s, &g->end_s};
		size_t i = 0;
		if (json_read_key(r->in, &r->text))
			return -1;
		if (strcmp(buf_cstr(&r->text), "name") == 0) {
			if (read_tree_text(r, &g->name))
				return -1;
			continue;
		}
		while (i < sizeof keys / sizeof *keys && strcmp(buf_cstr(&r->text), keys[i]) != 0)
			i++;
		if (i == sizeof keys / sizeof *keys ? json_read_skip(r->in, NULL)
		                                    : json_read_cell(r->in, to[i]))
			return -1;
	}
	g->parent = parent >= 0 && parent < PROCESS_TREE_KEPT ? (long)parent : -1;
	r->wrong = r->wrong || !(g->n >= 0) || !(g->cpu_s >= 0);
	return more;
}

static int read_tree_groups(struct reader *r)
{
	bool first = true;
	int more;

	if (r->t->groups || json_read_peek(r->in) != '[')
		return skip_wrong(r);
	r->t->groups = snapshot_alloc(r->s, PROCESS_TREE_GROUPS * sizeof *r->t->groups);
	if (!r->t->groups)
		return skip_wrong(r);
	if (json_read_open(r->in, '['))
		return -1;
	while ((more = json_read_more(r->in, '[', &first)) > 0) {
		bool fits = r->t->n_groups < PROCESS_TREE_GROUPS && json_read_peek(r->in) == '{';
		if (fits ? read_tree_group(r, &r->t->groups[r->t->n_groups]) : skip_wrong(r))
			return -1;
		r->t->n_groups += fits;
	}
	return more;
}

/* The samples' knowledge of single rows: kept as text until the rows are there. */
static int read_tree_sampled(struct reader *r)
{
	if (r->sampled.len || json_read_peek(r->in) != '[')
		return skip_wrong(r);
	return json_read_skip(r->in, &r->sampled);
}

static int read_tree_member(struct reader *r)
{
	const char *key;

	if (json_read_key(r->in, &r->text))
		return -1;
	key = buf_cstr(&r->text);
	for (int c = 0; c < COLUMNS; c++)
		if (strcmp(key, columns[c]) == 0)
			return read_tree_column(r, c);
	if (strcmp(key, "names") == 0)
		return read_tree_texts(r, &r->names, PROCESS_TREE_NAMES);
	if (strcmp(key, "commands") == 0)
		return read_tree_texts(r, &r->commands, PROCESS_TREE_COMMANDS);
	if (strcmp(key, "groups") == 0)
		return read_tree_groups(r);
	if (strcmp(key, "source") == 0)
		return read_tree_text(r, &r->t->source);
	if (strcmp(key, "why") == 0)
		return read_tree_text(r, &r->t->why);
	if (strcmp(key, "kernel") == 0)
		return read_tree_text(r, &r->t->kernel);
	if (strcmp(key, "refused") == 0)
		return read_tree_text(r, &r->t->refused);
	if (strcmp(key, "sampled") == 0)
		return read_tree_sampled(r);
	if (strcmp(key, "largest") == 0)
		return json_read_cell(r->in, &r->largest);
	if (strcmp(key, "n") == 0)
		return json_read_cell(r->in, &r->t->n);
	return json_read_skip(r->in, NULL);
}

/* A whole number in a range, or another one. */
static long whole_in(double v, double least, double most, long other)
{
	return v >= least && v <= most ? (long)v : other;
}

static const char *tree_text(const struct texts *t, double i)
{
	return i >= 0 && i < (double)t->n ? t->v[(size_t)i] : "";
}

/* Cuts circles of parents: goes up from each row, marks the rows of this way, and stops where one
 * was marked on an earlier way. */
static void cut_circles(struct process_tree *t, double *mark)
{
	for (size_t i = 0; i < t->kept; i++)
		mark[i] = -1;
	for (size_t i = 0; i < t->kept; i++)
		for (long at = (long)i; at >= 0 && mark[at] < 0;) {
			long up = t->of[at].parent;
			mark[at] = (double)i;
			if (up >= 0 && mark[up] >= (double)i)
				t->of[at].parent = up = -1;
			at = up;
		}
}

static void take_sampled(struct reader *r)
{
	struct snapshot_process *v;
	size_t n = snapshot_head_sampled(r->s, buf_cstr(&r->sampled), r->sampled.len, &v);

	for (size_t i = 0; i < n; i++)
		if (v[i].row >= 0 && v[i].row < (double)r->t->kept)
			r->t->of[(size_t)v[i].row].sampled = &v[i];
}

/* The columns as rows, where they have the same length. */
static bool make_rows(struct reader *r)
{
	struct process_tree *t = r->t;

	t->kept = r->n[PID];
	for (int c = 0; c < COLUMNS; c++)
		if (r->cells[c] ? r->n[c] != t->kept : c != CPU_EXACT)
			return false;
	t->largest = r->largest > 0;
	t->says_exact = r->cells[CPU_EXACT];
	t->of = snapshot_alloc(r->s, (t->kept + 1) * sizeof *t->of);
	if (!t->of || r->wrong || !t->source || !(t->n >= (double)t->kept))
		return false;
	for (size_t i = 0; i < t->kept; i++) {
		double start = r->cells[START][i], end = r->cells[END][i];
		t->of[i] = (struct process_tree_node){
		    .pid = (int)whole_in(r->cells[PID][i], 0, 1 << 30, 0),
		    .parent = whole_in(r->cells[PARENT][i], 0, (double)t->kept - 1, -1),
		    .start_s = isfinite(start) || t->largest ? start : 0,
		    .end_s = end >= start ? end : (double)NAN,
		    .cpu_s = r->cells[CPU][i] >= 0 ? r->cells[CPU][i] : (double)NAN,
		    .cpu_exact = r->cells[CPU_EXACT] ? r->cells[CPU_EXACT][i] : (double)NAN,
		    .memory_b = r->cells[MEMORY][i] >= 0 ? r->cells[MEMORY][i] : (double)NAN,
		    .status = (int)whole_in(r->cells[STATUS][i], -255, 255, PROCESS_TREE_NO_STATUS),
		    .name = tree_text(&r->names, r->cells[NAME][i]),
		    .command = tree_text(&r->commands, r->cells[COMMAND][i])};
	}
	for (size_t i = 0; i < t->n_groups; i++)
		if (!isfinite(t->groups[i].start_s) && !t->largest)
			return false;
	for (size_t i = 0; i < t->n_groups; i++)
		if (t->groups[i].parent >= (long)t->kept)
			t->groups[i].parent = -1;
	cut_circles(t, r->cells[PID]);
	if (!t->why)
		t->why = "";
	if (r->sampled.len)
		take_sampled(r);
	return true;
}

int process_tree_read(struct snapshot *s, struct json_read *in)
{
	struct reader r = {.s = s, .in = in, .text.max = STRING_MAX, .sampled.max = SAMPLED_MAX};
	bool first = true;
	int more = 0;

	s->tree = NULL;
	if (json_read_peek(in) != '{')
		return json_read_skip(in, NULL);
	r.t = snapshot_alloc(s, sizeof *r.t);
	if (!r.t)
		return json_read_skip(in, NULL);
	if (json_read_open(in, '{'))
		return -1;
	r.t->n = NAN;
	while ((more = json_read_more(in, '{', &first)) > 0)
		if (read_tree_member(&r)) {
			more = -1;
			break;
		}
	if (!more && make_rows(&r))
		s->tree = r.t;
	else if (!more)
		snapshot_note(s, "The processes in this recording are in a form that is not known, "
		                 "or too many: there is no time line of them.");
	buf_free(&r.text);
	buf_free(&r.sampled);
	for (int c = 0; c < COLUMNS; c++)
		free(r.cells[c]);
	return more;
}
