/* report_options: the command line of rtrack-report, and the defaults from the environment. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/options/report_options.h"
#include "report/prices/keeper.h"
#include "report/store/store_rights.h"
#include "tests/unit/unit.h"

#define ARGS_MAX 70

/* Parses the words of a line. The options point into the caller's line. */
static int parse(struct report_options *o, char *line, struct err *e)
{
	static char *argv[ARGS_MAX + 2];
	static struct input *before;
	int argc = 0, failed;

	argv[argc++] = (char *)"rtrack-report";
	for (char *word = strtok(line, " "); word && argc <= ARGS_MAX; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	*e = (struct err){0};
	failed = report_options_parse(o, argc, argv, e);
	free(before);
	before = o->input; /* none is a journal */
	return failed;
}

static int environment(void **state)
{
	(void)state;
	return unsetenv("RTRACK_KEEPER_URL") || unsetenv("SOURCE_DATE_EPOCH");
}

TEST_WITH(defaults, environment, NULL)
{
	char line[] = "a.json b.json";
	struct report_options o;
	struct err e;

	assert_int_equal(parse(&o, line, &e), 0);
	assert_int_equal(o.n_inputs, 2);
	assert_string_equal(o.input[0].name, "a.json");
	assert_string_equal(o.input[1].name, "b.json");
	assert_int_equal(o.history, 5);
	assert_int_equal(o.servers, 5);
	assert_true(isnan(o.now));
	assert_string_equal(o.keeper_url, KEEPER_URL);
	assert_string_equal(o.file[FORMAT_HTML], "report.html");
	assert_null(o.model.name);
	assert_null(o.current.name);
	assert_null(o.title);
	assert_false(o.offline);
	for (size_t i = 0; i < FORMATS; i++)
		assert_true(i == FORMAT_HTML || !o.file[i]);
	assert_null(o.csv);
	assert_null(o.ram_unit);
	assert_int_equal(o.expected_cores, 0);
}

/* Each output has its own file. */
TEST_WITH(companions, environment, NULL)
{
	char line[] =
	    "-o o.html -j m.json --markdown s.md --text s.txt --openmetrics m.prom --junit j.xml "
	    "--csv c.csv --bytes --human-names -t @trace.txt=t -t @snakemake.tsv "
	    "--ram-unit megabytes --gpu-ram-unit bytes --time-unit days "
	    "--expected-cores 3 --gpu A,B --gpu C x.json";
	static const char *const files[] = {"o.html", "m.json", "s.md", "s.txt", "m.prom", "j.xml"};
	struct report_options o;
	struct err e;

	assert_int_equal(parse(&o, line, &e), 0);
	for (size_t i = 0; i < FORMATS; i++) {
		if (i < sizeof files / sizeof *files)
			assert_string_equal(o.file[i], files[i]);
		else
			assert_null(o.file[i]);
	}
	assert_string_equal(o.csv, "c.csv");
	assert_true(o.bytes && o.human_names);
	assert_string_equal(o.ram_unit, "megabytes");
	assert_string_equal(o.gpu_ram_unit, "bytes");
	assert_string_equal(o.time_unit, "days");
	assert_int_equal(o.expected_cores, 3);
	assert_int_equal(o.gpus.n, 3);
}

TEST_WITH(everything, environment, NULL)
{
	char line[] =
	    "-o o.html -j m.json -t a.md=a -t b.txt --title T -c c.json -n 7 --status failed "
	    "--offline --keeper-url http://localhost:1 --servers 9 --vendor aws --vendor gcp "
	    "--region eu --country DE --compliance hipaa --arch arm64 --cpu-allocation Shared "
	    "--currency EUR --now 12.5 x.json";
	struct report_options o;
	struct err e;

	assert_int_equal(parse(&o, line, &e), 0);
	assert_string_equal(o.file[FORMAT_HTML], "o.html");
	assert_string_equal(o.file[FORMAT_JSON], "m.json");
	assert_int_equal(o.templates.n, 2);
	assert_string_equal(o.templates.v[1], "b.txt");
	assert_string_equal(o.title, "T");
	assert_string_equal(o.current.name, "c.json");
	assert_int_equal(o.history, 7);
	assert_string_equal(o.status, "failed");
	assert_true(o.offline);
	assert_string_equal(o.keeper_url, "http://localhost:1");
	assert_int_equal(o.servers, 9);
	assert_int_equal(o.server.vendor.n, 2);
	assert_string_equal(o.server.vendor.v[1], "gcp");
	assert_string_equal(o.server.region.v[0], "eu");
	assert_string_equal(o.server.country.v[0], "DE");
	assert_string_equal(o.server.compliance.v[0], "hipaa");
	assert_string_equal(o.server.arch.v[0], "arm64");
	assert_string_equal(o.server.cpu_allocation.v[0], "Shared");
	assert_string_equal(o.currency, "EUR");
	assert_true(o.now == 12.5);
	assert_int_equal(o.n_inputs, 1);
}

/* Correct command lines; most need no snapshot. */
TEST_WITH(alone, environment, NULL)
{
	static const char *const lines[] = {"-t a.txt -t @trace.txt a.json",
	                                    "--help",
	                                    "-h",
	                                    "--version",
	                                    "-V",
	                                    "--list-metrics",
	                                    "--model m.json",
	                                    "--fail-if cost>1USD a.json",
	                                    "--currency eur --fail-if cost>1EUR a.json",
	                                    "--fail-if duration>1s --junit j.xml a.json",
	                                    "--current c.json",
	                                    "-c c.json"};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		char line[64];
		struct report_options o;
		struct err e;
		strcpy(line, lines[i]);
		assert_int_equal(parse(&o, line, &e), 0);
	}
}

TEST_WITH(slowdown, environment, NULL)
{
	static const struct {
		const char *line;
		double slowdown; /* NAN: wrong usage */
	} cases[] = {
	    {"a.json", 0.1},
	    {"--slowdown 25 a.json", 0.25},
	    {"--slowdown 2.5% a.json", 0.025},
	    {"--slowdown=0 a.json", 0},
	    {"--slowdown 1000% a.json", 10},
	    {"--slowdown 15% --compare a.json b.json", 0.15},
	    {"--slowdown 1001 a.json", NAN},
	    {"--slowdown -5% a.json", NAN},
	    {"--slowdown 1e999 a.json", NAN},
	    {"--slowdown nan a.json", NAN},
	    {"--slowdown % a.json", NAN},
	    {"--slowdown 5%% a.json", NAN},
	    {"--slowdown 10x a.json", NAN},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[64];
		struct report_options o;
		struct err e;
		strcpy(line, cases[i].line);
		assert_int_equal(parse(&o, line, &e), isnan(cases[i].slowdown) ? -1 : 0);
		if (isnan(cases[i].slowdown))
			assert_non_null(strstr(e.msg, "is not a percentage from 0 to 1000"));
		else
			assert_true(fabs(o.slowdown - cases[i].slowdown) < 1e-12);
	}
}

TEST_WITH(wrong, environment, NULL)
{
	static const struct {
		const char *line, *sentence; /* how it begins */
	} cases[] = {
	    {"", "no snapshot given (see --help)"},
	    {"--offline", "no snapshot given (see --help)"},
	    {"--model m.json a.json", "--model and snapshots cannot be used together"},
	    {"--model m.json --current a.json", "--model and --current cannot be used together"},
	    {"--ofline a.json", "unknown option --ofline; did you mean --offline?"},
	    {"--oflfine a.json", "unknown option --oflfine; did you mean --offline?"},
	    {"--htlm a.json", "unknown option --htlm (--help lists them)"},
	    {"--markdown --offline a.json",
	     "--markdown needs a value: FILE (\"--offline\" is an option)"},
	    {"-o --text=- a.json", "--output needs a value: FILE (\"--text\" is an option)"},
	    {"-o -- a.json", "--output needs a value: FILE (\"--\" is an option)"},
	    {"--vendors=aws a.json", "unknown option --vendors; did you mean --vendor?"},
	    {"--c a.json", "--c may mean --csv or --current"},
	    {"--model m.json --csv c.csv --bytes", "--model and --bytes cannot be used together"},
	    {"--model m.json --ram-unit bytes", "--model and --ram-unit cannot be used together"},
	    {"--model m.json --gpu A", "--model and --gpu cannot be used together"},
	    {"--model m.json --title t",
	     "--model and --title cannot be used together (see --help model)"},
	    {"--model m.json --slowdown 3", "--model and --slowdown cannot be used together"},
	    {"--model m.json --history 3", "--model and --history cannot be used together"},
	    {"--name a a.json b.json", "--name needs --compare"},
	    {"--title t --fleet runs",
	     "many runs are the work of rtrack-fleet; type: rtrack-fleet groups --title t runs"},
	    {"--where user=ann a.json", "unknown option --where"},
	    {"--fail-if fleet.memory_efficiency<30% r",
	     "--fail-if: \"fleet.memory_efficiency<30%\": fleet.memory_efficiency is a statistic of "
	     "many runs, and needs rtrack-fleet"},
	    {"--model m.json --fail-if duration>1s",
	     "--model and --fail-if cannot be used together"},
	    {"--fail-if duratoin>1s a.json", "--fail-if: \"duratoin>1s\": there is no statistic "
	                                     "\"duratoin\"; did you mean duration?"},
	    {"--fail-if duration>1sec a.json", "--fail-if: \"duration>1sec\": there is no unit "
	                                       "\"sec\"; did you mean s?"},
	    {"--fail-if duration>1s --fail-if duration a.json", "--fail-if: \"duration\": <, <="},
	    {"--fail-if cost>1EUR a.json",
	     "--fail-if: \"cost>1EUR\": prices are in USD; did you mean --currency EUR?"},
	    {"--currency EUR --fail-if cost>1USD a.json",
	     "--fail-if: \"cost>1USD\": prices are in EUR; did you mean --currency USD?"},
	    {"--bytes a.json", "--bytes needs --csv"},
	    {"--human-names a.json", "--human-names needs --csv"},
	    {"--ram-unit MB a.json",
	     "--ram-unit: \"MB\" is not one of: bytes kilobytes megabytes gigabytes terabytes"},
	    {"--time-unit years a.json", "--time-unit: \"years\" is not one of: seconds"},
	    {"--expected-cores 0 a.json", "--expected-cores: 0 is not between 1 and "},
	    {"-o a -j a a.json", "two outputs go to a"},
	    {"-o ./a --csv a a.json", "two outputs go to a"},
	    {"--text - --markdown - a.json", "two outputs go to standard output"},
	    {"-t x.txt -t y.txt -j - -t z.txt a.json", "two outputs go to standard output"},
	    {"-t x.txt=a -t y.txt=././a a.json", "two outputs go to a"},
	    {"-t =a a.json", "--template: \"=a\" is not TEMPLATE=FILE"},
	    {"- -", "standard input (\"-\") can be given only once"},
	    {"a.json - -c -", "standard input (\"-\") can be given only once"},
	    {"--process-prefix x a.json", "--process-prefix needs --csv"},
	    {"--model m.json --csv c.csv --system-prefix x",
	     "--model and --system-prefix cannot be used together"},
	    {"-t @trace a.json",
	     "--template: there is no @trace; built in are @gpu_tracker.json, @gpu_tracker.txt, "
	     "@snakemake.tsv, @trace.txt"},
	    {"-t @summary.md a.json", "--template: there is no @summary.md; built in are @gpu"},
	    {"-q a.json", "unknown option -q (--help lists them)"},
	    {"--history", "--history needs a value: N"},
	    {"--history many a.json", "--history: \"many\" is not a whole number"},
	    {"--history 1.5 a.json", "--history: \"1.5\" is not a whole number"},
	    {"--history -1 a.json", "--history: -1 is not between 0 and 10000"},
	    {"--keeper-timeout 0 a.json", "--keeper-timeout: 0 is not between 1 and 3600 seconds"},
	    {"--keeper-filter gpu_min a.json", "--keeper-filter: \"gpu_min\" is not NAME=VALUE"},
	    {"--keeper-filter gpu_min=1.5 a.json", "--keeper-filter: gpu_min: \"1.5\" is not a "},
	    {"--servers 0 a.json", "--servers: 0 is not between 1 and 64"},
	    {"--servers 65 a.json", "--servers: 65 is not between 1 and 64"},
	    {"--status killed a.json", "--status: \"killed\" is not one of: finished failed"},
	    {"--now -1 a.json", "--now: -1 is not between 0 and "},
	    {"--now nan a.json", "--now: \"nan\" is not a number"},
	    {"--offline=yes a.json", "--offline takes no value"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[128];
		struct report_options o;
		struct err e;
		strcpy(line, cases[i].line);
		assert_int_equal(parse(&o, line, &e), -1);
		assert_memory_equal(e.msg, cases[i].sentence, strlen(cases[i].sentence));
	}
}

TEST_WITH(from_environment, environment, NULL)
{
	static const struct {
		const char *epoch, *url, *line;
		double now; /* NAN: the clock; -1: wrong usage */
		const char *expected;
	} cases[] = {
	    {"1700000000", "http://localhost:9", "a.json", 1700000000, "http://localhost:9"},
	    {"", "", "a.json", NAN, KEEPER_URL},
	    {"1700000000", "http://localhost:9", "--now 5 --keeper-url http://localhost:8 a.json",
	     5, "http://localhost:8"},
	    {"tomorrow", "", "a.json", -1, NULL},
	    {"-1", "", "a.json", -1, NULL},
	    {"1e99", "", "a.json", -1, NULL},
	    {"nan", "", "a.json", -1, NULL},
	    {"5x", "", "a.json", -1, NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[128];
		struct report_options o;
		struct err e;
		setenv("SOURCE_DATE_EPOCH", cases[i].epoch, 1);
		setenv("RTRACK_KEEPER_URL", cases[i].url, 1);
		strcpy(line, cases[i].line);
		if (cases[i].now == -1) {
			assert_int_equal(parse(&o, line, &e), -1);
			assert_non_null(strstr(e.msg, "$SOURCE_DATE_EPOCH: \""));
			continue;
		}
		assert_int_equal(parse(&o, line, &e), 0);
		assert_true(isnan(cases[i].now) ? isnan(o.now) : o.now == cases[i].now);
		assert_string_equal(o.keeper_url, cases[i].expected);
	}
	environment(state);
}

TEST(help)
{
	static const char *const parts[] = {
	    "Usage: rtrack-report [OPTION]... SNAPSHOT...",
	    "--output FILE",
	    "--json FILE",
	    "--template TEMPLATE[=FILE]",
	    "--model FILE",
	    "--history N",
	    "--current FILE",
	    "--offline",
	    "--keeper-url URL",
	    "--now SECONDS",
	    "--fail-if CONDITION",
	    "  3  everything was written, and a --fail-if condition holds",
	    "  4  everything was written, but some recordings were left out",
	};
	struct input put = {.name = "put"};
	struct report_options o = {.n_inputs = 0};
	struct buf out = {0};

	report_options_help(&o, &out);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		assert_non_null(strstr(buf_cstr(&out), parts[i]));
	out.len = 0;
	o.input = &put;
	o.n_inputs = 1;
	report_options_help(&o, &out);
	assert_non_null(strstr(buf_cstr(&out), "--pieces TIME"));
	assert_null(strstr(buf_cstr(&out), "--history N"));
	buf_free(&out);
}

/* The query of an address has more "=" than the one before FILE. */
TEST(templates_to_addresses)
{
	static const struct {
		const char *spec, *template, *file;
	} cases[] = {
	    {"a.md=b.md", "a.md", "b.md"},
	    {"a=b.md=c.md", "a=b.md", "c.md"},
	    {"a.md=https://h/p?a=1&b=2", "a.md", "https://h/p?a=1&b=2"},
	    {"a.md=s3://b/x=y", "a.md", "s3://b/x=y"},
	    {"a.md=s3://b/x=https://h", "a.md", "s3://b/x=https://h"},
	    {"a.md=https://h/?x=s3://b", "a.md", "https://h/?x=s3://b"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf template = {0};
		const char *file;
		assert_int_equal(output_format_template(cases[i].spec, &template, &file), 0);
		assert_string_equal(buf_cstr(&template), cases[i].template);
		assert_string_equal(file, cases[i].file);
		buf_free(&template);
	}
}

/* Whether a store is needed: not for what is not an address. */
TEST(stores)
{
	static const struct {
		const char *line;
		bool needed;
	} cases[] = {
	    {"a.json", false},
	    {"s3://b/a.json", true},
	    {"a.json s3://b/", true},
	    {"-c s3://b/a.json a.json", true},
	    {"-o s3://b/p.html a.json", true},
	    {"--csv https://h/p?s=1 a.json", true},
	    {"-t @trace.txt=s3://b/t a.json", true},
	    {"-o ./s3://b/p.html a.json", false},
	    {"--put a.json s3://b/a.json", true},
	    {"--get - s3://b/a.json", true},
	    {"--compare s3://b/ runs", true},
	};
	struct store_grant grants[REPORT_OPTIONS_OUTPUTS_MAX + 3];
	struct report_options o;
	struct err e;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[128];
		strcpy(line, cases[i].line);
		if (parse(&o, line, &e))
			fail_msg("%s: %s", cases[i].line, e.msg);
		assert_int_equal(report_options_stores(&o, grants) > 0, cases[i].needed);
	}
}
