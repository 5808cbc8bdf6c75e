/* catalog_list: whole rows of a catalog. */
#include "fleet/catalog/catalog_list.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/end/end_cause.h"
#include "fleet/catalog/catalog_sql.h"

#define AT_ONCE   CATALOG_LIST_IDS  /* runs that are read together */
#define FOUND_MAX ((size_t)1 << 30) /* bytes of sources of jobs */

static const struct catalog_output source_output = {.kind = CATALOG_OUT_PLAIN,
                                                    .column = CATALOG_COLUMN_SOURCE};

static int no_list_memory(struct err *e)
{
	return err_set(e, "%s", strerror(ENOMEM));
}

static void whole_columns(struct catalog_output output[CATALOG_COLUMNS])
{
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		output[i] = (struct catalog_output){.kind = CATALOG_OUT_COLUMN, .column = i};
}

int catalog_list(struct catalog *c, const struct catalog_query *q, size_t n,
                 catalog_each_listed *each, void *ctx, struct err *e)
{
	struct catalog_output output[CATALOG_COLUMNS];
	struct catalog_statement st = {.output = output, .n_outputs = CATALOG_COLUMNS};
	struct catalog_sql sql = {.n = 0};
	struct catalog_asked a;
	int failed;

	if (catalog_asked_read(q, &a, e))
		return -1;
	whole_columns(output);
	catalog_sql_newest(&sql, &c->engine, &a, output, CATALOG_COLUMNS, n);
	failed = catalog_sql_select(&sql, &c->engine, &st, each, ctx, e);
	catalog_sql_free(&sql);
	return failed ? -1 : 0;
}

/* The recordings whose column has one of these texts. a: their conditions; NULL: none. */
static int list_whole(struct catalog *c, const struct catalog_asked *a, const char *column,
                      const char *const *value, size_t n, catalog_each_listed *each, void *ctx,
                      struct err *e)
{
	struct catalog_output output[CATALOG_COLUMNS];
	struct catalog_statement st = {.output = output, .n_outputs = CATALOG_COLUMNS};
	struct catalog_sql sql = {.n = 0};
	int failed;

	if (!n)
		return 0;
	whole_columns(output);
	catalog_sql_whole(&sql, &c->engine, a, output, CATALOG_COLUMNS, column, value, n);
	failed = catalog_sql_select(&sql, &c->engine, &st, each, ctx, e);
	catalog_sql_free(&sql);
	return failed ? -1 : 0;
}

/* table, where: what follows FROM. */
static void put_select(struct catalog *c, struct buf *sql, const char *table, const char *where)
{
	struct catalog_output output[CATALOG_COLUMNS];

	whole_columns(output);
	buf_str(sql, "SELECT ");
	c->engine.outputs(sql, output, CATALOG_COLUMNS);
	buf_printf(sql, " FROM %s%s", table, where);
}

static int list_rows(struct catalog *c, struct buf *sql, const struct catalog_value *value,
                     size_t n, catalog_each_listed *each, void *ctx, struct err *e)
{
	struct catalog_output output[CATALOG_COLUMNS];
	struct catalog_statement st = {.sql = buf_cstr(sql),
	                               .value = value,
	                               .n_values = n,
	                               .output = output,
	                               .n_outputs = CATALOG_COLUMNS};
	int failed;

	whole_columns(output);
	failed = sql->failed ? err_set(e, "%s", strerror(ENOMEM))
	                     : c->engine.select(c->engine.self, &st, each, ctx, e);
	buf_free(sql);
	return failed ? -1 : 0;
}

int catalog_list_any_recorded(struct catalog *c, catalog_each_listed *each, void *ctx,
                              struct err *e)
{
	struct buf sql = {0};

	put_select(c, &sql, c->engine.table, " WHERE " CATALOG_RECORDED_JOBS " LIMIT 1");
	return list_rows(c, &sql, NULL, 0, each, ctx, e);
}

static void put_marks(struct buf *sql, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_str(sql, i ? ", ?" : "?");
	buf_char(sql, ')');
}

int catalog_list_sources(struct catalog *c, const char *const *source, size_t n,
                         catalog_each_listed *each, void *ctx, struct err *e)
{
	struct catalog_value value[CATALOG_LIST_SOURCES];
	struct buf sql = {0};

	for (size_t i = 0; i < n; i++)
		value[i] = (struct catalog_value){.kind = CATALOG_TEXT, .text = source[i]};
	put_select(c, &sql, c->engine.sources, "(");
	put_marks(&sql, n);
	buf_str(&sql, c->engine.sources_end);
	return list_rows(c, &sql, value, n, each, ctx, e);
}

/* A text that ends in a NUL for each row. */
static int on_found(void *ctx, const struct catalog_result *v, struct err *e)
{
	struct buf *found = ctx;

	buf_add(found, v->text, strlen(v->text) + 1);
	return found->failed ? no_list_memory(e) : 0;
}

static int list_found(struct catalog *c, const struct buf *found, catalog_each_listed *each,
                      void *ctx, struct err *e)
{
	const char *source[CATALOG_LIST_SOURCES];
	size_t n = 0;
	int failed = 0;

	for (size_t at = 0; at < found->len && !failed; at += strlen(found->s + at) + 1) {
		if (n == CATALOG_LIST_SOURCES) {
			failed = catalog_list_sources(c, source, n, each, ctx, e);
			n = 0;
		}
		source[n++] = found->s + at;
	}
	return failed || !n ? failed : catalog_list_sources(c, source, n, each, ctx, e);
}

static void put_sources_of(struct catalog *c, struct buf *sql, const char *where)
{
	buf_str(sql, "SELECT ");
	c->engine.outputs(sql, &source_output, 1);
	buf_printf(sql, " FROM %s WHERE %s", c->engine.table, where);
}

/* First their sources, then the rows of these: ClickHouse has no index of jobs, and a column that
 * is read of all rows takes memory. */
int catalog_list_jobs(struct catalog *c, const char *const *id, size_t n, bool accounted,
                      catalog_each_listed *each, void *ctx, struct err *e)
{
	struct catalog_value value[4 * CATALOG_LIST_IDS];
	struct catalog_statement st = {.value = value,
	                               .n_values = accounted ? 4 * n : n,
	                               .output = &source_output,
	                               .n_outputs = 1};
	struct buf sql = {0}, sources = {.max = SIZE_MAX}, found = {.max = FOUND_MAX};
	size_t at[3 * CATALOG_LIST_IDS];
	int failed;

	for (size_t i = 0; i < n; i++) {
		/* All that begin with the source and "@". */
		static const char *const ends[] = {"", "@", "A"};
		for (size_t k = 0; k < 3; k++) {
			at[k ? n + 2 * i + k - 1 : i] = sources.len;
			buf_printf(&sources, CATALOG_ACCOUNTED "%s%s", id[i], ends[k]);
			buf_add(&sources, "", 1);
		}
		value[i] = (struct catalog_value){.kind = CATALOG_TEXT, .text = id[i]};
	}
	for (size_t i = 0; i < 3 * n; i++)
		value[n + i] = (struct catalog_value){.kind = CATALOG_TEXT,
		                                      .text = buf_cstr(&sources) + at[i]};
	put_sources_of(c, &sql, CATALOG_RECORDED_JOBS " AND job_id IN (");
	put_marks(&sql, n);
	if (accounted) {
		buf_str(&sql, " UNION ALL ");
		put_sources_of(c, &sql, "source IN (");
		put_marks(&sql, n);
		for (size_t i = 0; i < n; i++)
			buf_str(&sql, " OR (source > ? AND source < ?)");
	}
	st.sql = buf_cstr(&sql);
	if (sources.failed || sql.failed)
		failed = no_list_memory(e);
	else
		failed = c->engine.select(c->engine.self, &st, on_found, &found, e);
	if (!failed)
		failed = list_found(c, &found, each, ctx, e);
	buf_free(&sql);
	buf_free(&sources);
	buf_free(&found);
	return failed;
}

/* SQLite and ClickHouse escape wildcards in different ways, so what is not a letter or a digit is
 * any character; the caller looks closer. */
static void put_pattern(struct buf *out, const char *job)
{
	buf_char(out, '%');
	for (; *job; job++)
		buf_char(out, isalnum((unsigned char)*job) ? *job : '_');
	buf_char(out, '%');
}

int catalog_list_job(struct catalog *c, const char *job, catalog_each_listed *each, void *ctx,
                     struct err *e)
{
	static const char *const columns[] = {"job_id", "job", "array_job", "labels", "id"};
	enum { COLUMNS = sizeof columns / sizeof *columns };
	struct catalog_output output[CATALOG_COLUMNS];
	struct catalog_value value[COLUMNS];
	struct catalog_statement st = {
	    .value = value, .n_values = COLUMNS, .output = output, .n_outputs = CATALOG_COLUMNS};
	struct buf sql = {0}, pattern = {0};
	int failed;

	whole_columns(output);
	put_pattern(&pattern, job);
	buf_str(&sql, "SELECT ");
	c->engine.outputs(&sql, output, CATALOG_COLUMNS);
	buf_printf(&sql, " FROM %s WHERE ", c->engine.table);
	for (size_t i = 0; i < COLUMNS; i++) {
		buf_printf(&sql, "%s%s LIKE ?", i ? " OR " : "", columns[i]);
		value[i] = (struct catalog_value){.kind = CATALOG_TEXT, .text = buf_cstr(&pattern)};
	}
	buf_str(&sql, " ORDER BY source");
	st.sql = buf_cstr(&sql);
	failed = sql.failed || pattern.failed ? no_list_memory(e)
	                                      : c->engine.select(c->engine.self, &st, each, ctx, e);
	buf_free(&sql);
	buf_free(&pattern);
	return failed ? -1 : 0;
}

/* -- how many ---------------------------------------------------------------------------------- */

static int take_count(void *ctx, const struct catalog_result *v, struct err *e)
{
	double *count = ctx;

	(void)e;
	for (size_t i = 0; i < v->map.n; i++) {
		double class = catalog_map_key(&v->map, i);
		if (class >= 0 && class < CATALOG_CLASSES)
			count[(int)class] += catalog_map_at(&v->map, i, 0);
	}
	return 0;
}

int catalog_list_count(struct catalog *c, const struct catalog_query *q,
                       double count[CATALOG_CLASSES], struct err *e)
{
	static const struct catalog_output classes = {
	    .kind = CATALOG_OUT_MAP, .column = CATALOG_COLUMN_CLASS, .rows = CATALOG_ROWS_ALL};
	struct catalog_statement st = {.output = &classes, .n_outputs = 1};
	struct catalog_sql sql = {.n = 0};
	struct catalog_asked a;
	int failed;

	memset(count, 0, CATALOG_CLASSES * sizeof *count);
	if (catalog_asked_read(q, &a, e))
		return -1;
	a.n_keys = 0;
	catalog_sql_groups(&sql, &c->engine, &a, &classes, 1, false);
	failed = catalog_sql_select(&sql, &c->engine, &st, take_count, count, e);
	catalog_sql_free(&sql);
	return failed ? -1 : 0;
}

/* -- the recordings of a run ------------------------------------------------------------------- */

/* A run that is read. {0} is valid: nothing is known of it. */
struct listed {
	size_t recordings;
	double number[CATALOG_COLUMNS];
	char *text[CATALOG_COLUMNS]; /* owned; NULL: "" */
	char **source;               /* of each recording, owned; room for a power of 2 */
	bool killed;                 /* a recording that counts was killed for memory */
};

static void free_listed(struct listed *l)
{
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		free(l->text[i]);
	for (size_t i = 0; i < l->recordings; i++)
		free(l->source[i]);
	free(l->source);
	*l = (struct listed){.recordings = 0};
}

/* Joins a column of two recordings of a run (catalog_columns.def). A NAN is unknown. */
static double join_numbers(enum catalog_join join, double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	if (join == CATALOG_JOIN_SMALLEST)
		return fmin(a, b);
	if (join == CATALOG_JOIN_SUM)
		return a + b;
	if (join == CATALOG_JOIN_SAME)
		return a == b ? a : CATALOG_MIXED;
	if (join == CATALOG_JOIN_END && a > END_CAUSE_FINISHED && b > END_CAUSE_FINISHED)
		return fmin(a, b);
	return fmax(a, b);
}

static int join_text(char **to, const char *text)
{
	char *copy;

	if (!*text || (*to && strcmp(*to, text) >= 0))
		return 0;
	copy = strdup(text);
	if (!copy)
		return -1;
	free(*to);
	*to = copy;
	return 0;
}

static int add_source_of(struct listed *l, const char *source)
{
	size_t n = l->recordings;

	if (!(n & (n - 1))) {
		char **more = realloc(l->source, (n ? 2 * n : 1) * sizeof *more);
		if (!more)
			return -1;
		l->source = more;
	}
	if (!(l->source[n] = strdup(source)))
		return -1;
	l->recordings++;
	return 0;
}

static int add_recording(struct listed *l, const struct catalog_result v[CATALOG_COLUMNS])
{
	bool first = !l->recordings;

	if (add_source_of(l, v[CATALOG_COLUMN_SOURCE].text))
		return -1;
	for (int i = 0; i < CATALOG_COLUMNS; i++) {
		const struct catalog_column *column = &catalog_columns[i];
		if (column->kind != CATALOG_TEXT)
			l->number[i] = first
			                   ? v[i].number
			                   : join_numbers(column->join, l->number[i], v[i].number);
		else if (join_text(&l->text[i], v[i].text))
			return -1;
	}
	l->killed |=
	    v[CATALOG_COLUMN_OOM].number == 1 && v[CATALOG_COLUMN_CLASS].number == CATALOG_COUNTED;
	return 0;
}

static void finish_listed(const struct listed *l, struct catalog_result v[CATALOG_COLUMNS])
{
	double class = l->killed ? CATALOG_COUNTED : l->number[CATALOG_COLUMN_CLASS];

	for (int i = 0; i < CATALOG_COLUMNS; i++) {
		bool counts =
		    class == CATALOG_COUNTED || catalog_columns[i].join != CATALOG_JOIN_COUNTED;
		v[i] = (struct catalog_result){.text = l->text[i] ? l->text[i] : "",
		                               .number = counts ? l->number[i] : (double)NAN};
	}
	v[CATALOG_COLUMN_CLASS].number = class;
	v[CATALOG_COLUMN_SOURCE].list = (const char *const *)l->source;
	v[CATALOG_COLUMN_SOURCE].n = l->recordings;
}

/* -- runs -------------------------------------------------------------------------------------- */

/* A run of the list: of one recording by its source, of several by `joined`. */
struct listed_key {
	char *text; /* owned */
	bool joined;
	struct listed *run; /* while it is read */
};

struct listing {
	struct listed_key *v; /* in the order of the list */
	size_t n, most;
	/* Those that are read together: their keys by `joined`, then by text. */
	struct listed_key *by[AT_ONCE];
	size_t n_by;
	struct listed run[AT_ONCE];
};

static int take_listed(void *ctx, const struct catalog_result *v, struct err *e)
{
	struct listing *l = ctx;
	bool joined = *v[1].text != '\0';
	struct listed_key *more = l->v;

	if (l->n == l->most)
		return 0;
	if (!(l->n & (l->n - 1)) && !(more = realloc(l->v, (l->n ? 2 * l->n : 1) * sizeof *l->v)))
		return no_list_memory(e);
	l->v = more;
	l->v[l->n] = (struct listed_key){strdup(v[joined ? 1 : 0].text), joined, NULL};
	return l->v[l->n++].text ? 0 : no_list_memory(e);
}

static int compare_listed(const void *a, const void *b)
{
	const struct listed_key *const *p = a, *const *q = b;

	if ((*p)->joined != (*q)->joined)
		return (*p)->joined ? 1 : -1;
	return strcmp((*p)->text, (*q)->text);
}

static int take_recording(void *ctx, const struct catalog_result *v, struct err *e)
{
	struct listing *l = ctx;
	bool joined = *v[CATALOG_COLUMN_JOINED].text != '\0';
	struct listed_key key = {
	    (char *)v[joined ? CATALOG_COLUMN_JOINED : CATALOG_COLUMN_SOURCE].text, joined, NULL};
	const struct listed_key *one = &key;
	struct listed_key **found = bsearch(&one, l->by, l->n_by, sizeof *l->by, compare_listed);

	return found && add_recording((*found)->run, v) ? no_list_memory(e) : 0;
}

/* Reads the runs from `first` on. A run that was forgotten in between has no recording. */
static int read_together(struct catalog *c, const struct catalog_asked *a, struct listing *l,
                         size_t first, struct err *e)
{
	const char *text[AT_ONCE];
	size_t alone = 0;

	for (l->n_by = 0; l->n_by < AT_ONCE && first + l->n_by < l->n; l->n_by++) {
		l->by[l->n_by] = &l->v[first + l->n_by];
		l->by[l->n_by]->run = &l->run[l->n_by];
		alone += !l->by[l->n_by]->joined;
	}
	qsort(l->by, l->n_by, sizeof(struct listed_key *), compare_listed);
	for (size_t i = 0; i < l->n_by; i++)
		text[i] = l->by[i]->text;
	return list_whole(c, a, "source", text, alone, take_recording, l, e) ||
	               list_whole(c, a, "joined", text + alone, l->n_by - alone, take_recording, l,
	                          e)
	           ? -1
	           : 0;
}

/* each: NULL: only forgets them. */
static int hand_over(struct listing *l, catalog_each_listed *each, void *ctx, struct err *e)
{
	struct catalog_result v[CATALOG_COLUMNS];
	int failed = 0;

	for (size_t i = 0; i < l->n_by; i++) {
		if (each && !failed && l->run[i].recordings) {
			finish_listed(&l->run[i], v);
			failed = each(ctx, v, e);
		}
		free_listed(&l->run[i]);
	}
	return failed;
}

int catalog_list_runs(struct catalog *c, const struct catalog_query *q,
                      const struct catalog_order *order, size_t n, catalog_each_listed *each,
                      void *ctx, struct err *e)
{
	static const struct catalog_output keys[] = {
	    {.kind = CATALOG_OUT_COLUMN, .column = CATALOG_COLUMN_SOURCE},
	    {.kind = CATALOG_OUT_COLUMN, .column = CATALOG_COLUMN_JOINED}};
	struct catalog_statement st = {.output = keys, .n_outputs = 2};
	struct listing *l = calloc(1, sizeof *l);
	struct catalog_sql sql = {.n = 0};
	struct catalog_asked a;
	int failed;

	if (!l)
		return no_list_memory(e);
	l->most = n;
	failed = catalog_asked_read(q, &a, e);
	if (failed)
		goto out;
	catalog_order_sql(&sql, &c->engine, &a, order, keys, 2, n);
	failed = catalog_sql_select(&sql, &c->engine, &st, take_listed, l, e);
	for (size_t first = 0; first < l->n && !failed; first += AT_ONCE) {
		failed = read_together(c, &a, l, first, e);
		if (hand_over(l, failed ? NULL : each, ctx, e))
			failed = -1;
	}
out:
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].text);
	free(l->v);
	free(l);
	catalog_sql_free(&sql);
	return failed ? -1 : 0;
}
