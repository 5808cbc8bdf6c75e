/* Fuzzes collect/gpu/gpu_fdinfo.c: two readings of one descriptor, parted by a NUL. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/gpu/gpu_fdinfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
	size_t n = nul ? (size_t)(nul - data) : size;
	struct gpu_fdinfo a, b;
	double busy;

	if (gpu_fdinfo_parse((const char *)data, n, &a))
		return 0;
	if (a.engines > GPU_FDINFO_ENGINES || !(a.vram_b >= 0) || !isfinite(a.vram_b) ||
	    strlen(a.driver) >= sizeof a.driver || strlen(a.pdev) >= sizeof a.pdev)
		abort();
	busy = gpu_fdinfo_busy(NULL, &a, 1000000000);
	if (!(busy >= 0 && busy <= 1))
		abort();
	if (!nul || gpu_fdinfo_parse((const char *)nul + 1, size - n - 1, &b))
		return 0;
	busy = gpu_fdinfo_busy(&a, &b, 1000000000);
	if (!(busy >= 0 && busy <= 1))
		abort();
	return 0;
}
