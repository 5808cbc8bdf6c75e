/*
 * fleet_made: believable fleets, without a catalog, for tests of their model.
 *
 * Numbers come from a generator with a fixed seed: two fleets of the same size are equal.
 */
#ifndef TESTS_UNIT_FLEET_FLEET_MADE_H
#define TESTS_UNIT_FLEET_FLEET_MADE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/groups/fleet_group.h"

#define FLEET_MADE_GIB 1073741824.0
#define FLEET_MADE_DAY 20758 /* 2026-11-01 */

/* From 0 to 1. */
static inline double fleet_made_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 11) / 9007199254740992.0;
}

static inline double fleet_made_skewed(uint64_t *seed, double middle, double spread)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += fleet_made_random(seed);
	return middle * exp(spread * sum);
}

static inline double fleet_made_steps(double gib)
{
	return (double)advice_step(gib * 1024) * 1048576;
}

static inline void fleet_made_hours(struct fleet_hours *h, double asked, double share)
{
	h->asked = asked;
	h->used = asked * share;
	h->unused = asked - h->used;
}

static inline struct fleet_bar *fleet_made_bars(uint64_t *seed, double p50, double runs, size_t *n)
{
	struct fleet_bar *bar = calloc(40, sizeof *bar);

	*n = 0;
	for (int i = 0; bar && i < 40 && runs > 0; i++) {
		double part = fmin(runs, ceil(runs * fleet_made_random(seed) / 6));
		double low = p50 * pow(1.03, i - 15);
		if (i == 39)
			part = runs;
		bar[(*n)++] = (struct fleet_bar){low, low * 1.01, part};
		runs -= part;
	}
	return bar;
}

static inline void fleet_made_advice(struct advice *a, const struct fleet_group *g)
{
	*a = (struct advice){.cpu = (long)g->proposed.cpus,
	                     .memory_mib = (long)(g->proposed.memory_b / 1048576),
	                     .gpu = g->proposed.gpus > 0 ? (long)g->proposed.gpus : 0,
	                     .time_min = (long)(g->proposed.time_s / 60),
	                     .vram_formula = ADVICE_NOT_MEASURED};
	snprintf(a->cpu_formula, sizeof a->cpu_formula,
	         "max(1, round(%.2f mean cores, the p95 of runs)) = %ld CPUs", g->cores.p95,
	         a->cpu);
	snprintf(a->memory_formula, sizeof a->memory_formula,
	         "step(%.2f MiB, the p99 of peaks, × 1.2 = %.2f MiB) = %ld MiB",
	         g->memory.p99 / 1048576, g->memory.p99 * 1.2 / 1048576, a->memory_mib);
	snprintf(a->gpu_formula, sizeof a->gpu_formula, "%s",
	         a->gpu ? "max(1, 0.40 GPUs at the peak, the p95 of runs, rounded up) = 1 GPU"
	                : ADVICE_NOT_MEASURED);
	snprintf(a->time_formula, sizeof a->time_formula,
	         "whole minutes of (%.2f s, the p99 of runs, × 1.2 = %.2f s) = %ld min",
	         g->wall.p99, g->wall.p99 * 1.2, a->time_min);
}

static inline struct fleet_detail *fleet_made_detail(uint64_t *seed, const struct fleet_group *g)
{
	struct fleet_detail *d = calloc(1, sizeof *d);
	struct catalog_detail *r = &d->runs;
	char text[64];

	d->memory = fleet_made_bars(seed, g->memory.p50, g->counted, &d->n_memory);
	d->wall = fleet_made_bars(seed, g->wall.p50, g->counted, &d->n_wall);
	r->n_spots = g->counted < 60 ? (size_t)g->counted : 60;
	r->spot = calloc(r->n_spots + 1, sizeof *r->spot);
	for (size_t i = 0; i < r->n_spots; i++)
		r->spot[i] = (struct catalog_spot){
		    .memory_b = fmin(g->memory.max, fleet_made_skewed(seed, g->memory.p50, 0.15)),
		    .wall_s = fleet_made_skewed(seed, g->wall.p50, 0.4),
		    .runs = ceil(g->counted / (double)r->n_spots * fleet_made_random(seed)),
		    .oom = i == 0 && g->oom > 0};
	r->n_worst = g->counted < CATALOG_WORST ? (size_t)g->counted : CATALOG_WORST;
	for (size_t i = 0; i < r->n_worst; i++) {
		snprintf(text, sizeof text, "/data/runs/%s-%zu.json.gz", "run", i);
		r->worst[i] = (struct catalog_worst){.source = strdup(text),
		                                     .host = strdup("node-17"),
		                                     .user = strdup("ann"),
		                                     .start = g->first + 3600.0 * (double)i,
		                                     .wall_s = g->wall.p95,
		                                     .used_core_s = g->cores.p50 * g->wall.p95,
		                                     .asked_cpus = g->most.cpus,
		                                     .memory_need_b = g->memory.p50,
		                                     .asked_memory_b = g->most.memory_b,
		                                     .oom = i == 0 && g->oom > 0 ? 1 : 0};
	}
	fleet_made_advice(&d->advice, g);
	return d;
}

static inline void fleet_made_group(struct fleet_group *g, uint64_t *seed, size_t i)
{
	static const char *const jobs[] = {"train",    "align",   "variant-call", "render",
	                                   "simulate", "export",  "report",       "nightly-etl",
	                                   "qc",       "assemble"};
	double share = 0.05 + 0.5 * fleet_made_random(seed), hours, cpu_share;
	char name[64];

	snprintf(name, sizeof name, "%s-%zu", jobs[i % 10], i / 10);
	g->key[0] = strdup(i % 97 == 96 ? "" : i < 10 ? jobs[i] : name);
	g->counted = ceil(fleet_made_skewed(seed, 20, 1.5));
	g->failed = floor(g->counted * 0.1 * fleet_made_random(seed));
	g->oom = floor(g->counted * 0.03 * fleet_made_random(seed));
	g->runs = g->counted + g->failed;
	g->wall.p50 = fleet_made_skewed(seed, 1800, 1.2);
	g->wall.p95 = g->wall.p50 * 1.4;
	g->wall.p99 = g->wall.p50 * 1.6;
	g->wall.max = g->wall.p50 * 1.7;
	g->asked = (struct fleet_ask){.cpus = exp2(floor(6 * fleet_made_random(seed))),
	                              .memory_b =
	                                  FLEET_MADE_GIB * exp2(floor(8 * fleet_made_random(seed))),
	                              .gpus = i % 9 == 0 ? 1 : NAN,
	                              .time_s = 14400};
	g->most = g->asked;
	cpu_share = 0.05 + 0.5 * fleet_made_random(seed);
	g->cores.p50 = g->asked.cpus * cpu_share;
	g->cores.p95 = g->cores.p99 = g->cores.max = fmin(g->asked.cpus, g->cores.p50 * 1.2);
	g->memory.p50 = g->asked.memory_b * share;
	g->memory.p95 = fmin(g->asked.memory_b, g->memory.p50 * 1.2);
	g->memory.p99 = fmin(g->asked.memory_b, g->memory.p50 * 1.3);
	g->memory.max = g->oom > 0 ? g->asked.memory_b : g->memory.p99;
	hours = g->counted * g->wall.p50 / 3600;
	fleet_made_hours(&g->usage.cores, hours * g->asked.cpus, cpu_share);
	fleet_made_hours(&g->usage.memory, hours * g->asked.memory_b / FLEET_MADE_GIB, share * 0.8);
	fleet_made_hours(&g->usage.gpus, i % 9 == 0 ? hours : 0, 0.4);
	g->proposed =
	    (struct fleet_ask){.cpus = fmax(1, floor(g->cores.p95 + 0.5)),
	                       .memory_b = fleet_made_steps(g->memory.p99 * 1.2 / FLEET_MADE_GIB),
	                       .gpus = i % 9 == 0 ? 1 : NAN,
	                       .time_s = 60 * ceil(g->wall.p99 * 1.2 / 60)};
	g->usage.money =
	    hours * fmax(g->asked.cpus / 32, g->asked.memory_b / FLEET_MADE_GIB / 128) * 1.53;
	g->usage.recoverable =
	    fmax(0, g->usage.money * (1 - fmax(g->proposed.cpus / g->asked.cpus,
	                                       g->proposed.memory_b / g->asked.memory_b)));
	g->usage.machine_h = g->usage.money / 1.53;
	g->usage.machine_recoverable_h = g->usage.recoverable / 1.53;
	g->would_fail = g->oom;
	fleet_group_judge(g);
	g->trend = g->counted < FLEET_RUNS_FEW ? NAN : fleet_made_random(seed) * 0.4 - 0.15;
	g->days = g->counted < FLEET_RUNS_FEW ? NULL : calloc(FLEET_TREND_POINTS, sizeof *g->days);
	for (int k = 0; g->days && k < FLEET_TREND_POINTS; k++)
		g->days[k] = fleet_made_random(seed) < 0.1
		                 ? NAN
		                 : g->memory.p50 * (0.9 + 0.02 * k + 0.1 * fleet_made_random(seed));
	g->first = FLEET_MADE_DAY * 86400.0 + 3600;
	g->last = g->first + 29 * 86400.0;
	snprintf(name, sizeof name, "/data/runs/run-%zu.json.gz", i);
	g->newest = strdup(name);
}

static inline int fleet_made_order(const void *a, const void *b)
{
	const struct fleet_group *p = a, *q = b;

	return p->usage.recoverable < q->usage.recoverable ? 1 : -1;
}

static inline void fleet_made_add(struct fleet_usage *sum, const struct fleet_usage *u)
{
	struct fleet_hours *to[] = {&sum->cores, &sum->memory, &sum->gpus};
	const struct fleet_hours *from[] = {&u->cores, &u->memory, &u->gpus};

	for (int i = 0; i < 3; i++) {
		to[i]->asked += from[i]->asked;
		to[i]->used += from[i]->used;
		to[i]->unused += from[i]->unused;
	}
	sum->money += u->money;
	sum->recoverable += u->recoverable;
	sum->machine_h += u->machine_h;
	sum->machine_recoverable_h += u->machine_recoverable_h;
}

static inline void fleet_made_days(struct fleet *f, uint64_t *seed)
{
	f->n_days = 30;
	f->day = calloc(f->n_days, sizeof *f->day);
	for (size_t i = 0; i < f->n_days; i++) {
		double load = (i % 7 < 5 ? 1 : 0.3) * (0.8 + 0.4 * fleet_made_random(seed));
		f->day[i] = (struct catalog_day){
		    .day = FLEET_MADE_DAY + (int64_t)i,
		    .run_s = load * f->counted / 30 * 1800,
		    .asked_core_s = load * f->usage.cores.asked * 120,
		    .used_core_s = load * f->usage.cores.used * 120,
		    .asked_byte_s = load * f->usage.memory.asked * 120 * FLEET_MADE_GIB,
		    .used_byte_s = load * f->usage.memory.used * 120 * FLEET_MADE_GIB,
		    .asked_gpu_s = load * f->usage.gpus.asked * 120,
		    .used_gpu_s = load * f->usage.gpus.used * 120,
		    .started = floor(f->runs / 30),
		    .failed = floor(f->failed / 30 * 2 * fleet_made_random(seed)),
		    .oom = floor(f->oom / 30 * 2 * fleet_made_random(seed))};
	}
}

/* A fleet of n groups, of which at most FLEET_GROUPS_MAX are kept. Free it with fleet_made_free. */
static inline void fleet_made(struct fleet *f, size_t n)
{
	uint64_t seed = 7;

	*f = (struct fleet){.keys = 1, .first = NAN, .last = NAN, .all_groups = (double)n};
	f->n = n < FLEET_GROUPS_MAX ? n : FLEET_GROUPS_MAX;
	f->group = calloc(f->n + 1, sizeof *f->group);
	for (size_t i = 0; i < n; i++) {
		struct fleet_group one = {0}, *g = i < f->n ? &f->group[i] : &one;
		fleet_made_group(g, &seed, i);
		f->runs += g->runs;
		f->counted += g->counted;
		f->failed += g->failed;
		f->oom += g->oom;
		fleet_made_add(&f->usage, &g->usage);
		if (g != &one)
			continue;
		fleet_made_add(&f->rest, &g->usage);
		f->rest_runs += g->runs;
		f->rest_groups++;
		free(one.key[0]);
		free(one.newest);
		free(one.days);
	}
	qsort(f->group, f->n, sizeof *f->group, fleet_made_order);
	for (size_t i = 0; i < f->n && i < FLEET_DETAILS_MAX; i++)
		f->group[i].detail = fleet_made_detail(&seed, &f->group[i]);
	if (!n)
		return;
	f->first = FLEET_MADE_DAY * 86400.0 + 3600;
	f->last = f->first + 29 * 86400.0;
	f->left_out[CATALOG_FAILED] =
	    (struct fleet_left_out){f->failed, f->failed * 2, f->failed * 8};
	f->left_out[CATALOG_SHORT] = (struct fleet_left_out){floor(f->runs * 0.02), 0.4, 3};
	f->left_out[CATALOG_NO_ASK] = (struct fleet_left_out){floor(f->runs * 0.01), NAN, NAN};
	for (int c = CATALOG_COUNTED; c < CATALOG_CLASSES; c++)
		f->runs += c == CATALOG_FAILED ? 0 : f->left_out[c].runs;
	fleet_made_days(f, &seed);
}

static inline void fleet_made_free(struct fleet *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct fleet_group *g = &f->group[i];
		for (size_t k = 0; k < CATALOG_KEYS; k++)
			free(g->key[k]);
		if (g->detail) {
			free(g->detail->memory);
			free(g->detail->wall);
			catalog_detail_free(&g->detail->runs);
		}
		free(g->detail);
		free(g->days);
		free(g->newest);
	}
	free(f->group);
	free(f->day);
	*f = (struct fleet){0};
}

#endif
