/*
 * counter: how much a counter of the kernel grew between two readings.
 *
 * A counter that falls was reset, or was read wrongly: some drivers show 0 once, or a little less
 * than before. Nobody knows what passed in such an interval, so it counts nothing, and the new
 * value is what the next is compared with. If the next rise reaches the level before the fall, the
 * fall was a wrong reading, and only the growth above that level counts.
 */
#ifndef COLLECT_MACHINE_COUNTER_H
#define COLLECT_MACHINE_COUNTER_H

#include <stdint.h>

struct counter {
	uint64_t last;
	uint64_t fell_from; /* the level before the last fall, until the counter rises; 0: none */
};

/* Its first reading: nothing before it counts. */
static inline struct counter counter_begin(uint64_t now)
{
	return (struct counter){.last = now};
}

/* The growth since the reading before. */
static inline uint64_t counter_grow(struct counter *c, uint64_t now)
{
	uint64_t base = c->last;

	c->last = now;
	if (now == base)
		return 0;
	if (now < base) {
		c->fell_from = base > c->fell_from ? base : c->fell_from;
		return 0;
	}
	if (now >= c->fell_from && c->fell_from)
		base = c->fell_from;
	c->fell_from = 0;
	return now - base;
}

#endif
