/*
 * net: bytes received and sent on every interface but lo, from /proc/net/dev (proc_pid_net(5)).
 */
#ifndef COLLECT_MACHINE_NET_H
#define COLLECT_MACHINE_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/machine/devices.h"

#define NET_MAX      2048 /* interfaces at one time; further ones are not counted */
#define NET_NAME_MAX 32   /* the kernel's IFNAMSIZ is 16 */

struct net_line {
	char name[NET_NAME_MAX];
	uint64_t recv_b, sent_b;
};

struct net_entry {
	struct net_line last;
	unsigned seen;
};

/* All interfaces, and the sums so far. Valid when zero. About 110 KiB: allocate it once. */
struct net {
	struct net_entry v[NET_MAX];
	size_t n;
	unsigned updates;
	bool since_boot;         /* set before: count what a new interface had, too */
	double recv_b, sent_b;   /* since the first update, or that; never falls */
	struct devices *devices; /* each interface as well; NULL: the sums alone */
};

/* Parses the text of one reading, and adds the growth of each interface to the sums. A new
 * interface adds nothing yet: one that was moved here from another network namespace brings its old
 * counters along. An interface whose counters fell adds its present counters. Returns 0, or -1
 * where no line could be parsed. */
int net_update(struct net *t, const char *text, size_t n);

/* Parses one line. The name ends at the last colon, because a name may hold one. Returns 0, or -1
 * for another line, such as the two headings. */
int net_parse_line(const char *text, size_t n, struct net_line *out);

#endif
