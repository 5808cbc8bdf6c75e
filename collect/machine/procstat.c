/* procstat: CPU time of the machine, from the first lines of /proc/stat. */
#include "collect/machine/procstat.h"

#include <string.h>

#include "collect/procfs/scan.h"

int procstat_parse(const char *text, size_t n, uint64_t ticks[PROCSTAT_CPU_COUNT])
{
	struct scan s = scan_text(text, n), line;
	size_t i = 0;

	memset(ticks, 0, PROCSTAT_CPU_COUNT * sizeof *ticks);
	while (scan_line(&s, &line)) {
		if (!scan_literal(&line, "cpu "))
			continue;
		while (i < PROCSTAT_CPU_COUNT && scan_u64(&line, &ticks[i]))
			i++;
		return i < 4 ? -1 : 0;
	}
	return -1;
}

long procstat_cpus(const char *text, size_t n)
{
	struct scan s = scan_text(text, n), line;
	long cpus = 0;
	uint64_t number;

	while (scan_line(&s, &line))
		if (scan_literal(&line, "cpu") && line.p < line.end && *line.p != ' ' &&
		    scan_u64(&line, &number))
			cpus++;
	return cpus;
}

void procstat_each_cpu(const char *text, size_t n, procstat_each each, void *ctx)
{
	const char *end = n ? memrchr(text, '\n', n) : NULL;
	struct scan s = scan_text(text, end ? (size_t)(end + 1 - text) : 0), line, number;

	while (scan_line(&s, &line)) {
		uint64_t user, nice, system;
		char name[16];
		if (!scan_literal(&line, "cpu"))
			continue;
		if (line.p == line.end || *line.p == ' ' || !scan_word(&line, &number))
			continue;
		if (scan_copy(number, name, sizeof name) && scan_u64(&line, &user) &&
		    scan_u64(&line, &nice) && scan_u64(&line, &system))
			each(ctx, name, user + nice + system);
	}
}
