/* collect_options: the command line of rtrack-collect. */
#include <string.h>

#include "collect/collect_options.h"
#include "tests/unit/unit.h"

#define ARGS_MAX 12

/* Parses words separated by blanks. */
static int parse(struct collect_options *o, const char *words, struct err *e)
{
	static char text[512];
	static char *argv[ARGS_MAX + 1];
	int argc = 0;

	strncpy(text, words, sizeof text - 1);
	for (char *p = strtok(text, " "); p && argc < ARGS_MAX; p = strtok(NULL, " "))
		argv[argc++] = p;
	argv[argc] = NULL;
	return collect_options_parse(o, argc, argv, e);
}

TEST(modes)
{
	struct collect_options o;
	struct err e = {0};

	assert_int_equal(parse(&o, "rtrack-collect", &e), 0);
	assert_int_equal(o.mode, COLLECT_OPTIONS_SYSTEM);
	assert_int_equal(parse(&o, "rtrack-collect -p 12 -i 0.5", &e), 0);
	assert_int_equal(o.mode, COLLECT_OPTIONS_PROCESS);
	assert_int_equal(o.pid, 12);
	assert_float_equal(o.interval_s, 0.5, 0);
	assert_int_equal(parse(&o, "rtrack-collect -q ls -l -p 3", &e), 0);
	assert_int_equal(o.mode, COLLECT_OPTIONS_COMMAND);
	assert_string_equal(o.command[1], "-l");
	assert_string_equal(o.command[3], "3");
	assert_null(o.command[4]);
	assert_int_equal(o.pid, 0);
	assert_int_equal(parse(&o, "rtrack-collect -- -strange", &e), 0);
	assert_string_equal(o.command[0], "-strange");
}

TEST(one_file_for_two_outputs)
{
	struct collect_options o;
	struct err e = {0};

	assert_int_equal(parse(&o, "rtrack-collect --end-file x -o x true", &e), -1);
	assert_string_equal(e.msg, "--end-file and --output cannot name the same file");
	assert_int_equal(parse(&o, "rtrack-collect --end-file x -o y true", &e), 0);
	assert_int_equal(parse(&o, "rtrack-collect --end-file x -o y --append-to x true", &e), -1);
	assert_string_equal(e.msg, "--end-file and --append-to cannot name the same file");
}

TEST(defaults)
{
	struct collect_options o;
	struct err e = {0};

	assert_int_equal(parse(&o, "rtrack-collect true", &e), 0);
	assert_null(o.output);
	assert_true(o.own_cgroup);
	assert_true(o.discover_cloud);
	assert_float_equal(o.interval_s, 1, 0);
	assert_int_equal(o.schema, SCHEMA_1);
	assert_true(o.keep_command);
	assert_false(o.wait_all || o.quiet || o.verbose || o.all_columns);
	assert_int_equal(
	    parse(&o, "rtrack-collect --schema=2 --no-command --tag a=b --tag c= -qv true", &e), 0);
	assert_int_equal(o.schema, SCHEMA_2);
	assert_false(o.keep_command);
	assert_true(o.quiet && o.verbose);
	assert_int_equal(o.tags.n, 2);
}

TEST(what_does_not_go_is_said)
{
	static const struct {
		const char *words, *says;
	} cases[] = {
	    {"rtrack-collect --", "no command"},
	    {"rtrack-collect -q --", "no command"},
	    {"rtrack-collect -p 1 true", "--pid"},
	    {"rtrack-collect -p 0", "--pid"},
	    {"rtrack-collect -p x", "--pid"},
	    {"rtrack-collect --root / true", "--root"},
	    {"rtrack-collect --wait-all", "--wait-all"},
	    {"rtrack-collect --wait-all -p 1", "--wait-all"},
	    {"rtrack-collect --csv-file x true", "--csv"},
	    {"rtrack-collect --all-columns true", "--csv"},
	    {"rtrack-collect --csv process", "--csv process"},
	    {"rtrack-collect --csv all true", "--csv"},
	    {"rtrack-collect -i 0 true", "--interval"},
	    {"rtrack-collect -i 3601 true", "--interval"},
	    {"rtrack-collect -i nan true", "--interval"},
	    {"rtrack-collect --schema 3 true", "--schema"},
	    {"rtrack-collect --tag a true", "KEY=VALUE"},
	    {"rtrack-collect --tag =a true", "KEY=VALUE"},
	    {"rtrack-collect --mark a true", "--mark"},
	    {"rtrack-collect --recover a -p 1", "--recover"},
	    {"rtrack-collect --mark a --recover b", "--recover"},
	    {"rtrack-collect --cgroup on true", "--cgroup"},
	    {"rtrack-collect --output= true", "--output"},
	    {"rtrack-collect --intervall 3 true", "--interval"},
	    {"rtrack-collect --no-process", "needs a command"},
	    {"rtrack-collect --no-system", "needs a command"},
	    {"rtrack-collect --no-children", "needs a command"},
	    {"rtrack-collect --no-process --no-system true", "nothing to record"},
	    {"rtrack-collect --no-children --wait-all true", "--wait-all"},
	    {"rtrack-collect --no-children --per-node true", "--per-node"},
	    {"rtrack-collect --no-children --asked cpus=1 true", "whole job"},
	    {"rtrack-collect --no-process --asked cpus=1 true", "whole job"},
	    {"rtrack-collect --no-process --csv process true", "--no-process"},
	    {"rtrack-collect --no-system --csv system true", "--no-system"},
	    {"rtrack-collect -o - true", "mixed"},
	    {"rtrack-collect -o - -p 1 --csv process", "--csv-file"},
	    {"rtrack-collect --info=xml", "text json"},
	    {"rtrack-collect --info true", "--info"},
	    {"rtrack-collect --info -p 1", "--info"},
	    {"rtrack-collect --info -i 2", "--interval"},
	    {"rtrack-collect --info --schema 2", "--schema"},
	    {"rtrack-collect --mark a -i 2", "--mark and --interval"},
	    {"rtrack-collect --mark a -v", "--verbose"},
	    {"rtrack-collect --recover a --tag b=c", "--recover and --tag"},
	    {"rtrack-collect --recover a --upload-every 5", "--upload-every"},
	    {"rtrack-collect --end-fd 3 true", "--end-fd"},
	    {"rtrack-collect --end-fd 3", "--end-fd needs --pid"},
	    {"rtrack-collect --info -o a", "--output"},
	    {"rtrack-collect --info --no-children", "--no-children"},
	    {"rtrack-collect --info --recover a", "--recover"},
	    {"rtrack-collect --info --root / --asked cpus=1", "--root"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct collect_options o;
		struct err e = {0};
		assert_int_equal(parse(&o, cases[i].words, &e), -1);
		assert_non_null(strstr(e.msg, cases[i].says));
	}
}

TEST(what_is_left_out)
{
	struct collect_options o;
	struct err e = {0};

	assert_int_equal(parse(&o, "rtrack-collect true", &e), 0);
	assert_true(o.children && o.record_job && o.record_machine && o.discover_server);
	assert_int_equal(parse(&o, "rtrack-collect --no-children --no-system true", &e), 0);
	assert_true(!o.children && o.record_job && !o.record_machine);
	assert_int_equal(parse(&o, "rtrack-collect -p 5 --no-process --no-discover-server", &e), 0);
	assert_true(!o.record_job && o.record_machine && !o.discover_server);
	assert_int_equal(parse(&o, "rtrack-collect -o - -p 1 --csv process --csv-file a", &e), 0);
	assert_int_equal(parse(&o, "rtrack-collect --info --asked cpus=1 --gpu x", &e), 0);
	assert_string_equal(o.info, "text");
	assert_int_equal(parse(&o, "rtrack-collect --info=json --root / --no-discover-cloud", &e),
	                 0);
	assert_string_equal(o.info, "json");
	assert_int_equal(parse(&o, "rtrack-collect -q --info", &e), 0);
	assert_int_equal(parse(&o, "rtrack-collect -q --mark a", &e), 0);
	assert_int_equal(parse(&o, "rtrack-collect -q --recover a -o b --schema 2", &e), 0);
	assert_int_equal(parse(&o, "rtrack-collect --cgroup off -p 1 -v", &e), 0);
}

TEST(help_names_every_option)
{
	struct buf b = {0};
	char name[64] = "--";

	collect_options_help(&b);
	assert_false(b.failed);
	for (const struct opt *o = collect_options_table; o->name; o++) {
		strncpy(name + 2, o->name, sizeof name - 3);
		assert_non_null(strstr(buf_cstr(&b), name));
	}
	for (const char *line = buf_cstr(&b); *line;) {
		size_t n = strcspn(line, "\n");
		assert_true(n <= 80);
		line += n + (line[n] == '\n');
	}
	buf_free(&b);
}
