/* meminfo: the machine's memory, from /proc/meminfo. */
#include "collect/machine/meminfo.h"

#include <math.h>
#include <stdbool.h>

#include "collect/procfs/scan.h"

static const struct {
	const char *key;
	size_t at;
} meminfo_fields[] = {
    {"MemTotal:", offsetof(struct meminfo, total_b)},
    {"MemFree:", offsetof(struct meminfo, free_b)},
    {"MemAvailable:", offsetof(struct meminfo, available_b)},
    {"Buffers:", offsetof(struct meminfo, buffers_b)},
    {"Cached:", offsetof(struct meminfo, cached_b)},
    {"Active:", offsetof(struct meminfo, active_b)},
    {"Inactive:", offsetof(struct meminfo, inactive_b)},
    {"SwapTotal:", offsetof(struct meminfo, swap_total_b)},
    {"SwapFree:", offsetof(struct meminfo, swap_free_b)},
    {"SReclaimable:", offsetof(struct meminfo, sreclaimable_b)},
};

#define FIELDS (sizeof meminfo_fields / sizeof *meminfo_fields)

static double *meminfo_cell(struct meminfo *m, size_t i)
{
	return (double *)(void *)((char *)m + meminfo_fields[i].at);
}

/* Takes a line where it is that of field i; false: it is another's. */
static bool take(struct scan line, size_t i, struct meminfo *out, size_t *left)
{
	uint64_t kib;

	if (*line.p != *meminfo_fields[i].key || !scan_literal(&line, meminfo_fields[i].key))
		return false;
	if (isnan(*meminfo_cell(out, i)) && scan_u64(&line, &kib)) {
		*meminfo_cell(out, i) = (double)kib * 1024;
		--*left;
	}
	return true;
}

int meminfo_parse(const char *text, size_t n, struct meminfo *out)
{
	struct scan s = scan_text(text, n), line;
	size_t left = FIELDS, next = 0;

	for (size_t i = 0; i < FIELDS; i++)
		*meminfo_cell(out, i) = NAN;
	/* The kernel's order is ours. */
	while (next < FIELDS && scan_line(&s, &line))
		if (line.p < line.end && take(line, next, out, &left))
			next++;
	/* Another kernel's may not be, or lack one. */
	for (s = scan_text(text, n); left > 0 && scan_line(&s, &line);)
		for (size_t i = 0; i < FIELDS && line.p < line.end; i++)
			if (take(line, i, out, &left))
				break;
	return isnan(out->total_b) ? -1 : 0;
}
