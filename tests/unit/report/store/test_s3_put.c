/* s3_put: how a large object is divided. */
#include <stdio.h>
#include <string.h>

#include "report/store/s3_put.h"
#include "report/store/s3_read.h"
#include "report/store/s3_spool.h"
#include "tests/unit/unit.h"

TEST(test_sizes)
{
	const uint64_t mib = (uint64_t)1 << 20;

	assert_true(s3_put_part_size(STORE_PART_AT + 1) == STORE_PART);
	assert_int_equal(s3_put_parts(STORE_PART_AT + 1), 9);
	assert_int_equal(s3_put_parts(16 * mib), 2);
	assert_true(s3_put_part_size(79999 * mib) == 8 * mib);
	assert_true(s3_put_part_size(80001 * mib) == 9 * mib);
	for (uint64_t n = STORE_PART_AT + 1; n < ((uint64_t)1 << 45); n += n / 3 + 12345) {
		uint64_t size = s3_put_part_size(n), count = s3_put_parts(n);
		assert_true(count <= S3_PUT_PARTS_MAX && size * count >= n &&
		            size * (count - 1) < n);
	}
}

TEST(test_xml)
{
	static const char tags[2][STORE_TAG_MAX] = {"abc", "<&>"};
	struct buf b = {0};

	s3_put_xml(&b, tags, 2);
	assert_string_equal(buf_cstr(&b),
	                    "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>&quot;"
	                    "abc&quot;</ETag></Part><Part><PartNumber>2</PartNumber><ETag>&quot;"
	                    "&lt;&amp;&gt;&quot;</ETag></Part></CompleteMultipartUpload>");
	buf_free(&b);
}

TEST(test_upload_id)
{
	static const char good[] = "<InitiateMultipartUploadResult><UploadId>2~a/b&amp;c</UploadId>"
				   "</InitiateMultipartUploadResult>",
			  none[] = "<InitiateMultipartUploadResult/>", broken[] = "<Initiate";
	char id[S3_PUT_ID_MAX], long_one[S3_PUT_ID_MAX + 200];
	struct err e;

	assert_int_equal(s3_put_id(good, sizeof good - 1, id, &e), 0);
	assert_string_equal(id, "2~a/b&c");
	assert_int_equal(s3_put_id(none, sizeof none - 1, id, &e), -1);
	assert_int_equal(s3_put_id(broken, sizeof broken - 1, id, &e), -1);
	snprintf(long_one, sizeof long_one,
	         "<InitiateMultipartUploadResult><UploadId>%0*d</UploadId>"
	         "</InitiateMultipartUploadResult>",
	         S3_PUT_ID_MAX, 1);
	assert_int_equal(s3_put_id(long_one, strlen(long_one), id, &e), -1);
}

TEST(test_types)
{
	static const struct {
		const char *place, *type;
	} cases[] = {
	    {"s3://b/a.json.gz", "application/gzip"},
	    {"s3://b/a.HTML", "text/html; charset=utf-8"},
	    {"s3://b/a.json", "application/json"},
	    {"s3://b/a.csv", "text/csv; charset=utf-8"},
	    {"s3://b/a.md", "text/markdown; charset=utf-8"},
	    {"s3://b/a.txt", "text/plain; charset=utf-8"},
	    {"s3://b/a.xml", "application/xml"},
	    {"s3://b/a?.json.gz", "application/gzip"},
	    {"s3://b/gz", "application/octet-stream"},
	    {"https://h/a.html?sig=x.gz", "text/html; charset=utf-8"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char header[128];
		snprintf(header, sizeof header, "Content-Type: %s", cases[i].type);
		assert_string_equal(s3_spool_type(cases[i].place), header);
	}
}

TEST(test_tags)
{
	static const struct {
		const char *etag, *tag;
	} cases[] = {
	    {"\"abc-2\"", "abc-2"}, {"abc", "abc"},   {"W/\"abc\"", "abc"}, {"", ""}, {"\"", ""},
	    {"\"a b\"", ""},        {"\"a\"b\"", ""}, {"\"a\rb\"", ""},
	};
	char tag[STORE_TAG_MAX], long_one[STORE_TAG_MAX + 1];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		s3_read_tag(cases[i].etag, tag);
		assert_string_equal(tag, cases[i].tag);
	}
	memset(long_one, 'x', sizeof long_one);
	long_one[STORE_TAG_MAX] = '\0';
	s3_read_tag(long_one, tag);
	assert_string_equal(tag, "");
	long_one[STORE_TAG_MAX - 1] = '\0';
	s3_read_tag(long_one, tag);
	assert_string_equal(tag, long_one);
}
