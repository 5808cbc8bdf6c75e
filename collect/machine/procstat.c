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
