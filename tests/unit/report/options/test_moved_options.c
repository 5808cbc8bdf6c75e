/* moved_options: the line to type instead of one of rtrack-report before rtrack-fleet. */
#include <string.h>

#include "report/options/moved_options.h"
#include "tests/unit/unit.h"

#define ARGS_MAX 16

/* The words of a line, in which "~" stands for a blank. */
static int refuse(char *line, struct err *e)
{
	char *argv[ARGS_MAX + 2];
	int argc = 0;

	argv[argc++] = (char *)"rtrack-report";
	for (char *word = strtok(line, " "); word && argc <= ARGS_MAX; word = strtok(NULL, " ")) {
		argv[argc++] = word;
		for (char *c = word; *c; c++)
			*c = *c == '~' ? ' ' : *c;
	}
	argv[argc] = NULL;
	*e = (struct err){0};
	return moved_options_refuse(argc, argv, e);
}

TEST(lines)
{
	static const struct {
		const char *line, *now; /* after "rtrack-fleet " */
	} cases[] = {
	    {"--fleet runs/", "groups runs/"},
	    {"-o a.html --fleet --since 30d runs/", "groups -o a.html --since 30d runs/"},
	    {"--runs --sort -wall runs/", "runs --sort -wall runs/"},
	    {"--ci --ci-patch p runs/", "ci --ci-patch p runs/"},
	    {"--list-runners", "ci --list-runners"},
	    {"--pipeline runs/", "pipeline runs/"},
	    {"--pipeline=gitlab/77 --catalog c.db", "pipeline --run gitlab/77 --catalog c.db"},
	    {"--mail mails runs/", "mail --mail-dir mails runs/"},
	    {"--mail=mails --owner account runs/", "mail --mail-dir mails --owner account runs/"},
	    {"--mail mails --fleet runs/", "groups --mail-dir mails runs/"},
	    {"--catalog c.db --add runs/", "add --catalog c.db runs/"},
	    {"--catalog c.db --add --fleet runs/", "groups --catalog c.db --add runs/"},
	    {"--add --runs --catalog=c.db runs/", "runs --add --catalog c.db runs/"},
	    {"--catalog c.db --forget runs/", "forget --catalog c.db runs/"},
	    {"--catalog c.db", "groups --catalog c.db"},
	    {"--ask-for a.fq --for slurm runs/", "ask --input a.fq --for slurm runs/"},
	    {"--ask-for=a.fq,5GB runs/", "ask --input a.fq,5GB runs/"},
	    {"--job 12345 runs/", "job 12345 runs/"},
	    {"--job=12_3 --catalog c.db", "job 12_3 --catalog c.db"},
	    /* as a shell reads it */
	    {"--fleet --where wall_s~>~60 a~b it's",
	     "groups --where 'wall_s > 60' 'a b' 'it'\\''s'"},
	    {"--fleet --where tag:team!=web r", "groups --where 'tag:team!=web' r"},
	    {"--catalog=c~d --fleet", "groups --catalog 'c d'"},
	    /* what follows "--" is no option */
	    {"--fleet -- --runs", "groups -- --runs"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static const char begin[] =
		    "many runs are the work of rtrack-fleet; type: rtrack-fleet ";
		char line[128];
		struct err e;
		strcpy(line, cases[i].line);
		assert_int_equal(refuse(line, &e), -1);
		assert_memory_equal(e.msg, begin, sizeof begin - 1);
		assert_string_equal(e.msg + sizeof begin - 1, cases[i].now);
	}
}

TEST(others)
{
	static const char *const lines[] = {
	    "",       "a.json",       "--fleets runs/",
	    "-fleet", "--c a",        "-- --fleet runs",
	    "fleet",  "--mail-dir m", "--=add",
	    "--",     "--add-x",      "--compare a.json b.json",
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		char line[128];
		struct err e;
		strcpy(line, lines[i]);
		assert_int_equal(refuse(line, &e), 0);
		assert_string_equal(e.msg, "");
	}
}
