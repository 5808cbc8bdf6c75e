/* Fuzzes collect/machine/disk.c: two readings, the halves of the input; the sums never fall. */
#include <stdint.h>
#include <stdlib.h>

#include "collect/machine/disk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct disk *d = calloc(1, sizeof *d);
	double read_b = 0, write_b = 0;

	if (!d)
		return 0;
	for (int i = 0; i < 4; i++) {
		size_t half = size / 2;

		if (i % 2 == 0)
			disk_update(d, text, half, disk_judge_name, NULL);
		else
			disk_update(d, text + half, size - half, disk_judge_name, NULL);
		if (d->read_b < read_b || d->write_b < write_b || d->n > DISK_MAX)
			abort();
		read_b = d->read_b;
		write_b = d->write_b;
	}
	free(d);
	return 0;
}
