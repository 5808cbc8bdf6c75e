/* csv_table: the samples of job and machine as one CSV table. */
#include "report/render/csv_table.h"

#include <math.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/json_write.h"

#define PART      65536 /* bytes per call of the sink */
#define SAME_TIME 0.5   /* of an interval: rows this close are one line */

struct table {
	const struct run *run;
	const struct csv_table_options *o;
	enum schema schema;
	const double *time[METRIC_SCOPES]; /* NULL: the recording has no time stamps */
	size_t rows[METRIC_SCOPES];
	double near; /* seconds */
	struct buf text;
	csv_table_sink sink;
	void *ctx;
};

#define NO_ROW SIZE_MAX

static const struct frame *scope_frame(const struct table *t, enum metric_scope scope)
{
	return &t->run->snapshot.rows[scope];
}

static bool is_column_shown(const struct table *t, const struct metric *m)
{
	return t->rows[m->scope] && m->unit != METRIC_UNIT_TIME &&
	       (m->documented || frame_has(scope_frame(t, m->scope), m->id));
}

static int flush_text(struct table *t, size_t least, struct err *e)
{
	int failed = 0;

	if (t->text.failed)
		return err_set(e, "no memory");
	if (t->text.len < least || !t->text.len)
		return 0;
	failed = t->sink(t->ctx, t->text.s, t->text.len, e);
	buf_clear(&t->text);
	return failed;
}

/* -- the header -------------------------------------------------------------------------------- */

static void add_column_name(struct table *t, const struct metric *m)
{
	static const char *const prefix[] = {"Process", "System"};

	if (t->o->human_names)
		buf_printf(&t->text, ",\"%s %s\"", prefix[m->scope],
		           m->human ? m->human : m->label);
	else
		buf_printf(&t->text, ",\"%s_%s\"", metric_scope_name(m->scope), m->name[t->schema]);
}

typedef void (*column_action)(struct table *t, const struct metric *m, size_t row);

/* The machine's columns come first, as in resource-tracker. */
static void for_columns(struct table *t, const size_t row[METRIC_SCOPES], column_action what)
{
	static const enum metric_scope order[] = {METRIC_SCOPE_SYSTEM, METRIC_SCOPE_PROCESS};

	for (int i = 0; i < METRIC_SCOPES; i++)
		for (int id = 0; id < METRIC_COUNT; id++)
			if (metrics[id].scope == order[i] && is_column_shown(t, &metrics[id]))
				what(t, &metrics[id], row[order[i]]);
}

static void header_cell(struct table *t, const struct metric *m, size_t row)
{
	(void)row;
	add_column_name(t, m);
}

/* -- rows -------------------------------------------------------------------------------------- */

static void add_csv_number(struct buf *b, double v)
{
	char text[32];

	if (isfinite(v))
		buf_add(b, text, json_write_number_text(v, text));
}

static double spelled(const struct table *t, const struct metric *m, double v)
{
	bool in_bytes = m->unit == METRIC_UNIT_MEMORY || m->unit == METRIC_UNIT_VRAM ||
	                m->unit == METRIC_UNIT_SPACE;

	return t->o->bytes && in_bytes ? round(v) : metric_spell(m, t->schema, v);
}

static void row_cell(struct table *t, const struct metric *m, size_t row)
{
	const double *col = frame_col(scope_frame(t, m->scope), m->id);

	buf_char(&t->text, ',');
	if (col && row != NO_ROW)
		add_csv_number(&t->text, spelled(t, m, col[row]));
}

static double time_at(const struct table *t, enum metric_scope scope, size_t row)
{
	return row < t->rows[scope] && t->time[scope] ? t->time[scope][row] : NAN;
}

static double rows_apart_s(const struct table *t, size_t process, size_t system)
{
	return fabs(time_at(t, METRIC_SCOPE_PROCESS, process) -
	            time_at(t, METRIC_SCOPE_SYSTEM, system));
}

/* Chooses the rows of the next line: the next row of one scope, or of both if no other pairing of
 * these two is closer in time. */
static void choose_next_rows(const struct table *t, const size_t next[METRIC_SCOPES],
                             size_t row[METRIC_SCOPES])
{
	size_t p = next[METRIC_SCOPE_PROCESS], s = next[METRIC_SCOPE_SYSTEM];
	double d = rows_apart_s(t, p, s);
	bool later;

	row[METRIC_SCOPE_PROCESS] = p < t->rows[METRIC_SCOPE_PROCESS] ? p : NO_ROW;
	row[METRIC_SCOPE_SYSTEM] = s < t->rows[METRIC_SCOPE_SYSTEM] ? s : NO_ROW;
	if (row[METRIC_SCOPE_PROCESS] == NO_ROW || row[METRIC_SCOPE_SYSTEM] == NO_ROW || isnan(d))
		return; /* without times, pair the rows by number */
	if (d <= t->near && !(rows_apart_s(t, p + 1, s) < d) && !(rows_apart_s(t, p, s + 1) < d))
		return;
	later = time_at(t, METRIC_SCOPE_PROCESS, p) > time_at(t, METRIC_SCOPE_SYSTEM, s);
	row[later ? METRIC_SCOPE_PROCESS : METRIC_SCOPE_SYSTEM] = NO_ROW;
}

static void add_csv_row(struct table *t, const size_t row[METRIC_SCOPES])
{
	double time = time_at(t, METRIC_SCOPE_SYSTEM, row[METRIC_SCOPE_SYSTEM]);

	if (isnan(time))
		time = time_at(t, METRIC_SCOPE_PROCESS, row[METRIC_SCOPE_PROCESS]);
	add_csv_number(&t->text, metric_spell(&metrics[METRIC_SYSTEM_TIMESTAMP], t->schema, time));
	for_columns(t, row, row_cell);
	buf_char(&t->text, '\n');
}

static int add_csv_rows(struct table *t, struct err *e)
{
	size_t next[METRIC_SCOPES] = {0}, row[METRIC_SCOPES];

	while (next[METRIC_SCOPE_PROCESS] < t->rows[METRIC_SCOPE_PROCESS] ||
	       next[METRIC_SCOPE_SYSTEM] < t->rows[METRIC_SCOPE_SYSTEM]) {
		choose_next_rows(t, next, row);
		add_csv_row(t, row);
		for (int scope = 0; scope < METRIC_SCOPES; scope++)
			next[scope] += row[scope] != NO_ROW;
		if (t->text.len >= PART)
			for (int scope = 0; scope < METRIC_SCOPES; scope++)
				frame_rest(scope_frame(t, (enum metric_scope)scope));
		if (flush_text(t, PART, e))
			return -1;
	}
	return 0;
}

int csv_table_write(const struct run *run, const struct csv_table_options *o, csv_table_sink sink,
                    void *ctx, struct err *e)
{
	static const enum metric_id time[] = {METRIC_PROCESS_TIMESTAMP, METRIC_SYSTEM_TIMESTAMP};
	static const size_t none[METRIC_SCOPES] = {0};
	struct table t = {.run = run,
	                  .o = o,
	                  .schema = o->schema ? o->schema : run->snapshot.schema,
	                  .near = run->interval > 0 ? run->interval * SAME_TIME : SAME_TIME,
	                  .sink = sink,
	                  .ctx = ctx};
	int failed;

	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		t.rows[scope] = run->snapshot.rows[scope].rows;
		t.time[scope] = frame_col(&run->snapshot.rows[scope], time[scope]);
	}
	buf_str(&t.text, o->human_names ? "\"Timestamp\"" : "\"timestamp\"");
	for_columns(&t, none, header_cell);
	buf_char(&t.text, '\n');
	failed = add_csv_rows(&t, e) || flush_text(&t, 0, e);
	buf_free(&t.text);
	return failed ? -1 : 0;
}
