/*
 * seccomp: system calls that a process gives up, for good.
 *
 * A filter of the kernel's (seccomp) answers them with an error from then on; and no program that
 * is run later may have more rights than this one. Where the kernel knows no such filter, or
 * another one forbids it, nothing changes: whoever depends on the refusal must not be there.
 */
#ifndef REPORT_SANDBOX_SECCOMP_H
#define REPORT_SANDBOX_SECCOMP_H

#include <stdbool.h>

enum seccomp_kind {
	/* Reads and writes files; has no network, starts nothing, touches no other process, and
	 * makes no memory executable. Every call but those is unknown (ENOSYS). */
	SECCOMP_FILES,
	/* Speaks to the network, from threads of its own if need be; is no server, runs no program,
	 * starts and touches no other process, and does nothing to the whole machine (EPERM). */
	SECCOMP_NETWORK,
};

/* Whether the filter stands. */
bool seccomp_enter(enum seccomp_kind kind);

#endif
