/* text_layout: pages drawn by hand, at several widths; and hostile or random text. */
#include <stdlib.h>
#include <string.h>

#include "report/render/text_layout.h"
#include "tests/unit/unit.h"

#define ZWSP "\xe2\x80\x8b"

static char *page(const char *text, size_t width, bool colour)
{
	struct buf out = {0};

	buf_str(&out, "");
	text_layout(&out, text, strlen(text), width, colour);
	assert_false(out.failed);
	return buf_take(&out);
}

TEST(test_pages)
{
	static const struct {
		const char *text;
		size_t width;
		const char *want;
	} rows[] = {
	    {"", 80, ""},
	    {"\n\n\n", 80, ""},
	    {"! good\tfinished\ttrain\n", 80, "train: finished\n"},
	    {"! good\tfinished\tquite a long name here\n", 20,
	     "quite a long name\nhere: finished\n"},
	    {"! good\tfinished\ta long name of it\n", 20, "a long name of it:\n  finished\n"},
	    {"# Usage\n", 80, "Usage\n"},
	    {"> one two three four\n> five\n", 12, "    one two three four\n    five\n"},
	    {"- one two three four\n", 12, "  one two\n  three four\n"},
	    {"a\n\n\n\n# b\n\n", 80, "b\n"}, /* a line of one character is not markup */
	    {"- a\n\n\n\n- b\n\n", 80, "  a\n\n  b\n"},
	    {"* good\tyes\n* info\tso\n* warn\tmind\n* bad\tno\n* \tother\n", 80,
	     "  + yes\n  - so\n  ! mind\n  x no\n  - other\n"},
	    {"* warn\tone two three four five\n", 20, "  ! one two three\n    four five\n"},
	    {": a\tone\n: long\ttwo\n", 80, "  a     one\n  long  two\n"},
	    {": a\tone two three\n", 12, "  a  one two\n     three\n"},
	    {": quite-long\tone\n", 20, "  quite-long\n          one\n"},
	    {"| \tnow\tthen\n| CPU\t1.5\t12.25\n| memory\t3\t4\n", 80,
	     "          now   then\n  CPU     1.5  12.25\n  memory    3      4\n"},
	    {"| \tnow\n| a measure with a name\t12345\n", 24,
	     "                     now\n  a measure with   12345\n  a name\n"},
	    {"| \tnow\tthen\n| measure\t12345\t67\n", 20,
	     "  measure\n    now: 12345\n    then: 67\n"},
	    {"| \tnow and then and\n| measure\t12345\n", 20,
	     "  measure\n    now and then and:\n      12345\n"},
	    {"- abcdefghijklmnopqrstuvwxyz\n", 12, "  abcdefghij\n  klmnopqrst\n  uvwxyz\n"},
	    /* wide and combining characters */
	    {": \xe4\xb8\xad\xe6\x96\x87\tx\n: e\xcc\x81\ty\n", 80,
	     "  \xe4\xb8\xad\xe6\x96\x87  x\n  e\xcc\x81     y\n"},
	    {"- \xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\n", 6,
	     "  \xe4\xb8\xad\xe6\x96\x87\n  \xe4\xb8\xad\n"},
	    /* commands to CI systems */
	    {"! bad\tx\t::error::a ::b\n", 80, ":" ZWSP ":error::a ::b: x\n"},
	    {"- aaaa ::warning::b\n", 13, "  aaaa\n  :" ZWSP ":warning::\n  b\n"},
	    {"- a ##[error]b ##vso[c]\n", 80, "  a #" ZWSP "#[error]b #" ZWSP "#vso[c]\n"},
	    {"* info\t::x\n", 80, "  - ::x\n"},
	    {"! bad\tx\t:\n", 80, ":" ZWSP ": x\n"},
	    {"! bad\tx\ta#\n| #\t#\n", 80, "a#: x\n  #  #\n"},
	    {"- ####\n", 80, "  #" ZWSP "#" ZWSP "#" ZWSP "#\n"},
	    /* more cells than TEXT_LAYOUT_CELLS_MAX */
	    {"| 1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\t13\n", 80,
	     "  1  2  3  4  5  6  7  8  9  10  11  12\t13\n"},
	    {"! good\n* x\n", 80, ""},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *got = page(rows[i].text, rows[i].width, false);
		assert_string_equal(got, rows[i].want);
		free(got);
	}
}

TEST(test_colour)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
	    {"! good\tfinished\ttrain\n", "\033[1mtrain\033[0m: \033[32mfinished\033[0m\n"},
	    {"! bad\tkilled\ttrain\n", "\033[1mtrain\033[0m: \033[31mkilled\033[0m\n"},
	    {"! odd\tkilled\ttrain\n", "\033[1mtrain\033[0m: killed\n"},
	    {"* warn\tmind\n* info\tso\n", "  \033[33m!\033[0m mind\n  - so\n"},
	    {"# Usage\n", "\033[1mUsage\033[0m\n"},
	    {"- plain\n", "  plain\n"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *got = page(rows[i].text, 80, true);
		assert_string_equal(got, rows[i].want);
		free(got);
	}
}

/* At any width, no line is too wide and no text is lost. */
TEST(test_widths)
{
	static const char text[] =
	    "! good\tfinished\ta job with a name\n\n* warn\tThe job used most of the memory.\n\n"
	    ": Started\t2026-11-21 06:40:00 UTC\n: Operating system\tDebian GNU/Linux\n\n"
	    "| \tThis run\tHistory\n| CPU, mean\t2.00 cores\t3.00 cores\n| "
	    "a_very_long_measure\t1\t2\n"
	    "- a/path/that/has/no/space/in/it/at/all\n";

	for (size_t width = 20; width < 120; width++) {
		char *got = page(text, width, false), *end;
		size_t letters = 0, wanted = 0;
		for (char *line = got; *line; line = end + 1) {
			end = strchr(line, '\n');
			assert_non_null(end);
			assert_true(text_layout_columns(line, (size_t)(end - line)) <= width);
			assert_true(end == line || end[-1] != ' ');
		}
		for (const char *p = got; *p; p++)
			letters += *p >= 'a' && *p <= 'z';
		for (const char *p = text; *p; p++)
			wanted += *p >= 'a' && *p <= 'z';
		wanted -= strlen("goodwarn");
		/* a table that became a list repeats its head in each row */
		assert_true(letters >= wanted - strlen("hisrunistory"));
		free(got);
	}
}

TEST(test_fit)
{
	static const struct {
		const char *s;
		size_t columns, n, next;
	} rows[] = {
	    {"one two", 7, 7, 7}, {"one two", 6, 3, 4},  {"one  two", 4, 3, 5},
	    {"one", 2, 2, 2},     {"one two ", 7, 7, 8}, {"a", 0, 1, 1},
	    {"", 5, 0, 0},        {"   ", 2, 0, 3},      {"onetwo three", 4, 4, 4},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t next = 99;
		assert_int_equal(
		    text_layout_fit(rows[i].s, strlen(rows[i].s), rows[i].columns, &next),
		    rows[i].n);
		assert_int_equal(next, rows[i].next);
	}
}

TEST(test_columns)
{
	static const struct {
		const char *s;
		size_t columns;
	} rows[] = {
	    {"", 0},
	    {"abc", 3},
	    {"gr\xc3\xb6\xc3\x9f", 4},
	    {"\xe2\x96\x81\xe2\x96\x88", 2}, /* of a sparkline */
	    {"e\xcc\x81", 1},
	    {ZWSP "x", 1},
	    {"\xf0\x9f\x98\x80", 2},
	    {"\xef\xbf\xbd", 1}, /* U+FFFD */
	    {"\xe4\xb8", 2},     /* invalid UTF-8: a byte is a column */
	    {"\xff\x80", 2},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(text_layout_columns(rows[i].s, strlen(rows[i].s)),
		                 rows[i].columns);
}

/* Random bytes, in a buffer of exactly their size. */
TEST(test_garbage)
{
	uint32_t seed = 1;

	for (int round = 0; round < 3000; round++) {
		static const char alphabet[] = "!#*:|->  \t\t\n\nab\xe4\xb8\xad\xcc\x81\xff::##";
		struct buf out = {0};
		size_t n = (size_t)(round % 97);
		char *text = malloc(n + 1);
		assert_non_null(text);
		for (size_t i = 0; i < n; i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] = alphabet[(seed >> 8) % (sizeof alphabet - 1)];
		}
		text = realloc(text, n ? n : 1);
		text_layout(&out, text, n, (size_t)(round % 40), round % 2);
		assert_false(out.failed);
		buf_free(&out);
		free(text);
	}
}
