/* badproc: preloaded into rtrack-collect, a /proc and /sys that answer slowly, wrongly or not.
 *
 * BADPROC holds rules, separated by spaces: GLOB:CALL:FAULT:N is the N-th call of that kind on a
 * path that GLOB matches, N+ that and all after it. CALL is open or read; FAULT is EIO, EPERM,
 * ESRCH, ENOENT, ENOMEM, EMFILE or SLOW (2 s), and for a read EMPTY, HALF (of the answer), TORN
 * (cut within a number), GARBAGE or HUGE (all digits are 9). Each is a line in the file that
 * BADPROC_LOG names. Nothing else than the program of this name is concerned, and so no command of
 * its. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RULES_MAX 16
#define PATH_SIZE 512

enum fault { NONE, EMPTY = 1000, HALF, TORN, GARBAGE, HUGE, SLOW };

static const struct {
	const char *name;
	int value;
} faults[] = {{"EIO", EIO},       {"EPERM", EPERM},     {"ESRCH", ESRCH}, {"ENOENT", ENOENT},
              {"ENOMEM", ENOMEM}, {"EMFILE", EMFILE},   {"EMPTY", EMPTY}, {"HALF", HALF},
              {"TORN", TORN},     {"GARBAGE", GARBAGE}, {"HUGE", HUGE},   {"SLOW", SLOW}};

struct rule {
	char glob[64], call[8], fault[8];
	unsigned long at, count;
	bool after;
};

static struct rule rules[RULES_MAX];

static void parse(const char *p)
{
	for (size_t i = 0; p && *p && i < RULES_MAX; i++) {
		struct rule *r = &rules[i];
		char plus = 0;
		if (sscanf(p, "%63[^: ]:%7[^: ]:%7[^: ]:%lu%c", r->glob, r->call, r->fault, &r->at,
		           &plus) < 4)
			return;
		r->after = plus == '+';
		p += strcspn(p, " ");
		p += strspn(p, " ");
	}
}

static void note(const char *path, const struct rule *r)
{
	const char *log = getenv("BADPROC_LOG");
	long fd =
	    log ? syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
	char line[PATH_SIZE + 32];
	int n = snprintf(line, sizeof line, "%s %s %s\n", path, r->call, r->fault);

	if (fd < 0)
		return;
	(void)!syscall(SYS_write, fd, line, n);
	syscall(SYS_close, fd);
}

static int value_of(const char *name)
{
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		if (strcmp(faults[i].name, name) == 0)
			return faults[i].value;
	return NONE;
}

/* What the rules say of a call on this path. */
static int fate(const char *path, const char *call)
{
	static bool parsed;
	int how = NONE;

	if (strcmp(program_invocation_short_name, "rtrack-collect") != 0)
		return NONE;
	if (!parsed)
		parse(getenv("BADPROC"));
	parsed = true;
	for (size_t i = 0; i < RULES_MAX && *rules[i].glob; i++) {
		struct rule *r = &rules[i];
		if (strcmp(r->call, call) != 0 || fnmatch(r->glob, path, 0) != 0)
			continue;
		r->count++;
		if (r->count != r->at && !(r->after && r->count > r->at))
			continue;
		note(path, r);
		how = value_of(r->fault);
	}
	if (how == SLOW)
		nanosleep(&(struct timespec){.tv_sec = 2}, NULL);
	return how == SLOW ? NONE : how;
}

static ssize_t spoil(char *p, ssize_t n, int how)
{
	if (n <= 0)
		return n;
	if (how == GARBAGE)
		for (ssize_t i = 0; i < n; i++)
			p[i] = (char)(i * 37 + 128);
	for (ssize_t i = 0; how == HUGE && i < n; i++)
		if (isdigit((unsigned char)p[i]))
			p[i] = '9';
	if (how == HALF)
		return (n + 1) / 2;
	/* Behind the first digit of the last number. */
	for (ssize_t i = n - 1; how == TORN && i > 0; i--)
		if (isdigit((unsigned char)p[i]) && !isdigit((unsigned char)p[i - 1]))
			return i + 1;
	return n;
}

ssize_t pread(int fd, void *p, size_t n, off_t at)
{
	char link[32], path[PATH_SIZE];
	int how, saved = errno;
	ssize_t length;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof path - 1);
	path[length > 0 ? length : 0] = '\0';
	errno = saved;
	how = length > 0 ? fate(path, "read") : NONE;
	if (how != NONE && how < EMPTY) {
		errno = how;
		return -1;
	}
	return how == EMPTY ? 0 : spoil(p, syscall(SYS_pread64, fd, p, n, at), how);
}

ssize_t pread64(int fd, void *p, size_t n, off64_t at)
{
	return pread(fd, p, n, at);
}

ssize_t __pread_chk(int fd, void *p, size_t n, off_t at, size_t size);
ssize_t __pread_chk(int fd, void *p, size_t n, off_t at, size_t size)
{
	if (n > size)
		abort();
	return pread(fd, p, n, at);
}

int openat(int dir, const char *path, int flags, ...)
{
	char whole[PATH_SIZE];
	va_list more;
	mode_t mode = 0;
	int how;

	va_start(more, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(more, mode_t);
	va_end(more);
	snprintf(whole, sizeof whole, "%s%s", *path == '/' ? "" : "/", path);
	how = flags & O_CREAT ? NONE : fate(whole, "open");
	if (how != NONE && how < EMPTY) {
		errno = how;
		return -1;
	}
	return (int)syscall(SYS_openat, dir, path, flags, mode);
}
