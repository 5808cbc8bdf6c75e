/* catalog_sqlite_select: querying a catalog in SQLite. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/catalog/catalog_groups.h"
#include "fleet/catalog/catalog_pack.h"
#include "fleet/catalog/catalog_sqlite.h"
#include "fleet/catalog/catalog_sqlite_db.h"

#define RESULTS_MAX (CATALOG_KEYS + 2 + CATALOG_GROUP_OUTPUTS)

/* Of groups in memory, of which malloc makes a fifth more: a page of 300,000 groups takes less than
 * 64 MiB. Where the runs are in it as well, reading them once more takes no time. */
#define BYTES_OF_FILE   ((size_t)16 << 20)
#define BYTES_OF_MEMORY ((size_t)6 << 20)

/* A statement that runs. */
struct sqlite_query {
	struct catalog_sqlite *c;
	const struct catalog_statement *s;
	sqlite3_stmt *st;
	catalog_each_row *each;
	void *ctx;
	struct err *e;
	struct catalog_groups groups;
	struct catalog_sums days;
	struct catalog_sums_plan days_plan;
	struct buf first; /* the first key of the last row, where rows are ordered */
	char *source[CATALOG_WORST + CATALOG_NEWEST + 1]; /* owned, of NEWEST and TOP */
	size_t n_sources;
};

static int no_query_memory(struct err *e)
{
	return err_set(e, "%s", strerror(ENOMEM));
}

/* -- sources of rows --------------------------------------------------------------------------- */

/* The source of a row, to be freed; NULL without memory, or with an error of SQLite. */
static char *source_of_row(struct catalog_sqlite *c, double row)
{
	const unsigned char *source = NULL;
	char *copy = NULL;
	int step;

	sqlite3_bind_int64(c->source_of, 1, (sqlite3_int64)row);
	step = sqlite3_step(c->source_of);
	if (step == SQLITE_ROW)
		source = sqlite3_column_text(c->source_of, 0);
	if (step == SQLITE_ROW || step == SQLITE_DONE)
		copy = strdup(source ? (const char *)source : "");
	sqlite3_reset(c->source_of);
	return copy;
}

static bool later_source(void *ctx, double a, double b)
{
	struct sqlite_query *q = ctx;
	char *x = source_of_row(q->c, a), *y = source_of_row(q->c, b);
	bool later = x && (!y || strcmp(x, y) > 0);

	free(x);
	free(y);
	return later;
}

static void forget_sources(struct sqlite_query *q)
{
	while (q->n_sources)
		free(q->source[--q->n_sources]);
}

/* The sources of the rows of NEWEST and TOP. */
static int keep_sources(struct sqlite_query *q, const struct catalog_output *of,
                        struct catalog_result *v)
{
	size_t first = q->n_sources;

	if (of->kind != CATALOG_OUT_NEWEST && of->kind != CATALOG_OUT_TOP)
		return 0;
	for (size_t i = 0; i < v->map.n; i++) {
		if (q->n_sources == sizeof q->source / sizeof *q->source)
			return err_set(q->e, "too many rows");
		if (!(q->source[q->n_sources] = source_of_row(q->c, v->map.v[i])))
			return catalog_sqlite_db_error(q->c, q->e);
		q->n_sources++;
	}
	v->list = (const char *const *)q->source + first;
	v->n = q->n_sources - first;
	if (of->kind == CATALOG_OUT_NEWEST && v->n)
		v->text = *v->list;
	return 0;
}

/* -- groups ------------------------------------------------------------------------------------ */

static int each_sqlite_group(void *ctx, struct catalog_result *v)
{
	struct sqlite_query *q = ctx;
	int failed = 0;

	for (size_t i = 0; i < q->s->n_outputs && !failed; i++)
		failed = keep_sources(q, &q->s->output[i], &v[q->s->n_keys + i]);
	if (!failed)
		failed = q->each(q->ctx, v, q->e);
	forget_sources(q);
	return failed ? 1 : 0;
}

static int finish_groups(struct sqlite_query *q)
{
	return catalog_groups_finish(&q->groups, each_sqlite_group, q) ? -1 : 0;
}

/* Of rows that come by the first key, the groups with the same are complete once it changes. */
static int finish_before(struct sqlite_query *q, const struct catalog_groups_key *key)
{
	if (strcmp(buf_cstr(&q->first), key->s) == 0)
		return 0;
	buf_clear(&q->first);
	buf_add(&q->first, key->s, key->n);
	if (q->first.failed)
		return no_query_memory(q->e);
	return q->groups.n ? finish_groups(q) : 0;
}

/* Of column `at` of a row, and the next: start and packed. */
static void unpack_row(sqlite3_stmt *st, int at, double column[CATALOG_COLUMNS])
{
	const unsigned char *packed = sqlite3_column_blob(st, at + 1);
	int size = sqlite3_column_bytes(st, at + 1);

	catalog_unpack(catalog_sqlite_db_number(sqlite3_column_value(st, at)), packed,
	               packed ? (size_t)size : 0, column);
}

static bool has_day(const double *column)
{
	return column[CATALOG_COLUMN_CLASS] != CATALOG_NO_ASK &&
	       column[CATALOG_COLUMN_CLASS] != CATALOG_UNMEASURED &&
	       column[CATALOG_COLUMN_CLASS] != CATALOG_IMPOSSIBLE;
}

/* The keys, then start, packed and rowid. */
static int add_row(struct sqlite_query *q, double column[CATALOG_COLUMNS])
{
	struct catalog_groups_key key[CATALOG_KEYS + 2];
	int n = (int)q->s->n_keys;

	for (int i = 0; i < n; i++) {
		const unsigned char *text = sqlite3_column_text(q->st, i);
		key[i].s = text ? (const char *)text : "";
		key[i].n = strlen(key[i].s);
	}
	if (q->s->ordered && finish_before(q, key))
		return -1;
	unpack_row(q->st, n, column);
	/* Each pass reads all rows. */
	if (q->s->days && q->groups.low == 0 && has_day(column) &&
	    catalog_sums_add(&q->days, &q->days_plan, column, 0))
		return no_query_memory(q->e);
	if (catalog_groups_add(&q->groups, key, column, sqlite3_column_double(q->st, n + 2)))
		return no_query_memory(q->e);
	return 0;
}

static int select_groups(struct sqlite_query *q)
{
	double column[CATALOG_COLUMNS] = {0};
	int step;

	do {
		sqlite3_reset(q->st);
		while ((step = sqlite3_step(q->st)) == SQLITE_ROW)
			if (add_row(q, column))
				return -1;
		if (step != SQLITE_DONE)
			return catalog_sqlite_db_error(q->c, q->e);
		if (finish_groups(q))
			return -1;
	} while (catalog_groups_again(&q->groups));
	return 0;
}

static int select_days(struct sqlite_query *q)
{
	struct catalog_result days;

	catalog_sums_results(&q->days, &q->days_plan, &days);
	return q->s->days(q->s->days_ctx, &days, q->e) ? -1 : 0;
}

static int select_groups_and_days(struct sqlite_query *q)
{
	static const struct catalog_output days = {.kind = CATALOG_OUT_DAYS};
	int failed;

	q->days_plan = (struct catalog_sums_plan){.output = &days, .n = 1};
	q->groups = (struct catalog_groups){
	    .plan = {q->s->output, q->s->n_outputs, later_source, q},
	    .n_keys = q->s->n_keys,
	    .n_whole = q->s->n_whole,
	    .bytes_max = q->s->ordered ? SIZE_MAX
	                 : q->c->place ? BYTES_OF_FILE
	                               : BYTES_OF_MEMORY,
	};
	failed = q->s->days && catalog_sums_begin(&q->days, &q->days_plan);
	if (failed)
		failed = no_query_memory(q->e);
	if (!failed)
		failed = select_groups(q);
	if (!failed && q->s->days)
		failed = select_days(q);
	catalog_groups_free(&q->groups);
	catalog_sums_free(&q->days, &q->days_plan);
	buf_free(&q->first);
	forget_sources(q);
	return failed;
}

/* -- rows -------------------------------------------------------------------------------------- */

/* Numbers that groups are made of are read from the column packed. */
void catalog_sqlite_outputs(struct buf *sql, const struct catalog_output *v, size_t n)
{
	buf_str(sql, "start, packed");
	for (size_t i = 0; i < n; i++)
		if (catalog_columns[v[i].column].kind == CATALOG_TEXT ||
		    v[i].kind == CATALOG_OUT_COLUMN)
			buf_printf(sql, ", %s", catalog_columns[v[i].column].name);
}

static void read_plain_row(const struct sqlite_query *q, struct catalog_result v[RESULTS_MAX])
{
	double column[CATALOG_COLUMNS] = {0};
	int at = 2;

	unpack_row(q->st, 0, column);
	for (size_t i = 0; i < q->s->n_outputs; i++) {
		int of = q->s->output[i].column;
		const unsigned char *text = NULL;
		if (catalog_columns[of].kind == CATALOG_TEXT)
			text = sqlite3_column_text(q->st, at++);
		else if (q->s->output[i].kind == CATALOG_OUT_COLUMN)
			column[of] = catalog_sqlite_db_number(sqlite3_column_value(q->st, at++));
		v[i] = (struct catalog_result){.text = text ? (const char *)text : "",
		                               .number = column[of]};
	}
}

static int select_plain_rows(struct sqlite_query *q)
{
	struct catalog_result v[RESULTS_MAX];
	int step;

	while ((step = sqlite3_step(q->st)) == SQLITE_ROW) {
		read_plain_row(q, v);
		if (q->each(q->ctx, v, q->e))
			return -1;
	}
	return step == SQLITE_DONE ? 0 : catalog_sqlite_db_error(q->c, q->e);
}

/* -- a statement ------------------------------------------------------------------------------- */

int catalog_sqlite_select(void *self, const struct catalog_statement *s, catalog_each_row *each,
                          void *ctx, struct err *e)
{
	struct catalog_sqlite *c = self;
	struct sqlite_query q = {
	    .c = c, .s = s, .each = each, .ctx = ctx, .e = e, .first = {.max = SIZE_MAX}};
	int failed;

	if (s->n_keys > CATALOG_KEYS + 2 || s->n_outputs > CATALOG_GROUP_OUTPUTS)
		return err_set(e, "a query of too many columns");
	if (catalog_sqlite_db_prepare(c, &c->source_of, "SELECT source FROM runs WHERE rowid = ?",
	                              e) ||
	    catalog_sqlite_db_prepare(c, &q.st, s->sql, e))
		return -1;
	failed = 0;
	for (size_t i = 0; i < s->n_values && !failed; i++)
		if (catalog_sqlite_db_bind(q.st, (int)i + 1, &s->value[i]))
			failed = catalog_sqlite_db_error(c, e);
	if (!failed)
		failed = s->n_outputs && (s->output[0].kind == CATALOG_OUT_PLAIN ||
		                          s->output[0].kind == CATALOG_OUT_COLUMN)
		             ? select_plain_rows(&q)
		             : select_groups_and_days(&q);
	sqlite3_finalize(q.st);
	return failed;
}
