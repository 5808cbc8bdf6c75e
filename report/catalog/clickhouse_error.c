/* clickhouse_error: what a ClickHouse server answers when it refuses a request, as one sentence. */
#include "report/catalog/clickhouse_error.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX 300

enum { UNKNOWN_TABLE = 60, UNKNOWN_USER = 192, WRONG_PASSWORD, REQUIRED_PASSWORD };
#define UNREACHABLE_SHARD     279
#define AUTHENTICATION_FAILED 516

/* "Code: 193, e.displayText() = DB::Exception: TEXT, e.what() = DB::Exception"; from about 20.12 on
 * "Code: 516. DB::Exception: TEXT. (AUTHENTICATION_FAILED) (version …)". */
int clickhouse_error_code(const char *body)
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

int clickhouse_error_say(const char *host, long status, const char *body, struct err *e)
{
	int code = clickhouse_error_code(body);
	size_t n;
	const char *message = find_message(body, &n);
	bool login = status == 401 || status == 403 || code == UNKNOWN_USER ||
	             code == WRONG_PASSWORD || code == REQUIRED_PASSWORD ||
	             code == AUTHENTICATION_FAILED;

	if (!code)
		return err_set(e, "%s: %s (HTTP status %ld)", host,
		               login ? "wrong user or password" : "this is not ClickHouse's answer",
		               status);
	return err_set(e, "%s: %s: %.*s (code %d)", host,
	               login ? "wrong user or password"
	               : code == UNKNOWN_TABLE
	                   ? "a table is missing (of a cluster, --add makes it on each node)"
	               : code == UNREACHABLE_SHARD
	                   ? "a node of the cluster cannot be reached, or lacks its table (--add "
	                     "makes it on each node)"
	                   : "ClickHouse",
	               (int)n, message, code);
}
