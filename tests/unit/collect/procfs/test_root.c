/* Tests of collect/procfs/root.c. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"
#include "collect/procfs/root.h"
#include "tests/unit/unit.h"

static struct root tmp;
static char tmp_dir[] = "/tmp/rtrack-test-root-XXXXXX";

static void put(const char *name, const char *text, size_t n)
{
	int dir = open(tmp_dir, O_RDONLY | O_DIRECTORY);
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	close(fd);
	close(dir);
}

static void path_of(const char *name, char out[256])
{
	snprintf(out, 256, "%s/%s", tmp_dir, name);
}

static int setup(void **state)
{
	char path[256];

	(void)state;
	if (!mkdtemp(tmp_dir))
		return -1;
	path_of("sub", path);
	mkdir(path, 0700);
	put("small", "hello\n", 6);
	path_of("fifo", path);
	mkfifo(path, 0600);
	path_of("out", path);
	if (symlink("/etc/passwd", path) < 0)
		return -1;
	path_of("up", path);
	if (symlink("../../../../../../etc/passwd", path) < 0)
		return -1;
	path_of("sub/in", path);
	if (symlink("/small", path) < 0)
		return -1;
	return root_open(&tmp, tmp_dir, NULL);
}

static int teardown(void **state)
{
	static const char *const names[] = {"small", "fifo", "out", "up", "sub/in", "sub", ""};
	char path[256];

	(void)state;
	root_close(&tmp);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		path_of(names[i], path);
		remove(path);
	}
	return 0;
}

ALL_TESTS_WITH(setup, teardown)

TEST(opens_directories_only)
{
	struct root r;
	struct err e = {{0}};

	assert_int_equal(root_open(&r, "/no/such/place", &e), -1);
	assert_string_equal(e.msg, "/no/such/place: No such file or directory");
	assert_int_equal(root_open(&r, "/etc/passwd", &e), -1);
	root_close(&r);
	assert_int_equal(root_openat(&(struct root){0}, "proc/stat"), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(root_open(&r, NULL, &e), 0);
	assert_false(r.replayed);
	root_close(&r);
	root_close(&r);
	assert_true(tmp.replayed);
}

TEST(reads_whole_files)
{
	char out[16];

	assert_int_equal(root_read(&tmp, "small", out, sizeof out), 6);
	assert_string_equal(out, "hello\n");
	assert_int_equal(root_read(&tmp, "small", out, 7), 6);
	assert_int_equal(root_read(&tmp, "small", out, 6), -1);
	assert_int_equal(errno, EFBIG);
	assert_string_equal(out, "hello");
	assert_int_equal(root_read(&tmp, "none", out, sizeof out), -1);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(out, "");
	assert_int_equal(root_read(&tmp, "sub", out, sizeof out), -1);
	assert_int_equal(errno, EISDIR);
}

/* Links never lead outside; a FIFO does not block. */
TEST(does_not_escape)
{
	char out[64] = "";
	long n;
	int fd;

	assert_int_equal(root_openat(&tmp, "out"), -1);
	assert_int_equal(root_openat(&tmp, "up"), -1);
	assert_int_equal(root_openat(&tmp, "../../etc/passwd"), -1);
	n = root_read(&tmp, "sub/in", out, sizeof out);
	if (n >= 0)
		assert_string_equal(out, "hello\n");
	else
		assert_int_equal(errno, ELOOP);
	fd = root_openat(&tmp, "fifo");
	assert_true(fd >= 0);
	close(fd);
	assert_true(root_read(&tmp, "fifo", out, sizeof out) <= 0);
}

/* The link is made here, because not every way of copying a fixture keeps links. */
TEST(captured_links_do_not_escape)
{
	char dir[] = "/tmp/rtrack-root-XXXXXX", path[64];
	static const char *const targets[] = {"/etc/hostname",
	                                      "../../../../../../../../etc/hostname"};
	struct root r;

	assert_non_null(mkdtemp(dir));
	assert_int_equal(root_open(&r, dir, NULL), 0);
	snprintf(path, sizeof path, "%s/escape", dir);
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		assert_int_equal(symlink(targets[i], path), 0);
		assert_int_equal(root_openat(&r, "escape"), -1);
		unlink(path);
	}
	root_close(&r);
	rmdir(dir);
}

TEST(reads_lines)
{
	static char text[9001], out[9002];
	struct root_file f;

	memset(text, 'x', sizeof text);
	put("lines", text, sizeof text);
	assert_int_equal(root_file_open(&f, &tmp, "lines"), 0);
	assert_int_equal(root_file_lines(&f, out, sizeof out), sizeof text);
	assert_memory_equal(out, text, sizeof text);
	assert_int_equal(out[sizeof text], '\0');
	assert_int_equal(root_file_lines(&f, out, sizeof out - 1), -1);
	assert_int_equal(errno, EFBIG);
	root_file_close(&f);
	assert_int_equal(root_file_open(&f, &tmp, "small"), 0);
	assert_int_equal(root_file_lines(&f, out, sizeof out), 6);
	assert_string_equal(out, "hello\n");
	root_file_close(&f);
}

TEST(kept_files_come_back)
{
	struct root_file f = {0};
	char out[32], path[256];

	assert_int_equal(root_file_read(&f, out, sizeof out), -1);
	root_file_close(&f);
	assert_int_equal(root_file_open(&f, &tmp, "late"), -1);
	assert_int_equal(root_file_head(&f, out, sizeof out), -1);
	put("late", "now", 3);
	assert_int_equal(root_file_read(&f, out, sizeof out), 3);
	/* A dead descriptor: a directory in its place gives EISDIR, as a process that is gone
	 * gives ESRCH. */
	close(f.fd);
	assert_int_equal(open(tmp_dir, O_RDONLY | O_DIRECTORY), f.fd);
	assert_int_equal(root_file_read(&f, out, sizeof out), 3);
	assert_string_equal(out, "now");
	assert_int_equal(root_file_head(&f, out, 3), 2);
	assert_string_equal(out, "no");
	assert_int_equal(root_file_head(&f, out, sizeof out), 3);
	root_file_close(&f);
	root_file_close(&f);
	path_of("late", path);
	remove(path);
}

static int collect_names(void *ctx, const char *name, bool is_dir)
{
	int *found = ctx;

	assert_string_not_equal(name, ".");
	assert_string_not_equal(name, "..");
	if (strcmp(name, "sub") == 0 && is_dir)
		found[0]++;
	if (strcmp(name, "small") == 0 && !is_dir)
		found[1]++;
	return strcmp(name, "small") == 0 ? found[2] : 0;
}

TEST(lists)
{
	int found[3] = {0, 0, 0};
	int fd = root_openat(&tmp, ".");

	assert_true(fd >= 0);
	assert_int_equal(root_list_fd(fd, collect_names, found), 0);
	assert_int_equal(root_list_fd(fd, collect_names, found), 0);
	assert_int_equal(found[0], 2);
	assert_int_equal(found[1], 2);
	found[2] = 9;
	assert_int_equal(root_list_fd(fd, collect_names, found), 9);
	close(fd);
	assert_int_equal(root_list(&tmp, "none", collect_names, found), -1);
}

/* The live machine's multi-record files are longer than one read gives. */
/* Many mappings, a short line for each; the stack's is among the last. */
TEST(reads_long_lists_of_the_kernel)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 200;
	char *many = mmap(NULL, n * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static char out[1 << 20];
	struct root_file f;
	struct root r;

	assert_true(many != MAP_FAILED);
	for (size_t i = 0; i < n; i += 2)
		assert_int_equal(mprotect(many + i * page, page, PROT_NONE), 0);
	assert_int_equal(root_open(&r, NULL, NULL), 0);
	assert_int_equal(root_file_open(&f, &r, "proc/self/maps"), 0);
	assert_true(root_file_lines(&f, out, sizeof out) > 4096);
	assert_non_null(strstr(out, "[stack]"));
	root_file_close(&f);
	root_close(&r);
	munmap(many, n * page);
}

TEST(reads_long_kernel_files)
{
	struct root r;
	char *one = malloc(1 << 20), *two = malloc(1 << 20);
	long n;
	FILE *f;

	assert_true(one && two);
	assert_int_equal(root_open(&r, NULL, NULL), 0);
	n = root_read(&r, "proc/self/smaps", one, 1 << 20);
	assert_true(n > 4096);
	f = fopen("/proc/self/smaps", "r");
	assert_non_null(f);
	assert_true(fread(two, 1, 1 << 20, f) > 4096);
	fclose(f);
	/* The last mapping is in both. */
	assert_non_null(strstr(one, "[vsyscall]") ? strstr(two, "[vsyscall]") : two);
	free(one);
	free(two);
	root_close(&r);
}

/* Looks for process 1 where /proc gives this number to another process: 0 it is not opened, 1 the
 * other process is read, 2 /proc is ours, 3 no namespace may be made. */
static int look_from_namespace(void)
{
	struct proc_pid_stat stat;
	struct root r = {0};
	struct err e = {0};
	int status, seen;

	/* The first one is PID 1, which /proc gives to another process. */
	if (unshare(CLONE_NEWUSER | CLONE_NEWPID))
		return 3;
	if (fork() == 0) {
		if (root_open(&r, NULL, NULL))
			_exit(4);
		seen = !r.other_pids ? 2 : proc_pid_stat_of(&r, 1, &stat) == 0;
		if (!seen && (proc_pid_check(&r, 1, &e) == 0 ||
		              strcmp(e.msg, "process 1 cannot be seen: /proc is of another PID "
		                            "namespace") != 0))
			seen = 5;
		if (!seen && !root_exists(&r, "proc/self/stat"))
			seen = 6;
		_exit(seen);
	}
	return wait(&status) > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 7;
}

TEST(opens_no_process_of_another_namespace)
{
	struct root r;
	int status;

	assert_int_equal(root_open(&r, NULL, NULL), 0);
	assert_false(r.other_pids);
	root_close(&r);
	if (fork() == 0)
		_exit(look_from_namespace());
	assert_true(wait(&status) > 0 && WIFEXITED(status));
	if (WEXITSTATUS(status) != 3)
		assert_int_equal(WEXITSTATUS(status), 0);
}
