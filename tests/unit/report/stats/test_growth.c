/* growth: series of eight kinds, with and without a leak; a worked example by hand. */
#include <math.h>
#include <string.h>

#include "report/advice/gate_text.h"
#include "report/stats/growth.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

#define MIB   1048576.0
#define N     1440 /* samples: 2 h */
#define HOUR  3600
#define LEAK  (50 * 1024.0 * 5) /* 50 KiB/s, a sample each 5 s */
#define SPAN  (N * 5 * 0.75)
#define TIMES 12

static uint64_t seed;

static double uniform(double from, double to)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}

static double normal(double sd)
{
	return sd * sqrt(-2 * log(1 - uniform(0, 1))) * cos(6.283185307179586 * uniform(0, 1));
}

enum kind { NOISE, SAW, CACHE, STEPS, SLOW, BATCHES, SAW_CACHE, WARM, KINDS };

static void add_saw(double *v, double base)
{
	double period = uniform(20, 200), height = base * uniform(0.1, 0.8),
	       at = uniform(0, period);

	for (int i = 0; i < N; i++)
		v[i] += height * fmod(i + at, period) / period;
}

static void add_cache(double *v, double base)
{
	double tau = uniform(0.1, 0.6) * N, height = base * uniform(0.2, 1);

	for (int i = 0; i < N; i++)
		v[i] += height * (1 - exp(-i / tau));
}

static void add_steps(double *v, double base)
{
	for (int k = (int)uniform(1, 5); k > 0; k--) {
		double height = base * uniform(0.05, 0.4) * (uniform(0, 3) < 1 ? -1 : 1);
		for (int i = (int)uniform(0, N); i < N; i++)
			v[i] += height;
	}
}

static void add_slow(double *v, double base)
{
	double x = 0;

	for (int i = 0; i < N; i++)
		v[i] += x = 0.998 * x + normal(0.005 * base);
}

static void add_batches(double *v, double base)
{
	for (int i = 0; i < N;) {
		double height = base * uniform(0, 0.8);
		for (int k = 0, n = (int)uniform(20, 120); k < n && i < N; k++)
			v[i++] += height * fmin(1, k / 5.0);
	}
}

static void make(enum kind kind, double leak, double v[N])
{
	double base = uniform(200, 4000) * MIB, warm = uniform(0.05, 0.3) * N;

	for (int i = 0; i < N; i++)
		v[i] = base + leak * i + normal(base * (kind == NOISE ? 0.02 : 0.003));
	if (kind == SAW || kind == SAW_CACHE)
		add_saw(v, base);
	if (kind == CACHE || kind == SAW_CACHE)
		add_cache(v, base);
	if (kind == STEPS)
		add_steps(v, base);
	if (kind == SLOW)
		add_slow(v, base);
	if (kind == BATCHES)
		add_batches(v, base);
	for (int i = 0; kind == WARM && i < N; i++)
		v[i] += base * 0.4 * fmin(1, i / warm);
}

static struct growth judge_series(const double v[N])
{
	double min[GROWTH_WINDOWS];
	int from = N / 4, each = (N - N / 4) / GROWTH_WINDOWS;

	for (int w = 0; w < GROWTH_WINDOWS; w++) {
		min[w] = INFINITY;
		for (int i = from + w * each; i < from + (w + 1) * each; i++)
			min[w] = fmin(min[w], v[i]);
	}
	return growth_of_minima(min, SPAN, 8 * MIB);
}

/* Slow noise is a random walk, nearly: one may look like a leak. */
TEST(without_a_leak_nothing_grows_straight)
{
	double v[N];
	int straight[KINDS] = {0};

	seed = 1;
	for (int kind = 0; kind < KINDS; kind++)
		for (int i = 0; i < TIMES; i++) {
			make((enum kind)kind, 0, v);
			straight[kind] += judge_series(v).kind == GROWTH_STRAIGHT;
		}
	for (int kind = 0; kind < KINDS; kind++)
		if (straight[kind] > (kind == SLOW))
			fail_msg("kind %d: %d of %d", kind, straight[kind], TIMES);
}

/* Warming up is before the last three quarters, or hardly in them. */
TEST(a_leak_after_warming_up)
{
	double v[N];

	seed = 2;
	for (int i = 0; i < TIMES; i++) {
		struct growth g;
		make(WARM, LEAK, v);
		g = judge_series(v);
		assert_int_equal(g.kind, GROWTH_STRAIGHT);
		assert_true(fabs(g.per_s / (LEAK / 5) - 1) < 0.05);
		assert_true(g.low <= g.per_s && g.per_s <= g.high);
	}
}

/* A cache that fills, and a leak beneath it: it grew, whatever else. */
TEST(a_leak_beneath_others)
{
	double v[N];
	int seen = 0;

	seed = 3;
	for (int i = 0; i < TIMES; i++) {
		make(SAW_CACHE, LEAK, v);
		seen += judge_series(v).kind >= GROWTH_UNEVEN;
	}
	assert_true(seen >= TIMES * 9 / 10);
}

/* 1 MiB in each window of 100 s, from 101 MiB on: without noise the range is the slope. */
TEST(a_straight_line)
{
	double v[GROWTH_WINDOWS];
	struct growth g;
	struct buf text = {0};

	for (int i = 0; i < GROWTH_WINDOWS; i++)
		v[i] = (101 + i) * MIB;
	g = growth_of_minima(v, 100 * GROWTH_WINDOWS, 8 * MIB);
	assert_int_equal(g.kind, GROWTH_STRAIGHT);
	assert_true(g.per_s == MIB / 100 && fabs(g.low - g.per_s) < 1e-6 &&
	            fabs(g.high - g.per_s) < 1e-6);
	assert_true(g.grew == 30 * MIB && g.last == (115.5 + 15) * MIB);
	assert_true(fabs(growth_reaches(&g, 140.5 * MIB) - 1000) < 1e-6);
	assert_true(isnan(growth_reaches(&g, 100 * MIB)));
	growth_say(&g, UNIT_BYTES, &text);
	assert_string_equal(buf_cstr(&text),
	                    "grows by 36.0 MiB an hour (36.0 MiB to 36.0 MiB), straight");
	buf_free(&text);
	/* A step in the middle. */
	for (int i = 0; i < GROWTH_WINDOWS; i++)
		v[i] = (i < GROWTH_WINDOWS / 2 ? 100 : 200) * MIB;
	assert_int_not_equal(growth_of_minima(v, 3000, 8 * MIB).kind, GROWTH_STRAIGHT);
	/* Level: 8 MiB in 3000 s would have been seen. */
	for (int i = 0; i < GROWTH_WINDOWS; i++)
		v[i] = 100 * MIB;
	g = growth_of_minima(v, 3000, 8 * MIB);
	assert_int_equal(g.kind, GROWTH_STEADY);
	growth_say(&g, UNIT_BYTES, &text);
	assert_string_equal(buf_cstr(&text),
	                    "steady: it grows by less than 9.60 MiB an hour, which is "
	                    "all that this run could have shown");
	buf_free(&text);
}

/* A run of n samples, one each 10 s, which grows by 1 MiB each. It has no GPU, and 0 in its column. */
static const struct run *run_of(struct recordings *t, int n, int missing)
{
	struct buf text = {0};
	const struct run *run;
	char name[32];

	buf_printf(&text,
	           "{\"metadata\":{\"start_time\":1000,\"stop_time\":%d},\"process_metrics\":{",
	           1000 + n * 10);
	for (int part = 0; part < 3; part++) {
		static const char *const begin[] = {"\"timestamp\":[", "],\"memory\":[",
		                                    "],\"gpu_vram\":["};
		const int value[] = {1000, 100000, 0}, step[] = {10, 1024, 0};
		buf_str(&text, begin[part]);
		for (int i = 1; i <= n; i++) {
			if (i > missing && i <= 2 * missing)
				continue;
			buf_printf(&text, "%s%d", i > 1 ? "," : "", value[part] + i * step[part]);
		}
	}
	buf_str(&text, "]}}");
	snprintf(name, sizeof name, "%d-%d.json", n, missing);
	run = recordings_load(t, name, buf_cstr(&text));
	assert_non_null(run);
	buf_free(&text);
	return run;
}

static const struct {
	int n, missing;
	enum growth_kind kind;
} runs[] = {{240, 0, GROWTH_STRAIGHT},
            {100, 0, GROWTH_UNKNOWN}, /* 17 minutes */
            {240, 80, GROWTH_UNKNOWN}};

TEST_WITH(of_a_run, recordings_begin, recordings_end)
{
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		const struct run *run = run_of(*state, runs[i].n, runs[i].missing);
		struct growth g = growth_of_column(run, METRIC_PROCESS_MEMORY);
		assert_int_equal(g.kind, runs[i].kind);
		if (g.kind)
			assert_true(fabs(g.per_s / (MIB / 10) - 1) < 0.01); /* buckets */
		assert_int_equal(growth_of_column(run, METRIC_PROCESS_GPU_VRAM).kind,
		                 GROWTH_UNKNOWN);
	}
}

/* 1 MiB each 10 s are 360 MiB an hour, by buckets 362. */
TEST_WITH(as_a_gate, recordings_begin, recordings_end)
{
	static const struct {
		const char *text, *sentence;
	} cases[] = {
	    {"growth(process_memory) > 10MiB/h",
	     "Growth of memory (PSS) 362 MiB/h is above 10.0 MiB/h"},
	    {"growth( process_memory )<1 GiB/h",
	     "Growth of memory (PSS) 362 MiB/h is below 1.00 GiB/h"},
	    {"growth(process_gpu_vram) > 1B/h",
	     "growth(process_gpu_vram) > 1B/h: not judged, because no GPU was found"},
	};
	struct recordings *t = *state;

	assert_non_null(run_of(t, 240, 0));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gate g;
		struct err e;
		struct buf text = {0};
		struct gate_result r;
		assert_int_equal(gate_parse(cases[i].text, &g, &e), 0);
		gate_judge(&g, &t->runs, (double)NAN, NULL, &r);
		gate_sentence(&g, &r, NULL, &text);
		assert_string_equal(buf_cstr(&text), cases[i].sentence);
		buf_free(&text);
	}
}
