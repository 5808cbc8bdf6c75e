/* detail_read: reads rtrack.detail. */
#include "core/recording/detail_read.h"

#include <math.h>
#include <string.h>

#include "core/recording/detail_keys.h"

#define BUCKETS_TAKEN_MAX 500 /* as many as a picture takes */
#define VALUE_MAX         1e24

static const cJSON *detail_member(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

/* NAN where it is no number that can be: nothing here is below 0. */
static double read_detail_number(const cJSON *v)
{
	return cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble <= VALUE_MAX
	           ? v->valuedouble
	           : (double)NAN;
}

static const double *read_points(struct snapshot *s, const cJSON *array, size_t n)
{
	double *out = cJSON_IsArray(array) && (size_t)cJSON_GetArraySize(array) == n
	                  ? snapshot_alloc(s, n * sizeof *out)
	                  : NULL;
	const cJSON *one = array ? array->child : NULL;

	for (size_t i = 0; out && i < n; i++, one = one->next)
		out[i] = read_detail_number(one);
	return out;
}

static void read_detail_series(struct snapshot *s, struct detail *d, const cJSON *o)
{
	struct detail_series *v = &d->v[d->n];
	const char *name = cJSON_GetStringValue(detail_member(o, DETAIL_KEY_NAME)), *device;
	char text[DETAIL_NAME_MAX];
	size_t n;

	if (!name || !detail_series_parse(name, &v->kind, &v->measure, &device, &n) ||
	    n >= sizeof text)
		return;
	memcpy(text, device, n);
	text[n] = '\0';
	v->device = snapshot_strdup(s, text);
	for (size_t i = 0; i < DETAIL_NUMBERS; i++)
		*(double *)((char *)v + detail_numbers[i].at) =
		    read_detail_number(detail_member(o, detail_numbers[i].key));
	v->points = read_points(s, detail_member(o, DETAIL_KEY_POINTS), d->buckets);
	if (v->points && detail_sums_valid(v))
		d->n++;
}

struct detail *detail_read(struct snapshot *s, const cJSON *o)
{
	const cJSON *series = detail_member(o, DETAIL_KEY_SERIES), *one;
	double buckets = read_detail_number(detail_member(o, DETAIL_KEY_BUCKETS));
	double from = read_detail_number(detail_member(o, DETAIL_KEY_FROM));
	double step = read_detail_number(detail_member(o, DETAIL_KEY_STEP));
	struct detail *d;

	if (!(buckets >= 1 && buckets <= BUCKETS_TAKEN_MAX) ||
	    !detail_sums_valid_time(from, step) || !cJSON_IsArray(series))
		return NULL;
	d = snapshot_alloc(s, sizeof *d);
	if (!d)
		return NULL;
	d->buckets = (size_t)buckets;
	d->from = from;
	d->step = step;
	cJSON_ArrayForEach (one, series)
		if (d->n < DETAIL_CELLS_MAX)
			read_detail_series(s, d, one);
	return d;
}
