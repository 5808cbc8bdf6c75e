/* Fuzzes collect/redact/: redact_word with the lines as words of a command line, redact_value with
 * the first two lines. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/redact/redact.h"

#define WORDS_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every hidden secret leaves a mask. */
static void check(struct buf *b, const char *plain)
{
	if (b->failed || (strcmp(buf_cstr(b), plain) != 0 && !strstr(buf_cstr(b), "***")))
		abort();
	buf_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct redact r = {.n_rows = 0};
	struct buf value = {0}, mark = {0};
	char *text = malloc(size + 1), *argv[WORDS_MAX + 1], *rest = text;
	size_t n = 0;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	while (rest && n < WORDS_MAX)
		argv[n++] = strsep(&rest, "\n");
	argv[n] = NULL;
	for (size_t i = 0; i < n; i++) {
		struct buf b = {0};
		redact_word(&r, argv[i], &b);
		check(&b, argv[i]);
	}
	if (n > 1) {
		redact_value(argv[0], argv[1], &value);
		check(&value, argv[1]);
	}
	redact_mark((const char *)data, size, &mark);
	buf_free(&mark);
	free(text);
	return 0;
}
