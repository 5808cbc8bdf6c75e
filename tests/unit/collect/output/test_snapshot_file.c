/* snapshot_file: names, and files that are never incomplete. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/output/snapshot_file.h"
#include "core/files/snapshot_read.h"
#include "tests/unit/unit.h"

#define WHEN 1795243911 /* 2026-11-21T06:51:51Z */

static struct snapshot_file_values values_of(const char *host, const struct part *part,
                                             const char *name)
{
	return (struct snapshot_file_values){
	    .host = host, .pid = 4711, .now = WHEN, .part = part, .name = name};
}

TEST(patterns)
{
	const struct part part = part_none();
	static const struct {
		const char *pattern, *host, *expect; /* expect NULL: an error */
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

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot_file o = {.path = ""};
		struct err e = {0};
		struct snapshot_file_values v = values_of(cases[i].host, &part, "j");
		int r = snapshot_file_name(&o, cases[i].pattern, &v, &e);
		assert_int_equal(r, cases[i].expect ? 0 : -1);
		if (cases[i].expect)
			assert_string_equal(o.path, cases[i].expect);
	}
}

TEST(letters_of_a_job)
{
	static const struct {
		const char *pattern, *name, *expect; /* or the sentence */
	} cases[] = {
	    {"%j_%a-%r.%N", "j", "17_3-5.n1_x"},
	    {"%n", "my job/1", "my_job_1"},
	    {"%n", "", "scheduled"},
	    {"%h%j", "", "h17"},
	    {"a%x", "", "--output: \"a%x\": % needs one of h, p, t, j, a, N, r, n, or % after it"},
	};
	struct part part = part_none();
	struct snapshot_file_values v = values_of("h", &part, "");
	struct snapshot_file o = {.path = ""};
	struct err e = {0};

	assert_int_equal(snapshot_file_name(&o, "%N", &v, &e), 0);
	assert_string_equal(o.path, "h");
	assert_int_equal(snapshot_file_name(&o, "%r", &v, &e), -1);
	assert_non_null(strstr(e.msg, "--output: %r: none of SLURM_PROCID,"));
	strcpy(part.text[PART_JOB], "17");
	strcpy(part.text[PART_INDEX], "3");
	strcpy(part.text[PART_RANK], "5");
	strcpy(part.text[PART_NODE], "n1/x");
	strcpy(part.text[PART_JOB_NAME], "scheduled");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		v.name = cases[i].name;
		if (snapshot_file_name(&o, cases[i].pattern, &v, &e))
			assert_string_equal(e.msg, cases[i].expect);
		else
			assert_string_equal(o.path, cases[i].expect);
	}
}

TEST(a_name_that_is_too_long)
{
	static char pattern[PATH_MAX + 10];
	struct snapshot_file o = {.path = ""};
	const struct part part = part_none();
	struct snapshot_file_values v = values_of("h", &part, "j");
	struct err e = {0};

	memset(pattern, 'a', PATH_MAX);
	assert_int_equal(snapshot_file_name(&o, pattern, &v, &e), -1);
	assert_non_null(strstr(e.msg, "too long"));
}

/* -- in a temporary directory ------------------------------------------------------------------ */

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

static struct snapshot_file named(const char *path)
{
	struct snapshot_file o = {.path = ""};

	snprintf(o.path, sizeof o.path, "%s", path);
	return o;
}

TEST_WITH(places_where_it_cannot_be, enter, leave)
{
	static char long_name[300];
	const struct {
		const char *path, *says; /* says NULL: it may be written */
	} cases[] = {
	    {"new.gz", NULL},
	    {"./new.gz", NULL},
	    {"file", NULL},
	    {"dangling", NULL},
	    {"to-file", NULL},
	    {"to-device", "links to a device"},
	    {"to-to-device", "links to a device"},
	    {"to-fifo", "links to a FIFO"},
	    {"to-dir", "links to a directory"},
	    {"dir", "is a directory"},
	    {"dir/", "is a directory"},
	    {"", "is a directory"},
	    {"none/new.gz", "No such file"},
	    {"file/new.gz", "Not a directory"},
	    {"fifo", "is a FIFO"},
	    {"dir/new.gz", NULL},
	    {"/dev/null", "it is in /dev"},
	    {"/dev/stdout", "it is in /dev"},
	    {"/dev/new.gz", "it is in /dev"},
	    {"to-dev/new.gz", "it is in /dev"},
	    {"to-dev/../dev/stdout", "it is in /dev"},
	    {long_name, "File name too long"},
	};

	memset(long_name, 'a', sizeof long_name - 1);
	put("file", "");
	assert_int_equal(mkdir("dir", 0700) | mkfifo("fifo", 0600), 0);
	assert_int_equal(symlink("/nowhere", "dangling") | symlink("file", "to-file") |
	                     symlink("/dev/null", "to-device") |
	                     symlink("to-device", "to-to-device") | symlink("fifo", "to-fifo") |
	                     symlink("dir", "to-dir") | symlink("/dev", "to-dev"),
	                 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot_file o = named(cases[i].path);
		struct err e = {0};
		int r = snapshot_file_check(&o, &e);
		assert_int_equal(r, cases[i].says ? -1 : 0);
		if (cases[i].says)
			assert_non_null(strstr(e.msg, cases[i].says));
	}
}

TEST_WITH(what_came_to_its_name_meanwhile_is_looked_at_again, enter, leave)
{
	struct snapshot_file o = named("run.gz");
	struct snapshot s = {.schema = SCHEMA_1};
	struct snapshot_source rows = snapshot_source_of(&s);
	struct err e = {0};
	struct stat st;

	assert_int_equal(snapshot_file_check(&o, &e), 0);
	assert_int_equal(symlink("/dev/null", "run.gz"), 0);
	assert_int_equal(snapshot_file_write(&o, &s, &rows, &e), -1);
	assert_non_null(strstr(e.msg, "links to a device"));
	assert_int_equal(lstat("run.gz", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	snapshot_free(&s);
}

static void close_and_keep(struct journal *j)
{
	assert_non_null(j);
	journal_close(j, false);
}

TEST_WITH(a_journal_is_never_taken_over, enter, leave)
{
	struct snapshot_file o = named("run.gz");
	struct snapshot s = {.meta.track_system = true};
	struct err e = {0};
	char path[64];
	struct stat st;

	assert_int_equal(symlink("/nowhere", "run.gz.partial.2"), 0);
	close_and_keep(snapshot_file_journal(&o, &s, &e));
	assert_string_equal(o.journal, "run.gz.partial");
	assert_int_equal(stat("run.gz.partial", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	close_and_keep(snapshot_file_journal(&o, &s, &e));
	assert_string_equal(o.journal, "run.gz.partial.3");
	for (int i = 4; i <= 100; i++) {
		snprintf(path, sizeof path, "run.gz.partial.%d", i);
		put(path, "");
	}
	/* Two more get random names, which are hardly ever taken. */
	for (int i = 0; i < 2; i++) {
		close_and_keep(snapshot_file_journal(&o, &s, &e));
		assert_int_equal(strncmp(o.journal, "run.gz.partial.", 15), 0);
		assert_true(strspn(o.journal + 15, "0123456789") == strlen(o.journal + 15));
	}
	snapshot_free(&s);
}

TEST_WITH(a_journal_that_cannot_be, enter, leave)
{
	char name[NAME_MAX];
	struct snapshot_file o;
	struct snapshot s = {.meta.track_system = true};
	struct err e = {0};

	memset(name, 'a', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	o = named(name);
	assert_int_equal(snapshot_file_check(&o, &e), 0);
	assert_null(snapshot_file_journal(&o, &s, &e));
	assert_non_null(strstr(e.msg, "File name too long"));
	o = named("none/run.gz");
	assert_null(snapshot_file_journal(&o, &s, &e));
	assert_non_null(strstr(e.msg, "none/run.gz.partial: No such file or directory"));
	snapshot_free(&s);
}

TEST_WITH(a_csv_has_a_file_of_its_own, enter, leave)
{
	static const struct {
		const char *csv;
		bool apart;
	} cases[] = {
	    {"run.csv", true},           {"run.gz", false},
	    {"./run.gz", false},         {"dir/../run.gz", false},
	    {"hard-link", false},        {"to-run", false},
	    {"run.gz.partial", false},   {"to-partial", false},
	    {"run.gz.partial.2", false}, {"run.gz.partial.17", false},
	    {"run.gz.partial.x", true},  {"run.gz.partialx", true},
	    {"run.gz.partial.", true},   {"run.gz.csv", true},
	    {"dir/run.gz", true},
	};

	put("run.gz", "an older one");
	assert_int_equal(mkdir("dir", 0700) | link("run.gz", "hard-link") |
	                     symlink("run.gz", "to-run") |
	                     symlink("run.gz.partial.3", "to-partial"),
	                 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot_file o = named("run.gz");
		struct err e = {0};
		int fd = open(cases[i].csv, O_WRONLY | O_CREAT, 0600);
		assert_true(fd >= 0);
		assert_int_equal(snapshot_file_apart(&o, cases[i].csv, fd, &e),
		                 cases[i].apart ? 0 : -1);
		if (!cases[i].apart)
			assert_non_null(strstr(e.msg, cases[i].csv));
		close(fd);
	}
}

TEST_WITH(what_is_there_can_be_kept, enter, leave)
{
	struct snapshot_file o = named("run.gz");
	struct snapshot s = {.schema = SCHEMA_1};
	struct snapshot_source rows = snapshot_source_of(&s);
	struct err e = {0};
	struct stat st;

	o.keep = true;
	put("run.gz", "old");
	assert_int_equal(snapshot_file_write(&o, &s, &rows, &e), -1);
	assert_non_null(strstr(e.msg, "File exists"));
	assert_int_equal(stat("run.gz", &st), 0);
	assert_int_equal(st.st_size, 3);
	assert_int_equal(unlink("run.gz") | snapshot_file_write(&o, &s, &rows, &e), 0);
	snapshot_free(&s);
}

static void write_run(const char *path, int expect)
{
	struct snapshot_file o = named(path);
	struct snapshot s = {.schema = SCHEMA_1};
	struct snapshot_source rows = snapshot_source_of(&s);
	struct err e = {0};

	assert_int_equal(snapshot_file_write(&o, &s, &rows, &e), expect);
	if (expect)
		assert_non_null(strstr(e.msg, path));
	snapshot_free(&s);
}

static size_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : (size_t)st.st_size;
}

/* What is at the name when a recording begins is replaced; what comes there while it runs is not. */
TEST_WITH(only_earlier_files_are_replaced, enter, leave)
{
	static const struct {
		const char *before, *meanwhile; /* content; NULL: no file. "": as before */
		const char *expect;             /* the name that is written */
	} cases[] = {
	    {NULL, "", "out.json.gz"},
	    {NULL, "other", "out.2.json.gz"},
	    {"earlier", "", "out.json.gz"},
	    {"earlier", NULL, "out.json.gz"},
	    {"earlier", "other", "out.2.json.gz"},
	    {"earlier", "EARLIER", "out.2.json.gz"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot_file o = named("out.json.gz");
		struct snapshot s = {.schema = SCHEMA_1};
		struct snapshot_source rows = snapshot_source_of(&s);
		const char *now = cases[i].meanwhile;
		struct err e = {0};
		(void)(unlink("out.json.gz") + unlink("out.2.json.gz"));
		if (cases[i].before)
			put("out.json.gz", cases[i].before);
		journal_close(snapshot_file_journal(&o, &s, &e), true);
		if (!now || *now)
			(void)unlink("out.json.gz");
		if (now && *now)
			put("out.json.gz", now);
		assert_int_equal(snapshot_file_write(&o, &s, &rows, &e), 0);
		assert_string_equal(o.path, cases[i].expect);
		assert_int_equal(o.moved, o.path[4] == '2');
		assert_true(size_of(o.path) > 20);
		if (o.moved)
			assert_int_equal(size_of("out.json.gz"), strlen(now));
		else
			assert_int_equal(size_of("out.2.json.gz"), 0);
		snapshot_free(&s);
	}
}

/* Nothing is said to have another name then, and the reason is not lost. */
TEST_WITH(all_names_are_taken, enter, leave)
{
	struct snapshot_file o = named("out.json.gz");
	struct snapshot s = {.schema = SCHEMA_1};
	struct snapshot_source rows = snapshot_source_of(&s);
	struct err e = {0};
	char name[32];

	journal_close(snapshot_file_journal(&o, &s, &e), true);
	put("out.json.gz", "other");
	for (int i = 2; i <= 1000; i++) {
		snprintf(name, sizeof name, "out.%d.json.gz", i);
		put(name, "other");
	}
	assert_int_equal(snapshot_file_write(&o, &s, &rows, &e), -1);
	assert_false(o.moved);
	assert_string_equal(e.msg, "out.json.gz cannot be written: File exists");
	snapshot_free(&s);
}

/* Runs of a command that name one file are all kept, and the last has the name. */
TEST_WITH(an_earlier_recording_is_kept, enter, leave)
{
	static const char *const kept[] = {"", "out.2.json.gz", "out.3.json.gz"};

	for (size_t i = 0; i < 3; i++) {
		struct snapshot_file o = named("out.json.gz");
		struct snapshot s = {.schema = SCHEMA_1};
		struct snapshot_source rows = snapshot_source_of(&s);
		struct err e = {0};
		size_t before = size_of("out.json.gz");

		if (i == 0)
			snapshot_note(&s, "The first file is longer than the next.");
		journal_close(snapshot_file_journal(&o, &s, &e), true);
		assert_int_equal(snapshot_file_write(&o, &s, &rows, &e), 0);
		assert_string_equal(o.path, "out.json.gz");
		assert_string_equal(o.kept, kept[i]);
		assert_false(o.moved);
		if (*o.kept)
			assert_int_equal(size_of(o.kept), before);
		assert_true(snapshot_recognise("out.json.gz"));
		snapshot_free(&s);
	}
}

TEST_WITH(the_file_appears_whole_and_private, enter, leave)
{
	struct stat st;

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

TEST_WITH(a_link_is_replaced_and_not_followed, enter, leave)
{
	struct stat st;

	put("victim", "safe");
	assert_int_equal(symlink("victim", "run.gz"), 0);
	write_run("run.gz", 0);
	assert_int_equal(lstat("run.gz", &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(stat("victim", &st), 0);
	assert_int_equal(st.st_size, 4);
}

TEST_WITH(a_link_in_the_way_of_the_temporary_file, enter, leave)
{
	char path[64];
	struct stat st;

	put("victim", "safe");
	snprintf(path, sizeof path, ".rtrack-%ld-0.tmp", (long)getpid());
	assert_int_equal(symlink("victim", path), 0);
	write_run("run.gz", 0);
	assert_int_equal(stat("victim", &st), 0);
	assert_int_equal(st.st_size, 4);
	assert_int_equal(stat("run.gz", &st), 0);
}

TEST_WITH(a_failure_leaves_nothing_behind, enter, leave)
{
	struct stat st;
	char path[64];

	write_run("none/run.gz", -1);
	assert_int_equal(mkdir("run.gz", 0700), 0);
	write_run("run.gz", -1); /* a directory has taken the name meanwhile */
	snprintf(path, sizeof path, ".rtrack-%ld-0.tmp", (long)getpid());
	assert_int_equal(lstat(path, &st), -1);
}
