/* s3_list: one page of the list of a bucket's objects. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "report/store/s3_list.h"
#include "tests/unit/unit.h"

struct got {
	struct buf text;
	size_t stop_at;
};

static int note(void *ctx, const struct s3_list_object *o, struct err *e)
{
	struct got *g = ctx;

	if (g->stop_at && --g->stop_at == 0)
		return err_set(e, "stop");
	buf_printf(&g->text, "%s|%llu|%.0f|%s\n", o->key, (unsigned long long)o->size,
	           isnan(o->modified) ? -1 : o->modified, o->etag);
	return 0;
}

static int parse(struct s3_list_page *p, struct got *g, const char *xml, struct err *e)
{
	buf_clear(&g->text);
	p->each = note;
	p->ctx = g;
	*e = (struct err){0};
	return s3_list_parse(p, xml, strlen(xml), e);
}

#define LIST(inside)                                                                               \
	"<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" inside              \
	"</ListBucketResult>"
#define OBJECT(key, size) "<Contents><Key>" key "</Key><Size>" size "</Size></Contents>"

/* What belongs to the page may stand after the objects. */
TEST(test_page)
{
	struct s3_list_page p = {.prefix = "a/", .after = ""};
	struct got g = {0};
	struct err e;

	assert_int_equal(
	    parse(&p, &g,
	          LIST("<Contents><Key>a%2Fb+c%2b%25%C3%BC</Key><Size>12</Size><ETag>\"x-2\"</ETag>"
	               "<LastModified>2026-11-22T12:00:00.000Z</LastModified>"
	               "<Owner><Key>no</Key></Owner></Contents>" OBJECT(
			   "a/c",
			   "0") "<IsTruncated>true</IsTruncated><EncodingType>url</EncodingType>"),
	          &e),
	    0);
	assert_string_equal(buf_cstr(&g.text), "a/b c+%ü|12|1795348800|\"x-2\"\na/c|0|-1|\n");
	assert_true(p.further);
	assert_int_equal(p.n, 2);
	assert_int_equal(parse(&p, &g, LIST(OBJECT("a/b+%2F", "7")), &e), 0);
	assert_string_equal(buf_cstr(&g.text), "a/b+%2F|7|-1|\n"); /* not encoded */
	assert_false(p.further);
	assert_int_equal(parse(&p, &g, LIST(""), &e), 0);
	assert_int_equal(p.n, 0);
	buf_free(&g.text);
}

#define URL "<EncodingType>url</EncodingType>"

TEST(test_refused)
{
	static const struct {
		const char *xml, *why;
	} cases[] = {
	    {LIST(OBJECT("a/2", "1") OBJECT("a/1", "1")), "not in the order of its keys"},
	    {LIST(OBJECT("a/2", "1") OBJECT("a/2", "1")), "not in the order of its keys"},
	    {LIST(OBJECT("a/", "1")), "not in the order"}, /* not after `after` */
	    {LIST(OBJECT("b", "1")), "a key that was not asked for"},
	    {LIST(OBJECT("a/1", "-1")), "without a valid key or size"},
	    {LIST(OBJECT("a/1", "1x")), "without a valid key or size"},
	    {LIST(OBJECT("a/1", "99999999999999999999")), "without a valid key or size"},
	    {LIST("<Contents><Key>a/1</Key></Contents>"), "without a valid key or size"},
	    {LIST("<Contents><Size>1</Size></Contents>"), "without a valid key or size"},
	    {LIST(URL OBJECT("a/%", "1")), "without a valid key or size"},
	    {LIST(URL OBJECT("a/%4", "1")), "without a valid key or size"},
	    {LIST(URL OBJECT("a/%00", "1")), "without a valid key or size"},
	    {LIST(URL OBJECT("a/%1\x11", "1")), "not valid XML"},
	    {LIST("<IsTruncated>true</IsTruncated>"), "without objects before its end"},
	    {"<Error><Code>x</Code></Error>", "not a list of objects"},
	    {"<ListBucketResult>", "not valid XML"},
	    {"", "is empty"},
	};
	struct s3_list_page p = {.prefix = "a/", .after = "a/0"};
	struct got g = {0};
	struct err e;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(parse(&p, &g, cases[i].xml, &e), -1);
		if (!strstr(e.msg, cases[i].why))
			fail_msg("%s: %s", cases[i].xml, e.msg);
	}
	buf_free(&g.text);
}

TEST(test_long_key)
{
	struct s3_list_page p = {.prefix = "", .after = ""};
	struct got g = {0};
	struct buf xml = {0};
	struct err e;

	for (int n = 1024; n <= 1025; n++) {
		buf_clear(&xml);
		buf_printf(&xml,
		           "<ListBucketResult>" URL "<Contents><Key>%0*d</Key><Size>1</Size>"
		           "</Contents></ListBucketResult>",
		           n, 7);
		assert_int_equal(parse(&p, &g, buf_cstr(&xml), &e), n == 1024 ? 0 : -1);
	}
	buf_free(&xml);
	buf_free(&g.text);
}

TEST(test_stop)
{
	struct s3_list_page p = {.prefix = "", .after = ""};
	struct got g = {.stop_at = 2};
	struct err e;

	assert_int_equal(parse(&p, &g, LIST(OBJECT("1", "1") OBJECT("2", "1")), &e), -1);
	assert_string_equal(e.msg, "stop");
	buf_free(&g.text);
}
