/* keeper_server: one server as the Keeper API describes it. */
#include "report/prices/keeper_server.h"

#include <math.h>

struct keeper_server keeper_server_unknown(void)
{
	return (struct keeper_server){.vcpus = NAN,
	                              .memory_mib = NAN,
	                              .gpu_count = NAN,
	                              .gpu_memory_total_mib = NAN,
	                              .price_hour = NAN,
	                              .price_ondemand = NAN,
	                              .price_spot = NAN,
	                              .price_month = NAN,
	                              .score = NAN,
	                              .billing_min_s = NAN,
	                              .billing_increment_s = NAN};
}

void keeper_server_learn(double *known, double v)
{
	if (isnan(*known))
		*known = v;
}
