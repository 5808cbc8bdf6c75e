/*
 * random_recording: long recordings that a number makes up, with all that can be odd about them:
 * clocks that jump, gaps, suspensions, columns that come and go, phases that overlap.
 */
#ifndef TESTS_UNIT_REPORT_RANDOM_RECORDING_H
#define TESTS_UNIT_REPORT_RANDOM_RECORDING_H

#include "core/head/overview.h"
#include "tests/unit/report/long_recording.h"

struct random_recording {
	uint64_t state;
	struct long_recording made; /* what long_recording.h writes of it */
	double start, stop, vcpus;
	double *t, *awake; /* of each row: its time; seconds that it was awake */
	struct phases phases;
	char name[PHASE_SUMS_NAMES_MAX + 20][24];
};

static inline uint64_t random_bits(struct random_recording *r)
{
	uint64_t x = r->state += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* 0 to n - 1. */
static inline size_t random_below(struct random_recording *r, size_t n)
{
	return (size_t)(random_bits(r) % n);
}

static inline double random_share(struct random_recording *r)
{
	return (double)(random_bits(r) >> 11) * 0x1p-53;
}

static inline double random_of(struct random_recording *r, const double *v, size_t n)
{
	return v[random_below(r, n)];
}
#define RANDOM_OF(r, ...)                                                                          \
	random_of(r, (const double[]){__VA_ARGS__},                                                \
	          sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static inline void random_times(struct random_recording *r)
{
	double jitter = RANDOM_OF(r, 0, 0.001, 0.02, 0.3, 1.5), odd = RANDOM_OF(r, 0, 0, 1, 5, 300);
	double interval = r->made.interval, t = r->start + interval * RANDOM_OF(r, 0, 0.01, 1, -3);

	odd /= (double)r->made.rows;
	for (size_t i = 0; i < r->made.rows; i++) {
		double step = interval * (1 + jitter * (random_share(r) - 0.3));
		r->awake[i] = step;
		if (random_share(r) < odd)
			switch (random_below(r, 5)) {
			case 0: /* suspended */
				step += interval * RANDOM_OF(r, 1, 3, 50, 5000);
				break;
			case 1: /* nothing was recorded */
				r->awake[i] = step += interval * RANDOM_OF(r, 1, 2, 10, 9000);
				break;
			case 2: /* the clock was set */
				step = -interval * RANDOM_OF(r, 0, 0.5, 3, 700);
				break;
			default:
				step = interval * RANDOM_OF(r, 0, 0.4, 2.4, 2.5, 2.6);
				r->awake[i] = step > 0 ? step : interval;
				break;
			}
		r->t[i] = t += step;
	}
	r->stop = r->t[r->made.rows - 1] + interval * RANDOM_OF(r, 0, 0.01, 0.5, -2);
}

/* One column: all the same, noise, steps, or next to nothing, and where it was not measured. */
static inline void random_column(struct random_recording *r, const struct metric *m, double *out)
{
	size_t n = r->made.rows, kind = random_below(r, 8);
	double lost =
	    m->documented && random_below(r, 3) ? 0 : RANDOM_OF(r, 0, 0, 0, 0.01, 0.5, 0.999);
	size_t from = random_below(r, 12) ? 0 : random_below(r, n + 1);
	size_t to = random_below(r, 12) ? n : random_below(r, n + 1);
	bool memory = m->unit == METRIC_UNIT_MEMORY || m->unit == METRIC_UNIT_VRAM ||
	              m->unit == METRIC_UNIT_SPACE;
	double size = memory                         ? 8e9
	              : m->unit == METRIC_UNIT_BYTES ? 1e8
	              : m->unit == METRIC_UNIT_COUNT ? 40
	                                             : 1,
	       level = random_share(r) * size;

	for (size_t i = 0; i < n; i++) {
		double v = kind == 0                             ? 0
		           : kind == 1                           ? level
		           : kind == 2 && random_share(r) < 0.99 ? 0
		           : kind == 3                           ? level * (double)(i * 5 / n)
		           : kind == 4                           ? size * random_share(r) * 1e-5
		                                                 : size * random_share(r);
		bool whole = memory || m->unit == METRIC_UNIT_BYTES || m->unit == METRIC_UNIT_COUNT;
		out[i] = i < from || i >= to || random_share(r) < lost ? (double)NAN
		         : whole                                       ? floor(v)
		                                                       : v;
	}
}

static inline void random_cpu(struct random_recording *r, enum metric_scope scope,
                              struct long_recording_cells *c)
{
	double *usage =
	    c->cell +
	    (size_t)(scope ? METRIC_SYSTEM_CPU_USAGE : METRIC_PROCESS_CPU_USAGE) * c->rows;
	double *user =
	    c->cell + (size_t)(scope ? METRIC_SYSTEM_UTIME : METRIC_PROCESS_UTIME) * c->rows;
	double *system =
	    c->cell + (size_t)(scope ? METRIC_SYSTEM_STIME : METRIC_PROCESS_STIME) * c->rows;
	double cores = RANDOM_OF(r, 0, 0.01, 0.97, 1.15, 1.8, 3.6, 40),
	       noise = RANDOM_OF(r, 0, 0.01, 1);

	for (size_t i = 0; i < c->rows; i++) {
		usage[i] = cores * (1 - noise * random_share(r));
		user[i] = usage[i] * r->awake[i] * 0.75;
		system[i] = usage[i] * r->awake[i] * 0.25;
	}
}

static inline struct long_recording_cells random_cells(struct random_recording *r)
{
	struct long_recording_cells c = {r->made.rows, NULL};
	double gpus_lost = RANDOM_OF(r, 0, 0, 0.01, 0.9);
	bool *lost = calloc(c.rows, sizeof *lost);

	c.cell = calloc(METRIC_COUNT * c.rows, sizeof *c.cell);
	if (!c.cell || !lost)
		abort();
	for (size_t i = 0; i < c.rows; i++)
		lost[i] = random_share(r) < gpus_lost;
	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		double *out = c.cell + (size_t)id * c.rows;
		bool one = metric_is_of_one_gpu(m), gpu = one || m->chart >= METRIC_CHART_GPU;
		random_column(r, m, out);
		if (m->unit == METRIC_UNIT_TIME)
			memcpy(out, r->t, c.rows * sizeof *out);
		for (size_t gpus = 0; one && gpus < METRIC_GPUS; gpus++)
			one = gpus < r->made.gpus ||
			      (m->id != metric_gpu_usage(gpus) && m->id != metric_gpu_vram(gpus));
		for (size_t i = 0; gpu && i < c.rows; i++)
			if (lost[i] || !r->made.gpus || (metric_is_of_one_gpu(m) && !one))
				out[i] = NAN;
	}
	random_cpu(r, METRIC_SCOPE_PROCESS, &c);
	random_cpu(r, METRIC_SCOPE_SYSTEM, &c);
	free(lost);
	return c;
}

/* Nested, overlapping, before the start, after the end, backwards. */
static inline void random_phases(struct random_recording *r)
{
	size_t marks = (size_t)RANDOM_OF(r, 0, 0, 1, 5, 60, 400);
	size_t names = 1 + random_below(r, sizeof r->name / sizeof *r->name);
	double all = r->stop - r->start;

	for (size_t i = 0; i < names; i++)
		snprintf(r->name[i], sizeof r->name[i], i % 3 ? "p%zu" : "</script>\n%zu", i);
	for (size_t i = 0; i < marks; i++) {
		double from = r->start + all * (random_share(r) * 1.2 - 0.1),
		       length = all * RANDOM_OF(r, 0, 1e-6, 0.001, 0.1, 2, -0.1);
		phases_add(&r->phases, r->name[random_below(r, names)], from,
		           random_below(r, 4) ? from + length : (double)NAN);
	}
}

/* Free it with random_recording_free. */
static inline struct random_recording *random_recording_new(uint64_t seed, size_t rows_max)
{
	struct random_recording *r = calloc(1, sizeof *r);

	if (!r)
		abort();
	r->state = seed;
	r->made = (struct long_recording){
	    .name = "random",
	    .rows = OVERVIEW_LEAST + 1 + random_below(r, rows_max - OVERVIEW_LEAST),
	    .interval = RANDOM_OF(r, 0.1, 1.0 / 3, 0.5, 1, 1, 5, 60),
	    .schema = random_below(r, 2) ? SCHEMA_1 : SCHEMA_2,
	    .gpus = random_below(r, 2) ? random_below(r, 10) : 0,
	    .quota = RANDOM_OF(r, 0, 0, 0.001, 1, 1.5, 4, 300),
	    .machine_alone = random_below(r, 6) == 0,
	    .job_alone = random_below(r, 6) == 0,
	};
	r->made.job_alone = r->made.job_alone && !r->made.machine_alone;
	r->start = LONG_RECORDING_START;
	r->vcpus = RANDOM_OF(r, 1, 2, 4, 4, 64, NAN);
	r->t = calloc(2 * r->made.rows, sizeof *r->t);
	if (!r->t)
		abort();
	r->awake = r->t + r->made.rows;
	random_times(r);
	random_phases(r);
	return r;
}

static inline void random_recording_free(struct random_recording *r)
{
	free(r->t);
	free(r);
}

static inline void random_recording_write(struct recordings *t, struct random_recording *r,
                                          const char *name)
{
	struct long_recording_cells cells = random_cells(r);

	long_recording_write_cells(t, &r->made, &cells, r->phases.n ? &r->phases : NULL, r->stop,
	                           r->vcpus, name);
	free(cells.cell);
}

#endif
