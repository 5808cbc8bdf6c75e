/* fleet_round: numbers without the last digits, which depend on the order of adding. */
#include "fleet/groups/fleet_round.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/quantity.h"

/* Sums of decimal fractions are often halfway between two numbers of nine digits, where the order
 * of adding would decide. They are hardly ever halfway between two of these bits. */
#define BITS 33

static double without_last_bits(double v)
{
	int exponent;
	double part = frexp(v, &exponent);

	return isfinite(v) ? ldexp(round(ldexp(part, BITS)), exponent - BITS) : v;
}

double fleet_round(double exact, int digits)
{
	double v = without_last_bits(exact);
	int shift = v == 0 || !isfinite(v) ? 0 : digits - 1 - (int)floor(log10(fabs(v)));
	double ten = pow(10, abs(shift));

	/* Powers of ten below 1 are not exact. */
	return shift < 0 ? round(v / ten) * ten : round(v * ten) / ten;
}

static void round_sum(double *v)
{
	*v = fleet_round(*v, FLEET_ROUND_DIGITS);
}

/* In MiB, because an ask of whole MiB has more than nine digits in bytes. */
static void round_bytes(double *v)
{
	*v = fleet_round(*v / QUANTITY_MIB, FLEET_ROUND_DIGITS) * QUANTITY_MIB;
}

static void round_hours(struct fleet_hours *h)
{
	round_sum(&h->asked);
	round_sum(&h->used);
	round_sum(&h->unused);
}

void fleet_round_usage(struct fleet_usage *u)
{
	round_hours(&u->cores);
	round_hours(&u->memory);
	round_hours(&u->gpus);
	round_sum(&u->money);
	round_sum(&u->recoverable);
	round_sum(&u->machine_h);
	round_sum(&u->machine_recoverable_h);
}

void fleet_round_backtest(struct fleet_backtest *t)
{
	round_sum(&t->wasted_gib_h);
	round_sum(&t->asked_wasted_gib_h);
	round_sum(&t->used_gib_h);
}

void fleet_round_group(struct fleet_group *g)
{
	fleet_round_backtest(&g->backtest);
	round_sum(&g->growth);
	round_sum(&g->longer);
	fleet_round_usage(&g->usage);
	round_sum(&g->asked.cpus);
	round_bytes(&g->asked.memory_b);
	round_sum(&g->asked.gpus);
	round_sum(&g->trend);
	for (int i = 0; g->days && i < FLEET_TREND_POINTS; i++)
		round_bytes(&g->days[i]);
}

void fleet_round_day(struct catalog_day *d)
{
	double *sums[] = {&d->run_s,       &d->asked_core_s, &d->used_core_s, &d->asked_byte_s,
	                  &d->used_byte_s, &d->asked_gpu_s,  &d->used_gpu_s};

	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		round_sum(sums[i]);
}
