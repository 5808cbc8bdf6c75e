/* Fuzzes input_files_word of collect/job/input_files.c: the word before and the word, a line each. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/job/input_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *before = strndup((const char *)data, size), *word;
	struct input_word w;

	if (!before)
		return 0;
	word = strchr(before, '\n');
	if (word)
		*word++ = '\0';
	w = input_files_word(word ? word : before, word ? before : NULL);
	if ((w.option && w.n > strlen(w.option)) || (w.file && !*w.file) || (w.output && !w.option))
		abort();
	free(before);
	return 0;
}
