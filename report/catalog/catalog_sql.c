/* catalog_sql: the statements that catalog.c asks of an engine. */
#include "report/catalog/catalog_sql.h"

#include <stdlib.h>
#include <string.h>

#define VALUES_MAX ((size_t)4096)

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

static void add_number(struct catalog_sql *s, double number)
{
	add_value(s, (struct catalog_value){.kind = CATALOG_NUMBER, .number = number});
}

static void put_key(struct catalog_sql *s, const struct catalog_engine *engine,
                    const struct catalog_key *key)
{
	const char *column = catalog_columns[key->column].name;

	if (!*key->pair) {
		buf_str(&s->text, column);
		return;
	}
	engine->pair(&s->text, column);
	add_text(s, key->pair);
}

/* The conditions of --where, --since and --until: of recordings. */
static void put_where(struct catalog_sql *s, const struct catalog_engine *engine,
                      const struct catalog_asked *a)
{
	for (size_t i = 0; i < a->n_where; i++) {
		buf_str(&s->text, " AND ");
		put_key(s, engine, &a->where[i].key);
		buf_printf(&s->text, " %s ?", a->where[i].op);
		add_value(s, a->where[i].value);
	}
	if (a->query->since > 0) {
		buf_str(&s->text, " AND start >= ?");
		add_number(s, a->query->since);
	}
	if (a->query->until > 0) {
		buf_str(&s->text, " AND start < ?");
		add_number(s, a->query->until);
	}
}

/* (a, b) IN (VALUES (?, ?), …) */
static void put_tuples(struct catalog_sql *s, const struct catalog_engine *engine,
                       const struct catalog_asked *a, size_t n_keys)
{
	const struct catalog_query *q = a->query;

	for (size_t k = 0; k < n_keys; k++) {
		buf_str(&s->text, k ? ", " : " AND (");
		put_key(s, engine, &a->key[k]);
	}
	buf_printf(&s->text, ") IN (%s", engine->list);
	for (size_t i = 0; i < q->n_only; i++)
		for (size_t k = 0; k < n_keys; k++) {
			buf_str(&s->text, k ? ", ?" : i ? "), (?" : "(?");
			add_text(s, q->only[i * n_keys + k]);
		}
	buf_str(&s->text, "))");
}

/* Only these groups. The machine is no key of --group-by. */
static void put_only(struct catalog_sql *s, const struct catalog_engine *engine,
                     const struct catalog_asked *a)
{
	const struct catalog_query *q = a->query;
	size_t n_keys = q->group_by && q->group_by->n ? q->group_by->n : 1;

	if (!q->only || !q->n_only)
		return;
	/* The first key by itself: an index finds it. */
	buf_str(&s->text, " AND ");
	put_key(s, engine, &a->key[0]);
	for (size_t i = 0; i < q->n_only; i++) {
		buf_str(&s->text, i ? ", ?" : " IN (?");
		add_text(s, q->only[i * n_keys]);
	}
	buf_char(&s->text, ')');
	if (n_keys > 1)
		put_tuples(s, engine, a, n_keys);
}

/* -- runs of several recordings ---------------------------------------------------------------- */

void catalog_sql_columns(const struct catalog_output *o, bool used[CATALOG_COLUMNS])
{
	static const int of_days[] = {
	    CATALOG_COLUMN_CLASS,        CATALOG_COLUMN_OOM,          RTRACK_ROW_START,
	    CATALOG_COLUMN_STOP,         CATALOG_COLUMN_ASKED_CORE_S, CATALOG_COLUMN_USED_CORE_S,
	    CATALOG_COLUMN_ASKED_BYTE_S, CATALOG_COLUMN_USED_BYTE_S,  CATALOG_COLUMN_ASKED_GPU_S,
	    CATALOG_COLUMN_USED_GPU_S};

	if (o->kind == CATALOG_OUT_DAYS) {
		for (size_t i = 0; i < sizeof of_days / sizeof *of_days; i++)
			used[of_days[i]] = true;
		return;
	}
	used[o->column] = true;
	if (o->kind == CATALOG_OUT_NEWEST || o->kind == CATALOG_OUT_TOP)
		used[RTRACK_ROW_WALL] = used[CATALOG_COLUMN_MEMORY_NEED] =
		    used[CATALOG_COLUMN_SOURCE] = true;
	if (o->kind == CATALOG_OUT_SPOTS)
		used[o->by] = true;
	for (size_t i = 0; i < o->n; i++) {
		used[o->value[i] % CATALOG_COLUMNS] = true;
		if (o->value[i] >= CATALOG_COLUMNS)
			used[CATALOG_COLUMN_NODE_S] = true;
	}
	used[CATALOG_COLUMN_CLASS] = true;
	if (o->rows == CATALOG_ROWS_FINISHED || o->rows == CATALOG_ROWS_KILLED)
		used[CATALOG_COLUMN_OOM] = true;
}

/* A run that was killed for memory counts even if its other recordings do not. */
#define JOINED_CLASS                                                                               \
	"CASE WHEN max(CASE WHEN oom = 1 AND class = 0 THEN 1 ELSE 0 END) = 1 THEN 0 "             \
	"ELSE max(class) END"

/* What one column of a run's recordings makes of the run. */
static void put_joined_column(struct buf *sql, int column)
{
	const char *name = catalog_columns[column].name, *way = "max";

	switch (column) {
	case CATALOG_COLUMN_CLASS:
		buf_str(sql, JOINED_CLASS);
		return;
	case RTRACK_ROW_START:
	case CATALOG_COLUMN_DAY:
		way = "min";
		break;
	case CATALOG_COLUMN_ASKED_CORE_S:
	case CATALOG_COLUMN_USED_CORE_S:
	case CATALOG_COLUMN_UNUSED_CORE_S:
	case CATALOG_COLUMN_ASKED_BYTE_S:
	case CATALOG_COLUMN_USED_BYTE_S:
	case CATALOG_COLUMN_UNUSED_BYTE_S:
	case CATALOG_COLUMN_ASKED_GPU_S:
	case CATALOG_COLUMN_USED_GPU_S:
	case CATALOG_COLUMN_UNUSED_GPU_S:
	case CATALOG_COLUMN_PAID_S:
	case CATALOG_COLUMN_UNUSED_S:
	case CATALOG_COLUMN_NODE_S:
	case CATALOG_COLUMN_RECORDINGS:
		way = "sum";
		break;
	default:
		break;
	}
	buf_printf(sql, "%s(%s)", way, name);
}

/* Of a run that does not count nothing is in a histogram, whatever its recordings are. */
static bool only_counted(int column)
{
	return column == CATALOG_COLUMN_MEMORY_BUCKET || column == CATALOG_COLUMN_WALL_BUCKET ||
	       column == CATALOG_COLUMN_CORES_BUCKET || column == CATALOG_COLUMN_GPUS_BUCKET;
}

/* Whether the column is in engine->packed alone. */
static bool is_packed(const struct catalog_engine *engine, int column)
{
	return engine->packed && catalog_columns[column].kind != CATALOG_TEXT &&
	       column != RTRACK_ROW_START && column != CATALOG_COLUMN_CLASS;
}

/* Two levels: an aggregate that has the name of its column would hide the column from WHERE. */
static void put_joined(struct catalog_sql *s, const struct catalog_engine *engine,
                       const struct catalog_asked *a, const bool used[CATALOG_COLUMNS])
{
	struct buf *sql = &s->text;

	buf_printf(sql, "(SELECT j_row AS %s", engine->row);
	if (engine->packed)
		buf_str(sql, ", j_packed AS packed");
	for (int i = 0; i < CATALOG_COLUMNS; i++) {
		const char *name = catalog_columns[i].name;
		if (!used[i] || is_packed(engine, i) || strcmp(name, engine->row) == 0)
			continue;
		if (only_counted(i))
			buf_printf(sql, ", CASE WHEN j_class = 0 THEN j_%s END AS %s", name, name);
		else
			buf_printf(sql, ", j_%s AS %s", name, name);
	}
	buf_printf(sql, " FROM (SELECT max(%s) AS j_row", engine->row);
	if (engine->packed)
		buf_printf(sql, ", %s AS j_packed", engine->packed);
	for (int i = 0; i < CATALOG_COLUMNS; i++) {
		if (!used[i] || is_packed(engine, i))
			continue;
		buf_str(sql, ", ");
		put_joined_column(sql, i);
		buf_printf(sql, " AS j_%s", catalog_columns[i].name);
	}
	buf_printf(sql, " FROM %s WHERE joined <> ''", engine->table);
	put_where(s, engine, a);
	buf_str(sql, " GROUP BY joined))");
}

/* -- statements -------------------------------------------------------------------------------- */

/* Whether the index has all that is read of a run. */
static bool is_covered(const struct catalog_engine *engine, const struct catalog_asked *a)
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

static void put_from(struct catalog_sql *s, const struct catalog_engine *engine,
                     const struct catalog_asked *a, enum catalog_part part,
                     const struct catalog_output *output, size_t n)
{
	bool used[CATALOG_COLUMNS] = {[CATALOG_COLUMN_CLASS] = true, [RTRACK_ROW_START] = true};

	if (part == CATALOG_ALONE) {
		/* To look up each row that an index finds takes longer than to read the table; the
		 * plus keeps SQLite from it. */
		bool table = engine->indexed && !is_covered(engine, a) && !is_of_names(a);
		buf_printf(&s->text, " FROM %s WHERE %sjoined = ''", engine->table,
		           table ? "+" : "");
		put_where(s, engine, a);
		return;
	}
	for (size_t i = 0; i < n; i++)
		catalog_sql_columns(&output[i], used);
	for (size_t i = 0; i < a->n_keys; i++)
		used[a->key[i].column] = true;
	buf_str(&s->text, " FROM ");
	put_joined(s, engine, a, used);
	buf_str(&s->text, " WHERE 1 = 1");
}

static void put_names(struct buf *sql, const char *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(sql, "%sk%zu", i ? ", " : words, i);
}

void catalog_sql_groups(struct catalog_sql *s, const struct catalog_engine *engine,
                        const struct catalog_asked *a, enum catalog_part part,
                        const struct catalog_output *output, size_t n, bool days)
{
	buf_str(&s->text, "SELECT ");
	for (size_t i = 0; i < a->n_keys; i++) {
		put_key(s, engine, &a->key[i]);
		buf_printf(&s->text, " AS k%zu, ", i);
	}
	engine->outputs(&s->text, output, n);
	put_from(s, engine, a, part, output, n);
	if (a->n_keys)
		put_only(s, engine, a);
	if (days)
		buf_printf(&s->text, " AND class <> %d AND class <> %d AND class <> %d",
		           CATALOG_NO_ASK, CATALOG_UNMEASURED, CATALOG_IMPOSSIBLE);
	s->ordered =
	    part == CATALOG_ALONE && a->key[0].column == RTRACK_ROW_NAME && is_covered(engine, a);
	if (s->ordered)
		put_names(&s->text, " ORDER BY ", 1);
	if (!engine->packed) {
		put_names(&s->text, " GROUP BY ", a->n_keys);
		put_names(&s->text, " ORDER BY ", a->n_keys);
	}
	s->failed = s->failed || s->text.failed;
}

void catalog_sql_rows(struct catalog_sql *s, const struct catalog_engine *engine,
                      const struct catalog_output *plain, size_t n, char *const *source,
                      size_t n_sources)
{
	buf_str(&s->text, "SELECT ");
	engine->outputs(&s->text, plain, n);
	buf_printf(&s->text, " FROM %s WHERE source IN (", engine->table);
	for (size_t i = 0; i < n_sources; i++) {
		buf_str(&s->text, i ? ", ?" : "?");
		add_text(s, source[i]);
	}
	buf_char(&s->text, ')');
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
