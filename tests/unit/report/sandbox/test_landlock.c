/* landlock: only named files can be used. Each case is a child process in a folder of its own. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/sandbox/landlock.h"
#include "tests/unit/unit.h"

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* in/a.json, in/link.json -> ../store/b.json, out/, cache/, secret/key, and only.json by itself */
static int set_up(void **state)
{
	static char dir[32];

	snprintf(dir, sizeof dir, "/tmp/rtrack-reach-XXXXXX");
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	for (const char *const *d =
	         (const char *const[]){"in", "out", "cache", "store", "secret", "alone", NULL};
	     *d; d++)
		assert_int_equal(mkdir(*d, 0700), 0);
	put("in/a.json", "{}");
	put("store/b.json", "{}");
	put("secret/key", "k");
	put("alone/only.json", "{}");
	put("out/report.html", "old");
	assert_int_equal(symlink("../store/b.json", "in/link.json"), 0);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	*state = dir;
	return 0;
}

static int tear_down(void **state)
{
	char command[64];

	snprintf(command, sizeof command, "rm -rf %s", (char *)*state);
	return chdir("/") || system(command);
}

static int reads(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		close(fd);
	return fd >= 0 ? 0 : errno;
}

static int lists(const char *path)
{
	DIR *d = opendir(path);

	if (d)
		closedir(d);
	return d ? 0 : errno;
}

static int makes(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0 ? 0 : errno;
}

static int writes(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		close(fd);
	return fd >= 0 ? 0 : errno;
}

static int truncates(const char *path)
{
	return truncate(path, 0) ? errno : 0;
}

static int removes(const char *path)
{
	return unlink(path) ? errno : 0;
}

static int folder(const char *path)
{
	return mkdir(path, 0700) ? errno : 0;
}

static int links(const char *path)
{
	return symlink("x", path) ? errno : 0;
}

static int replaces(const char *path)
{
	return makes("out/new") || rename("out/new", path) ? errno : 0;
}

static int runs(const char *path)
{
	execl(path, path, (char *)NULL);
	return errno;
}

static const struct attempt {
	int (*make)(const char *);
	const char *path;
	int all, writing; /* expected errno; 0: it works */
} attempts[] = {
    {reads, "in/a.json", 0, 0},
    {reads, "in/link.json", 0, 0},
    {lists, "in", 0, 0},
    {reads, "alone/only.json", 0, 0},
    {reads, "fifo", 0, 0},
    {reads, "secret/key", EACCES, 0},
    {reads, "/etc/passwd", EACCES, 0},
    {lists, "secret", EACCES, 0},
    {lists, "/etc", EACCES, 0},
    {lists, "alone", EACCES, 0},
    {reads, "nothing", ENOENT, ENOENT},
    {makes, "out/x.tmp", 0, 0},
    {replaces, "out/report.html", 0, 0},
    {makes, "cache/x", 0, 0},
    {lists, "cache", 0, 0},
    {removes, "cache/x", 0, 0},
    {makes, "in/x", EACCES, EACCES},
    {makes, "alone/x", EACCES, EACCES},
    {makes, "x", EACCES, EACCES},
    {makes, "/tmp/rtrack-reach-x", EACCES, EACCES},
    {writes, "in/a.json", EACCES, EACCES},
    {writes, "store/b.json", EACCES, EACCES},
    {writes, "secret/key", EACCES, EACCES},
    {writes, "/dev/null", 0, 0},
    {truncates, "secret/key", EACCES, EACCES},
    {truncates, "out/report.html", 0, 0},
    {removes, "in/a.json", EACCES, EACCES},
    {removes, "secret/key", EACCES, EACCES},
    {folder, "out/d", EACCES, EACCES},
    {folder, "cache/d", EACCES, EACCES},
    {folder, "cache", EEXIST, EEXIST},
    {links, "out/l", EACCES, EACCES},
    {replaces, "secret/key", EACCES, EACCES},
    {runs, "/bin/true", EACCES, EACCES},
};

#define NONE 200

static int outcome(const struct attempt *a, enum landlock_scope scope)
{
	struct landlock r;
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		landlock_begin(&r, scope);
		landlock_read(&r, "in");
		landlock_read(&r, "alone/only.json");
		landlock_read(&r, "fifo");
		landlock_read(&r, "not/there");
		landlock_write(&r, "out/report.html");
		landlock_write(&r, "not/there/either");
		landlock_write(&r, "/dev/null");
		landlock_folder(&r, "cache");
		_exit(landlock_end(&r) ? a->make(a->path) : NONE);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void expect(enum landlock_scope scope)
{
	for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
		const struct attempt *a = &attempts[i];
		int want = scope == LANDLOCK_ALL ? a->all : a->writing, got = outcome(a, scope);

		if (got == NONE)
			skip(); /* this kernel has no Landlock */
		if (got != want)
			fail_msg("%zu: %s: %s, not %s", i, a->path, strerror(got), strerror(want));
	}
}

TEST_WITH(all, set_up, tear_down)
{
	expect(LANDLOCK_ALL);
}

TEST_WITH(writing, set_up, tear_down)
{
	expect(LANDLOCK_WRITING);
}

/* A recording that is replaced during the report is another file of the same name. */
TEST_WITH(what_replaces_it, set_up, tear_down)
{
	static const struct attempt a = {reads, "alone/only.json", 0, 0};
	struct landlock r;
	int status, ends[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		landlock_begin(&r, LANDLOCK_ALL);
		landlock_read(&r, a.path);
		landlock_end(&r);
		_exit(read(ends[0], &c, 1) == 0 ? a.make(a.path) : 255);
	}
	put("new", "{}");
	assert_int_equal(rename("new", a.path), 0);
	close(ends[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(ends[0]);
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* Without free file descriptors no rule can be added, so nothing is restricted. */
TEST_WITH(no_descriptor, set_up, tear_down)
{
	static const struct attempt a = {reads, "secret/key", 0, 0};
	struct landlock r;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		setrlimit(RLIMIT_NOFILE, &(struct rlimit){128, 128});
		landlock_begin(&r, LANDLOCK_ALL);
		while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0)
			;
		landlock_read(&r, "in");
		for (int fd = 100; fd < 110; fd++)
			close(fd);
		_exit(landlock_end(&r) ? 255 : a.make(a.path));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 0);
}
