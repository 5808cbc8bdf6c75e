/*
 * wait_look: what a thread waits for at one moment (proc_pid_wchan(5), proc_pid_syscall(5)).
 *
 * task/TID/wchan names the function of the kernel in which the thread sleeps; it says "0" of one
 * that does not, and of all on hardened kernels and of processes that may not be traced. Then
 * task/TID/syscall tells the system call and its descriptor (of a process that we may attach to:
 * own descendants, also under Yama), and at last the letter of task/TID/stat. Names change between
 * kernels: of a name that is not in wait_tables.def, the system call says more.
 */
#ifndef COLLECT_WAITS_WAIT_LOOK_H
#define COLLECT_WAITS_WAIT_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/procfs/root.h"
#include "core/recording/states.h"

/* A look can also find these, besides the states of states.h. */
enum wait_look_more {
	WAIT_LOOK_CHILD = STATES_N, /* it waits for a child */
	WAIT_LOOK_SIGNAL,           /* it waits for a signal: of a child, if it has any */
	WAIT_LOOK_FILE_LOCK,        /* for a lock of a file, which its descriptor names */
	WAIT_LOOK_FUTEX,            /* in a futex: a lock, or with a time-out a sleep */
	WAIT_LOOK_OF_FILE,          /* the descriptor says it */
	WAIT_LOOK_RUNNING,          /* it runs, or could */
	WAIT_LOOK_NOTHING,          /* not known */
	WAIT_LOOK_NOT_MADE,         /* nobody looked */
	WAIT_LOOK_RAN_ON            /* it runs, or could, and so it did since the last look */
};

struct wait_look_syscall {
	enum { WAIT_LOOK_IN_CALL, WAIT_LOOK_IN_FAULT, WAIT_LOOK_ON_CPU } kind;
	int nr;      /* of this machine's table; -1: of another one (a program of 32 bits) */
	int fd;      /* the first argument as a descriptor; -1: too large for one */
	bool has_fd; /* it is one, if wait_look_by_syscall() says so */
	uint64_t arg[6];
};

/* A wait: a state or one of the above. */
struct wait_look {
	unsigned char state;
	bool futex; /* STATES_LOCK in a futex: perhaps an idle thread that waits for work */
	int fd;     /* the descriptor; -1: none, or not known */
	struct wait_look_syscall call; /* of STATES_EVENT; .nr is -1 where it is not known */
};

/* Parses a wchan: a state or one of the above; WAIT_LOOK_RUNNING for "0", WAIT_LOOK_NOTHING for an
 * unknown name. */
int wait_look_by_wchan(const char *text, size_t n);

/* Parses a syscall file. 0, or -1 where it is not in the kernel's form. */
int wait_look_syscall_parse(const char *text, size_t n, struct wait_look_syscall *out);

/* A state or one of the above. *takes_fd: its first argument is a descriptor. */
int wait_look_by_syscall(const struct wait_look_syscall *c, bool *takes_fd);

/* Whether a call that waits in a futex has a time-out. */
bool wait_look_has_timeout(const struct wait_look_syscall *c);

/* By what a link in fd/ points to: "socket:[7]", "/data/x". */
int wait_look_by_link(const char *link);

/* By the letter of a stat. What has ended waits for its parent: no state of the job. */
int wait_look_by_letter(char letter);

/* Looks at a thread. *wchan_works: this process's wchan has named a function; set here. Reads one
 * to three small files, and of one that runs as often as there are tries; allocates nothing.
 * WAIT_LOOK_NOTHING if nothing may be read. switches: of this thread, 0 at first; NULL: do not say
 * WAIT_LOOK_RAN_ON, which takes another file. */
void wait_look(const struct root *r, int pid, int tid, int tries, bool *wchan_works,
               uint64_t *switches, struct wait_look *out);

/* Reads the link of a descriptor of a process. The length; 0: it cannot be read, or is too long. */
size_t wait_look_link(const struct root *r, int pid, int fd, char *out, size_t size);

#endif
