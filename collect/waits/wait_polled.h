/*
 * wait_polled: the descriptors that a thread waits for in poll, select or epoll.
 *
 * Those of an epoll are in fdinfo of its descriptor. Those of poll and select are in the memory of
 * the process, of which at most 128 bytes are read (process_vm_readv(2)): that needs the same right
 * as task/TID/syscall, which says where they are.
 */
#ifndef COLLECT_WAITS_WAIT_POLLED_H
#define COLLECT_WAITS_WAIT_POLLED_H

#include <poll.h>
#include <stddef.h>

#include "collect/procfs/root.h"
#include "collect/waits/wait_look.h"

#define WAIT_POLLED_MAX 16

/* How many there are. -1: it is another call, there are more, or they cannot be read. */
int wait_polled(const struct root *r, int pid, const struct wait_look_syscall *call,
                int fds[WAIT_POLLED_MAX]);

/* -- parsers: as above ------------------------------------------------------------------------- */

/* The text of fdinfo of an epoll: lines "tfd: 5 events: 19 …". */
int wait_polled_epoll(const char *text, size_t n, int fds[WAIT_POLLED_MAX]);

/* The entries of poll(2) that wait for something. */
int wait_polled_poll(const struct pollfd *v, size_t n, int fds[WAIT_POLLED_MAX]);

/* The set bits of a set of select(2); found: so many are in fds already. */
int wait_polled_select(const unsigned long *set, size_t bits, int found, int fds[WAIT_POLLED_MAX]);

#endif
