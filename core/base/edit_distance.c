/* edit_distance: Levenshtein's distance of two words. */
#include "core/base/edit_distance.h"

#include <string.h>

#define LONGEST 64

size_t edit_distance(const char *a, size_t n, const char *b)
{
	size_t row[LONGEST + 1], m = strlen(b);

	if (n > LONGEST || m > LONGEST)
		return EDIT_DISTANCE_FAR;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t corner = row[0];
		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t best = corner + (a[i - 1] != b[j - 1]);
			corner = row[j];
			best = row[j] + 1 < best ? row[j] + 1 : best;
			row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
		}
	}
	return row[m];
}
