/* allocation: whether the job had the machine to itself. */
#include "allocation.h"

#include <math.h>
#include <stdbool.h>

#define MIB 1048576.0

/* Shared: the machine used more than factor times, or amount more than, what the tree used, and the
 * gap is over the floor. */
static const struct {
	double factor, amount, floor;
} rules[ALLOCATION_KINDS] = {
    [ALLOCATION_CPU] = {1.25, 0.25, 0.1},
    [ALLOCATION_MEMORY] = {1.5, 512 * MIB, 64 * MIB},
    [ALLOCATION_GPU] = {1.25, 0.2, 0.1},
    [ALLOCATION_VRAM] = {1.25, 512 * MIB, 64 * MIB},
};

void allocation_add(struct allocation *a, enum allocation_of what, double tree, double system)
{
	if (isnan(tree + system))
		return;
	a->tree[what] += tree;
	a->system[what] += system;
	a->n[what]++;
}

static bool is_shared(const struct allocation *a, enum allocation_of what)
{
	double n = (double)a->n[what], tree = a->tree[what] / n, system = a->system[what] / n;

	return a->n[what] && system - tree > rules[what].floor &&
	       (system > tree * rules[what].factor || system > tree + rules[what].amount);
}

const char *allocation_word(const struct allocation *a)
{
	bool known = false;

	for (int what = 0; what < ALLOCATION_KINDS; what++) {
		known = known || a->n[what];
		if (is_shared(a, (enum allocation_of)what))
			return "shared";
	}
	return known ? "dedicated" : "unknown";
}
