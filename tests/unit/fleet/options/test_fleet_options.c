/* report_options_fleet: which options go together for many runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/options/report_options.h"
#include "tests/unit/unit.h"

#define ARGS_MAX 32

/* Parses the words of a line, in which "~" stands for a blank. The options point into it. */
static int parse_many(struct report_options *o, char *line, struct err *e)
{
	static char *argv[ARGS_MAX + 2];
	static struct input *before;
	int argc = 0, failed;

	argv[argc++] = (char *)"rtrack-report";
	for (char *word = strtok(line, " "); word && argc <= ARGS_MAX; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	for (char *c = line; c < line + 200; c++)
		*c = *c == '~' ? ' ' : *c;
	*e = (struct err){0};
	failed = report_options_parse(o, argc, argv, e);
	free(before);
	before = o->input; /* none is a journal */
	return failed;
}

static int no_environment(void **state)
{
	(void)state;
	return unsetenv("RTRACK_KEEPER_URL") || unsetenv("SOURCE_DATE_EPOCH");
}

TEST_WITH(test_right, no_environment, NULL)
{
	static const char *const lines[] = {
	    "--fleet runs/",
	    "--fleet -o fleet.html a.json b.json runs/",
	    "--fleet --catalog runs.db",
	    "--fleet --catalog runs.db --add runs/",
	    "--fleet --catalog https://host:8443/site --add",
	    "--catalog runs.db --add runs/",
	    "--catalog https://host:8443/site --add",
	    "--catalog runs.db --forget runs/old",
	    "--fleet -j m.json --markdown s.md --text - --openmetrics m.prom --csv g.csv --junit j.xml -t a.txt=b.txt runs/",
	    "--fleet --where user=ann --where wall_s~>~60 --group-by user,name --top 50 runs/",
	    "--fleet --group-by tag:team --group-by host runs/",
	    "--fleet --rate-cpu 0.04 --rate-memory 0.005 --rate-gpu 2 --currency eur runs/",
	    "--fleet --spot --offline --keeper-cache c --keeper-timeout 1m runs/",
	    "--fleet --title t --integration i --open -o a.html runs/",
	    "--fleet --fail-if fleet.memory_efficiency<30% runs/",
	    "--fleet --currency EUR --fail-if fleet.money>1EUR runs/",
	    "--pipeline runs/",
	    "--pipeline=gitlab/77 --catalog runs.db --where user=ann --since 30d",
	    "--pipeline --catalog runs.db --add --text - --json m.json -o a.html runs/",
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		char line[256] = "";
		struct report_options o;
		struct err e;
		strcpy(line, lines[i]);
		if (parse_many(&o, line, &e))
			fail_msg("%s: %s", lines[i], e.msg);
		assert_int_equal(o.history, 5);
		assert_int_equal(o.servers, 5);
	}
}

TEST_WITH(test_wrong, no_environment, NULL)
{
	static const struct {
		const char *line, *sentence; /* how it begins */
	} cases[] = {
	    {"--fleet", "--fleet needs SOURCEs, or --catalog DATABASE"},
	    {"--add runs/", "--add needs --catalog DATABASE"},
	    {"--forget runs/", "--forget needs --catalog DATABASE"},
	    {"--catalog runs.db --add", "--add needs SOURCEs: recordings, or folders"},
	    {"--catalog runs.db --forget", "--forget needs SOURCEs: recordings, or folders"},
	    {"--catalog https://h/d --forget", "--forget needs SOURCEs"},
	    {"--catalog runs.db --fleet --add", "--add needs SOURCEs: recordings, or folders"},
	    {"--catalog runs.db --fleet runs/", "--fleet shows what the catalog has: use --add"},
	    {"--catalog runs.db --add --forget a", "--forget and --add cannot be used together"},
	    {"--catalog runs.db --fleet --forget a",
	     "--forget and --fleet cannot be used together"},
	    {"--catalog runs.db runs/",
	     "--catalog needs --add, --mail, --fleet, --runs, --pipeline, --ci, --forget, "
	     "--ask-for or --job"},
	    {"--fleet --catalog=", "--catalog: the name is empty"},
	    {"--pipeline", "--pipeline needs SOURCEs, or --catalog DATABASE"},
	    {"--pipeline --catalog runs.db runs/", "--pipeline shows what the catalog has"},
	    {"--pipeline --fleet runs/", "--pipeline and --fleet cannot be used together"},
	    {"--pipeline --csv a runs/", "--pipeline and --csv cannot be used together"},
	    {"--pipeline --fail-if fleet.runs>1 r", "--pipeline and --fail-if cannot be used"},
	    {"--pipeline --template @trace.txt r", "--pipeline and --template @NAME cannot"},
	    {"--where user=ann a.json",
	     "--where needs --mail, --fleet, --runs, --pipeline, --ci or --ask-for"},
	    {"--since 30d a.json",
	     "--since needs --mail, --fleet, --runs, --pipeline, --ci or --ask-for"},
	    {"--until 30d a.json",
	     "--until needs --mail, --fleet, --runs, --pipeline, --ci or --ask-for"},
	    {"--top 3 a.json", "--top needs --fleet or --runs"},
	    {"--rate-cpu 1 a.json", "--rate-cpu needs --mail"},
	    {"--rate-memory 1 a.json", "--rate-memory needs --mail"},
	    {"--rate-gpu 1 a.json", "--rate-gpu needs --mail"},
	    {"--catalog a --add --where user=ann r", "--where needs --mail"},
	    {"--catalog a --add --output x r", "--output needs --fleet"},
	    {"--catalog a --forget --csv x r", "--forget and --csv cannot be used together"},
	    {"--catalog a --add --fail-if fleet.runs>1 r", "--fail-if needs --fleet"},
	    {"--catalog a --add --group-by user r", "--group-by needs --fleet"},
	    {"--fleet --compare r", "--fleet and --compare cannot be used together"},
	    {"--fleet --history 5 r", "--fleet and --history cannot be used together"},
	    {"--fleet --current c.json r", "--fleet and --current cannot be used together"},
	    {"--fleet --parts off r", "--fleet and --parts cannot be used together"},
	    {"--catalog a --add --currency EUR r", "--currency needs --mail"},
	    {"--catalog a --add --title t r", "--title needs --fleet"},
	    {"--catalog a --forget --offline --now 5 r",
	     "--forget and --now cannot be used together"},
	    {"--fleet --no-model r", "--fleet and --no-model cannot be used together"},
	    {"--mail . --top 3 r", "--top needs --fleet"},
	    {"--mail . --title t r", "--title needs --fleet"},
	    {"--mail none r", "--mail: none: there is no such folder (make it: mkdir -p none)"},
	    {"--mail /dev/null r", "--mail: /dev/null: is not a folder"},
	    {"--mail s3://b r", "--mail: \"s3://b\" is not a path"},
	    {"--mail . --mail-state - r", "--mail-state: \"-\" is not a path"},
	    {"--mail . --mail-domain a@b r", "--mail-domain: \"a@b\" is not the name of a domain"},
	    {"--fleet --mail-rules f r", "--mail-rules needs --mail"},
	    {"--mine a.json",
	     "--mine needs --mail, --fleet, --runs, --pipeline, --ci or --ask-for"},
	    {"--fleet --name a r", "--fleet and --name cannot be used together"},
	    {"--fleet --status failed r", "--fleet and --status cannot be used together"},
	    {"--catalog a --add --junit a r", "--junit needs --fleet"},
	    {"--fleet --csv a --bytes r", "--fleet and --bytes cannot be used together"},
	    {"--fleet --csv a --human-names r",
	     "--fleet and --human-names cannot be used together"},
	    {"--fleet --csv a --schema 1 r", "--fleet and --schema cannot be used together"},
	    {"--fleet --ram-unit bytes r", "--fleet and --ram-unit cannot be used together"},
	    {"--fleet --gpu-ram-unit bytes r",
	     "--fleet and --gpu-ram-unit cannot be used together"},
	    {"--fleet --time-unit days r", "--fleet and --time-unit cannot be used together"},
	    {"--fleet --expected-cores 2 r",
	     "--fleet and --expected-cores cannot be used together"},
	    {"--fleet --gpu A r", "--fleet and --gpu cannot be used together"},
	    {"--fleet --servers 5 r", "--fleet and --servers cannot be used together"},
	    {"--fleet --vendor aws r", "--fleet and --vendor cannot be used together"},
	    {"--fleet --region x r", "--fleet and --region cannot be used together"},
	    {"--fleet --country DE r", "--fleet and --country cannot be used together"},
	    {"--fleet --compliance hipaa r", "--fleet and --compliance cannot be used together"},
	    {"--fleet --arch arm64 r", "--fleet and --arch cannot be used together"},
	    {"--fleet --cpu-allocation Shared r",
	     "--fleet and --cpu-allocation cannot be used together"},
	    {"--fleet --runs-per-month 5 r",
	     "--fleet and --runs-per-month cannot be used together"},
	    {"--fleet -t @trace.txt r", "--fleet and --template @NAME cannot be used together"},
	    {"--catalog a --add --compare r", "--add and --compare cannot be used together"},
	    {"--model m.json --fleet", "--fleet and --model cannot be used together"},
	    {"--model m.json --catalog a --add", "--add and --model cannot be used together"},
	    {"--model m.json --catalog a --forget", "--forget and --model cannot be used together"},
	    {"--model m.json --catalog a", "--model and --catalog cannot be used together"},
	    {"--fleet --spot --rate-memory 1 r",
	     "--spot and --rate-memory cannot be used together"},
	    {"--fleet --since soon r", "--since: \"soon\" is not a time"},
	    {"--fleet --until 30 r", "--until: \"30\" is not a time"},
	    {"--fleet --since 1d --until 2d r", "--since 1d is not before --until 2d"},
	    {"--fleet --since 1d --until 1d r", "--since 1d is not before --until 1d"},
	    {"--fleet --top 0 r", "--top: 0 is not between 1 and 100000"},
	    {"--fleet --top 201 r", "--top: 201 is not between 1 and 200"},
	    {"--runs --sort size r", "--sort: runs have no \"size\" to sort by"},
	    {"--runs --sort cost r", "--sort cost needs --rate-cpu"},
	    {"--job a/b r", "--job: \"a/b\" is not the ID of a job"},
	    {"--fleet --rate-cpu -1 r", "--rate-cpu: -1 is not between 0 and"},
	    {"--fleet --rate-cpu nan r", "--rate-cpu: \"nan\" is not a number"},
	    {"--fleet --group-by a,b,c,d,e,f,g,h,i r", "--group-by: more than 8 keys"},
	    {"--fleet --fail-if memory_efficiency<30% r",
	     "--fail-if: \"memory_efficiency<30%\": --fleet has no statistic \"memory_efficiency\"; "
	     "did you mean fleet.memory_efficiency?"},
	    {"--fail-if fleet.memory_efficiency<30% r",
	     "--fail-if: \"fleet.memory_efficiency<30%\": fleet.memory_efficiency is a statistic of "
	     "many runs, and needs --fleet"},
	    {"--fleet --fail-if fleet.money>1EUR r",
	     "--fail-if: \"fleet.money>1EUR\": prices are in USD; did you mean --currency EUR?"},
	    {"--fleet --text - --markdown - r", "two outputs go to standard output"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[256] = "";
		struct report_options o;
		struct err e;
		strcpy(line, cases[i].line);
		if (!parse_many(&o, line, &e))
			fail_msg("%s: accepted", cases[i].line);
		if (strncmp(e.msg, cases[i].sentence, strlen(cases[i].sentence)) != 0)
			fail_msg("%s: %s", cases[i].line, e.msg);
	}
}

/* Words that the catalog does not know are refused before anything is read, with the nearest. */
TEST_WITH(test_words, no_environment, NULL)
{
	static const struct {
		const char *line, *near;
	} cases[] = {
	    {"--fleet --group-by usr r", "user"},
	    {"--fleet --group-by name,hst r", "host"},
	    {"--fleet --where usr=ann r", "user"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[256] = "";
		struct report_options o;
		struct err e;
		strcpy(line, cases[i].line);
		assert_int_equal(parse_many(&o, line, &e), -1);
		if (!strstr(e.msg, cases[i].near))
			fail_msg("%s: %s", cases[i].line, e.msg);
	}
}

TEST_WITH(test_values, no_environment, NULL)
{
	char line[256] =
	    "--fleet --now 1764547200 --since 30d --until 2025-11-30 --group-by user,name "
	    "--group-by host runs/";
	char server[256] = "--catalog https://h/d --add";
	char page[256] = "--fleet --catalog runs.db";
	struct report_options o;
	struct err e;

	assert_int_equal(parse_many(&o, line, &e), 0);
	assert_true(o.since == 1764547200.0 - 30 * 86400);
	assert_true(o.until == 1764547200.0 - 86400);
	assert_int_equal(o.group_by.n, 3);
	assert_string_equal(o.group_by.v[0], "user");
	assert_string_equal(o.group_by.v[1], "name");
	assert_string_equal(o.group_by.v[2], "host");
	assert_false(report_options_rates(&o));
	assert_string_equal(o.file[FORMAT_HTML], "fleet.html");
	assert_int_equal(parse_many(&o, page, &e), 0);
	assert_string_equal(o.file[FORMAT_HTML], "fleet.html");
	assert_int_equal(parse_many(&o, server, &e), 0);
	assert_null(o.file[FORMAT_HTML]); /* it writes no page */
	assert_true(o.since == 0 && o.until == 0);
}
