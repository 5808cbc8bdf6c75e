/* Fuzzes collect/machine/meminfo.c. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "collect/machine/meminfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	double row[METRIC_COUNT];

	for (int schema = SCHEMA_1; schema <= SCHEMA_2; schema++) {
		double total = meminfo_parse((const char *)data, size, (enum schema)schema, row);

		if (total < 0 || (!isnan(total) && (row[METRIC_SYSTEM_MEMORY_USED] < 0 ||
		                                    row[METRIC_SYSTEM_SWAP_USED] < 0)))
			abort();
	}
	return 0;
}
