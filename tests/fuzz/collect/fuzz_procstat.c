/* Fuzzes collect/machine/procstat.c. */
#include <stdint.h>
#include <stdlib.h>

#include "collect/machine/procstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t ticks[PROCSTAT_CPU_COUNT];

	procstat_parse((const char *)data, size, ticks);
	if (procstat_cpus((const char *)data, size) < 0)
		abort();
	return 0;
}
