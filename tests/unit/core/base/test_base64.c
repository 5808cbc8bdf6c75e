/* base64: the examples of RFC 4648, and every byte. */
#include <string.h>

#include "core/base/base64.h"
#include "tests/unit/unit.h"

TEST(examples)
{
	static const char *const cases[][2] = {
	    {"", ""},
	    {"f", "Zg=="},
	    {"fo", "Zm8="},
	    {"foo", "Zm9v"},
	    {"foob", "Zm9vYg=="},
	    {"fooba", "Zm9vYmE="},
	    {"foobar", "Zm9vYmFy"},
	    {"\xff\xff\xfe", "///+"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		buf_str(&b, "x");
		base64_add(&b, cases[i][0], strlen(cases[i][0]));
		assert_string_equal(buf_cstr(&b) + 1, cases[i][1]);
		buf_clear(&b);
		assert_int_equal(base64_read(&b, cases[i][1], strlen(cases[i][1])), 0);
		assert_string_equal(buf_cstr(&b), cases[i][0]);
		buf_free(&b);
	}
}

TEST(zeros)
{
	struct buf b = {0};

	base64_add(&b, "\0\0\0\0", 4);
	assert_string_equal(buf_cstr(&b), "AAAAAA==");
	buf_free(&b);
}

/* As others may write it: in lines, without the padding, or wrong. */
TEST(of_others)
{
	static const struct {
		const char *text, *bytes; /* NULL: refused */
	} cases[] = {{"Zm9v\r\nYmFy", "foobar"},
	             {" Zg = = ", "f"},
	             {"Zg", "f"},
	             {"Zm8", "fo"},
	             {"Z", NULL},
	             {"Zg=", NULL},
	             {"Zg===", NULL},
	             {"=", NULL},
	             {"Zm9v=", NULL},
	             {"Zg==Zg==", NULL},
	             {"Zm9-", NULL},
	             {"Zm\xc3\xa9", NULL}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		assert_int_equal(base64_read(&b, cases[i].text, strlen(cases[i].text)),
		                 cases[i].bytes ? 0 : -1);
		if (cases[i].bytes)
			assert_string_equal(buf_cstr(&b), cases[i].bytes);
		buf_free(&b);
	}
	assert_int_equal(base64_read(&(struct buf){0}, "Zm\0v", 4), -1);
}
