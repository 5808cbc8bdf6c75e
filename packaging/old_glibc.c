/*
 * old_glibc: lets a program that was linked on this machine run where the C library is older.
 *
 * The linker takes each function of the C library in its newest version, and then the program does
 * not start where that version is unknown. So packaging/portable.mk wraps (ld --wrap) the functions
 * of this file, in Debian's archives and start-up code too: those that an old library has as well
 * are taken from there, by the old version of their name, and the others are written here. An old
 * version is fine with a new library: that is what versions are for. On Arm, version 2.17 is the
 * first that there is.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define WRAP(name) __wrap_##name

/* -- what an old library has, too ---------------------------------------------------------------- */

#if defined(__x86_64__)
#define FIRST         "GLIBC_2.2.5"
#define FIRST_FSTATAT "GLIBC_2.4"
#define STAT_VERSION  1 /* _STAT_VER */
/* clang-format off */
#define JUMP(to) "endbr64\n\tjmp *" to "@GOTPCREL(%rip)\n\t"
#elif defined(__aarch64__)
#define FIRST         "GLIBC_2.17"
#define FIRST_FSTATAT FIRST
#define STAT_VERSION  0
#define JUMP(to) "hint #34\n\tadrp x16, :got:" to "\n\tldr x16, [x16, :got_lo12:" to "]\n\tbr x16\n\t" /* bti c */
#endif

/* A jump: so no parameters need to be known. NEW is called as NAME of the first version. */
#define OLD_AS(new, name) \
	__asm__(".symver old_" #new ", " #name "@" FIRST "\n\t" \
	        ".section .text.__wrap_" #new ", \"ax\"\n\t" \
	        ".balign 4\n\t" \
	        ".globl __wrap_" #new "\n\t" \
	        ".type __wrap_" #new ", %function\n" \
	        "__wrap_" #new ":\n\t" JUMP("old_" #new) \
	        ".size __wrap_" #new ", . - __wrap_" #new "\n\t" \
	        ".text")
#define OLD(name) OLD_AS(name, name)
/* clang-format on */

/* In libdl and libpthread until glibc 2.34 moved them into libc. */
OLD(dlopen);
OLD(dlsym);
OLD(dlclose);
OLD(dlerror);
OLD(dladdr);
OLD(pthread_create);
OLD(pthread_detach);
OLD(pthread_getspecific);
OLD(pthread_join);
OLD(pthread_key_create);
OLD(pthread_key_delete);
OLD(pthread_mutex_trylock);
OLD(pthread_mutexattr_destroy);
OLD(pthread_mutexattr_init);
OLD(pthread_mutexattr_settype);
OLD(pthread_once);
OLD(pthread_rwlock_destroy);
OLD(pthread_rwlock_init);
OLD(pthread_rwlock_rdlock);
OLD(pthread_rwlock_unlock);
OLD(pthread_rwlock_wrlock);
OLD(pthread_setspecific);
/* The newer ones differ in whether they set errno. */
OLD(exp);
OLD(exp2);
OLD(log);
OLD(log2);
OLD(pow);
/* Files are large on these machines anyhow. */
OLD_AS(fcntl64, fcntl);

/* -- starting ------------------------------------------------------------------------------------- */

typedef int start_main(int, char **, char **);
typedef void start_init(int, char **, char **);

int old_start(start_main *, int, char **, start_init *, void (*)(void), void (*)(void), void *);
__asm__(".symver old_start, __libc_start_main@" FIRST);
int __wrap___libc_start_main(start_main *, int, char **, start_init *, void (*)(void),
                             void (*)(void), void *);

extern void _init(void);
extern start_init *__init_array_start[], *__init_array_end[];

/* Since 2.34 the library does this by itself; before, the program's start-up code brought it along. */
static void run_init(int argc, char **argv, char **env)
{
	_init();
	for (start_init **f = __init_array_start; f < __init_array_end; f++)
		(*f)(argc, argv, env);
}

int WRAP(__libc_start_main)(start_main *run, int argc, char **argv, start_init *init,
                            void (*fini)(void), void (*rtld_fini)(void), void *stack)
{
	return old_start(run, argc, argv, init ? init : run_init, fini, rtld_fini, stack);
}

/* -- what an old library lacks -------------------------------------------------------------------- */

struct stat;
int __xstat(int version, const char *path, struct stat *st);
int __lxstat(int version, const char *path, struct stat *st);
int __fxstat(int version, int fd, struct stat *st);
int __fxstatat(int version, int fd, const char *path, struct stat *st, int flags);
__asm__(".symver __xstat, __xstat@" FIRST);
__asm__(".symver __lxstat, __lxstat@" FIRST);
__asm__(".symver __fxstat, __fxstat@" FIRST);
__asm__(".symver __fxstatat, __fxstatat@" FIRST_FSTATAT);

int WRAP(stat)(const char *path, struct stat *st)
{
	return __xstat(STAT_VERSION, path, st);
}

int WRAP(lstat)(const char *path, struct stat *st)
{
	return __lxstat(STAT_VERSION, path, st);
}

int WRAP(fstat)(int fd, struct stat *st)
{
	return __fxstat(STAT_VERSION, fd, st);
}

int WRAP(fstatat)(int fd, const char *path, struct stat *st, int flags)
{
	return __fxstatat(STAT_VERSION, fd, path, st, flags);
}

int __wrap_stat64(const char *path, struct stat *st) __attribute__((alias("__wrap_stat")));
int __wrap_lstat64(const char *path, struct stat *st) __attribute__((alias("__wrap_lstat")));
int __wrap_fstat64(int fd, struct stat *st) __attribute__((alias("__wrap_fstat")));

ssize_t WRAP(getdents64)(int fd, void *buf, size_t n)
{
	return syscall(SYS_getdents64, fd, buf, n);
}

int WRAP(close_range)(unsigned from, unsigned to, int flags)
{
	return (int)syscall(SYS_close_range, from, to, flags);
}

ssize_t WRAP(pwritev2)(int fd, const struct iovec *v, int n, off_t at, int flags)
{
	return syscall(SYS_pwritev2, fd, v, n, at, 0L, flags);
}

int WRAP(memfd_create)(const char *name, unsigned flags)
{
	return (int)syscall(SYS_memfd_create, name, flags);
}

ssize_t WRAP(getrandom)(void *buf, size_t n, unsigned flags)
{
	return syscall(SYS_getrandom, buf, n, flags);
}

int WRAP(getentropy)(void *buf, size_t n)
{
	char *p = buf;

	if (n > 256) {
		errno = EIO;
		return -1;
	}
	while (n) {
		long got = syscall(SYS_getrandom, p, n, 0);
		if (got < 0 && errno != EINTR)
			return -1;
		if (got > 0) {
			p += got;
			n -= (size_t)got;
		}
	}
	return 0;
}

/* For Expat, which takes no failure. */
void WRAP(arc4random_buf)(void *buf, size_t n)
{
	char *p = buf;
	int fd = -1;

	while (n) {
		ssize_t got = fd < 0 ? syscall(SYS_getrandom, p, n, 0) : read(fd, p, n);
		if (got < 0 && errno == ENOSYS && fd < 0)
			fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
		else if (got <= 0 && errno != EINTR)
			abort();
		if (got > 0) {
			p += got;
			n -= (size_t)got;
		}
	}
	if (fd >= 0)
		close(fd);
}

void *WRAP(reallocarray)(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, bytes);
}

void WRAP(explicit_bzero)(void *p, size_t n)
{
	memset(p, 0, n);
	__asm__ volatile("" : : "r"(p) : "memory");
}

void WRAP(__explicit_bzero_chk)(void *p, size_t n, size_t size)
{
	if (n > size)
		abort();
	__wrap_explicit_bzero(p, n);
}

const char *WRAP(sigabbrev_np)(int signal)
{
	static const char names[][7] = {
	    "",       "HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",
	    "FPE",    "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM",
	    "STKFLT", "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",
	    "XCPU",   "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR",  "SYS",
	};

	return signal > 0 && (size_t)signal < sizeof names / sizeof *names ? names[signal] : NULL;
}
