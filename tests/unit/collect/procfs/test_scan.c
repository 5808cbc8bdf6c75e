/* Tests of collect/procfs/scan.c. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collect/procfs/scan.h"
#include "tests/unit/unit.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct scan of(const char *text)
{
	return scan_text(text, strlen(text));
}

TEST(unsigned_numbers)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t v;
		size_t left;
	} rows[] = {
	    {"0", true, 0, 0},
	    {" \t42 7", true, 42, 2},
	    {"18446744073709551615", true, UINT64_MAX, 0},
	    {"18446744073709551616", true, UINT64_MAX, 0},
	    {"184467440737095516150", true, UINT64_MAX, 0},
	    {"99999999999999999999999999999999x", true, UINT64_MAX, 1},
	    {"007", true, 7, 0},
	    {"", false, 0, 0},
	    {"   ", false, 0, 3},
	    {"-1", false, 0, 2},
	    {"+1", false, 0, 2},
	    {"x1", false, 0, 2},
	    {"\n1", false, 0, 2},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct scan s = of(rows[i].text);
		uint64_t v = 0;

		assert_int_equal(scan_u64(&s, &v), rows[i].ok);
		assert_true(v == rows[i].v);
		assert_int_equal(s.end - s.p, rows[i].left);
	}
}

TEST(signed_numbers)
{
	static const struct {
		const char *text;
		bool ok;
		int64_t v;
	} rows[] = {
	    {"-5", true, -5},
	    {"5", true, 5},
	    {"9223372036854775807", true, INT64_MAX},
	    {"-9223372036854775808", true, INT64_MIN},
	    {"-99999999999999999999", true, INT64_MIN},
	    {"99999999999999999999", true, INT64_MAX},
	    {"-", false, 0},
	    {"- 5", false, 0},
	    {"--5", false, 0},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct scan s = of(rows[i].text);
		int64_t v = 0;

		assert_int_equal(scan_i64(&s, &v), rows[i].ok);
		assert_true(v == rows[i].v);
	}
}

TEST(small_numbers)
{
	struct scan s = of("2147483647 2147483648");
	int v = 0;

	assert_true(scan_int(&s, &v));
	assert_int_equal(v, INT_MAX);
	assert_false(scan_int(&s, &v));
	assert_int_equal(s.end - s.p, 11);
}

TEST(decimals)
{
	static const struct {
		const char *text;
		bool ok;
		double v;
	} rows[] = {
	    {"12.50", true, 12.5}, {"0.04 0.01", true, 0.04}, {"7", true, 7},
	    {"7.", true, 7},       {".5", false, 0},          {"-1.5", false, 0},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct scan s = of(rows[i].text);
		double v = 0;

		assert_int_equal(scan_decimal(&s, &v), rows[i].ok);
		assert_true(v - rows[i].v < 1e-12 && rows[i].v - v < 1e-12);
	}
}

TEST(lines_and_words)
{
	struct scan s = of("a bc\n\n  last"), line, word;
	char out[4];

	assert_true(scan_line(&s, &line));
	assert_true(scan_word(&line, &word) && scan_is(word, "a"));
	assert_false(scan_skip(&line, 2));
	assert_true(scan_word(&line, &word) && scan_is(word, "bc"));
	assert_false(scan_word(&line, &word));
	assert_true(scan_line(&s, &line));
	assert_true(line.p == line.end);
	assert_true(scan_line(&s, &line));
	assert_true(scan_word(&line, &word));
	assert_false(scan_is(word, "las"));
	assert_false(scan_is(word, "lastly"));
	assert_false(scan_copy(word, out, sizeof out));
	assert_string_equal(out, "las");
	assert_false(scan_line(&s, &line));
	s = of("one\ntwo");
	assert_false(scan_skip(&s, 2));
	assert_true(scan_skip(&s, 1));
}

TEST(counts)
{
	static const struct {
		const char *text;
		double is;
	} cases[] = {{"0\n", 1},
	             {"0-3,8,10-11\n", 7},
	             {"5-5", 1},
	             {"\n", NAN},
	             {"", NAN},
	             {"3-1\n", NAN},
	             {"0-,2", NAN},
	             {"0,", NAN},
	             {"0-99999999999", NAN},
	             {"0-1048575,0-1048575", NAN},
	             {"0-2147483647,0-2147483647", NAN},
	             {"0-3 and more", NAN},
	             {"gpu0", NAN}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double n = scan_list(cases[i].text, strlen(cases[i].text));
		assert_true(n == cases[i].is || (isnan(n) && isnan(cases[i].is)));
	}
}

/* Nothing past the end of the text is read: it ends where its memory ends. */
TEST(stays_inside)
{
	static const char *const texts[] = {"12", "-", "cpu", "1.", "a b"};

	for (size_t i = 0; i < COUNT(texts); i++) {
		size_t n = strlen(texts[i]);
		char *text = malloc(n);
		struct scan s, word;
		uint64_t u;
		int64_t d;
		double f;

		assert_non_null(text);
		memcpy(text, texts[i], n);
		s = scan_text(text, n);
		scan_literal(&s, "cpus and more");
		if (!scan_u64(&s, &u) && !scan_i64(&s, &d) && !scan_decimal(&s, &f))
			scan_word(&s, &word);
		assert_true(s.p <= s.end);
		free(text);
	}
	assert_false(scan_line(&(struct scan){0}, &(struct scan){0}));
}
