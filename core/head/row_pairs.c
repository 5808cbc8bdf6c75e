/* row_pairs: tags and labels as a text of rtrack_row. */
#include "core/head/row_pairs.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const first[] = {
    "ci.provider", "ci.workflow",    "ci.job",         "ci.repository",
    "ci.runner",   "ci.runner_kind", "ci.runner_tags", "ci.arch",
};

static bool comes_first(const char *key)
{
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		if (strcmp(key, first[i]) == 0)
			return true;
	return false;
}

void row_pairs_text(const struct snapshot_pairs *pairs, char *out, size_t size)
{
	size_t n = 0;

	*out = '\0';
	for (int others = 0; others < 2; others++)
		for (size_t i = 0; i < pairs->n; i++) {
			const char *key = pairs->v[i].key, *value = pairs->v[i].value;
			if (!key || !*key || !value || comes_first(key) == others ||
			    n + strlen(key) + strlen(value) + 2 >= size)
				continue;
			n += (size_t)snprintf(out + n, size - n, "%s%s=%s", n ? ";" : "", key,
			                      value);
		}
}
