/* http_reply: what is taken from the headers of an answer. */
#include <string.h>

#include "report/http/http_reply.h"
#include "tests/unit/unit.h"

static struct http_reply read_lines(const char *const *lines)
{
	struct http_reply a = {.tries = 3};

	http_reply_begin(&a);
	for (; *lines; lines++)
		http_reply_header(&a, *lines, strlen(*lines));
	return a;
}

TEST(texts)
{
	struct http_reply a = read_lines((const char *const[]){
	    "HTTP/1.1 206 Partial Content\r\n", "etag:\"5d41\"\r\n",
	    "X-AMZ-REQUEST-ID: \t tx1 \r\n", "x-amz-bucket-region: eu-west-1\r\n",
	    "Content-Type:   application/gzip\r\n", "Date: Sun, 22 Nov 2026 14:14:19 GMT\r\n",
	    "ETagged: no\r\n", "no colon\r\n", "\r\n", NULL});

	assert_string_equal(a.etag, "\"5d41\"");
	assert_string_equal(a.request_id, "tx1");
	assert_string_equal(a.region, "eu-west-1");
	assert_string_equal(a.type, "application/gzip");
	assert_string_equal(a.date, "Sun, 22 Nov 2026 14:14:19 GMT");
	assert_true(a.size == UINT64_MAX);
	assert_string_equal(a.body, "");
	assert_int_equal(a.tries, 3);
}

TEST(sizes)
{
	static const struct {
		const char *lines[3];
		uint64_t size;
	} cases[] = {
	    {{"Content-Length: 12", NULL}, 12},
	    {{"Content-Length: 0", NULL}, 0},
	    {{"Content-Range: bytes 0-9/5000000", "Content-Length: 10", NULL}, 5000000},
	    {{"Content-Length: 10", "content-range: bytes 0-9/5000000\r\n", NULL}, 5000000},
	    {{"Content-Length: 10", "Content-Range: bytes 0-9/*", NULL}, UINT64_MAX},
	    {{"Content-Range: bytes */77", NULL}, 77},
	    {{"Content-Range: bytes 0-9", NULL}, UINT64_MAX},
	    {{"Content-Length: ", NULL}, UINT64_MAX},
	    {{"Content-Length: -1", NULL}, UINT64_MAX},
	    {{"Content-Length: 0x10", NULL}, UINT64_MAX},
	    {{"Content-Length: 12 12", NULL}, UINT64_MAX},
	    {{"Content-Length: 9999999999999999999", NULL}, 9999999999999999999u},
	    {{"Content-Length: 99999999999999999999", NULL}, UINT64_MAX},
	    {{"Content-Range: bytes 0-9/99999999999999999999", NULL}, UINT64_MAX},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_true(read_lines(cases[i].lines).size == cases[i].size);
}

TEST(first_bytes)
{
	static const struct {
		const char *lines[2];
		uint64_t at;
	} cases[] = {
	    {{"Content-Range: bytes 4096-8191/10000\r\n", NULL}, 4096},
	    {{"Content-Range: bytes 0-0/*", NULL}, 0},
	    {{"Content-Range: bytes */77", NULL}, UINT64_MAX},
	    {{"Content-Range: bytes -5/77", NULL}, UINT64_MAX},
	    {{"Content-Range: bytes 1x-5/77", NULL}, UINT64_MAX},
	    {{"Content-Range: items 1-5/77", NULL}, UINT64_MAX},
	    {{"Content-Range: -", NULL}, UINT64_MAX},
	    {{"Content-Length: 5", NULL}, UINT64_MAX},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_true(read_lines(cases[i].lines).at == cases[i].at);
}

TEST(a_new_status_line_forgets)
{
	struct http_reply a = read_lines((const char *const[]){
	    "HTTP/1.1 200 Connection established", "ETag: proxy", "Content-Range: bytes 0-1/2",
	    "HTTP/1.1 200 OK", "Content-Length: 7", NULL});

	assert_string_equal(a.etag, "");
	assert_int_equal(a.size, 7);
	assert_true(a.at == UINT64_MAX && !a.ranged);
}

TEST(long_values_are_cut)
{
	static char line[70000];
	struct http_reply a;

	memset(line, 'x', sizeof line);
	memcpy(line, "ETag: ", 6);
	http_reply_begin(&a);
	http_reply_header(&a, line, sizeof line);
	assert_int_equal(strlen(a.etag), sizeof a.etag - 1);
	memcpy(line, "Content-Type: ", 14);
	http_reply_header(&a, line, sizeof line);
	assert_int_equal(strlen(a.type), sizeof a.type - 1);
	assert_string_equal(a.region, "");
}
