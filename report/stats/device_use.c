/* device_use: the devices of a recording with --detail, and which of them stand out. */
#include "report/stats/device_use.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"

bool device_use_known(const struct run *run)
{
	return run->snapshot.detail && run->snapshot.detail->n && !run->parts;
}

static double sum_of(const struct detail_series *s)
{
	return s && s->sum > 0 ? s->sum : 0;
}

static double part_used(double used, double available)
{
	return used + available > 0 ? used / (used + available) : (double)NAN;
}

double device_use_full(const struct device_use *d, size_t point)
{
	return d->of[0] && d->of[1] ? part_used(d->of[0]->points[point], d->of[1]->points[point])
	                            : (double)NAN;
}

static void judge_cpus(struct device_uses *u)
{
	double mean = 0, most = -1;

	for (size_t i = 0; i < u->n; i++) {
		u->v[i].by = u->v[i].of[0] ? u->v[i].of[0]->mean : (double)NAN;
		mean += u->v[i].by / (double)u->n;
		most = fmax(most, u->v[i].by);
	}
	for (size_t i = 0; i < u->n; i++)
		u->v[i].stands[0] =
		    u->v[i].of[0] &&
		    ((mean < DEVICE_USE_SPREAD && u->v[i].of[0]->busy >= DEVICE_USE_BUSY) ||
		     u->v[i].by == most);
}

static void judge_traffic(struct device_uses *u)
{
	double all = 0;

	for (size_t i = 0; i < u->n; i++)
		all += u->v[i].by = sum_of(u->v[i].of[0]) + sum_of(u->v[i].of[1]);
	for (size_t i = 0; i < u->n; i++)
		for (size_t m = 0; m < 2; m++)
			u->v[i].stands[m] =
			    all > 0 && sum_of(u->v[i].of[m]) >= DEVICE_USE_TRAFFIC * all;
}

static void judge_file_systems(struct device_uses *u)
{
	for (size_t i = 0; i < u->n; i++) {
		struct device_use *d = &u->v[i];
		double size;
		d->by = d->full = d->grown = NAN;
		if (!d->of[0] || !d->of[1])
			continue;
		size = d->of[0]->last + d->of[1]->last;
		d->by = d->full = fmin(d->of[0]->max / size, 1);
		d->grown = (d->of[0]->max - d->of[0]->first) / size;
		d->stands[0] = d->grown >= DEVICE_USE_GROWN || d->full >= DEVICE_USE_FULL;
	}
}

static int most_used_first(const void *a, const void *b)
{
	const struct device_use *p = a, *q = b;
	double x = isnan(p->by) ? -1 : p->by, y = isnan(q->by) ? -1 : q->by;

	if (x != y)
		return x < y ? 1 : -1;
	return strverscmp(p->name, q->name);
}

static struct device_use *use_named(struct device_uses *u, const char *name)
{
	for (size_t i = 0; i < u->n; i++)
		if (strcmp(u->v[i].name, name) == 0)
			return &u->v[i];
	u->v[u->n] = (struct device_use){.name = name, .full = NAN, .grown = NAN};
	return &u->v[u->n++];
}

int device_use_make(struct device_uses *u, const struct run *run, enum detail_kind kind,
                    struct err *e)
{
	const struct detail *d = run->snapshot.detail;

	*u = (struct device_uses){.kind = kind, .detail = d};
	if (!device_use_known(run))
		return 0;
	u->v = alloc_failed_note(calloc(d->n, sizeof *u->v));
	if (!u->v)
		return err_set(e, "no memory for the devices");
	for (size_t i = 0; i < d->n; i++)
		if (d->v[i].kind == kind)
			use_named(u, d->v[i].device)->of[d->v[i].measure] = &d->v[i];
	if (kind == DETAIL_CPU)
		judge_cpus(u);
	else if (kind == DETAIL_FILE_SYSTEM)
		judge_file_systems(u);
	else
		judge_traffic(u);
	qsort(u->v, u->n, sizeof *u->v, most_used_first);
	return 0;
}
