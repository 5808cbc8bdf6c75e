/* clickhouse_quote: no text can end its own quotes. Against the real server: tests/engines. */
#include <math.h>
#include <string.h>

#include "fleet/catalog/clickhouse_quote.h"
#include "tests/unit/unit.h"

static struct catalog_value text(const char *s)
{
	return (struct catalog_value){.kind = CATALOG_TEXT, .text = s};
}

static struct catalog_value number(double v)
{
	return (struct catalog_value){.kind = CATALOG_NUMBER, .number = v};
}

static struct catalog_value integer(int64_t v)
{
	return (struct catalog_value){.kind = CATALOG_INTEGER, .integer = v};
}

TEST(both_ways)
{
	const struct {
		struct catalog_value v;
		const char *sql, *json;
	} cases[] = {
	    {text(""), "''", "\"\""},
	    {text(NULL), "''", "\"\""},
	    {text("it's"), "'it\\'s'", "\"it's\""},
	    {text("\\"), "'\\\\'", "\"\\\\\""},
	    {text("\\' OR 1 = 1 --"), "'\\\\\\' OR 1 = 1 --'", "\"\\\\' OR 1 = 1 --\""},
	    {text("a\"b\n\x1b\x7f"), "'a\"b\n\x1b\x7f'", "\"a\\\"b\\u000a\\u001b\x7f\""},
	    {text("\xff\xc3\xa9\xe2\x82"), "'\xff\xc3\xa9\xe2\x82'", "\"\xff\xc3\xa9\xe2\x82\""},
	    {text("{}?;"), "'{}?;'", "\"{}?;\""},
	    {number(0.1), "0.10000000000000001", "0.10000000000000001"},
	    {number(1e300), "1.0000000000000001e+300", "1.0000000000000001e+300"},
	    {number(NAN), "NULL", "null"},
	    {number(-INFINITY), "NULL", "null"},
	    {integer(INT64_MIN), "-9223372036854775808", "-9223372036854775808"},
	    {integer(9007199254740993), "9007199254740993", "9007199254740993"},
	    {{.kind = CATALOG_NULL, .integer = 7}, "NULL", "null"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf sql = {0}, json = {0};

		clickhouse_quote(&sql, &cases[i].v);
		clickhouse_json(&json, &cases[i].v);
		assert_string_equal(sql.s, cases[i].sql);
		assert_string_equal(json.s, cases[i].json);
		buf_free(&sql);
		buf_free(&json);
	}
}

TEST(statements)
{
	static const struct {
		const char *sql, *out; /* NULL: refused */
	} cases[] = {
	    {"a = ? AND b = ?", "a = '?' AND b = -3"},
	    {"??", "'?'-3"},
	    {"a = ?", NULL},
	    {"a = ? ? ?", NULL},
	    {"", NULL},
	    {"'?' = ? OR '\\'?' = ?", "'?' = '?' OR '\\'?' = -3"},
	    {"\"?\" `?` ? ?", "\"?\" `?` '?' -3"},
	    {"? ? '?", "'?' -3 '?"},
	    {"? ? '\\", "'?' -3 '\\"},
	};
	const struct catalog_value v[] = {text("?"), integer(-3)};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = {0};
		int rc = clickhouse_quote_all(&out, cases[i].sql, v, 2);

		assert_int_equal(rc, cases[i].out ? 0 : -1);
		if (cases[i].out)
			assert_string_equal(out.s, cases[i].out);
		buf_free(&out);
	}
}

TEST(urls)
{
	struct buf out = {0};

	clickhouse_url(&out, "INSERT a_b-1.c (x,'&=#?\xff\n%')");
	assert_string_equal(out.s, "INSERT%20a_b-1.c%20%28x%2C%27%26%3D%23%3F%FF%0A%25%27%29");
	buf_free(&out);
}
