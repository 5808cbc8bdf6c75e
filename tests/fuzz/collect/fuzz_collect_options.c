/* Fuzzes the command line of rtrack-collect (words with a NUL each) and the name of the output. */
#include <math.h>
#include <string.h>

#include "collect/collect_options.h"
#include "collect/output/snapshot_file.h"
#include "tests/fuzz/fuzz.h"

#define WORDS_MAX 100

static void check(const struct collect_options *o)
{
	must(o->interval_s >= 0.01 && o->interval_s <= 3600 && o->pid >= 0);
	if (o->help || o->version || o->list_metrics)
		return;
	must(o->schema == SCHEMA_1 || o->schema == SCHEMA_2);
	must((o->mode == COLLECT_OPTIONS_COMMAND) == (o->command && *o->command));
	must(!o->command || (!o->pid && !o->root && !o->mark && !o->recover));
	for (size_t i = 0; i < o->tags.n; i++)
		must(strchr(o->tags.v[i], '=') > o->tags.v[i]);
}

static void check_name(const char *pattern)
{
	struct snapshot_file *o = calloc(1, sizeof *o);
	const struct part part = part_none();
	const struct snapshot_file_values values = {
	    .host = "a/../host\n", .pid = 42, .now = 1700000000, .part = &part, .name = "\n/"};
	struct err e = {{0}};

	must(o != NULL);
	if (snapshot_file_name(o, pattern, &values, &e))
		must(*e.msg);
	else
		must(*o->path && strlen(o->path) < sizeof o->path &&
		     (strchr(pattern, '\n') || !strchr(o->path, '\n')));
	free(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *words = malloc(size + 1), *argv[WORDS_MAX + 2] = {"rtrack-collect"};
	struct collect_options *o = malloc(sizeof *o);
	struct err e = {{0}};
	int argc = 1;

	must(words && o);
	if (size)
		memcpy(words, data, size);
	words[size] = '\0';
	for (size_t at = 0; at < size && argc <= WORDS_MAX; at += strlen(words + at) + 1)
		argv[argc++] = words + at;
	if (*words) /* an empty name was refused before */
		check_name(words);
	if (collect_options_parse(o, argc, argv, &e))
		must(*e.msg);
	else
		check(o);
	free(o);
	free(words);
	return 0;
}
