/* input_files: which words of a command line may name a file that is read. */
#include <string.h>

#include "collect/job/input_files.h"
#include "tests/unit/unit.h"

TEST(words)
{
	static const struct {
		const char *before, *word, *option, *file;
		bool output;
	} cases[] = {
	    {NULL, "a.bam", NULL, "a.bam", false},
	    {"sort", "a.bam", NULL, "a.bam", false},
	    {"-i", "a.bam", "-i", "a.bam", false},
	    {"--reads", "a.fq", "--reads", "a.fq", false},
	    {"--reads=x", "a.fq", NULL, "a.fq", false},
	    {"--", "a.fq", NULL, "a.fq", false},
	    {"-", "a.fq", NULL, "a.fq", false},
	    {NULL, "--in=a", "--in", "a", false},
	    {NULL, "if=/dev/zero", "if", "/dev/zero", false},
	    {NULL, "a=b=c", "a", "b=c", false},
	    {NULL, "=a", NULL, "=a", false},
	    {NULL, "--in=", "--in", NULL, false},
	    {NULL, "-v", NULL, NULL, false},
	    {NULL, "--verbose", NULL, NULL, false},
	    {NULL, "-", NULL, "-", false},
	    {NULL, "", NULL, NULL, false},
	    {"-i", "-v", NULL, NULL, false},
	    {"-o", "a", "-o", "a", true},
	    {"-O", "a", "-O", "a", true},
	    {"--output", "a", "--output", "a", true},
	    {"-outdir", "a", "-outdir", "a", true},
	    {NULL, "OUTPUT=a", "OUTPUT", "a", true},
	    {NULL, "of=a", "of", "a", true},
	    {NULL, "--out=a", "--out", "a", true},
	    {"--offset", "a", "--offset", "a", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct input_word w = input_files_word(cases[i].word, cases[i].before);
		char option[32] = "";
		if (w.option)
			memcpy(option, w.option, w.n);
		assert_string_equal(option, cases[i].option ? cases[i].option : "");
		assert_string_equal(w.file ? w.file : "(none)",
		                    cases[i].file ? cases[i].file : "(none)");
		assert_int_equal(w.output, cases[i].output);
	}
}
