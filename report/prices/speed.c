/* speed: how fast a core of another server is. */
#include "report/prices/speed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "report/prices/keeper_filters.h"

#define GEEKBENCH "geekbench:"
#define PROFILE   "workload_profile:"
#define DEFAULT   GEEKBENCH "score"

/* The largest step in size within which a score of all CPUs predicts well. */
#define NEAR_SIZE 2

/* Geekbench's tests do not keep many CPUs busy: with n of them, all CPUs do n / (1 + n / k) times
 * the work of one. k fits the scores of 1,697 servers; "score" is the mean of all tests. Without
 * this, small servers would seem to have the fastest cores. */
static const struct {
	const char *test;
	double k;
} saturation[] = {
    {"score", 18},
    {"asset_compression", 48},
    {"background_blur", 6},
    {"clang", 64},
    {"file_compression", 10},
    {"hdr", 14},
    {"html5_browser", 20},
    {"horizon_detection", 32},
    {"navigation", 14},
    {"object_detection", 12},
    {"object_remover", 14},
    {"pdf_renderer", 12},
    {"photo_filter", 10},
    {"photo_library", 32},
    {"ray_tracer", 256},
    {"structure_from_motion", 28},
    {"text_processing", 2},
};

/* A profile whose ratios between architectures were found to be worse than no score. */
#define WITHIN_ARCH PROFILE "data_analysis"

static bool starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool is_benchmark_id(const char *s)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-.:";
	const char *colon = strchr(s, ':');

	return colon && colon != s && colon[1] && !s[strspn(s, letters)] &&
	       strlen(s) < SPEED_ID_MAX;
}

int speed_check(const char *workload, struct err *e)
{
	if (!strchr(workload, ':'))
		return keeper_filters_value(KEEPER_FILTER_WORKLOAD, workload, e) ? 0 : -1;
	if (!is_benchmark_id(workload))
		return err_set(e, "\"%.64s\" is not the ID of a benchmark, such as geekbench:clang",
		               workload);
	if (strstr(workload, "latency"))
		return err_set(e, "%.64s: a lower latency is better, so it is no measure of speed",
		               workload);
	return 0;
}

struct speed_measure speed_measure(const char *workload, bool one)
{
	const char *profile = workload && *workload && !strchr(workload, ':')
	                          ? keeper_filters_spelled(KEEPER_FILTER_WORKLOAD, workload)
	                          : NULL;
	struct speed_measure m = {.one = one};

	if (profile)
		snprintf(m.id, sizeof m.id, PROFILE "%.40s", profile);
	else
		snprintf(m.id, sizeof m.id, "%.63s", workload && *workload ? workload : DEFAULT);
	if (!starts_with(m.id, GEEKBENCH)) /* the only one whose configurations are known */
		m.one = strstr(m.id, "single") || strstr(m.id, "best1");
	return m;
}

const char *speed_config(const struct speed_measure *m)
{
	if (!starts_with(m->id, GEEKBENCH))
		return "";
	return m->one ? "{\"cores\": \"single\"}" : "{\"cores\": \"multi\"}";
}

bool speed_is_of(const struct speed_measure *m, const char *id, const char *cores)
{
	if (!*m->id || strcmp(m->id, id) != 0)
		return false;
	/* "single"; "Single-Core Performance" in older data. */
	if (m->one)
		return !*speed_config(m) || strncasecmp(cores, "single", 6) == 0;
	return !*speed_config(m) || strncasecmp(cores, "multi", 5) == 0;
}

struct speed_measure speed_fallback(const struct speed_measure *m)
{
	struct speed_measure best1 = {.id = "stress_ng:best1", .one = true};

	/* Each server has stress-ng's score of all CPUs anyway. */
	return m->one && strcmp(m->id, best1.id) != 0 ? best1
	                                              : (struct speed_measure){.one = false};
}

/* INFINITY if the measure grows with the number of CPUs; NAN if that is not known. */
static double saturation_of(const struct speed_measure *m)
{
	if (starts_with(m->id, "stress_ng:"))
		return INFINITY;
	for (size_t i = 0; i < sizeof saturation / sizeof *saturation; i++)
		if (starts_with(m->id, GEEKBENCH) &&
		    !strcmp(m->id + strlen(GEEKBENCH), saturation[i].test))
			return saturation[i].k;
	return NAN;
}

/* The score of one core. */
static double core_score(const struct speed_measure *m, const struct keeper_server *s)
{
	double k = saturation_of(m);

	if (m->one)
		return s->score_asked;
	return s->score_asked / s->vcpus * (k > 0 ? 1 + s->vcpus / k : 1);
}

/* The ratio of two scores; NAN if one is unknown. */
static double score_ratio(double there, double here)
{
	double v = there / here;

	return there > 0 && here > 0 && isfinite(v) && v > 0 ? v : (double)NAN;
}

static bool has_same_arch(const struct keeper_server *a, const struct keeper_server *b)
{
	return *a->arch && !strcasecmp(keeper_filters_spelled(KEEPER_FILTER_ARCH, a->arch),
	                               keeper_filters_spelled(KEEPER_FILTER_ARCH, b->arch));
}

static double speed_range(const struct speed_measure *m, bool same_arch, double sizes)
{
	bool near_size = m->one || (sizes <= NEAR_SIZE && sizes >= 1.0 / NEAR_SIZE);

	if (starts_with(m->id, "stress_ng:") || (!near_size && isnan(saturation_of(m))))
		return SPEED_RANGE_UNKNOWN;
	if (same_arch)
		return near_size ? SPEED_RANGE_ARCH : SPEED_RANGE_ACROSS;
	return near_size ? SPEED_RANGE_ACROSS : SPEED_RANGE_UNKNOWN;
}

struct speed speed_of(const struct speed_measure *m, const struct keeper_server *here,
                      const struct keeper_server *there)
{
	bool same_arch = has_same_arch(here, there);
	double by_measure = score_ratio(core_score(m, there), core_score(m, here));
	double by_stress_ng = score_ratio(there->score / there->vcpus, here->score / here->vcpus);

	if (!*m->id || (!same_arch && !strcmp(m->id, WITHIN_ARCH)))
		by_measure = NAN;
	if (by_measure > 0)
		return (struct speed){by_measure,
		                      speed_range(m, same_arch, there->vcpus / here->vcpus),
		                      SPEED_MEASURE};
	if (by_stress_ng > 0)
		return (struct speed){by_stress_ng, SPEED_RANGE_UNKNOWN, SPEED_STRESS_NG};
	return (struct speed){1, SPEED_RANGE_UNKNOWN, SPEED_UNKNOWN};
}

void speed_words(const struct speed_measure *m, enum speed_by by, struct buf *out)
{
	if (by == SPEED_STRESS_NG)
		buf_str(out, "stress-ng, all CPUs");
	else if (by == SPEED_MEASURE)
		buf_printf(out, "%s, %s", strcmp(m->id, DEFAULT) ? m->id : "Geekbench",
		           m->one ? "one core" : "all CPUs");
	else
		buf_str(out, "unknown");
}
