/* Fuzzes report/advice/own_size.c: a line is a word. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/advice/own_size.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *rest = text, *word;
	const char *argv[16];
	char out[OWN_SIZE_MAX];
	size_t n = 0;

	while (n < 16 && (word = strsep(&rest, "\n")))
		argv[n++] = word;
	if (text && own_size_find(argv, n, out) && (*out != '-' || strlen(out) >= sizeof out))
		abort();
	free(text);
	return 0;
}
