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
    {"info", 0, OPTS_CHOICE, AT(output), "T", "G", "", 0, 0, "text json", "text"},
    {"output", 'o', OPTS_STRING, AT(output), "FILE", "G", "", 0, 0, NULL, NULL},
    {"interval", 'i', OPTS_DURATION, AT(interval), "S", "G", "", 0.01, 3600, NULL, NULL},
    {"schema", 0, OPTS_CHOICE, AT(schema), "N", "G", "", 0, 0, "1 2", NULL},
    {"pid", 'p', OPTS_INT, AT(pid), "PID", "G", "", 1, 4194304, NULL, NULL},
    {"tag", 't', OPTS_LIST, AT(tags), "K=V", "G", "", 0, 0, NULL, NULL},
    {"quiet", 'q', OPTS_FLAG, AT(quiet), NULL, "G", "", 0, 0, NULL, NULL},
    {"no-track", 'n', OPTS_NO, AT(track), NULL, "G", "", 0, 0, NULL, NULL},
    {"no-trace", 0, OPTS_FLAG, AT(quiet), NULL, "G", "", 0, 0, NULL, NULL},
    {NULL, 0, OPTS_FLAG, 0, NULL, NULL, NULL, 0, 0, NULL, NULL},
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
	int argc = 1, rest = 0, flags = size ? data[0] & OPTS_STOP_AT_ARG : 0;

	must(words != NULL);
	if (size)
		memcpy(words, data, size);
	words[size] = '\0';
	for (size_t at = 1; at < size && argc <= WORDS_MAX; at += strlen(words + at) + 1)
		argv[argc++] = words + at;
	argv[argc] = NULL;
	if (opts_parse(table, &p, argc, argv, flags, &rest, &e))
		must(*e.msg != 0);
	else
		check(&p, argc, argv, rest);
	free(words);
	return 0;
}
