/* badmem: preloaded into rtrack-report or rtrack-collect, a machine whose memory runs out.
 *
 * What counts is every allocation since main() began, whoever makes it: the program, a library,
 * libc. BADMEM=N fails the N-th of them, N+ that and all after it; "each:N:STEP" forks at each of
 * the first N and at every STEP-th after them, once for either: the child has that failure, and the
 * program itself goes on when the child has ended.
 *
 * Such a child runs in a folder of its own, with links to the files of the working directory, and
 * its output goes to the files stdout and stderr there. Where it did anything else than to end with
 * status 1 and to say in one line that there is no memory, the command BADMEM_JUDGE is run in that
 * folder, with the rule and the status; then the folder is removed.
 *
 * BADMEM_LOG names a file that gets a line "total N" when the program ends, and with BADMEM_TRACE
 * set one with who asked for what failed. Nothing else than our two programs is concerned, and so
 * no command of theirs. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILES 64 /* descriptors of the program */

typedef int main_function(int argc, char **argv, char **envp);
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void),
                           void (*fini)(void), void (*end)(void), void *stack);

/* What is called in place of ours, and what calls main(). */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);
int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*end)(void), void *stack);

static struct {
	main_function *main;
	int pid; /* of the program, not of what it forks */
	bool on, all, told;
	unsigned long at;          /* 0: none */
	unsigned long first, step; /* of "each" */
	char *environ[3];          /* of the judge */
} bad;
static atomic_ulong count;

static void log_line(const char *word, unsigned long n)
{
	const char *path = getenv("BADMEM_LOG");
	void *frames[24];
	char line[64];
	int length = snprintf(line, sizeof line, "%s %lu\n", word, n);
	long fd =
	    path ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;

	if (fd < 0)
		return;
	(void)!syscall(SYS_write, fd, line, length);
	if (getenv("BADMEM_TRACE"))
		backtrace_symbols_fd(frames, backtrace(frames, 24), (int)fd);
	syscall(SYS_close, fd);
}

/* -- a child for each failure ------------------------------------------------------------------ */

static void to_file(const char *name, int as)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || dup2(fd, as) < 0)
		_exit(99);
	close(fd);
}

/* Goes to a folder of that name, made again, with links to the files of this one. */
static void settle(const char *name)
{
	DIR *d = opendir(".");
	const struct dirent *f;
	char to[512];

	if (!d || mkdir(name, 0700))
		_exit(99);
	while ((f = readdir(d))) {
		snprintf(to, sizeof to, "%s/%s", name, f->d_name);
		if (f->d_type == DT_REG && link(f->d_name, to))
			_exit(99);
	}
	closedir(d);
	if (chdir(name))
		_exit(99);
	to_file("stdout", STDOUT_FILENO);
	to_file("stderr", STDERR_FILENO);
	alarm(60);
}

/* One line, that there is no memory. */
static bool is_sentence(const char *path)
{
	char text[1024] = "", *newline;
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;

	if (f)
		fclose(f);
	newline = strchr(text, '\n');
	return n && newline == text + n - 1 && strncmp(text, "rtrack-", 7) == 0 &&
	       strstr(text, ": no memory");
}

static bool same_file(const char *a, const char *b)
{
	struct stat s, t;

	return stat(a, &s) == 0 && stat(b, &t) == 0 && s.st_ino == t.st_ino;
}

/* Removes the files of the folder. Whether they were all as they had been before, and nothing but
 * a sentence was said. */
static bool sweep(const char *name, bool remove)
{
	DIR *d = opendir(name);
	const struct dirent *f;
	char path[512];
	struct stat st;
	bool as_before = true;

	while (d && (f = readdir(d))) {
		snprintf(path, sizeof path, "%s/%s", name, f->d_name);
		if (f->d_name[0] == '.' && strspn(f->d_name, ".") == strlen(f->d_name))
			continue;
		if (strcmp(f->d_name, "stdout") == 0)
			as_before = as_before && stat(path, &st) == 0 && st.st_size == 0;
		else if (strcmp(f->d_name, "stderr") == 0)
			as_before = as_before && is_sentence(path);
		else
			as_before = as_before && same_file(path, f->d_name);
		if (remove)
			unlink(path);
	}
	closedir(d);
	return as_before;
}

static void judge(const char *name, int status)
{
	char text[16];
	int pid = fork();

	snprintf(text, sizeof text, "%d", status);
	if (pid == 0) {
		const char *path = getenv("BADMEM_JUDGE");
		if (chdir(name) == 0 && path)
			execle("/bin/bash", "bash", path, name, text, NULL, bad.environ);
		_exit(99);
	}
	waitpid(pid, NULL, 0);
}

/* A child reads and writes on where we are: back to there, after it. */
static void places(off_t at[FILES], bool back)
{
	for (int fd = 0; fd < FILES; fd++)
		if (!back)
			at[fd] = lseek(fd, 0, SEEK_CUR);
		else if (at[fd] >= 0)
			lseek(fd, at[fd], SEEK_SET);
}

/* In the child: true. */
static bool try(unsigned long n, bool all)
{
	int pid, status = 0, saved = errno;
	char name[32];
	off_t at[FILES];

	places(at, false);
	snprintf(name, sizeof name, "%lu%s", n, all ? "+" : "");
	pid = fork();
	if (pid == 0) {
		settle(name);
		bad.first = bad.step = 0;
		bad.at = n;
		bad.all = all;
		return true;
	}
	if (pid < 0) {
		log_line("not tried", n);
		errno = saved;
		return false;
	}
	waitpid(pid, &status, 0);
	places(at, true);
	status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	if (status != 1 || !sweep(name, false))
		judge(name, status);
	sweep(name, true);
	rmdir(name);
	errno = saved;
	return false;
}

/* -- what is replaced -------------------------------------------------------------------------- */

static bool fails_now(unsigned long n)
{
	bool here = bad.step && (n <= bad.first || (n - bad.first) % bad.step == 0);

	if (here && getpid() == bad.pid && (try(n, false) || try(n, true)))
		return true;
	return bad.at && (n == bad.at || (bad.all && n > bad.at));
}

static bool fails(void)
{
	unsigned long n;

	if (!bad.on)
		return false;
	n = atomic_fetch_add(&count, 1) + 1;
	bad.on = false; /* to report it takes memory as well */
	bool so = fails_now(n);
	if (so && !bad.told && getenv("BADMEM_TRACE"))
		log_line("failed", n);
	bad.told = bad.told || so;
	bad.on = true;
	if (so)
		errno = ENOMEM;
	return so;
}

void *malloc(size_t n)
{
	return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return fails() ? NULL : __libc_realloc(p, n);
}

void *memalign(size_t align, size_t n)
{
	return fails() ? NULL : __libc_memalign(align, n);
}

void *aligned_alloc(size_t align, size_t n)
{
	return memalign(align, n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
	void *got = memalign(align, n);

	if (got)
		*p = got;
	return got ? 0 : ENOMEM;
}

/* The sandbox would forbid to fork: without it, every allocation can be tried. */
long syscall(long number, ...)
{
	static long (*real)(long number, ...);
	long a[6];
	va_list list;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	if (number == SYS_seccomp || number == SYS_landlock_create_ruleset) {
		errno = ENOSYS;
		return -1;
	}
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* -- the beginning, and the end ---------------------------------------------------------------- */

static void tell_total(void)
{
	bad.on = false;
	if (getpid() == bad.pid)
		log_line("total", atomic_load(&count));
}

static void obey(const char *rule)
{
	char *end = NULL;

	if (strncmp(rule, "each:", 5) == 0) {
		bad.first = strtoul(rule + 5, &end, 10);
		bad.step = *end == ':' ? strtoul(end + 1, NULL, 10) : 0;
	} else {
		bad.at = strtoul(rule, &end, 10);
		bad.all = *end == '+';
	}
}

static int counted_main(int argc, char **argv, char **envp)
{
	static char path[] = "PATH=/usr/bin:/bin", locale[] = "LC_ALL=C";
	const char *rule = getenv("BADMEM"), *name = program_invocation_short_name;
	void *frame;

	if (rule && (strcmp(name, "rtrack-report") == 0 || strcmp(name, "rtrack-collect") == 0)) {
		backtrace(&frame, 1); /* loads what it needs */
		bad.environ[0] = path;
		bad.environ[1] = locale;
		bad.pid = getpid();
		atexit(tell_total);
		obey(rule);
		bad.on = true;
	}
	return bad.main(argc, argv, envp);
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*end)(void), void *stack)
{
	start_function *start;

	*(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
	bad.main = main;
	return start(counted_main, argc, argv, init, fini, end, stack);
}
