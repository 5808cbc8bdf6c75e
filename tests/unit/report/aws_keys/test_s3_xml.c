/* s3_xml: answers as stores give them, and as no store should. */
#include <string.h>

#include "core/base/buf.h"
#include "report/aws_keys/s3_xml.h"
#include "tests/unit/unit.h"

/* Writes "path=text|" of each element; ends at the text STOP. */
static int write_element(void *ctx, const char *path, const char *text, struct err *e)
{
	struct buf *out = ctx;

	buf_printf(out, "%s=%s|", path, text);
	return strcmp(text, "STOP") == 0 ? err_set(e, "stopped at %s", path) : 0;
}

TEST(test_elements)
{
	static const struct {
		const char *xml, *elements;
	} cases[] = {
	    {"<a/>", "a=|"},
	    {"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>NoSuchKey</Code>"
	     "<Message>a &lt;b&gt; &amp; &quot;c&quot; &#65;</Message></Error>",
	     "Error/Code=NoSuchKey|Error/Message=a <b> & \"c\" A|Error=|"},
	    {"<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\n"
	     " <Contents>\n  <Key>a b</Key>\n  <Size>1</Size>\n </Contents>\n"
	     " <Contents><Key>\xc3\xbc</Key></Contents>\n</ListBucketResult>\n",
	     "ListBucketResult/Contents/Key=a b|ListBucketResult/Contents/Size=1|"
	     "ListBucketResult/Contents=|ListBucketResult/Contents/Key=\xc3\xbc|"
	     "ListBucketResult/Contents=|ListBucketResult=|"},
	    {"<s:A xmlns:s=\"x\"><s:B>1</s:B></s:A>", "A/B=1|A=|"},
	    {"<a><![CDATA[<x>&]]></a>", "a=<x>&|"},
	    {"<a>one<b/>two</a>", "a/b=|a=|"},
	    {"<a><!-- no --><b t=\"1\"> x </b></a>", "a/b= x |a=|"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = {0};
		struct err e = {0};
		if (s3_xml_walk(cases[i].xml, strlen(cases[i].xml), write_element, &out, &e))
			fail_msg("%s: %s", cases[i].xml, e.msg);
		assert_string_equal(buf_cstr(&out), cases[i].elements);
		buf_free(&out);
	}
}

static void expect_refused(const char *xml, size_t n, const char *sentence)
{
	struct buf out = {0};
	struct err e = {0};

	assert_int_equal(s3_xml_walk(xml, n, write_element, &out, &e), -1);
	assert_string_equal(e.msg, sentence);
	buf_free(&out);
}

TEST(test_refused)
{
	static const struct {
		const char *xml, *sentence;
	} cases[] = {
	    {"", "the answer is empty"},
	    {"{\"a\":1}", "the answer is not valid XML (byte 0)"},
	    {"<html><br></html>", "the answer is not valid XML (byte 12)"},
	    {"<a>\x01</a>", "the answer is not valid XML (byte 3)"},
	    {"<a>\xff</a>", "the answer is not valid XML (byte 3)"},
	    {"<a>&nbsp;</a>", "the answer is not valid XML (byte 3)"},
	    {"<a/><b/>", "the answer is not valid XML (byte 4)"},
	    {"<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
	     "the answer's XML has a document type, which is refused"},
	    {"<!DOCTYPE a><a/>", "the answer's XML has a document type, which is refused"},
	    {"<a><b>STOP</b><c>2</c></a>", "stopped at a/b"},
	    {"<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>",
	     "the answer's XML is nested more than 16 deep"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect_refused(cases[i].xml, strlen(cases[i].xml), cases[i].sentence);
}

TEST(test_too_large)
{
	struct buf b = {0};

	buf_str(&b, "<a>");
	for (int i = 0; i < 33 * 1024; i++)
		buf_char(&b, 'x');
	buf_str(&b, "</a>");
	expect_refused(b.s, b.len, "the answer's XML has a text of more than 32 KiB");
	buf_clear(&b);
	buf_char(&b, '<');
	for (int i = 0; i < 600; i++)
		buf_char(&b, 'x');
	buf_str(&b, "/>");
	expect_refused(b.s, b.len, "the answer's XML has a name that is too long");
	buf_free(&b);
}
