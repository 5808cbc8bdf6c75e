/* csv_table: the samples of job and machine as one CSV table. */
#include "report/render/csv_table.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/json/json_write.h"

#define PART      65536 /* bytes per call of the sink */
#define SAME_TIME 0.5   /* of an interval: rows this close are one line */

struct table {
	const struct run *run;
	const struct csv_table_options *o;
	enum schema schema;
	const double *time[METRIC_SCOPES]; /* NULL: the recording has no time stamps */
	size_t rows[METRIC_SCOPES];
	double near; /* seconds */
	struct {
		const struct metric *m;
		struct buf name;
	} column[METRIC_COUNT]; /* after the time */
	size_t columns;
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

static void build_column_name(const struct table *t, const struct metric *m, struct buf *name)
{
	static const char *const human[] = {"Process ", "System "};
	const char *prefix = t->o->prefix[m->scope];

	if (prefix)
		buf_str(name, prefix);
	else if (t->o->human_names)
		buf_str(name, human[m->scope]);
	else
		buf_printf(name, "%s_", metric_scope_name(m->scope));
	if (t->o->human_names)
		buf_str(name, m->human ? m->human : m->label);
	else
		buf_str(name, m->name[t->schema]);
}

/* Where the prefixes give two columns the same name, the job's takes the place of the machine's, as
 * in resource-tracker: a table has no two columns of one name. */
static void add_csv_column(struct table *t, const struct metric *m)
{
	struct buf name = {0};
	size_t i = 0;

	build_column_name(t, m, &name);
	while (i < t->columns && strcmp(buf_cstr(&t->column[i].name), buf_cstr(&name)) != 0)
		i++;
	t->text.failed = t->text.failed || name.failed;
	buf_free(&t->column[i].name);
	t->column[i].name = name;
	t->column[i].m = m;
	t->columns += i == t->columns;
}

/* The machine's columns come first, as in resource-tracker. */
static void choose_columns(struct table *t)
{
	static const enum metric_scope order[] = {METRIC_SCOPE_SYSTEM, METRIC_SCOPE_PROCESS};

	for (int i = 0; i < METRIC_SCOPES; i++)
		for (int id = 0; id < METRIC_COUNT; id++)
			if (metrics[id].scope == order[i] && is_column_shown(t, &metrics[id]))
				add_csv_column(t, &metrics[id]);
}

static void add_csv_header(struct table *t)
{
	buf_str(&t->text, t->o->human_names ? "\"Timestamp\"" : "\"timestamp\"");
	for (size_t i = 0; i < t->columns; i++) {
		buf_str(&t->text, ",\"");
		for (const char *p = buf_cstr(&t->column[i].name); *p; p++) {
			if (*p == '"')
				buf_char(&t->text, '"');
			buf_char(&t->text, *p);
		}
		buf_char(&t->text, '"');
	}
	buf_char(&t->text, '\n');
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
	for (size_t i = 0; i < t->columns; i++)
		row_cell(t, t->column[i].m, row[t->column[i].m->scope]);
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
	choose_columns(&t);
	add_csv_header(&t);
	failed = add_csv_rows(&t, e) || flush_text(&t, 0, e);
	for (size_t i = 0; i < t.columns; i++)
		buf_free(&t.column[i].name);
	buf_free(&t.text);
	return failed ? -1 : 0;
}
