/* seccomp: permanently denies a process system calls that it does not need. */
#include "report/sandbox/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__) && !defined(__ILP32__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef ARCH
#define X32_BIT 0x40000000U
#define REFUSE  (SECCOMP_RET_ERRNO | EPERM)
#define UNKNOWN (SECCOMP_RET_ERRNO | ENOSYS)

/* The action for a call whose argument meets the condition; else, later rows decide. */
enum when { ALWAYS, EQUAL, SOME_BITS, NO_BITS };
struct row {
	int call;
	unsigned char when, arg;
	unsigned value, action;
};

#define MAY(name)                                                                                  \
	{                                                                                          \
		SYS_##name, ALWAYS, 0, 0, SECCOMP_RET_ALLOW                                        \
	}
#define MAY_IF(name, when, arg, value)                                                             \
	{                                                                                          \
		SYS_##name, when, arg, value, SECCOMP_RET_ALLOW                                    \
	}
#define NOT(name)                                                                                  \
	{                                                                                          \
		SYS_##name, ALWAYS, 0, 0, REFUSE                                                   \
	}
#define NOT_IF(name, when, arg, value)                                                             \
	{                                                                                          \
		SYS_##name, when, arg, value, REFUSE                                               \
	}
#define SELF (-1) /* as a value: this process's id */
#define MAY_SELF(name)                                                                             \
	{                                                                                          \
		SYS_##name, EQUAL, 0, (unsigned)SELF, SECCOMP_RET_ALLOW                            \
	}

/* Calls that old and new C libraries make for files, memory, time and internally. */
static const struct row files[] = {
    MAY(read),
    MAY(readv),
    MAY(pread64),
    MAY(preadv),
    MAY(write),
    MAY(writev),
    MAY(pwrite64),
    MAY(pwritev),
    MAY(lseek),
    MAY(openat),
    MAY(close),
    MAY(fstat),
    MAY(newfstatat),
    MAY(statx),
    MAY(statfs),
    MAY(fstatfs),
    MAY(faccessat),
#ifdef SYS_faccessat2
    MAY(faccessat2),
#endif
    MAY(readlinkat),
    MAY(getdents64),
    MAY(getcwd),
    MAY(dup),
    MAY(umask),
    MAY(fchmod),
    MAY(mkdirat),
    MAY(renameat),
    MAY(renameat2),
    MAY(unlinkat),
    MAY(ftruncate),
    MAY(fallocate),
    MAY(fadvise64),
    MAY(fsync),
    MAY(fdatasync),
    MAY(flock),
#ifdef __x86_64__ /* it also has the old forms of these calls */
    MAY(open),
    MAY(stat),
    MAY(lstat),
    MAY(access),
    MAY(readlink),
    MAY(getdents),
    MAY(mkdir),
    MAY(rename),
    MAY(unlink),
    MAY(poll),
    MAY(time),
#endif
    /* Without F_SETOWN and F_SETSIG: they send signals, and the receiver can be any process. */
    MAY_IF(fcntl, EQUAL, 1, F_DUPFD),
    MAY_IF(fcntl, EQUAL, 1, F_DUPFD_CLOEXEC),
    MAY_IF(fcntl, EQUAL, 1, F_GETFD),
    MAY_IF(fcntl, EQUAL, 1, F_SETFD),
    MAY_IF(fcntl, EQUAL, 1, F_GETFL),
    MAY_IF(fcntl, EQUAL, 1, F_SETFL),
    MAY_IF(fcntl, EQUAL, 1, F_GETLK),
    MAY_IF(fcntl, EQUAL, 1, F_SETLK),
    MAY_IF(fcntl, EQUAL, 1, F_SETLKW),
    /* Asks for a terminal and its width. Without TIOCSTI, which injects input. */
    MAY_IF(ioctl, EQUAL, 1, TCGETS),
    MAY_IF(ioctl, EQUAL, 1, 0x802c542aU), /* TCGETS2, used by newer C libraries */
    MAY_IF(ioctl, EQUAL, 1, TIOCGWINSZ),
    /* Sets how a terminal gives its keys, of watch_terminal.c. */
    MAY_IF(ioctl, EQUAL, 1, TCSETSW),
    MAY_IF(ioctl, EQUAL, 1, 0x402c542cU), /* TCSETSW2, the same */
    MAY_IF(mmap, NO_BITS, 2, PROT_EXEC),
    MAY_IF(mprotect, NO_BITS, 2, PROT_EXEC),
    MAY(munmap),
    MAY(mremap),
    MAY(madvise),
    MAY(brk),
    MAY(futex),
    MAY(membarrier),
    MAY(sched_yield),
    MAY(sched_getaffinity),
    MAY(set_robust_list),
#ifdef SYS_rseq
    MAY(rseq),
#endif
    MAY(rt_sigaction),
    MAY(rt_sigprocmask),
    MAY(rt_sigreturn),
    MAY(sigaltstack),
    MAY(restart_syscall),
    MAY(ppoll),
    MAY(clock_gettime),
    MAY(clock_getres),
    MAY(clock_nanosleep),
    MAY(nanosleep),
    MAY(gettimeofday),
    MAY(getrandom),
    MAY(getpid),
    MAY(getppid),
    MAY(gettid),
    MAY(getuid),
    MAY(geteuid),
    MAY(getgid),
    MAY(getegid),
    MAY(uname),
    MAY(sysinfo),
    MAY(getrusage),
    MAY(times),
    MAY(getrlimit),
    MAY_IF(prlimit64, EQUAL, 0, 0),
    MAY(wait4),
    /* how old and new C libraries end the process by a signal */
    MAY_SELF(tgkill),
    MAY_SELF(tkill),
    MAY_SELF(kill),
    MAY(exit),
    MAY(exit_group),
#ifdef __SANITIZE_ADDRESS__ /* its leak check at exit starts a thread that stops the others */
    MAY(clone),
    MAY(ptrace),
    MAY(prctl),
#endif
};

static const struct row network[] = {
    NOT(execve),
    NOT(execveat),
    NOT_IF(clone, NO_BITS, 0, CLONE_THREAD),
/* Its flags are in memory, which a filter cannot read. With ENOSYS the C library uses clone. */
#ifdef SYS_clone3
    {SYS_clone3, ALWAYS, 0, 0, UNKNOWN},
#endif
#ifdef __x86_64__
    NOT(fork),
    NOT(vfork),
    NOT(iopl),
    NOT(ioperm),
    NOT(modify_ldt),
#endif
    NOT(ptrace),
    NOT(process_vm_readv),
    NOT(process_vm_writev),
    NOT(kcmp),
    {SYS_tgkill, EQUAL, 0, (unsigned)SELF, SECCOMP_RET_ALLOW},
    NOT(tgkill),
    NOT(tkill),
    NOT(kill),
    NOT(rt_sigqueueinfo),
    NOT(rt_tgsigqueueinfo),
#ifdef SYS_pidfd_getfd
    NOT(pidfd_open),
    NOT(pidfd_send_signal),
    NOT(pidfd_getfd),
#endif
    NOT(listen),
    NOT(accept),
    NOT(accept4),
    NOT_IF(ioctl, EQUAL, 1, TIOCSTI),
    NOT_IF(ioctl, EQUAL, 1, 0x541c), /* TIOCLINUX, which can paste */
    NOT(setuid),
    NOT(setgid),
    NOT(setreuid),
    NOT(setregid),
    NOT(setresuid),
    NOT(setresgid),
    NOT(setfsuid),
    NOT(setfsgid),
    NOT(setgroups),
    NOT(capset),
    NOT(personality),
    NOT(unshare),
    NOT(setns),
    NOT(chroot),
    NOT(pivot_root),
    NOT(mount),
    NOT(umount2),
#ifdef SYS_open_tree
    NOT(open_tree),
    NOT(move_mount),
    NOT(fsopen),
    NOT(fsconfig),
    NOT(fsmount),
    NOT(fspick),
#endif
#ifdef SYS_mount_setattr
    NOT(mount_setattr),
#endif
    NOT(swapon),
    NOT(swapoff),
    NOT(acct),
    NOT(quotactl),
    NOT(reboot),
    NOT(kexec_load),
    NOT(init_module),
    NOT(finit_module),
    NOT(delete_module),
    NOT(settimeofday),
    NOT(clock_settime),
    NOT(clock_adjtime),
    NOT(adjtimex),
    NOT(sethostname),
    NOT(setdomainname),
    NOT(syslog),
    NOT(bpf),
    NOT(perf_event_open),
    NOT(userfaultfd),
    NOT(memfd_create),
    NOT(name_to_handle_at),
    NOT(open_by_handle_at),
    NOT(add_key),
    NOT(request_key),
    NOT(keyctl),
#ifdef SYS_io_uring_setup
    NOT(io_uring_setup),
    NOT(io_uring_enter),
    NOT(io_uring_register),
#endif
};

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define WORDS    5 /* instructions of a row, at most */
#define HEAD     6

struct program {
	struct sock_filter word[WORDS * (COUNT(files) + COUNT(network)) + HEAD + 1];
	unsigned short n;
};

static void put_instruction(struct program *p, unsigned code, unsigned value, unsigned yes,
                            unsigned no)
{
	p->word[p->n++] = (struct sock_filter){(unsigned short)code, (unsigned char)yes,
	                                       (unsigned char)no, value};
}

static void put_load(struct program *p, size_t at)
{
	put_instruction(p, BPF_LD | BPF_W | BPF_ABS, (unsigned)at, 0, 0);
}

/* Compares only the lower 32 bits of an argument, which come first on these little-endian machines:
 * for the arguments above, the kernel ignores the rest. */
static void put_row(struct program *p, const struct row *r)
{
	unsigned value = r->value == (unsigned)SELF ? (unsigned)getpid() : r->value;
	bool met = r->when != NO_BITS;

	if (r->when == ALWAYS) {
		put_instruction(p, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)r->call, 0, 1);
		put_instruction(p, BPF_RET | BPF_K, r->action, 0, 0);
		return;
	}
	put_instruction(p, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)r->call, 0, 4);
	put_load(p, offsetof(struct seccomp_data, args) + sizeof(uint64_t) * r->arg);
	put_instruction(p, BPF_JMP | BPF_K | (r->when == EQUAL ? BPF_JEQ : BPF_JSET), value, !met,
	                met);
	put_instruction(p, BPF_RET | BPF_K, r->action, 0, 0);
	put_load(p, offsetof(struct seccomp_data, nr));
}

/* Rejects calls of other architectures (and x32), whose numbers differ. */
static void put_head(struct program *p)
{
	put_load(p, offsetof(struct seccomp_data, arch));
	put_instruction(p, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
	put_instruction(p, BPF_RET | BPF_K, UNKNOWN, 0, 0);
	put_load(p, offsetof(struct seccomp_data, nr));
	put_instruction(p, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
	put_instruction(p, BPF_RET | BPF_K, UNKNOWN, 0, 0);
}

static bool install_filter(const struct row *rows, size_t n, unsigned otherwise)
{
	struct program p = {.n = 0};
	struct sock_fprog f = {.filter = p.word};

	put_head(&p);
	for (size_t i = 0; i < n; i++)
		put_row(&p, &rows[i]);
	put_instruction(&p, BPF_RET | BPF_K, otherwise, 0, 0);
	f.len = p.n;
	/* Not prctl(): valgrind passes that call to the kernel, so the filter would apply to
	 * valgrind itself. */
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &f) == 0;
}
#endif

bool seccomp_enter(enum seccomp_kind kind)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return false;
#ifdef ARCH
	return kind == SECCOMP_FILES ? install_filter(files, COUNT(files), UNKNOWN)
	                             : install_filter(network, COUNT(network), SECCOMP_RET_ALLOW);
#else
	(void)kind;
	return false;
#endif
}
