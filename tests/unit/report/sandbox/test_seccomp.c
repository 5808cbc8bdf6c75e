/* seccomp: denied calls fail, and the others work. Each try is made in a child process. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "report/sandbox/seccomp.h"
#include "tests/unit/unit.h"

static char *const argv[] = {"true", NULL};

static long run(void)
{
	return execve("/bin/true", argv, argv + 1);
}

static long run_at(void)
{
	return syscall(SYS_execveat, AT_FDCWD, "/bin/true", argv, argv + 1, 0);
}

static long start(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid;
}

static void *nothing(void *p)
{
	return p;
}

static long start_thread(void)
{
	pthread_t t;

	errno = pthread_create(&t, NULL, nothing, NULL);
	return errno ? -1 : pthread_join(t, NULL);
}

static long inet(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}

static long unix_pair(void)
{
	int ends[2];

	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static long serve(void)
{
	return listen(0, 1);
}

static long trace(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static long look_into(void)
{
	return syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0);
}

static long kill_parent(void)
{
	return kill(getppid(), 0);
}

static long kill_group(void)
{
	return kill(0, 0);
}

static long kill_itself(void)
{
	return kill(getpid(), 0);
}

static long type_for_user(void)
{
	return ioctl(open("/dev/null", O_RDWR | O_CLOEXEC), TIOCSTI, "x");
}

static long be_terminal(void)
{
	return isatty(open("/dev/null", O_RDWR | O_CLOEXEC)) == 0 && errno == ENOTTY ? 0 : -1;
}

static long signal_others(void)
{
	return fcntl(open("/dev/null", O_RDWR | O_CLOEXEC), F_SETOWN, getppid());
}

static long make_code(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
	               -1, 0);

	return p == MAP_FAILED ? -1 : 0;
}

static long turn_into_code(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? 0 : mprotect(p, 4096, PROT_READ | PROT_EXEC);
}

static long change_user(void)
{
	return syscall(SYS_setuid, getuid());
}

static long own_namespace(void)
{
	return unshare(CLONE_NEWUSER);
}

static long ring(void)
{
	return syscall(SYS_io_uring_setup, 1, NULL);
}

static long bpf(void)
{
	return syscall(SYS_bpf, 0, NULL, 0);
}

static long mount_all(void)
{
	return syscall(SYS_mount, NULL, NULL, NULL, 0, NULL);
}

static long keys(void)
{
	return syscall(SYS_keyctl, 0, 0, 0, 0, 0);
}

static long by_other_abi(void)
{
#ifdef __x86_64__
	return syscall(SYS_getpid | 0x40000000);
#else
	errno = ENOSYS;
	return -1;
#endif
}

static long files(void)
{
	char name[] = "/tmp/rtrack-sandbox-XXXXXX", to[64];
	struct stat st;
	int fd = mkostemp(name, O_CLOEXEC);

	snprintf(to, sizeof to, "%s.to", name);
	return fd < 0 || fchmod(fd, 0600) || write(fd, "x", 1) != 1 || lseek(fd, 0, SEEK_SET) ||
	       fstat(fd, &st) || fsync(fd) || close(fd) || rename(name, to) || access(to, R_OK) ||
	       unlink(to);
}

static long memory_and_time(void)
{
	struct timespec t = {0, 1};
	void *p = malloc((size_t)64 << 20);
	int failed = !p || nanosleep(&t, NULL) || clock_gettime(CLOCK_REALTIME, &t) ||
	             sysconf(_SC_NPROCESSORS_ONLN) < 1;

	free(p);
	return failed ? -1 : 0;
}

static long privileges(void)
{
	/* Read from the file, as the call for it is denied as well. */
	char text[8192] = "";
	FILE *f = fopen("/proc/self/status", "re");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;

	if (f)
		fclose(f);
	return n && strstr(text, "NoNewPrivs:\t1\n") && strstr(text, "Seccomp:\t2\n") ? 0 : -1;
}

#ifdef __SANITIZE_ADDRESS__ /* its leak check needs these */
#define LEAKS(error) 0
#else
#define LEAKS(error) error
#endif

/* The expected errno; 0: it works. */
static const struct attempt {
	const char *name;
	long (*make)(void);
	int files, network;
} attempts[] = {
    {"files", files, 0, 0},
    {"memory, time", memory_and_time, 0, 0},
    {"privileges", privileges, 0, 0},
    {"kill oneself", kill_itself, 0, EPERM}, /* not needed: abort() has another call */
    {"isatty", be_terminal, 0, 0},
    {"execve", run, ENOSYS, EPERM},
    {"execveat", run_at, ENOSYS, EPERM},
    {"fork", start, LEAKS(ENOSYS), EPERM},
    {"thread", start_thread, LEAKS(ENOSYS), 0},
    {"socket", inet, ENOSYS, 0},
    {"socketpair", unix_pair, ENOSYS, 0},
    {"listen", serve, ENOSYS, EPERM},
    {"ptrace", trace, LEAKS(ENOSYS), EPERM},
    {"process_vm_readv", look_into, ENOSYS, EPERM},
    {"kill the parent", kill_parent, ENOSYS, EPERM},
    {"kill the group", kill_group, ENOSYS, EPERM},
    {"TIOCSTI", type_for_user, ENOSYS, EPERM},
    {"F_SETOWN", signal_others, ENOSYS, 0},
    {"mmap of code", make_code, ENOSYS, 0},
    {"mprotect to code", turn_into_code, ENOSYS, 0},
    {"setuid", change_user, ENOSYS, EPERM},
    {"unshare", own_namespace, ENOSYS, EPERM},
    {"io_uring_setup", ring, ENOSYS, EPERM},
    {"bpf", bpf, ENOSYS, EPERM},
    {"mount", mount_all, ENOSYS, EPERM},
    {"keyctl", keys, ENOSYS, EPERM},
    {"x32", by_other_abi, ENOSYS, ENOSYS},
};

#define NO_FILTER 200

/* The errno of one try in a child process; 0 if it worked. */
static int outcome(const struct attempt *a, enum seccomp_kind kind)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (!seccomp_enter(kind))
			_exit(NO_FILTER);
		errno = 0;
		_exit(a->make() >= 0 ? 0 : errno ? errno : 255);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void expect(enum seccomp_kind kind)
{
	for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
		const struct attempt *a = &attempts[i];
		int want = kind == SECCOMP_FILES ? a->files : a->network;
		int got = outcome(a, kind);

		if (got == NO_FILTER)
			skip(); /* this machine has no seccomp filters */
		if (got != want)
			fail_msg("%s: %s, not %s", a->name, strerror(got), strerror(want));
	}
}

TEST(of_files)
{
	expect(SECCOMP_FILES);
}

TEST(of_network)
{
	expect(SECCOMP_NETWORK);
}

/* A sanitizer has its own abort(). */
TEST(aborts)
{
	int status;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		seccomp_enter(SECCOMP_FILES);
		signal(SIGABRT, SIG_DFL);
		abort();
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}
