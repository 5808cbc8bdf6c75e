/* catalog_sql: the statements that catalog_query.c asks of an engine. */
#include "fleet/catalog/catalog_sql.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/end/end_cause.h"

#define VALUES_MAX ((size_t)4096)
#define CLOCKS_S   86400 /* that the clock of a node may be ahead of the server's */

/* The columns that are read if a run is packed. */
#define PACKED(before) before "start, " before "packed, " before "rowid"

int catalog_asked_read(const struct catalog_query *q, struct catalog_asked *out, struct err *e)
{
	static const struct opts_list by_name = {.v = {"name"}, .n = 1};
	const struct opts_list *by = q->group_by && q->group_by->n ? q->group_by : &by_name;

	*out = (struct catalog_asked){.query = q};
	if (by->n > CATALOG_KEYS)
		return err_set(e, "runs can be grouped by at most %d keys", CATALOG_KEYS);
	for (; out->n_keys < by->n; out->n_keys++)
		if (catalog_where_key(by->v[out->n_keys], &out->key[out->n_keys], e))
			return -1;
	for (; q->where && out->n_where < q->where->n; out->n_where++)
		if (catalog_where_condition(q->where->v[out->n_where], &out->where[out->n_where],
		                            e))
			return -1;
	return 0;
}

/* -- pieces ------------------------------------------------------------------------------------ */

static void add_value(struct catalog_sql *s, struct catalog_value v)
{
	if (s->n == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 32;
		struct catalog_value *more =
		    cap > VALUES_MAX ? NULL : realloc(s->value, cap * sizeof *more);
		if (!more) {
			s->failed = true;
			return;
		}
		s->value = more;
		s->cap = cap;
	}
	s->value[s->n++] = v;
}

static void add_text(struct catalog_sql *s, const char *text)
{
	add_value(s, (struct catalog_value){.kind = CATALOG_TEXT, .text = text});
}

void catalog_sql_number(struct catalog_sql *s, double number)
{
	add_value(s, (struct catalog_value){.kind = CATALOG_NUMBER, .number = number});
}

/* before: what the names of the columns begin with. */
static void put_key(struct catalog_sql *s, const struct catalog_engine *engine,
                    const struct catalog_key *key, const char *before)
{
	char column[64];

	snprintf(column, sizeof column, "%s%s", before, catalog_columns[key->column].name);
	if (!*key->pair) {
		buf_str(&s->text, column);
		return;
	}
	engine->pair(&s->text, column);
	add_text(s, key->pair);
}

void catalog_sql_from(struct catalog_sql *s, const struct catalog_engine *engine,
                      const struct catalog_asked *a)
{
	double since = a->query->since - CLOCKS_S;

	if (engine->came_since && since > 0)
		buf_printf(&s->text, " FROM %s%.0f%s", engine->came_since, floor(since),
		           engine->sources_end);
	else
		buf_printf(&s->text, " FROM %s", engine->table);
}

/* The conditions of --where, --since and --until: of recordings. */
void catalog_sql_where(struct catalog_sql *s, const struct catalog_engine *engine,
                       const struct catalog_asked *a)
{
	for (size_t i = 0; i < a->n_where; i++) {
		buf_str(&s->text, " AND ");
		put_key(s, engine, &a->where[i].key, "");
		buf_printf(&s->text, " %s ?", a->where[i].op);
		add_value(s, a->where[i].value);
	}
	if (a->query->since > 0) {
		buf_str(&s->text, " AND start >= ?");
		catalog_sql_number(s, a->query->since);
	}
	if (a->query->until > 0) {
		buf_str(&s->text, " AND start < ?");
		catalog_sql_number(s, a->query->until);
	}
}

/* (a, b) IN (VALUES (?, ?), …) */
static void put_tuples(struct catalog_sql *s, const struct catalog_engine *engine,
                       const struct catalog_asked *a, size_t n_keys, const char *before)
{
	const struct catalog_query *q = a->query;

	for (size_t k = 0; k < n_keys; k++) {
		buf_str(&s->text, k ? ", " : " AND (");
		put_key(s, engine, &a->key[k], before);
	}
	buf_printf(&s->text, ") IN (%s", engine->list);
	for (size_t i = 0; i < q->n_only; i++)
		for (size_t k = 0; k < n_keys; k++) {
			if (!k)
				buf_str(&s->text, i ? "), (" : "(");
			buf_str(&s->text, k ? ", ?" : "?");
			add_text(s, q->only[i * n_keys + k]);
		}
	buf_str(&s->text, "))");
}

/* Only these groups. The machine is not a key of --group-by. */
static void put_only(struct catalog_sql *s, const struct catalog_engine *engine,
                     const struct catalog_asked *a, const char *before)
{
	const struct catalog_query *q = a->query;
	size_t n_keys = q->group_by && q->group_by->n ? q->group_by->n : 1;

	if (!a->n_keys || !q->only || !q->n_only)
		return;
	/* The first key by itself: an index finds it. */
	buf_str(&s->text, " AND ");
	put_key(s, engine, &a->key[0], before);
	for (size_t i = 0; i < q->n_only; i++) {
		buf_str(&s->text, i ? ", ?" : " IN (?");
		add_text(s, q->only[i * n_keys]);
	}
	buf_char(&s->text, ')');
	if (n_keys > 1)
		put_tuples(s, engine, a, n_keys, before);
}

/* -- runs of one recording --------------------------------------------------------------------- */

/* Whether the index has all that is read of a run. */
bool catalog_sql_covered(const struct catalog_engine *engine, const struct catalog_asked *a)
{
	bool all = engine->indexed;

	for (size_t i = 0; i < a->n_keys; i++)
		all = all && engine->indexed(a->key[i].column);
	for (size_t i = 0; i < a->n_where; i++)
		all = all && engine->indexed(a->where[i].key.column);
	return all;
}

static bool is_of_names(const struct catalog_asked *a)
{
	bool found = a->query->only && a->key[0].column == RTRACK_ROW_NAME;

	for (size_t i = 0; i < a->n_where; i++)
		found = found || (a->where[i].key.column == RTRACK_ROW_NAME &&
		                  strcmp(a->where[i].op, "=") == 0);
	return found;
}

static void put_keys(struct catalog_sql *s, const struct catalog_engine *engine,
                     const struct catalog_asked *a, const char *before)
{
	buf_str(&s->text, "SELECT ");
	for (size_t i = 0; i < a->n_keys; i++) {
		put_key(s, engine, &a->key[i], before);
		buf_printf(&s->text, " AS k%zu, ", i);
	}
	if (a->apart)
		buf_printf(&s->text, "'%s' AS k%zu, ", *before ? "1" : "", a->n_keys);
}

static void put_alone(struct catalog_sql *s, const struct catalog_engine *engine,
                      const struct catalog_asked *a)
{
	/* To look up each row that an index finds takes longer than to read the table; the plus
	 * keeps SQLite from it. */
	bool table = engine->indexed && !catalog_sql_covered(engine, a) && !is_of_names(a);

	put_keys(s, engine, a, "");
	buf_str(&s->text, engine->packed ? PACKED("") : catalog_columns[0].name);
	for (int i = 1; !engine->packed && i < CATALOG_COLUMNS; i++)
		buf_printf(&s->text, ", %s", catalog_columns[i].name);
	catalog_sql_from(s, engine, a);
	buf_printf(&s->text, " WHERE %sjoined = ''", table ? "+" : "");
	catalog_sql_where(s, engine, a);
	put_only(s, engine, a, "");
}

/* -- runs of several recordings ---------------------------------------------------------------- */

/* Appends how one column of a run's recordings is joined. */
void catalog_sql_joined(struct buf *sql, int column)
{
	static const char *const ways[] = {[CATALOG_JOIN_LARGEST] = "max",
	                                   [CATALOG_JOIN_SMALLEST] = "min",
	                                   [CATALOG_JOIN_SUM] = "sum",
	                                   [CATALOG_JOIN_COUNTED] = "max"};
	const struct catalog_column *c = &catalog_columns[column];

	if (c->join == CATALOG_JOIN_CLASS)
		buf_printf(sql,
		           "CASE WHEN max(CASE WHEN oom = 1 AND class = %d THEN 1 ELSE 0 END) = 1 "
		           "THEN %d ELSE max(class) END AS j_class",
		           CATALOG_COUNTED, CATALOG_COUNTED);
	else if (c->join == CATALOG_JOIN_SAME)
		buf_printf(sql,
		           "CASE WHEN min(%s) = max(%s) THEN max(%s) WHEN max(%s) >= 0 THEN %d END "
		           "AS j_%s",
		           c->name, c->name, c->name, c->name, CATALOG_MIXED, c->name);
	else if (c->join == CATALOG_JOIN_END)
		buf_printf(sql, "coalesce(min(CASE WHEN %s > %d THEN %s END), max(%s)) AS j_%s",
		           c->name, END_CAUSE_FINISHED, c->name, c->name, c->name);
	else
		buf_printf(sql, "%s(%s) AS j_%s", ways[c->join], c->name, c->name);
}

/* The recordings of each run made one row, whose columns begin with j_: an aggregate that has the
 * name of its column would hide the column from WHERE. */
static void put_joined_rows(struct catalog_sql *s, const struct catalog_engine *engine,
                            const struct catalog_asked *a)
{
	bool read[CATALOG_COLUMNS] = {[RTRACK_ROW_START] = true};
	struct buf *sql = &s->text;

	for (size_t i = 0; i < a->n_keys; i++)
		read[a->key[i].column] = true;
	buf_str(sql, "(SELECT ");
	if (engine->packed)
		buf_printf(sql, "max(rowid) AS j_rowid, %s AS j_packed, ", engine->packed);
	for (int i = 0, n = 0; i < CATALOG_COLUMNS; i++) {
		if (engine->packed && !read[i])
			continue;
		buf_str(sql, n++ ? ", " : "");
		catalog_sql_joined(sql, i);
	}
	catalog_sql_from(s, engine, a);
	buf_str(sql, " WHERE joined <> ''");
	catalog_sql_where(s, engine, a);
	buf_str(sql, " GROUP BY joined)");
}

static void put_joined(struct catalog_sql *s, const struct catalog_engine *engine,
                       const struct catalog_asked *a)
{
	struct buf *sql = &s->text;

	put_keys(s, engine, a, "j_");
	if (engine->packed)
		buf_str(sql, PACKED("j_"));
	for (int i = 0; !engine->packed && i < CATALOG_COLUMNS; i++) {
		const char *name = catalog_columns[i].name, *comma = i ? ", " : "";
		if (catalog_columns[i].join == CATALOG_JOIN_COUNTED)
			buf_printf(sql, "%sCASE WHEN j_class = %d THEN j_%s END AS %s", comma,
			           CATALOG_COUNTED, name, name);
		else
			buf_printf(sql, "%sj_%s AS %s", comma, name, name);
	}
	buf_str(sql, " FROM ");
	put_joined_rows(s, engine, a);
	buf_str(sql, " WHERE 1 = 1");
	put_only(s, engine, a, "j_");
}

/* -- statements -------------------------------------------------------------------------------- */

static void put_rows_of_runs(struct catalog_sql *s, const struct catalog_engine *engine,
                             const struct catalog_asked *a)
{
	put_alone(s, engine, a);
	buf_str(&s->text, " UNION ALL ");
	put_joined(s, engine, a);
}

static void put_names(struct buf *sql, const char *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(sql, "%sk%zu", i ? ", " : words, i);
}

/* For an output by quarters: gives each row the starts that divide its group. */
static void put_quarters(struct catalog_sql *s, const struct catalog_engine *engine,
                         const struct catalog_asked *a, const struct catalog_output *output,
                         size_t n)
{
	while (n && output[n - 1].kind != CATALOG_OUT_QUARTERS)
		n--;
	if (!n)
		return;
	put_names(&s->text, " ANY LEFT JOIN (SELECT ", a->n_whole);
	buf_str(&s->text, ", ");
	engine->quarters(&s->text, &output[n - 1]);
	buf_str(&s->text, " AS quarters FROM (");
	put_rows_of_runs(s, engine, a);
	put_names(&s->text, ") GROUP BY ", a->n_whole);
	put_names(&s->text, ") USING ", a->n_whole);
}

void catalog_sql_groups(struct catalog_sql *s, const struct catalog_engine *engine,
                        const struct catalog_asked *a, const struct catalog_output *output,
                        size_t n, bool days)
{
	size_t n_keys = a->n_keys + a->apart;

	s->ordered = engine->packed && n_keys && a->key[0].column == RTRACK_ROW_NAME &&
	             catalog_sql_covered(engine, a);
	if (!engine->packed) {
		put_names(&s->text, "SELECT ", n_keys);
		buf_str(&s->text, n_keys ? ", " : "SELECT ");
		engine->outputs(&s->text, output, n);
		buf_str(&s->text, " FROM (");
	}
	put_rows_of_runs(s, engine, a);
	if (s->ordered)
		put_names(&s->text, " ORDER BY ", 1);
	if (!engine->packed) {
		buf_char(&s->text, ')');
		put_quarters(s, engine, a, output, n);
		if (days)
			buf_printf(&s->text, " WHERE class NOT IN (%d, %d, %d)", CATALOG_NO_ASK,
			           CATALOG_UNMEASURED, CATALOG_IMPOSSIBLE);
		put_names(&s->text, " GROUP BY ", n_keys);
		put_names(&s->text, " ORDER BY ", n_keys);
	}
	s->failed = s->failed || s->text.failed;
}

static void put_sources(struct catalog_sql *s, const struct catalog_worst *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_str(&s->text, ", ?");
		add_text(s, v[i].source);
	}
}

void catalog_sql_rows(struct catalog_sql *s, const struct catalog_engine *engine,
                      const struct catalog_output *plain, size_t n, const struct catalog_detail *of,
                      size_t n_of)
{
	buf_str(&s->text, "SELECT ");
	engine->outputs(&s->text, plain, n);
	buf_printf(&s->text, " FROM %s(''", engine->sources);
	for (size_t i = 0; i < n_of; i++) {
		put_sources(s, of[i].worst, of[i].n_worst);
		put_sources(s, of[i].newest, of[i].n_newest);
	}
	buf_printf(&s->text, ")%s", engine->sources_end);
	s->failed = s->failed || s->text.failed;
}

void catalog_sql_newest(struct catalog_sql *s, const struct catalog_engine *engine,
                        const struct catalog_asked *a, const struct catalog_output *plain, size_t n,
                        size_t most)
{
	buf_str(&s->text, "SELECT ");
	engine->outputs(&s->text, plain, n);
	catalog_sql_from(s, engine, a);
	buf_printf(&s->text, " WHERE class <> %d", CATALOG_IMPOSSIBLE);
	catalog_sql_where(s, engine, a);
	buf_printf(&s->text, " ORDER BY start DESC, source LIMIT %zu", most);
	s->failed = s->failed || s->text.failed;
}

/* -- runs, one by one -------------------------------------------------------------------------- */

void catalog_sql_whole(struct catalog_sql *s, const struct catalog_engine *engine,
                       const struct catalog_asked *a, const struct catalog_output *plain, size_t n,
                       const char *column, const char *const *value, size_t n_values)
{
	buf_str(&s->text, "SELECT ");
	engine->outputs(&s->text, plain, n);
	/* The first condition is that of an index. */
	buf_printf(&s->text, " FROM %s WHERE %s <> '' AND %s IN (", engine->table, column, column);
	for (size_t i = 0; i < n_values; i++) {
		buf_str(&s->text, i ? ", ?" : "?");
		add_text(s, value[i]);
	}
	buf_char(&s->text, ')');
	if (a)
		catalog_sql_where(s, engine, a);
	buf_str(&s->text, " ORDER BY source");
	s->failed = s->failed || s->text.failed;
}

int catalog_sql_select(const struct catalog_sql *s, const struct catalog_engine *engine,
                       struct catalog_statement *st, catalog_each_row *each, void *ctx,
                       struct err *e)
{
	if (s->failed)
		return err_set(e, "the query is too long");
	st->sql = buf_cstr(&s->text);
	st->value = s->value;
	st->n_values = s->n;
	st->ordered = s->ordered;
	return engine->select(engine->self, st, each, ctx, e);
}

void catalog_sql_free(struct catalog_sql *s)
{
	buf_free(&s->text);
	free(s->value);
	*s = (struct catalog_sql){0};
}
