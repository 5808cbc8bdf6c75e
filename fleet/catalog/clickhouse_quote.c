/* clickhouse_quote: values on their way to ClickHouse: as literals of SQL, and as JSON. */
#include "fleet/catalog/clickhouse_quote.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void quote_text(struct buf *out, const char *text)
{
	buf_char(out, '\'');
	while (*text) {
		size_t n = strcspn(text, "\\'");
		buf_add(out, text, n);
		text += n;
		if (!*text)
			break;
		buf_char(out, '\\');
		buf_char(out, *text++);
	}
	buf_char(out, '\'');
}

static void json_text(struct buf *out, const char *text)
{
	buf_char(out, '"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20)
			buf_printf(out, "\\u%04x", c);
		else if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", c);
		else
			buf_char(out, (char)c);
	}
	buf_char(out, '"');
}

/* Numbers look the same in both. */
static void number_or_null(struct buf *out, const struct catalog_value *v, const char *null)
{
	if (v->kind == CATALOG_INTEGER)
		buf_printf(out, "%" PRId64, v->integer);
	else if (v->kind == CATALOG_NUMBER && isfinite(v->number))
		buf_printf(out, "%.17g", v->number);
	else
		buf_str(out, null);
}

void clickhouse_quote(struct buf *out, const struct catalog_value *v)
{
	if (v->kind == CATALOG_TEXT)
		quote_text(out, v->text ? v->text : "");
	else
		number_or_null(out, v, "NULL");
}

/* The end of a literal or name in quotes that begins at sql. */
static const char *after_quotes(const char *sql)
{
	char quote = *sql++;

	while (*sql && *sql != quote)
		sql += *sql == '\\' && sql[1] ? 2 : 1;
	return *sql ? sql + 1 : sql;
}

int clickhouse_quote_all(struct buf *out, const char *sql, const struct catalog_value *v, size_t n)
{
	size_t used = 0;

	while (*sql) {
		size_t plain = strcspn(sql, "?'\"`");
		buf_add(out, sql, plain);
		sql += plain;
		if (*sql == '?') {
			if (used == n)
				return -1;
			clickhouse_quote(out, &v[used++]);
			sql++;
		} else if (*sql) {
			const char *end = after_quotes(sql);
			buf_add(out, sql, (size_t)(end - sql));
			sql = end;
		}
	}
	return used == n ? 0 : -1;
}

void clickhouse_json(struct buf *out, const struct catalog_value *v)
{
	if (v->kind == CATALOG_TEXT)
		json_text(out, v->text ? v->text : "");
	else
		number_or_null(out, v, "null");
}

void clickhouse_url(struct buf *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
		    c == '_' || c == '-' || c == '.')
			buf_char(out, (char)c);
		else
			buf_printf(out, "%%%02X", c);
	}
}
