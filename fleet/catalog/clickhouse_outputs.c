/* clickhouse_outputs: how ClickHouse's SQL says what catalog_engine.h asks for. */
#include "fleet/catalog/clickhouse_outputs.h"

/* The `?` is a literal text, so it stands once, and no expression needs its length. */
void clickhouse_pair(struct buf *sql, const char *column)
{
	buf_printf(sql,
	           "arrayElement("
	           "arrayMap(p -> substring(p, position(p, '=') + 1), splitByChar(';', %s)), "
	           "indexOf(arrayMap(p -> if(position(p, '=') < 2, '', "
	           "substring(p, 1, position(p, '=') - 1)), splitByChar(';', %s)), ?))",
	           column, column);
}

static const char *name_of(int column)
{
	return catalog_columns[column].name;
}

/* The condition for rows; "": none. */
static void put_rows(struct buf *sql, const char *before, enum catalog_rows rows)
{
	if (rows == CATALOG_ROWS_TRUE)
		buf_printf(sql, "%sclass <> %d", before, CATALOG_IMPOSSIBLE);
	else if (rows != CATALOG_ROWS_ALL)
		buf_printf(sql, "%sclass = %d%s", before, CATALOG_COUNTED,
		           rows == CATALOG_ROWS_FINISHED ? " AND oom = 0"
		           : rows == CATALOG_ROWS_KILLED ? " AND oom = 1"
		                                         : "");
}

static void put_extreme(struct buf *sql, const struct catalog_output *o)
{
	buf_str(sql, o->kind == CATALOG_OUT_MIN ? "min(" : "max(");
	if (o->rows != CATALOG_ROWS_ALL) {
		put_rows(sql, "if(", o->rows);
		buf_printf(sql, ", %s, NULL))", name_of(o->column));
	} else {
		buf_printf(sql, "%s)", name_of(o->column));
	}
}

/* sumMap leaves out a key whose sums are all 0, but the number of rows never is. It adds in the
 * type of its arguments: a plain 1 would be one byte. */
static void put_sums(struct buf *sql, const struct catalog_output *o)
{
	buf_str(sql, ", [toUInt64(1)]");
	for (size_t i = 0; i < o->n; i++) {
		const char *name = name_of(o->value[i] % CATALOG_COLUMNS);
		if (o->value[i] < CATALOG_COLUMNS)
			buf_printf(sql, ", [ifNull(toFloat64(%s), 0)]", name);
		else if (o->value[i] >= 2 * CATALOG_COLUMNS)
			buf_printf(sql, ", [ifNull(toFloat64(%s * node_s), 0)]", name);
		else
			buf_printf(sql, ", [if(isNull(%s), 0, ifNull(toFloat64(node_s), 0))]",
			           name);
	}
	buf_printf(sql, ", isNotNull(%s)", name_of(o->column));
}

static void put_summap(struct buf *sql, const struct catalog_output *o)
{
	bool quarters = o->kind == CATALOG_OUT_QUARTERS;

	buf_printf(sql, "sumMapIf([toInt64(assumeNotNull(%s))", name_of(o->column));
	for (int i = 1; quarters && i <= 3; i++)
		buf_printf(sql, " %s (assumeNotNull(start) >= quarters[%d])",
		           i == 1 ? "* 4 +" : "+", i);
	buf_char(sql, ']');
	put_sums(sql, o);
	put_rows(sql, " AND ", o->rows);
	buf_str(sql, quarters ? " AND isNotNull(start))" : ")");
}

static void put_spots(struct buf *sql, const struct catalog_output *o)
{
	int coarse = o->fine ? 1 : CATALOG_COARSE;

	buf_printf(sql,
	           "sumMapIf([toInt64(intDiv(assumeNotNull(%s), %d) * %d + "
	           "intDiv(assumeNotNull(%s), %d))]",
	           name_of(o->column), coarse, CATALOG_SPOT, name_of(o->by), coarse);
	put_sums(sql, o);
	buf_printf(sql, " AND isNotNull(%s)", name_of(o->by));
	put_rows(sql, " AND ", o->rows);
	buf_char(sql, ')');
}

/* A tuple orders rows: by the column, and ties by numbers and at last the source. */
#define ORDER "(assumeNotNull(%s), ifNull(wall_s, -1), ifNull(memory_need_bytes, -1), source)"

static void put_newest(struct buf *sql, const struct catalog_output *o)
{
	const char *name = name_of(o->column);

	buf_printf(sql, "tupleElement(maxIf(" ORDER ", isNotNull(%s)", name, name);
	put_rows(sql, " AND ", o->rows);
	buf_str(sql, "), 4)");
}

static void put_top(struct buf *sql, const struct catalog_output *o)
{
	const char *name = name_of(o->column);

	buf_printf(sql,
	           "arrayMap(t -> tupleElement(t, 4), arraySlice(arrayReverseSort("
	           "groupArrayIf(" ORDER ", isNotNull(%s)",
	           name, name);
	put_rows(sql, " AND ", o->rows);
	buf_printf(sql, ")), 1, %zu))", o->most);
}

/* -- days -------------------------------------------------------------------------------------- */

#define START "assumeNotNull(start)"
#define STOP  "ifNull(stop, " START ")"
#define FIRST "toInt64(floor(" START " / 86400))"
/* Days that a run touches: 1 … CATALOG_DAYS. */
#define DAYS "range(toUInt64(greatest(1, least(toInt64(ceil(" STOP " / 86400)) - " FIRST ", %d))))"
/* Of day i, the seconds of the run. */
#define SECONDS                                                                                    \
	"arrayMap(i -> greatest(toFloat64(0), least(" STOP ", 86400. * (" FIRST " + i + 1)) - "    \
	"greatest(" START ", 86400. * (" FIRST " + i))), " DAYS ")"

static void put_days(struct buf *sql)
{
	static const char *const amounts[] = {"asked_core_s", "used_core_s", "asked_byte_s",
	                                      "used_byte_s",  "asked_gpu_s", "used_gpu_s"};
	static const struct {
		const char *column;
		int is;
	} first[] = {{"0", 0}, {"class", CATALOG_FAILED}, {"oom", 1}};

	buf_printf(sql, "sumMapIf(arrayMap(i -> " FIRST " + i, " DAYS "), " SECONDS, CATALOG_DAYS,
	           CATALOG_DAYS);
	for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
		buf_printf(sql,
		           ", arrayMap(s -> s * if(" STOP " > " START ", ifNull(%s, 0) / (" STOP
		           " - " START "), 0), " SECONDS ")",
		           amounts[i], CATALOG_DAYS);
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		buf_printf(sql,
		           ", arrayMap(i -> toFloat64(i = 0 AND ifNull(%s, 0) = %d), " DAYS ")",
		           first[i].column, first[i].is, CATALOG_DAYS);
	/* 18.16 does not find a column that is named within lambdas only. */
	buf_str(sql, ", isNotNull(start) AND ignore(stop, class, oom");
	for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
		buf_printf(sql, ", %s", amounts[i]);
	buf_str(sql, ") = 0)");
}

void clickhouse_outputs_quarters(struct buf *sql, const struct catalog_output *o)
{
	buf_printf(sql,
	           "quantilesExactIf(0.25, 0.5, 0.75)(assumeNotNull(start), isNotNull(start) AND "
	           "isNotNull(%s)",
	           name_of(o->column));
	put_rows(sql, " AND ", o->rows);
	buf_char(sql, ')');
}

void clickhouse_outputs(struct buf *sql, const struct catalog_output *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_str(sql, ", ");
		switch (v[i].kind) {
		case CATALOG_OUT_PLAIN:
		case CATALOG_OUT_COLUMN:
			buf_str(sql, name_of(v[i].column));
			break;
		case CATALOG_OUT_MIN:
		case CATALOG_OUT_MAX:
			put_extreme(sql, &v[i]);
			break;
		case CATALOG_OUT_MAP:
		case CATALOG_OUT_QUARTERS:
			put_summap(sql, &v[i]);
			break;
		case CATALOG_OUT_SPOTS:
			put_spots(sql, &v[i]);
			break;
		case CATALOG_OUT_DAYS:
			put_days(sql);
			break;
		case CATALOG_OUT_NEWEST:
			put_newest(sql, &v[i]);
			break;
		case CATALOG_OUT_TOP:
			put_top(sql, &v[i]);
			break;
		}
	}
}
