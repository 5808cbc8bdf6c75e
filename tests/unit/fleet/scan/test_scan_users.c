/* scan_users: whose the files are in folders of several users. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fleet/scan/scan_users.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

#define OTHER 54321 /* neither root nor, as far as anybody runs tests, the reader */

static const struct scan_list_folder of_nobody = {.owner = SCAN_USERS_ANYONE},
				     shared = {.owner = SCAN_USERS_ANYONE, .shared = true};

static struct scan_list_folder of(uint32_t user)
{
	return (struct scan_list_folder){.owner = user, .shared = true};
}

/* A path below the folder of the test: of the user who runs it, and what is behind the number. */
static const char *mine(struct recordings *t, const char *behind)
{
	char name[128];

	snprintf(name, sizeof name, "%u%s", (unsigned)geteuid(), behind);
	return recordings_path(t, name);
}

static void make(struct recordings *t, const char *path, mode_t mode)
{
	(void)t;
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static struct scan_list_folder entered(struct recordings *t, const struct scan_list_folder *in,
                                       const char *name)
{
	struct scan_list_folder f = {.owner = OTHER};
	int fd = open(recordings_path(t, name), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	scan_users_enter(&f, in, name, fd);
	close(fd);
	return f;
}

TEST(who_needs_no_proof)
{
	assert_true(scan_users_trusts(0));
	assert_true(scan_users_trusts((uint32_t)geteuid()));
	assert_false(scan_users_trusts(OTHER));
}

/* A user's folder makes all of it his; else the owner counts where folders of users are. */
TEST(whose_run_it_is)
{
	const struct scan_list_folder his = of(OTHER);

	assert_int_equal(scan_users_in(&his, 0), OTHER);
	assert_int_equal(scan_users_in(&his, OTHER + 1), OTHER);
	assert_int_equal(scan_users_in(&shared, OTHER), OTHER);
	assert_int_equal(scan_users_in(&shared, 0), SCAN_USERS_ANYONE);
	assert_int_equal(scan_users_in(&of_nobody, OTHER), SCAN_USERS_ANYONE);
	assert_true(scan_users_are_in(&shared));
	assert_true(scan_users_are_in(&his));
	assert_false(scan_users_are_in(&of_nobody));
}

TEST_WITH(folders_by_their_paths, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	uint32_t me = (uint32_t)geteuid();

	make(t, recordings_path(t, "runs"), 0755);
	make(t, recordings_path(t, "54321"), 0755); /* the number of somebody else */
	make(t, mine(t, ""), 0755);
	make(t, mine(t, "/2026-01-01"), 0755);
	assert_int_equal(scan_users_of_path(recordings_path(t, "runs")), SCAN_USERS_ANYONE);
	assert_int_equal(scan_users_of_path(recordings_path(t, "54321")), SCAN_USERS_ANYONE);
	assert_int_equal(scan_users_of_path(mine(t, "")), me);
	assert_int_equal(scan_users_of_path(mine(t, "/2026-01-01")), me);
	assert_int_equal(scan_users_of_path(mine(t, "/missing/too")), me);
	assert_int_equal(scan_users_of_path(mine(t, "x")), SCAN_USERS_ANYONE);
	/* Where others may write, anybody could have put a file. */
	assert_int_equal(chmod(mine(t, ""), 0775), 0);
	assert_int_equal(scan_users_of_path(t->path), SCAN_USERS_ANYONE);
	assert_int_equal(chmod(mine(t, ""), 0757), 0);
	assert_int_equal(scan_users_of_path(t->path), SCAN_USERS_ANYONE);
	assert_int_equal(rmdir(mine(t, "/2026-01-01")), 0);
	assert_int_equal(rmdir(mine(t, "")), 0);
	recordings_file(t, strrchr(mine(t, ""), '/') + 1, "no folder");
	assert_int_equal(scan_users_of_path(mine(t, "")), SCAN_USERS_ANYONE);
}

TEST_WITH(folders_that_are_opened, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	uint32_t me = (uint32_t)geteuid();
	struct scan_list_folder f, his = of(OTHER);
	char name[16];
	int fd;

	snprintf(name, sizeof name, "%u", (unsigned)me);
	make(t, recordings_path(t, "runs"), 0755);
	make(t, mine(t, ""), 0755);
	make(t, mine(t, "0"), 0755); /* a number that nobody has, or another one */
	f = entered(t, NULL, name);  /* named by the caller: a path, which this is not */
	assert_int_equal(f.owner, SCAN_USERS_ANYONE);
	f = entered(t, &of_nobody, name);
	assert_int_equal(f.owner, me);
	f = entered(t, &of_nobody, "runs");
	assert_int_equal(f.owner, SCAN_USERS_ANYONE);
	assert_false(f.shared);
	f = entered(t, &shared, "runs"); /* root's or the reader's */
	assert_int_equal(f.owner, SCAN_USERS_ANYONE);
	assert_true(f.shared);
	f = entered(t, &his, name); /* below a user's folder there is no other's */
	assert_int_equal(f.owner, OTHER);
	if (geteuid() == 0 && chown(recordings_path(t, "runs"), OTHER, OTHER) == 0) {
		assert_int_equal(entered(t, &shared, "runs").owner, OTHER);
		assert_int_equal(entered(t, &of_nobody, "runs").owner, SCAN_USERS_ANYONE);
		assert_int_equal(chown(recordings_path(t, "runs"), 0, 0), 0);
	}
	fd = open(recordings_path(t, ""), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(scan_users_has(name, fd));
	assert_false(scan_users_has("runs", fd));
	assert_false(scan_users_has("54321", fd)); /* missing */
	assert_false(scan_users_has("", fd));
	/* A link to it is no folder. */
	assert_int_equal(renameat(fd, name, fd, "away"), 0);
	assert_int_equal(symlinkat("away", fd, name), 0);
	assert_false(scan_users_has(name, fd));
	close(fd);
}

TEST_WITH(what_other_programs_wrote, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	const struct scan_list_folder his = of(OTHER), roots = of(0);
	const char *why;

	recordings_file(t, "sacct.txt", "JobID|");
	assert_null(scan_users_refuse(NULL, t->path));
	assert_null(scan_users_refuse(&of_nobody, t->path));
	assert_null(scan_users_refuse(&shared, t->path));
	assert_null(scan_users_refuse(&roots, t->path));
	why = scan_users_refuse(&his, t->path);
	assert_non_null(why);
	assert_non_null(strstr(why, "only recordings count"));
	why = scan_users_refuse(&shared, recordings_path(t, "missing"));
	assert_non_null(why);
	assert_non_null(strstr(why, "owns the file"));
	if (geteuid() == 0 && chown(recordings_path(t, "sacct.txt"), OTHER, OTHER) == 0)
		assert_non_null(scan_users_refuse(&shared, t->path));
}

TEST_WITH(links_of_users, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	const struct scan_list_folder his = of(OTHER), own = of((uint32_t)geteuid());
	struct stat own_file = {.st_uid = geteuid()}, his_file = {.st_uid = OTHER};

	assert_int_equal(symlink("a.json", recordings_path(t, "link.json")), 0);
	assert_true(scan_users_may_follow(&of_nobody, t->path, &his_file));
	assert_true(scan_users_may_follow(&shared, t->path, &own_file));
	assert_true(scan_users_may_follow(&own, t->path, &own_file));
	assert_false(scan_users_may_follow(&shared, t->path, &his_file));
	assert_false(scan_users_may_follow(&his, t->path, &own_file));
	assert_false(scan_users_may_follow(&his, t->path, &his_file));
	assert_false(scan_users_may_follow(&own, recordings_path(t, "missing"), &own_file));
	if (geteuid() == 0 && lchown(recordings_path(t, "link.json"), OTHER, OTHER) == 0)
		assert_true(scan_users_may_follow(&his, t->path, &his_file));
}
