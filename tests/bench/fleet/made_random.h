/*
 * made_random: random numbers for made-up runs, the same for the same seed on every machine.
 *
 * Each thing (a group, a job) has its own stream, so that it does not depend on the things before.
 */
#ifndef BENCH_MADE_RANDOM_H
#define BENCH_MADE_RANDOM_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct made_random {
	uint64_t state;
};

/* splitmix64 */
static inline uint64_t made_next(struct made_random *r)
{
	uint64_t x = r->state += 0x9e3779b97f4a7c15;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

/* The stream of thing number i. */
static inline struct made_random made_stream(uint64_t seed, char thing, uint64_t i)
{
	struct made_random r = {seed * 0x2545f4914f6cdd1d + (uint64_t)(unsigned char)thing};

	r.state = made_next(&r) ^ (i * 0x9e3779b97f4a7c15);
	made_next(&r);
	return r;
}

/* 0 up to below 1. */
static inline double made_share(struct made_random *r)
{
	return (double)(made_next(r) >> 11) * 0x1p-53;
}

static inline double made_between(struct made_random *r, double low, double high)
{
	return low + (high - low) * made_share(r);
}

/* Evenly on a logarithmic scale. */
static inline double made_scale(struct made_random *r, double low, double high)
{
	return low * exp(log(high / low) * made_share(r));
}

/* Log-normal around 1: most within a factor of 1 + spread. */
static inline double made_around(struct made_random *r, double spread)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += made_share(r);
	return exp((sum - 6) * spread);
}

static inline size_t made_pick(struct made_random *r, size_t n)
{
	return (size_t)(made_share(r) * (double)n);
}

#endif
