/* Fuzzes collect/cgroup/cgroup.c: a cgroup file up to the first empty line, then mountinfo. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/cgroup/cgroup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *gap = size ? memmem(text, size, "\n\n", 2) : NULL;
	size_t first = gap ? (size_t)(gap - text) : size;
	struct cgroup c;

	cgroup_parse(&c, text, first, text + first, size - first);
	for (int i = 0; i < CGROUP_KINDS; i++) {
		const struct cgroup_dir *d = &c.v[i];
		size_t len = strlen(d->path), steps = 0;

		if (d->known && d->mount_only)
			abort();
		if (!d->known && !d->mount_only)
			continue;
		if (len < d->mount_len || d->mount_len == 0 ||
		    strstr(d->path + d->mount_len, "/../"))
			abort();
		for (; len; len = cgroup_parent(d, len))
			if (len < d->mount_len || ++steps > CGROUP_PATH_MAX)
				abort();
	}
	return 0;
}
