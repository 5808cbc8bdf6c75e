/* fuzz_fleet_options: the command line of rtrack-fleet. The input is its words, each ended by a
 * NUL. */
#include <math.h>
#include <string.h>

#include "fleet/options/fleet_options.h"
#include "tests/fuzz/fuzz.h"

#define WORDS_MAX 100

static void check(const struct fleet_options *o, int argc)
{
	size_t n = o->page.n_inputs;

	must(o->verb < FLEET_VERBS && n < (size_t)argc);
	must(isnan(o->page.now) || (o->page.now >= 0 && o->page.now <= 253402300799.0));
	for (size_t i = 0; i < n; i++)
		must(o->page.input[i].name != NULL);
	if (o->page.help || o->page.version || o->page.list_metrics || o->list_runners)
		return;
	must(n || o->catalog || o->sacct_since_text);
	must(!o->add || o->catalog);
	must(o->verb != FLEET_ADD || o->add);
	must(o->verb != FLEET_FORGET || (o->catalog && n));
	must(o->verb != FLEET_MAIL || o->mail);
	must(o->verb != FLEET_ASK || o->ask_for.n);
	must(o->verb != FLEET_JOB || (o->job && *o->job));
	must(!(o->since > 0 && o->until > 0) || o->since < o->until);
	must(o->rate_cpu >= 0 && o->rate_memory >= 0 && o->rate_gpu >= 0);
	must(o->top >= 0 && (!o->mine_where || strncmp(o->mine_where, "user=", 5) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *words = malloc(size + 1), *argv[WORDS_MAX + 2] = {"rtrack-fleet"};
	struct fleet_options *o = malloc(sizeof *o);
	struct buf help = {0};
	struct err e = {{0}};
	int argc = 1;

	must(words && o);
	if (size)
		memcpy(words, data, size);
	words[size] = '\0';
	for (size_t at = 0; at < size && argc <= WORDS_MAX; at += strlen(words + at) + 1)
		argv[argc++] = words + at;
	if (fleet_options_parse(o, argc, argv, &e))
		must(*e.msg);
	else
		check(o, argc);
	fleet_options_help(o, &help);
	must(!help.failed);
	buf_free(&help);
	fleet_options_free(o);
	free(o);
	free(words);
	return 0;
}
