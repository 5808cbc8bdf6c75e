/* fleet_rank: the groups with most to recover, in an order that is always the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/groups/fleet_rank.h"
#include "tests/unit/unit.h"

static void free_keys(struct fleet_group *g)
{
	free(g->key[0]);
	free(g->key[1]);
}

static struct fleet_group group(const char *a, const char *b, double money, double hours)
{
	struct fleet_group g = {.runs = 1};

	g.key[0] = strdup(a);
	g.key[1] = b ? strdup(b) : NULL;
	g.usage.recoverable = money;
	g.usage.machine_recoverable_h = hours;
	return g;
}

TEST(test_order)
{
	/* Each belongs before the next. */
	struct fleet_group v[] = {
	    group("z", NULL, 5, 0),  group("y", NULL, 2, 9),     group("x", NULL, 2, 3),
	    group("a", "b", NAN, 8), group("a", "c", 0, 8),      group("b", "a", NAN, 8),
	    group("c", NULL, 0, 0),  group("d", NULL, NAN, NAN),
	};
	size_t n = sizeof v / sizeof *v;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			int order = fleet_rank_compare(&v[i], &v[k]);
			assert_true(i < k ? order < 0 : i > k ? order > 0 : order == 0);
		}
	for (size_t i = 0; i < n; i++)
		free_keys(&v[i]);
}

/* Whatever order they come in, the largest are kept. */
TEST(test_keeps_the_largest)
{
	for (int n = 0; n <= 40; n++)
		for (int step = 1; step < 41; step++) {
			struct fleet_rank r = {.max = 15};
			double gone = -1, sum = 0;
			for (int i = 0; i < n; i++) {
				struct fleet_group g =
				    group("g", NULL, (i + 9) * step % 41, 0); /* all differ */
				bool keeps = fleet_rank_keeps(&r, &g);
				int full = fleet_rank_add(&r, &g, NULL);
				sum += (i + 9) * step % 41;
				assert_int_equal(full, i >= 15);
				assert_true(full || !g.key[0]);
				if (!keeps)
					assert_true(g.usage.recoverable == (i + 9) * step % 41);
				if (full) {
					sum -= g.usage.recoverable;
					gone = fmax(gone, g.usage.recoverable);
				}
				free_keys(&g);
			}
			fleet_rank_sort(&r);
			assert_int_equal(r.n, n < 15 ? n : 15);
			for (size_t i = 0; i < r.n; i++) {
				assert_true(i == 0 || r.v[i - 1].usage.recoverable >
				                          r.v[i].usage.recoverable);
				assert_true(r.v[i].usage.recoverable > gone);
				sum -= r.v[i].usage.recoverable;
				free_keys(&r.v[i]);
			}
			assert_true(sum == 0);
			free(r.v);
		}
}
