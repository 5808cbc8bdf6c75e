/* wait_names_parse: texts of the kernel that say what a descriptor is. */
#include "collect/waits/wait_names_parse.h"

#include <stdio.h>
#include <string.h>

#include "collect/procfs/scan.h"

static bool scan_hex32(struct scan *s, size_t digits, uint32_t *out)
{
	uint32_t v = 0;

	if ((size_t)(s->end - s->p) < digits)
		return false;
	for (size_t i = 0; i < digits; i++) {
		int d = scan_hex(s->p[i]);
		if (d < 0)
			return false;
		v = v << 4 | (uint32_t)d;
	}
	s->p += digits;
	*out = v;
	return true;
}

/* An address of 8 or 32 digits, each 8 in the order of this machine, and a port. */
static bool scan_address(struct scan *s, unsigned char address[16], size_t *n, uint32_t *port)
{
	uint32_t word;

	scan_blanks(s);
	for (*n = 0; *n < 16 && scan_hex32(s, 8, &word); *n += 4)
		memcpy(address + *n, &word, 4);
	return (*n == 4 || *n == 16) && scan_literal(s, ":") && scan_hex32(s, 4, port);
}

static void write_address(const unsigned char *a, size_t n, uint32_t port,
                          char out[WAIT_NAMES_PEER])
{
	static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
	size_t len = 1;

	if (n == 16 && memcmp(a, mapped, sizeof mapped) == 0) {
		a += 12;
		n = 4;
	}
	if (n == 4) {
		snprintf(out, WAIT_NAMES_PEER, "%u.%u.%u.%u:%u", a[0], a[1], a[2], a[3], port);
		return;
	}
	*out = '[';
	for (size_t i = 0; i < 16; i += 2)
		len += (size_t)snprintf(out + len, WAIT_NAMES_PEER - len, "%s%x", i ? ":" : "",
		                        (unsigned)(a[i] << 8 | a[i + 1]));
	snprintf(out + len, WAIT_NAMES_PEER - len, "]:%u", port);
}

static bool parse_inet_line(struct scan line, uint64_t inode, unsigned *local_port,
                            char peer[WAIT_NAMES_PEER])
{
	unsigned char local[16], remote[16];
	uint32_t port, remote_port;
	size_t n, remote_n;
	uint64_t found;

	if (!scan_skip(&line, 1) || !scan_address(&line, local, &n, &port) ||
	    !scan_address(&line, remote, &remote_n, &remote_port))
		return false;
	/* st, queues, timer, retrnsmt, uid, timeout */
	if (!scan_skip(&line, 6) || !scan_u64(&line, &found) || found != inode)
		return false;
	*local_port = port;
	*peer = '\0';
	if (remote_port)
		write_address(remote, remote_n, remote_port, peer);
	return true;
}

bool wait_names_parse_inet(const char *text, size_t n, uint64_t inode, unsigned *local_port,
                           char peer[WAIT_NAMES_PEER])
{
	struct scan s = scan_text(text, n), line;

	while (scan_line(&s, &line))
		if (parse_inet_line(line, inode, local_port, peer))
			return true;
	return false;
}

static bool is_remote_type(struct scan type)
{
	static const char *const types[] = {
	    "nfs", "nfs4", "cifs",   "smb3",      "smbfs",    "ceph",  "lustre", "9p",
	    "afs", "gpfs", "beegfs", "glusterfs", "orangefs", "pvfs2", "wekafs", "fuse"};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (scan_is(type, types[i]))
			return true;
	return scan_literal(&type, "fuse.");
}

bool wait_names_parse_mount(const char *text, size_t n, int id, bool *remote)
{
	struct scan s = scan_text(text, n), line, word;
	int found;

	while (scan_line(&s, &line)) {
		if (!scan_int(&line, &found) || found != id)
			continue;
		while (scan_word(&line, &word))
			if (scan_is(word, "-"))
				break;
		*remote = scan_word(&line, &word) && is_remote_type(word);
		return true;
	}
	return false;
}
