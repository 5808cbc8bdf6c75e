/* s3_xml: answers as stores give them, and as no store should. */
#include <math.h>
#include <string.h>
#include <time.h>

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

TEST(test_time_right)
{
	static const struct {
		const char *text;
		double at;
	} cases[] = {
	    {"1970-01-01T00:00:00Z", 0},
	    {"2000-02-29T00:00:00Z", 951782400},
	    {"2026-11-01T12:00:00Z", 1793534400},
	    {"2026-11-01T12:00:00.000Z", 1793534400},
	    {"2026-11-01T12:00:00.25Z", 1793534400.25},
	    {"2026-11-01T12:00:60Z", 1793534460},
	    {"2026-11-01T13:00:00+01:00", 1793534400},
	    {"2026-11-01T13:00:00+0100", 1793534400},
	    {"2026-11-01T06:30:00-05:30", 1793534400},
	    {"9999-12-31T23:59:59Z", 253402300799.0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (s3_xml_time(cases[i].text) != cases[i].at)
			fail_msg("%s: %f", cases[i].text, s3_xml_time(cases[i].text));
}

/* The C library agrees on every day. */
TEST(test_time_every_day)
{
	for (time_t t = 0; t < (time_t)400 * 366 * 86400; t += 86400 - 7) {
		struct tm tm;
		char text[64];
		gmtime_r(&t, &tm);
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
		assert_true(s3_xml_time(text) == (double)t);
	}
}

TEST(test_time_wrong)
{
	static const char *const texts[] = {
	    "",
	    "2026",
	    "2026-11-01",
	    "2026-11-01T12:00Z",
	    "2026-11-01 12:00:00Z",
	    "2026-11-01T12:00:00",
	    "2026-11-01T12:00:00z",
	    "2026-11-01T12:00:00Zx",
	    "2026-11-01T12:00:00.Z",
	    "2026-11-01T24:00:00Z",
	    "2026-11-01T12:60:00Z",
	    "2026-02-29T12:00:00Z",
	    "1900-02-28T12:00:00Z",
	    "2026-13-01T12:00:00Z",
	    "2026-00-01T12:00:00Z",
	    "2026-11-00T12:00:00Z",
	    "2026-11-01T12:00:00+1",
	    "2026-11-01T12:00:00+25:00",
	    "2026-11-01T12:00:00+01:60",
	    "1970-01-01T00:00:00+01:00",
	    "Sun, 01 Nov 2026 12:00:00 GMT",
	    "-026-11-01T12:00:00Z",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (!isnan(s3_xml_time(texts[i])))
			fail_msg("\"%s\" is %f", texts[i], s3_xml_time(texts[i]));
}
