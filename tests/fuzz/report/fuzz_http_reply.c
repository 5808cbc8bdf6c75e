/* http_reply: any lines as the headers of an answer; every text stays within its size. */
#include <string.h>

#include "report/http/http_reply.h"
#include "report/http/http_retry.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data, *end = at + size;
	struct http_reply a = {.tries = 1};

	http_reply_begin(&a);
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t n = stop ? (size_t)(stop - at) + 1 : (size_t)(end - at);
		/* A copy of its own, so that a byte read after the line is seen. */
		char *line = malloc(n);
		must(line != NULL);
		memcpy(line, at, n);
		http_reply_header(&a, line, n);
		free(line);
		at += n;
	}
	must(a.ranged || a.at == UINT64_MAX);
	must(strnlen(a.etag, sizeof a.etag) < sizeof a.etag);
	must(strnlen(a.type, sizeof a.type) < sizeof a.type);
	must(strnlen(a.region, sizeof a.region) < sizeof a.region);
	must(strnlen(a.request_id, sizeof a.request_id) < sizeof a.request_id);
	must(strnlen(a.date, sizeof a.date) < sizeof a.date);
	a.status = size ? 100 + data[0] * 2 : 0;
	a.body = (const char *)data;
	a.len = size;
	must(!http_retry_answer(&a) || a.status >= 400);
	return 0;
}
