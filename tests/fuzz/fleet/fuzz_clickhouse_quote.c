/* clickhouse_quote: any text as a literal, as JSON, and in a statement: what ClickHouse's own rules
 * read out of it is the text again, and nothing is left of it outside its quotes. */
#include <string.h>

#include "fleet/catalog/clickhouse_quote.h"
#include "tests/fuzz/fuzz.h"

/* Where the literal ends, by the rules of ClickHouse's lexer; its text is compared on the way. */
static const char *read_literal(const char *sql, const char *text)
{
	must(*sql++ == '\'');
	while (*sql != '\'') {
		must(*sql);
		if (*sql == '\\')
			sql++;
		must(*sql == *text && *text);
		sql++;
		text++;
	}
	must(!*text);
	return sql + 1;
}

static void quoted(const char *text)
{
	struct catalog_value v = {.kind = CATALOG_TEXT, .text = text};
	struct buf out = {0};

	clickhouse_quote(&out, &v);
	must(!*read_literal(out.s, text));
	buf_free(&out);
}

static void in_a_statement(const char *text)
{
	struct catalog_value v[] = {{.kind = CATALOG_TEXT, .text = text},
	                            {.kind = CATALOG_INTEGER, .integer = 5}};
	struct buf out = {0};

	must(clickhouse_quote_all(&out, "a = ? AND b = ?;", v, 2) == 0);
	must(strncmp(out.s, "a = ", 4) == 0);
	must(strcmp(read_literal(out.s + 4, text), " AND b = 5;") == 0);
	buf_clear(&out);
	clickhouse_quote_all(&out, text, v, 2); /* any statement: only that it ends */
	buf_free(&out);
}

static void as_json(const char *text)
{
	struct catalog_value v = {.kind = CATALOG_TEXT, .text = text};
	struct buf out = {0};
	size_t n;

	clickhouse_json(&out, &v);
	n = out.len;
	must(n >= 2 && out.s[0] == '"' && out.s[n - 1] == '"');
	for (size_t i = 1; i < n - 1; i++) {
		must((unsigned char)out.s[i] >= 0x20 && out.s[i] != '"');
		if (out.s[i] == '\\')
			must(strchr("\"\\u", out.s[++i]) && i < n - 1);
	}
	buf_clear(&out);
	clickhouse_url(&out, text);
	for (const char *p = buf_cstr(&out); *p; p++)
		must((unsigned char)*p > 0x20 && (unsigned char)*p < 0x7f && !strchr("&=#+", *p));
	buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	must(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	quoted(text);
	in_a_statement(text);
	as_json(text);
	free(text);
	return 0;
}
