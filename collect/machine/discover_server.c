/* discover_server: the operating system, the CPUs online and the memory of the machine. */
#include "collect/machine/discover_server.h"

#include <math.h>
#include <stdlib.h>

#include "collect/machine/meminfo.h"
#include "collect/machine/procstat.h"
#include "collect/procfs/scan.h"
#include "core/alloc_failed.h"

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
	s->server.known = !isnan(s->server.vcpus) || !isnan(s->server.memory_b);
	free(text);
	return s->server.known ? 0 : -1;
}
