/* packed_points: the points of a chart as the page has them. report/chart/chart_data.c packs. */
#include "report/units/packed_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/numbers/stats.h"
#include "report/units/model_json.h"

#define STATISTICS 3
#define LEVEL_MAX  ((unsigned)1 << 24) /* a level is at most a thousand; more is nonsense */

static double number_at(const cJSON *o, const char *key)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);

	return cJSON_IsNumber(v) ? v->valuedouble : (double)NAN;
}

/* -- the letters ------------------------------------------------------------------------------- */

/* A number in digits of 5 bits, lowest first. -1: there is none, or it is too large. */
static int take_base32(const char **at, unsigned *out)
{
	static const char letters[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";

	*out = 0;
	for (unsigned shift = 0; shift <= 20; shift += 5) {
		const char *letter = **at ? strchr(letters, **at) : NULL;
		unsigned digit = letter ? (unsigned)(letter - letters) : 0;
		if (!letter)
			return -1;
		++*at;
		*out |= (digit & 31) << shift;
		if (digit < 32)
			return *out < LEVEL_MAX ? 0 : -1;
	}
	return -1;
}

struct unpacking {
	enum packed_points_of which;
	double scale;
	const double *mean; /* levels */
	double *out;        /* levels */
	double before;      /* the last known level of a mean */
};

static void put_level(struct unpacking *u, size_t i, bool gap, unsigned v)
{
	double step = v % 2 ? -(double)(v / 2) - 1 : (double)(v / 2);

	if (gap)
		u->out[i] = NAN;
	else if (u->which == PACKED_POINTS_MEAN)
		u->out[i] = u->before += step;
	else
		u->out[i] = u->mean[i] + (u->which == PACKED_POINTS_MIN ? -(double)v : (double)v);
}

/* A list of n items, of which "*k" repeats one k times. */
static int unpack_list(struct unpacking *u, const char *at, size_t n)
{
	size_t i = 0;

	while (*at && i < n) {
		bool gap = *at == '.';
		unsigned v = 0, more = 0;
		if (gap)
			at++;
		else if (take_base32(&at, &v))
			return -1;
		if (*at == '*' && (at++, take_base32(&at, &more)))
			return -1;
		if (more >= n - i)
			return -1;
		for (unsigned k = 0; k <= more; k++)
			put_level(u, i++, gap, v);
	}
	return *at || i < n ? -1 : 0;
}

/* -- a chart ----------------------------------------------------------------------------------- */

static double *cells_of(const struct packed_points *p, size_t series, enum packed_points_of which)
{
	return p->cells + (series * STATISTICS + (size_t)which) * p->n;
}

const double *packed_points_cells(const struct packed_points *p, size_t series,
                                  enum packed_points_of which)
{
	return cells_of(p, series, which);
}

/* [scale, mean, min, max], or without the last two. */
static int unpack_series(struct packed_points *p, size_t series, const cJSON *one)
{
	const cJSON *item = cJSON_IsArray(one) ? one->child : NULL;
	int items = cJSON_GetArraySize(one);
	double scale = cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
	struct unpacking u = {.mean = cells_of(p, series, PACKED_POINTS_MEAN)};

	if (!isfinite(scale) || scale < 0 || (items != 2 && items != 4) ||
	    (series && p->band != (items == 4)))
		return -1;
	p->band = items == 4;
	for (int k = PACKED_POINTS_MEAN; k <= PACKED_POINTS_MAXIMUM; k++) {
		item = p->band || k == PACKED_POINTS_MEAN ? item->next : item;
		u.which = (enum packed_points_of)k;
		u.out = cells_of(p, series, u.which);
		if (!p->band && k)
			memcpy(u.out, u.mean, p->n * sizeof *u.out);
		else if (!cJSON_IsString(item) || unpack_list(&u, item->valuestring, p->n))
			return -1;
	}
	for (size_t i = 0; i < STATISTICS * p->n; i++)
		cells_of(p, series, PACKED_POINTS_MEAN)[i] *= scale;
	return 0;
}

static int read_places(struct packed_points *p, const cJSON *x)
{
	const cJSON *v = x ? x->child : NULL;

	for (size_t i = 0; i < p->n; i++, v = v ? v->next : NULL) {
		p->x[i] = !x                  ? stats_round(((double)i + 0.5) * p->step, 3)
		          : cJSON_IsNumber(v) ? v->valuedouble
		                              : (double)NAN;
		if (!(p->x[i] >= (i ? p->x[i - 1] : 0) && p->x[i] < 1e12))
			return -1;
	}
	return 0;
}

int packed_points_read(const cJSON *packed, struct packed_points *p)
{
	const cJSON *x = cJSON_GetObjectItemCaseSensitive(packed, "x"), *one;
	const cJSON *series = cJSON_GetObjectItemCaseSensitive(packed, "series");
	double n = cJSON_IsArray(x) ? (double)cJSON_GetArraySize(x) : number_at(packed, "n");
	int count = cJSON_IsArray(series) ? cJSON_GetArraySize(series) : 0;
	size_t i = 0;
	int failed;

	*p = (struct packed_points){.from = number_at(packed, "from"),
	                            .step = number_at(packed, "step")};
	if (!(p->from >= 0 && p->from < 1e12 && p->step > 0 && p->step < 1e12) ||
	    !(n >= 1 && n <= PACKED_POINTS_MAX && n == floor(n)) || count < 1 ||
	    count > PACKED_POINTS_SERIES_MAX)
		return -1;
	p->n = (size_t)n;
	p->series = (size_t)count;
	p->x = alloc_failed_note(calloc(p->n, sizeof *p->x));
	p->cells = alloc_failed_note(calloc(p->series * STATISTICS * p->n, sizeof *p->cells));
	failed = !p->x || !p->cells || read_places(p, cJSON_IsArray(x) ? x : NULL);
	cJSON_ArrayForEach (one, series)
		failed = failed || unpack_series(p, i++, one);
	if (failed)
		packed_points_free(p);
	return failed ? -1 : 0;
}

void packed_points_free(struct packed_points *p)
{
	free(p->x);
	free(p->cells);
	*p = (struct packed_points){.n = 0};
}

/* -- as "data" --------------------------------------------------------------------------------- */

/* With the digits that chart_data.c gives. */
static double four_digits(double v)
{
	char text[32];

	snprintf(text, sizeof text, "%.4g", v);
	return isnan(v) ? v : strtod(text, NULL);
}

static void add_lists(cJSON *data, const struct packed_points *p)
{
	static const char *const names[] = {"mean", "min", "max"};

	for (int k = PACKED_POINTS_MEAN; k <= PACKED_POINTS_MAXIMUM; k++) {
		cJSON *all;
		if (k && !p->band) {
			cJSON_AddNullToObject(data, names[k]);
			continue;
		}
		all = cJSON_AddArrayToObject(data, names[k]);
		for (size_t s = 0; s < p->series; s++) {
			const double *v = packed_points_cells(p, s, (enum packed_points_of)k);
			cJSON *one = cJSON_CreateArray();
			cJSON_AddItemToArray(all, one);
			for (size_t i = 0; i < p->n; i++)
				model_json_number(one, NULL, four_digits(v[i]));
		}
	}
}

/* A few letters repeat a point thousands of times. */
static bool take_room(const struct packed_points *p, size_t *room)
{
	size_t values = p->n * (1 + p->series * (p->band ? STATISTICS : 1));

	if (values > *room)
		return false;
	*room -= values;
	return true;
}

cJSON *packed_points_data(const cJSON *packed, size_t *room)
{
	const cJSON *limits = cJSON_GetObjectItemCaseSensitive(packed, "limits");
	struct packed_points p;
	cJSON *data, *x;

	if (packed_points_read(packed, &p))
		return NULL;
	if (!take_room(&p, room)) {
		packed_points_free(&p);
		return NULL;
	}
	data = alloc_failed_note(cJSON_CreateObject());
	model_json_number(data, "from", p.from);
	model_json_number(data, "step", p.step);
	x = cJSON_AddArrayToObject(data, "x");
	for (size_t i = 0; i < p.n; i++)
		model_json_number(x, NULL, p.x[i]);
	add_lists(data, &p);
	if (data && limits)
		cJSON_AddItemToObject(data, "limits", cJSON_Duplicate(limits, 1));
	packed_points_free(&p);
	return data;
}
