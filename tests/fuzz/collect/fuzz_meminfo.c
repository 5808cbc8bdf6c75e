/* Fuzzes collect/machine/meminfo.c. */
#include <stdint.h>
#include <stdlib.h>

#include "collect/machine/meminfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct meminfo m;

	if (meminfo_parse((const char *)data, size, &m) == 0 && !(m.total_b >= 0))
		abort();
	return 0;
}
