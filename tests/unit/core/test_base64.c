/* base64: the examples of RFC 4648, and every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/base64.h"

static void examples(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		buf_str(&b, "x");
		base64_add(&b, cases[i][0], strlen(cases[i][0]));
		assert_string_equal(buf_cstr(&b) + 1, cases[i][1]);
		buf_free(&b);
	}
}

static void zeros(void **state)
{
	struct buf b = {0};

	(void)state;
	base64_add(&b, "\0\0\0\0", 4);
	assert_string_equal(buf_cstr(&b), "AAAAAA==");
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(examples), cmocka_unit_test(zeros)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
