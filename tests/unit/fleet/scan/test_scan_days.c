/* scan_days: which names are days, and which folders are not read again. */
#include <fcntl.h>
#include <linux/capability.h>
#include <math.h>
#include <sys/syscall.h>
#include <time.h>

#include "fleet/scan/scan_sources.h"
#include "tests/unit/fleet/catalog/catalog_double.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

TEST(names)
{
	static const struct {
		const char *name;
		double day; /* -1: none */
	} cases[] = {
	    {"1970-01-01", 0},
	    {"2026-11-29", 1795910400},
	    {"2024-02-29", 1709164800},
	    {"2023-02-29", -1},
	    {"2026-13-01", -1},
	    {"2026-00-10", -1},
	    {"2026-11-31", -1},
	    {"2026-11-00", -1},
	    {"2026-11-29 ", -1},
	    {"2026-11-2", -1},
	    {"2026/11/29", -1},
	    {"+026-11-29", -1},
	    {"", -1},
	    {"4711", -1},
	    {"2026-11-29.old", -1},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double day = scan_days_of_name(cases[i].name);
		if (cases[i].day < 0 ? !isnan(day) : day != cases[i].day)
			fail_msg("\"%s\": %.0f", cases[i].name, day);
	}
}

/* -- a tree ------------------------------------------------------------------------------------ */

struct tree {
	struct recordings *t;
	struct catalog *c;
	char sentences[sizeof((struct err *)NULL)->msg];
};

static void note_sentence(void *ctx, const struct err *why)
{
	struct tree *tree = ctx;

	snprintf(tree->sentences, sizeof tree->sentences, "%s", why->msg);
}

/* The path of a name in the folder of the user who runs this, `days` days ago. */
static const char *in_day(int days, const char *name)
{
	static char path[128];
	time_t then = time(NULL) - days * 86400;
	char day[16];

	strftime(day, sizeof day, "%Y-%m-%d", gmtime(&then));
	snprintf(path, sizeof path, "%u/%s%s%s", (unsigned)geteuid(), day, *name ? "/" : "", name);
	return path;
}

static void make_day(struct tree *tree, int days)
{
	char user[16];

	snprintf(user, sizeof user, "%u", (unsigned)geteuid());
	mkdir(recordings_path(tree->t, user), 0700);
	assert_int_equal(mkdir(recordings_path(tree->t, in_day(days, "")), 0700), 0);
}

static void make_file(struct tree *tree, int days, const char *name, const char *text)
{
	recordings_file(tree->t, in_day(days, name), text);
}

#define ROW(wall) "{\"rtrack_row\":{\"id\":\"a\",\"wall_s\":" #wall "}}"

/* later: seconds after this moment. */
static struct scan_result scan_tree(struct tree *tree, double later)
{
	struct scan s = {.n = 0};
	const struct input input = input_of(tree->t->folder);
	const struct scan_input in = {.input = &input,
	                              .n = 1,
	                              .failure = note_sentence,
	                              .ctx = tree,
	                              .now = (double)time(NULL) + later};
	struct scan_result r;
	struct err e = {0};

	tree->c->asked = 0;
	*tree->sentences = '\0';
	if (scan_run(&s, &in, tree->c, &r, &e))
		fail_msg("%s", e.msg);
	return r;
}

#define SOON 300 /* seconds: no folder has changed just now */

TEST_WITH(closed_days, recordings_begin, recordings_end)
{
	struct tree tree = {*state, calloc(1, sizeof *tree.c), ""};
	struct timespec old[2] = {{1000000000, 0}, {1000000000, 0}};
	struct scan_result r;

	for (int days = 0; days < 6; days++) {
		make_day(&tree, days);
		make_file(&tree, days, "a.json.gz", ROW(1));
		make_file(&tree, days, "b.json.gz", ROW(2));
	}
	/* Folders that have changed just now are not closed. */
	r = scan_tree(&tree, 0);
	assert_int_equal(r.added, 12);
	assert_int_equal(tree.c->n_folders, 0);
	r = scan_tree(&tree, SOON);
	assert_int_equal(r.listed, 12);
	assert_int_equal(r.added, 0);
	assert_int_equal(tree.c->n_folders, 3);
	/* Files of the three open days alone are looked at. */
	r = scan_tree(&tree, SOON);
	assert_int_equal(r.closed, 3);
	assert_int_equal(r.listed, 6);
	assert_int_equal(tree.c->asked, 6);
	assert_string_equal(tree.sentences, "");
	/* What is appended to a file of an open day is seen. */
	make_file(&tree, 2, "b.json.gz", ROW(77));
	r = scan_tree(&tree, SOON);
	assert_int_equal(r.added, 1);
	/* A new file opens a day, whatever the folder says of its last change. */
	make_file(&tree, 4, "late.json.gz", ROW(3));
	assert_int_equal(utimensat(AT_FDCWD, recordings_path(tree.t, in_day(4, "")), old, 0), 0);
	r = scan_tree(&tree, SOON);
	assert_int_equal(r.added, 1);
	assert_int_equal(r.closed, 2);
	assert_int_equal(scan_tree(&tree, SOON).closed, 3);
	/* Without the open days nothing is listed, which is no failure. */
	for (int days = 0; days < 3; days++)
		recordings_remove(recordings_path(tree.t, in_day(days, "")));
	r = scan_tree(&tree, SOON);
	assert_int_equal(r.closed, 3);
	assert_int_equal(r.listed, 0);
	assert_int_equal(r.failed, 0);
	double_free(tree.c);
}

/* What keeps a day from being closed. */
TEST_WITH(days_that_stay_open, recordings_begin, recordings_end)
{
	struct tree tree = {*state, calloc(1, sizeof *tree.c), ""};
	struct timespec old[2] = {{1000000000, 0}, {1000000000, 0}};
	struct scan_result r;

	for (int days = 10; days < 16; days++)
		make_day(&tree, days);
	make_file(&tree, 10, "damaged.json.gz", "{");
	make_file(&tree, 11, "a.json.gz.partial", ROW(1)); /* it may be written to */
	assert_int_equal(mkdir(recordings_path(tree.t, in_day(12, "deep")), 0700), 0);
	make_file(&tree, 12, "deep/a.json.gz", ROW(1));
	make_file(&tree, 13, "a.json.gz", ROW(1));
	assert_int_equal(symlink("a.json.gz", recordings_path(tree.t, in_day(13, "b.json"))), 0);
	/* Nobody has written to it for days. */
	make_file(&tree, 14, "a.json.gz.partial", ROW(1));
	assert_int_equal(utimensat(AT_FDCWD, tree.t->path, old, 0), 0);
	make_file(&tree, 15, "notes.txt", "of nothing");
	scan_tree(&tree, SOON);
	r = scan_tree(&tree, SOON);
	assert_int_equal(r.closed, 2);
	assert_int_equal(tree.c->n_folders, 2);
	assert_non_null(strstr(tree.c->folder[0].path, "/20"));
	double_free(tree.c);
}

/* Whether root may read what the mode of a file does not allow. */
static void root_reads_all(bool may)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct v[2];
	unsigned all = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;

	assert_int_equal(syscall(SYS_capget, &head, v), 0);
	v->effective = may ? v->effective | (v->permitted & all) : v->effective & ~all;
	assert_int_equal(syscall(SYS_capset, &head, v), 0);
}

/* One that cannot be read is read once it can be, though nobody has changed it. */
TEST_WITH(a_day_that_cannot_be_read, recordings_begin, recordings_end)
{
	struct tree tree = {*state, calloc(1, sizeof *tree.c), ""};
	struct scan_result r;

	make_day(&tree, 10);
	make_file(&tree, 10, "a.json.gz", ROW(1));
	assert_int_equal(chmod(recordings_path(tree.t, in_day(10, "")), 0), 0);
	root_reads_all(false);
	r = scan_tree(&tree, SOON);
	root_reads_all(true);
	assert_int_equal(r.failed, 1);
	assert_int_equal(tree.c->n_folders, 0);
	if (geteuid() == 0)
		assert_int_equal(scan_tree(&tree, SOON).added, 1);
	assert_int_equal(chmod(recordings_path(tree.t, in_day(10, "")), 0700), 0);
	assert_int_equal(scan_tree(&tree, SOON).listed, 1);
	double_free(tree.c);
}

/* Elsewhere a name says nothing: files there are overwritten in place. */
TEST_WITH(only_in_folders_of_users, recordings_begin, recordings_end)
{
	struct tree tree = {*state, calloc(1, sizeof *tree.c), ""};

	assert_int_equal(mkdir(recordings_path(tree.t, "2026-01-01"), 0700), 0);
	recordings_file(tree.t, "2026-01-01/a.json.gz", ROW(1));
	scan_tree(&tree, SOON);
	assert_int_equal(scan_tree(&tree, SOON).listed, 1);
	assert_int_equal(tree.c->n_folders, 0);
	double_free(tree.c);
}
