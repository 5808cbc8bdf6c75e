/*
 * host_address: the IP address by which the machine reaches others: that of the interface with the
 * default route. Read from the kernel's tables alone; nothing is sent, no name is looked up.
 */
#ifndef COLLECT_MACHINE_HOST_ADDRESS_H
#define COLLECT_MACHINE_HOST_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#define HOST_ADDRESS_SIZE 46 /* INET6_ADDRSTRLEN */

struct host_address_text {
	const char *text;
	size_t n;
};

/* IPv4, from /proc/net/route and /proc/net/fib_trie. The trie has the machine's addresses without
 * their interfaces: it is the one in a network of that interface, else the only one in no network
 * of another. False, with out "": no default route, or it is not known. */
bool host_address_v4(struct host_address_text route, struct host_address_text trie,
                     char out[HOST_ADDRESS_SIZE]);

/* IPv6, from /proc/net/ipv6_route and /proc/net/if_inet6: the first lasting address of global
 * scope. */
bool host_address_v6(struct host_address_text route, struct host_address_text addresses,
                     char out[HOST_ADDRESS_SIZE]);

#endif
