/* overview: reads a recording's overview. */
#include "core/head/overview.h"

#include <math.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "core/base/larger.h"
#include "core/head/overview_packed.h"

#define SECONDS_MAX 1e12 /* a time, or a length of time, that can be */

const struct overview_pair overview_pairs[OVERVIEW_PAIRS] = {
    {METRIC_PROCESS_RSS, METRIC_PROCESS_MAIN_RSS},
    {METRIC_PROCESS_RSS_PRIVATE, METRIC_PROCESS_MAIN_RSS_PRIVATE},
    {METRIC_PROCESS_RSS_SHARED, METRIC_PROCESS_MAIN_RSS_SHARED},
    {METRIC_PROCESS_CPU_USAGE, METRIC_PROCESS_MAIN_CPU_USAGE},
    {METRIC_PROCESS_THREADS, METRIC_PROCESS_MAIN_THREADS},
    {METRIC_PROCESS_GPU_VRAM, METRIC_PROCESS_MAIN_GPU_VRAM},
};

static const cJSON *member_of(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

static double number_in(const cJSON *o, const char *key)
{
	const cJSON *v = member_of(o, key);

	return cJSON_IsNumber(v) && isfinite(v->valuedouble) ? v->valuedouble : (double)NAN;
}

/* The number times scale; NAN if that is too large. */
static double scaled(double v, double scale)
{
	return isfinite(v * scale) ? v * scale : (double)NAN;
}

static bool is_between(double v, double from, double to)
{
	return v >= from && v <= to;
}

/* One number for each bucket, or one for all; null: a gap. NULL if it is neither. */
static double *read_series(struct snapshot *s, const cJSON *v, size_t n, double scale)
{
	double *out = cJSON_IsNumber(v) || (cJSON_IsArray(v) && (size_t)cJSON_GetArraySize(v) == n)
	                  ? snapshot_alloc(s, n * sizeof *out)
	                  : NULL;
	const cJSON *one = cJSON_IsArray(v) ? v->child : v;

	for (size_t i = 0; out && i < n; i++) {
		if (!cJSON_IsNumber(one) && !cJSON_IsNull(one))
			return NULL;
		out[i] = cJSON_IsNumber(one) ? scaled(one->valuedouble, scale) : (double)NAN;
		one = cJSON_IsArray(v) ? one->next : one;
	}
	return out;
}

/* [scale, "means", "minima", "maxima", edge]: n means, then as many minima and maxima. NULL if it
 * is none. */
static double *read_packed(struct snapshot *s, const cJSON *packed, size_t n, double scale)
{
	const cJSON *v = cJSON_IsArray(packed) ? packed->child : NULL;
	double unit = cJSON_IsNumber(v) ? scaled(v->valuedouble, scale) : (double)NAN;
	const cJSON *last = cJSON_GetArrayItem(packed, 1 + OVERVIEW_PACKED_MAX + 1);
	double edge = cJSON_IsNumber(last) && last->valuedouble >= 1 ? last->valuedouble : 1;
	double *all = unit >= 0 ? snapshot_alloc(s, 3 * n * sizeof *all) : NULL;

	for (int of = OVERVIEW_PACKED_MEAN; all && of <= OVERVIEW_PACKED_MAX; of++) {
		v = v->next;
		if (!cJSON_IsString(v) ||
		    overview_packed_read(v->valuestring, (enum overview_packed)of, all, n, edge))
			return NULL;
	}
	for (size_t i = 0; all && i < 3 * n; i++)
		all[i] *= unit;
	return all;
}

/* Whether a bucket has all of the values, in order, or none. A mean is rounded, so it may lie a
 * little outside. */
static bool is_in_order(const struct overview_column *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double low = c->min[i], high = c->max[i], slack = 1e-9 * (fabs(low) + fabs(high));
		if (isnan(low) && isnan(c->mean[i]) && isnan(high))
			continue;
		if (!(low <= high) || !isfinite(slack) ||
		    !is_between(c->mean[i], low - slack, high + slack) || !(c->seconds[i] > 0))
			return false;
	}
	return true;
}

bool overview_is_sound(const struct overview *v)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		if (v->column[id].mean && !is_in_order(&v->column[id], v->n))
			return false;
	return true;
}

/* NULL: each is from 0 on. */
static double *read_seconds(struct snapshot *s, const cJSON *v, size_t n)
{
	double *out = read_series(s, v, n, 1);

	for (size_t i = 0; out && i < n; i++)
		if (!is_between(out[i], 0, SECONDS_MAX))
			return NULL;
	return out;
}

static bool read_bucketed(struct snapshot *s, struct overview *v, enum metric_id id, const cJSON *o,
                          const double *seconds, double scale)
{
	struct overview_column *c = &v->column[id];
	const cJSON *own = member_of(o, OVERVIEW_KEY_SECONDS);
	const cJSON *packed = member_of(o, OVERVIEW_KEY_PACKED);
	double *mean = NULL, *all = packed ? read_packed(s, packed, v->n, scale) : NULL;

	if (all) {
		mean = all;
		c->min = all + v->n;
		c->max = all + 2 * v->n;
	} else if (!packed) {
		mean = read_series(s, member_of(o, OVERVIEW_KEY_MEAN), v->n, scale);
		c->min = read_series(s, member_of(o, OVERVIEW_KEY_MIN), v->n, scale);
		c->max = read_series(s, member_of(o, OVERVIEW_KEY_MAX), v->n, scale);
	}
	c->seconds = own ? read_seconds(s, own, v->n) : seconds;
	c->mean = mean;
	c->rate_mean = scaled(number_in(o, OVERVIEW_KEY_RATE_MEAN), scale);
	c->rate_max = scaled(number_in(o, OVERVIEW_KEY_RATE_MAX), scale);
	if (!c->min || !mean || !c->max || !c->seconds || !is_in_order(c, v->n))
		return false;
	for (size_t i = 0; i < v->n; i++)
		mean[i] = lesser(larger(mean[i], c->min[i]), c->max[i]);
	return true;
}

static bool read_columns_in(struct snapshot *s, struct overview *v, const cJSON *o,
                            enum schema schema)
{
	const double *seconds = read_seconds(s, member_of(o, OVERVIEW_KEY_SECONDS), v->n);
	const cJSON *columns = member_of(o, OVERVIEW_KEY_COLUMNS), *one;

	if (!seconds || !cJSON_IsObject(columns))
		return false;
	v->seconds = seconds;
	cJSON_ArrayForEach (one, columns) {
		enum metric_id id = metric_of_column(one->string);
		if (id == METRIC_COUNT || !overview_has_column(&metrics[id]) ||
		    v->column[id].min) /* a second one: the first counts */
			continue;
		if (!read_bucketed(s, v, id, one, seconds, metric_scale(metrics[id].unit, schema)))
			return false;
	}
	return true;
}

static enum metric_id column_in(const cJSON *o, const char *key)
{
	const cJSON *v = member_of(o, key);

	return cJSON_IsString(v) ? metric_of_column(v->valuestring) : METRIC_COUNT;
}

static bool read_shares(struct overview *v, const cJSON *array)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, array) {
		double to = number_in(o, OVERVIEW_KEY_TO);
		struct overview_share one = {
		    .id = column_in(o, OVERVIEW_KEY_COLUMN),
		    .from = number_in(o, OVERVIEW_KEY_FROM),
		    .to = isnan(to) ? (double)INFINITY : to,
		    .share = number_in(o, OVERVIEW_KEY_SHARE),
		};
		if (!is_between(one.share, 0, 1) || isnan(one.from) ||
		    v->n_shares == OVERVIEW_SHARES_MAX)
			return false;
		if (one.id != METRIC_COUNT)
			v->share[v->n_shares++] = one;
	}
	return cJSON_IsArray(array);
}

static bool read_differences(struct snapshot *s, struct overview *v, const cJSON *array,
                             enum schema schema)
{
	const cJSON *o;

	v->difference = snapshot_alloc(s, OVERVIEW_PAIRS * sizeof *v->difference);
	if (!v->difference)
		return false;
	cJSON_ArrayForEach (o, array) {
		enum metric_id all = column_in(o, OVERVIEW_KEY_ALL);
		double scale = all == METRIC_COUNT ? 1 : metric_scale(metrics[all].unit, schema);
		struct overview_difference one = {
		    .all = all,
		    .part = column_in(o, OVERVIEW_KEY_PART),
		    .max = scaled(number_in(o, OVERVIEW_KEY_MAX), scale),
		    .mean = scaled(number_in(o, OVERVIEW_KEY_MEAN), scale),
		};
		if (!(one.max >= 0) || !(one.mean >= 0) || v->n_differences == OVERVIEW_PAIRS)
			return false;
		if (all != METRIC_COUNT && one.part != METRIC_COUNT)
			v->difference[v->n_differences++] = one;
	}
	return cJSON_IsArray(array);
}

static void read_phase(struct snapshot *s, struct overview_phase *p, const cJSON *o,
                       enum schema schema)
{
	const cJSON *one;

	p->name = snapshot_strdup(s, cJSON_GetStringValue(member_of(o, OVERVIEW_KEY_NAME)));
	for (int id = 0; id < METRIC_COUNT; id++)
		p->of[id] = (struct phase_stats){NAN, NAN, NAN, NAN};
	cJSON_ArrayForEach (one, member_of(o, OVERVIEW_KEY_COLUMNS)) {
		enum metric_id id = one->string ? metric_of_column(one->string) : METRIC_COUNT;
		double scale = id == METRIC_COUNT ? 1 : metric_scale(metrics[id].unit, schema);
		if (id == METRIC_COUNT)
			continue;
		p->of[id] = (struct phase_stats){
		    .min = scaled(number_in(one, OVERVIEW_KEY_MIN), scale),
		    .max = scaled(number_in(one, OVERVIEW_KEY_MAX), scale),
		    .mean = scaled(number_in(one, OVERVIEW_KEY_MEAN), scale),
		    .sd = scaled(number_in(one, OVERVIEW_KEY_SD), scale),
		};
	}
}

static bool read_phase_usage(struct snapshot *s, struct overview *v, const cJSON *array,
                             enum schema schema)
{
	size_t n = cJSON_IsArray(array) ? (size_t)cJSON_GetArraySize(array) : 0;
	const cJSON *o;

	if (!cJSON_IsArray(array) || n > OVERVIEW_PHASES_MAX)
		return false;
	v->phase = n ? snapshot_alloc(s, n * sizeof *v->phase) : NULL;
	if (n && !v->phase)
		return false;
	cJSON_ArrayForEach (o, array)
		read_phase(s, &v->phase[v->n_phases++], o, schema);
	return true;
}

static bool read_buckets(struct overview *v, const cJSON *o)
{
	double n = number_in(o, OVERVIEW_KEY_BUCKETS);

	v->from = number_in(o, OVERVIEW_KEY_FROM);
	v->step = number_in(o, OVERVIEW_KEY_STEP);
	v->gap = number_in(o, OVERVIEW_KEY_GAP);
	v->n = is_between(n, 1, OVERVIEW_BUCKETS_MAX) ? (size_t)n : 0;
	return v->n && (double)v->n == n && is_between(v->from, 0, SECONDS_MAX) && v->step > 0 &&
	       v->step <= SECONDS_MAX && v->gap > 0 && v->gap <= SECONDS_MAX;
}

bool overview_has_column(const struct metric *m)
{
	return m->chart != METRIC_CHART_NONE || states_of_metric(m->id) != STATES_N;
}

enum metric_id overview_phase_column(int i, enum metric_scope scope)
{
	if (i < USAGES)
		return usage_columns[i].of[scope];
	if (scope != METRIC_SCOPE_PROCESS)
		return METRIC_COUNT;
	return i < USAGES + STATES_N ? states_metric((enum states_id)(i - USAGES))
	                             : METRIC_PROCESS_MEMORY_PEAK;
}

struct overview *overview_read(struct snapshot *s, const cJSON *o)
{
	double number = number_in(o, OVERVIEW_KEY_SCHEMA);
	enum schema schema = number == SCHEMA_2 ? SCHEMA_2 : SCHEMA_1;
	struct overview *v =
	    number == SCHEMA_1 || number == SCHEMA_2 ? snapshot_alloc(s, sizeof *v) : NULL;
	bool whole = v && read_buckets(v, o) && read_columns_in(s, v, o, schema) &&
	             read_shares(v, member_of(o, OVERVIEW_KEY_SHARES)) &&
	             read_differences(s, v, member_of(o, OVERVIEW_KEY_DIFFERENCES), schema) &&
	             read_phase_usage(s, v, member_of(o, OVERVIEW_KEY_PHASES), schema);

	return whole ? v : NULL;
}
