/* clickhouse_address, clickhouse_client: addresses, and what a server answers. */
#include <string.h>

#include "fleet/catalog/clickhouse_address.h"
#include "fleet/catalog/clickhouse_client.h"
#include "tests/unit/unit.h"

TEST(addresses)
{
	static const struct {
		const char *place, *base, *database, *cluster; /* base NULL: refused */
	} cases[] = {
	    {"https://h:8443/fleet", "https://h:8443", "fleet", ""},
	    {"https://h/", "https://h", "default", ""},
	    {"http://127.0.0.1:8123", "http://127.0.0.1:8123", "default", ""},
	    {"https://[::1]:8443/a_1?cluster=two", "https://[::1]:8443", "a_1", "two"},
	    {"https://h/?cluster=two", "https://h", "default", "two"},
	    {"https://h?cluster=two", "https://h", "default", "two"},
	    {"https:///fleet", NULL, NULL, NULL},
	    {"https://", NULL, NULL, NULL},
	    {"https://h/a/b", NULL, NULL, NULL},
	    {"https://h/a-b", NULL, NULL, NULL},
	    {"https://h/1a", NULL, NULL, NULL},
	    {"https://h/a'b", NULL, NULL, NULL},
	    {"https://h/a?cluster=", NULL, NULL, NULL},
	    {"https://h/a?cluster=x,y", NULL, NULL, NULL},
	    {"https://h/a?user=x", NULL, NULL, NULL},
	    {"https://h/a#b", NULL, NULL, NULL},
	    {"https://h x/a", NULL, NULL, NULL},
	    {"https://h\r\nX: y/a", NULL, NULL, NULL},
	    {"https://h%2f/a", NULL, NULL, NULL},
	    {"ftp://h/a", NULL, NULL, NULL},
	};
	struct clickhouse_address a;
	struct err e;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int rc = clickhouse_address_parse(cases[i].place, &a, &e);

		if (rc != (cases[i].base ? 0 : -1))
			fail_msg("%s", cases[i].place);
		if (rc)
			continue;
		assert_string_equal(a.base, cases[i].base);
		assert_string_equal(a.database, cases[i].database);
		assert_string_equal(a.cluster, cases[i].cluster);
	}
	assert_int_equal(clickhouse_address_parse("https://h:1/x", &a, &e), 0);
	assert_string_equal(clickhouse_address_host(&a), "h:1");
}

TEST(secrets)
{
	struct clickhouse_address a;
	struct err e;

	assert_int_equal(clickhouse_address_parse("https://ann:geheim@h/x", &a, &e), -1);
	assert_null(strstr(e.msg, "geheim"));
	assert_non_null(strstr(e.msg, "RTRACK_CATALOG_PASSWORD_FILE"));
	assert_int_equal(clickhouse_address_parse("https://ann@h/x", &a, &e), -1);
	assert_non_null(strstr(e.msg, "RTRACK_CATALOG_USER"));
}

TEST(places)
{
	assert_true(clickhouse_is_address("http://h"));
	assert_false(clickhouse_is_address("HTTPS://h")); /* as catalog_open has it */
	assert_false(clickhouse_is_address("runs.db"));
	assert_false(clickhouse_is_address("http:/h"));
	assert_false(clickhouse_is_address(""));
}

TEST(errors)
{
	static const struct {
		long status;
		const char *body, *sentence;
	} cases[] = {
	    {401,
	     "Code: 193, e.displayText() = DB::Exception: Wrong password for user ann, e.what() = "
	     "DB::Exception\n",
	     "h: wrong user or password: Wrong password for user ann (code 193)"},
	    {403,
	     "Code: 516. DB::Exception: ann: Authentication failed: password is incorrect. "
	     "(AUTHENTICATION_FAILED) (version 24.3.1)\nmore",
	     "h: wrong user or password: ann: Authentication failed: password is incorrect. "
	     "(AUTHENTICATION_FAILED) (version 24.3.1) (code 516)"},
	    {404, "Code: 81, e.displayText() = DB::Exception: No \x1b[1m, e.what() = DB::Exception",
	     "h: ClickHouse: No \\x1b[1m (code 81)"},
	    {403, "", "h: wrong user or password (HTTP status 403)"},
	    {502, "<html>", "h: this is not ClickHouse's answer (HTTP status 502)"},
	    {500, "Code: -7, DB::Exception: x",
	     "h: this is not ClickHouse's answer (HTTP status 500)"},
	    {500, "Code: 60, DB::Exception: Table x doesn't exist.",
	     "h: a table is missing (of a cluster, rtrack-fleet add makes it on each node): Table x doesn't "
	     "exist. (code 60)"},
	};
	struct err e;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		clickhouse_client_error("h", cases[i].status, cases[i].body, &e);
		assert_string_equal(e.msg, cases[i].sentence);
	}
}
