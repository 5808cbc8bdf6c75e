/* json_number: the fast path has the value and the end that strtod finds, or leaves it to it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json/json_number.h"
#include "tests/unit/unit.h"

/* Whatever follows a number. */
static const char *const behind[] = {"", ",", "]", "}", " ", ",1", ",9.5]", "e5", ".", "x", "\xff"};

/* In memory that ends with the text, for AddressSanitizer. */
static size_t read_number(const char *number, const char *after, double *v)
{
	size_t n = strlen(number) + strlen(after) + 1, length;
	char *text = malloc(n);

	assert_non_null(text);
	snprintf(text, n, "%s%s", number, after);
	length = json_number_short(text, v);
	free(text);
	return length;
}

static void is_read(const char *number)
{
	for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
		double v = -1;
		size_t n;
		if (*behind[i] == '.' && strchr(number, '.'))
			continue;
		n = read_number(number, behind[i], &v);
		if (*behind[i] == '.') {
			assert_int_equal(n, 0);
			continue;
		}
		if (n != strlen(number) || v != strtod(number, NULL))
			fail_msg("%s%s: %zu characters, %.17g", number, behind[i], n, v);
	}
}

/* Every number of digits before and behind the point. */
TEST(lengths)
{
	static const char digits[] = "904817263500192";
	char number[40];

	for (int whole = 1; whole <= 15; whole++)
		for (int after = 0; whole + after <= 15; after++)
			for (int sign = 0; sign < 2; sign++) {
				snprintf(number, sizeof number, "%s%.*s%s%.*s", sign ? "-" : "",
				         whole, digits, after ? "." : "", after, digits + whole);
				is_read(number);
				if (!after)
					continue;
				snprintf(number, sizeof number, "%s0.%.*s", sign ? "-" : "", after,
				         digits + 1);
				is_read(number);
			}
	is_read("0");
	is_read("-0");
	is_read("0.0");
}

TEST(many_values)
{
	uint32_t r = 1;
	char number[40];

	for (int i = 0; i < 200000; i++) {
		r = r * 1664525 + 1013904223;
		snprintf(number, sizeof number, "%.*f", (int)(r >> 29),
		         (double)(r >> 4 & 0xffffff) / (double)(1 + (r >> 12 & 0xfff)));
		is_read(number);
	}
}

TEST(left_to_strtod)
{
	static const char *const others[] = {"",
	                                     "-",
	                                     "00",
	                                     "01",
	                                     "00.5",
	                                     "1.",
	                                     ".5",
	                                     "1234567.",
	                                     "12345678.",
	                                     "+1",
	                                     "-01",
	                                     "null",
	                                     "1234567890123456",
	                                     "1.234567890123456",
	                                     "12345678.12345678"};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		double v;
		if (read_number(others[i], ",", &v))
			fail_msg("%s was taken as %.17g", others[i], v);
	}
}
