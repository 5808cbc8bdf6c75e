/* Fuzzes collect/proc.c: the same text to every parser. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../../collect/proc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	size_t half = size / 2;
	int pids[8];
	struct proc_list list = {.pids = pids, .max = 8};
	long partial = 0;
	struct proc_stat stat;
	struct proc_io io;
	struct proc_smaps smaps;
	struct proc_statm statm;
	struct proc_status status;
	struct proc_sched sched;

	if (proc_stat_parse(text, size, &stat) == 0 &&
	    (stat.pid < 0 || stat.ppid < 0 || stat.num_threads < 0 ||
	     strlen(stat.comm) >= sizeof stat.comm))
		abort();
	proc_io_parse(text, size, &io);
	proc_smaps_parse(text, size, &smaps);
	proc_statm_parse(text, size, &statm);
	proc_status_parse(text, size, &status);
	proc_sched_parse(text, size, &sched);
	proc_children_parse(&list, text, half, &partial, false);
	proc_children_parse(&list, text + half, size - half, &partial, true);
	for (size_t i = 0; i < list.n; i++)
		if (list.pids[i] <= 0)
			abort();
	return 0;
}
