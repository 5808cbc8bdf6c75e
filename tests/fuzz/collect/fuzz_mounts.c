/* Fuzzes collect/machine/mounts.c: mountinfo before the first empty line, the space table after
 * it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/mounts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *gap = size ? memmem(text, size, "\n\n", 2) : NULL;
	size_t first = gap ? (size_t)(gap - text) : size;
	struct mounts *m = calloc(1, sizeof *m);
	struct mounts_space s;

	if (!m)
		return 0;
	mounts_list(m, text, first, NULL, NULL);
	mounts_space_text(m, text + first, size - first, &s);
	if (m->n > MOUNTS_MAX || m->paths_len > MOUNTS_PATHS_MAX || !(s.total_b >= 0) ||
	    !(s.used_b >= 0) || !(s.free_b >= 0))
		abort();
	free(m);
	return 0;
}
