/* jsonin: the grammar, and sentences that name the byte. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json/json_read.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/unit.h"

struct text {
	struct json_read in;
	struct err e;
	struct gz_in *g;
	int fd;
};

static struct text *open_fd(int fd)
{
	struct text *t = calloc(1, sizeof *t);

	assert_non_null(t);
	t->fd = fd;
	t->g = gz_in_new(t->fd, 1 << 30, &t->e);
	assert_non_null(t->g);
	json_read_init(&t->in, t->g, "f.json", &t->e);
	return t;
}

static struct text *open_text(const char *s)
{
	return open_fd(scratch_text(s));
}

static void close_text(struct text *t)
{
	gz_in_free(t->g);
	close(t->fd);
	free(t);
}

TEST(cells)
{
	static const struct {
		const char *in;
		double v;
	} cases[] = {
	    {"0", 0},
	    {"-0", -0.0},
	    {"12", 12},
	    {"-1.5", -1.5},
	    {"1e3", 1000},
	    {"1E+3", 1000},
	    {"25e-1", 2.5},
	    {"0.1", 0.1},
	    {"1760000000.123", 1760000000.123},
	    {"0.30000000000000004", 0.30000000000000004},
	    {"123456789012345678901234567890", 123456789012345678901234567890.0},
	    {"0.000000000000000000000001", 1e-24},
	    {"5e-324", 5e-324},
	    {"1e-999", 0},
	    {"1e999", NAN},
	    {"-1e999", NAN},
	    {"NaN", NAN},
	    {"Infinity", NAN},
	    {"-Infinity", NAN},
	    {"null", NAN},
	    {"true", NAN},
	    {"false", NAN},
	    {"\"\"", NAN},
	    {"\"3.5\"", 3.5},
	    {"\"1e3\"", 1000},
	    {"\"inf\"", NAN},
	    {"\"0x10\"", NAN},
	    {"\"text\"", NAN},
	    {"{\"a\":[1,2]}", NAN},
	    {"[[]]", NAN},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text *t = open_text(cases[i].in);
		double v = 42;
		assert_int_equal(json_read_cell(&t->in, &v), 0);
		if (isnan(cases[i].v))
			assert_true(isnan(v));
		else
			assert_memory_equal(&v, &cases[i].v, sizeof v);
		assert_int_equal(json_read_end(&t->in), 0);
		close_text(t);
	}
}

TEST(not_cells)
{
	static const char *const cases[] = {
	    "",     " ",   "nul",  "nulll", "True",   "nan",     "inf",       "-",
	    "+1",   "01",  "-01",  "00",    "00.5",   "1.",      ".5",        "1.e3",
	    "1e",   "1e+", "0x10", "1..2",  "1-2",    "--1",     "'1'",       "\"",
	    "\"a",  "{",   "[1",   "[}{",   "1e5e5",  "-NaN",    "1_000",     "1\xff",
	    "\x01", "}",   "]",    ",",     "{\"a\"", "\"\\x\"", "\"\\u12\"",
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text *t = open_text(cases[i]);
		double v = 42;
		if (json_read_cell(&t->in, &v) != -1)
			fail_msg("%s was taken as %g", cases[i], v);
		assert_non_null(strstr(t->e.msg, "f.json: byte "));
		/* The first error stays. */
		assert_int_equal(json_read_peek(&t->in), 0);
		assert_int_equal(json_read_cell(&t->in, &v), -1);
		assert_int_equal(json_read_end(&t->in), -1);
		close_text(t);
	}
}

#define FFFD "\xef\xbf\xbd"

TEST(strings)
{
	static const struct {
		const char *in, *out; /* out NULL: an error */
	} cases[] = {
	    {"\"\"", ""},
	    {" \t\r\n\"a\"", "a"},
	    {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
	    {"\"\\u0041\\u00e9\\u65e5\"", "Aé日"},
	    {"\"\\uD83D\\uDE00\"", "😀"},
	    {"\"\\udbff\\udfff\"", "\xf4\x8f\xbf\xbf"},
	    {"\"\\ud800\"", FFFD},
	    {"\"\\udc80x\"", FFFD "x"},
	    {"\"\\ud800x\"", FFFD "x"},
	    {"\"\\ud800\\n\"", FFFD "\n"},
	    {"\"\\ud800\\u0041\"", FFFD "A"},
	    {"\"\\ud800\\ud83d\\ude00\"", FFFD "😀"},
	    {"\"\\ud800\\ud800\\ud800\"", FFFD FFFD FFFD},
	    {"\"a\\u0000b\"", "a" FFFD "b"},
	    {"\"\\ud800\\u0000\"", FFFD FFFD},
	    {"\"unended", NULL},
	    {"\"\\", NULL},
	    {"\"\\q\"", NULL},
	    {"\"\\u\"", NULL},
	    {"\"\\u00g0\"", NULL},
	    {"\"\\ud800\\u12\"", NULL},
	    {"\"\\ud800\\", NULL},
	    {"\"\\ud800\\x\"", NULL},
	    {"a", NULL},
	    {"{}", NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text *t = open_text(cases[i].in);
		struct buf b = {0};
		buf_str(&b, "old");
		assert_int_equal(json_read_string(&t->in, &b), cases[i].out ? 0 : -1);
		if (cases[i].out)
			assert_string_equal(buf_cstr(&b), cases[i].out);
		buf_free(&b);
		close_text(t);
	}
}

TEST(long_strings)
{
	static const char *const units[] = {"a", "\\n", "\\u00e9"};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		struct buf text = {0}, b = {.max = 100001};
		struct text *t;
		buf_char(&text, '"');
		for (int n = 0; n < 50000; n++)
			buf_str(&text, units[i]);
		buf_char(&text, '"');
		t = open_text(text.s);
		assert_int_equal(json_read_string(&t->in, &b), 0);
		assert_int_equal(b.len, i == 2 ? 100000 : 50000);
		close_text(t);
		b.max = 50000;
		buf_clear(&b);
		b.cap = 0;
		free(b.s);
		b.s = NULL;
		t = open_text(text.s);
		assert_int_equal(json_read_string(&t->in, &b), -1);
		assert_non_null(strstr(t->e.msg, "a string that is too long"));
		close_text(t);
		buf_free(&b);
		buf_free(&text);
	}
}

/* Reads a tree of any shape, and appends it to out without white space. */
static int walk(struct json_read *j, struct buf *out)
{
	int c = json_read_peek(j), more;
	struct buf s = {0};
	bool first = true, was = false;
	double v;

	if (c != '{' && c != '[') {
		if (c == '"' ? json_read_string(j, &s) : json_read_cell(j, &v)) {
			buf_free(&s);
			return -1;
		}
		if (c == '"')
			buf_printf(out, "'%s'", buf_cstr(&s));
		else
			buf_printf(out, "%g", v);
		buf_free(&s);
		return 0;
	}
	if (json_read_open(j, (char)c))
		return -1;
	buf_char(out, (char)c);
	while ((more = json_read_more(j, (char)c, &first)) > 0) {
		if (was)
			buf_char(out, ',');
		was = true;
		if (c == '{') {
			int r = json_read_key(j, &s);
			if (!r)
				buf_printf(out, "%s=", buf_cstr(&s));
			buf_free(&s);
			if (r)
				return -1;
		}
		if (walk(j, out))
			return -1;
	}
	buf_char(out, c == '{' ? '}' : ']');
	return more;
}

TEST(trees)
{
	static const struct {
		const char *in, *out; /* out NULL: an error */
	} cases[] = {
	    {"{}", "{}"},
	    {" [ ] ", "[]"},
	    {"[1, [2,[]], {\"a\" : {\"b\":\"c\"} } ]\n", "[1,[2,[]],{a={b='c'}}]"},
	    {"{\"a\":1,\"a\":2}", "{a=1,a=2}"},
	    {"[1 2]", NULL},
	    {"[1,]", NULL},
	    {"[,1]", NULL},
	    {"[1,,2]", NULL},
	    {"[1}", NULL},
	    {"[}", NULL},
	    {"{]", NULL},
	    {"{\"a\"}", NULL},
	    {"{\"a\":}", NULL},
	    {"{\"a\":1,}", NULL},
	    {"{,}", NULL},
	    {"{a:1}", NULL},
	    {"{1:1}", NULL},
	    {"{\"a\" 1}", NULL},
	    {"{\"a\":1 \"b\":2}", NULL},
	    {"[1]]", NULL},
	    {"[1] x", NULL},
	    {"[", NULL},
	    {"[1", NULL},
	    {"[1,", NULL},
	    {"{\"a\":", NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text *t = open_text(cases[i].in);
		struct buf out = {0};
		int r = walk(&t->in, &out) || json_read_end(&t->in) ? -1 : 0;
		if (r != (cases[i].out ? 0 : -1))
			fail_msg("%s", cases[i].in);
		if (cases[i].out)
			assert_string_equal(buf_cstr(&out), cases[i].out);
		buf_free(&out);
		close_text(t);
	}
}

/* Tokens that lie across reads come out whole. */
TEST(in_small_parts)
{
	static const char text[] = "{\"k\\u00e9y\" : [ -12.5e+1, \"\\ud83d\\ude00 x\", null ,{}], "
				   "\"next\":[true,0.25]}  ";

	for (size_t part = 1; part < sizeof text; part++) {
		struct text *t = open_fd(scratch_drip(text, sizeof text - 1, part));
		struct buf out = {0};
		assert_int_equal(walk(&t->in, &out), 0);
		assert_int_equal(json_read_end(&t->in), 0);
		assert_string_equal(buf_cstr(&out), "{kéy=[-125,'😀 x',nan,{}],next=[nan,0.25]}");
		buf_free(&out);
		close_text(t);
	}
}

/* A key that is expected is taken if it comes as it is written without spaces; else nothing is. */
TEST(expected_keys)
{
	static const char *const others[] = {"{\"key\" :1}", "{\"keys\":1}", "{\"k\\u0065y\":1}",
	                                     "{ \"key\":1}", "{\"ke\":1}",   "{\"key\"",
	                                     "{key:1}"};
	struct text *t = open_text("{\"key\":12}");
	double v;

	assert_int_equal(json_read_open(&t->in, '{'), 0);
	assert_true(json_read_is_key(&t->in, "key") && json_read_cell(&t->in, &v) == 0);
	assert_true(v == 12);
	assert_false(json_read_is_key(&t->in, "key"));
	close_text(t);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		t = open_text(others[i]);
		assert_int_equal(json_read_open(&t->in, '{'), 0);
		assert_false(json_read_is_key(&t->in, "key"));
		assert_int_equal(t->in.at, 1);
		close_text(t);
	}
}

TEST(a_nul_is_not_the_end)
{
	struct text *t = open_fd(scratch_bytes("[1]\0", 4));
	struct buf out = {0};

	assert_int_equal(walk(&t->in, &out), 0);
	assert_int_equal(json_read_end(&t->in), -1);
	assert_string_equal(t->e.msg, "f.json: byte 3: something follows the end of the JSON");
	buf_free(&out);
	close_text(t);
}

TEST(depth)
{
	for (int extra = 0; extra < 2; extra++)
		for (int way = 0; way < 3; way++) {
			char in[200] = "";
			struct text *t;
			struct buf out = {0};
			int r;
			for (int i = 0; i < JSON_READ_DEPTH_MAX + extra; i++)
				strcat(in, "[");
			for (int i = 0; i < JSON_READ_DEPTH_MAX + extra; i++)
				strcat(in, "]");
			t = open_text(in);
			r = way == 0 ? walk(&t->in, &out)
			             : json_read_skip(&t->in, way == 1 ? &out : NULL);
			assert_int_equal(r, extra ? -1 : 0);
			if (extra)
				assert_non_null(strstr(t->e.msg, "nested too deeply"));
			buf_free(&out);
			close_text(t);
		}
}

/* A member with a number is taken whole or not at all. */
TEST(number_members)
{
	static const struct {
		const char *in;
		bool a, b; /* taken */
	} cases[] = {
	    {"{\"a\":1,\"b\":-2.5}", true, true},
	    {"{\"a\":1,\"b\":-2.5e1}", true, false},
	    {"{\"a\":1, \"b\":-2.5}", true, false},
	    {"{\"a\":null,\"b\":-2.5}", false, false},
	    {"{\"a\":1\"b\":-2.5}", false, false},
	    {"{\"aa\":1,\"b\":-2.5}", false, false},
	    {"{,\"a\":1,\"b\":-2.5}", false, false},
	    {"{\"a\":\"1\",\"b\":1}", false, false},
	    {"{}", false, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text *t = open_text(cases[i].in);
		bool first = true;
		double v = 0;
		assert_int_equal(json_read_open(&t->in, '{'), 0);
		assert_int_equal(json_read_is_number(&t->in, "a", &first, &v), cases[i].a);
		assert_int_equal(first, !cases[i].a);
		if (cases[i].a)
			assert_int_equal(json_read_is_number(&t->in, "b", &first, &v), cases[i].b);
		if (cases[i].b) {
			assert_true(v == -2.5);
			assert_int_equal(json_read_more(&t->in, '{', &first), 0);
		}
		close_text(t);
	}
}

TEST(skipping)
{
	static const struct {
		const char *in, *out; /* out NULL: an error */
	} cases[] = {
	    {"1", "1 "},
	    {" \"a \\\" ] b\" ", "\"a \\\" ] b\""},
	    {"\"\\\\\"", "\"\\\\\""},
	    {"[ 1 , { \"a b\" : null } ]", "[1 ,{\"a b\":null }]"},
	    {"[1 2]", "[1 2 ]"}, /* not joined: who parses it sees the error */
	    {"[NaN,-Infinity,Infinity]", "[null ,null ,null ]"},
	    {"[1,-2.5,3e4,-Infinity,6]", "[1,-2.5,3e4 ,null ,6 ]"},
	    {"{\"a\":12,\"b\":1E+3}", "{\"a\":12,\"b\":1E+3 }"},
	    {"", NULL},
	    {"]", NULL},
	    {",", NULL},
	    {"[", NULL},
	    {"\"", NULL},
	    {"\"\\", NULL},
	    {"[\"", NULL},
	    {"[\x01]", NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text *t = open_text(cases[i].in);
		struct buf out = {0};
		assert_int_equal(json_read_skip(&t->in, NULL), cases[i].out ? 0 : -1);
		close_text(t);
		t = open_text(cases[i].in);
		assert_int_equal(json_read_skip(&t->in, &out), cases[i].out ? 0 : -1);
		if (cases[i].out) {
			assert_string_equal(buf_cstr(&out), cases[i].out);
			assert_int_equal(json_read_end(&t->in), 0);
		}
		buf_free(&out);
		close_text(t);
	}
}

TEST(skipping_has_caps)
{
	struct buf text = {0}, copy = {.max = 1000};
	struct text *t;

	buf_char(&text, '"');
	for (int i = 0; i < (1 << 20) - 1; i++)
		buf_char(&text, 'a');
	buf_char(&text, '"');
	t = open_text(text.s);
	assert_int_equal(json_read_skip(&t->in, NULL), 0);
	close_text(t);
	t = open_text(text.s);
	assert_int_equal(json_read_skip(&t->in, &copy), -1);
	assert_non_null(strstr(t->e.msg, "a value that is too long"));
	close_text(t);
	text.s[text.len - 1] = 'a';
	buf_char(&text, '"');
	t = open_text(text.s);
	assert_int_equal(json_read_skip(&t->in, NULL), -1);
	assert_non_null(strstr(t->e.msg, "a string that is too long"));
	close_text(t);
	buf_free(&text);
	buf_free(&copy);
}

TEST(sentences)
{
	static const struct {
		const char *in, *sentence;
	} cases[] = {
	    {"[1,2,x]", "f.json: byte 6: expected a number"},
	    {"[1,2", "f.json: byte 4: the JSON ends too early"},
	    {"[1 2]", "f.json: byte 3: expected a comma or a closing bracket"},
	    {"{\"a\" 1}", "f.json: byte 5: expected a colon after a key"},
	    {"{\"a\":\"\\q\"}", "f.json: byte 8: an invalid escape in a string"},
	    {"[1] 2", "f.json: byte 4: something follows the end of the JSON"},
	    {"[1,]", "f.json: byte 3: a comma before a closing bracket"},
	    {"[0000000000000000000000000000000000000000000000000000000000000000000000]",
	     "f.json: byte 64: a number that is too long"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text *t = open_text(cases[i].in);
		struct buf out = {0};
		assert_true(walk(&t->in, &out) || json_read_end(&t->in));
		assert_string_equal(t->e.msg, cases[i].sentence);
		buf_free(&out);
		close_text(t);
	}
}
