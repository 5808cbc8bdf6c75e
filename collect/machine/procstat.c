/* procstat: CPU time of the machine, from the first lines of /proc/stat. */
#include "collect/machine/procstat.h"

#include "collect/procfs/scan.h"

int procstat_parse(const char *text, size_t n, struct procstat_cpu *out)
{
	struct scan s = scan_text(text, n), line;

	*out = (struct procstat_cpu){0};
	while (scan_line(&s, &line)) {
		uint64_t *field[] = {&out->user,   &out->nice, &out->system,  &out->idle,
		                     &out->iowait, &out->irq,  &out->softirq, &out->steal};
		size_t i = 0;

		if (!scan_literal(&line, "cpu "))
			continue;
		while (i < sizeof field / sizeof *field && scan_u64(&line, field[i]))
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
