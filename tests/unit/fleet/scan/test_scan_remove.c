/* scan_remove: old recordings go, and nothing else does. */
#include <fcntl.h>
#include <time.h>

#include "fleet/scan/scan_remove.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

#define BEFORE 1795910400.0 /* 2026-11-29 */

struct tree {
	struct recordings *t;
	char sentences[sizeof((struct err *)NULL)->msg];
	size_t failures;
	struct scan_removed removed;
};

static void note_failure(void *ctx, const struct err *why)
{
	struct tree *tree = ctx;

	tree->failures++;
	snprintf(tree->sentences, sizeof tree->sentences, "%s", why->msg);
}

/* A path below the folder of the user who runs this. */
static const char *of_user(const char *name)
{
	static char path[128];

	snprintf(path, sizeof path, "%u%s%s", (unsigned)geteuid(), *name ? "/" : "", name);
	return path;
}

static void make_folder(struct recordings *t, const char *name)
{
	assert_int_equal(mkdir(recordings_path(t, name), 0755), 0);
}

/* In the year 2001. */
static void make_old(struct recordings *t, const char *name)
{
	struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};

	recordings_file(t, name, "{}");
	assert_int_equal(utimensat(AT_FDCWD, t->path, times, 0), 0);
}

static int remove_from(struct tree *tree, const char *name)
{
	struct recordings *t = tree->t;

	tree->removed = (struct scan_removed){.files = 0};
	tree->failures = 0;
	return scan_remove(recordings_path(t, name), BEFORE, note_failure, tree, &tree->removed,
	                   &t->e);
}

static bool is_there(struct recordings *t, const char *name)
{
	struct stat st;

	return lstat(recordings_path(t, name), &st) == 0;
}

TEST_WITH(old_recordings, recordings_begin, recordings_end)
{
	struct tree tree = {.t = *state};
	struct recordings *t = tree.t;

	make_folder(t, of_user(""));
	make_folder(t, of_user("2026-11-28"));
	make_old(t, of_user("2026-11-28/a.json.gz"));
	make_old(t, of_user("2026-11-28/b.json.gz.partial.2"));
	make_folder(t, of_user("2026-11-29"));
	make_old(t, of_user("2026-11-29/a.json.gz"));
	make_folder(t, of_user("2026-11-27")); /* empty */
	make_folder(t, of_user("2025-01-01"));
	make_old(t, of_user("2025-01-01/a.json"));
	make_old(t, of_user("2025-01-01/notes.txt"));
	make_folder(t, of_user("2025-01-01/deep"));
	make_old(t, of_user("2025-01-01/deep/a.json"));
	make_old(t, of_user("flat.json.gz"));
	make_old(t, of_user("notes.txt"));
	recordings_file(t, of_user("new.json.gz"), "{}");
	make_folder(t, "other");
	make_folder(t, "other/2025-01-01");
	make_old(t, "other/2025-01-01/a.json");
	assert_int_equal(remove_from(&tree, ""), 0);
	assert_int_equal(tree.failures, 0);
	assert_int_equal(tree.removed.files, 4);
	assert_int_equal(tree.removed.folders, 2);
	assert_int_equal(tree.removed.kept, 1);
	assert_false(is_there(t, of_user("2026-11-28")));
	assert_false(is_there(t, of_user("2026-11-27")));
	assert_false(is_there(t, of_user("2025-01-01/a.json")));
	assert_false(is_there(t, of_user("flat.json.gz")));
	assert_true(is_there(t, of_user("2025-01-01/notes.txt")));
	assert_true(is_there(t, of_user("2025-01-01/deep/a.json")));
	assert_true(is_there(t, of_user("2026-11-29/a.json.gz")));
	assert_true(is_there(t, of_user("notes.txt")));
	assert_true(is_there(t, of_user("new.json.gz")));
	assert_true(is_there(t, "other/2025-01-01/a.json"));
}

/* A folder of a user stays when it is empty; and can be named itself. */
TEST_WITH(a_folder_of_a_user, recordings_begin, recordings_end)
{
	struct tree tree = {.t = *state};
	struct recordings *t = tree.t;

	make_folder(t, of_user(""));
	make_folder(t, of_user("2026-01-01"));
	make_old(t, of_user("2026-01-01/a.json.gz"));
	assert_int_equal(remove_from(&tree, of_user("")), 0);
	assert_int_equal(tree.removed.folders, 1);
	assert_true(is_there(t, of_user("")));
	/* Elsewhere nothing is removed. */
	make_folder(t, of_user("2026-01-01"));
	make_old(t, of_user("2026-01-01/a.json.gz"));
	assert_int_equal(remove_from(&tree, of_user("2026-01-01")), -1);
	assert_non_null(strstr(t->e.msg, "neither a user's folder"));
	assert_true(is_there(t, of_user("2026-01-01/a.json.gz")));
	assert_int_equal(remove_from(&tree, "missing"), -1);
	assert_non_null(strstr(t->e.msg, "No such file"));
}

/* What was changed at the limit stays; a folder of a day goes if all of its day is before it. */
TEST_WITH(at_the_limit, recordings_begin, recordings_end)
{
	struct timespec times[2] = {{(time_t)BEFORE, 0}, {(time_t)BEFORE, 0}};
	struct tree tree = {.t = *state};
	struct recordings *t = tree.t;

	make_folder(t, of_user(""));
	make_folder(t, of_user("2026-11-28"));
	make_folder(t, of_user("2026-11-29"));
	recordings_file(t, of_user("at.json.gz"), "{}");
	assert_int_equal(utimensat(AT_FDCWD, t->path, times, 0), 0);
	recordings_file(t, of_user("before.json.gz"), "{}");
	times[1].tv_sec--;
	assert_int_equal(utimensat(AT_FDCWD, t->path, times, 0), 0);
	assert_int_equal(remove_from(&tree, ""), 0);
	assert_int_equal(tree.removed.users, 1);
	assert_true(is_there(t, of_user("at.json.gz")));
	assert_false(is_there(t, of_user("before.json.gz")));
	assert_true(is_there(t, of_user("2026-11-29")));
	assert_false(is_there(t, of_user("2026-11-28")));
}

/* What cannot be removed is named, once each. Root may remove everything, so this is done as
 * somebody else. */
TEST_WITH(without_the_right, recordings_begin, recordings_end)
{
	struct tree tree = {.t = *state};
	struct recordings *t = tree.t;
	bool root = geteuid() == 0;

	if (root)
		assert_int_equal(chown(t->folder, 54321, 54321) || seteuid(54321), 0);
	make_folder(t, of_user(""));
	make_folder(t, of_user("2026-01-01"));
	make_old(t, of_user("2026-01-01/a.json.gz"));
	make_folder(t, of_user("2026-01-02")); /* empty */
	make_old(t, of_user("flat.json.gz"));
	assert_int_equal(chmod(recordings_path(t, of_user("2026-01-01")), 0500), 0);
	assert_int_equal(chmod(recordings_path(t, of_user("")), 0500), 0);
	assert_int_equal(remove_from(&tree, ""), 0);
	assert_int_equal(chmod(recordings_path(t, of_user("")), 0700), 0);
	assert_int_equal(chmod(recordings_path(t, of_user("2026-01-01")), 0700), 0);
	if (root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(tree.removed.files + tree.removed.folders, 0);
	assert_int_equal(tree.failures + tree.removed.kept, 4);
	assert_true(tree.failures >= 3); /* a folder that has files may be one that is kept */
	assert_non_null(strstr(tree.sentences, ": Permission denied"));
}

TEST_WITH(links, recordings_begin, recordings_end)
{
	struct tree tree = {.t = *state};
	struct recordings *t = tree.t;

	make_folder(t, "precious");
	make_old(t, "precious/a.json.gz");
	make_folder(t, of_user(""));
	make_folder(t, of_user("2026-01-01"));
	assert_int_equal(symlink("../../precious/a.json.gz",
	                         recordings_path(t, of_user("2026-01-01/a.json.gz"))),
	                 0);
	assert_int_equal(symlink("../precious", recordings_path(t, of_user("2026-01-02"))), 0);
	assert_int_equal(symlink("../precious/a.json.gz", recordings_path(t, of_user("b.json"))),
	                 0);
	assert_int_equal(symlink("precious", recordings_path(t, "4294967290")), 0);
	assert_int_equal(remove_from(&tree, ""), 0);
	assert_int_equal(tree.removed.files, 0);
	assert_int_equal(tree.removed.folders, 0);
	assert_int_equal(tree.removed.kept, 1);
	assert_true(is_there(t, "precious/a.json.gz"));
	assert_true(is_there(t, of_user("2026-01-02")));
	assert_true(is_there(t, of_user("2026-01-01/a.json.gz")));
}
