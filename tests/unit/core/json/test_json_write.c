/* json: what is written reads back equal, and may stand inside a script element. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json/json_write.h"
#include "tests/unit/unit.h"

TEST(shape)
{
	struct json_write j = {.depth = 0};

	json_write_object(&j, NULL);
	json_write_str(&j, "s", "x");
	json_write_str(&j, "n", NULL);
	json_write_null(&j, "z");
	json_write_bool(&j, "t", true);
	json_write_bool(&j, "f", false);
	json_write_num(&j, "one", 1);
	json_write_num(&j, "nan", (double)NAN);
	json_write_num(&j, "inf", -(double)INFINITY);
	json_write_array(&j, "a");
	json_write_num(&j, NULL, 1.5);
	json_write_object(&j, NULL);
	json_write_object_end(&j);
	json_write_array(&j, NULL);
	json_write_array_end(&j);
	json_write_str(&j, NULL, "");
	json_write_array_end(&j);
	json_write_object(&j, "o");
	json_write_str(&j, "k\"<", "v");
	json_write_object_end(&j);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	assert_string_equal(buf_cstr(&j.b),
	                    "{\"s\":\"x\",\"n\":null,\"z\":null,\"t\":true,\"f\":false,\"one\":1,"
	                    "\"nan\":null,\"inf\":null,\"a\":[1.5,{},[],\"\"],"
	                    "\"o\":{\"k\\\"\\u003c\":\"v\"}}");
	json_write_free(&j);
	json_write_free(&j);
}

TEST(strings)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
	    {"", "\"\""},
	    {"a\"b\\c/", "\"a\\\"b\\\\c/\""},
	    {"\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\""},
	    {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
	    {"</script><!-- & -->", "\"\\u003c/script\\u003e\\u003c!-- \\u0026 --\\u003e\""},
	    {"a\xe2\x80\xa8"
	     "b\xe2\x80\xa9",
	     "\"a\\u2028b\\u2029\""},
	    {"\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5€", "\"\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5€\""},
	    {"\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9",
	     "\"\\u202a\\u202e\\u2066\\u2069\""},
	    {"\xc2\x85\xc2\xa0", "\"\\u0085\xc2\xa0\""},
	    {"é日😀", "\"é日😀\""},
	    {"\xff", "\"\xef\xbf\xbd\""},
	    {"\xe2\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
	    {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		json_write_quote(&b, cases[i].in, strlen(cases[i].in));
		assert_string_equal(buf_cstr(&b), cases[i].out);
		buf_free(&b);
	}
}

/* Every byte after every other: nothing that ends a script element, and no control character. */
TEST(any_two_bytes)
{
	for (unsigned v = 0; v < 65536; v++) {
		char in[2] = {(char)(v >> 8), (char)(v & 255)};
		struct buf b = {0};
		json_write_quote(&b, in, 2);
		for (size_t i = 0; i < b.len; i++) {
			unsigned char c = (unsigned char)b.s[i];
			assert_true(c >= 0x20 && c != '<' && c != '>' && c != '&' && c != 0x7f);
		}
		assert_true(b.len >= 3);
		buf_free(&b);
	}
}

TEST(numbers)
{
	static const struct {
		double v;
		const char *text;
	} cases[] = {
	    {0, "0"},
	    {-0.0, "-0"},
	    {1, "1"},
	    {-1, "-1"},
	    {0.1, "0.1"},
	    {-0.5, "-0.5"},
	    {100, "100"},
	    {1e6, "1000000"},
	    {0.000001, "0.000001"},
	    {-0.000125, "-0.000125"},
	    {1760000000.125, "1760000000.125"},
	    {1760000000.001, "1760000000.001"},
	    {9007199254740992.0, "9007199254740992"},
	    {4503599627370495.5, "4503599627370495.5"},
	    {123456.789, "123456.789"},
	    {1.0 / 3, "0.3333333333333333"},
	    {0.1 + 0.2, "0.30000000000000004"},
	    {5e-324, "5e-324"},
	    {2.2250738585072014e-308, "2.2250738585072014e-308"},
	    {1.7976931348623157e308, "1.7976931348623157e+308"},
	    {1e22, "1e+22"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[32];
		size_t n = json_write_number_text(cases[i].v, text);
		assert_string_equal(text, cases[i].text);
		assert_int_equal(n, strlen(text));
	}
}

TEST(shorter_with_exponents)
{
	static const struct {
		double v;
		const char *text;
	} cases[] = {
	    {0, "[0]"},          {100, "[100]"},       {1000, "[1e3]"},
	    {-25000, "[-25e3]"}, {1500000, "[15e5]"},  {1000.5, "[1000.5]"},
	    {1e22, "[1e+22]"},   {100100, "[100100]"}, {(double)NAN, "[null]"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct json_write j = {.exponents = true};
		json_write_array(&j, NULL);
		json_write_num(&j, NULL, cases[i].v);
		json_write_array_end(&j);
		assert_true(json_write_finish(&j));
		assert_string_equal(buf_cstr(&j.b), cases[i].text);
		json_write_free(&j);
	}
}

static uint64_t random64(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

/* RFC 8259's number, told from the text alone. */
static int is_json_number(const char *s)
{
	size_t n;

	s += *s == '-';
	n = strspn(s, "0123456789");
	if (!n || (n > 1 && *s == '0'))
		return 0;
	s += n;
	if (*s == '.') {
		n = strspn(++s, "0123456789");
		s += n;
		if (!n)
			return 0;
	}
	if (*s == 'e') {
		s += 1 + (s[1] == '+' || s[1] == '-');
		n = strspn(s, "0123456789");
		s += n;
		if (!n)
			return 0;
	}
	return *s == '\0';
}

static void reads_back(double v)
{
	char text[32], shorter[40];
	size_t n = json_write_number_text(v, text);
	double back = strtod(text, NULL);

	assert_int_equal(n, strlen(text));
	assert_true(is_json_number(text));
	if (memcmp(&back, &v, sizeof v) != 0)
		fail_msg("%.17g was written as %s", v, text);
	/* Not one digit fewer would do. */
	for (int p = 1; p <= 17; p++) {
		size_t digits = 0;
		snprintf(shorter, sizeof shorter, "%.*e", p - 1, v);
		if (strtod(shorter, NULL) != v)
			continue;
		for (const char *s = text + strspn(text, "-0."); *s && *s != 'e'; s++)
			digits += *s != '.';
		/* zeros that only hold the place are not digits */
		for (const char *s = text + strcspn(text, "e"); s > text && s[-1] == '0'; s--)
			digits -= digits > 0 && !strchr(text, '.');
		assert_true(digits <= (size_t)p);
		break;
	}
}

TEST(random_numbers_read_back)
{
	uint64_t seed = 88172645463325252ull;

	for (int i = 0; i < 17000; i++) {
		uint64_t bits = random64(&seed);
		double v;
		memcpy(&v, &bits, sizeof v);
		if (isfinite(v))
			reads_back(v);
		reads_back(1.7e9 + (double)(bits % 100000000000) / 1000); /* time stamps */
		reads_back((double)(bits >> 12));
		reads_back((double)(int64_t)bits);
		reads_back((double)(bits % 2000000) / 10000 - 100);
		bits &= 0x000fffffffffffff; /* denormal */
		memcpy(&v, &bits, sizeof v);
		reads_back(v);
	}
}

TEST(depth)
{
	struct json_write j = {.depth = 0};

	for (int i = 0; i < JSON_WRITE_DEPTH_MAX - 1; i++)
		json_write_array(&j, NULL);
	for (int i = 0; i < JSON_WRITE_DEPTH_MAX - 1; i++)
		json_write_array_end(&j);
	assert_true(json_write_finish(&j));
	json_write_free(&j);

	for (int i = 0; i < JSON_WRITE_DEPTH_MAX + 10; i++)
		json_write_object(&j, i ? "k" : NULL);
	for (int i = 0; i < JSON_WRITE_DEPTH_MAX + 10; i++)
		json_write_object_end(&j);
	assert_false(json_write_finish(&j));
	json_write_free(&j);

	json_write_object(&j, NULL); /* not closed */
	assert_false(json_write_finish(&j));
	json_write_free(&j);

	json_write_array_end(&j); /* not open */
	assert_false(json_write_finish(&j));
	json_write_free(&j);
}

struct taker {
	size_t n, calls;
	int left; /* calls that go well */
};

static int take(void *ctx, const char *p, size_t n)
{
	struct taker *t = ctx;

	assert_non_null(p);
	t->calls++;
	t->n += n;
	return t->left-- > 0 ? 0 : -1;
}

TEST(to_a_sink)
{
	struct taker t = {.left = 1 << 30};
	struct json_write j = {.sink = take, .ctx = &t};

	json_write_array(&j, NULL);
	for (int i = 0; i < 1000000; i++)
		json_write_num(&j, NULL, 7);
	json_write_array_end(&j);
	assert_true(j.b.cap <= 65536);
	assert_true(json_write_finish(&j));
	assert_int_equal(t.n, 2000001);
	json_write_free(&j);

	/* A sink that failed is not called again, and nothing piles up. */
	t = (struct taker){.left = 1};
	j = (struct json_write){.sink = take, .ctx = &t};
	json_write_array(&j, NULL);
	for (int i = 0; i < 1000000; i++)
		json_write_num(&j, NULL, 7);
	json_write_array_end(&j);
	assert_true(j.b.cap <= 65536);
	assert_false(json_write_finish(&j));
	assert_int_equal(t.calls, 2);
	json_write_free(&j);
}
