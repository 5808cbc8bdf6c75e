/* Fuzzes collect/stat.c. */
#include <stdint.h>
#include <stdlib.h>

#include "../../../collect/stat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stat_cpu cpu;

	stat_parse((const char *)data, size, &cpu);
	if (stat_cpus((const char *)data, size) < 0)
		abort();
	return 0;
}
