/* clickhouse_client: requests to a ClickHouse server, and its answers line by line. */
#include "report/catalog/clickhouse_client.h"

#include <errno.h>
#include <string.h>

#include "report/catalog/clickhouse_error.h"
#include "report/catalog/clickhouse_quote.h"

#define STATUS_OK       200
#define ERROR_MAX       ((size_t)4096)
#define PLAIN_QUERY_MAX ((size_t)200000) /* the server's own limit is 256 KiB */

struct answer {
	const struct catalog_fetcher *f;
	clickhouse_each_line *each; /* NULL: no lines are expected */
	void *ctx;
	struct buf line; /* as far as it has come; or an error's text */
	long status;
};

static int take_result_lines(struct answer *a, const char *p, size_t n, struct err *e)
{
	const char *end;

	while ((end = memchr(p, '\n', n)) != NULL) {
		buf_add(&a->line, p, (size_t)(end - p));
		if (a->line.failed)
			return err_set(e, "%s: a line of the answer is too long",
			               clickhouse_address_host(&a->f->address));
		if (a->each && a->each(a->ctx, a->line.s, e))
			return -1;
		buf_clear(&a->line);
		n -= (size_t)(end + 1 - p);
		p = end + 1;
	}
	buf_add(&a->line, p, n);
	return a->line.failed ? err_set(e, "%s: a line of the answer is too long",
	                                clickhouse_address_host(&a->f->address))
	                      : 0;
}

static int on_piece(void *ctx, long status, const char *p, size_t n, struct err *e)
{
	struct answer *a = ctx;

	a->status = status;
	if (status == STATUS_OK)
		return take_result_lines(a, p, n, e);
	if (a->line.len + n > ERROR_MAX)
		n = ERROR_MAX - a->line.len;
	buf_add(&a->line, p, n);
	return 0;
}

static int send_query(struct answer *a, const struct buf *parameters, const struct buf *body,
                      struct err *e)
{
	struct catalog_request q = {
	    .parameters = buf_cstr(parameters), .body = buf_cstr(body), .len = body->len};
	const char *host = clickhouse_address_host(&a->f->address);
	int rc = -1;

	if (parameters->failed || body->failed)
		err_set(e, "%s: %s", host, strerror(ENOMEM));
	else if (catalog_fetcher_send(a->f, &q, on_piece, a, e))
		rc = -1;
	else if (a->status != STATUS_OK)
		rc = clickhouse_error_say(host, a->status, buf_cstr(&a->line), e);
	else if (a->line.len)
		err_set(e, "%s: the answer ends in the middle of a line", host);
	else
		rc = 0;
	buf_free(&a->line);
	return rc;
}

/* wait_end_of_query: an error in the middle would come after status 200 otherwise. */
static void put_parameters(struct buf *out, const struct catalog_fetcher *f)
{
	buf_str(out, "wait_end_of_query=1&database=");
	clickhouse_url(out, f->address.database);
}

static int send_statement(struct answer *a, const struct buf *sql, struct err *e)
{
	struct buf parameters = {0};
	int rc;

	put_parameters(&parameters, a->f);
	/* Only where it is needed: a user who may only read may be denied settings. */
	if (sql->len > PLAIN_QUERY_MAX)
		buf_printf(&parameters, "&max_query_size=%zu", sql->len + 1);
	rc = send_query(a, &parameters, sql, e);
	buf_free(&parameters);
	return rc;
}

int clickhouse_ask(const struct catalog_fetcher *f, const struct buf *sql,
                   clickhouse_each_line *each, void *ctx, struct err *e)
{
	struct answer a = {.f = f, .each = each, .ctx = ctx};

	return send_statement(&a, sql, e);
}

int clickhouse_do(const struct catalog_fetcher *f, const struct buf *sql, struct err *e)
{
	struct answer a = {.f = f};

	return send_statement(&a, sql, e);
}

int clickhouse_insert(const struct catalog_fetcher *f, const char *statement,
                      const struct buf *rows, struct err *e)
{
	struct answer a = {.f = f};
	struct buf parameters = {0};
	int rc;

	put_parameters(&parameters, f);
	/* Through a Distributed table: when it says "done", the shards have the rows. */
	buf_str(&parameters, "&insert_distributed_sync=1&query=");
	clickhouse_url(&parameters, statement);
	rc = send_query(&a, &parameters, rows, e);
	buf_free(&parameters);
	return rc;
}
