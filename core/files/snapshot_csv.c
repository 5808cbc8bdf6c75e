/* snapshot_csv: the dialects of a recording that are CSV. */
#include "core/files/snapshot_csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/files/csv_read.h"
#include "core/files/snapshot_csv_header.h"
#include "core/recording/gaps.h"
#include "core/recording/snapshot_rows.h"

/* The file without one line, if the program that wrote it was killed. */
#define CUT_NOTE "The last line of the CSV file is cut off and left out."

static const char ticks_note[] = "The CPU times of the CSV file are not in seconds (the first "
				 "versions of resource-tracker wrote clock ticks), and are left "
				 "out.";

#define TICKS_LEAST 10 /* times as much as the CPU usage says; there are 100 ticks in a second */

struct csv_snapshot {
	struct csv_read in;
	struct csv_header header;
	struct snapshot *s;
	struct err *e;
	double v[METRIC_COUNT];  /* of a line; NAN: nothing there */
	bool has[METRIC_SCOPES]; /* whether the line has a row of the scope */
	bool one;                /* only one scope has columns */
	size_t lines;
};

/* -- lines ------------------------------------------------------------------------------------- */

static int wrong_cells(struct csv_snapshot *c)
{
	char text[128];

	snprintf(text, sizeof text, "%zu cell%s, but %zu column%s in the header", c->in.cells,
	         c->in.cells == 1 ? "" : "s", c->header.n, c->header.n == 1 ? "" : "s");
	return csv_read_fail(&c->in, text);
}

static int take_csv_cell(struct csv_snapshot *c, const struct csv_column *column)
{
	double v;

	if (column->id[0] == METRIC_COUNT)
		return 0;
	if (!csv_read_number(&c->in, &v)) {
		char text[160];
		snprintf(text, sizeof text, "\"%.*s\" in column %zu is not a number",
		         c->in.n > 64 ? 64 : (int)c->in.n, c->in.cell, c->in.cells);
		return csv_read_fail(&c->in, text);
	}
	for (size_t i = 0; i < 2 && column->id[i] != METRIC_COUNT; i++) {
		const struct metric *m = &metrics[column->id[i]];
		c->v[m->id] = v * column->scale;
		if (!isnan(v) && m->unit != METRIC_UNIT_TIME)
			c->has[m->scope] = true;
	}
	return 0;
}

/* 1: a line was read into v; 0: the last one is cut off; -1. */
static int read_csv_line(struct csv_snapshot *c)
{
	int more;

	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		c->has[scope] = c->one && c->header.columns[scope];
	for (size_t i = 0; i < METRIC_COUNT; i++)
		c->v[i] = NAN;
	while ((more = csv_read_cell(&c->in)) > 0)
		if (c->in.cells <= c->header.n &&
		    take_csv_cell(c, &c->header.column[c->in.cells - 1]))
			return -1;
	if (more < 0 || c->in.cells == c->header.n)
		return more < 0 ? -1 : 1;
	return c->in.unterminated && c->in.cells < c->header.n ? 0 : wrong_cells(c);
}

/* Both scopes of a line have its time. A scope without any number in a line has no row there. */
static int push_csv_line(struct csv_snapshot *c)
{
	for (size_t i = 0; i < c->header.used; i++) {
		enum metric_id id = c->header.id[i];
		if (c->has[metrics[id].scope] &&
		    frame_push(&c->s->rows[metrics[id].scope], id, c->v[id], c->e))
			return err_wrap(c->e, "%s", c->in.name);
	}
	c->lines++;
	return 0;
}

static int read_csv_lines(struct csv_snapshot *c)
{
	int more, whole = 1;

	while ((more = csv_read_record(&c->in)) > 0 && (whole = read_csv_line(c)) > 0)
		if (push_csv_line(c))
			return -1;
	if (more < 0 || whole < 0)
		return -1;
	if (!whole)
		snapshot_note(c->s, CUT_NOTE);
	return 0;
}

/* -- units and time ---------------------------------------------------------------------------- */

/* The largest of a column, and whether all are multiples of 1024, with at least three values. */
static double largest_of(const struct frame *f, enum metric_id id, bool *kilo)
{
	const double *col = frame_col(f, id);
	double most = NAN, seen[3];
	size_t different = 0;

	*kilo = col;
	for (size_t i = 0; col && i < f->rows; i++) {
		bool known = isnan(col[i]);
		if (!known && !(col[i] <= most))
			most = col[i];
		*kilo = *kilo && (known || col[i] / 1024 == floor(col[i] / 1024));
		for (size_t k = 0; k < different; k++)
			known = known || seen[k] == col[i];
		if (!known && different < 3)
			seen[different++] = col[i];
	}
	frame_rest(f);
	*kilo = *kilo && different == 3;
	return most;
}

/* rtrack-report --bytes keeps the names, as upstream does, so only the values show it: no disks
 * hold 10^9 GiB, and memory in kB is not always a whole number of MiB. */
static bool is_in_bytes(const struct csv_snapshot *c)
{
	static const enum metric_id memory[] = {METRIC_PROCESS_MEMORY, METRIC_SYSTEM_MEMORY_USED};
	bool kilo;
	double disks =
	    largest_of(&c->s->rows[METRIC_SCOPE_SYSTEM], METRIC_SYSTEM_DISK_SPACE_TOTAL, &kilo);

	if (!c->header.prefixed)
		return false;
	if (disks > 0)
		return disks >= 1e9;
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
		if (largest_of(&c->s->rows[metrics[memory[i]].scope], memory[i], &kilo) > 0)
			return kilo;
	return false;
}

static int csv_to_base(struct csv_snapshot *c)
{
	static const int as_is[METRIC_COUNT];
	enum schema schema = c->s->schema;
	bool bytes = c->header.base || is_in_bytes(c);
	int failed;

	if (c->header.human && !bytes)
		return err_set(c->e,
		               "%s: the names of the columns do not say the units: write it with "
		               "--bytes, or without --human-names",
		               c->in.name);
	if (bytes)
		c->s->schema = 0; /* base units */
	failed = snapshot_rows_to_base(c->s, bytes ? as_is : c->header.spelled, c->e) ||
	         gaps_fill(c->s, c->e);
	c->s->schema = schema;
	return failed ? err_wrap(c->e, "%s", c->in.name) : 0;
}

/* CPU usage has four decimals. A cell that is not measured says nothing. */
static bool is_in_ticks(const double *u, const double *sys, const double *usage, const double *at,
                        size_t rows)
{
	double said = 0, used = 0;

	for (size_t i = 1; i < rows; i++) {
		double step = at[i] - at[i - 1];
		if (!(step > 0) || isnan(u[i] + sys[i] + usage[i]))
			continue;
		said += u[i] + sys[i];
		used += (usage[i] + 1e-4) * step;
	}
	return said > TICKS_LEAST * used;
}

static double forget_cell(double v, const void *ctx)
{
	(void)v, (void)ctx;
	return NAN;
}

static int forget_ticks(struct snapshot *s, struct err *e)
{
	static const enum metric_id of[METRIC_SCOPES][4] = {
	    [METRIC_SCOPE_PROCESS] = {METRIC_PROCESS_UTIME, METRIC_PROCESS_STIME,
	                              METRIC_PROCESS_CPU_USAGE, METRIC_PROCESS_TIMESTAMP},
	    [METRIC_SCOPE_SYSTEM] = {METRIC_SYSTEM_UTIME, METRIC_SYSTEM_STIME,
	                             METRIC_SYSTEM_CPU_USAGE, METRIC_SYSTEM_TIMESTAMP},
	};
	bool found = false;

	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		struct frame *f = &s->rows[scope];
		const double *col[4];
		for (size_t i = 0; i < 4; i++)
			col[i] = frame_col(f, of[scope][i]);
		if (!col[0] || !col[1] || !col[2] || !col[3] ||
		    !is_in_ticks(col[0], col[1], col[2], col[3], f->rows))
			continue;
		if (frame_change(f, of[scope][0], forget_cell, NULL, e) ||
		    frame_change(f, of[scope][1], forget_cell, NULL, e))
			return -1;
		frame_rest(f);
		found = true;
	}
	if (found)
		snapshot_note(s, "%s", ticks_note);
	return 0;
}

static int compare_steps(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median step between two samples; NAN without two. */
static double median_step(const struct snapshot *s, enum metric_scope scope)
{
	const struct frame *f = &s->rows[scope];
	const double *col = frame_col(f, metric_time_of(scope));
	double *step = col && f->rows > 1 ? alloc_failed_note(calloc(f->rows, sizeof *step)) : NULL;
	double median = NAN;
	size_t n = 0;

	for (size_t i = 1; step && i < f->rows; i++)
		if (col[i] > col[i - 1])
			step[n++] = col[i] - col[i - 1];
	if (n) {
		qsort(step, n, sizeof *step, compare_steps);
		median = stats_round(step[n / 2], 3);
	}
	free(step);
	return median;
}

static void set_csv_meta(struct snapshot *s)
{
	const double *pid = frame_col(&s->rows[METRIC_SCOPE_PROCESS], METRIC_PROCESS_PID);
	double step = median_step(s, METRIC_SCOPE_PROCESS);

	if (isnan(step))
		step = median_step(s, METRIC_SCOPE_SYSTEM);
	s->meta.interval = step;
	s->meta.pid = pid && s->rows[METRIC_SCOPE_PROCESS].rows ? pid[0] : NAN;
	s->meta.track_processes = s->rows[METRIC_SCOPE_PROCESS].rows;
	s->meta.track_system = s->rows[METRIC_SCOPE_SYSTEM].rows;
}

/* -- the whole file ---------------------------------------------------------------------------- */

static int read_csv(struct csv_snapshot *c)
{
	if (snapshot_csv_header_read(&c->header, &c->in, c->s))
		return -1;
	c->one = !c->header.columns[0] || !c->header.columns[1];
	if (read_csv_lines(c))
		return -1;
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		if (frame_square(&c->s->rows[scope], c->e))
			return err_wrap(c->e, "%s", c->in.name);
	if (csv_to_base(c))
		return -1;
	if (forget_ticks(c->s, c->e))
		return err_wrap(c->e, "%s", c->in.name);
	set_csv_meta(c->s);
	return 0;
}

int snapshot_csv_read(struct snapshot *s, struct gz_in *g, const char *begun, size_t n,
                      const char *name, struct err *e)
{
	struct csv_snapshot *c = calloc(1, sizeof *c);
	int failed;

	if (!c)
		return err_set(e, "%s: no memory to read it", name);
	c->s = s;
	c->e = e;
	s->from_csv = true;
	csv_read_init(&c->in, g, begun, n, name, e);
	failed = read_csv(c);
	csv_read_free(&c->in);
	free(c);
	return failed;
}

/* JSON has commas and quoted words too, so its first character decides. */
bool snapshot_csv_recognise(const char *begun, size_t n)
{
	struct csv_read *in;
	bool found = false;
	size_t at = 0;

	while (at < n && strchr(" \t\r\n", begun[at]))
		at++;
	if (at == n || strchr("{[<", begun[at]))
		return false;
	in = alloc_failed_note(calloc(1, sizeof *in));
	if (!in)
		return false;
	csv_read_init(in, NULL, begun, n, "", NULL);
	if (csv_read_record(in) > 0)
		while (!found && csv_read_cell(in) > 0)
			found = snapshot_csv_header_is_one(in);
	csv_read_free(in);
	free(in);
	return found;
}
