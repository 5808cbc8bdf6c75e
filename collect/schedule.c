/* schedule: when samples are due. */
#include "collect/schedule.h"

#define MS 1000000ll

static const int64_t early_at[] = {50 * MS, 100 * MS, 200 * MS, 500 * MS};

#define EARLY_COUNT (sizeof early_at / sizeof *early_at)
#define EARLY_APART (10 * MS) /* nearer to a regular sample, that one serves */

static int64_t early_deadline(const struct schedule *t)
{
	if (t->early >= EARLY_COUNT || early_at[t->early] >= 2 * t->interval)
		return INT64_MAX;
	return t->start + early_at[t->early];
}

/* Skips early samples that are close to a regular one. */
static void skip_close_early(struct schedule *t)
{
	for (;; t->early++) {
		int64_t at = early_deadline(t);
		if (at == INT64_MAX || at <= t->next - EARLY_APART || at >= t->next + EARLY_APART)
			return;
	}
}

static int64_t lasted(const struct schedule *t, int64_t now)
{
	return now - t->start + t->asleep;
}

/* Returns the first regular slot that is at least a tenth of an interval away. */
static int64_t slot_after(const struct schedule *t, int64_t now)
{
	int64_t left = t->interval - (now - t->start) % t->interval;

	return now + left + (left < t->interval / 10 ? t->interval : 0);
}

void schedule_start(struct schedule *t, double interval_s, int64_t monotonic, int64_t real)
{
	int64_t interval = (int64_t)(interval_s * 1e9 + 0.5);

	*t = (struct schedule){.interval = interval, .start = monotonic, .real = real};
	t->next = monotonic + interval;
	skip_close_early(t);
}

int64_t schedule_deadline(const struct schedule *t)
{
	int64_t early = early_deadline(t);

	return early < t->next ? early : t->next;
}

enum schedule_due schedule_wake(struct schedule *t, int64_t now)
{
	enum schedule_due due = SCHEDULE_NOTHING;

	while (early_deadline(t) <= now) {
		t->early++;
		due = SCHEDULE_EARLY;
	}
	if (t->next <= now) {
		int64_t next = slot_after(t, now);
		/* Both are slots, except after a stop, when next is up to 1.1 intervals away. */
		t->skipped += (uint64_t)((next - t->next - t->interval / 10 - 1) / t->interval);
		t->next = next;
		due = SCHEDULE_REGULAR;
	}
	skip_close_early(t);
	return due;
}

bool schedule_grown(const struct schedule *t, int64_t now)
{
	return now - t->start >= 2 * t->interval;
}

void schedule_slept(struct schedule *t, int64_t asleep)
{
	t->asleep = asleep;
}

void schedule_stopped(struct schedule *t, int64_t now)
{
	if (t->next < now)
		t->next = now;
}

double schedule_lasted(const struct schedule *t, int64_t now)
{
	return (double)lasted(t, now) / 1e9;
}

double schedule_unix(const struct schedule *t, int64_t now)
{
	return (double)(t->real + lasted(t, now)) / 1e9;
}
