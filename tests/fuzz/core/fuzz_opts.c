/* opts: any words as a command line; each NUL ends a word, and the first byte holds the flags. */
#include <math.h>
#include <string.h>

#include "core/base/opts.h"
#include "tests/fuzz/fuzz.h"

struct program {
	bool quiet, track;
	const char *output, *schema;
	double interval;
	long pid;
	struct opts_list tags;
};

#define AT(member) offsetof(struct program, member)
#define WORDS_MAX  100

static const struct opt table[] = {
    {.name = "info",
     .kind = OPTS_CHOICE,
     .at = AT(output),
     .arg = "T",
     .choices = "text json",
     .without = "text"},
    {.name = "output", .letter = 'o', .kind = OPTS_STRING, .at = AT(output), .arg = "FILE"},
    {.name = "interval",
     .letter = 'i',
     .kind = OPTS_DURATION,
     .at = AT(interval),
     .arg = "S",
     .min = 0.01,
     .max = 3600},
    {.name = "schema", .kind = OPTS_CHOICE, .at = AT(schema), .arg = "N", .choices = "1 2"},
    {.name = "pid",
     .letter = 'p',
     .kind = OPTS_INT,
     .at = AT(pid),
     .arg = "PID",
     .min = 1,
     .max = 4194304},
    {.name = "tag", .letter = 't', .kind = OPTS_LIST, .at = AT(tags), .arg = "K=V"},
    {.name = "quiet", .letter = 'q', .at = AT(quiet)},
    {.name = "no-track", .letter = 'n', .kind = OPTS_NO, .at = AT(track)},
    {.name = "no-trace", .at = AT(quiet)},
    {0},
};

static void check(const struct program *p, int argc, char **argv, int rest)
{
	must(rest >= 1 && rest <= argc);
	for (int i = 0; i < argc; i++)
		must(argv[i] != NULL);
	must(p->interval == 1 || (p->interval >= 0.01 && p->interval <= 3600));
	must(p->pid >= 0 && p->pid <= 4194304);
	must(p->tags.n <= OPTS_LIST_MAX);
	for (size_t i = 0; i < p->tags.n; i++)
		must(p->tags.v[i] != NULL);
	must(!p->schema || strcmp(p->schema, "1") == 0 || strcmp(p->schema, "2") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *words = malloc(size + 1), *argv[WORDS_MAX + 2] = {"program"};
	struct program p = {.track = true, .interval = 1};
	struct err e = {{0}};
	struct opts_parsed parsed;
	int argc = 1, flags = size ? data[0] & OPTS_STOP_AT_ARG : 0;

	must(words != NULL);
	if (size)
		memcpy(words, data, size);
	words[size] = '\0';
	for (size_t at = 1; at < size && argc <= WORDS_MAX; at += strlen(words + at) + 1)
		argv[argc++] = words + at;
	argv[argc] = NULL;
	if (opts_parse(table, &p, argc, argv, flags, &parsed, &e))
		must(*e.msg != 0);
	else
		check(&p, argc, argv, parsed.rest);
	free(words);
	return 0;
}
