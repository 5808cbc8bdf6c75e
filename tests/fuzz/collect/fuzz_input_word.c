/* Fuzzes input_files_word of collect/job/input_files.c: the word before and the word, a line each. */
#include <string.h>

#include "collect/job/input_files.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *before = fuzz_text(data, size), *word;
	struct input_word w;

	word = strchr(before, '\n');
	if (word)
		*word++ = '\0';
	w = input_files_word(word ? word : before, word ? before : NULL);
	must(!w.option || w.n <= strlen(w.option));
	must(!w.file || *w.file);
	must(!w.output || w.option);
	free(before);
	return 0;
}
