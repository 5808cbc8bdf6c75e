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

void timing_start(struct timing *t, double interval_s, int64_t monotonic, int64_t real)
{
	int64_t interval = (int64_t)(interval_s * 1e9 + 0.5), into = real % interval;

	*t = (struct timing){.interval = interval, .start = monotonic, .real = real};
	t->next = monotonic + interval - into;
	if (t->next - monotonic < interval / 10)
		t->next += interval;
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
		int64_t slots = (now - t->next) / t->interval;
		t->next += (slots + 1) * t->interval;
		if (t->next - now < t->interval / 10) {
			t->next += t->interval;
			slots++;
		}
		t->skipped += (uint64_t)slots;
		due = TIMING_REGULAR;
	}
	settle(t);
	return due;
}

bool timing_grown(const struct timing *t, int64_t now)
{
	return now - t->start >= 2 * t->interval;
}

double timing_unix(const struct timing *t, int64_t now)
{
	return (double)(t->real + (now - t->start)) / 1e9;
}
