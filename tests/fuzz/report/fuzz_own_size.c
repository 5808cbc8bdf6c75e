/* Fuzzes report/advice/own_size.c: a line is a word. */
#include <string.h>

#include "report/advice/own_size.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = text, *word;
	const char *argv[16];
	char out[OWN_SIZE_MAX];
	size_t n = 0;

	while (n < 16 && (word = strsep(&rest, "\n")))
		argv[n++] = word;
	if (own_size_find(argv, n, out))
		must(*out == '-' && strlen(out) < sizeof out);
	free(text);
	return 0;
}
