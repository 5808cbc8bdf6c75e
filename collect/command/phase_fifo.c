/* phase_fifo: the FIFO through which a job marks its phases. */
#include "collect/command/phase_fifo.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collect/procfs/root.h"
#include "collect/procfs/scan.h"

#define PREFIX    ".rtrack-mark-"
#define NAMES_MAX 32 /* names to try */
#define STALE_MAX 64 /* stale FIFOs to remove per call */

/* -- stale FIFOs ------------------------------------------------------------------------------- */

struct fifo_sweep {
	int folder, left;
};

/* Opening for writing fails with ENXIO only if nobody reads. A PID alone proves nothing: the reader
 * may be in another PID namespace. */
static bool fifo_has_reader(int folder, const char *name)
{
	int fd = openat(folder, name, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != ENXIO;
}

static int remove_if_stale(void *ctx, const char *name, bool is_dir)
{
	struct fifo_sweep *s = ctx;
	struct scan rest = scan_text(name, strlen(name));
	struct stat st;
	int pid;

	if (is_dir || !scan_literal(&rest, PREFIX) || !scan_int(&rest, &pid) || pid <= 0 ||
	    !(rest.p == rest.end || scan_literal(&rest, ".")))
		return 0;
	if (kill(pid, 0) == 0 || errno != ESRCH)
		return 0;
	if (fstatat(s->folder, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISFIFO(st.st_mode) ||
	    st.st_uid != geteuid() || fifo_has_reader(s->folder, name))
		return 0;
	(void)unlinkat(s->folder, name, 0);
	return --s->left <= 0;
}

void phase_fifo_sweep(const char *file)
{
	const char *slash = strrchr(file, '/');
	char folder[PATH_MAX] = ".";
	struct fifo_sweep s = {.left = STALE_MAX};

	if (slash && (size_t)(slash - file) + 1 < sizeof folder) {
		memcpy(folder, file, (size_t)(slash - file) + 1);
		folder[slash - file + 1] = '\0';
	}
	s.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s.folder < 0)
		return;
	(void)root_list_fd(s.folder, remove_if_stale, &s);
	close(s.folder);
}

/* -- the recording's own FIFO ------------------------------------------------------------------ */

/* Makes the path absolute, because the command may change its working directory. */
static int make_fifo_path(struct phase_fifo *f, const char *output, int i, struct err *e)
{
	const char *slash = strrchr(output, '/');
	int folder = slash ? (int)(slash - output) + 1 : 0, n;
	char here[PATH_MAX] = "", again[16] = "";

	/* %p is not known yet. */
	if (memchr(output, '%', (size_t)folder))
		folder = 0;
	if ((!folder || *output != '/') && !getcwd(here, sizeof here))
		return err_set(e, "the working directory: %s", strerror(errno));
	if (i > 1)
		snprintf(again, sizeof again, ".%d", i);
	n = snprintf(f->path, sizeof f->path, "%s%s%.*s" PREFIX "%ld%s", here, *here ? "/" : "",
	             folder, output, (long)getpid(), again);
	return n < 0 || n >= (int)sizeof f->path ? err_set(e, "%s: the path is too long", output)
	                                         : 0;
}

/* In a folder that all may write to, another user may have replaced the FIFO since. */
static bool is_own_fifo(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) && st.st_uid == geteuid();
}

/* Makes a FIFO that already has a reader when others can see its name: without one, a recorder in
 * another PID namespace may take it for stale and remove it. So the FIFO is made and opened under a
 * temporary name, and gets its final name afterwards. If the temporary name was removed before the
 * FIFO was open, makes another. */
static int make_read_fifo(const struct phase_fifo *f, char temp[PATH_MAX])
{
	int fd, why;

	for (int i = 0; i < NAMES_MAX; i++) {
		struct timespec now;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (snprintf(temp, PATH_MAX, "%s.new%lx", f->path, (unsigned long)now.tv_nsec) >=
		    PATH_MAX) {
			errno = ENAMETOOLONG;
			return -1;
		}
		if (mkfifo(temp, 0600)) {
			if (errno != EEXIST)
				return -1;
			continue;
		}
		/* Also for writing: otherwise the last writer's close would be an end of file. */
		fd = open(temp, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
		if (fd >= 0)
			return fd;
		why = errno;
		unlink(temp);
		errno = why;
		if (why != ENOENT)
			return -1;
	}
	return -1;
}

/* Gives the FIFO its name, if that is free. */
static int name_fifo(const char *temp, const char *path)
{
	struct stat st;

	if (renameat2(AT_FDCWD, temp, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return 0;
	/* EINVAL: a file system that cannot say whether it replaces. */
	if (errno != EINVAL && errno != ENOSYS && errno != EPERM)
		return -1;
	if (link(temp, path) == 0) {
		unlink(temp);
		return 0;
	}
	if (errno == EEXIST)
		return -1;
	/* A file system without hard links. */
	if (lstat(path, &st) == 0) {
		errno = EEXIST;
		return -1;
	}
	return errno == ENOENT ? rename(temp, path) : -1;
}

/* A name that exists is free if it is of a FIFO without a reader: a killed process with the same
 * PID left it. One that is read belongs to a process with the same PID in another namespace. */
static int take_fifo_name(const char *temp, const char *path)
{
	struct stat st;

	if (name_fifo(temp, path) == 0)
		return 0;
	if (errno != EEXIST)
		return -1;
	if (lstat(path, &st) || !S_ISFIFO(st.st_mode) || fifo_has_reader(AT_FDCWD, path) ||
	    unlink(path)) {
		errno = EEXIST;
		return -1;
	}
	return name_fifo(temp, path);
}

static int find_fifo_name(struct phase_fifo *f, const char *output, const char *temp, struct err *e)
{
	for (int i = 1; i <= NAMES_MAX; i++) {
		if (make_fifo_path(f, output, i, e))
			return -1;
		if (take_fifo_name(temp, f->path) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	return err_set(e, "%s: %s", f->path, strerror(errno));
}

int phase_fifo_open(struct phase_fifo *f, const char *output, struct err *e)
{
	char temp[PATH_MAX];

	f->fd = -1;
	if (make_fifo_path(f, output, 1, e))
		return -1;
	f->fd = make_read_fifo(f, temp);
	if (f->fd < 0)
		return err_set(e, "%s: %s", f->path, strerror(errno));
	if (!is_own_fifo(f->fd)) {
		err_set(e, "%s: belongs to another user", f->path);
	} else if (find_fifo_name(f, output, temp, e) == 0) {
		if (setenv(PHASE_FIFO_VARIABLE, f->path, 1) == 0)
			return 0;
		err_set(e, "%s: %s", f->path, strerror(errno));
		phase_fifo_close(f);
		return -1;
	}
	unlink(temp);
	close(f->fd);
	f->fd = -1;
	return -1;
}

static void take_fifo_lines(struct phase_fifo *f, const char *p, size_t n, phase_fifo_line each,
                            void *ctx)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '\n') {
			if (!f->too_long)
				each(ctx, f->line, f->n);
			f->n = 0;
			f->too_long = false;
		} else if (f->n < sizeof f->line) {
			f->line[f->n++] = p[i];
		} else {
			f->too_long = true;
		}
	}
}

void phase_fifo_read(struct phase_fifo *f, phase_fifo_line each, void *ctx)
{
	char part[4096];
	ssize_t n;

	/* Bounded, so that a job that floods the FIFO cannot delay the samples. */
	for (int i = 0; f->fd >= 0 && i < 64; i++) {
		n = read(f->fd, part, sizeof part);
		if (n <= 0)
			return;
		take_fifo_lines(f, part, (size_t)n, each, ctx);
	}
}

void phase_fifo_close(struct phase_fifo *f)
{
	if (f->fd >= 0) {
		close(f->fd);
		unlink(f->path);
	}
	f->fd = -1;
}

static int check_phase_name(const char *name, struct err *e)
{
	size_t n = strlen(name);

	if (n == 0 || name[strspn(name, " \t\r")] == '\0')
		return err_set(e, "--mark: the name is empty");
	if (strchr(name, '\n') || n > 512)
		return err_set(e, "--mark: the name must be one line of at most 512 bytes");
	return 0;
}

int phase_fifo_send(const char *name, struct err *e)
{
	const char *path = getenv(PHASE_FIFO_VARIABLE);
	char line[640];
	int n, fd, failed;

	if (check_phase_name(name, e))
		return -1;
	if (!path || !*path)
		return 0;
	n = snprintf(line, sizeof line, "%s\n", name);
	fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return err_set(e, "--mark: %s: %s", path,
		               errno == ENXIO ? "the recording has ended" : strerror(errno));
	failed = write(fd, line, (size_t)n) != n;
	if (failed)
		err_set(e, "--mark: %s: %s", path, strerror(errno));
	close(fd);
	return failed ? -1 : 0;
}
