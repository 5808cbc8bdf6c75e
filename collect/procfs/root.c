/* root: the one door to the machine; opens, reads and lists below a root directory. */
#include "collect/procfs/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/procfs/fd_limit.h"
#include "collect/procfs/scan.h"

#define LESS_THAN_A_PAGE 3072
#define FEW_FILES        64 /* nearly twice what a recording holds open, without processes */

/* O_NONBLOCK: a captured tree may hold a FIFO where a file should be. */
#define ROOT_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

static bool has_own_pids(const struct root *r)
{
	char text[16];
	long n = root_link(r, "proc/self", text, sizeof text);
	struct scan self = scan_text(text, n > 0 ? (size_t)n : 0);
	int pid;

	return scan_int(&self, &pid) && pid == getpid();
}

int root_open(struct root *r, const char *dir, struct err *e)
{
	*r = (struct root){0};
	r->fd = open(dir ? dir : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (r->fd < 0)
		return err_set(e, "%s: %s", dir ? dir : "/", strerror(errno));
	r->open = true;
	r->replayed = dir != NULL;
	r->scarce = fd_limit_most() < FEW_FILES;
	r->other_pids = !r->replayed && !has_own_pids(r);
	return 0;
}

void root_close(struct root *r)
{
	if (r->open)
		close(r->fd);
	*r = (struct root){0};
}

/* Opens name in dir, and closes dir unless it is the root itself. */
static int open_step(const struct root *r, int dir, const char *name, int flags)
{
	int fd = openat(dir, name, flags | O_NOFOLLOW);
	int err = errno;

	if (dir != r->fd)
		close(dir);
	errno = err;
	return fd;
}

/* Without openat2(2) a link cannot be kept inside the root, so none is followed. */
static int open_without_links(const struct root *r, const char *path)
{
	int dir = r->fd;
	char name[256];

	for (;;) {
		size_t n = strcspn(path, "/");

		if (n == 0 || n >= sizeof name || (n == 2 && memcmp(path, "..", 2) == 0)) {
			if (dir != r->fd)
				close(dir);
			errno = n >= sizeof name ? ENAMETOOLONG : ENOENT;
			return -1;
		}
		memcpy(name, path, n);
		name[n] = '\0';
		if (path[n] == '\0')
			return open_step(r, dir, name, ROOT_FLAGS);
		dir = open_step(r, dir, name, O_PATH | O_CLOEXEC | O_DIRECTORY);
		if (dir < 0)
			return -1;
		path += n + 1;
	}
}

/* "proc/12/stat" */
static bool is_of_process(const char *path)
{
	return strncmp(path, "proc/", 5) == 0 && path[5] >= '0' && path[5] <= '9';
}

int root_openat(const struct root *r, const char *path)
{
	struct open_how how = {.flags = ROOT_FLAGS, .resolve = RESOLVE_IN_ROOT};
	long fd;

	if (!r->open) {
		errno = EBADF;
		return -1;
	}
	if (r->other_pids && is_of_process(path)) {
		errno = ENOENT;
		return -1;
	}
	if (!r->replayed)
		return openat(r->fd, path, ROOT_FLAGS);
	fd = syscall(SYS_openat2, r->fd, path, &how, sizeof how);
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return open_without_links(r, path);
	return (int)fd;
}

int root_open_in(int dir, const char *file)
{
	return dir < 0 ? -1 : openat(dir, file, O_RDONLY | O_CLOEXEC);
}

long root_link(const struct root *r, const char *path, char *out, size_t size)
{
	struct open_how how = {.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
	                       .resolve = RESOLVE_IN_ROOT};
	int dir = r->fd;
	ssize_t n;

	if (r->open && r->replayed)
		dir = (int)syscall(SYS_openat2, r->fd, path, &how, sizeof how);
	if (!r->open || dir < 0)
		return -1;
	n = readlinkat(dir, r->replayed ? "" : path, out, size);
	if (r->replayed)
		close(dir);
	if (n < 0 || (size_t)n >= size)
		return -1;
	out[n] = '\0';
	return n;
}

bool root_exists(const struct root *r, const char *path)
{
	int fd = root_openat(r, path);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

long root_head_fd(int fd, char *out, size_t size)
{
	ssize_t n;

	do
		n = pread(fd, out, size - 1, 0);
	while (n < 0 && errno == EINTR);
	out[n > 0 ? n : 0] = '\0';
	return n;
}

long root_lines_fd(int fd, char *out, size_t size)
{
	size_t len = 0;
	ssize_t n;

	do {
		n = pread(fd, out + len, size - 1 - len, (off_t)len);
		len += n > 0 ? (size_t)n : 0;
	} while ((n < 0 && errno == EINTR) || (n >= LESS_THAN_A_PAGE && len < size - 1));
	out[len] = '\0';
	if (n < 0)
		return -1;
	if (len < size - 1)
		return (long)len;
	/* out is full: only one more read can show whether that was all. */
	return root_read_fd(fd, out, size);
}

long root_read_fd(int fd, char *out, size_t size)
{
	size_t len = 0;
	ssize_t n;
	char more;

	while (len < size - 1) {
		n = pread(fd, out + len, size - 1 - len, (off_t)len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			out[len] = '\0';
			return n < 0 ? -1 : (long)len;
		}
		len += (size_t)n;
	}
	out[len] = '\0';
	do
		n = pread(fd, &more, 1, (off_t)len);
	while (n < 0 && errno == EINTR);
	if (n == 0)
		return (long)len;
	if (n > 0)
		errno = EFBIG;
	return -1;
}

long root_take_fd(int fd, char *out, size_t size)
{
	long n;
	int err;

	out[0] = '\0';
	if (fd < 0)
		return -1;
	n = root_read_fd(fd, out, size);
	err = errno;
	close(fd);
	errno = err;
	return n;
}

long root_read(const struct root *r, const char *path, char *out, size_t size)
{
	return root_take_fd(root_openat(r, path), out, size);
}

/* Closes the descriptor if few files may be open. Keeps errno. */
static void close_if_scarce(struct root_file *f)
{
	int err = errno;

	if (!f->r || !f->r->scarce || f->fd < 0)
		return;
	close(f->fd);
	f->fd = -1;
	errno = err;
}

int root_file_open(struct root_file *f, const struct root *r, const char *path)
{
	*f = (struct root_file){.r = r, .fd = -1};
	if (strlen(path) >= sizeof f->path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(f->path, path, strlen(path) + 1);
	f->fd = root_openat(r, path);
	if (f->fd < 0)
		return -1;
	close_if_scarce(f);
	return 0;
}

static int reopen_file(struct root_file *f)
{
	if (!f->r) {
		errno = EBADF;
		return -1;
	}
	if (f->fd >= 0)
		close(f->fd);
	f->fd = root_openat(f->r, f->path);
	return f->fd < 0 ? -1 : 0;
}

static long read_kept_file(struct root_file *f, char *out, size_t size,
                           long (*read_fd)(int, char *, size_t))
{
	long n = -1;

	out[0] = '\0';
	if (f->r && f->fd >= 0) {
		n = read_fd(f->fd, out, size);
		if (n >= 0 || errno == EFBIG)
			return n;
	}
	n = reopen_file(f) < 0 ? -1 : read_fd(f->fd, out, size);
	close_if_scarce(f);
	return n;
}

long root_file_read(struct root_file *f, char *out, size_t size)
{
	return read_kept_file(f, out, size, root_read_fd);
}

long root_file_lines(struct root_file *f, char *out, size_t size)
{
	return read_kept_file(f, out, size, root_lines_fd);
}

long root_file_head(struct root_file *f, char *out, size_t size)
{
	return read_kept_file(f, out, size, root_head_fd);
}

void root_file_close(struct root_file *f)
{
	if (f->r && f->fd >= 0)
		close(f->fd);
	*f = (struct root_file){0};
}

/* Calls each for the entries of one getdents64(2). *behind: the place of the next one. */
static int each_entry(const char *buf, size_t len, int64_t *behind, root_each each, void *ctx)
{
	size_t at = 0;

	while (at < len) {
		const struct dirent64 *d = (const void *)(buf + at);
		bool dir = d->d_type == DT_DIR || d->d_type == DT_UNKNOWN;

		at += d->d_reclen;
		*behind = d->d_off;
		if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0) {
			int rc = each(ctx, d->d_name, dir);

			if (rc != 0)
				return rc;
		}
	}
	return 0;
}

int root_list_fd(int fd, root_each each, void *ctx)
{
	_Alignas(struct dirent64) char buf[16384];
	int64_t behind;
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	while ((n = getdents64(fd, buf, sizeof buf)) > 0) {
		int rc = each_entry(buf, (size_t)n, &behind, each, ctx);

		if (rc != 0)
			return rc;
	}
	return n < 0 ? -1 : 0;
}

int root_list(const struct root *r, const char *path, root_each each, void *ctx)
{
	int fd = root_openat(r, path), rc, err;

	if (fd < 0)
		return -1;
	rc = root_list_fd(fd, each, ctx);
	err = errno;
	close(fd);
	errno = err;
	return rc;
}

int root_list_part(const struct root *r, const char *path, int64_t *at, root_each each, void *ctx)
{
	/* Small: each entry that the kernel gives costs it, whether it is used or not. */
	_Alignas(struct dirent64) char buf[2048];
	int fd = root_openat(r, path), rc = 0;
	ssize_t n = -1;

	if (fd < 0)
		return -1;
	if (lseek(fd, *at, SEEK_SET) >= 0)
		while (rc == 0 && (n = getdents64(fd, buf, sizeof buf)) > 0)
			rc = each_entry(buf, (size_t)n, at, each, ctx);
	close(fd);
	if (rc)
		return rc;
	*at = 0;
	return n < 0 ? -1 : 0;
}

static int stop_at_first(void *ctx, const char *name, bool is_dir)
{
	(void)ctx;
	(void)name;
	(void)is_dir;
	return 1;
}

bool root_has_entries(const struct root *r, const char *path)
{
	return root_list(r, path, stop_at_first, NULL) == 1;
}
