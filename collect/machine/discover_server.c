/* discover_server: the operating system, the CPUs online and the memory of the machine. */
#include "collect/machine/discover_server.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/machine/cpu_model.h"
#include "collect/machine/host_address.h"
#include "collect/machine/host_id.h"
#include "collect/machine/meminfo.h"
#include "collect/machine/procstat.h"
#include "collect/procfs/scan.h"
#include "core/base/alloc_failed.h"

#define TEXT_MAX ((size_t)1 << 20)

/* Returns how many CPUs a list like "0-3,8,10-11" has (seven); -1 where it is not such a list. */
static long list_length(const char *text, size_t n)
{
	struct scan s = scan_text(text, n);
	long length = 0;
	int from, to;

	do {
		if (!scan_int(&s, &from))
			return -1;
		to = from;
		if (scan_literal(&s, "-") && !scan_int(&s, &to))
			return -1;
		if (to < from || to > 1 << 20)
			return -1;
		length += to - from + 1;
	} while (scan_literal(&s, ","));
	return length;
}

/* /proc/stat comes first, because the CPU times are measured there: LXCFS gives a container its own
 * view of the CPUs either in both files or in /proc/stat alone. */
static double count_cpus(const struct root *r, char *text)
{
	long n = root_read(r, "proc/stat", text, TEXT_MAX), count = 0;

	if (n > 0)
		count = procstat_cpus(text, (size_t)n);
	if (count <= 0) {
		n = root_read(r, "sys/devices/system/cpu/online", text, TEXT_MAX);
		if (n > 0)
			count = list_length(text, (size_t)n);
	}
	return count > 0 ? (double)count : NAN;
}

static double total_memory(const struct root *r, char *text)
{
	long n = root_read(r, "proc/meminfo", text, TEXT_MAX);

	return n > 0 ? meminfo_parse(text, (size_t)n, SCHEMA_1, NULL) : NAN;
}

static const char *find_host_id(const struct root *r, struct snapshot *s)
{
	char text[64], id[HOST_ID_SIZE];
	long n = root_read(r, "etc/machine-id", text, sizeof text);

	return n > 0 && host_id(text, (size_t)n, id) ? snapshot_strdup(s, id) : NULL;
}

/* Reads a table behind another one, in the room that is left. */
static struct host_address_text read_table(const struct root *r, const char *path, char **at,
                                           size_t *room)
{
	struct host_address_text table = {*at, 0};
	long n = root_read(r, path, *at, *room);

	if (n > 0) {
		table.n = (size_t)n;
		*at += n;
		*room -= (size_t)n;
	}
	return table;
}

static const char *find_address(const struct root *r, char *text, struct snapshot *s)
{
	char address[HOST_ADDRESS_SIZE], *at = text;
	size_t room = TEXT_MAX;
	struct host_address_text route = read_table(r, "proc/net/route", &at, &room);
	struct host_address_text of = read_table(r, "proc/net/fib_trie", &at, &room);

	if (host_address_v4(route, of, address))
		return snapshot_strdup(s, address);
	at = text;
	room = TEXT_MAX;
	route = read_table(r, "proc/net/ipv6_route", &at, &room);
	of = read_table(r, "proc/net/if_inet6", &at, &room);
	return host_address_v6(route, of, address) ? snapshot_strdup(s, address) : NULL;
}

void discover_server_cpu(const struct root *r, struct snapshot *s)
{
	char text[CPU_MODEL_TEXT], name[CPU_MODEL_SIZE];
	int fd = root_openat(r, "proc/cpuinfo");
	long n = fd < 0 ? -1 : root_head_fd(fd, text, sizeof text);

	if (fd >= 0)
		close(fd);
	if (n > 0 && cpu_model(text, (size_t)n, name))
		s->machine.cpu_model = snapshot_strdup(s, name);
}

int discover_server(const struct root *r, struct snapshot *s)
{
	char *text = alloc_failed_note(malloc(TEXT_MAX));

	s->server.os = "Linux";
	s->server.gpu_name = "";
	s->server.allocation = "unknown";
	s->server.gpu_count = 0;
	s->server.gpu_memory_b = 0;
	s->server.vcpus = text ? count_cpus(r, text) : NAN;
	s->server.memory_b = text ? total_memory(r, text) : NAN;
	if (s->meta.discover_server) {
		s->machine.host_id = find_host_id(r, s);
		s->machine.ip = text ? find_address(r, text, s) : NULL;
	}
	s->server.known = !isnan(s->server.vcpus) || !isnan(s->server.memory_b);
	free(text);
	return s->server.known ? 0 : -1;
}
