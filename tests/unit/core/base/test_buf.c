/* buf: grows to its cap, fails for good, and makes valid UTF-8. */
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "tests/unit/unit.h"

TEST(empty)
{
	struct buf b = {0};
	char *s;

	assert_string_equal(buf_cstr(&b), "");
	buf_free(&b);
	buf_free(&b);
	buf_clear(&b);
	s = buf_take(&b);
	assert_string_equal(s, "");
	assert_null(b.s);
	free(s);
}

TEST(grows)
{
	struct buf b = {0};
	char *s;

	for (int i = 0; i < 10000; i++)
		buf_printf(&b, "%05d,", i);
	buf_char(&b, '!');
	buf_str(&b, "end");
	buf_add(&b, "\0x", 2);
	assert_int_equal(b.len, 60006);
	assert_int_equal(b.s[b.len], '\0');
	assert_memory_equal(b.s + 59994, "09999,!end\0x", 12);
	s = buf_take(&b);
	assert_null(b.s);
	assert_int_equal(b.len, 0);
	free(s);
}

TEST(cap)
{
	struct buf b = {.max = 8};

	buf_str(&b, "1234567"); /* and the NUL */
	assert_false(b.failed);
	buf_char(&b, '8');
	assert_true(b.failed);
	assert_string_equal(buf_cstr(&b), "1234567");
	buf_clear(&b);
	assert_false(b.failed);
	buf_printf(&b, "%s", "12345678");
	assert_true(b.failed);
	assert_string_equal(buf_cstr(&b), "");

	/* Sticky: what would have fitted does not go in after a gap. */
	buf_char(&b, 'x');
	buf_printf(&b, "y");
	buf_utf8(&b, "z", 1);
	assert_string_equal(buf_cstr(&b), "");
	assert_null(buf_take(&b));
	assert_null(b.s);
	assert_false(b.failed);
	assert_int_equal(b.max, 8);
	buf_str(&b, "again");
	assert_string_equal(buf_cstr(&b), "again");
	buf_free(&b);
}

TEST(huge_sizes)
{
	struct buf b = {0};

	buf_str(&b, "a");
	buf_add(&b, "b", SIZE_MAX);
	assert_true(b.failed);
	buf_clear(&b);
	buf_add(&b, "b", SIZE_MAX - 1);
	assert_true(b.failed);
	buf_clear(&b);
	buf_add(&b, "b", BUF_MAX_DEFAULT);
	assert_true(b.failed);
	buf_free(&b);
}

#define FFFD "\xef\xbf\xbd"

TEST(utf8)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
	    {"", ""},
	    {"a", "a"},
	    {"é日😀", "é日😀"},
	    {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},                 /* U+10FFFF, the last */
	    {"\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80"}, /* beside the surrogates */
	    {"\x80", FFFD},
	    {"a\xff z", "a" FFFD " z"},
	    {"\xc3", FFFD},
	    {"\xc3(", FFFD "("},
	    {"\xc0\x80", FFFD FFFD},
	    {"\xe0\x9f\xbf", FFFD FFFD FFFD},
	    {"\xed\xa0\x80", FFFD FFFD FFFD},
	    {"\xf0\x8f\xbf\xbf", FFFD FFFD FFFD FFFD},
	    {"\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD},
	    {"\xf5\x80\x80\x80", FFFD FFFD FFFD FFFD},
	    {"\xe2\x82", FFFD FFFD},
	    {"ok\xf0\x9f\x98", "ok" FFFD FFFD FFFD},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		/* Exactly as large as the text, so that reading past it is seen. */
		size_t n = strlen(cases[i].in);
		char *exact = malloc(n ? n : 1);
		assert_non_null(exact);
		memcpy(exact, cases[i].in, n);
		buf_utf8(&b, exact, n);
		assert_string_equal(buf_cstr(&b), cases[i].out);
		buf_free(&b);
		free(exact);
	}
}
