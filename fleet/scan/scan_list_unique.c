/* scan_list_unique: one of equal paths. */
#include <stdlib.h>
#include <string.h>

#include "core/base/fnv1a.h"
#include "fleet/scan/scan_list.h"

static uint64_t hash_of_path(const struct scan_list *l, size_t i)
{
	char text[PATH_MAX];
	const char *path = scan_list_path(l, i, text);

	return path ? fnv1a_add(FNV1A_BEGIN, path) : 0;
}

static bool are_equal_paths(const struct scan_list *l, size_t i, size_t j)
{
	char first[PATH_MAX], second[PATH_MAX];
	const char *a = scan_list_path(l, i, first), *b = scan_list_path(l, j, second);

	return a && b && strcmp(a, b) == 0;
}

int scan_list_unique(struct scan_list *l, struct err *e)
{
	size_t slots = 64, kept = 0, at;
	uint32_t *slot; /* 1 + the number of a kept entry; 0: free */

	while (slots < 2 * l->n)
		slots *= 2;
	slot = calloc(slots, sizeof *slot);
	if (!slot)
		return err_set(e, "no memory to list the recordings");
	for (size_t i = 0; i < l->n; i++) {
		at = hash_of_path(l, i) & (slots - 1);
		while (slot[at] && !are_equal_paths(l, slot[at] - 1, i))
			at = (at + 1) & (slots - 1);
		if (slot[at])
			continue;
		l->v[kept] = l->v[i];
		slot[at] = (uint32_t)++kept;
	}
	l->n = kept;
	free(slot);
	return 0;
}
