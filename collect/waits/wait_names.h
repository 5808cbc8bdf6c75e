/*
 * wait_names: what the job waited for, by name: a file, the address of a peer, the program at the
 * other end of a pipe; and for how long.
 *
 * A name is found out once, when a descriptor is seen for the first time: a few reads. How many are
 * found out per second is bounded; further waits have no name. Names are text from the job: they
 * are kept as they are, whole or not at all, and secrets are removed when they are written.
 */
#ifndef COLLECT_WAITS_WAIT_NAMES_H
#define COLLECT_WAITS_WAIT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/procfs/root.h"
#include "collect/waits/wait_look.h"
#include "core/json/json_write.h"
#include "core/recording/snapshot.h"

#define WAIT_NAMES_MAX  512
#define WAIT_NAMES_TEXT 256
#define WAIT_NAMES_TOP  3 /* written of a state, and of a process */
#define WAIT_NAMES_KEPT 6 /* kept of a process */

struct wait_names;

/* The largest named waits of one process. {0}: none. */
struct wait_names_top {
	short name[WAIT_NAMES_KEPT]; /* only where .s is above 0 */
	float s[WAIT_NAMES_KEPT];
};

/* All that is needed to find out a name. */
struct wait_names_asks {
	const struct root *r;
	int pid;
	/* The pids of the job, for the other end of a pipe: that at i; 0 past the end. */
	int (*pid_at)(void *ctx, size_t i);
	void *ctx;
};

/* NULL without memory. */
struct wait_names *wait_names_open(void);

/* The name of a wait in a descriptor, or -1. May change its state: a file of a network file system
 * is net_disk, the connection of a server that waits for a request is event; poll, select and
 * epoll of nothing but connections to peers are net, and of a timer sleep. Allocates nothing. */
short wait_names_find(struct wait_names *n, const struct wait_names_asks *asks,
                      struct wait_look *look, int64_t at);

/* Adds a wait; name may be -1. top may be NULL. */
void wait_names_add(struct wait_names *n, short name, enum states_id state, double s,
                    struct wait_names_top *top);

/* Writes the member "waits": the largest of each state. */
void wait_names_write(struct wait_names *n, struct json_write *j);

/* The largest of a process, as a recording has them. How many; their names are those of n. */
size_t wait_names_largest(struct wait_names *n, const struct wait_names_top *top,
                          struct snapshot_wait out[WAIT_NAMES_TOP]);

/* NULL is fine. */
void wait_names_close(struct wait_names *n);

/* -- the parsers of files that say what a descriptor is; pure ---------------------------------- */

#define WAIT_NAMES_PEER 64

/* Finds a socket by its inode in a chunk of whole lines of net/tcp, tcp6, udp or udp6
 * (proc_net(5)). True if it is there: *local_port, and the peer as "10.0.0.5:443" in peer; "" if
 * it has none (it listens). */
bool wait_names_parse_inet(const char *text, size_t n, uint64_t inode, unsigned *local_port,
                           char peer[WAIT_NAMES_PEER]);

/* The type of a mounted file system by its ID, in a chunk of whole lines of mountinfo. True if the
 * ID is there: *remote: it is one over the network, or in user space. */
bool wait_names_parse_mount(const char *text, size_t n, int id, bool *remote);

#endif
