/* host_sharing: whether the job had the machine to itself. */
#include "collect/machine/host_sharing.h"

#include <math.h>
#include <stdbool.h>

#include "core/base/quantity.h"

/* Shared: the machine used over factor times as much as the job, or over amount more; and the gap
 * is over floor. */
static const struct {
	double factor, amount, floor;
} rules[HOST_SHARING_KINDS] = {
    [HOST_SHARING_CPU] = {1.25, 0.25, 0.1},
    [HOST_SHARING_MEMORY] = {1.5, 512 * QUANTITY_MIB, 64 * QUANTITY_MIB},
    [HOST_SHARING_GPU] = {1.25, 0.2, 0.1},
    [HOST_SHARING_VRAM] = {1.25, 512 * QUANTITY_MIB, 64 * QUANTITY_MIB},
};

void host_sharing_add(struct host_sharing *a, enum host_sharing_of what, double tree, double system,
                      double seconds)
{
	if (isnan(tree + system) || !(seconds > 0))
		return;
	a->tree[what] += tree * seconds;
	a->system[what] += system * seconds;
	a->seconds[what] += seconds;
}

static bool is_shared(const struct host_sharing *a, enum host_sharing_of what)
{
	double seconds = a->seconds[what];
	double tree = a->tree[what] / seconds, system = a->system[what] / seconds;

	return seconds > 0 && system - tree > rules[what].floor &&
	       (system > tree * rules[what].factor || system > tree + rules[what].amount);
}

const char *host_sharing_word(const struct host_sharing *a)
{
	bool known = false;

	for (int what = 0; what < HOST_SHARING_KINDS; what++) {
		known = known || a->seconds[what] > 0;
		if (is_shared(a, (enum host_sharing_of)what))
			return "shared";
	}
	return known ? "dedicated" : "unknown";
}
