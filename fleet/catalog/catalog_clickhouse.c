/* catalog_clickhouse: a catalog in a ClickHouse database, over HTTP (docs/clickhouse.md). */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "fleet/catalog/catalog_engine.h"
#include "fleet/catalog/catalog_fetcher.h"
#include "fleet/catalog/clickhouse_client.h"
#include "fleet/catalog/clickhouse_quote.h"
#include "fleet/catalog/clickhouse_tsv.h"

/* -- the table `runs` in a ClickHouse database ------------------------------------------------- */

/* This column says that the table is ours, and in its default the version. */
#define MARK "rtrack_schema"

struct found {
	size_t columns; /* of any name */
	bool has[CATALOG_COLUMNS];
	long version; /* 0: another program made the table */
};

/* name, default */
static int on_column(void *ctx, char *line, struct err *e)
{
	struct found *found = ctx;
	char *at = line, *name = clickhouse_field(&at), *made = at ? clickhouse_field(&at) : NULL;

	if (!made)
		return err_set(e, "the server's answer cannot be understood");
	found->columns++;
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		if (strcmp(name, catalog_columns[i].name) == 0)
			found->has[i] = true;
	if (strcmp(name, MARK) == 0) /* "1", or "CAST(1, 'UInt16')" */
		found->version = strtol(made + strcspn(made, "0123456789"), NULL, 10);
	return 0;
}

static int find_columns(const struct catalog_fetcher *f, struct found *out, struct err *e)
{
	struct buf sql = {0};
	int rc;

	*out = (struct found){0};
	buf_str(&sql, "SELECT name, default_expression FROM system.columns "
	              "WHERE database = currentDatabase() AND table = 'runs' FORMAT TabSeparated");
	rc = clickhouse_client_ask(f, &sql, on_column, out, e);
	buf_free(&sql);
	return rc;
}

static const char *const types[] = {[CATALOG_INTEGER] = "Nullable(Int64)",
                                    [CATALOG_NUMBER] = "Nullable(Float64)",
                                    [CATALOG_TEXT] = "String"};

/* "a String, b Nullable(Float64), …": the columns of the table as CREATE TABLE takes them. Pure. */
static void clickhouse_schema_columns(struct buf *sql)
{
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		buf_printf(sql, "%s %s, ", catalog_columns[i].name, types[catalog_columns[i].kind]);
	/* The server's clock decides which of two rows of a source is the newer one. */
	buf_printf(sql,
	           "gone UInt8 DEFAULT 0, version UInt64 DEFAULT toUInt64(now()), " MARK
	           " UInt16 DEFAULT %d",
	           CATALOG_SCHEMA);
}

/* Makes a table, of a cluster a part of it on this node and the whole, unless it is there. */
static int make_table_once(const struct catalog_fetcher *f, const char *name, const char *columns,
                           const char *key, struct err *e)
{
	const char *cluster = f->address.cluster, *local = *cluster ? "_local" : "";
	struct buf sql = {0};
	int rc;

	buf_printf(&sql,
	           "CREATE TABLE IF NOT EXISTS %s%s (%s) ENGINE = ReplacingMergeTree(version) "
	           /* By when a row came, which nobody can forge; FINAL joins partitions. */
	           "PARTITION BY toYYYYMM(toDateTime(version)) ORDER BY %s",
	           name, local, columns, key);
	rc = clickhouse_client_ask(f, &sql, NULL, NULL, e);
	if (!rc && *cluster) {
		buf_clear(&sql);
		buf_printf(&sql,
		           "CREATE TABLE IF NOT EXISTS %s AS %s_local ENGINE = "
		           "Distributed(%s, %s, %s_local, cityHash64(%s))",
		           name, name, cluster, f->address.database, name, key);
		rc = clickhouse_client_ask(f, &sql, NULL, NULL, e);
	}
	buf_free(&sql);
	return rc;
}

/* Folders that need not be read again; changed_ns 0: one that was opened. */
static int make_folders_table(const struct catalog_fetcher *f, struct err *e)
{
	return make_table_once(f, "folders",
	                       "path String, changed_ns Int64, "
	                       "version UInt64 DEFAULT toUInt64(now())",
	                       "path", e);
}

static int make_tables(const struct catalog_fetcher *f, struct err *e)
{
	struct buf columns = {0};
	int rc;

	clickhouse_schema_columns(&columns);
	/* The table `runs` says that all is there. */
	rc = make_folders_table(f, e) || make_table_once(f, "runs", buf_cstr(&columns), "source", e)
	         ? -1
	         : 0;
	buf_free(&columns);
	return rc;
}

static int upgrade_one(const struct catalog_fetcher *f, const char *table,
                       const struct found *found, struct err *e)
{
	struct buf sql = {0};
	int rc;

	buf_printf(&sql, "ALTER TABLE %s ", table);
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		if (!found->has[i])
			buf_printf(&sql, "ADD COLUMN %s %s, ", catalog_columns[i].name,
			           types[catalog_columns[i].kind]);
	buf_printf(&sql, "MODIFY COLUMN " MARK " UInt16 DEFAULT %d", CATALOG_SCHEMA);
	rc = clickhouse_client_ask(f, &sql, NULL, NULL, e);
	buf_free(&sql);
	return rc;
}

/* In a cluster, these are this node's tables. Where another writer was faster, its columns are
 * found. */
static int upgrade_tables(const struct catalog_fetcher *f, struct found *found, struct err *e)
{
	struct err why = {0};
	int rc = *f->address.cluster ? upgrade_one(f, "runs_local", found, &why) : 0;

	rc = rc || make_folders_table(f, &why) || upgrade_one(f, "runs", found, &why);
	if (find_columns(f, found, e))
		return -1;
	return rc && found->version < CATALOG_SCHEMA ? err_set(e, "%s", why.msg) : 0;
}

static void list_missing(const struct found *found, struct buf *out)
{
	for (int i = 0; i < CATALOG_COLUMNS; i++) {
		const struct catalog_column *c = &catalog_columns[i];
		if (found->has[i])
			continue;
		if (c->kind == CATALOG_TEXT)
			buf_printf(out, ", '' AS %s", c->name);
		else
			buf_printf(out, ", CAST(NULL, '%s') AS %s", types[c->kind], c->name);
	}
}

/* Checks the table; make: makes it where there is none, and adds what one of an older version
 * lacks, with *upgraded_from as in catalog_older. lacks: what a SELECT of such a table that
 * is only read needs besides its columns: ", '' AS end_cause". -1 with a sentence, also if there is
 * no table, or one that is not of this program or of a newer version. */
static int clickhouse_schema_open(const struct catalog_fetcher *f, bool make, struct buf *lacks,
                                  int *upgraded_from, struct err *e)
{
	const char *host = clickhouse_address_host(&f->address), *database = f->address.database;
	struct found found;

	if (find_columns(f, &found, e))
		return -1;
	if (!found.columns && make && (make_tables(f, e) || find_columns(f, &found, e)))
		return -1;
	if (!found.columns)
		return err_set(e,
		               "%s: the database %s has no catalog yet: rtrack-fleet add makes it",
		               host, database);
	if (!found.version)
		return err_set(e,
		               "%s: the table runs of the database %s is not a catalog of rtrack",
		               host, database);
	if (found.version > CATALOG_SCHEMA)
		return err_set(e,
		               "%s: the catalog %s is of a newer rtrack (version %ld; this one "
		               "knows %d)",
		               host, database, found.version, CATALOG_SCHEMA);
	if (found.version < CATALOG_SCHEMA && make) {
		*upgraded_from = (int)found.version;
		if (upgrade_tables(f, &found, e))
			return -1;
	}
	for (int i = 0; i < CATALOG_COLUMNS && found.version == CATALOG_SCHEMA; i++)
		if (!found.has[i])
			return err_set(e, "%s: the table runs of the catalog %s has no column %s",
			               host, database, catalog_columns[i].name);
	list_missing(&found, lacks);
	return 0;
}

/* -- SQL: what catalog_engine.h asks for ------------------------------------------------------- */

/* The members of struct catalog_engine with these names. The `?` is a literal text, so it stands
 * once, and no expression needs its length. */
static void clickhouse_pair(struct buf *sql, const char *column)
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
	static const char *const and_oom[CATALOG_ROWS_KINDS] = {
	    [CATALOG_ROWS_COUNTED] = "",
	    [CATALOG_ROWS_FINISHED] = " AND oom = 0",
	    [CATALOG_ROWS_KILLED] = " AND oom = 1",
	};

	if (rows == CATALOG_ROWS_TRUE)
		buf_printf(sql, "%sclass <> %d", before, CATALOG_IMPOSSIBLE);
	else if (rows != CATALOG_ROWS_ALL)
		buf_printf(sql, "%sclass = %d%s", before, CATALOG_COUNTED, and_oom[rows]);
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

/* -- SQL: days --------------------------------------------------------------------------------- */

#define START "assumeNotNull(start)"
#define STOP  "ifNull(stop, " START ")"
#define FIRST "toInt64(floor(" START " / 86400))"
/* Days that a run touches: 1 … CATALOG_DAYS. */
#define DAYS "range(toUInt64(greatest(1, least(toInt64(ceil(" STOP " / 86400)) - " FIRST ", %d))))"
/* The seconds of the run on day i. */
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

static void clickhouse_outputs_quarters(struct buf *sql, const struct catalog_output *o)
{
	buf_printf(sql,
	           "quantilesExactIf(0.25, 0.5, 0.75)(assumeNotNull(start), isNotNull(start) AND "
	           "isNotNull(%s)",
	           name_of(o->column));
	put_rows(sql, " AND ", o->rows);
	buf_char(sql, ')');
}

static void clickhouse_outputs(struct buf *sql, const struct catalog_output *v, size_t n)
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

/* -- sources and their newest rows ------------------------------------------------------------- */

/* The newest row of each source: a source may be added again. Forgotten sources have none. */
#define TABLE "(SELECT *%s FROM runs FINAL WHERE gone = 0" /* and what an older version lacks */

#define QUESTION_BYTES ((size_t)150000) /* of sources, in one statement */

#define JOURNAL ".partial"

/* The names that a run's recording may have until it ends. Where a name is taken, the recorder
 * counts on, to 100, but the first ones are enough to ask for. */
static const char *const journals[] = {JOURNAL, JOURNAL ".2", JOURNAL ".3"};

struct clickhouse {
	const struct catalog_fetcher *fetcher; /* borrowed */
	struct buf table, sources, came_since; /* of catalog_engine */
};

static int no_catalog_memory(struct err *e)
{
	return err_set(e, "%s", strerror(ENOMEM));
}

static int unexpected(const struct clickhouse *c, struct err *e)
{
	return err_set(e, "%s: the answer cannot be understood",
	               clickhouse_address_host(&c->fetcher->address));
}

static struct catalog_value of_text(const char *text)
{
	return (struct catalog_value){.kind = CATALOG_TEXT, .text = text};
}

/* -- which sources are missing ----------------------------------------------------------------- */

struct asked {
	const struct clickhouse *c;
	const struct catalog_source *source;
	size_t n;
	size_t next; /* the server mostly answers in their order */
	bool *missing;
};

/* source, size, mtime, tag */
static int on_source(void *ctx, char *line, struct err *e)
{
	struct asked *a = ctx;
	char *at = line, *field[4];
	size_t tried = 0;

	for (int i = 0; i < 4; i++) {
		if (!at)
			return unexpected(a->c, e);
		field[i] = clickhouse_field(&at);
	}
	while (tried < a->n && strcmp(a->source[a->next % a->n].path, field[0]) != 0) {
		a->next++;
		tried++;
	}
	if (tried < a->n) {
		const struct catalog_source *s = &a->source[a->next % a->n];
		bool same = *s->tag ? strcmp(s->tag, field[3]) == 0
		                    : strtoll(field[1], NULL, 10) == s->size &&
		                          strtoll(field[2], NULL, 10) == s->mtime_ns;
		a->missing[a->next++ % a->n] = !same;
	}
	return 0;
}

static int clickhouse_missing(void *self, const struct catalog_source *v, size_t n, bool *missing,
                              struct err *e)
{
	struct asked a = {.c = self, .source = v, .n = n, .missing = missing};
	struct buf sql = {0};
	int rc;

	buf_str(&sql, "SELECT source, source_size, source_mtime_ns, source_tag FROM runs FINAL "
	              "WHERE gone = 0 AND source IN (");
	for (size_t i = 0; i < n; i++) {
		struct catalog_value path = of_text(v[i].path);
		missing[i] = true;
		buf_str(&sql, i ? ", " : "");
		clickhouse_quote(&sql, &path);
	}
	buf_str(&sql, ") FORMAT TabSeparated");
	rc = clickhouse_client_ask(a.c->fetcher, &sql, on_source, &a, e);
	buf_free(&sql);
	return rc;
}

/* -- adding and forgetting --------------------------------------------------------------------- */

static void add_json_run(struct buf *rows, const struct catalog_run *run)
{
	struct catalog_value v[CATALOG_COLUMNS];
	struct catalog_row_text text;

	catalog_row_values(run, &text, v);
	for (int i = 0; i < CATALOG_COLUMNS; i++) {
		buf_printf(rows, "%s\"%s\":", i ? "," : "{", catalog_columns[i].name);
		clickhouse_json(rows, &v[i]);
	}
	buf_str(rows, "}\n");
}

/* The runs whose journals are looked for. */
struct ended {
	const struct clickhouse *c;
	const struct catalog_run *run;
	size_t n;
	struct buf gone; /* rows for the journals that were found */
};

/* source, start, version */
static int on_journal(void *ctx, char *line, struct err *e)
{
	struct ended *ended = ctx;
	char *at = line, *field[3], *suffix;
	struct catalog_value source;
	double start;

	for (int i = 0; i < 3; i++) {
		if (!at)
			return unexpected(ended->c, e);
		field[i] = clickhouse_field(&at);
	}
	start = strtod(field[1], NULL);
	suffix = strstr(field[0], JOURNAL);
	for (char *next = suffix; next; next = strstr(suffix + 1, JOURNAL))
		suffix = next;
	for (size_t i = 0; suffix && i < ended->n; i++) {
		const struct catalog_run *run = &ended->run[i];
		if (strlen(run->source.path) != (size_t)(suffix - field[0]) ||
		    memcmp(run->source.path, field[0], (size_t)(suffix - field[0])) != 0 ||
		    !(fabs(start - run->row->of[RTRACK_ROW_START].number) < CATALOG_SAME_START))
			continue;
		source = of_text(field[0]);
		buf_str(&ended->gone, "{\"source\":");
		clickhouse_json(&ended->gone, &source);
		buf_printf(&ended->gone, ",\"gone\":1,\"version\":%llu}\n",
		           strtoull(field[2], NULL, 10));
		break;
	}
	return 0;
}

static int ask_for_journals(struct ended *ended, size_t *at, struct err *e)
{
	struct buf sql = {0};
	const char *comma = "";
	int rc;

	buf_printf(&sql,
	           "SELECT source, start, greatest(version, toUInt64(now())) FROM runs FINAL "
	           "WHERE gone = 0 AND class = %d AND source IN (",
	           CATALOG_UNFINISHED);
	for (; *at < ended->n && sql.len < QUESTION_BYTES; ++*at)
		for (size_t k = 0; k < sizeof journals / sizeof *journals; k++, comma = ", ") {
			struct buf path = {0};
			struct catalog_value source;
			buf_printf(&path, "%s%s", ended->run[*at].source.path, journals[k]);
			source = of_text(buf_cstr(&path));
			buf_str(&sql, comma);
			clickhouse_quote(&sql, &source);
			sql.failed = sql.failed || path.failed;
			buf_free(&path);
		}
	buf_str(&sql, ") FORMAT TabSeparated");
	rc = clickhouse_client_ask(ended->c->fetcher, &sql, on_journal, ended, e);
	buf_free(&sql);
	return rc;
}

/* Before the runs are put: killed in between, the next "add" adds them. */
static int forget_ended_journals(const struct clickhouse *c, const struct catalog_run *v, size_t n,
                                 struct err *e)
{
	struct ended ended = {.c = c, .run = v, .n = n};
	int rc = 0;

	for (size_t at = 0; at < n && !rc;)
		rc = ask_for_journals(&ended, &at, e);
	if (!rc && ended.gone.len)
		rc = clickhouse_client_insert(
		    c->fetcher, "INSERT INTO runs (source, gone, version) FORMAT JSONEachRow",
		    &ended.gone, e);
	buf_free(&ended.gone);
	return rc;
}

/* The columns are named: of those that are not, the server fills in the defaults. */
static int clickhouse_put(void *self, const struct catalog_run *v, size_t n, struct err *e)
{
	const struct clickhouse *c = self;
	struct buf statement = {0}, rows = {.max = FETCHER_BODY_MAX};
	int rc;

	for (size_t i = 0; i < n; i++)
		add_json_run(&rows, &v[i]);
	buf_str(&statement, "INSERT INTO runs (");
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		buf_printf(&statement, "%s%s", i ? "," : "", catalog_columns[i].name);
	buf_str(&statement, ") FORMAT JSONEachRow");
	rc = forget_ended_journals(c, v, n, e);
	if (!rc)
		rc = clickhouse_client_insert(c->fetcher, buf_cstr(&statement), &rows, e);
	buf_free(&statement);
	buf_free(&rows);
	return rc;
}

static int on_count(void *ctx, char *line, struct err *e)
{
	(void)e;
	*(size_t *)ctx = strtoul(line, NULL, 10);
	return 0;
}

/* Opens the folders at and below a path, and the one that it is in. below: the path and a slash. */
static int reopen_folders(const struct clickhouse *c, const char *path, const char *below,
                          struct err *e)
{
	const char *slash = strrchr(path, '/');
	struct buf in = {0}, sql = {0};
	struct catalog_value value[3];
	int rc;

	if (*path != '/') /* an address, or a job of accounting */
		return 0;
	buf_add(&in, path, (size_t)(slash - path));
	value[0] = of_text(path);
	value[1] = of_text(buf_cstr(&in));
	value[2] = of_text(below);
	buf_str(&sql, "INSERT INTO folders (path, changed_ns, version) "
	              "SELECT path, 0, greatest(version, toUInt64(now()))");
	clickhouse_quote_all(&sql,
	                     " FROM folders FINAL WHERE changed_ns <> 0 AND "
	                     "(path = ? OR path = ? OR startsWith(path, ?))",
	                     value, 3);
	rc = in.failed ? no_catalog_memory(e)
	               : clickhouse_client_insert(c->fetcher, buf_cstr(&sql), &(struct buf){0}, e);
	buf_free(&in);
	buf_free(&sql);
	return rc;
}

/* -- forgetting whole months ------------------------------------------------------------------- */

#define MONTH "toYYYYMM(toDateTime(version))" /* the partitions that make_table_once makes */

/* The months from the oldest on that have none but rows to be forgotten, and those that do not
 * count any more. Not the one that rows come into; a day for clocks that are late. */
static const char over_months[] =
    "SELECT DISTINCT partition FROM system.parts WHERE active AND database = currentDatabase() "
    "AND table = 'runs' AND toUInt32(partition) < (SELECT least(toYYYYMM(now() - 86400), "
    "if(count() = 0, toUInt32(999999), min(" MONTH "))) FROM runs FINAL WHERE gone = 0 AND "
    "NOT ((source = ? OR startsWith(source, ?)) AND ifNull(start < ?, 0))) "
    "ORDER BY partition FORMAT TabSeparated";

/* Appends it, with its NUL. */
static int on_month(void *ctx, char *line, struct err *e)
{
	struct buf *months = ctx;

	if (!*line || strspn(line, "0123456789") < strlen(line))
		return err_set(e, "%s: no month", line);
	buf_add(months, line, strlen(line) + 1);
	return months->failed ? no_catalog_memory(e) : 0;
}

static int on_by_month(void *ctx, char *line, struct err *e)
{
	(void)e;
	*(bool *)ctx = strcmp(line, MONTH) == 0;
	return 0;
}

/* Drops the months of which no row would be left, which has the same effect for readers as a row
 * "forgotten" for each, and frees their space. The oldest first: a later month may have the row
 * that says that one of an earlier month does not count. Where the server refuses (the user may not
 * alter the table, a month is larger than what may be dropped), or has other partitions or those of
 * other nodes, the rows are marked. value: the source, what begins the sources below it, before. */
static void drop_months(const struct clickhouse *c, const struct catalog_value value[3])
{
	struct buf sql = {0}, months = {0};
	bool by_month = false;

	buf_str(&sql, "SELECT partition_key FROM system.tables WHERE database = currentDatabase() "
	              "AND name = 'runs' FORMAT TabSeparated");
	if (clickhouse_client_ask(c->fetcher, &sql, on_by_month, &by_month, NULL) || !by_month)
		goto out;
	buf_clear(&sql);
	clickhouse_quote_all(&sql, over_months, value, 3);
	if (clickhouse_client_ask(c->fetcher, &sql, on_month, &months, NULL))
		goto out;
	for (size_t at = 0; at < months.len; at += strlen(months.s + at) + 1) {
		buf_clear(&sql);
		buf_printf(&sql, "ALTER TABLE runs DROP PARTITION %s", months.s + at);
		if (clickhouse_client_ask(c->fetcher, &sql, NULL, NULL, NULL))
			break;
	}
out:
	buf_free(&months);
	buf_free(&sql);
}

/* A row without values stands for "forgotten". The server decides ties of versions by what came
 * last, so that a run can be added again at once. */
static int clickhouse_forget(void *self, const char *source, double before, size_t *n,
                             struct err *e)
{
	static const char which[] = " FROM runs FINAL WHERE gone = 0 AND "
				    "(source = ? OR startsWith(source, ?)) AND "
				    "(? = 0 OR start < ?)";
	const struct clickhouse *c = self;
	struct buf below = {0}, sql = {0}, insert = {0};
	size_t length = strlen(source), found = 0;
	struct catalog_value value[4];
	int rc = -1;

	while (length && source[length - 1] == '/')
		length--;
	buf_add(&below, source, length);
	buf_char(&below, '/');
	value[0] = of_text(source);
	value[1] = of_text(buf_cstr(&below));
	value[2] = value[3] = (struct catalog_value){.kind = CATALOG_NUMBER, .number = before};
	buf_str(&sql, "SELECT count()");
	clickhouse_quote_all(&sql, which, value, 4);
	buf_str(&sql, " FORMAT TabSeparated");
	buf_str(&insert, "INSERT INTO runs (source, gone, version) "
	                 "SELECT source, 1, greatest(version, toUInt64(now()))");
	clickhouse_quote_all(&insert, which, value, 4);
	if (below.failed) {
		no_catalog_memory(e);
		goto out;
	}
	if (clickhouse_client_ask(c->fetcher, &sql, on_count, &found, e) ||
	    (!(before > 0) && reopen_folders(c, source, buf_cstr(&below), e)))
		goto out;
	if (before > 0)
		drop_months(c, value);
	if (found && clickhouse_client_insert(c->fetcher, buf_cstr(&insert), &(struct buf){0}, e))
		goto out;
	*n += found;
	rc = 0;
out:
	buf_free(&below);
	buf_free(&sql);
	buf_free(&insert);
	return rc;
}

/* -- folders that need not be read again ------------------------------------------------------- */

struct closed {
	const struct clickhouse *c;
	catalog_each_folder *each;
	void *ctx;
};

/* path, changed_ns */
static int on_folder(void *ctx, char *line, struct err *e)
{
	const struct closed *closed = ctx;
	char *at = line, *path = clickhouse_field(&at), *ns = at ? clickhouse_field(&at) : NULL;

	if (!ns)
		return unexpected(closed->c, e);
	return closed->each(closed->ctx, &(struct catalog_folder){path, strtoll(ns, NULL, 10)}, e);
}

static int clickhouse_each_closed(void *self, catalog_each_folder *each, void *ctx, struct err *e)
{
	struct closed closed = {self, each, ctx};
	struct buf sql = {0};
	int rc;

	buf_str(&sql, "SELECT path, changed_ns FROM folders FINAL WHERE changed_ns <> 0 "
	              "FORMAT TabSeparated");
	rc = clickhouse_client_ask(closed.c->fetcher, &sql, on_folder, &closed, e);
	buf_free(&sql);
	return rc;
}

static int clickhouse_close_folders(void *self, const struct catalog_folder *v, size_t n,
                                    struct err *e)
{
	const struct clickhouse *c = self;
	struct buf rows = {.max = FETCHER_BODY_MAX};
	int rc;

	for (size_t i = 0; i < n; i++) {
		struct catalog_value path = of_text(v[i].path);
		struct catalog_value ns = {.kind = CATALOG_INTEGER, .integer = v[i].changed_ns};
		buf_str(&rows, "{\"path\":");
		clickhouse_json(&rows, &path);
		buf_str(&rows, ",\"changed_ns\":");
		clickhouse_json(&rows, &ns);
		buf_str(&rows, "}\n");
	}
	rc = clickhouse_client_insert(
	    c->fetcher, "INSERT INTO folders (path, changed_ns) FORMAT JSONEachRow", &rows, e);
	buf_free(&rows);
	return rc;
}

/* -- querying ---------------------------------------------------------------------------------- */

struct selected {
	const struct clickhouse *c;
	const struct catalog_statement *statement;
	struct clickhouse_row row;
	catalog_each_row *each;
	void *ctx;
};

static int on_row(void *ctx, char *line, struct err *e)
{
	struct selected *s = ctx;
	const struct catalog_statement *st = s->statement;

	if (clickhouse_row_read(&s->row, line, st->n_keys, st->output, st->n_outputs))
		return alloc_failed() ? no_catalog_memory(e) : unexpected(s->c, e);
	return s->each(s->ctx, s->row.v, e) ? -1 : 0;
}

static int clickhouse_select(void *self, const struct catalog_statement *st, catalog_each_row *each,
                             void *ctx, struct err *e)
{
	struct selected s = {.c = self, .statement = st, .each = each, .ctx = ctx};
	struct buf sql = {0};
	int rc;

	if (clickhouse_quote_all(&sql, st->sql, st->value, st->n_values))
		rc = err_set(e, "a statement and its values do not fit");
	else {
		buf_str(&sql, " FORMAT TabSeparated");
		rc = clickhouse_client_ask(s.c->fetcher, &sql, on_row, &s, e);
	}
	clickhouse_row_free(&s.row);
	buf_free(&sql);
	return rc;
}

/* -- opening ----------------------------------------------------------------------------------- */

static void clickhouse_close(void *self)
{
	struct clickhouse *c = self;

	buf_free(&c->table);
	buf_free(&c->came_since);
	buf_free(&c->sources);
	free(c);
}

int catalog_clickhouse_open(const char *place, enum catalog_use use,
                            const struct catalog_fetcher *fetcher, struct catalog_engine *out,
                            struct err *e)
{
	struct clickhouse *c;
	struct buf lacks = {0};

	*out = (struct catalog_engine){.list = "",
	                               .pair = clickhouse_pair,
	                               .outputs = clickhouse_outputs,
	                               .quarters = clickhouse_outputs_quarters,
	                               .missing = clickhouse_missing,
	                               .put = clickhouse_put,
	                               .forget = clickhouse_forget,
	                               .each_closed = clickhouse_each_closed,
	                               .close_folders = clickhouse_close_folders,
	                               .select = clickhouse_select,
	                               .close = clickhouse_close};
	if (!fetcher || !fetcher->fetcher.worker.pid)
		return err_set(e, "%s: the process that sends requests is not running", place);
	if (clickhouse_schema_open(fetcher, use == CATALOG_WRITE, &lacks, &out->upgraded_from, e)) {
		buf_free(&lacks);
		return -1;
	}
	c = alloc_failed_note(malloc(sizeof *c));
	if (c) {
		*c = (struct clickhouse){.fetcher = fetcher};
		buf_printf(&c->table, TABLE ")", buf_cstr(&lacks));
		/* Old servers do not take a condition into a subquery. */
		buf_printf(&c->sources, TABLE " AND source IN ", buf_cstr(&lacks));
		/* So parts of the table whose months are over are not read. The newest row of a
		 * source is what FINAL would find there: the older ones do not count. */
		buf_printf(&c->came_since, TABLE " AND version >= ", buf_cstr(&lacks));
		out->table = buf_cstr(&c->table);
		out->came_since = buf_cstr(&c->came_since);
		out->sources = buf_cstr(&c->sources);
		out->sources_end = ")";
		out->self = c;
	}
	buf_free(&lacks);
	return c ? 0 : no_catalog_memory(e);
}
