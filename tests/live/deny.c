/* deny: runs a program under a seccomp filter that answers calls with an error: deny ERRNO
 * CALL[,CALL…] PROGRAM ARG…, where ERRNO is EPERM, EACCES or ENOSYS. Its status: that of the program; 120
 * where there can be no filter, 121 where it is called wrongly. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS_MAX 32

#define CALL(name)                                                                                 \
	{                                                                                          \
#name, SYS_##name                                                                  \
	}

/* What a collector likes to have and can do without. */
static const struct {
	const char *name;
	long number;
} calls[] = {
    CALL(clone3),
    CALL(openat2),
    CALL(perf_event_open),
    CALL(pidfd_open),
    CALL(prctl),
    CALL(prlimit64),
    CALL(sched_getaffinity),
    CALL(statx),
    CALL(statfs),
    CALL(fsync),
    CALL(flock),
    CALL(uname),
    CALL(faccessat2),
    CALL(socket),
    CALL(getdents64),
    CALL(mknodat),
    CALL(waitid),
    CALL(setitimer),
    CALL(getrusage),
    CALL(ftruncate),
    CALL(fchmod),
    CALL(seccomp),
    CALL(socketpair),
#ifdef SYS_landlock_create_ruleset
    CALL(landlock_create_ruleset),
    CALL(landlock_add_rule),
    CALL(landlock_restrict_self),
#endif
};

static long number_of(const char *name)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (strcmp(calls[i].name, name) == 0)
			return calls[i].number;
	return -1;
}

static int filter(char *names, int error)
{
	struct sock_filter f[CALLS_MAX * 2 + 2];
	struct sock_fprog program = {.filter = f};
	char *next = NULL;
	unsigned short n = 0;

	f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	                                      offsetof(struct seccomp_data, nr));
	for (char *name = strtok_r(names, ",", &next); name; name = strtok_r(NULL, ",", &next)) {
		long number = number_of(name);

		if (number < 0 || n >= CALLS_MAX * 2)
			return 121;
		f[n++] =
		    (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1);
		f[n++] = (struct sock_filter)BPF_STMT(
		    BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((unsigned)error & SECCOMP_RET_DATA));
	}
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 120;
	return 0;
}

int main(int argc, char **argv)
{
	int error, failed;

	if (argc < 4)
		return 121;
	error = strcmp(argv[1], "ENOSYS") == 0 ? ENOSYS : EPERM;
	error = strcmp(argv[1], "EACCES") == 0 ? EACCES : error;
	failed = filter(argv[2], error);
	if (failed)
		return failed;
	execvp(argv[3], argv + 3);
	return 127;
}
