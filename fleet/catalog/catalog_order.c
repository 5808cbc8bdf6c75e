/* catalog_order: how a list of runs is ordered. */
#include "fleet/catalog/catalog_order.h"

#include <string.h>

#include "core/base/quantity.h"

const struct catalog_order catalog_order_newest = {.column = RTRACK_ROW_START, .over = -1};

/* -- --sort ------------------------------------------------------------------------------------ */

#define COST "cost"

/* The columns of the list, without their values. */
static const struct {
	const char *key;
	int column, over;
} listed[] = {
#define NONE                                                                (-1)
#define COLUMN(id, key, label, head, unit, kind, pack, column, over, value) {key, column, over},
#include "fleet/catalog/listed_columns.def"
#undef COLUMN
};

static int parse_cost(const double rate[3], struct catalog_order *out, struct err *e)
{
	if (!(rate[0] > 0 || rate[1] > 0 || rate[2] > 0))
		return err_set(e, "--sort " COST " needs --rate-cpu, --rate-memory or --rate-gpu: "
		                  "prices of machines are asked for after the runs are chosen");
	out->column = 0;
	out->rate[0] = rate[0] / QUANTITY_HOUR_S;
	out->rate[1] = rate[1] / QUANTITY_HOUR_S / QUANTITY_GIB;
	out->rate[2] = rate[2] / QUANTITY_HOUR_S;
	return 0;
}

const char *catalog_order_listed(size_t i)
{
	for (size_t c = 0; c < sizeof listed / sizeof *listed; c++) {
		bool sorted = listed[c].column >= 0 || strcmp(listed[c].key, COST) == 0;
		if (sorted && i-- == 0)
			return listed[c].key;
	}
	return NULL;
}

static int no_column(const char *word, struct err *e)
{
	struct buf names = {0};

	for (size_t i = 0; catalog_order_listed(i); i++)
		buf_printf(&names, "%s, ", catalog_order_listed(i));
	err_set(e,
	        "--sort: runs have no \"%.64s\" to sort by; columns are %sand those of "
	        "docs/catalog.md; -COLUMN is the largest first",
	        word, buf_cstr(&names));
	buf_free(&names);
	return -1;
}

int catalog_order_parse(const char *text, const double rate[3], struct catalog_order *out,
                        struct err *e)
{
	bool up = *text != '-';
	const char *word = text + !up;

	*out = (struct catalog_order){.column = -1, .over = -1, .up = up};
	if (strcmp(word, COST) == 0)
		return parse_cost(rate, out, e);
	for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
		if (strcmp(listed[i].key, word) == 0) {
			out->column = listed[i].column;
			out->over = listed[i].over;
		}
	for (int i = 0; out->column < 0 && i < CATALOG_COLUMNS; i++)
		if (strcmp(catalog_columns[i].name, word) == 0)
			out->column = i;
	if (out->column >= 0)
		return 0;
	return no_column(word, e);
}

/* -- the statement ----------------------------------------------------------------------------- */

static bool by_cost(const struct catalog_order *o)
{
	return o->rate[0] > 0 || o->rate[1] > 0 || o->rate[2] > 0;
}

/* Appends the measure that runs are ordered by, from columns whose names begin with `before`. */
static void put_measure(struct catalog_sql *s, const struct catalog_order *o, const char *before)
{
	static const char sum[] =
	    "CASE WHEN %sasked_core_s IS NOT NULL OR %sasked_byte_s IS NOT NULL OR %sasked_gpu_s "
	    "IS NOT NULL THEN coalesce(%sasked_gpu_s, 0) * ? + CASE WHEN coalesce(%sasked_core_s, "
	    "0) * ? > coalesce(%sasked_byte_s, 0) * ? THEN coalesce(%sasked_core_s, 0) * ? ELSE "
	    "coalesce(%sasked_byte_s, 0) * ? END END";
	const char *column = catalog_columns[o->column].name;

	if (by_cost(o)) {
		buf_printf(&s->text, sum, before, before, before, before, before, before, before,
		           before);
		catalog_sql_number(s, o->rate[2]);
		for (int i = 0; i < 4; i++)
			catalog_sql_number(s, o->rate[i % 2]);
	} else if (o->over >= 0) {
		const char *over = catalog_columns[o->over].name;
		buf_printf(&s->text, "CASE WHEN %s%s > 0 THEN %s%s / %s%s END", before, over,
		           before, column, before, over);
	} else {
		buf_printf(&s->text, "%s%s", before, column);
	}
}

/* Marks the columns that must be read to order runs. */
static void mark_measure(const struct catalog_order *o, bool read[CATALOG_COLUMNS])
{
	static const int always[] = {CATALOG_COLUMN_SOURCE, CATALOG_COLUMN_JOINED, RTRACK_ROW_START,
	                             CATALOG_COLUMN_CLASS};
	static const int asked[] = {CATALOG_COLUMN_ASKED_CORE_S, CATALOG_COLUMN_ASKED_BYTE_S,
	                            CATALOG_COLUMN_ASKED_GPU_S};

	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		read[always[i]] = true;
	read[o->column] = true;
	if (o->over >= 0)
		read[o->over] = true;
	for (size_t i = 0; by_cost(o) && i < sizeof asked / sizeof *asked; i++)
		read[asked[i]] = true;
}

static bool is_newest_first(const struct catalog_order *o)
{
	return o->column == RTRACK_ROW_START && o->over < 0 && !o->up && !by_cost(o);
}

/* For an engine whose index has everything that says which runs are the newest: only these are
 * looked up. The start of the last of them is found first; runs that started at the same time
 * belong to them. */
static void put_newest_rows(struct catalog_sql *s, const struct catalog_engine *engine,
                            const struct catalog_asked *a, size_t most)
{
	buf_printf(&s->text,
	           " AND rowid IN (SELECT rowid FROM %s WHERE joined = '' AND class <> %d",
	           engine->table, CATALOG_IMPOSSIBLE);
	catalog_sql_where(s, engine, a);
	buf_printf(&s->text,
	           " AND (start >= (SELECT start FROM %s WHERE joined = '' AND class <> %d",
	           engine->table, CATALOG_IMPOSSIBLE);
	catalog_sql_where(s, engine, a);
	buf_printf(&s->text, " ORDER BY start DESC LIMIT 1 OFFSET %zu)) IS NOT 0)", most - 1);
}

void catalog_order_sql(struct catalog_sql *s, const struct catalog_engine *engine,
                       const struct catalog_asked *a, const struct catalog_order *o,
                       const struct catalog_output *plain, size_t n, size_t most)
{
	bool text = o->over < 0 && catalog_columns[o->column].kind == CATALOG_TEXT;
	const char *packed = engine->packed ? "NULL AS packed, " : "";
	bool read[CATALOG_COLUMNS] = {false};
	struct buf *sql = &s->text;
	int put = 0;

	mark_measure(o, read);
	buf_str(sql, "SELECT ");
	engine->outputs(sql, plain, n);
	buf_printf(sql, " FROM (SELECT source, joined, start, %s", packed);
	put_measure(s, o, "");
	buf_str(sql, " AS measure");
	catalog_sql_from(s, engine, a);
	buf_printf(sql, " WHERE joined = '' AND class <> %d", CATALOG_IMPOSSIBLE);
	catalog_sql_where(s, engine, a);
	if (engine->packed && most && is_newest_first(o) && catalog_sql_covered(engine, a))
		put_newest_rows(s, engine, a, most);
	buf_printf(sql,
	           " UNION ALL SELECT j_source AS source, j_joined AS joined, j_start AS "
	           "start, %s",
	           packed);
	put_measure(s, o, "j_");
	buf_str(sql, " AS measure FROM (SELECT ");
	for (int i = 0; i < CATALOG_COLUMNS; i++) {
		if (!read[i])
			continue;
		buf_str(sql, put++ ? ", " : "");
		catalog_sql_joined(sql, i);
	}
	catalog_sql_from(s, engine, a);
	buf_str(sql, " WHERE joined <> ''");
	catalog_sql_where(s, engine, a);
	buf_printf(sql, " GROUP BY joined) WHERE j_class <> %d) ORDER BY ", CATALOG_IMPOSSIBLE);
	buf_printf(sql, "%s, measure%s, source LIMIT %zu",
	           text && !by_cost(o) ? "measure = ''" : "measure IS NULL", o->up ? "" : " DESC",
	           most);
	s->failed = s->failed || sql->failed;
}
