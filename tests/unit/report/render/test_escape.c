/* escape: hostile text is harmless after each kind of escaping. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "report/render/escape.h"
#include "tests/unit/unit.h"

#define BAD "\xef\xbf\xbd"

static const enum escape_kind kinds[] = {ESCAPE_NONE,  ESCAPE_HTML,      ESCAPE_MARKDOWN,
                                         ESCAPE_XML,   ESCAPE_JSON,      ESCAPE_LINE,
                                         ESCAPE_LABEL, ESCAPE_HTML_WORDS};

#define KINDS (sizeof kinds / sizeof *kinds)

struct row {
	const char *in;
	const char *want[5]; /* by kind */
};

TEST(test_rows)
{
	static const struct row rows[] = {
	    {"", {"", "", "", "", ""}},
	    {"plain words 12",
	     {"plain words 12", "plain words 12", "plain words 12", "plain words 12",
	      "plain words 12"}},
	    {"<i>&\"'`",
	     {"<i>&\"'`", "&lt;i&gt;&amp;&quot;&#39;&#96;", "&lt;i>&\"'&#96;",
	      "&lt;i&gt;&amp;&quot;&apos;`", "\\u003ci\\u003e\\u0026\\\"'`"}},
	    {"&lt;", {"&lt;", "&amp;lt;", "&amp;lt;", "&amp;lt;", "\\u0026lt;"}},
	    {"a\tb\nc\rd",
	     {"a\tb\nc" BAD "d", "a\tb\nc\rd", "a b c d", "a\tb\nc\rd", "a\\tb\\nc\\rd"}},
	    {"\x1b[31m\x07\x7f",
	     {BAD "[31m" BAD BAD, BAD "[31m" BAD BAD, BAD "\\[31m" BAD BAD, "[31m",
	      "\\u001b[31m\\u0007\\u007f"}},
	    {"\xc2\x9b"
	     "2J\xc2\x80\xc2\xa0",
	     {BAD "2J" BAD "\xc2\xa0", BAD "2J" BAD "\xc2\xa0", BAD "2J" BAD "\xc2\xa0",
	      "2J\xc2\xa0", "\\u009b2J\\u0080\xc2\xa0"}},
	    {"a\xe2\x80\xae"
	     "b\xe2\x81\xa6",
	     {"a" BAD "b" BAD, "a" BAD "b" BAD, "a" BAD "b" BAD, "ab", "a\\u202eb\\u2066"}},
	    {"x\xe2\x80\xa8y",
	     {"x\xe2\x80\xa8y", "x\xe2\x80\xa8y", "x y", "x\xe2\x80\xa8y", "x\\u2028y"}},
	    {"\xef\xbf\xbe", {"\xef\xbf\xbe", "\xef\xbf\xbe", "\xef\xbf\xbe", "", "\xef\xbf\xbe"}},
	    {"größe 😀", {"größe 😀", "größe 😀", "größe 😀", "größe 😀", "größe 😀"}},
	    {"\\*_{}[]()#+-.!|~$",
	     {"\\*_{}[]()#+-.!|~$", "\\*_{}[]()#+-.!|~$", "\\\\\\*\\_{}\\[\\]()#+-.!\\|\\~\\$",
	      "\\*_{}[]()#+-.!|~$", "\\\\*_{}[]()#+-.!|~$"}},
	    {"@all 12:30 http://a",
	     {"@all 12:30 http://a", "@all 12:30 http://a",
	      "&#64;&#8203;all 12:30 http&#58;&#8203;//a", "@all 12:30 http://a",
	      "@all 12:30 http://a"}},
	    {"a:/b a:", {"a:/b a:", "a:/b a:", "a:/b a:", "a:/b a:", "a:/b a:"}},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t k = 0; k < 5; k++) {
			struct buf b = {0};
			escape_add(&b, kinds[k], rows[i].in, strlen(rows[i].in));
			assert_string_equal(buf_cstr(&b), rows[i].want[k]);
			buf_free(&b);
		}
}

/* What GitHub and GitLab make of the text of a comment, or of a log that it stands in. */
TEST(test_markdown)
{
#define APART "&#8203;"
	static const struct {
		const char *in, *want;
	} rows[] = {
	    {"@team", "&#64;" APART "team"},
	    {"a@b.org", "a&#64;" APART "b.org"},
	    {"#12", "\\#" APART "12"},
	    {"# 1", "\\# 1"},
	    {"o/r#1", "o/r#" APART "1"},
	    {"GH-1 gh-2 Gh-x h-1 -1", "GH-" APART "1 gh-" APART "2 Gh-x h-1 -1"},
	    {"&1 &a", "&amp;" APART "1 &amp;a"},
	    {"!7 %8 ^alert#9 ~x $3 %\"m\"", "\\!7 \\%8 \\^alert#" APART "9 \\~x \\$3 \\%\"m\""},
	    {"irc://a //b", "irc&#58;" APART "//a //b"},
	    {"www.a.org", "www\\.a.org"},
	    {":tada: :+1: :100: a:b 12:30:45 :",
	     "&#58;" APART "tada: &#58;" APART "+1: &#58;" APART "100: a:b 12:30:45 :"},
	    {"::error::x", "&#58;" APART "&#58;" APART "error&#58;" APART ":x"},
	    {"a::b", "a&#58;" APART ":b"},
	    {"##[group]", "\\#\\#\\[group\\]"},
	    {"##vso[x]", "\\#\\#vso\\[x\\]"},
	    {"/close", "&#47;close"},
	    {"a/close", "a/close"},
	    {"{+a+} [-b-]", "{" APART "+a+} \\[" APART "-b-\\]"},
	    {"===", "\\==="},
	    {"a | b", "a \\| b"},
	    {"x\n/close", "x /close"},
	    {"![i](http://a)", "!\\[i\\](http&#58;" APART "//a)"},
	    {"```", "&#96;&#96;&#96;"},
	    {"<!--", "&lt;!--"},
	    {"6.18 s, it's 90 %", "6.18 s, it's 90 %"},
	    {"-5 % (no \"x\") > 2 * 3", "-5 % (no \"x\") > 2 * 3"},
	    {"12. a", "12\\. a"},
	    {"1) a", "1\\) a"},
	    {" 3.", " 3\\."},
	    {"- a", "\\- a"},
	    {"---", "\\---"},
	    {"> a", "&gt; a"},
	    {"peak_memory _a_ a_", "peak_memory \\_a\\_ a\\_"},
	    {"*a* * a", "\\*a\\* * a"},
	    {"* a", "\\* a"},
	    {"a #", "a \\#"},
	    {"C# R & D &lt; &#60;", "C# R & D &amp;lt; &amp;#" APART "60;"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf b = {0};
		escape_add(&b, ESCAPE_MARKDOWN, rows[i].in, strlen(rows[i].in));
		assert_string_equal(buf_cstr(&b), rows[i].want);
		buf_free(&b);
	}
}

/* A line, a cell of tab-separated values; and the value of a label. */
TEST(test_line_and_label)
{
	static const struct {
		const char *in, *line, *label;
	} rows[] = {
	    {"plain <i>&'`", "plain <i>&'`", "plain <i>&'`"},
	    {"a\tb\nc\rd", "a b c d", "a b\\nc d"},
	    {"\"\\", "\"\\", "\\\"\\\\"},
	    {"\x1b[1m\xc2\x9b\xe2\x80\xae", BAD "[1m" BAD BAD, BAD "[1m" BAD BAD},
	    {"x\xe2\x80\xa8y", "x y", "x y"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf a = {0}, b = {0};
		escape_add(&a, ESCAPE_LINE, rows[i].in, strlen(rows[i].in));
		escape_add(&b, ESCAPE_LABEL, rows[i].in, strlen(rows[i].in));
		assert_string_equal(buf_cstr(&a), rows[i].line);
		assert_string_equal(buf_cstr(&b), rows[i].label);
		buf_free(&a);
		buf_free(&b);
	}
}

/* Bytes that are not UTF-8: each is one U+FFFD, and what follows is read again. */
TEST(test_invalid)
{
	static const struct {
		const char *in, *want;
	} rows[] = {
	    {"\x80", BAD},
	    {"\xff\xfe", BAD BAD},
	    {"a\xc3", "a" BAD},
	    {"\xc3(", BAD "("},
	    {"\xc0\xbc", BAD BAD},         /* an overlong < */
	    {"\xe0\x80\xbc", BAD BAD BAD}, /* another */
	    {"\xf0\x80\x80\xbc", BAD BAD BAD BAD},
	    {"\xed\xa0\x80", BAD BAD BAD},         /* a surrogate */
	    {"\xf4\x90\x80\x80", BAD BAD BAD BAD}, /* over U+10FFFF */
	    {"\xe2\x82", BAD BAD},
	    {"\xf0\x9f\x98", BAD BAD BAD},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t k = 0; k < KINDS; k++) {
			struct buf b = {0};
			size_t n = strlen(rows[i].in);
			char *exact = malloc(n); /* no NUL: a read beyond the end is seen */
			assert_non_null(exact);
			memcpy(exact, rows[i].in, n);
			escape_add(&b, kinds[k], exact, n);
			if (strcmp(rows[i].want, BAD "(") != 0 || kinds[k] != ESCAPE_MARKDOWN)
				assert_string_equal(buf_cstr(&b), rows[i].want);
			buf_free(&b);
			free(exact);
		}
}

/* Every byte, NUL included, in every kind: nothing that may not be there comes out. */
TEST(test_every_byte)
{
	static const char *const never[] = {
	    [ESCAPE_NONE] = "\r\x1b\x7f\b",
	    [ESCAPE_HTML] = "<>\"'`\x1b\x7f\b",
	    [ESCAPE_MARKDOWN] = "<`@\n\r\t\x1b\x7f\b",
	    [ESCAPE_XML] = "<>\"'\x1b\x7f\b",
	    [ESCAPE_JSON] = "<>&\n\r\t\x1b\x7f\b",
	    [ESCAPE_LINE] = "\n\r\t\x1b\x7f\b",
	    [ESCAPE_LABEL] = "\n\r\t\x1b\x7f\b",
	    [ESCAPE_HTML_WORDS] = "<>\"'`\x1b\x7f\b",
	};
	char all[256];

	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	for (size_t k = 0; k < KINDS; k++) {
		struct buf b = {0};
		escape_add(&b, kinds[k], all, sizeof all);
		assert_int_equal(strlen(b.s), b.len);
		assert_null(strpbrk(b.s, never[kinds[k]]));
		buf_free(&b);
	}
}

/* A number and its unit stay on one line. */
TEST(test_units)
{
	static const char *const rows[][2] = {
	    {"302 MiB to 720 MiB", "302\u00a0MiB to 720\u00a0MiB"},
	    {"4 min 5 s, 16 CPUs", "4\u00a0min 5\u00a0s, 16\u00a0CPUs"},
	    {"85.6 MiB/s (2 cores).", "85.6\u00a0MiB/s (2\u00a0cores)."},
	    {"61 \u00b0C < 1 h", "61\u00a0\u00b0C &lt; 1\u00a0h"},
	    {"3 runs, 2 small, 5 sheets, a B, 1  s, 7 ",
	     "3 runs, 2 small, 5 sheets, a B, 1  s, 7 "},
	    {" s", " s"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf b = {0};
		escape_add(&b, ESCAPE_HTML_WORDS, rows[i][0], strlen(rows[i][0]));
		assert_string_equal(buf_cstr(&b), rows[i][1]);
		buf_free(&b);
	}
}

TEST(test_long)
{
	static const char evil[] = "</script><script>alert(1)</script>\x1b]0;x\a'\"";
	size_t n = 0, max = (1 << 20) + 100;
	char *in = malloc(max);

	assert_non_null(in);
	while (n < 1 << 20) {
		memcpy(in + n, evil, sizeof evil - 1);
		n += sizeof evil - 1;
	}
	for (size_t k = 0; k < KINDS; k++) {
		struct buf b = {0};
		escape_add(&b, kinds[k], in, n);
		assert_false(b.failed);
		assert_true(b.len > n / 2);
		if (kinds[k] != ESCAPE_NONE && kinds[k] != ESCAPE_LINE && kinds[k] != ESCAPE_LABEL)
			assert_null(strchr(b.s, '<'));
		assert_null(strchr(b.s, '\x1b'));
		assert_null(strchr(b.s, '\a'));
		buf_free(&b);
	}
	free(in);
}

TEST(test_csv)
{
	static const char *const cases[][2] = {
	    {"plain", "plain"},
	    {"say \"x\", y", "say \"\"x\"\", y"},
	    {"=cmd()", "'=cmd()"},
	    {"+1", "'+1"},
	    {"-1", "'-1"},
	    {"@SUM(A1)", "'@SUM(A1)"},
	    {" \t\r\n=1", "    '=1"},
	    {"\xef\xbc\x9d"
	     "1",
	     "'\xef\xbc\x9d"
	     "1"},
	    {"a=1-2+3@4", "a=1-2+3@4"},
	    {"a\nb\tc", "a b c"},
	    {"\x1b[31m", "\xef\xbf\xbd[31m"},
	    {"", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		escape_add(&b, ESCAPE_CSV, cases[i][0], strlen(cases[i][0]));
		assert_string_equal(buf_cstr(&b), cases[i][1]);
		buf_free(&b);
	}
}

TEST(test_json_reads_back)
{
	static const char in[] = "</a> \"q\" \\ \n\t\b \x1f é \xe2\x80\xa9 {{x}}";
	struct buf b = {0};
	cJSON *v;

	buf_char(&b, '"');
	escape_add(&b, ESCAPE_JSON, in, strlen(in));
	buf_char(&b, '"');
	v = cJSON_Parse(b.s);
	assert_non_null(v);
	assert_string_equal(v->valuestring, in);
	cJSON_Delete(v);
	buf_free(&b);
}

TEST(test_cap)
{
	for (size_t k = 0; k < 5; k++) {
		struct buf b = {.max = 16};
		escape_add(&b, kinds[k], "<<<<<<<<<<<<<<<<<<<<", 20);
		assert_true(b.failed);
		assert_true(b.len < 16);
		buf_free(&b);
	}
}
