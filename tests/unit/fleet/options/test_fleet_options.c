/* fleet_options: the verbs of rtrack-fleet, and which options go together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/options/fleet_options.h"
#include "report/store/store_rights.h"
#include "tests/unit/unit.h"

#define ARGS_MAX 32

/* Parses the words of a line, in which "~" stands for a blank. The options point into it. */
static int parse(struct fleet_options *o, char *line, struct err *e)
{
	static char *argv[ARGS_MAX + 2];
	int argc = 0;

	argv[argc++] = (char *)"rtrack-fleet";
	for (char *word = strtok(line, " "); word && argc <= ARGS_MAX; word = strtok(NULL, " ")) {
		argv[argc++] = word;
		for (char *c = word; *c; c++)
			*c = *c == '~' ? ' ' : *c;
	}
	argv[argc] = NULL;
	*e = (struct err){0};
	return fleet_options_parse(o, argc, argv, e);
}

static void expect_refused(const char *words, const char *sentence)
{
	char line[256] = "";
	struct fleet_options o;
	struct err e;

	strcpy(line, words);
	if (!parse(&o, line, &e))
		fail_msg("%s: accepted", words);
	if (strncmp(e.msg, sentence, strlen(sentence)) != 0)
		fail_msg("%s: %s", words, e.msg);
	fleet_options_free(&o);
}

static int no_environment(void **state)
{
	(void)state;
	return unsetenv("RTRACK_KEEPER_URL") || unsetenv("SOURCE_DATE_EPOCH");
}

TEST_WITH(right, no_environment, NULL)
{
	static const struct {
		const char *line;
		enum fleet_verb verb;
		const char *page; /* NULL: none */
	} cases[] = {
	    {"runs/", FLEET_GROUPS, "groups.html"},
	    {"--since 30d runs/", FLEET_GROUPS, "groups.html"},
	    {"./groups", FLEET_GROUPS, "groups.html"},
	    {"runs/ mail", FLEET_GROUPS, "groups.html"},
	    {"groups runs/", FLEET_GROUPS, "groups.html"},
	    {"groups runs", FLEET_GROUPS, "groups.html"},
	    {"groups -o fleet.html a.json b.json runs/", FLEET_GROUPS, "fleet.html"},
	    {"groups --catalog runs.db", FLEET_GROUPS, "groups.html"},
	    {"groups --catalog runs.db --add runs/", FLEET_GROUPS, "groups.html"},
	    {"groups --catalog https://host:8443/site --add", FLEET_GROUPS, "groups.html"},
	    {"groups -j m.json --markdown s.md --text - --openmetrics m.prom --csv g.csv "
	     "--junit j.xml -t a.txt=b.txt runs/",
	     FLEET_GROUPS, NULL},
	    {"groups --where user=ann --where wall_s~>~60 --group-by user,name --top 50 runs/",
	     FLEET_GROUPS, "groups.html"},
	    {"groups --group-by tag:team --group-by host runs/", FLEET_GROUPS, "groups.html"},
	    {"groups --rate-cpu 0.04 --rate-memory 0.005 --rate-gpu 2 --currency eur runs/",
	     FLEET_GROUPS, "groups.html"},
	    {"groups --spot --offline --keeper-cache c --keeper-timeout 1m runs/", FLEET_GROUPS,
	     "groups.html"},
	    {"groups --title t --integration i --open -o a.html runs/", FLEET_GROUPS, "a.html"},
	    {"groups --fail-if fleet.memory_efficiency<30% runs/", FLEET_GROUPS, "groups.html"},
	    {"groups --currency EUR --fail-if fleet.money>1EUR runs/", FLEET_GROUPS, "groups.html"},
	    {"groups --mail-dir . --owner account --mail-domain example.org runs/", FLEET_GROUPS,
	     "groups.html"},
	    {"runs runs/", FLEET_RUNS, "runs.html"},
	    {"runs --sort -memory_peak --top 1000 --catalog runs.db --text -", FLEET_RUNS, NULL},
	    {"runs -t @trace.txt=t.txt runs/", FLEET_RUNS, NULL},
	    {"pipeline runs/", FLEET_PIPELINE, "pipeline.html"},
	    {"pipeline --run gitlab/77 --catalog runs.db --where user=ann --since 30d",
	     FLEET_PIPELINE, "pipeline.html"},
	    {"pipeline --catalog runs.db --add --text - --json m.json -o a.html runs/",
	     FLEET_PIPELINE, "a.html"},
	    {"ci --ci-root . --ci-patch p --runner-prices r.tsv runs/", FLEET_CI, NULL},
	    {"ci --catalog runs.db --add runs/", FLEET_CI, "ci.html"},
	    {"mail --mail-dir . --mail-rules r --mail-state s --mine runs/", FLEET_MAIL, NULL},
	    {"mail --mail-dir . --catalog runs.db --add --rate-cpu 1 runs/", FLEET_MAIL, NULL},
	    {"add --catalog runs.db runs/", FLEET_ADD, NULL},
	    {"add --catalog runs.db --sacct-since 7d --steps", FLEET_ADD, NULL},
	    {"add --catalog https://host:8443/site", FLEET_ADD, NULL},
	    {"forget --catalog runs.db runs/old", FLEET_FORGET, NULL},
	    {"ask --input reads.fq,12GiB --for slurm --risk careful runs/", FLEET_ASK, NULL},
	    {"ask --input reads.fq --catalog runs.db --where name=align", FLEET_ASK, NULL},
	    {"job 12345 runs/", FLEET_JOB, NULL},
	    {"job --catalog runs.db -o job.html 12345", FLEET_JOB, "job.html"},
	    {"job 12_3 --group-by name,user --fail-if duration>1h runs/", FLEET_JOB, NULL},
	    {"--list-runners", FLEET_GROUPS, NULL},
	    {"ci --list-runners", FLEET_CI, NULL},
	    {"mail --help", FLEET_MAIL, NULL},
	    {"--version", FLEET_GROUPS, NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[256] = "";
		struct fleet_options o;
		struct err e;
		strcpy(line, cases[i].line);
		if (parse(&o, line, &e))
			fail_msg("%s: %s", cases[i].line, e.msg);
		assert_int_equal(o.verb, cases[i].verb);
		if (!cases[i].page != !o.page.file[FORMAT_HTML] ||
		    (cases[i].page && strcmp(cases[i].page, o.page.file[FORMAT_HTML]) != 0))
			fail_msg("%s: another page", cases[i].line);
		fleet_options_free(&o);
	}
}

/* Each verb has the options that it can use. */
TEST_WITH(options_of_verbs, no_environment, NULL)
{
	static const char *const verbs[FLEET_VERBS] = {
	    [FLEET_GROUPS] = "groups",
	    [FLEET_RUNS] = "runs",
	    [FLEET_PIPELINE] = "pipeline",
	    [FLEET_CI] = "ci",
	    [FLEET_MAIL] = "mail --mail-dir .",
	    [FLEET_ADD] = "add --catalog a",
	    [FLEET_FORGET] = "forget --catalog a",
	    [FLEET_ASK] = "ask --input 5GB",
	    [FLEET_JOB] = "job 7",
	};
	/* With the letters of the verbs: g, r, p, c, m, a (add), f, i (ask --input), j. */
	static const struct {
		const char *option, *verbs;
	} cases[] = {
	    {"--where user=ann", "grpcmi"},
	    {"--since 30d", "grpcmi"},
	    {"--until 30d", "grpcmi"},
	    {"--mine", "grpcmi"},
	    {"--sacct-since 30d", "grpcma"},
	    {"--steps", "grpcma"},
	    {"--top 3", "gr"},
	    {"--sort wall", "r"},
	    {"--run x", "p"},
	    {"--rate-cpu 1", "grm"},
	    {"--rate-memory 1", "grm"},
	    {"--rate-gpu 1", "grm"},
	    {"--currency EUR", "grmj"},
	    {"--spot", "grmj"},
	    {"--keeper-timeout 5s", "grmj"},
	    {"--group-by user", "gj"},
	    {"--fail-if fleet.runs>1", "gj"},
	    {"--risk careful", "gpcmij"},
	    {"--slowdown 20%", "gpcmij"},
	    {"--title t", "grpcj"},
	    {"--integration t", "grpcj"},
	    {"--output x", "grpcj"},
	    {"--json x", "grpcj"},
	    {"--text x", "grpcj"},
	    {"--template x", "grpcj"},
	    {"--markdown x", "grcj"},
	    {"--csv x", "grcj"},
	    {"--openmetrics x", "gj"},
	    {"--junit x", "gj"},
	    {"--mail-dir .", "gm"},
	    {"--ci-root .", "c"},
	    {"--ci-patch x", "c"},
	    {"--runner-prices x", "c"},
	    {"--input 5GB", "i"},
	    {"--for slurm", "i"},
	    {"--now 5", "grpcmaj"},
	    {"--time-limit 5s", "grpcmaij"},
	    {"--offline", "grpcmafj"},
	};
	static const char letters[] = "grpcmafij";

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int v = 0; v < FLEET_VERBS; v++) {
			char line[256], told[256];
			struct fleet_options o;
			struct err e;
			int failed;
			snprintf(line, sizeof line, "%s %s source", verbs[v], cases[i].option);
			strcpy(told, line);
			failed = parse(&o, line, &e);
			if (!failed != (strchr(cases[i].verbs, letters[v]) != NULL))
				fail_msg("%s: %s", told, failed ? e.msg : "accepted");
			fleet_options_free(&o);
		}
}

TEST_WITH(wrong, no_environment, NULL)
{
	static const struct {
		const char *line, *sentence; /* how it begins */
	} cases[] = {
	    {"", "groups needs SOURCEs, or --catalog DATABASE"},
	    {"groups", "groups needs SOURCEs, or --catalog DATABASE"},
	    {"runs", "runs needs SOURCEs, or --catalog DATABASE"},
	    {"add runs/", "add needs --catalog DATABASE"},
	    {"groups --add runs/", "add needs --catalog DATABASE"},
	    {"forget runs/", "forget needs --catalog DATABASE"},
	    {"add --catalog runs.db", "add needs SOURCEs: recordings, or folders"},
	    {"forget --catalog runs.db", "forget needs SOURCEs: recordings, or folders"},
	    {"forget --catalog https://h/d", "forget needs SOURCEs"},
	    {"groups --catalog runs.db --add", "add needs SOURCEs: recordings, or folders"},
	    {"add --catalog runs.db -", "add: standard input has no name"},
	    {"forget --catalog runs.db -", "forget: standard input has no name"},
	    {"groups --catalog runs.db runs/",
	     "groups shows what the catalog has: add SOURCEs to it first (rtrack-fleet add)"},
	    {"groups --catalog runs.db --sacct-since 7d",
	     "groups shows what the catalog has: add what sacct has to it"},
	    {"forget --catalog runs.db --add a", "forget and --add cannot be used together"},
	    {"groups --catalog=", "--catalog: the name is empty"},
	    {"groups --catalog -", "--catalog: a database cannot be standard input"},
	    {"groups --catalog s3://b/d", "--catalog: a database cannot be in an object store"},
	    {"job 7 --catalog ftp://h/d", "--catalog: an address begins with https://"},
	    {"pipeline --catalog runs.db runs/", "pipeline shows what the catalog"},
	    {"pipeline --csv a runs/",
	     "pipeline and --csv cannot be used together (see --help pipeline)"},
	    {"pipeline --template @trace.txt r",
	     "pipeline and --template @NAME cannot be used together"},
	    {"groups -t @trace.txt r", "groups and --template @NAME cannot be used together"},
	    {"runs -t @snakemake.tsv r", "runs and --template @NAME cannot be used "
	                                 "together, but for @trace.txt"},
	    {"groups --compare r", "unknown option --compare"},
	    {"groups --history 5 r", "unknown option --history"},
	    {"groups --vendor aws r", "unknown option --vendor"},
	    {"groups --model m.json", "unknown option --model"},
	    {"mail r", "mail needs --mail-dir DIR"},
	    {"mail --mail-dir none/a/ r",
	     "--mail-dir: none/a/: there is no folder above it (make it: mkdir -p none/a/)"},
	    {"mail --mail-dir . --catalog said.jsonl",
	     "said.jsonl: --catalog and --mail-state cannot be the same file (give the catalog "
	     "another name)"},
	    {"job 1 r -- -n 3", "job: --history cannot follow \"--\": the report is of the "
	                        "recordings that job finds, and of no others"},
	    {"job 1 r -- --vendor aws a.json",
	     "job: only options can follow \"--\", and \"a.json\" is none: recordings are the "
	     "SOURCEs before it"},
	    {"--output= r", "--output: the name of the file is empty"},
	    {"--help foo", "--help: \"foo\" is none of groups, runs, pipeline, ci, mail, add, "
	                   "forget, ask, job"},
	    {"mail --mail-dir /dev/null r", "--mail-dir: /dev/null: is not a folder"},
	    {"groups --mail-dir s3://b r", "--mail-dir: \"s3://b\" is not a path"},
	    {"mail --mail-dir . --mail-state - r", "--mail-state: \"-\" is not a path"},
	    {"mail --mail-dir . --mail-rules= r", "--mail-rules: \"\" is not a path"},
	    {"mail --mail-dir . --mail-domain a@b r",
	     "--mail-domain: \"a@b\" is not the name of a domain"},
	    {"groups --mail-rules f r", "--mail-rules needs --mail-dir"},
	    {"groups --spot --rate-memory 1 r", "--spot and --rate-memory cannot be used together"},
	    {"groups --since soon r", "--since: \"soon\" is not a time"},
	    {"groups --until 30 r", "--until: \"30\" is not a time"},
	    {"add --catalog a --sacct-since soon", "--sacct-since: \"soon\" is not a time"},
	    {"groups --since 1d --until 2d r", "--since 1d is not before --until 2d"},
	    {"groups --since 1d --until 1d r", "--since 1d is not before --until 1d"},
	    {"groups --top 0 r", "--top: 0 is not between 1 and 100000"},
	    {"groups --top 201 r", "--top: 201 is not between 1 and 200"},
	    {"runs --sort size r", "--sort: runs have no \"size\" to sort by"},
	    {"runs --sort cost r", "--sort cost needs --rate-cpu"},
	    {"groups --rate-cpu -1 r", "--rate-cpu: -1 is not between 0 and"},
	    {"groups --rate-cpu nan r", "--rate-cpu: \"nan\" is not a number"},
	    {"groups --group-by a,b,c,d,e,f,g,h,i r", "--group-by: more than 8 keys"},
	    {"groups --fail-if memory_efficiency<30% r",
	     "--fail-if: \"memory_efficiency<30%\": rtrack-fleet has no statistic "
	     "\"memory_efficiency\"; did you mean fleet.memory_efficiency?"},
	    {"groups --fail-if fleet.money>1EUR r",
	     "--fail-if: \"fleet.money>1EUR\": prices are in USD; did you mean --currency EUR?"},
	    {"groups --text - --markdown - r", "two outputs go to standard output"},
	    {"ci --ci-patch x -o x r", "two outputs go to x"},
	    {"ask r", "ask needs --input FILE or SIZE"},
	    {"ask --input 5GB", "ask needs SOURCEs, or --catalog DATABASE"},
	    {"ask --input 5GB --for sbatch r", "--for: \"sbatch\" is not one of: slurm"},
	    {"ask --input 5GB --slowdown little r", "--slowdown: \"little\" is not a percentage"},
	    {"pipeline --run= r", "--run: the name is empty"},
	    {"job", "job needs the ID of a job, such as 12345"},
	    {"job a/b r", "job: \"a/b\" is not the ID of a job"},
	    {"job 7", "job needs SOURCEs, or --catalog DATABASE"},
	    {"job 7 --catalog a r", "job looks in SOURCEs or in --catalog, not in both"},
	    {"job 7 -", "job looks for files, and standard input has no name"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect_refused(cases[i].line, cases[i].sentence);
}

/* An empty name would be all below this folder. */
TEST_WITH(empty_source, no_environment, NULL)
{
	char *argv[] = {"rtrack-fleet", "forget", "--catalog", "a", "", NULL};
	struct fleet_options o;
	struct err e = {0};

	assert_int_equal(fleet_options_parse(&o, 5, argv, &e), -1);
	assert_string_equal(e.msg, "the name of an input is empty");
	fleet_options_free(&o);
}

/* Words that the catalog does not know are refused before anything is read, with the nearest. */
TEST_WITH(words, no_environment, NULL)
{
	static const struct {
		const char *line, *near;
	} cases[] = {
	    {"groups --group-by usr r", "user"},
	    {"groups --group-by name,hst r", "host"},
	    {"runs --where usr=ann r", "user"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[256] = "";
		struct fleet_options o;
		struct err e;
		strcpy(line, cases[i].line);
		assert_int_equal(parse(&o, line, &e), -1);
		if (!strstr(e.msg, cases[i].near))
			fail_msg("%s: %s", cases[i].line, e.msg);
		fleet_options_free(&o);
	}
}

TEST_WITH(values, no_environment, NULL)
{
	char groups[256] = "--now 1764547200 --since 30d --until 2025-11-30 --group-by user,name "
			   "--group-by host runs/";
	char add[256] = "add --catalog https://h/d", page[256] = "--rate-gpu 2 -o s3://b/p runs/";
	char job[256] = "job --catalog a 12_3", ask[256] = "ask --input a,5GB --input b r";
	char runs[256] = "runs -t x -t @trace.txt=y r";
	struct fleet_options o;
	struct err e;

	assert_int_equal(parse(&o, groups, &e), 0);
	assert_false(o.named);
	assert_true(o.since == 1764547200.0 - 30 * 86400);
	assert_true(o.until == 1764547200.0 - 86400);
	assert_int_equal(o.page.group_by.n, 3);
	assert_string_equal(o.page.group_by.v[0], "user");
	assert_string_equal(o.page.group_by.v[1], "name");
	assert_string_equal(o.page.group_by.v[2], "host");
	assert_false(fleet_options_rates(&o) || fleet_options_nextflow(&o));
	assert_string_equal(fleet_options_page_file(&o), "groups.html");
	assert_null(o.run);
	fleet_options_free(&o);
	assert_int_equal(parse(&o, add, &e), 0);
	assert_true(o.named && o.add);
	assert_true(o.since == 0 && o.until == 0);
	fleet_options_free(&o);
	assert_int_equal(parse(&o, page, &e), 0);
	assert_true(fleet_options_rates(&o));
	assert_null(fleet_options_page_file(&o)); /* no files lie beside it */
	fleet_options_free(&o);
	assert_int_equal(parse(&o, job, &e), 0);
	assert_string_equal(o.job, "12_3");
	assert_int_equal(o.page.n_inputs, 0);
	fleet_options_free(&o);
	assert_int_equal(parse(&o, ask, &e), 0);
	assert_int_equal(o.ask_for.n, 3);
	assert_string_equal(o.ask_for.v[1], "5GB");
	fleet_options_free(&o);
	assert_int_equal(parse(&o, runs, &e), 0);
	assert_true(fleet_options_nextflow(&o));
	fleet_options_free(&o);
}

TEST_WITH(mine, no_environment, NULL)
{
	char line[256] = "groups --where name=fit --mine r";
	struct fleet_options o;
	struct err e;

	assert_int_equal(parse(&o, line, &e), 0);
	assert_int_equal(o.where.n, 2);
	assert_memory_equal(o.where.v[1], "user=", 5);
	assert_true(o.where.v[1][5]);
	fleet_options_free(&o);
}

TEST(help)
{
	struct input mail = {.name = "mail"};
	struct fleet_options o = {.verb = FLEET_GROUPS};
	struct buf out = {0};

	fleet_options_help(&o, &out);
	for (int v = 0; v < FLEET_VERBS; v++)
		assert_non_null(strstr(buf_cstr(&out), fleet_verbs[v].name));
	out.len = 0;
	o.named = true; /* groups --help */
	fleet_options_help(&o, &out);
	assert_memory_equal(buf_cstr(&out), "Usage: rtrack-fleet groups ", 27);
	assert_non_null(strstr(buf_cstr(&out), "--where CONDITION"));
	assert_null(strstr(buf_cstr(&out), "--ci-root"));
	out.len = 0;
	o.page.input = &mail; /* --help mail */
	o.page.n_inputs = 1;
	fleet_options_help(&o, &out);
	assert_memory_equal(buf_cstr(&out), "Usage: rtrack-fleet mail ", 25);
	assert_non_null(strstr(buf_cstr(&out), "--mail-dir DIR"));
	buf_free(&out);
}

/* Whether a store is needed. */
TEST_WITH(stores, no_environment, NULL)
{
	static const struct {
		const char *line;
		bool needed;
	} cases[] = {
	    {"groups runs", false},
	    {"groups s3://b/ runs", true},
	    {"runs -o s3://b/p.html runs", true},
	    {"add --catalog c.db s3://b/", true},
	};
	struct store_grant grants[REPORT_OPTIONS_OUTPUTS_MAX + 3];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[128];
		struct fleet_options o;
		struct err e;
		strcpy(line, cases[i].line);
		if (parse(&o, line, &e))
			fail_msg("%s: %s", cases[i].line, e.msg);
		assert_int_equal(report_options_stores(&o.page, grants) > 0, cases[i].needed);
		fleet_options_free(&o);
	}
}
