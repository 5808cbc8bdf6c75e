/* fleet_money: what asks cost. */
#include "report/fleet/fleet_money.h"

#include <math.h>

#define HOUR_S   3600.0
#define GIB      1073741824.0
#define ROUNDING 1e-9

static double asked_share(double asked, double there)
{
	return asked >= 0 && there > 0 ? asked / there : (double)NAN;
}

double fleet_money_share(const struct fleet_ask *ask, const struct catalog_machine *m)
{
	double share =
	    fmax(asked_share(ask->cpus, m->vcpus), asked_share(ask->memory_b, m->memory_b));

	share = fmax(share, asked_share(ask->gpus, m->gpus));
	return share > 1 ? 1 : share;
}

static double or_else(double known, double other)
{
	return isnan(known) ? other : known;
}

double fleet_money_machine_s(const struct fleet_cell *c, const struct fleet_ask *proposed)
{
	struct fleet_ask ask = {
	    .cpus = or_else(proposed->cpus, c->most.cpus),
	    .memory_b = or_else(proposed->memory_b, c->most.memory_b),
	    .gpus = or_else(proposed->gpus, c->most.gpus),
	};
	double s = fleet_money_share(&ask, &c->machine) * (c->wall_s + c->time_again_s);

	ask.memory_b = c->again_b;
	return s + fleet_money_share(&ask, &c->machine) * c->memory_again_s;
}

double fleet_money_at_rates(const struct fleet_rates *r, double core_s, double byte_s, double gpu_s)
{
	return gpu_s / HOUR_S * r->gpu +
	       fmax(core_s / HOUR_S * r->cpu, byte_s / GIB / HOUR_S * r->memory);
}

double fleet_money_asked(const struct fleet_rates *r, const struct fleet_cell *c)
{
	return fleet_money_at_rates(r, c->asked_core_s, c->asked_byte_s, c->asked_gpu_s);
}

double fleet_money_proposed(const struct fleet_rates *r, const struct fleet_cell *c,
                            const struct fleet_ask *proposed)
{
	/* The sums of what was asked lack runs whose use is unknown. Both sides of the difference
	 * must lack them, so the sums are used here, not the largest ask. */
	double wall_s = c->wall_s > 0 ? c->wall_s : (double)INFINITY;
	double cpus = or_else(proposed->cpus, c->asked_core_s / wall_s);
	double memory_b = or_else(proposed->memory_b, c->asked_byte_s / wall_s);
	double gpus = or_else(proposed->gpus, c->asked_gpu_s / wall_s);
	double s = c->wall_s + c->time_again_s, again_s = c->memory_again_s;

	return fleet_money_at_rates(r, cpus * s, memory_b * s, gpus * s) +
	       fleet_money_at_rates(r, cpus * again_s, c->again_b * again_s, gpus * again_s);
}

double fleet_money_recoverable(double asked, double proposed)
{
	double less = asked - proposed;

	if (isnan(less))
		return (double)NAN;
	/* What is left of equal sums that were added up in another order is nothing. */
	return less > asked * ROUNDING ? fmin(less, asked) : 0;
}
