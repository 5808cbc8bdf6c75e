/* Fuzzes collect/machine/pressure.c: a file of /proc/pressure, and loadavg. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "collect/machine/pressure.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pressure_total t;

	if (pressure_parse((const char *)data, size, &t) == 0 && !(t.some_s >= 0))
		abort();
	if (t.full_s < 0 || pressure_parse_load((const char *)data, size) < 0)
		abort();
	return 0;
}
