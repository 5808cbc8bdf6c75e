/* catalog_clickhouse: a catalog in a ClickHouse database, over HTTP (docs/clickhouse.md). */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "fleet/catalog/catalog_engine.h"
#include "fleet/catalog/clickhouse_client.h"
#include "fleet/catalog/clickhouse_outputs.h"
#include "fleet/catalog/clickhouse_quote.h"
#include "fleet/catalog/clickhouse_schema.h"
#include "fleet/catalog/clickhouse_tsv.h"

/* Of a source that was added again, its newest row; of one that was forgotten, none. */
#define TABLE "(SELECT *%s FROM runs FINAL WHERE gone = 0)" /* and what an older version lacks */

#define QUESTION_BYTES ((size_t)150000) /* of sources, in one statement */

#define JOURNAL ".partial"

/* What a run's recording may be called until it ends. Where a name is taken, the recorder counts
 * on, to 100, but the first ones are enough to ask for. */
static const char *const journals[] = {JOURNAL, JOURNAL ".2", JOURNAL ".3"};

struct clickhouse {
	const struct catalog_fetcher *fetcher; /* borrowed */
	struct buf table;                      /* catalog_engine.table */
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

/* What the run with this journal has become. */
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

/* A row without values stands for "forgotten". The server decides ties of versions by what came
 * last, so that a run can be added again at once. */
static int clickhouse_forget(void *self, const char *source, size_t *n, struct err *e)
{
	static const char which[] = " FROM runs FINAL WHERE gone = 0 AND "
				    "(source = ? OR startsWith(source, ?))";
	const struct clickhouse *c = self;
	struct buf below = {0}, sql = {0}, insert = {0};
	size_t length = strlen(source), found = 0;
	struct catalog_value value[2];
	int rc;

	while (length && source[length - 1] == '/')
		length--;
	buf_add(&below, source, length);
	buf_char(&below, '/');
	value[0] = of_text(source);
	value[1] = of_text(buf_cstr(&below));
	buf_str(&sql, "SELECT count()");
	clickhouse_quote_all(&sql, which, value, 2);
	buf_str(&sql, " FORMAT TabSeparated");
	buf_str(&insert, "INSERT INTO runs (source, gone, version) "
	                 "SELECT source, 1, greatest(version, toUInt64(now()))");
	clickhouse_quote_all(&insert, which, value, 2);
	rc = below.failed ? no_catalog_memory(e)
	                  : clickhouse_client_ask(c->fetcher, &sql, on_count, &found, e);
	if (!rc && found)
		rc = clickhouse_client_insert(c->fetcher, buf_cstr(&insert), &(struct buf){0}, e);
	if (!rc)
		*n += found;
	buf_free(&below);
	buf_free(&sql);
	buf_free(&insert);
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
	                               .select = clickhouse_select,
	                               .close = clickhouse_close};
	if (!fetcher || !fetcher->fetcher.worker.pid)
		return err_set(e, "%s: the process that sends requests is not running", place);
	if (clickhouse_schema_open(fetcher, use == CATALOG_WRITE, &lacks, e)) {
		buf_free(&lacks);
		return -1;
	}
	c = alloc_failed_note(malloc(sizeof *c));
	if (c) {
		*c = (struct clickhouse){.fetcher = fetcher};
		buf_printf(&c->table, TABLE, buf_cstr(&lacks));
		out->table = buf_cstr(&c->table);
		out->self = c;
	}
	buf_free(&lacks);
	return c ? 0 : no_catalog_memory(e);
}
