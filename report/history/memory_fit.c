/* memory_fit: what a run needs as a line over its input. */
#include "report/history/memory_fit.h"

#include <math.h>

/* A point whose own share of its prediction is nearer to 1 than this decides the line alone. */
#define ALONE 1e-9

#define NONE ((size_t)-1)

static bool is_point(const struct memory_point *p)
{
	return p->x >= 0 && p->y >= 0 && isfinite(p->x) && isfinite(p->y);
}

static double leverage(const struct memory_fit *f, double x)
{
	return 1 / f->n + (x - f->mean_x) * (x - f->mean_x) / f->sxx;
}

static void set_line(struct memory_fit *f, double mean_y, double sxy, double syy)
{
	if (!(f->n >= 2) || !(f->sxx > 0))
		return;
	f->b = sxy / f->sxx;
	f->a = mean_y - f->b * f->mean_x;
	f->r2 = syy > 0 ? fmin(1, sxy * sxy / f->sxx / syy) : 0;
	f->usable = f->n >= MEMORY_FIT_RUNS && f->b > 0 && f->r2 >= MEMORY_FIT_R2;
}

void memory_fit_of_sums(const struct memory_fit_sums *s, double least_x, double most_x,
                        double least_y, double most_y, struct memory_fit *out)
{
	double mean_x = s->x / s->n, mean_y = s->y / s->n;
	double sxx = s->xx - s->x * mean_x;

	*out = (struct memory_fit){.n = s->n,
	                           .mean_x = mean_x,
	                           .least_x = least_x,
	                           .most_x = most_x,
	                           .least_y = least_y,
	                           .most_y = most_y};
	/* Less is what rounding leaves. */
	out->sxx = sxx > s->xx * 1e-12 ? sxx : 0;
	set_line(out, mean_y, s->xy - s->x * mean_y, s->yy - s->y * mean_y);
}

static void take_range(struct memory_fit *f, const struct memory_point *p)
{
	f->least_x = f->n > 0 ? fmin(f->least_x, p->x) : p->x;
	f->least_y = f->n > 0 ? fmin(f->least_y, p->y) : p->y;
	f->most_x = fmax(f->most_x, p->x);
	f->most_y = fmax(f->most_y, p->y);
	f->n++;
}

/* The line through all points but one; `more` only raise the bound. */
static void fit_without(const struct memory_point *v, size_t n, size_t without,
                        struct memory_fit *out)
{
	double sum_x = 0, sum_y = 0, mean_y, sxy = 0, syy = 0;

	*out = (struct memory_fit){0};
	for (size_t i = 0; i < n; i++) {
		if (i == without || v[i].more || !is_point(&v[i]))
			continue;
		take_range(out, &v[i]);
		sum_x += v[i].x;
		sum_y += v[i].y;
	}
	out->mean_x = sum_x / out->n;
	mean_y = sum_y / out->n;
	for (size_t i = 0; i < n; i++) {
		double x = v[i].x - out->mean_x, y = v[i].y - mean_y;
		if (i == without || v[i].more || !is_point(&v[i]))
			continue;
		out->sxx += x * x;
		sxy += x * y;
		syy += y * y;
	}
	set_line(out, mean_y, sxy, syy);
	for (size_t i = 0; i < n; i++) {
		double e = i == without || !is_point(&v[i]) ? 0 : memory_fit_missed_by(out, &v[i]);
		out->bound = fmax(out->bound, e);
		/* Else the ask could be cut down to what killed it. */
		if (i != without && is_point(&v[i]) && v[i].more)
			out->most_y = fmax(out->most_y, v[i].y);
		if (isnan(e))
			out->usable = false;
	}
}

static bool is_above(const struct memory_fit *f, const struct memory_point *p)
{
	return p->y - (f->a + f->b * p->x) > MEMORY_FIT_BENDS_SHARE * p->y;
}

/* Needs that grow faster than their input lie above a straight line at its end. */
static bool bends(const struct memory_fit *f, const struct memory_point *v, size_t n)
{
	double last_below = -INFINITY, above = 0;

	for (size_t i = 0; i < n; i++)
		if (is_point(&v[i]) && !v[i].more && !is_above(f, &v[i]))
			last_below = fmax(last_below, v[i].x);
	for (size_t i = 0; i < n; i++)
		above += is_point(&v[i]) && !v[i].more && v[i].x > last_below;
	return above >= fmax(MEMORY_FIT_BENDS, f->n / 4);
}

void memory_fit_make(const struct memory_point *v, size_t n, struct memory_fit *out)
{
	fit_without(v, n, NONE, out);
	out->bends = out->usable && bends(out, v, n);
}

double memory_fit_missed_by(const struct memory_fit *fit, const struct memory_point *p)
{
	double above = p->y - (fit->a + fit->b * p->x), share = leverage(fit, p->x);

	if (!(fit->sxx > 0))
		return NAN;
	if (p->more)
		return above / sqrt(1 + share);
	return share < 1 - ALONE ? above / (1 - share) : (double)NAN;
}

double memory_fit_most(const struct memory_fit *fit, double x)
{
	return fit->a + fit->b * x + fit->bound * sqrt(1 + leverage(fit, x));
}

double memory_fit_ask_convex(const struct memory_fit *fit, double x)
{
	return fmax(MEMORY_FIT_HEADROOM * memory_fit_most(fit, x), fit->least_y);
}

double memory_fit_ask(const struct memory_fit *fit, double x)
{
	double ask = memory_fit_ask_convex(fit, x);

	return x >= fit->least_x && x <= fit->most_x ? fmin(ask, MEMORY_FIT_SEEN * fit->most_y)
	                                             : ask;
}

bool memory_fit_is_guess(const struct memory_fit *fit, double x)
{
	return x > fit->most_x * (fit->bends ? 1 : MEMORY_FIT_FAR);
}

void memory_fit_try(const struct memory_point *v, size_t n, struct memory_trial *out)
{
	struct memory_fit fit;

	*out = (struct memory_trial){0};
	for (size_t i = 0; i < n; i++) {
		double ask;
		bool fits;
		if (!is_point(&v[i]))
			continue;
		fit_without(v, n, i, &fit);
		if (!(fit.sxx > 0))
			continue;
		ask = memory_fit_ask(&fit, v[i].x);
		fits = !v[i].more && v[i].y <= ask;
		out->runs++;
		out->failed += !fits;
		out->unused += fits ? ask - v[i].y : 0;
		out->wasted += fits ? ask - v[i].y : ask;
		if (!fits && !v[i].more)
			out->wasted += fmax(fit.most_y, v[i].y);
	}
}
