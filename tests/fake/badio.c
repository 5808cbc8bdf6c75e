/* badio: preloaded into rtrack-collect, a disk that fails at the call that was chosen.
 *
 * BADIO holds rules, separated by spaces: CALL:ERROR:N is the N-th call of that name once, N+ that
 * and all after it. CALL is open (for making a file), write, pwrite, fsync, ftruncate, rename or
 * close, of files that are written alone; ERROR is EIO, ENOSPC, EDQUOT, ESTALE, EINTR or SHORT
 * (half is written). Each failure is a line in the file that BADIO_LOG names: the call and its
 * number. Nothing else than the program of this name is concerned, and so no command of its. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum call { CALL_OPEN, CALL_WRITE, CALL_PWRITE, CALL_FSYNC, CALL_CUT, CALL_RENAME, CALL_CLOSE };
#define CALLS 7
#define SHORT (-1)

struct named {
	const char *name;
	int value;
};

static const struct named calls[] = {{"open", CALL_OPEN},     {"write", CALL_WRITE},
                                     {"pwrite", CALL_PWRITE}, {"fsync", CALL_FSYNC},
                                     {"ftruncate", CALL_CUT}, {"rename", CALL_RENAME},
                                     {"close", CALL_CLOSE},   {NULL, 0}};
static const struct named errors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT},
                                      {"ESTALE", ESTALE}, {"EINTR", EINTR},   {"SHORT", SHORT},
                                      {NULL, 0}};

/* The value of the name that text begins with; 0 where none does. */
static int value_of(const struct named *list, const char *text, size_t n)
{
	for (; list->name; list++)
		if (strlen(list->name) == n && memcmp(list->name, text, n) == 0)
			return list->value;
	return 0;
}

/* What the rules say of the n-th call: 0, an errno, or SHORT. */
static int ruled(enum call call, unsigned long n)
{
	const char *name = calls[call].name, *p = getenv("BADIO");
	size_t length = strlen(name);

	for (; p && *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		const char *error = p + length + 1;
		size_t word = strcspn(error, ": ");
		char *end;
		unsigned long at;
		if (strncmp(p, name, length) != 0 || p[length] != ':' || error[word] != ':')
			continue;
		at = strtoul(error + word + 1, &end, 10);
		if (n == at || (n > at && *end == '+'))
			return value_of(errors, error, word);
	}
	return 0;
}

static void note(enum call call, unsigned long n)
{
	const char *path = getenv("BADIO_LOG");
	long fd =
	    path ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
	char line[64];
	int length = snprintf(line, sizeof line, "%s %lu\n", calls[call].name, n);

	if (fd < 0)
		return;
	(void)!syscall(SYS_write, fd, line, length);
	syscall(SYS_close, fd);
}

/* Counts, and says how this call fails: 0 where it does not. */
static int fate(enum call call)
{
	static unsigned long counts[CALLS];
	int how;

	if (strcmp(program_invocation_short_name, "rtrack-collect") != 0)
		return 0;
	how = ruled(call, ++counts[call]);
	if (how)
		note(call, counts[call]);
	if (how > 0)
		errno = how;
	return how;
}

static bool is_written(int fd)
{
	int saved = errno, flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
	struct stat st;
	bool is = fd > STDERR_FILENO && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY &&
	          fstat(fd, &st) == 0 && S_ISREG(st.st_mode);

	errno = saved;
	return is;
}

int openat(int dir, const char *path, int flags, ...)
{
	va_list more;
	mode_t mode = 0;

	va_start(more, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(more, mode_t);
	va_end(more);
	if ((flags & O_CREAT) && fate(CALL_OPEN))
		return -1;
	return (int)syscall(SYS_openat, dir, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list more;
	mode_t mode = 0;

	va_start(more, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(more, mode_t);
	va_end(more);
	return openat(AT_FDCWD, path, flags, mode);
}

ssize_t write(int fd, const void *p, size_t n)
{
	int how = is_written(fd) ? fate(CALL_WRITE) : 0;

	if (how > 0)
		return -1;
	return syscall(SYS_write, fd, p, how == SHORT && n > 1 ? n / 2 : n);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
	int how = is_written(fd) ? fate(CALL_PWRITE) : 0;

	if (how > 0)
		return -1;
	return syscall(SYS_pwrite64, fd, p, how == SHORT && n > 1 ? n / 2 : n, at);
}

ssize_t pwrite64(int fd, const void *p, size_t n, off64_t at)
{
	return pwrite(fd, p, n, at);
}

int fsync(int fd)
{
	return fate(CALL_FSYNC) > 0 ? -1 : (int)syscall(SYS_fsync, fd);
}

int ftruncate(int fd, off_t n)
{
	return fate(CALL_CUT) > 0 ? -1 : (int)syscall(SYS_ftruncate, fd, n);
}

int rename(const char *from, const char *to)
{
	return fate(CALL_RENAME) > 0 ? -1
	                             : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* As Linux has it: the descriptor is gone, whatever close says. */
int close(int fd)
{
	int how = is_written(fd) ? fate(CALL_CLOSE) : 0, saved = errno;
	int r = (int)syscall(SYS_close, fd);

	if (how > 0) {
		errno = saved;
		return -1;
	}
	return r;
}
