/* output: names, and files that appear whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../collect/output.h"

#define WHEN 1795243911 /* 2026-11-21T06:51:51Z */

static void patterns(void **state)
{
	static const struct {
		const char *pattern, *host, *expect; /* NULL: an error */
	} cases[] = {
	    {"a.json.gz", "h", "a.json.gz"},
	    {"rtrack-%h-%p-%t.json.gz", "node-1.lan",
	     "rtrack-node-1.lan-4711-20261121T065151Z.json.gz"},
	    {"%%%p", "h", "%4711"},
	    {"%h", "../../etc/passwd", ".._.._etc_passwd"},
	    {"%h", "</script>\n\x1b[2J\xff'\"", "__script____2J___"},
	    {"%h", "", ""},
	    {"a%", "h", NULL},
	    {"%x", "h", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct output o = {.path = ""};
		struct err e = {0};
		int r = output_name(&o, cases[i].pattern, cases[i].host, 4711, WHEN, &e);
		assert_int_equal(r, cases[i].expect ? 0 : -1);
		if (cases[i].expect)
			assert_string_equal(o.path, cases[i].expect);
	}
}

static void a_name_that_is_too_long(void **state)
{
	static char pattern[PATH_MAX + 10];
	struct output o = {.path = ""};
	struct err e = {0};

	(void)state;
	memset(pattern, 'a', PATH_MAX);
	assert_int_equal(output_name(&o, pattern, "h", 1, WHEN, &e), -1);
	assert_non_null(strstr(e.msg, "too long"));
}

/* -- in a directory of our own ----------------------------------------------------------------- */

static int enter(void **state)
{
	char *dir = strdup("/tmp/rtrack-output-XXXXXX");

	*state = dir;
	return dir && mkdtemp(dir) && chdir(dir) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	char command[128];
	int failed;

	snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
	failed = chdir("/") || system(command);
	free(*state);
	return failed ? -1 : 0;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static struct output named(const char *path)
{
	struct output o = {.path = ""};

	snprintf(o.path, sizeof o.path, "%s", path);
	return o;
}

static void places_where_it_cannot_be(void **state)
{
	static const struct {
		const char *path, *says; /* NULL: it can */
	} cases[] = {
	    {"new.gz", NULL},    {"./new.gz", NULL},         {"file", NULL},
	    {"link", NULL},      {"dir", "directory"},       {"dir/", "directory"},
	    {"", "directory"},   {"none/new.gz", "No such"}, {"file/new.gz", "Not a dir"},
	    {"fifo", "regular"}, {"dir/new.gz", NULL},       {"/dev/null", "regular"},
	};

	(void)state;
	put("file", "");
	assert_int_equal(mkdir("dir", 0700) | mkfifo("fifo", 0600), 0);
	assert_int_equal(symlink("/dev/null", "link"), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct output o = named(cases[i].path);
		struct err e = {0};
		int r = output_check(&o, &e);
		assert_int_equal(r, cases[i].says ? -1 : 0);
		if (cases[i].says)
			assert_non_null(strstr(e.msg, cases[i].says));
	}
}

static void a_journal_is_never_taken_over(void **state)
{
	struct output o = named("run.gz");
	struct err e = {0};

	(void)state;
	assert_int_equal(output_journal(&o, &e), 0);
	assert_string_equal(o.journal, "run.gz.partial");
	put("run.gz.partial", "another's");
	assert_int_equal(symlink("/nowhere", "run.gz.partial.2"), 0);
	assert_int_equal(output_journal(&o, &e), 0);
	assert_string_equal(o.journal, "run.gz.partial.3");
	for (char c = '3'; c <= '9'; c++) {
		char path[] = "run.gz.partial.N";
		path[sizeof path - 2] = c;
		put(path, "");
	}
	assert_int_equal(output_journal(&o, &e), -1);
}

static void write_run(const char *path, int expect)
{
	struct output o = named(path);
	struct snapshot s = {.schema = SCHEMA_1};
	struct snapshot_source rows = snapshot_frame_source(&s);
	struct err e = {0};

	assert_int_equal(output_write(&o, &s, &rows, &e), expect);
	if (expect)
		assert_non_null(strstr(e.msg, path));
	snapshot_free(&s);
}

static void the_file_appears_whole_and_private(void **state)
{
	struct stat st;

	(void)state;
	umask(0);
	write_run("run.gz", 0);
	assert_int_equal(lstat("run.gz", &st), 0);
	assert_true(S_ISREG(st.st_mode) && st.st_size > 20);
	assert_int_equal(st.st_mode & 0777, 0600);
	put("old.gz", "old");
	write_run("old.gz", 0);
	assert_int_equal(stat("old.gz", &st), 0);
	assert_true(st.st_size > 20);
}

static void a_link_is_replaced_and_not_followed(void **state)
{
	struct stat st;

	(void)state;
	put("victim", "safe");
	assert_int_equal(symlink("victim", "run.gz"), 0);
	write_run("run.gz", 0);
	assert_int_equal(lstat("run.gz", &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(stat("victim", &st), 0);
	assert_int_equal(st.st_size, 4);
}

static void a_link_in_the_way_of_the_temporary_file(void **state)
{
	char path[64];
	struct stat st;

	(void)state;
	put("victim", "safe");
	snprintf(path, sizeof path, ".rtrack-%ld-0.tmp", (long)getpid());
	assert_int_equal(symlink("victim", path), 0);
	write_run("run.gz", 0);
	assert_int_equal(stat("victim", &st), 0);
	assert_int_equal(st.st_size, 4);
	assert_int_equal(stat("run.gz", &st), 0);
}

static void a_failure_leaves_nothing_behind(void **state)
{
	struct stat st;
	char path[64];

	(void)state;
	write_run("none/run.gz", -1);
	assert_int_equal(mkdir("run.gz", 0700), 0);
	write_run("run.gz", -1); /* a directory came there meanwhile */
	snprintf(path, sizeof path, ".rtrack-%ld-0.tmp", (long)getpid());
	assert_int_equal(lstat(path, &st), -1);
}

#define IN_DIR(f) cmocka_unit_test_setup_teardown(f, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(patterns),
	    cmocka_unit_test(a_name_that_is_too_long),
	    IN_DIR(places_where_it_cannot_be),
	    IN_DIR(a_journal_is_never_taken_over),
	    IN_DIR(the_file_appears_whole_and_private),
	    IN_DIR(a_link_is_replaced_and_not_followed),
	    IN_DIR(a_link_in_the_way_of_the_temporary_file),
	    IN_DIR(a_failure_leaves_nothing_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
