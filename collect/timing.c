/* timing: when samples are due. */
#include "timing.h"

#define MS 1000000ll

static const int64_t early_at[] = {50 * MS, 100 * MS, 200 * MS, 500 * MS};

#define EARLY_COUNT (sizeof early_at / sizeof *early_at)
#define EARLY_APART (10 * MS) /* from the regular sample, which serves as an early one too */

static int64_t early_deadline(const struct timing *t)
{
	if (t->early >= EARLY_COUNT || early_at[t->early] >= 2 * t->interval)
		return INT64_MAX;
	return t->start + early_at[t->early];
}

/* Passes over early samples that a regular one stands beside. */
static void settle(struct timing *t)
{
	for (;; t->early++) {
		int64_t at = early_deadline(t);
		if (at == INT64_MAX || at <= t->next - EARLY_APART || at >= t->next + EARLY_APART)
			return;
	}
}

static int64_t lasted(const struct timing *t, int64_t now)
{
	return now - t->start + t->asleep;
}

/* The first slot that is at least a tenth of an interval away. */
static int64_t slot_after(const struct timing *t, int64_t now)
{
	int64_t left = t->interval - (now - t->start) % t->interval;

	return now + left + (left < t->interval / 10 ? t->interval : 0);
}

void timing_start(struct timing *t, double interval_s, int64_t monotonic, int64_t real)
{
	int64_t interval = (int64_t)(interval_s * 1e9 + 0.5);

	*t = (struct timing){.interval = interval, .start = monotonic, .real = real};
	t->next = monotonic + interval;
	settle(t);
}

int64_t timing_deadline(const struct timing *t)
{
	int64_t early = early_deadline(t);

	return early < t->next ? early : t->next;
}

enum timing_due timing_wake(struct timing *t, int64_t now)
{
	enum timing_due due = TIMING_NOTHING;

	while (early_deadline(t) <= now) {
		t->early++;
		due = TIMING_EARLY;
	}
	if (t->next <= now) {
		int64_t next = slot_after(t, now);
		/* Both are slots, except after a stop: then next is up to 1.1 intervals away. */
		t->skipped += (uint64_t)((next - t->next - t->interval / 10 - 1) / t->interval);
		t->next = next;
		due = TIMING_REGULAR;
	}
	settle(t);
	return due;
}

bool timing_grown(const struct timing *t, int64_t now)
{
	return now - t->start >= 2 * t->interval;
}

void timing_slept(struct timing *t, int64_t asleep)
{
	t->asleep = asleep;
}

void timing_stopped(struct timing *t, int64_t now)
{
	if (t->next < now)
		t->next = now;
}

double timing_lasted(const struct timing *t, int64_t now)
{
	return (double)lasted(t, now) / 1e9;
}

double timing_unix(const struct timing *t, int64_t now)
{
	return (double)(t->real + lasted(t, now)) / 1e9;
}
