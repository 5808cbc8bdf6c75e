/* opts: the manners of getopt_long, and sentences that help. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/opts.h"
#include "tests/unit/unit.h"

struct program {
	bool quiet, verbose, track;
	const char *output, *schema, *info;
	double interval;
	long pid, count;
	struct opts_list tags, words;
};

#define AT(member) offsetof(struct program, member)

enum { MODE_FILE, MODE_INFO, MODE_PID, MODES };

static const struct opts_mode modes[] = {
    [MODE_FILE] = {"file", NULL, "FILE", ~0U},
    [MODE_INFO] = {"info", "--info", "--info", OPTS_MODE(MODE_PID)},
    [MODE_PID] = {"pid", "--pid", "--pid PID", 0},
    [MODES] = {0},
};

static const struct opt table[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTS_STRING,
     .at = AT(output),
     .arg = "FILE",
     .group = "Output",
     .help = "Write to FILE",
     .modes = OPTS_MODE(MODE_FILE) | OPTS_MODE(MODE_PID)},
    {.name = "interval",
     .letter = 'i',
     .kind = OPTS_DURATION,
     .at = AT(interval),
     .arg = "TIME",
     .help = "Sample so often",
     .min = 0.01,
     .max = 3600},
    {.name = "schema",
     .kind = OPTS_CHOICE,
     .at = AT(schema),
     .arg = "N",
     .help = "The spelling of the columns, whichever the readers of the file know best and want "
             "to have",
     .choices = "1 2 both",
     .needs = "output"},
    {.name = "info",
     .kind = OPTS_CHOICE,
     .at = AT(info),
     .arg = "text|json",
     .group = "What",
     .help = "Tell",
     .choices = "text json",
     .without = "text",
     .modes = OPTS_MODE(MODE_INFO)},
    {.name = "pid",
     .letter = 'p',
     .kind = OPTS_INT,
     .at = AT(pid),
     .arg = "PID",
     .help = "Follow a process",
     .min = 1,
     .max = 4194304},
    {.name = "count",
     .kind = OPTS_INT,
     .at = AT(count),
     .arg = "N",
     .help = "So many",
     .min = -5,
     .max = 5,
     .modes = OPTS_MODE(MODE_PID) | OPTS_MODE(MODE_INFO)},
    {.name = "tag",
     .letter = 't',
     .kind = OPTS_LIST,
     .at = AT(tags),
     .arg = "KEY=VALUE",
     .help = "May repeat",
     .modes = OPTS_MODE(MODE_PID)},
    {.name = "quiet",
     .letter = 'q',
     .at = AT(quiet),
     .group = "Talk",
     .help = "Say nothing",
     .modes = OPTS_MODE(MODE_FILE)},
    {.name = "verbose", .letter = 'v', .at = AT(verbose), .help = "Say more"},
    {.name = "no-track", .letter = 'n', .kind = OPTS_NO, .at = AT(track), .help = "Do not track"},
    {.name = "hush", .at = AT(quiet), .modes = OPTS_MODE(MODE_FILE)}, /* not listed */
    {0},
};

#define ARGS_MAX 100

/* Splits line at its spaces; "_" stands for an empty word. */
static int split(char *line, char **argv)
{
	int argc = 1; /* [0] is the program */

	for (char *w = strtok(line, " "); w && argc < ARGS_MAX; w = strtok(NULL, " ")) {
		if (strcmp(w, "_") == 0)
			*w = '\0';
		argv[argc++] = w;
	}
	argv[argc] = NULL;
	return argc;
}

struct parsed {
	struct program p;
	struct err e;
	int r, argc;
	struct opts_parsed parsed;
	char line[4096], *argv[ARGS_MAX + 1], name[8];
};

static struct parsed *parse(const char *line, int flags)
{
	struct parsed *x = calloc(1, sizeof *x);

	assert_non_null(x);
	x->p.track = true;
	snprintf(x->line, sizeof x->line, "%s", line);
	x->argc = split(x->line, x->argv);
	strcpy(x->name, "program");
	x->argv[0] = x->name;
	x->r = opts_parse(table, &x->p, x->argc, x->argv, flags, &x->parsed, &x->e);
	return x;
}

TEST(kinds)
{
	static const char *const ways[] = {
	    "-o f -i 2.5 --schema 2 -p 12 --count -3 -t a=1 --tag b=2 -q -v -n",
	    "--output f --interval 2.5 --schema 2 --pid 12 --count -3 --tag a=1 -tb=2 -qvn",
	    "--output=f --interval=2.5 --schema=2 --pid=12 --count=-3 --tag=a=1 -t b=2 -vqn",
	    "-of -i2.5 --sch 2 -p12 --cou=-3 -ta=1 --ta=b=2 --qui --verb --no-t",
	    "-qvnof -vi2.5 --s=2 -p 12 --c -3 -t a=1 -t b=2",
	    "-o x -o f -i 1 -i 25e-1 --schema 1 --schema 2 -p 12. --count -3 -t a=1 -t b=2 -vqn",
	};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct parsed *x = parse(ways[i], 0);
		if (x->r)
			fail_msg("%s: %s", ways[i], x->e.msg);
		assert_string_equal(x->p.output, "f");
		assert_true(x->p.interval == 2.5);
		assert_string_equal(x->p.schema, "2");
		assert_int_equal(x->p.pid, 12);
		assert_int_equal(x->p.count, -3);
		assert_int_equal(x->p.tags.n, 2);
		assert_string_equal(x->p.tags.v[0], "a=1");
		assert_string_equal(x->p.tags.v[1], "b=2");
		assert_true(x->p.quiet && x->p.verbose && !x->p.track);
		assert_int_equal(x->parsed.rest, x->argc);
		free(x);
	}
}

TEST(nothing_given)
{
	struct parsed *x = parse("", 0);

	assert_int_equal(x->r, 0);
	assert_true(x->p.track && !x->p.quiet && !x->p.output);
	assert_int_equal(x->parsed.rest, 1);
	free(x);
}

TEST(where_options_end)
{
	static const struct {
		const char *line;
		int flags;
		bool quiet, verbose;
		const char *rest[4];
	} cases[] = {
	    {"-q a -v b", 0, true, true, {"a", "b"}},
	    {"-q a -v b", OPTS_STOP_AT_ARG, true, false, {"a", "-v", "b"}},
	    {"-q -- a -v", 0, true, false, {"a", "-v"}},
	    {"-q -- -v", OPTS_STOP_AT_ARG, true, false, {"-v"}},
	    {"a -q -- -v -- x", 0, true, false, {"a", "-v", "--", "x"}},
	    {"-q - -v", 0, true, true, {"-"}},
	    {"-q _ -v", OPTS_STOP_AT_ARG, true, false, {"", "-v"}},
	    {"cmd --no-such -i", OPTS_STOP_AT_ARG, false, false, {"cmd", "--no-such", "-i"}},
	    {"-o-q -- x", OPTS_STOP_AT_ARG, false, false, {"x"}}, /* -q is the file's name */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct parsed *x = parse(cases[i].line, cases[i].flags);
		if (x->r)
			fail_msg("%s: %s", cases[i].line, x->e.msg);
		assert_int_equal(x->p.quiet, cases[i].quiet);
		assert_int_equal(x->p.verbose, cases[i].verbose);
		for (int k = 0; k < 4 && cases[i].rest[k]; k++)
			assert_string_equal(x->argv[x->parsed.rest + k], cases[i].rest[k]);
		assert_true(x->argc - x->parsed.rest <= 4);
		assert_true(x->argc - x->parsed.rest == 4 ||
		            !cases[i].rest[x->argc - x->parsed.rest]);
		free(x);
	}
}

TEST(refusals)
{
	static const struct {
		const char *line, *sentence;
	} cases[] = {
	    {"--intervall 1", "unknown option --intervall; did you mean --interval?"},
	    {"--qiet", "unknown option --qiet; did you mean --quiet?"},
	    {"--outpt=x", "unknown option --outpt; did you mean --output?"},
	    {"--notrack", "unknown option --notrack; did you mean --no-track?"},
	    {"--frobnicate", "unknown option --frobnicate (--help lists them)"},
	    {"--zz", "unknown option --zz (--help lists them)"},
	    {"-x", "unknown option -x (--help lists them)"},
	    {"-qx", "unknown option -x (--help lists them)"},
	    {"-q-", "unknown option -- (--help lists them)"},
	    {"a b -x", "unknown option -x (--help lists them)"},
	    {"a --qiet b", "unknown option --qiet; did you mean --quiet?"},
	    {"-\x1b", "unknown option -\\x1b (--help lists them)"},
	    {"--\x1b[2J", "unknown option --\\x1b[2J (--help lists them)"},
	    {"-i", "--interval needs a value: TIME"},
	    {"-q --output", "--output needs a value: FILE"},
	    {"--outp", "--output needs a value: FILE"},
	    {"--output --quixt a",
	     "--output needs a value: FILE (\"--quixt\" looks like an option)"},
	    {"-o --verbsoe=x a",
	     "--output needs a value: FILE (\"--verbsoe\" looks like an option)"},
	    {"--output --info=json a", "--output needs a value: FILE (\"--info\" is an option)"},
	    {"--output -q a", "--output needs a value: FILE (\"-q\" is an option)"},
	    {"-o -p 5", "--output needs a value: FILE (\"-p\" is an option)"},
	    {"-vi", "--interval needs a value: TIME"},
	    {"--quiet=yes", "--quiet takes no value"},
	    {"--no-track=1", "--no-track takes no value"},
	    {"-i abc", "--interval: \"abc\" is not a duration such as 30s, 15m, 1h30m or 2d"},
	    {"-i 1x", "--interval: \"1x\" is not a duration such as 30s, 15m, 1h30m or 2d"},
	    {"-i _", "--interval: \"\" is not a duration such as 30s, 15m, 1h30m or 2d"},
	    {"-i nan", "--interval: \"nan\" is not a duration such as 30s, 15m, 1h30m or 2d"},
	    {"-i -1", "--interval: \"-1\" is not a duration such as 30s, 15m, 1h30m or 2d"},
	    {"-i 1e999", "--interval: \"1e999\" is not a duration such as 30s, 15m, 1h30m or 2d"},
	    {"-i 0", "--interval: 0 is not between 0.01 and 3600 seconds"},
	    {"-i 1h1s", "--interval: 1h1s is not between 0.01 and 3600 seconds"},
	    {"-p 1.5", "--pid: \"1.5\" is not a whole number"},
	    {"-p self", "--pid: \"self\" is not a whole number"},
	    {"-p 0", "--pid: 0 is not between 1 and 4194304"},
	    {"-p 99999999999999999999", "--pid: 99999999999999999999 is not between 1 and 4194304"},
	    {"--schema 3", "--schema: \"3\" is not one of: 1 2 both"},
	    {"--schema _", "--schema: \"\" is not one of: 1 2 both"},
	    {"--schema bot", "--schema: \"bot\" is not one of: 1 2 both"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct parsed *x = parse(cases[i].line, 0);
		if (x->r != -1)
			fail_msg("%s was taken", cases[i].line);
		assert_string_equal(x->e.msg, cases[i].sentence);
		free(x);
	}
}

TEST(choices_are_whole_words)
{
	char name[] = "program", value[] = "--schema=1 2";
	char *argv[] = {name, value, NULL};
	struct program p = {0};
	struct err e = {{0}};
	struct opts_parsed parsed;

	assert_int_equal(opts_parse(table, &p, 2, argv, 0, &parsed, &e), -1);
	assert_string_equal(e.msg, "--schema: \"1 2\" is not one of: 1 2 both");
}

TEST(a_choice_without_a_value)
{
	struct parsed *x = parse("--info", 0);

	assert_int_equal(x->r, 0);
	assert_string_equal(x->p.info, "text");
	free(x);
	x = parse("--info=json rest", 0);
	assert_int_equal(x->r, 0);
	assert_string_equal(x->p.info, "json");
	assert_int_equal(x->parsed.rest, 2);
	free(x);
	x = parse("--info=yaml", 0);
	assert_int_equal(x->r, -1);
	assert_string_equal(x->e.msg, "--info: \"yaml\" is not one of: text json");
	free(x);
}

TEST(ambiguous)
{
	static const struct opt near[] = {
	    {.name = "discover-cloud", .at = AT(quiet)},
	    {.name = "discover-server", .at = AT(verbose)},
	    {0},
	};
	char name[] = "program", word[] = "--disc";
	char *argv[] = {name, word, NULL, NULL};
	struct program p = {0};
	struct err e = {{0}};
	struct opts_parsed parsed;

	assert_int_equal(opts_parse(near, &p, 2, argv, 0, &parsed, &e), -1);
	assert_string_equal(e.msg, "--disc may mean --discover-cloud or --discover-server");
}

TEST(long_words)
{
	char line[3000];
	struct parsed *x;

	memset(line, 'x', sizeof line - 1);
	line[sizeof line - 1] = '\0';
	memcpy(line, "--", 2);
	x = parse(line, 0);
	assert_int_equal(x->r, -1);
	assert_true(strncmp(x->e.msg, "unknown option --xxx", 20) == 0);
	free(x);
}

TEST(lists_have_a_cap)
{
	char line[4096] = "";
	struct parsed *x;

	for (int i = 0; i < OPTS_LIST_MAX; i++)
		strcat(line, "-ta ");
	x = parse(line, 0);
	assert_int_equal(x->r, 0);
	assert_int_equal(x->p.tags.n, OPTS_LIST_MAX);
	free(x);
	strcat(line, "--tag b");
	x = parse(line, 0);
	assert_int_equal(x->r, -1);
	assert_string_equal(x->e.msg, "--tag: given more than 64 times");
	free(x);
}

TEST(help)
{
	struct buf b = {0};

	opts_help(table, 0, &b);
	assert_string_equal(
	    buf_cstr(&b),
	    "Output:\n"
	    "  -o, --output FILE           Write to FILE\n"
	    "  -i, --interval TIME         Sample so often\n"
	    "      --schema N              The spelling of the columns, whichever the readers\n"
	    "                              of the file know best and want to have\n"
	    "\n"
	    "What:\n"
	    "      --info[=text|json]      Tell\n"
	    "  -p, --pid PID               Follow a process\n"
	    "      --count N               So many\n"
	    "  -t, --tag KEY=VALUE         May repeat\n"
	    "\n"
	    "Talk:\n"
	    "  -q, --quiet                 Say nothing\n"
	    "  -v, --verbose               Say more\n"
	    "  -n, --no-track              Do not track\n");
	buf_free(&b);
}

/* Only what may be given in a mode. */
TEST(help_of_a_mode)
{
	struct buf b = {0};

	opts_help(table, OPTS_MODE(MODE_INFO), &b);
	assert_string_equal(
	    buf_cstr(&b),
	    "Output:\n"
	    "  -i, --interval TIME         Sample so often\n"
	    "      --schema N              The spelling of the columns, whichever the readers\n"
	    "                              of the file know best and want to have\n"
	    "\n"
	    "What:\n"
	    "      --info[=text|json]      Tell\n"
	    "  -p, --pid PID               Follow a process\n"
	    "      --count N               So many\n"
	    "\n"
	    "Talk:\n"
	    "  -v, --verbose               Say more\n"
	    "  -n, --no-track              Do not track\n");
	buf_free(&b);
}

TEST(which_mode)
{
	static const struct {
		const char *line;
		int mode; /* -1: refused */
		const char *sentence;
	} cases[] = {
	    {"", MODE_FILE, ""},
	    {"-o x --schema 1 -q", MODE_FILE, ""},
	    {"-p 1 -o x", MODE_PID, ""},
	    {"--count 1 --info", MODE_INFO, ""},
	    {"--count 1", -1, "--count needs --info or --pid"},
	    {"-t a", -1, "--tag needs --pid"},
	    {"-t a --info", -1, "--tag needs --pid"},
	    {"-t a -p 1", MODE_PID, ""},
	    {"--info -p 1", -1, "--pid and --info cannot be used together (see --help pid)"},
	    {"-q -p 1", -1, "--pid and --quiet cannot be used together (see --help pid)"},
	    {"--info -q", -1, "--info and --quiet cannot be used together (see --help info)"},
	    {"-v --schema 1", -1, "--schema needs --output"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct parsed *x = parse(cases[i].line, 0);
		assert_int_equal(x->r, 0);
		assert_int_equal(opts_mode(table, modes, MODE_FILE, &x->parsed, &x->e),
		                 cases[i].mode);
		assert_string_equal(x->e.msg, cases[i].sentence);
		free(x);
	}
	assert_int_equal(opts_mode_named(modes, "pid"), MODE_PID);
	assert_int_equal(opts_mode_named(modes, "x"), -1);
}

/* A value may be a list; blanks around its words and empty words go. */
TEST(words)
{
	char value[] = " a b ,, c,", one[] = "d", many[OPTS_LIST_MAX * 2 + 3], none[] = " , ";
	char program[] = "p", option[] = "--word";
	char *argv[] = {program, option, value, option, one, NULL, NULL};
	static const struct opt list[] = {
	    {.name = "word", .kind = OPTS_WORDS, .at = AT(words), .arg = "W[,W]"},
	    {0},
	};
	struct program p = {0};
	struct err e = {0};
	struct opts_parsed parsed;

	assert_int_equal(opts_parse(list, &p, 5, argv, 0, &parsed, &e), 0);
	assert_int_equal(p.words.n, 3);
	assert_string_equal(p.words.v[0], "a b");
	assert_string_equal(p.words.v[1], "c");
	assert_string_equal(p.words.v[2], "d");
	argv[2] = none;
	assert_int_equal(opts_parse(list, &p, 3, argv, 0, &parsed, &e), -1);
	assert_string_equal(e.msg, "--word needs a value: W[,W]");
	for (size_t i = 0; i + 1 < sizeof many; i++)
		many[i] = i % 2 ? ',' : 'x';
	many[sizeof many - 1] = '\0';
	argv[2] = many;
	p = (struct program){0};
	assert_int_equal(opts_parse(list, &p, 3, argv, 0, &parsed, &e), -1);
	assert_string_equal(e.msg, "--word: given more than 64 times");
}
