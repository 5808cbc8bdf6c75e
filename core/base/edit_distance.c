/* edit_distance: how many typing mistakes two words are apart. */
#include "core/base/edit_distance.h"

#include <stdbool.h>
#include <string.h>

#define LONGEST 64

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t edit_distance(const char *a, size_t n, const char *b)
{
	/* The distances for the first i - 2, i - 1 and i letters of a. */
	size_t rows[3][LONGEST + 1], m = strlen(b);

	if (n > LONGEST || m > LONGEST)
		return EDIT_DISTANCE_FAR;
	for (size_t j = 0; j <= m; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = rows[i % 3], *last = rows[(i - 1) % 3], *older = rows[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			bool swapped =
			    i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];

			now[j] = last[j - 1] + (a[i - 1] != b[j - 1]);
			now[j] = least(now[j], least(last[j], now[j - 1]) + 1);
			if (swapped)
				now[j] = least(now[j], older[j - 2] + 1);
		}
	}
	return rows[n % 3][m];
}
