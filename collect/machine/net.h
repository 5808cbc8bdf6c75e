/*
 * net: bytes received and sent on the network, from /proc/net/dev (proc_pid_net(5)).
 *
 * Each byte counts once, at the hardware: an interface with a device behind it
 * (/sys/class/net/NAME/device) counts. Bonds, bridges, VLANs, tunnels, veth and their like repeat
 * what such an interface carries, or never leave the machine, so they do not count while there is
 * one. Without any, as in a container, all interfaces but lo count; so does, always, one that
 * /sys does not have. An interface whose master has a device behind it as well (the virtual
 * function under a netvsc or net_failover interface) is repeated by the master, and does not count.
 */
#ifndef COLLECT_MACHINE_NET_H
#define COLLECT_MACHINE_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/machine/counter.h"
#include "collect/machine/devices.h"
#include "collect/procfs/root.h"

#define NET_MAX      2048 /* interfaces at one time; further ones are not counted */
#define NET_NAME_MAX 32   /* the kernel's IFNAMSIZ is 16 */

struct net_line {
	char name[NET_NAME_MAX];
	uint64_t recv_b, sent_b;
};

enum net_behind {
	NET_UNKNOWN,  /* counts */
	NET_DEVICE,   /* a device is behind it: counts */
	NET_VIRTUAL,  /* none is: counts only where no interface has one */
	NET_REPEATED, /* its master counts its bytes */
};

struct net_entry {
	struct net_line last;
	struct counter recv, sent;
	uint64_t grew_recv_b, grew_sent_b; /* in this reading */
	enum net_behind behind;
	unsigned seen;
};

/* All interfaces, and the sums so far. Valid when zero. About 240 KiB: allocate it once. */
struct net {
	struct net_entry v[NET_MAX];
	size_t n;
	unsigned updates;
	bool any_device;         /* an interface of the last update has a device behind it */
	bool since_boot;         /* set before: count what a new interface had, too */
	double recv_b, sent_b;   /* since the first update, or that; never falls */
	struct devices *devices; /* each counted interface as well; NULL: the sums alone */
};

/* Says what is behind a new interface. */
typedef enum net_behind (*net_judge)(const void *ctx, const char *name);

/* Parses the text of one reading, and adds the growth of each interface that counts to the sums. A
 * new interface adds nothing yet: one that was moved here from another network namespace brings its
 * old counters along. Counters that fall add nothing (counter.h). judge NULL: nothing is known of
 * any interface. Returns 0, or -1 where no line could be parsed. */
int net_update(struct net *t, const char *text, size_t n, net_judge judge, const void *ctx);

/* Asks sysfs: ctx is a const struct root *. */
enum net_behind net_judge_sysfs(const void *ctx, const char *name);

/* Parses one line. The name ends at the last colon, because a name may hold one. Returns 0, or -1
 * for another line, such as the two headings. */
int net_parse_line(const char *text, size_t n, struct net_line *out);

#endif
