/* clickhouse_schema: the table `runs` in a ClickHouse database. */
#include "fleet/catalog/clickhouse_schema.h"

#include <stdlib.h>
#include <string.h>

#include "fleet/catalog/catalog_engine.h"
#include "fleet/catalog/clickhouse_client.h"
#include "fleet/catalog/clickhouse_tsv.h"

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

void clickhouse_schema_columns(struct buf *sql)
{
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		buf_printf(sql, "%s %s, ", catalog_columns[i].name, types[catalog_columns[i].kind]);
	/* The server's clock decides which of two rows of a source is the newer one. */
	buf_printf(sql,
	           "gone UInt8 DEFAULT 0, version UInt64 DEFAULT toUInt64(now()), " MARK
	           " UInt16 DEFAULT %d",
	           CATALOG_SCHEMA);
}

static int make_tables(const struct catalog_fetcher *f, struct err *e)
{
	const char *cluster = f->address.cluster, *local = *cluster ? "runs_local" : "runs";
	struct buf sql = {0};
	int rc;

	buf_printf(&sql, "CREATE TABLE IF NOT EXISTS %s (", local);
	clickhouse_schema_columns(&sql);
	buf_str(&sql, ") ENGINE = ReplacingMergeTree(version) ORDER BY source");
	rc = clickhouse_client_ask(f, &sql, NULL, NULL, e);
	if (!rc && *cluster) {
		buf_clear(&sql);
		buf_printf(&sql,
		           "CREATE TABLE IF NOT EXISTS runs AS %s ENGINE = "
		           "Distributed(%s, %s, %s, cityHash64(source))",
		           local, cluster, f->address.database, local);
		rc = clickhouse_client_ask(f, &sql, NULL, NULL, e);
	}
	buf_free(&sql);
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

/* Of a cluster this node's tables. Where another writer was faster, its columns are found. */
static int upgrade_tables(const struct catalog_fetcher *f, struct found *found, struct err *e)
{
	struct err why = {0};
	int rc = *f->address.cluster ? upgrade_one(f, "runs_local", found, &why) : 0;

	rc = rc || upgrade_one(f, "runs", found, &why);
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

int clickhouse_schema_open(const struct catalog_fetcher *f, bool make, struct buf *lacks,
                           struct err *e)
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
	if (found.version < CATALOG_SCHEMA && make && upgrade_tables(f, &found, e))
		return -1;
	for (int i = 0; i < CATALOG_COLUMNS && found.version == CATALOG_SCHEMA; i++)
		if (!found.has[i])
			return err_set(e, "%s: the table runs of the catalog %s has no column %s",
			               host, database, catalog_columns[i].name);
	list_missing(&found, lacks);
	return 0;
}
