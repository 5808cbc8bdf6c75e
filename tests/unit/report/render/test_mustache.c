/* mustache: every rule of the required modules of the Mustache specification. */
#include <string.h>

#include "tests/unit/report/mustache_row.h"
#include "tests/unit/unit.h"

static void check(const struct row *rows, size_t n)
{
	size_t bad = 0;

	for (size_t i = 0; i < n; i++) {
		struct buf out = {0};
		struct err e = {0};
		if (row_render(&rows[i], ESCAPE_HTML, &out, &e)) {
			print_error("%s: %s\n", rows[i].rule, e.msg);
			bad++;
		} else if (strcmp(buf_cstr(&out), rows[i].want) != 0) {
			print_error("%s:\n  got  [%s]\n  want [%s]\n", rows[i].rule, buf_cstr(&out),
			            rows[i].want);
			bad++;
		}
		buf_free(&out);
	}
	assert_int_equal(bad, 0);
}

#define CHECK(rows) check(rows, sizeof rows / sizeof *rows)

TEST(test_interpolation)
{
	static const struct row rows[] = {
	    {"nothing", "", "{}", "", 0},
	    {"no tag", "a {b} c } d\n{ {e} }", "{}", "a {b} c } d\n{ {e} }", 0},
	    {"a name", "run {{name}}.", "{\"name\":\"sort\"}", "run sort.", 0},
	    {"twice", "{{a}}{{a}}{{b}}", "{\"a\":\"x\",\"b\":\"y\"}", "xxy", 0},
	    {"escaped", "{{a}}", "{\"a\":\"<i> & \\\"q\\\" 'r'\"}",
	     "&lt;i&gt; &amp; &quot;q&quot; &#39;r&#39;", 0},
	    {"triple is raw", "{{{a}}}", "{\"a\":\"<i> & \\\"q\\\" 'r'\"}", "<i> & \"q\" 'r'", 0},
	    {"ampersand is raw", "{{&a}}", "{\"a\":\"<i> & \\\"q\\\" 'r'\"}", "<i> & \"q\" 'r'", 0},
	    {"integer", "{{n}} s", "{\"n\":85}", "85 s", 0},
	    {"integer, triple", "{{{n}}} s", "{\"n\":85}", "85 s", 0},
	    {"integer, ampersand", "{{&n}} s", "{\"n\":-85}", "-85 s", 0},
	    {"decimal in shortest form", "{{n}}", "{\"n\":2.50}", "2.5", 0},
	    {"decimal, triple", "{{{n}}}", "{\"n\":2.50}", "2.5", 0},
	    {"decimal, ampersand", "{{&n}}", "{\"n\":0.1}", "0.1", 0},
	    {"zero is printed", "{{n}}", "{\"n\":0}", "0", 0},
	    {"large integer", "{{n}}", "{\"n\":9007199254740993}", "9007199254740992", 0},
	    {"true and false", "{{a}} {{b}}", "{\"a\":true,\"b\":false}", "true false", 0},
	    {"null is empty", "({{a}}{{{a}}}{{&a}})", "{\"a\":null}", "()", 0},
	    {"null hides an outer value", "{{#s}}({{a}}){{/s}}", "{\"a\":1,\"s\":{\"a\":null}}",
	     "()", 0},
	    {"missing is empty", "({{a}})", "{}", "()", 0},
	    {"missing, triple", "({{{a}}})", "{}", "()", 0},
	    {"missing, ampersand", "({{&a}})", "{}", "()", 0},
	    {"case matters", "({{Name}})", "{\"name\":\"x\"}", "()", 0},
	    {"case picks", "{{b}}{{B}}", "{\"B\":1,\"b\":2}", "21", 0},
	    {"object is JSON", "{{{o}}}", "{\"o\":{\"a\":[1,\"x\",null,true,{}],\"b\":{}}}",
	     "{\"a\":[1,\"x\",null,true,{}],\"b\":{}}", 0},
	    {"array is JSON", "{{{o}}}", "{\"o\":[1.5,[]]}", "[1.5,[]]", 0},
	    {"JSON is fit for <script>", "{{{o}}}", "{\"o\":[\"</script>&\"]}",
	     "[\"\\u003c/script\\u003e\\u0026\"]", 0},
	    {"JSON escaped by kind", "{{o}}", "{\"o\":{\"a\":1}}", "{&quot;a&quot;:1}", 0},
	    {"spaces around are kept", "| {{a}} |", "{\"a\":\"-\"}", "| - |", 0},
	    {"spaces around, triple", "| {{{a}}} |", "{\"a\":\"-\"}", "| - |", 0},
	    {"spaces around, ampersand", "| {{&a}} |", "{\"a\":\"-\"}", "| - |", 0},
	    {"alone on a line", "  {{a}}\n", "{\"a\":\"-\"}", "  -\n", 0},
	    {"alone on a line, triple", "  {{{a}}}\n", "{\"a\":\"-\"}", "  -\n", 0},
	    {"alone on a line, ampersand", "  {{&a}}\n", "{\"a\":\"-\"}", "  -\n", 0},
	    {"missing, alone on a line", "a\n  {{b}}\nc", "{}", "a\n  \nc", 0},
	    {"padding", "{{ a }}{{\ta\t}}{{\n a\n}}", "{\"a\":\"-\"}", "---", 0},
	    {"padding, triple", "{{{  a\n}}}", "{\"a\":\"-\"}", "-", 0},
	    {"padding, ampersand", "{{&   a }}{{ & a }}", "{\"a\":\"-\"}", "--", 0},
	    {"value is not a template", "{{a}}{{{a}}}", "{\"a\":\"{{b}}\",\"b\":\"x\"}",
	     "{{b}}{{b}}", 0},
	    {"name of another alphabet", "{{größe}}", "{\"größe\":\"ü\"}", "ü", 0},
	    {"name with a space", "{{host name}}", "{\"host name\":\"h\"}", "h", 0},
	    {"brace after a tag", "{{a}}}", "{\"a\":1}", "1}", 0},
	    {"brace before a tag", "{ {{a}} }", "{\"a\":1}", "{ 1 }", 0},
	};

	CHECK(rows);
}

TEST(test_dotted)
{
	static const struct row rows[] = {
	    {"path", "{{a.b}}", "{\"a\":{\"b\":1}}", "1", 0},
	    {"path, triple", "{{{a.b}}}", "{\"a\":{\"b\":\"<\"}}", "<", 0},
	    {"path, ampersand", "{{&a.b}}", "{\"a\":{\"b\":\"<\"}}", "<", 0},
	    {"as sections", "{{a.b}} {{#a}}{{b}}{{/a}}", "{\"a\":{\"b\":1}}", "1 1", 0},
	    {"deep", "{{a.b.c.d.e.f}}", "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{\"f\":7}}}}}}", "7",
	     0},
	    {"broken at the end", "({{a.b}})", "{\"a\":{}}", "()", 0},
	    {"broken in the middle", "({{a.b.c}})", "{\"a\":{}}", "()", 0},
	    {"broken at a string", "({{a.b}})", "{\"a\":\"x\"}", "()", 0},
	    {"only within its parent", "({{a.b.c.n}})", "{\"a\":{\"b\":{}},\"c\":{\"n\":1}}", "()",
	     0},
	    {"no way back to the root", "({{a.n}})", "{\"a\":{},\"n\":1}", "()", 0},
	    {"first part: nearest", "{{#a}}{{b.c}}{{/a}}",
	     "{\"a\":{\"b\":{\"c\":1}},\"b\":{\"c\":2}}", "1", 0},
	    {"first part: outer", "{{#a}}{{b.c}}{{/a}}", "{\"a\":{\"x\":1},\"b\":{\"c\":2}}", "2",
	     0},
	    {"first part decides", "({{#a}}{{b.c}}{{/a}})", "{\"a\":{\"b\":{}},\"b\":{\"c\":2}}",
	     "()", 0},
	    {"not one key", "({{a.b}})", "{\"a.b\":1}", "()", 0},
	    {"nor hidden by one", "{{a.b}}", "{\"a.b\":1,\"a\":{\"b\":2}}", "2", 0},
	    {"leading dot: here only", "({{#a}}{{.n}}{{/a}}{{#b}}{{.n}}{{/b}})",
	     "{\"a\":{\"x\":1},\"b\":{\"n\":2},\"n\":3}", "(2)", 0},
	    {"trailing dot", "({{a.}})", "{\"a\":{\"b\":1}}", "()", 0},
	    {"two dots", "({{a..b}}{{..}})", "{\"a\":{\"b\":1}}", "()", 0},
	    {"section", "{{#a.b}}y{{/a.b}}", "{\"a\":{\"b\":true}}", "y", 0},
	    {"section, false", "({{#a.b}}y{{/a.b}})", "{\"a\":{\"b\":false}}", "()", 0},
	    {"section, broken", "({{#a.b.c}}y{{/a.b.c}})", "{\"a\":{}}", "()", 0},
	    {"inverted", "({{^a.b}}n{{/a.b}})", "{\"a\":{\"b\":true}}", "()", 0},
	    {"inverted, false", "{{^a.b}}n{{/a.b}}", "{\"a\":{\"b\":false}}", "n", 0},
	    {"inverted, broken", "{{^a.b.c}}n{{/a.b.c}}", "{\"a\":{}}", "n", 0},
	    {"section over a list", "{{#a.b}}{{.}},{{/a.b}}", "{\"a\":{\"b\":[1,2]}}", "1,2,", 0},
	};

	CHECK(rows);
}

TEST(test_sections)
{
	static const struct row rows[] = {
	    {"true", "({{#b}}in{{/b}})", "{\"b\":true}", "(in)", 0},
	    {"false", "({{#b}}in{{/b}})", "{\"b\":false}", "()", 0},
	    {"null", "({{#b}}in{{/b}})", "{\"b\":null}", "()", 0},
	    {"missing", "({{#b}}in{{/b}})", "{}", "()", 0},
	    {"empty list", "({{#b}}in{{/b}})", "{\"b\":[]}", "()", 0},
	    {"empty object is true", "({{#b}}in{{/b}})", "{\"b\":{}}", "(in)", 0},
	    {"zero is false", "({{#b}}in{{/b}})", "{\"b\":0}", "()", 0},
	    {"empty string is false", "({{#b}}in{{/b}})", "{\"b\":\"\"}", "()", 0},
	    {"\"0\" is true", "({{#b}}{{.}}{{/b}})", "{\"b\":\"0\"}", "(0)", 0},
	    {"number is true", "({{#b}}{{.}}{{/b}})", "{\"b\":-1}", "(-1)", 0},
	    {"string is not a list", "{{#b}}x{{/b}}", "{\"b\":\"123\"}", "x", 0},
	    {"object is the context", "{{#o}}{{n}}{{/o}}", "{\"o\":{\"n\":\"Jo\"},\"n\":\"no\"}",
	     "Jo", 0},
	    {"what is around", "{{#o}}{{a}}{{b}}{{c.d}}{{/o}}",
	     "{\"a\":1,\"b\":9,\"o\":{\"b\":2},\"c\":{\"d\":3}}", "123", 0},
	    {"value of the test", "{{#f}}{{.}} = {{f}}{{/f}}", "{\"f\":\"bar\"}", "bar = bar", 0},
	    {"list", "{{#l}}{{n}};{{/l}}", "{\"l\":[{\"n\":1},{\"n\":2},{\"n\":3}]}", "1;2;3;", 0},
	    {"list of one", "{{#l}}x{{/l}}", "{\"l\":[0]}", "x", 0},
	    {"false items count", "{{#l}}[{{.}}]{{/l}}", "{\"l\":[false,null,0,\"\",[]]}",
	     "[false][][0][][[]]", 0},
	    {"list in list", "{{#a}}{{#b}}{{x.u}}{{y}}.{{#c}}{{x.v}}{{y}}{{z}}.{{/c}}{{/b}}{{/a}}",
	     "{\"a\":[{\"x\":{\"u\":\"A\",\"v\":\"a\"},\"b\":[{\"y\":\"1\",\"c\":[{\"z\":\"p\"},"
	     "{\"z\":\"q\"}]}]}]}",
	     "A1.a1p.a1q.", 0},
	    {"deep",
	     "{{#a}}\n{{i}}\n{{#b}}\n{{i}}{{j}}{{i}}\n{{#c}}\n{{i}}{{j}}{{k}}{{j}}{{i}}\n"
	     "{{#d}}\n{{i}}{{k}}{{.}}\n{{/d}}\n{{j}}\n{{/c}}\n{{i}}\n{{/b}}\n{{i}}\n{{/a}}\n",
	     "{\"a\":{\"i\":1},\"b\":{\"j\":2},\"c\":{\"k\":3,\"d\":5}}",
	     "1\n121\n12321\n135\n2\n1\n1\n", 0},
	    {"popped", "{{#o}}{{n}}{{/o}}{{n}}", "{\"n\":1,\"o\":{\"n\":2}}", "21", 0},
	    {"popped after a list", "{{#l}}{{n}}{{/l}}{{n}}", "{\"n\":1,\"l\":[{\"n\":2},3]}",
	     "211", 0},
	    {"twice", "{{#b}}1{{/b}} {{t}} {{#b}}3{{/b}}", "{\"b\":true,\"t\":2}", "1 2 3", 0},
	    {"nested", "A {{#b}}B {{#b}}C{{/b}} D{{/b}} E", "{\"b\":true}", "A B C D E", 0},
	    {"nested, false", "A {{#b}}B {{#b}}C{{/b}} D{{/b}} E", "{\"b\":false}", "A  E", 0},
	    {"false skips all within", "({{#b}}{{#l}}{{.}}{{/l}}{{>p}}{{/b}})",
	     "{\"b\":false,\"l\":[1]}", "()", "{\"p\":\"P\"}"},
	    {"strings", "{{#l}}({{.}}){{/l}}", "{\"l\":[\"a\",\"b\"]}", "(a)(b)", 0},
	    {"integers", "{{#l}}({{.}}){{/l}}", "{\"l\":[1,20]}", "(1)(20)", 0},
	    {"decimals", "{{#l}}({{.}}){{/l}}", "{\"l\":[1.10,2.25]}", "(1.1)(2.25)", 0},
	    {"iterator of lists", "{{#l}}({{#.}}{{.}}{{/.}}){{/l}}",
	     "{\"l\":[[1,2],[\"a\",\"b\"],[]]}", "(12)(ab)()", 0},
	    {"iterator is escaped", "{{#l}}{{.}}{{/l}}", "{\"l\":[\"&\",\"<\"]}", "&amp;&lt;", 0},
	    {"iterator, triple", "{{#l}}{{{.}}}{{/l}}", "{\"l\":[\"&\",\"<\"]}", "&<", 0},
	    {"iterator, ampersand", "{{#l}}{{&.}}{{/l}}", "{\"l\":[\"&\",\"<\"]}", "&<", 0},
	    {"root list", "{{#.}}({{v}}){{/.}}", "[{\"v\":1},{\"v\":2}]", "(1)(2)", 0},
	    {"root string", "({{.}})", "\"w<\"", "(w&lt;)", 0},
	    {"a list is not a context", "({{#l}}{{n}}{{/l}})", "{\"l\":[[{\"n\":1}]]}", "()", 0},
	    {"around a string", "{{#l}}{{.}}{{n}} {{/l}}", "{\"l\":[\"a\",\"b\"],\"n\":1}",
	     "a1 b1 ", 0},
	    {"spaces around", " | {{#b}}\t|\t{{/b}} | \n", "{\"b\":1}", " | \t|\t | \n", 0},
	    {"spaces within", " | {{#b}} {{! no }}\n {{/b}} | \n", "{\"b\":1}", " |  \n  | \n", 0},
	    {"on a line with text", " {{#b}}YES{{/b}}\n {{#b}}GOOD{{/b}}\n", "{\"b\":1}",
	     " YES\n GOOD\n", 0},
	    {"lines alone", "a\n{{#b}}\n|\n{{/b}}\nz\n", "{\"b\":1}", "a\n|\nz\n", 0},
	    {"indented lines alone", "a\n  {{#b}}\n|\n\t{{/b}}  \nz\n", "{\"b\":1}", "a\n|\nz\n",
	     0},
	    {"CR LF", "|\r\n{{#b}}\r\n{{/b}}\r\n|", "{\"b\":1}", "|\r\n|", 0},
	    {"CR alone is text", "{{#b}}\r{{/b}}", "{\"b\":1}", "\r", 0},
	    {"no line before", "  {{#b}}\n#{{/b}}\n/", "{\"b\":1}", "#\n/", 0},
	    {"no line after", "#{{#b}}\n/\n  {{/b}}", "{\"b\":1}", "#\n/\n", 0},
	    {"two tags on a line are not alone", "{{#b}} {{/b}}\nx", "{\"b\":1}", " \nx", 0},
	    {"nor are two ends", "{{#b}}\n{{#b}}\ny\n{{/b}}{{/b}}\nx", "{\"b\":1}", "y\n\nx", 0},
	    {"padding", "|{{# b }}={{/\tb\n}}|", "{\"b\":1}", "|=|", 0},
	    {"list of lines", "{{#l}}\n- {{.}}\n{{/l}}\n", "{\"l\":[1,2]}", "- 1\n- 2\n", 0},
	    {"same name in another", "{{#a}}{{#a}}{{.}}{{/a}}{{/a}}", "{\"a\":\"x\"}", "x", 0},
	};

	CHECK(rows);
}

TEST(test_inverted)
{
	static const struct row rows[] = {
	    {"false", "({{^b}}no{{/b}})", "{\"b\":false}", "(no)", 0},
	    {"true", "({{^b}}no{{/b}})", "{\"b\":true}", "()", 0},
	    {"null", "({{^b}}no{{/b}})", "{\"b\":null}", "(no)", 0},
	    {"missing", "({{^b}}no{{/b}})", "{}", "(no)", 0},
	    {"object", "({{^b}}no{{/b}})", "{\"b\":{\"n\":1}}", "()", 0},
	    {"list", "({{^b}}no{{/b}})", "{\"b\":[{\"n\":1}]}", "()", 0},
	    {"list of false", "({{^b}}no{{/b}})", "{\"b\":[false]}", "()", 0},
	    {"empty list", "({{^b}}no{{/b}})", "{\"b\":[]}", "(no)", 0},
	    {"zero", "({{^b}}no{{/b}})", "{\"b\":0}", "(no)", 0},
	    {"empty string", "({{^b}}no{{/b}})", "{\"b\":\"\"}", "(no)", 0},
	    {"string", "({{^b}}no{{/b}})", "{\"b\":\"x\"}", "()", 0},
	    {"context stays", "{{#o}}{{^b}}{{n}}{{.n}}{{/b}}{{/o}}", "{\"o\":{\"n\":1}}", "11", 0},
	    {"after a section within", "{{^b}}{{#l}}{{.}}{{/l}}{{n}}{{/b}}{{n}}",
	     "{\"l\":[1,2],\"n\":3}", "1233", 0},
	    {"twice", "{{^b}}1{{/b}} {{t}} {{^b}}3{{/b}}", "{\"t\":2}", "1 2 3", 0},
	    {"nested", "A {{^b}}B {{^b}}C{{/b}} D{{/b}} E", "{}", "A B C D E", 0},
	    {"nested, true", "A {{^b}}B {{^b}}C{{/b}} D{{/b}} E", "{\"b\":1}", "A  E", 0},
	    {"either or", "{{#b}}y{{/b}}{{^b}}n{{/b}}", "{\"b\":\"\"}", "n", 0},
	    {"spaces around", " | {{^b}}\t|\t{{/b}} | \n", "{}", " | \t|\t | \n", 0},
	    {"spaces within", " | {{^b}} {{! no }}\n {{/b}} | \n", "{}", " |  \n  | \n", 0},
	    {"on a line with text", " {{^b}}NO{{/b}}\n {{^b}}WAY{{/b}}\n", "{}", " NO\n WAY\n", 0},
	    {"lines alone", "a\n{{^b}}\n|\n{{/b}}\nz\n", "{}", "a\n|\nz\n", 0},
	    {"indented lines alone", "a\n  {{^b}}\n|\n  {{/b}}\nz\n", "{}", "a\n|\nz\n", 0},
	    {"CR LF", "|\r\n{{^b}}\r\n{{/b}}\r\n|", "{}", "|\r\n|", 0},
	    {"no line before", "  {{^b}}\n^{{/b}}\n/", "{}", "^\n/", 0},
	    {"no line after", "^{{^b}}\n/\n  {{/b}}", "{}", "^\n/\n", 0},
	    {"padding", "|{{^ b }}={{/ b }}|", "{}", "|=|", 0},
	};

	CHECK(rows);
}

TEST(test_comments)
{
	static const struct row rows[] = {
	    {"inline", "12{{! no }}34", "{}", "1234", 0},
	    {"empty", "12{{!}}34", "{}", "1234", 0},
	    {"many lines", "12{{!\n no\n  more }}34\n", "{}", "1234\n", 0},
	    {"alone", "a\n{{! no }}\nz\n", "{}", "a\nz\n", 0},
	    {"alone, indented", "a\n \t{{! no }} \nz\n", "{}", "a\nz\n", 0},
	    {"CR LF", "|\r\n{{! no }}\r\n|", "{}", "|\r\n|", 0},
	    {"no line before", "  {{! no }}\n!", "{}", "!", 0},
	    {"no line after", "!\n  {{! no }}", "{}", "!\n", 0},
	    {"many lines alone", "a\n{{!\nno\n}}\nz\n", "{}", "a\nz\n", 0},
	    {"many lines alone, indented", "a\n  {{!\n    no\n  }}\nz\n", "{}", "a\nz\n", 0},
	    {"after text", "  12 {{! no }}\n", "{}", "  12 \n", 0},
	    {"before text", "{{! no }} 12\n", "{}", " 12\n", 0},
	    {"spaces around", "1 {{! no }} 2", "{}", "1  2", 0},
	    {"anything but the end", "({{! {{a}})}}", "{\"a\":1}", "()}}", 0},
	    {"looks like a tag", "({{!#a}}{{!/b}}{{!=x=}}{{!{c}}})", "{}", "(})", 0},
	    {"only line", "{{! no }}", "{}", "", 0},
	    {"two on a line are not alone", "a\n{{!x}} {{!y}}\nz", "{}", "a\n \nz", 0},
	};

	CHECK(rows);
}

TEST(test_delimiters)
{
	static const struct row rows[] = {
	    {"pair", "{{=<% %>=}}(<%t%>)", "{\"t\":\"hey\"}", "(hey)", 0},
	    {"one character", "({{=[ ]=}}[t])", "{\"t\":\"hey\"}", "(hey)", 0},
	    {"old ones are text", "{{=<% %>=}}{{t}}<%t%>", "{\"t\":1}", "{{t}}1", 0},
	    {"and back", "{{=<% %>=}}<%t%><%={{ }}=%>{{t}}<%t%>", "{\"t\":1}", "11<%t%>", 0},
	    {"in sections", "{{#s}}\n {{d}} |d|\n{{/s}}\n{{= | | =}}\n|#s|\n {{d}} |d|\n|/s|\n",
	     "{\"s\":1,\"d\":\"x\"}", " x |d|\n {{d}} x\n", 0},
	    {"in inverted sections",
	     "{{^s}}\n {{d}} |d|\n{{/s}}\n{{= | | =}}\n|^s|\n {{d}} |d|\n|/s|\n", "{\"d\":\"x\"}",
	     " x |d|\n {{d}} x\n", 0},
	    {"changed within a section", "{{#s}}{{=| |=}}|d|{{d}}|/s||d|",
	     "{\"s\":[1,2],\"d\":\"x\"}", "x{{d}}x{{d}}x", 0},
	    {"not for partials", "[{{>p}}]\n{{= | | =}}\n[|>p|]\n", "{\"v\":1}", "[.1.]\n[.1.]\n",
	     "{\"p\":\".{{v}}.\"}"},
	    {"not from partials", "[{{>p}}]\n[{{v}}|v|]\n", "{\"v\":1}", "[.1. .1.]\n[1|v|]\n",
	     "{\"p\":\".{{v}}.{{= | | =}} .|v|.\"}"},
	    {"spaces around", "| {{=@ @=}} |", "{}", "|  |", 0},
	    {"after text", " | {{=@ @=}}\n", "{}", " | \n", 0},
	    {"alone", "a\n{{=@ @=}}\nz\n", "{}", "a\nz\n", 0},
	    {"alone, indented", "a\n  {{=@ @=}}\nz\n", "{}", "a\nz\n", 0},
	    {"CR LF", "|\r\n{{= @ @ =}}\r\n|", "{}", "|\r\n|", 0},
	    {"no line before", "  {{=@ @=}}\n=", "{}", "=", 0},
	    {"no line after", "=\n  {{=@ @=}}", "{}", "=\n", 0},
	    {"padding", "|{{= @   @ =}}@v@|", "{\"v\":1}", "|1|", 0},
	    {"line break between", "|{{= <\n> =}}<v>|", "{\"v\":1}", "|1|", 0},
	    {"triple with others", "{{=<% %>=}}<%{t}%><%&t%><%t%>", "{\"t\":\"<\"}", "<<&lt;", 0},
	    {"comment with others", "{{=<% %>=}}(<%! no %>)", "{}", "()", 0},
	    {"equals sign in them", "{{=<= =>=}}(<=t=>)", "{\"t\":1}", "(1)", 0},
	};

	CHECK(rows);
}

TEST(test_partials)
{
	static const struct row rows[] = {
	    {"basic", "({{>p}})", "{}", "(in)", "{\"p\":\"in\"}"},
	    {"missing", "({{>p}})", "{}", "()", 0},
	    {"missing, alone", "a\n {{>p}}\nz", "{}", "a\nz", 0},
	    {"context", "({{>p}})", "{\"t\":\"c\"}", "(*c*)", "{\"p\":\"*{{t}}*\"}"},
	    {"context of a section", "{{#l}}{{>p}}{{/l}}", "{\"l\":[{\"n\":1},{\"n\":2}]}",
	     "<1><2>", "{\"p\":\"<{{n}}>\"}"},
	    {"name with dots and slashes", "{{>a/b.html}}", "{}", "x", "{\"a/b.html\":\"x\"}"},
	    {"recursion", "{{>n}}", "{\"c\":\"X\",\"n\":[{\"c\":\"Y\",\"n\":[]}]}", "X<Y<>>",
	     "{\"n\":\"{{c}}<{{#n}}{{>n}}{{/n}}>\"}"},
	    {"nested", "{{>o}}", "{\"a\":1,\"b\":2}", "*1 2*",
	     "{\"o\":\"*{{a}} {{>i}}*\",\"i\":\"{{b}}\"}"},
	    {"spaces around", "| {{>p}} |", "{}", "| \t|\t |", "{\"p\":\"\\t|\\t\"}"},
	    {"inline: no indentation", "  {{d}}  {{> p}}\n", "{\"d\":\"|\"}", "  |  >\n>\n",
	     "{\"p\":\">\\n>\"}"},
	    {"CR LF", "|\r\n{{>p}}\r\n|", "{}", "|\r\n>|", "{\"p\":\">\"}"},
	    {"no line before", "  {{>p}}\n>", "{}", "  >\n  >>", "{\"p\":\">\\n>\"}"},
	    {"no line after", ">\n  {{>p}}", "{}", ">\n  >\n  >", "{\"p\":\">\\n>\"}"},
	    {"template lines are indented, values not", "\\\n {{>p}}\n/\n", "{\"c\":\"<\\n->\"}",
	     "\\\n |\n <\n->\n |\n/\n", "{\"p\":\"|\\n{{{c}}}\\n|\\n\"}"},
	    {"value in the middle", " {{>p}}\n", "{\"c\":\"1\\n2\"}", " a1\n2b1\n2c\n",
	     "{\"p\":\"a{{c}}b{{c}}c\\n\"}"},
	    {"indentation adds up", " {{>a}}\n", "{}", " a\n   b\n    c\n   b2\n a2\n",
	     "{\"a\":\"a\\n  {{>b}}\\na2\\n\",\"b\":\"b\\n {{>c}}\\nb2\\n\",\"c\":\"c\\n\"}"},
	    {"inline within an indented one", "  {{>a}}\n", "{}", "  x 1\n2 y\n  z\n",
	     "{\"a\":\"x {{>b}} y\\nz\\n\",\"b\":\"1\\n2\"}"},
	    {"tabs", "\t{{>p}}\n", "{}", "\ta\n\tb\n", "{\"p\":\"a\\nb\\n\"}"},
	    {"sections are alone there too", "  {{>p}}\n", "{\"l\":[1,2]}",
	     "  <ul>\n    1\n    2\n  </ul>\n",
	     "{\"p\":\"<ul>\\n{{#l}}\\n  {{.}}\\n{{/l}}\\n</ul>\\n\"}"},
	    {"a line that begins with a section", "  {{>p}}\n", "{\"b\":1}", "  x\n  y\n",
	     "{\"p\":\"{{#b}}x{{/b}}\\n{{^b}}n{{/b}}y\\n\"}"},
	    {"a line break in a section", "  {{>p}}\n", "{\"l\":[1,2]}", "  a1\n  2\n  b\n",
	     "{\"p\":\"a{{#l}}{{.}}\\n{{/l}}b\\n\"}"},
	    {"comments vanish with their line", "  {{>p}}\n", "{}", "  a\n  b\n",
	     "{\"p\":\"a\\n {{! no\\n no }}\\nb\\n\"}"},
	    {"empty partial", "a\n  {{>p}}\nz", "{}", "a\nz", "{\"p\":\"\"}"},
	    {"padding", "|{{> p }}|{{>\tp\n}}|", "{}", "|[]|[]|", "{\"p\":\"[]\"}"},
	    {"used twice, other indentation", "{{>p}}\n {{>p}}\n", "{}", "a\nb\n a\n b\n",
	     "{\"p\":\"a\\nb\\n\"}"},
	    {"CSS is inserted as it is", "<style>{{>a.css}}</style>", "{\"x\":1}",
	     "<style>a{{x}}\n{{#</style>", "{\"a.css\":\"a{{x}}\\n{{#\"}"},
	    {"script is not indented", "  {{>a.js}}\n|", "{}", "a\nb\n|",
	     "{\"a.js\":\"a\\nb\\n\"}"},
	    {"but .json and .html are templates", "{{>a.json}}{{>a.html}}", "{\"x\":1}", "11",
	     "{\"a.json\":\"{{x}}\",\"a.html\":\"{{x}}\"}"},
	    {"escaped there too", "{{>p}}", "{\"t\":\"<\"}", "&lt;<", "{\"p\":\"{{t}}{{{t}}}\"}"},
	    {"a text that is a template", "{{>p}}", "{\"t\":\"{{>p}}\"}", "{{&gt;p}}",
	     "{\"p\":\"{{t}}\"}"},
	};

	CHECK(rows);
}

/* Words of rtrack's own, on a page; names, and what is to be copied, stay as they are. */
TEST(test_units)
{
	static const struct row rows[] = {
	    {"a quantity", "{{a.text}}", "{\"a\":{\"text\":\"2 GiB\"}}", "2\u00a0GiB", NULL},
	    {"its note", "{{used_note}}", "{\"used_note\":\"of 2 GiB\"}", "of 2\u00a0GiB", NULL},
	    {"a name", "{{name}}", "{\"name\":\"2 GiB\"}", "2 GiB", NULL},
	    {"code", "<code>{{text}}</code>", "{\"text\":\"2 GiB\"}", "<code>2 GiB</code>", NULL},
	    {"a tree", "{{{text}}}", "{\"text\":\"2 GiB\"}", "2 GiB", NULL},
	};

	CHECK(rows);
}

TEST(test_kinds)
{
	static const struct {
		enum escape_kind kind;
		const char *want;
	} rows[] = {
	    {ESCAPE_NONE, "<a*> <a*> -1.5"},
	    {ESCAPE_HTML, "&lt;a*&gt; <a*> -1.5"},
	    {ESCAPE_MARKDOWN, "&lt;a\\*> <a*> -1.5"},
	    {ESCAPE_XML, "&lt;a*&gt; <a*> -1.5"},
	    {ESCAPE_JSON, "\\u003ca*\\u003e <a*> -1.5"},
	};
	static const struct row r = {"", "{{a}} {{{a}}} {{n}}", "{\"a\":\"<a*>\",\"n\":-1.5}", "",
	                             0};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf out = {0};
		struct err e = {0};
		assert_int_equal(row_render(&r, rows[i].kind, &out, &e), 0);
		assert_string_equal(buf_cstr(&out), rows[i].want);
		buf_free(&out);
	}
	assert_int_equal(mustache_kind_of("a/report.html"), ESCAPE_HTML);
	assert_int_equal(mustache_kind_of("A.HTM"), ESCAPE_HTML);
	assert_int_equal(mustache_kind_of("summary.md"), ESCAPE_MARKDOWN);
	assert_int_equal(mustache_kind_of("junit.xml"), ESCAPE_XML);
	assert_int_equal(mustache_kind_of("@gpu_tracker.json"), ESCAPE_JSON);
	assert_int_equal(mustache_kind_of("summary.txt"), ESCAPE_NONE);
	assert_int_equal(mustache_kind_of("html"), ESCAPE_NONE);
	assert_int_equal(mustache_kind_of("a.html/x"), ESCAPE_NONE);
	assert_int_equal(mustache_kind_of(""), ESCAPE_NONE);
}
