/* pipeline_load: attempts as steps over time. */
#include "fleet/pipeline/pipeline_load.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds v × the share of each part in which the attempt ran. */
static void add_over_time(double *parts, double from, double to, double v)
{
	size_t first = (size_t)from, last = (size_t)to;

	if (first >= PIPELINE_LOAD_POINTS)
		return;
	if (last >= PIPELINE_LOAD_POINTS)
		last = PIPELINE_LOAD_POINTS - 1;
	for (size_t i = first; i <= last; i++) {
		double left = fmax(from, (double)i), right = fmin(to, (double)(i + 1));
		parts[i] += v * fmax(right - left, 0);
	}
}

static void add_known_load(double *parts, double from, double to, double v, bool *known)
{
	if (!isfinite(v))
		return;
	*known = true;
	add_over_time(parts, from, to, v);
}

static int by_time(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* At the same time, ends come before starts: the next one took its slot. */
static void find_most(double *start, double *end, size_t n, struct pipeline_load *out)
{
	size_t ended = 0;

	qsort(start, n, sizeof *start, by_time);
	qsort(end, n, sizeof *end, by_time);
	for (size_t i = 0; i < n; i++) {
		while (ended < n && end[ended] <= start[i] && ended < i)
			ended++;
		if ((double)(i + 1 - ended) > out->most) {
			out->most = (double)(i + 1 - ended);
			out->most_at = start[i];
		}
	}
}

int pipeline_load_make(const struct pipeline *p, long process, struct pipeline_load *out,
                       struct err *e)
{
	double span = p->end - p->begin, scale = (double)PIPELINE_LOAD_POINTS / span, sum = 0;
	double *start = calloc(2 * p->n + 1, sizeof *start), *end = start + p->n;
	size_t n = 0;

	*out = (struct pipeline_load){.most_at = NAN};
	if (!start)
		return err_set(e, "%s", strerror(ENOMEM));
	for (size_t i = 0; i < p->n && span > 0; i++) {
		const struct pipeline_attempt *a = &p->attempt[i];
		double from = (a->start - p->begin) * scale, to = (a->end - p->begin) * scale;
		double nodes = a->wall_s > 0 ? a->node_s / a->wall_s : 1;
		if (!pipeline_dated(a) || (process >= 0 && a->of_process != (size_t)process))
			continue;
		start[n] = a->start;
		end[n++] = a->end;
		sum += a->end - a->start;
		add_over_time(out->running, from, to, 1);
		add_known_load(out->asked_cores, from, to, a->asked_cpus * nodes, &out->asked_cpus);
		add_known_load(out->used_cores, from, to, a->cpu_s / a->wall_s, &out->used_cpus);
		add_known_load(out->asked_b, from, to, a->asked_memory_b * nodes,
		               &out->asked_memory);
		add_known_load(out->used_b, from, to, a->memory_mean_b * nodes, &out->used_memory);
	}
	find_most(start, end, n, out);
	out->mean = span > 0 ? sum / span : 0;
	free(start);
	return 0;
}
