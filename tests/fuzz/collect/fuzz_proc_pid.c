/* Fuzzes collect/procfs/proc_pid.c: the same text for every parser. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/procfs/proc_pid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	size_t half = size / 2;
	int pids[8];
	struct proc_pid_list list = {.pids = pids, .max = 8};
	long partial = 0;
	struct proc_pid_stat stat;
	struct proc_pid_io io;
	struct proc_pid_smaps smaps;
	struct proc_pid_status status;
	struct proc_pid_schedstat sched;

	if (proc_pid_stat_parse(text, size, &stat) == 0 &&
	    (stat.pid < 0 || stat.ppid < 0 || stat.num_threads < 0 ||
	     strlen(stat.comm) >= sizeof stat.comm))
		abort();
	proc_pid_io_parse(text, size, &io);
	proc_pid_smaps_parse(text, size, &smaps);
	proc_pid_status_parse(text, size, &status);
	proc_pid_schedstat_parse(text, size, &sched);
	proc_pid_children_parse(&list, text, half, &partial, false);
	proc_pid_children_parse(&list, text + half, size - half, &partial, true);
	for (size_t i = 0; i < list.n; i++)
		if (list.pids[i] <= 0)
			abort();
	return 0;
}
