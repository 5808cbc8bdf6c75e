/* clocks: suspensions, and a time of day that was set. */
#include "collect/machine/clocks.h"

#include <math.h>
#include <stdlib.h>

#define SECOND  1000000000ll
#define LOOKS   3
#define SHORT   (SECOND / 1000) /* shorter differences are not suspensions */
#define NOTED   (SECOND / 2)    /* suspensions of less in all are not worth a note */
#define WAITING (SECOND / 10)   /* a reading that took longer says nothing */

int64_t clocks_now(clockid_t clock)
{
	struct timespec t = {0};

	clock_gettime(clock, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* In this order: a wait for a CPU between the two makes the result smaller, never larger. */
static int64_t read_suspended(void)
{
	int64_t boot = clocks_now(CLOCK_BOOTTIME);

	return boot - clocks_now(CLOCK_MONOTONIC);
}

/* Returns -1 if the collector had to wait for a CPU between the readings. */
static int read_offset(int64_t *out)
{
	int64_t before = clocks_now(CLOCK_BOOTTIME), real = clocks_now(CLOCK_REALTIME);

	*out = real - before;
	return clocks_now(CLOCK_BOOTTIME) - before < WAITING ? 0 : -1;
}

void clocks_start(struct clocks *c)
{
	*c = (struct clocks){.apart = read_suspended()};
	for (int i = 1; i < LOOKS; i++) {
		int64_t now = read_suspended();
		c->apart = now > c->apart ? now : c->apart;
	}
	for (int i = 0; i < LOOKS && read_offset(&c->offset); i++)
		;
}

void clocks_look(struct clocks *c)
{
	int64_t asleep = read_suspended() - c->apart, now;

	if (asleep - c->asleep > SHORT)
		c->asleep = asleep;
	if (read_offset(&now) == 0 && llabs(now - c->offset) > llabs(c->set))
		c->set = now - c->offset;
}

void clocks_notes(const struct clocks *c, struct snapshot *s)
{
	if (c->asleep >= NOTED)
		snapshot_note(s,
		              "The machine was suspended, %.0f s in all: there are no rows of that "
		              "time, and CPU usage is over the time that it was awake.",
		              (double)c->asleep / 1e9);
	if (llabs(c->set) >= SECOND)
		snapshot_note(s,
		              "The machine's clock was set %s by as much as %.0f s meanwhile: all "
		              "times are by the clock as it went at the start.",
		              c->set < 0 ? "back" : "forward", fabs((double)c->set / 1e9));
}
