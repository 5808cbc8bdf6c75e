/* frontier: what a run would take and cost on each server, and which servers are worth it. */
#include "report/prices/frontier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/prices/cost.h"
#include "report/prices/offer.h"

#define CPUS_MAX 256.0 /* of a size: the service accepts no more */
#define FAR      2.0   /* of cost and time: a picture of more would hide the frontier in a corner */
#define AS_FAST  1.01  /* a run is as fast if it takes 1 % longer: runs differ by more */

size_t frontier_sizes(const struct frontier_job *job, double size[KEEPER_SIZES_MAX])
{
	double widest = time_at_widest(job->time);
	size_t n = 0;

	if (!time_at_known(job->time) || !(widest > 0) || !isfinite(widest))
		return 0;
	do {
		size[n] = n ? size[n - 1] * 2 : 1;
		n++;
	} while (size[n - 1] < widest && size[n - 1] < CPUS_MAX && n < KEEPER_SIZES_MAX);
	return n;
}

static double score_of(const struct keeper_server *s, enum frontier_score by)
{
	return by == FRONTIER_SCORE_ONE ? s->score_core : s->score / s->vcpus;
}

enum frontier_score frontier_score(const struct frontier_job *job)
{
	double on_cpus_s = job->time->wall_s - job->time->of[TIME_AT_ESTIMATE].idle_s;

	return job->time->cpu_s <= on_cpus_s * job->cpus / 2 ? FRONTIER_SCORE_ONE
	                                                     : FRONTIER_SCORE_ALL;
}

static void compare_cores(const struct frontier_job *job, const struct keeper_server *s,
                          struct frontier_point *out)
{
	out->score = frontier_score(job);
	out->speed = score_of(s, out->score) / score_of(job->here, out->score);
	if (isfinite(out->speed) && out->speed > 0)
		return;
	out->score = FRONTIER_SCORE_UNKNOWN;
	out->speed = 1;
}

static double at_speed(double s, double idle_s, double speed)
{
	return idle_s + fmax(0, s - idle_s) / speed;
}

static void add_costs(const struct frontier_job *job, struct frontier_point *p)
{
	p->cost = job->nodes * cost_run(p->server->price_hour, p->time.s);
	p->alone = job->nodes * offer_alone(p->server, p->server->price_hour, p->time.s);
}

void frontier_point(const struct frontier_job *job, const struct keeper_server *s,
                    struct frontier_point *out)
{
	const struct time_at_sums *sums = job->time->of;
	struct time_at_range t = time_at_free_cpus(job->time, s->vcpus);

	*out = (struct frontier_point){
	    .server = s, .time = {NAN, NAN, NAN}, .cost = NAN, .alone = NAN, .speed = 1};
	if (!(s->vcpus > 0))
		return;
	compare_cores(job, s, out);
	out->time = (struct time_at_range){
	    at_speed(t.s, sums[TIME_AT_ESTIMATE].idle_s, out->speed),
	    at_speed(t.least, sums[TIME_AT_LEAST].idle_s, out->speed),
	    at_speed(t.most, sums[TIME_AT_MOST].idle_s, out->speed),
	};
	add_costs(job, out);
}

void frontier_point_now(const struct frontier_job *job, const struct keeper_server *s,
                        double duration_s, struct frontier_point *out)
{
	*out = (struct frontier_point){
	    .server = s, .time = {duration_s, duration_s, duration_s}, .speed = 1, .now = true};
	add_costs(job, out);
}

static int compare_doubles(double a, double b)
{
	return (a > b) - (a < b);
}

static int cheapest_first(const void *a, const void *b)
{
	const struct frontier_point *p = a, *q = b;
	int order = compare_doubles(p->cost, q->cost);

	order = order ? order : compare_doubles(p->time.s, q->time.s);
	order = order ? order : q->now - p->now;
	order = order ? order : compare_doubles(p->server->price_hour, q->server->price_hour);
	order = order ? order : strcmp(p->server->vendor_id, q->server->vendor_id);
	return order ? order : strcmp(p->server->server_id, q->server->server_id);
}

static bool has_both(const struct frontier_point *p)
{
	return isfinite(p->cost) && p->cost >= 0 && isfinite(p->time.s) && p->time.s > 0;
}

size_t frontier_sort(struct frontier_point *v, size_t n)
{
	struct frontier_point *last = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (has_both(&v[i]))
			v[kept++] = v[i];
	qsort(v, kept, sizeof *v, cheapest_first);
	for (size_t i = 0; i < kept; i++) {
		v[i].alike = 0;
		v[i].end = !last;
		v[i].on = !last || v[i].time.s < last->time.s;
		if (v[i].on)
			last = &v[i];
		else if (v[i].cost == last->cost && v[i].time.s == last->time.s)
			last->alike++;
	}
	if (last)
		last->end = true;
	return kept;
}

struct frontier_picks frontier_picks(const struct frontier_point *v, size_t n, double now_s,
                                     double now_cost)
{
	struct frontier_picks picks = {0};

	for (size_t i = 0; i < n; i++) {
		if (!v[i].on)
			continue;
		if (!picks.cheapest)
			picks.cheapest = &v[i];
		picks.fastest = &v[i];
		if (!picks.as_fast && v[i].time.s <= now_s * AS_FAST)
			picks.as_fast = &v[i];
		if (v[i].cost <= now_cost)
			picks.within = &v[i];
	}
	return picks;
}

/* Nearness to the frontier is a product, as both axes are shares of something. */
static int nearest_first(const void *a, const void *b)
{
	const struct frontier_point *p = a, *q = b;
	int order = (q->end || q->now) - (p->end || p->now);

	order = order ? order : q->on - p->on;

	order = order ? order : compare_doubles(p->cost * p->time.s, q->cost * q->time.s);
	return order ? order : cheapest_first(a, b);
}

size_t frontier_keep(struct frontier_point *v, size_t n, size_t max)
{
	double cost = 0, time = 0;
	size_t near = 0;

	n = frontier_sort(v, n);
	for (size_t i = 0; i < n; i++)
		if (v[i].on || v[i].now) {
			cost = fmax(cost, v[i].cost * FAR);
			time = fmax(time, v[i].time.s * FAR);
		}
	for (size_t i = 0; i < n; i++)
		if (v[i].cost <= cost && v[i].time.s <= time)
			v[near++] = v[i];
	n = near;
	qsort(v, n, sizeof *v, nearest_first);
	return frontier_sort(v, n < max ? n : max);
}
