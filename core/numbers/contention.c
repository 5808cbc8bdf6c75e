/* contention: how long others kept the threads of a job from the CPUs. */
#include "core/numbers/contention.h"

#include <math.h>

#include "core/base/larger.h"

/* Below this share of busy CPUs a thread that may run anywhere finds one. */
#define BUSY 0.66
/* Cores that the kernel, the recorder and other small things use on a quiet machine, partly for the
 * job itself. */
#define BACKGROUND 0.15

static double known_positive(double v)
{
	return v > 0 && isfinite(v) ? v : 0;
}

double contention_waited(const struct contention_sample *s)
{
	double taken = s->cpus - s->used, waited, own;
	/* Programs may have run on the CPUs that the job may not use. */
	double elsewhere = s->machine - s->cpus;
	double others = s->all_used - s->used - (elsewhere < 0 ? 0 : elsewhere);

	if (isnan(taken) || isnan(others) || isnan(s->waited))
		return NAN;
	if (!(s->waited > 0) || !(taken > 0) || !(others > BACKGROUND))
		return 0;
	if (s->cpus >= s->machine && s->all_used + known_positive(s->steal) < BUSY * s->machine)
		return 0;
	/* More threads than CPUs: these wait for each other, whatever others do. What others took
	 * is shared among all of them, unless the job needs its slowest thread. */
	own = known_positive(s->used + s->waited - s->cpus);
	waited = lesser(lesser(s->waited, others), taken);
	if (own > 0)
		waited *= lesser(larger(1 / s->cpus, 1 - own / s->waited), 1);
	return lesser(waited, 1);
}

double contention_stolen(const struct contention_sample *s)
{
	double steal = known_positive(s->steal), busy = known_positive(s->all_used) + steal;

	return lesser(steal / larger(busy, 1), 1);
}

bool contention_is(double waited_s, double stolen_s, double wall_s)
{
	return waited_s > CONTENTION_WAITED * wall_s || stolen_s > CONTENTION_STOLEN * wall_s;
}
