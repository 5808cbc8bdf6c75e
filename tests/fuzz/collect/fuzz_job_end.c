/* Fuzzes collect/command/job_end.c: a line, and what is written of it read again. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "collect/command/job_end.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct job_end e, back;
	char line[JOB_END_MAX];
	size_t n;

	if (!job_end_read((const char *)data, size, &e))
		return 0;
	n = job_end_write(&e, line, sizeof line);
	if (n == 0 || !job_end_read(line, n, &back))
		abort();
	for (int i = 0; i < JOB_END_COUNT; i++)
		if (!(e.of[i] >= 0 || isnan(e.of[i])) || isnan(e.of[i]) != isnan(back.of[i]))
			abort();
	(void)job_end_over_memory(&e, 1e9);
	return 0;
}
