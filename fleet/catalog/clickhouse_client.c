/* clickhouse_client: requests to a ClickHouse server, and its answers line by line. */
#include "fleet/catalog/clickhouse_client.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/catalog/clickhouse_quote.h"

#define STATUS_OK       200
#define ERROR_MAX       ((size_t)4096)
#define PLAIN_QUERY_MAX ((size_t)200000) /* the server's own limit is 256 KiB */

#define MESSAGE_MAX 300

enum { UNKNOWN_TABLE = 60, UNKNOWN_USER = 192, WRONG_PASSWORD, REQUIRED_PASSWORD };
#define UNREACHABLE_SHARD     279
#define AUTHENTICATION_FAILED 516

/* -- what the server answers when it refuses a request ----------------------------------------- */

/* "Code: 193, e.displayText() = DB::Exception: TEXT, e.what() = DB::Exception"; from about 20.12 on
 * "Code: 516. DB::Exception: TEXT. (AUTHENTICATION_FAILED) (version …)". */
static int error_code_of(const char *body)
{
	static const char begin[] = "Code: ";
	long code;

	if (strncmp(body, begin, sizeof begin - 1) != 0)
		return 0;
	code = strtol(body + sizeof begin - 1, NULL, 10);
	return code > 0 && code < 100000 ? (int)code : 0;
}

/* The message without what is around it, of its first line. */
static const char *find_message(const char *body, size_t *n)
{
	static const char before[] = "DB::Exception: ";
	const char *at = strstr(body, before), *end;

	at = at ? at + sizeof before - 1 : body;
	*n = strcspn(at, "\r\n");
	end = strstr(at, ", e.what() =");
	if (end && (size_t)(end - at) < *n)
		*n = (size_t)(end - at);
	if (*n > MESSAGE_MAX)
		*n = MESSAGE_MAX;
	return at;
}

int clickhouse_client_error(const char *host, long status, const char *body, struct err *e)
{
	int code = error_code_of(body);
	size_t n;
	const char *message = find_message(body, &n);
	bool login = status == 401 || status == 403 || code == UNKNOWN_USER ||
	             code == WRONG_PASSWORD || code == REQUIRED_PASSWORD ||
	             code == AUTHENTICATION_FAILED;
	const char *what = "ClickHouse";

	if (login)
		what = "wrong user or password";
	else if (!code)
		what = "this is not ClickHouse's answer";
	else if (code == UNKNOWN_TABLE)
		what = "a table is missing (of a cluster, rtrack-fleet add makes it on each node)";
	else if (code == UNREACHABLE_SHARD)
		what = "a node of the cluster cannot be reached, or lacks its table "
		       "(rtrack-fleet add makes it on each node)";
	if (!code)
		return err_set(e, "%s: %s (HTTP status %ld)", host, what, status);
	return err_set(e, "%s: %s: %.*s (code %d)", host, what, (int)n, message, code);
}

/* -- requests ---------------------------------------------------------------------------------- */

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

static int send_query(struct answer *a, const struct buf *parameters, const char *statement,
                      const struct buf *body, struct err *e)
{
	struct catalog_request q = {.parameters = buf_cstr(parameters),
	                            .body = buf_cstr(body),
	                            .len = body->len,
	                            .asked = statement};
	const char *host = clickhouse_address_host(&a->f->address);
	int rc = -1;

	if (parameters->failed || body->failed)
		err_set(e, "%s: %s", host, strerror(ENOMEM));
	else if (catalog_fetcher_send(a->f, &q, on_piece, a, e))
		rc = -1;
	else if (a->status != STATUS_OK)
		rc = clickhouse_client_error(host, a->status, buf_cstr(&a->line), e);
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

int clickhouse_client_ask(const struct catalog_fetcher *f, const struct buf *sql,
                          clickhouse_each_line *each, void *ctx, struct err *e)
{
	struct answer a = {.f = f, .each = each, .ctx = ctx};
	struct buf parameters = {0};
	int rc;

	put_parameters(&parameters, f);
	/* Only where it is needed: a user who may only read may be denied settings. */
	if (sql->len > PLAIN_QUERY_MAX)
		buf_printf(&parameters, "&max_query_size=%zu", sql->len + 1);
	rc = send_query(&a, &parameters, buf_cstr(sql), sql, e);
	buf_free(&parameters);
	return rc;
}

int clickhouse_client_insert(const struct catalog_fetcher *f, const char *statement,
                             const struct buf *rows, struct err *e)
{
	struct answer a = {.f = f};
	struct buf parameters = {0};
	int rc;

	put_parameters(&parameters, f);
	/* Through a Distributed table: when it says "done", the shards have the rows. */
	buf_str(&parameters, "&insert_distributed_sync=1&query=");
	clickhouse_url(&parameters, statement);
	rc = send_query(&a, &parameters, statement, rows, e);
	buf_free(&parameters);
	return rc;
}
