/* import_row: numbers, times and texts of other programs. */
#include "fleet/import/import_row.h"

#include "tests/unit/fleet/import/imported.h"

ALL_TESTS_WITH(imported_zone, NULL)

TEST(numbers)
{
	static const struct {
		const char *text;
		double v; /* -1: it is not understood */
	} cases[] = {
	    {"0", 0},
	    {"12.5", 12.5},
	    {"12,5", 12.5},
	    {" 7 ", 7},
	    {"1e3", 1000},
	    {".5", 0.5},
	    {"5.", 5},
	    {"", -1},
	    {" ", -1},
	    {"1 2", -1},
	    {"1,234.5", -1},
	    {"1,2,3", -1},
	    {"-1", -1},
	    {"+1", -1},
	    {"nan", -1},
	    {"inf", -1},
	    {"1e999", -1},
	    {"0x10", -1},
	    {"1.2.3", -1},
	    {",", -1},
	    {"1x", -1},
	    {"\xc2\xa0"
	     "3",
	     3},
	    {"3\xe2\x80\xaf", 3},
	    {"3\xe2\x80", -1},
	    {"1234567890123456789012345678901234567890123456789012345678901234", -1},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double v = -1;
		int failed = import_row_number(cases[i].text, &v);
		if ((failed != 0) != (cases[i].v < 0) || (!failed && v != cases[i].v))
			fail_msg("\"%s\": %d, %g", cases[i].text, failed, v);
	}
}

TEST(what_is_not_a_time)
{
	static const char *const texts[] = {
	    "",
	    "now",
	    "2026-11-23",
	    "2026-11-23 10:00",
	    "2026-13-01 10:00:00",
	    "2026-00-01 10:00:00",
	    "2026-11-31 10:00:00",
	    "2026-02-29 10:00:00",
	    "2026-11-23 24:00:00",
	    "2026-11-23 10:60:00",
	    "2026-11-23 10:00:61",
	    "1969-12-31 10:00:00",
	    "2026-11-23 10:00:00 CET",
	    "2026-11-23 10:00:00+99:00",
	    "2026-11-23 10:00:00+1",
	    "23.11.2026 10:00:00",
	    "11/23/2026 10:00:00 AM",
	    "2026-11-23 10:00:00.5.5",
	    "-026-11-23 10:00:00",
	    "1970-01-01 00:30:00+01:00",
	};
	double v;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (import_row_time(texts[i], &v) == 0)
			fail_msg("%s", texts[i]);
	assert_int_equal(import_row_time("2028-02-29T12:00:00.25Z", &v), 0);
	assert_true(v == 1835438400.25);
	assert_int_equal(import_row_time_ms("1795428000123", &v), 0);
	assert_true(v == 1795428000.123);
	assert_int_equal(import_row_time_ms("99999999999999999", &v), -1);
}

/* As mktime(3) and timegm(3) say: each 13th hour of 80 years. */
TEST(times)
{
	char text[64];

	for (time_t t = 86400; t < (time_t)80 * 365 * 86400; t += EVERY(20) * 13 * 3600L + 61) {
		struct tm tm;
		double v = -1;
		gmtime_r(&t, &tm);
		strftime(text, sizeof text, "%Y-%m-%d %H:%M:%SZ", &tm);
		if (import_row_time(text, &v) || v != (double)t)
			fail_msg("%s: %.15g", text, v);
		localtime_r(&t, &tm);
		strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
		tm.tm_isdst = -1;
		/* In the hour that comes twice, it is one of both. */
		if (import_row_time(text, &v) || (v != (double)t && fabs(v - (double)t) != 3600))
			fail_msg("%s: %.15g", text, v);
		if (tm.tm_mon != 9 && v != (double)t)
			fail_msg("%s: %.15g", text, v);
	}
}

TEST(texts)
{
	struct import in = {.name = "x"};
	struct import_row r;

	import_row_begin(&r, &in, 1);
	import_row_text(&r, RTRACK_ROW_NAME, "12345678", 8);
	assert_string_equal(r.row.of[RTRACK_ROW_NAME].text, "12345678");
	import_row_text(&r, RTRACK_ROW_NAME, "123456789", 8);
	assert_string_equal(r.row.of[RTRACK_ROW_NAME].text, "12345…");
	import_row_text(&r, RTRACK_ROW_NAME, "ääää", 8);
	assert_string_equal(r.row.of[RTRACK_ROW_NAME].text, "ääää");
	import_row_text(&r, RTRACK_ROW_NAME, "äääää", 8);
	assert_string_equal(r.row.of[RTRACK_ROW_NAME].text, "ää…");
	import_row_text(&r, RTRACK_ROW_USER, "\xff\xff\xff\xff\t", 8);
	assert_string_equal(r.row.of[RTRACK_ROW_USER].text, "\xef\xbf\xbd…");
	import_row_text(&r, RTRACK_ROW_HOST, "N/A", 8);
	assert_string_equal(r.row.of[RTRACK_ROW_HOST].text, "");
	import_row_text(&r, RTRACK_ROW_HOST, "nan1", 8);
	assert_string_equal(r.row.of[RTRACK_ROW_HOST].text, "nan1");
	import_row_label(&r, "a", "1;b=2");
	import_row_label(&r, "c", "-");
	for (int i = 0; i < 60; i++)
		import_row_label(&r, "key", "value");
	assert_int_equal(strlen(r.labels), 7 + 24 * 10);
	assert_int_equal(strncmp(r.labels, "a=1,b=2;key=value;key=value;", 28), 0);
}

TEST(programs)
{
	static const struct {
		const char *command, *name;
	} cases[] = {
	    {"/usr/bin/env TOKEN=x a", "env"},
	    {"a", "a"},
	    {"./a b", "a"},
	    {"", ""},
	    {"/", "/"},
	    {"a/", "a/"},
	    {" a", ""},
	    {"a\"b", "a"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct import in = {.name = "x"};
		struct import_row r;
		import_row_begin(&r, &in, 1);
		import_row_program(&r, cases[i].command);
		assert_string_equal(r.row.of[RTRACK_ROW_NAME].text, cases[i].name);
	}
}
