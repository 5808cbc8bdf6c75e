/* Fuzzes collect/cgroup/cgroup_text.c: the same text as each kind of file. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "collect/cgroup/cgroup_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int bad(double v)
{
	return v < 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	double read_b, write_b;
	int pids[8], count = cgroup_text_pids(text, size, pids, 8);

	cgroup_text_io(text, size, NULL, NULL, &read_b, &write_b);
	if (!(read_b >= 0) || !(write_b >= 0))
		abort();
	if (bad(cgroup_text_number(text, size)) || bad(cgroup_text_cpu_max(text, size)) ||
	    bad(cgroup_text_key(text, size, "oom_kill")) ||
	    bad(cgroup_text_sum(text, size, "allocstall_")))
		abort();
	for (int i = 0; i < count; i++)
		if (i >= 8 || pids[i] < 0)
			abort();
	return 0;
}
