/* err: a sentence is one printable line, whatever came in. */
#include <string.h>

#include "core/base/err.h"
#include "tests/unit/unit.h"

TEST(printable)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
	    {"plain", "plain"},
	    {"", ""},
	    {"a\nb\tc\r", "a\\x0ab\\x09c\\x0d"},
	    {"\x1b[31mred\x7f", "\\x1b[31mred\\x7f"},
	    {"größe – 日本 😀", "größe – 日本 😀"},
	    {"\xc2\x85next", "\\xc2\\x85next"}, /* a C1 control */
	    {"\xc2\xa0space", "\xc2\xa0space"},
	    {"line\xe2\x80\xa8sep\xe2\x80\xa9", "line\\xe2\\x80\\xa8sep\\xe2\\x80\\xa9"},
	    {"gnp\xe2\x80\xae.exe", "gnp\\xe2\\x80\\xae.exe"}, /* right to left from here on */
	    {"\xe2\x80\xaa\xe2\x81\xa6\xe2\x81\xa9",
	     "\\xe2\\x80\\xaa\\xe2\\x81\\xa6\\xe2\\x81\\xa9"},
	    {"\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
	     "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa"},
	    {"\xff\xfe", "\\xff\\xfe"},
	    {"\xc0\xaf overlong", "\\xc0\\xaf overlong"},
	    {"\xe0\x80\xaf overlong", "\\xe0\\x80\\xaf overlong"},
	    {"\xf0\x80\x80\xaf overlong", "\\xf0\\x80\\x80\\xaf overlong"},
	    {"\xed\xa0\x80 surrogate", "\\xed\\xa0\\x80 surrogate"},
	    {"\xf4\x90\x80\x80 too large", "\\xf4\\x90\\x80\\x80 too large"},
	    {"cut \xe2\x82", "cut \\xe2\\x82"},
	    {"cut \xe2", "cut \\xe2"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {{0}};
		assert_int_equal(err_set(&e, "%s", cases[i].in), -1);
		assert_string_equal(e.msg, cases[i].out);
	}
}

TEST(passwords_are_hidden)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
	    {"https:/u:PW@h/db: No such file", "https:/***@h/db: No such file"},
	    {"https://u:PW@h/db", "https://***@h/db"},
	    {"https:u:PW@h/db", "***@h/db"},
	    {"//u:PW@h: x", "//***@h: x"},
	    {"/u:PW@h: x", "/***@h: x"},
	    {"u:PW@h", "***@h"},
	    {"u:1234@h", "***@h"},
	    {":P@h", "**@h"},
	    {"clickhouse:/u:PW@h", "clickhouse:/***@h"},
	    {"clickhouse:/u:P/W@h", "clickhouse:/***@h"},
	    {"--catalog=u:P@W@h", "***@h"},
	    {"/home/ann/u:PW@h: gone; a:PW@b", "/home/ann/***@h: gone; ***@b"},
	    {"--put: \"https:/u:PW@h/db\" is", "--put: \"https:/***@h/db\" is"},
	    {"s3:/KEY:SEC/RET@bucket/k", "s3:/***@bucket/k"},
	    {"https:/u:P'(W@h/db is", "https:/***@h/db is"},
	    {"(\"https://u:PW@h/db\")", "(\"https://***@h/db\")"},
	    {"https://h/db#token=PW x", "https://h/db#*** x"},
	    {"https://TOKEN@h/a@b", "https://***@h/a@b"},
	    {"clickhouse:/h:1/db?password=PW", "clickhouse:/h:1/db?***"},
	    {"clickhouse:/u:PW@h:1/db?password=PW", "clickhouse:/***@h:1/db?***"},
	    {"u:PW@10.0.0.1/db", "***@10.0.0.1/db"},
	    {"db#token=PW x", "db#*** x"},
	    {"tag:x?a=1&api_key=PW", "tag:x?***"},
	    /* nothing is hidden in these */
	    {"\"sub-01:run2@3T\": no such run", "\"sub-01:run2@3T\": no such run"},
	    {"runs/sub-01:run2@3T/a", "runs/sub-01:run2@3T/a"},
	    {"a#section=2 b?page=3", "a#section=2 b?page=3"},
	    {"https://h:8443/a@b", "https://h:8443/a@b"},
	    {"runs/2026-11-29T12:30@n1.json", "runs/2026-11-29T12:30@n1.json"},
	    {"s3://b/runs/?.json: none", "s3://b/runs/?.json: none"},
	    {"ann@example.org: not a name", "ann@example.org: not a name"},
	    {"--template: there is no @x; built in are @a, @b",
	     "--template: there is no @x; built in are @a, @b"},
	    {"https://HOST:PORT/DATABASE or …?cluster=NAME",
	     "https://HOST:PORT/DATABASE or …?cluster=NAME"},
	    {"a.json:3: b@c", "a.json:3: b@c"},
	    {"10:20:30", "10:20:30"},
	    {"/r/s:R1@lane2.json.gz.partial: kept", "/r/s:R1@lane2.json.gz.partial: kept"},
	    {"repo:tag@sha256:12ab", "repo:tag@sha256:12ab"},
	    {"http://[::1]:9000/b/u@h", "http://[::1]:9000/b/u@h"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {{0}}, again = {{0}};
		err_set(&e, "%s", cases[i].in);
		assert_string_equal(e.msg, cases[i].out);
		err_set(&again, "%s", e.msg);
		assert_string_equal(again.msg, cases[i].out);
	}
}

TEST(nobody_cares)
{
	assert_int_equal(err_set(NULL, "x"), -1);
	assert_int_equal(err_wrap(NULL, "x"), -1);
}

TEST(long_ones_are_cut)
{
	char in[5000], euros[3001] = "";
	struct err e = {{0}};

	for (size_t i = 0; i < 1000; i++)
		memcpy(euros + 3 * i, "€", 3);
	memset(in, 'a', sizeof in - 1);
	in[sizeof in - 1] = '\0';
	err_set(&e, "%s", in);
	assert_true(strlen(e.msg) > sizeof e.msg - 10 && strlen(e.msg) < sizeof e.msg);
	assert_int_equal(strspn(e.msg, "a") + strlen("…") + 200, strlen(e.msg));
	err_set(&e, "%.4095s: File name too long", in);
	assert_non_null(strstr(e.msg, "aaa: File name too long"));
	assert_int_equal(strncmp(e.msg, "aaa", 3), 0);
	for (size_t i = 0; i < 3; i++) { /* wherever the cuts fall within characters */
		err_set(&e, "%.*s%s%s", (int)i, "bb", euros, "b");
		assert_null(strstr(e.msg, "\\x"));
		assert_non_null(strstr(e.msg, "€…€"));
		assert_true(strlen(e.msg) > sizeof e.msg - 10 && strlen(e.msg) < sizeof e.msg);
	}

	/* Of each control character four bytes come. */
	memset(in, '\n', sizeof in - 1);
	err_set(&e, "%s", in);
	assert_int_equal(strlen(e.msg) % 4, 0);
	assert_true(strlen(e.msg) < sizeof e.msg);
}

/* No cut splits a character, wherever it falls. */
TEST(cuts_keep_characters_whole)
{
	for (size_t shift = 0; shift < 4; shift++) {
		char in[4004] = "xxx";
		struct err e = {{0}};
		for (size_t i = shift; i + 4 < sizeof in; i += 4)
			memcpy(in + i, "😀", 5);
		err_set(&e, "%s", in);
		assert_null(strstr(e.msg, "\\x"));
		assert_int_equal((strlen(e.msg) - shift - strlen("…")) % 4, 0);
		err_wrap(&e, "%s", in);
		assert_null(strstr(e.msg, "\\x"));
	}
}

TEST(wrap)
{
	struct err e = {{0}};
	char name[3000];

	err_set(&e, "no space\n");
	assert_int_equal(err_wrap(&e, "%s", "a\tfile"), -1);
	assert_string_equal(e.msg, "a\\x09file: no space\\x0a");
	err_wrap(&e, "outer %d", 7);
	assert_string_equal(e.msg, "outer 7: a\\x09file: no space\\x0a");

	/* What both say is said once. */
	err_set(&e, "cannot be written: No space left on device");
	err_wrap(&e, "a.gz cannot be written");
	assert_string_equal(e.msg, "a.gz cannot be written: No space left on device");
	err_wrap(&e, "a.gz cannot be written");
	assert_string_equal(e.msg, "a.gz cannot be written: No space left on device");
	err_wrap(&e, "written");
	assert_string_equal(e.msg, "written: a.gz cannot be written: No space left on device");
	err_set(&e, "x: no");
	err_wrap(&e, "box");
	assert_string_equal(e.msg, "box: x: no");

	/* A long name does not hide what happened. */
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	err_set(&e, "no space");
	err_wrap(&e, "%s", name);
	assert_non_null(strstr(e.msg, "n: no space"));

	/* The sentence itself may be an argument. */
	err_set(&e, "inner");
	err_set(&e, "%s, and again: %s", e.msg, e.msg);
	assert_string_equal(e.msg, "inner, and again: inner");
	for (int i = 0; i < 50; i++)
		err_wrap(&e, "%s", name);
	assert_true(strlen(e.msg) < sizeof e.msg);
}
