/* mustache: errors, limits, hostile templates and hostile values. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/report/mustache_row.h"
#include "tests/unit/unit.h"

TEST(test_sentences)
{
	static const struct row rows[] = {
	    {"", "a\nb {{name", "{}", "t.html:2:3: the tag {{name is not closed: }} is missing", 0},
	    {"", "{{", "{}", "t.html:1:1: the tag {{ is not closed: }} is missing", 0},
	    {"", "ü {{{a}}", "{}", "t.html:1:3: the tag {{{a}} is not closed: }}} is missing", 0},
	    {"", "{{=<% %>}}", "{}", "t.html:1:1: the tag {{=<% %>}} is not closed: =}} is missing",
	     0},
	    {"", "{{! x }", "{}", "t.html:1:1: the tag {{! x } is not closed: }} is missing", 0},
	    {"", "\n\n  {{#a}}x", "{}", "t.html:3:3: the section a has no end tag", 0},
	    {"", "{{#a}}{{^b}}x{{/b}}", "{}", "t.html:1:1: the section a has no end tag", 0},
	    {"", "x{{/a}}", "{}", "t.html:1:2: the end tag /a has no open section", 0},
	    {"", "{{#a}}{{#b}}{{/a}}{{/b}}", "{}",
	     "t.html:1:13: the end tag /a is inside the section b, which must end first", 0},
	    {"", "{{#a}}{{/ab}}", "{}",
	     "t.html:1:7: the end tag /ab is inside the section a, which must end first", 0},
	    {"", "{{}}", "{}", "t.html:1:1: a tag without a name", 0},
	    {"", "{{# }}", "{}", "t.html:1:1: a tag without a name", 0},
	    {"", "{{{}}}", "{}", "t.html:1:1: a tag without a name", 0},
	    {"", "{{=<%=}}", "{}",
	     "t.html:1:1: new delimiters are two words of at most 16 bytes, as in {{=<% %>=}}", 0},
	    {"", "{{=a b c=}}", "{}",
	     "t.html:1:1: new delimiters are two words of at most 16 bytes, as in {{=<% %>=}}", 0},
	    {"", "{{==}}", "{}",
	     "t.html:1:1: new delimiters are two words of at most 16 bytes, as in {{=<% %>=}}", 0},
	    {"", "{{=a bbbbbbbbbbbbbbbbb=}}", "{}",
	     "t.html:1:1: new delimiters are two words of at most 16 bytes, as in {{=<% %>=}}", 0},
	    {"", "{{<a}}{{/a}}", "{}",
	     "t.html:1:1: template inheritance (< and $ tags) is not supported", 0},
	    {"", "\n{{>p}}", "{}", "p:2:1: the section x has no end tag", "{\"p\":\"\\n{{#x}}\"}"},
	    {"", " {{>p}}", "{}", "p:1:1: more than 64 nested partials", "{\"p\":\"{{>p}}\"}"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf out = {0};
		struct err e = {0};
		assert_int_equal(row_render(&rows[i], ESCAPE_HTML, &out, &e), -1);
		assert_string_equal(e.msg, rows[i].want);
		assert_int_equal(row_render(&rows[i], ESCAPE_HTML, &out, NULL), -1);
		buf_free(&out);
	}
}

/* A text of n times open, then n times close. */
static char *towers(const char *open, const char *close, int n)
{
	struct buf b = {0};

	for (int i = 0; i < n; i++)
		buf_str(&b, open);
	for (int i = 0; i < n; i++)
		buf_str(&b, close);
	return buf_take(&b);
}

TEST(test_section_depth)
{
	struct row r = {.model = "{\"a\":{\"b\":1}}"};
	struct err e = {0};

	for (int n = 64; n <= 65; n++) {
		struct buf out = {0};
		char *text = towers("{{#a}}", "{{b}}{{/a}}", n);
		r.text = text;
		assert_int_equal(row_render(&r, ESCAPE_HTML, &out, &e), n == 64 ? 0 : -1);
		assert_int_equal(out.len, n == 64 ? 64 : 0);
		free(text);
		buf_free(&out);
	}
	assert_string_equal(e.msg, "t.html:1:385: more than 64 nested sections");
}

/* A chain of n partials, each in 64 sections: the deepest that the caps allow. */
static int chain(int n, struct buf *out, struct err *e)
{
	char *open = towers("{{#a}}", "", 64), *close = towers("", "{{/a}}", 64);
	struct buf text = {0}, partials = {0};
	struct row r = {.model = "{\"a\":{\"n\":1}}"};
	int rc;

	buf_printf(&partials, "{\"p%d\":\"%s{{a.n}}%s\"", n, open, close);
	for (int i = 1; i < n; i++)
		buf_printf(&partials, ",\"p%d\":\"%s\\n {{>p%d}}\\n%s\"", i, open, i + 1, close);
	buf_char(&partials, '}');
	buf_printf(&text, "%s\n {{>p1}}\n%s", open, close);
	r.text = buf_cstr(&text);
	r.partials = buf_cstr(&partials);
	rc = row_render(&r, ESCAPE_NONE, out, e);
	buf_free(&text);
	buf_free(&partials);
	free(open);
	free(close);
	return rc;
}

TEST(test_partial_depth)
{
	struct buf out = {0};
	struct err e = {0};

	if (chain(64, &out, &e))
		fail_msg("%s", e.msg);
	assert_non_null(strstr(buf_cstr(&out), " 1"));
	assert_int_equal(chain(65, &out, &e), -1);
	assert_string_equal(e.msg, "p64:2:2: more than 64 nested partials");
	buf_free(&out);
}

static void expect(const struct row *r, size_t max, const char *want)
{
	struct buf out = {.max = max};
	struct err e = {0};

	assert_int_equal(row_render(r, ESCAPE_HTML, &out, &e), -1);
	if (!strstr(e.msg, want))
		fail_msg("[%s] has no [%s]", e.msg, want);
	buf_free(&out);
}

/* Small templates that would write or run without an end. */
TEST(test_blow_up)
{
	struct buf partials = {0};
	char *loops = towers("{{#l}}", "{{/l}}", 40), *noisy = towers("{{#l}}x", "{{/l}}", 40);
	struct row r = {.text = "{{>p0}}", .model = "{\"l\":[1,2,3,4,5,6,7,8,9]}"};

	buf_str(&partials, "{\"p60\":\"\"");
	for (int i = 0; i < 60; i++)
		buf_printf(&partials, ",\"p%d\":\"{{>p%d}}{{>p%d}}\"", i, i + 1, i + 1);
	buf_char(&partials, '}');
	r.partials = buf_cstr(&partials);
	expect(&r, 0, ": the template takes too long with this model");
	r.text = loops;
	expect(&r, 0, ": the template takes too long with this model");
	r.text = noisy;
	expect(&r, 1 << 20, ": the output is too large, or memory ran out");
	r.text = "{{#l}}{{#l}}{{l}}{{/l}}{{/l}}";
	expect(&r, 1000, "t.html:1:13: the output is too large, or memory ran out");
	free(loops);
	free(noisy);
	buf_free(&partials);
}

TEST(test_caps)
{
	struct buf partials = {0}, text = {0}, out = {0}, deep = {0};
	struct row r = {.model = "{}"};

	buf_str(&partials, "{\"x\":\"\"");
	for (int i = 0; i < 300; i++) {
		buf_printf(&partials, ",\"p%d\":\"%d\"", i, i);
		buf_printf(&text, "{{>p%d}}", i);
	}
	buf_char(&partials, '}');
	r.text = buf_cstr(&text);
	r.partials = buf_cstr(&partials);
	expect(&r, 0, "p255: more than 256 partials");

	for (int i = 0; i < 200; i++)
		buf_str(&deep, "[");
	for (int i = 0; i < 200; i++)
		buf_str(&deep, "]");
	r = (struct row){.text = "{{.}}", .model = buf_cstr(&deep)};
	expect(&r, 0, "t.html:1:1: the value is nested too deeply to be written as JSON");

	buf_clear(&text);
	for (int i = 0; i < (1 << 20) + 1; i++)
		buf_char(&text, '\n');
	r = (struct row){.text = buf_cstr(&text), .model = "{}"};
	expect(&r, 0, "t.html:1048577:1: the template has too many lines and tags");

	assert_int_equal(
	    mustache_render("", ((size_t)16 << 20) + 1, "t", NULL, ESCAPE_HTML, NULL, &out, NULL),
	    -1);
	buf_free(&partials);
	buf_free(&text);
	buf_free(&deep);
}

TEST(test_nothing_given)
{
	static const char text[] = "a{{b}}{{.}}{{#c}}d{{/c}}{{^c}}e{{/c}}{{#.}}x{{/.}}{{>p}}";
	struct buf out = {0};

	assert_int_equal(
	    mustache_render(text, strlen(text), "t", NULL, ESCAPE_NONE, NULL, &out, NULL), 0);
	assert_string_equal(buf_cstr(&out), "ae");
	buf_free(&out);
}

/* Long and hostile values come out whole, and harmless. */
TEST(test_hostile_values)
{
	static const char evil[] = "</script><script>alert(1)</script>\"' onload=x";
	struct buf model = {0}, out = {0};
	struct err e = {0};
	struct row r = {.text = "<b title=\"{{v}}\">{{#l}}{{v}}{{/l}}</b><script>{{{o}}}</script>"};

	buf_str(&model, "{\"v\":\"");
	while (model.len < (1 << 20))
		for (const char *c = evil; *c; c++)
			buf_printf(&model, *c == '"' ? "\\%c" : "%c", *c);
	buf_printf(&model, "\",\"l\":[1,2],\"o\":[\"</script>\"]}");
	r.model = buf_cstr(&model);
	assert_int_equal(row_render(&r, ESCAPE_HTML, &out, &e), 0);
	assert_true(out.len > 3 << 20);
	assert_non_null(strstr(out.s, "<script>[\"\\u003c/script\\u003e\"]</script>"));
	for (const char *s = out.s; (s = strchr(s, '<')); s++)
		assert_true(strncmp(s, "<b title", 8) == 0 || strncmp(s, "</b><script>", 12) == 0 ||
		            strncmp(s, "<script>[", 9) == 0 || strcmp(s, "</script>") == 0);
	buf_free(&model);
	buf_free(&out);
}
