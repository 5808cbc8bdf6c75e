/*
 * seccomp: permanently denies a process system calls that it does not need.
 *
 * A seccomp filter makes them fail from then on, and no_new_privs keeps programs that are executed
 * later from gaining privileges. If the kernel does not support filters, or an outer filter forbids
 * installing one, nothing is denied. See seccomp(2).
 */
#ifndef REPORT_SANDBOX_SECCOMP_H
#define REPORT_SANDBOX_SECCOMP_H

#include <stdbool.h>

enum seccomp_kind {
	/* Can read and write files. No network, no new processes or threads, no access to other
	 * processes, no executable memory. Every other call fails with ENOSYS. */
	SECCOMP_FILES,
	/* Can use the network as a client, and threads. Cannot listen, run programs, start or
	 * access other processes, or administer the machine: such calls fail with EPERM. */
	SECCOMP_NETWORK,
};

/* Returns whether the filter is in force. */
bool seccomp_enter(enum seccomp_kind kind);

#endif
