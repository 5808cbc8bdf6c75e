/* time_at: how long a run would take with another number of CPUs. */
#include "core/numbers/time_at.h"

#include <math.h>

#include "core/base/larger.h"

#define SAMPLES    2     /* that are measured: fewer say nothing */
#define UNKNOWN    0.1   /* of the time: more without a measurement is too much */
#define RARE       0.005 /* of the time: widths above it may be noise of the samples' clocks */
#define PER_OCTAVE 4

/* The class of a width; below 1 that of 1. */
static size_t width_class(double width)
{
	size_t octave = 0;

	if (!(width > 1))
		return 0;
	if (width >= TIME_AT_WIDEST)
		return TIME_AT_WIDTHS - 1;
	for (; width >= 2; width /= 2) /* frexp(3) would link libm, see larger.h */
		octave++;
	return octave * PER_OCTAVE + (size_t)((width - 1) * PER_OCTAVE);
}

static double above_0(double v)
{
	return v > 0 ? v : 0;
}

static void add_bound(struct time_at_sums *sums, double h, double c, double d, double b)
{
	size_t at = width_class(d / b);

	sums->idle_s += (1 - b) * h;
	sums->cpu_s[at] += c * h;
	sums->busy_s[at] += c * h * b / d;
}

void time_at_add(struct time_at *t, const struct time_at_sample *sample)
{
	double c = sample->c, w = above_0(sample->w), d = c + w, b, least, most;

	if (!(sample->h > 0) || !isfinite(sample->h))
		return;
	t->wall_s += sample->h;
	if (isfinite(sample->contended)) {
		t->judged_s += sample->h;
		t->contended_s += sample->contended * sample->h;
		t->stolen_s += sample->stolen * sample->h;
	}
	t->samples += isfinite(c) && c >= 0;
	if (!isfinite(c) || c < 0)
		t->unknown_s += sample->h;
	if (!(c > 0) || !isfinite(d)) {
		for (int i = 0; i < TIME_AT_BOUNDS; i++)
			t->of[i].idle_s += sample->h;
		return;
	}
	t->cpu_s += c * sample->h;
	b = lesser(above_0(sample->b), 1);
	least = lesser(above_0(sample->b_least), 1);
	d = larger(larger(d, b), least); /* who was ready ran or waited */
	most = larger(lesser(lesser(sample->b_most, 1), d), b);
	b = b > 0 ? larger(b, least) : most;
	least = least > 0 ? least : lesser(b, c / TIME_AT_WIDEST);
	add_bound(&t->of[TIME_AT_ESTIMATE], sample->h, c, d, b);
	add_bound(&t->of[TIME_AT_LEAST], sample->h, c, d, larger(most, b));
	/* Half of those that waited for a CPU may then wait for something else. */
	add_bound(&t->of[TIME_AT_MOST], sample->h, c, larger(d - w / 2, least), lesser(least, b));
}

void time_at_join(struct time_at *t, const struct time_at *more)
{
	t->samples += more->samples;
	t->wall_s += more->wall_s;
	t->unknown_s += more->unknown_s;
	t->cpu_s += more->cpu_s;
	t->judged_s += more->judged_s;
	t->contended_s += more->contended_s;
	t->stolen_s += more->stolen_s;
	for (int i = 0; i < TIME_AT_BOUNDS; i++) {
		t->of[i].idle_s += more->of[i].idle_s;
		for (size_t k = 0; k < TIME_AT_WIDTHS; k++) {
			t->of[i].cpu_s[k] += more->of[i].cpu_s[k];
			t->of[i].busy_s[k] += more->of[i].busy_s[k];
		}
	}
}

int time_at_known(const struct time_at *t)
{
	return t->samples >= SAMPLES && t->cpu_s > 0 && t->unknown_s <= UNKNOWN * t->wall_s;
}

int time_at_contention_known(const struct time_at *t)
{
	return t->wall_s > 0 && t->judged_s >= (1 - UNKNOWN) * t->wall_s;
}

/* A class in which the number of CPUs lies counts as if all of it had its mean width. */
static double sum_bound(const struct time_at_sums *sums, double cpus)
{
	double s = sums->idle_s;

	for (size_t i = 0; i < TIME_AT_WIDTHS; i++)
		s += larger(sums->busy_s[i], sums->cpu_s[i] / cpus);
	return s;
}

double time_at_lost_s(const struct time_at *t)
{
	return above_0(t->wall_s - sum_bound(&t->of[TIME_AT_ESTIMATE], (double)INFINITY));
}

struct time_at_range time_at_free_cpus(const struct time_at *t, double cpus)
{
	double s, least, most;

	if (!time_at_known(t) || !(cpus > 0))
		return (struct time_at_range){NAN, NAN, NAN};
	s = sum_bound(&t->of[TIME_AT_ESTIMATE], cpus);
	least = sum_bound(&t->of[TIME_AT_LEAST], cpus);
	most = sum_bound(&t->of[TIME_AT_MOST], cpus);
	least -= TIME_AT_SPEED * (least - t->of[TIME_AT_LEAST].idle_s);
	most += TIME_AT_SPEED * (most - t->of[TIME_AT_MOST].idle_s);
	return (struct time_at_range){s, lesser(s, least), larger(s, most)};
}

double time_at_widest(const struct time_at *t)
{
	const struct time_at_sums *sums = &t->of[TIME_AT_ESTIMATE];
	double rare = 0;

	if (!time_at_known(t))
		return 0;
	for (size_t i = TIME_AT_WIDTHS; i-- > 0;) {
		rare += sums->busy_s[i];
		if (rare > 0 && rare >= RARE * t->wall_s)
			return lesser(larger(sums->cpu_s[i] / sums->busy_s[i], 1),
			              TIME_AT_CPUS_MAX);
	}
	return 1;
}

double time_at_fewest(const struct time_at *t, double most_s)
{
	double widest = time_at_widest(t), cpus = 1;

	if (!(widest > 0))
		return 0;
	while (cpus < widest && !(time_at_free_cpus(t, cpus).s <= most_s))
		cpus++;
	return cpus;
}
