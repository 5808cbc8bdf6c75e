/* frontier: what a run would take and cost on each server, and which servers are worth it. */
#include "report/prices/frontier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/prices/cost.h"
#include "report/prices/offer.h"
#include "report/prices/speed.h"

#define CPUS_MAX 256.0 /* of a size: the service accepts no more */
#define FAR      2.0   /* of cost and time: a picture of more would hide the frontier in a corner */

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

bool frontier_one_core(const struct frontier_job *job)
{
	double on_cpus_s = job->time->wall_s - job->time->of[TIME_AT_ESTIMATE].idle_s;

	return job->time->cpu_s <= on_cpus_s * job->cpus / 2;
}

static double at_speed(double s, double idle_s, double speed)
{
	return idle_s + fmax(0, s - idle_s) / speed;
}

/* The time if the speed is off by its range. Idle seconds are the same at any speed. */
static struct time_at_range by_speed(double s, double idle_s, double range)
{
	return (struct time_at_range){s, at_speed(s, idle_s, range),
	                              at_speed(s, idle_s, 1 / range)};
}

/* Two factors by which a time may be off, one independent of the other. */
static double joined_range(double speed, double width)
{
	double v = exp(hypot(log(speed), log(width)));

	return isfinite(v) ? v : speed;
}

/* Samples may lack the beginning and the end of the run: these are taken to be like the rest. */
static double whole_run(const struct frontier_job *job)
{
	double scale = job->time ? job->duration_s / job->time->wall_s : 1;

	return scale > 1 && isfinite(scale) ? scale : 1;
}

double frontier_idle_s(const struct frontier_job *job)
{
	return job->time ? job->time->of[TIME_AT_ESTIMATE].idle_s * whole_run(job) : 0;
}

static struct time_at_range predict_time(const struct frontier_job *job, double vcpus,
                                         const struct speed *speed)
{
	const struct time_at_sums *sums = job->time ? job->time->of : NULL;
	struct time_at_range t, speeds;
	double scale;

	if (!sums) {
		t.s = t.least = t.most = job->duration_s / speed->times;
	} else {
		t = time_at_free_cpus(job->time, vcpus);
		t.s = at_speed(t.s, sums[TIME_AT_ESTIMATE].idle_s, speed->times);
		t.least = at_speed(t.least, sums[TIME_AT_LEAST].idle_s, speed->times);
		t.most = at_speed(t.most, sums[TIME_AT_MOST].idle_s, speed->times);
	}
	speeds = by_speed(t.s, sums ? sums[TIME_AT_ESTIMATE].idle_s : 0, speed->range);
	t = (struct time_at_range){t.s, t.s / joined_range(t.s / speeds.least, t.s / t.least),
	                           t.s * joined_range(speeds.most / t.s, t.most / t.s)};
	scale = whole_run(job);
	return (struct time_at_range){t.s * scale, t.least * scale, t.most * scale};
}

static void add_costs(const struct frontier_job *job, struct frontier_point *p)
{
	double hour = p->server->price_hour;
	double start_s = p->server->start_s > 0 ? p->server->start_s : 0;

	p->cost = (struct time_at_range){job->nodes * cost_run(hour, p->time.s),
	                                 job->nodes * cost_run(hour, p->time.least),
	                                 job->nodes * cost_run(hour, p->time.most)};
	p->alone = job->nodes * offer_alone(p->server, hour, start_s + p->time.s);
}

static const struct frontier_measured *measured_on(const struct frontier_job *job,
                                                   const struct keeper_server *s)
{
	for (size_t i = 0; i < job->n_measured; i++)
		if (offer_is_called(s, job->measured[i].vendor, job->measured[i].type))
			return &job->measured[i];
	return NULL;
}

void frontier_point(const struct frontier_job *job, const struct keeper_server *s,
                    struct frontier_point *out)
{
	const struct frontier_measured *m = measured_on(job, s);
	const struct time_at_range unknown = {NAN, NAN, NAN};

	*out = (struct frontier_point){.server = s, .time = unknown, .cost = unknown, .alone = NAN};
	out->speed = speed_of(&job->measure, job->here, s);
	if (!(s->vcpus > 0))
		return;
	if (m) {
		out->measured = m->runs;
		out->time = (struct time_at_range){m->median_s, m->least_s, m->most_s};
	} else
		out->time = predict_time(job, s->vcpus, &out->speed);
	add_costs(job, out);
}

void frontier_point_now(const struct frontier_job *job, const struct keeper_server *s,
                        double duration_s, struct frontier_point *out)
{
	*out = (struct frontier_point){.server = s,
	                               .time = {duration_s, duration_s, duration_s},
	                               .speed = {1, 1, SPEED_UNKNOWN},
	                               .measured = 1,
	                               .now = true};
	add_costs(job, out);
}

bool frontier_about_as_fast(const struct frontier_point *p, const struct frontier_point *other)
{
	return p->time.least <= other->time.least && p->time.most >= other->time.most;
}

static int compare_doubles(double a, double b)
{
	return (a > b) - (a < b);
}

static int cheapest_first(const void *a, const void *b)
{
	const struct frontier_point *p = a, *q = b;
	int order = compare_doubles(p->cost.s, q->cost.s);

	order = order ? order : compare_doubles(p->time.s, q->time.s);
	order = order ? order : q->now - p->now;
	order = order ? order : compare_doubles(p->server->price_hour, q->server->price_hour);
	order = order ? order : strcmp(p->server->vendor_id, q->server->vendor_id);
	return order ? order : strcmp(p->server->server_id, q->server->server_id);
}

static bool has_both(const struct frontier_point *p)
{
	return isfinite(p->cost.s) && p->cost.s >= 0 && isfinite(p->time.s) && p->time.s > 0;
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
		else if (v[i].cost.s == last->cost.s && v[i].time.s == last->time.s)
			last->alike++;
	}
	if (last)
		last->end = true;
	return kept;
}

struct frontier_picks frontier_picks(const struct frontier_point *v, size_t n,
                                     const struct frontier_point *now)
{
	struct frontier_picks picks = {0};

	for (size_t i = 0; i < n; i++) {
		if (!v[i].on)
			continue;
		if (!picks.cheapest)
			picks.cheapest = &v[i];
		picks.fastest = &v[i];
		if (!picks.as_fast &&
		    (v[i].time.s <= now->time.s || frontier_about_as_fast(&v[i], now)))
			picks.as_fast = &v[i];
		if (v[i].cost.s <= now->cost.s)
			picks.within = &v[i];
	}
	return picks;
}

/* Nearness to the frontier is a product, as both axes are shares of something. */
static int nearest_first(const void *a, const void *b)
{
	const struct frontier_point *p = a, *q = b;
	int order = (q->end || q->measured) - (p->end || p->measured);

	order = order ? order : q->on - p->on;

	order = order ? order : compare_doubles(p->cost.s * p->time.s, q->cost.s * q->time.s);
	return order ? order : cheapest_first(a, b);
}

size_t frontier_keep(struct frontier_point *v, size_t n, size_t max)
{
	double cost = 0, time = 0;
	size_t near = 0;

	n = frontier_sort(v, n);
	for (size_t i = 0; i < n; i++)
		if (v[i].on || v[i].measured) {
			cost = fmax(cost, v[i].cost.s * FAR);
			time = fmax(time, v[i].time.s * FAR);
		}
	for (size_t i = 0; i < n; i++)
		if (v[i].cost.s <= cost && v[i].time.s <= time)
			v[near++] = v[i];
	n = near;
	qsort(v, n, sizeof *v, nearest_first);
	return frontier_sort(v, n < max ? n : max);
}
