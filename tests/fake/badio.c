/* badio: preloaded into rtrack-collect or rtrack-report, a machine on which the calls that were
 * chosen fail.
 *
 * BADIO holds rules, separated by spaces: CALL:ERROR:N is the N-th call of that name once, N+ that
 * and all after it, /N every N-th. CALL is open (for making a file), write, pwrite, fsync,
 * ftruncate, chmod, rename or close, of files that are written alone; or read, pread, poll, wait,
 * sleep, lock, unlink or fifo, of anything. ERROR is EIO, ENOSPC, EDQUOT, ESTALE, EINTR, SHORT
 * (half is written or read) or KILL (SIGKILL comes just before it). Each failure is a line in the
 * file that BADIO_LOG names: the call and its number. Nothing else than our two programs is
 * concerned, and so no command of theirs. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum call {
	CALL_OPEN,
	CALL_WRITE,
	CALL_PWRITE,
	CALL_FSYNC,
	CALL_CUT,
	CALL_CHMOD,
	CALL_RENAME,
	CALL_CLOSE,
	CALL_READ,
	CALL_PREAD,
	CALL_POLL,
	CALL_WAIT,
	CALL_SLEEP,
	CALL_LOCK,
	CALL_UNLINK,
	CALL_FIFO,
	CALLS
};

#define SHORT (-1)
#define KILL  (-2)

static const char *const calls[CALLS] = {"open",   "write", "pwrite", "fsync", "ftruncate", "chmod",
                                         "rename", "close", "read",   "pread", "poll",      "wait",
                                         "sleep",  "lock",  "unlink", "fifo"};

static const struct named {
	const char *name;
	int value;
} errors[] = {{"EIO", EIO},     {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT}, {"ESTALE", ESTALE},
              {"EINTR", EINTR}, {"SHORT", SHORT},   {"KILL", KILL},     {NULL, 0}};

/* The value of the name that text begins with; 0 where none does. */
static int value_of(const struct named *list, const char *text, size_t n)
{
	for (; list->name; list++)
		if (strlen(list->name) == n && memcmp(list->name, text, n) == 0)
			return list->value;
	return 0;
}

static bool is_meant(const char *which, unsigned long n)
{
	char *end;
	unsigned long at = strtoul(which + (*which == '/'), &end, 10);

	if (*which == '/')
		return at && n % at == 0;
	return n == at || (n > at && *end == '+');
}

/* What the rules say of the n-th call: 0, an errno, or SHORT. */
static int ruled(enum call call, unsigned long n)
{
	const char *name = calls[call], *p = getenv("BADIO");
	size_t length = strlen(name);

	for (; p && *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		const char *error = p + length + 1;
		size_t word;
		if (strncmp(p, name, length) != 0 || p[length] != ':')
			continue;
		word = strcspn(error, ": ");
		if (error[word] == ':' && is_meant(error + word + 1, n))
			return value_of(errors, error, word);
	}
	return 0;
}

static bool is_ours(const char *name)
{
	return strcmp(name, "rtrack-collect") == 0 || strcmp(name, "rtrack-report") == 0 ||
	       strcmp(name, "keeper_cli") == 0;
}

static long log_fd = -1;

/* At the start: later the program may have given up the right to open it. */
__attribute__((constructor)) static void open_log(void)
{
	const char *path = getenv("BADIO_LOG");

	if (path && is_ours(program_invocation_short_name))
		log_fd = syscall(SYS_openat, AT_FDCWD, path,
		                 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void note(enum call call, unsigned long n)
{
	char line[64];
	int length = snprintf(line, sizeof line, "%s %lu\n", calls[call], n);

	(void)!syscall(SYS_write, log_fd, line, length);
}

/* Counts, and says how this call fails: 0 where it does not. */
static int fate(enum call call)
{
	static unsigned long counts[CALLS];
	int how;

	if (!is_ours(program_invocation_short_name))
		return 0;
	how = ruled(call, ++counts[call]);
	if (how)
		note(call, counts[call]);
	if (how == KILL)
		kill(getpid(), SIGKILL);
	if (how > 0)
		errno = how;
	return how;
}

static bool is_regular(int fd)
{
	int saved = errno;
	struct stat st;
	bool is = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);

	errno = saved;
	return is;
}

static bool is_written(int fd)
{
	int saved = errno, flags = (int)syscall(SYS_fcntl, fd, F_GETFL);

	errno = saved;
	return fd != STDERR_FILENO && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY &&
	       is_regular(fd);
}

/* -- files that are written -------------------------------------------------------------------- */

int openat(int dir, const char *path, int flags, ...)
{
	va_list more;
	mode_t mode = 0;

	va_start(more, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(more, mode_t);
	va_end(more);
	if ((flags & O_CREAT) && fate(CALL_OPEN) > 0)
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

/* The last six characters are replaced, as they should be. */
int mkostemp(char *name, int flags)
{
	static unsigned long made;

	snprintf(name + strlen(name) - 6, 7, "%06lu", (unsigned long)getpid() % 1000 + ++made);
	return open(name, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
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

int fchmod(int fd, mode_t mode)
{
	return fate(CALL_CHMOD) > 0 ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

/* The C library of an old system has no renameat2. */
long syscall(long number, ...)
{
	static long (*next)(long, ...);
	va_list list;
	long v[6];

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		v[i] = va_arg(list, long);
	va_end(list);
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	if (number == SYS_renameat2 && fate(CALL_RENAME) > 0)
		return -1;
	return next(number, v[0], v[1], v[2], v[3], v[4], v[5]);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
}

int rename(const char *from, const char *to)
{
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlinkat(int dir, const char *path, int flags)
{
	return fate(CALL_UNLINK) > 0 ? -1 : (int)syscall(SYS_unlinkat, dir, path, flags);
}

int unlink(const char *path)
{
	return unlinkat(AT_FDCWD, path, 0);
}

int mkfifo(const char *path, mode_t mode)
{
	return fate(CALL_FIFO) > 0 ? -1
	                           : (int)syscall(SYS_mknodat, AT_FDCWD, path, S_IFIFO | mode, 0);
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

/* -- what waits, or reads ---------------------------------------------------------------------- */

ssize_t read(int fd, void *p, size_t n)
{
	int how = fate(CALL_READ);

	if (how > 0)
		return -1;
	return syscall(SYS_read, fd, p, how == SHORT && n > 1 && is_regular(fd) ? n / 2 : n);
}

ssize_t pread(int fd, void *p, size_t n, off_t at)
{
	int how = fate(CALL_PREAD);

	if (how > 0)
		return -1;
	return syscall(SYS_pread64, fd, p, how == SHORT && n > 1 ? n / 2 : n, at);
}

ssize_t pread64(int fd, void *p, size_t n, off64_t at)
{
	return pread(fd, p, n, at);
}

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *t, const sigset_t *mask)
{
	struct timespec left = t ? *t : (struct timespec){0};

	if (fate(CALL_POLL) > 0)
		return -1;
	return (int)syscall(SYS_ppoll, fds, n, t ? &left : NULL, mask, sizeof(long));
}

int poll(struct pollfd *fds, nfds_t n, int ms)
{
	const struct timespec t = {ms / 1000, ms % 1000 * 1000000L};

	return ppoll(fds, n, ms < 0 ? NULL : &t, NULL);
}

pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	return fate(CALL_WAIT) > 0 ? -1 : (pid_t)syscall(SYS_wait4, pid, status, options, usage);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	return wait4(pid, status, options, NULL);
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	return fate(CALL_WAIT) > 0 ? -1 : (int)syscall(SYS_waitid, type, id, info, options, NULL);
}

int nanosleep(const struct timespec *t, struct timespec *left)
{
	if (fate(CALL_SLEEP) > 0) {
		if (left)
			*left = *t;
		return -1;
	}
	return (int)syscall(SYS_nanosleep, t, left);
}

int flock(int fd, int how)
{
	return fate(CALL_LOCK) > 0 ? -1 : (int)syscall(SYS_flock, fd, how);
}
