/*
 * wait_names_parse: texts of the kernel that say what a descriptor is: its sockets and its mounts.
 */
#ifndef COLLECT_WAITS_WAIT_NAMES_PARSE_H
#define COLLECT_WAITS_WAIT_NAMES_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds a socket by its inode in a chunk of whole lines of net/tcp, tcp6, udp or udp6
 * (proc_net(5)). True if it is there: *local_port, and the peer as "10.0.0.5:443" in peer; "" if
 * it has none (it listens). */
#define WAIT_NAMES_PEER 64
bool wait_names_parse_inet(const char *text, size_t n, uint64_t inode, unsigned *local_port,
                           char peer[WAIT_NAMES_PEER]);

/* The type of a mounted file system by its ID, in a chunk of whole lines of mountinfo. True if the
 * ID is there: *remote: it is one over the network, or in user space. */
bool wait_names_parse_mount(const char *text, size_t n, int id, bool *remote);

#endif
