/* Fuzzes collect/cloud/cloud_http.c: an answer that comes whole, and the same cut in the middle. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/cloud/cloud_http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse(const uint8_t *data, size_t n, bool closed)
{
	char *text = malloc(n + 1);
	struct cloud_answer a = {0};
	int got;

	if (!text)
		return;
	memcpy(text, data, n);
	got = cloud_http_parse(text, n, closed, &a);
	if (got == 1 && (a.body < text || a.body + a.n > text + n || a.body[a.n] != '\0' ||
	                 a.status < 200 || a.status > 599))
		abort();
	if (got == 0 && (closed || memcmp(text, data, n) != 0))
		abort();
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse(data, size, true);
	parse(data, size, false);
	parse(data, size / 2, false);
	return 0;
}
