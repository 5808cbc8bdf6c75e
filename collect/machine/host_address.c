/* host_address: the IP address by which the machine reaches others. */
#include "collect/machine/host_address.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/procfs/scan.h"

#define NAME_SIZE 16 /* IFNAMSIZ */
#define LINKS_MAX 256
#define UP        0x1
#define REJECT    0x200
/* IFA_F_TEMPORARY, _DEPRECATED, _TENTATIVE, _DADFAILED */
#define NOT_LASTING (0x01U | 0x20U | 0x40U | 0x08U)

/* Takes a word of hexadecimal digits. */
static bool take_hex_word(struct scan *s, uint64_t *out)
{
	struct scan word;
	char text[17], *end;

	if (!scan_word(s, &word) || !scan_copy(word, text, sizeof text))
		return false;
	*out = strtoull(text, &end, 16);
	return *text && !*end;
}

static bool take_interface(struct scan *s, char out[NAME_SIZE])
{
	struct scan word;

	return scan_word(s, &word) && scan_copy(word, out, NAME_SIZE);
}

/* -- IPv4 -------------------------------------------------------------------------------------- */

struct route {
	char name[NAME_SIZE];
	uint64_t to, gateway, flags, metric, mask; /* addresses in network byte order */
};

/* A line: Iface Destination Gateway Flags RefCnt Use Metric Mask … */
static bool read_route(struct scan line, struct route *r)
{
	return take_interface(&line, r->name) && take_hex_word(&line, &r->to) &&
	       take_hex_word(&line, &r->gateway) && take_hex_word(&line, &r->flags) &&
	       scan_skip(&line, 2) && scan_u64(&line, &r->metric) &&
	       take_hex_word(&line, &r->mask) && (r->flags & UP) && !(r->flags & REJECT);
}

static bool find_default(struct host_address_text text, char out[NAME_SIZE])
{
	struct scan s = scan_text(text.text, text.n), line;
	uint64_t best = UINT64_MAX;
	struct route r;

	while (scan_line(&s, &line))
		if (read_route(line, &r) && r.to == 0 && r.mask == 0 && r.metric < best) {
			memcpy(out, r.name, NAME_SIZE);
			best = r.metric;
		}
	return best != UINT64_MAX;
}

struct link {
	uint32_t to, mask;
	bool ours; /* of the interface with the default route */
};

static size_t list_links(struct host_address_text text, const char *name, struct link *out)
{
	struct scan s = scan_text(text.text, text.n), line;
	struct route r;
	size_t n = 0;

	while (n < LINKS_MAX && scan_line(&s, &line))
		if (read_route(line, &r) && r.gateway == 0 && r.mask != 0)
			out[n++] = (struct link){(uint32_t)r.to, (uint32_t)r.mask,
			                         strcmp(r.name, name) == 0};
	return n;
}

/* 2: in a network of the interface; 1: in none; 0: in one of another interface. */
static int rank_address(const struct link *links, size_t n, uint32_t address)
{
	int rank = 1;

	for (size_t i = 0; i < n; i++)
		if ((address & links[i].mask) == links[i].to) {
			if (links[i].ours)
				return 2;
			rank = 0;
		}
	return rank;
}

/* "|-- 192.0.2.2"; the line after it may say that it is one of the machine's. Each function of the
 * C library that nothing else calls would be 64 KiB more in memory: hence no inet_pton. */
static bool read_leaf(struct scan line, uint32_t *address)
{
	uint32_t host = 0;
	uint64_t byte;

	scan_blanks(&line);
	if (!scan_literal(&line, "|-- "))
		return false;
	for (int i = 0; i < 4; i++) {
		if ((i > 0 && !scan_literal(&line, ".")) || !scan_u64(&line, &byte) || byte > 255)
			return false;
		host = host << 8 | (uint32_t)byte;
	}
	*address = htonl(host);
	return line.p == line.end;
}

static bool write_v4(uint32_t address, char out[HOST_ADDRESS_SIZE])
{
	uint32_t host = ntohl(address);

	snprintf(out, HOST_ADDRESS_SIZE, "%u.%u.%u.%u", host >> 24, host >> 16 & 255,
	         host >> 8 & 255, host & 255);
	return true;
}

static bool is_this_host(uint32_t address)
{
	return ntohl(address) >> 24 == 127;
}

bool host_address_v4(struct host_address_text route, struct host_address_text trie,
                     char out[HOST_ADDRESS_SIZE])
{
	struct scan s = scan_text(trie.text, trie.n), line;
	struct link links[LINKS_MAX];
	char name[NAME_SIZE];
	uint32_t address = 0, found = 0;
	bool leaf = false, several = false;
	size_t n;
	int best = 0;

	*out = '\0';
	if (!find_default(route, name))
		return false;
	n = list_links(route, name, links);
	while (best < 2 && scan_line(&s, &line)) {
		scan_blanks(&line);
		if (leaf && scan_literal(&line, "/32 host LOCAL") && !is_this_host(address)) {
			int rank = rank_address(links, n, address);
			several = several || (rank == 1 && best == 1 && found != address);
			if (rank > best) {
				best = rank;
				found = address;
			}
		} else if (!scan_literal(&line, "/")) {
			leaf = read_leaf(line, &address);
		}
	}
	if (best == 0 || (best == 1 && several))
		return false;
	return write_v4(found, out);
}

/* -- IPv6 -------------------------------------------------------------------------------------- */

/* Takes 32 hexadecimal digits. */
static bool take_v6(struct scan *s, struct in6_addr *out)
{
	struct scan word;
	char pair[3] = "", *end;

	if (!scan_word(s, &word) || word.end - word.p != 32)
		return false;
	for (size_t i = 0; i < 16; i++) {
		memcpy(pair, word.p + 2 * i, 2);
		out->s6_addr[i] = (unsigned char)strtoul(pair, &end, 16);
		if (*end)
			return false;
	}
	return true;
}

/* A line: destination, its prefix, source, its prefix, next hop, metric, references, use, flags,
 * interface. */
static bool find_default_v6(struct host_address_text text, char out[NAME_SIZE])
{
	static const struct in6_addr any;
	struct scan s = scan_text(text.text, text.n), line;
	uint64_t best = UINT64_MAX, prefix, metric, flags;
	struct in6_addr to;
	char name[NAME_SIZE];

	while (scan_line(&s, &line))
		if (take_v6(&line, &to) && memcmp(&to, &any, sizeof to) == 0 &&
		    take_hex_word(&line, &prefix) && prefix == 0 && scan_skip(&line, 3) &&
		    take_hex_word(&line, &metric) && scan_skip(&line, 2) &&
		    take_hex_word(&line, &flags) && (flags & UP) && !(flags & REJECT) &&
		    take_interface(&line, name) && metric < best) {
			memcpy(out, name, NAME_SIZE);
			best = metric;
		}
	return best != UINT64_MAX;
}

bool host_address_v6(struct host_address_text route, struct host_address_text addresses,
                     char out[HOST_ADDRESS_SIZE])
{
	struct scan s = scan_text(addresses.text, addresses.n), line;
	char wanted[NAME_SIZE], name[NAME_SIZE];
	uint64_t scope, flags;
	struct in6_addr address;

	*out = '\0';
	if (!find_default_v6(route, wanted))
		return false;
	/* A line: address, index of the interface, prefix, scope, flags, interface. */
	while (scan_line(&s, &line))
		if (take_v6(&line, &address) && scan_skip(&line, 2) &&
		    take_hex_word(&line, &scope) && scope == 0 && take_hex_word(&line, &flags) &&
		    !(flags & NOT_LASTING) && take_interface(&line, name) &&
		    strcmp(name, wanted) == 0)
			return inet_ntop(AF_INET6, &address, out, HOST_ADDRESS_SIZE) != NULL;
	return false;
}
