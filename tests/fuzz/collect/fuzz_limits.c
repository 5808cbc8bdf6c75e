/* Fuzzes collect/cgroup/limits.c: /proc/PID/limits. */
#include <stdint.h>
#include <stdlib.h>

#include "collect/cgroup/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (limits_parse_as((const char *)data, size) < 0)
		abort();
	return 0;
}
