/* phase_align: an axis on which a phase begins at the same place in every run. */
#include "report/chart/phase_align.h"

#include <math.h>
#include <string.h>

static const cJSON *get(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static double number(const cJSON *array, int i)
{
	const cJSON *one = cJSON_GetArrayItem(array, i);

	return cJSON_IsNumber(one) ? one->valuedouble : (double)NAN;
}

/* From when to when the run was in the phase; false where it never was, or more than once. */
static bool once(const cJSON *phases, const char *name, double *from, double *to)
{
	const cJSON *data = get(phases, "data"), *names = get(data, "names"), *bands, *band;
	size_t times = 0;

	bands = get(data, "bands");
	cJSON_ArrayForEach (band, bands) {
		const cJSON *called = cJSON_GetArrayItem(names, (int)number(band, 0));
		if (!called || strcmp(cJSON_GetStringValue(called), name) != 0)
			continue;
		times++;
		*from = number(band, 1);
		*to = number(band, 2);
	}
	return times == 1;
}

static bool has_phases(const struct comparison *c, size_t run)
{
	return cJSON_GetArraySize(get(c->v[run].phases, "rows")) > 0;
}

/* As the next one on the axis, where all runs have it, behind the one before. */
static void add(struct phase_align *a, const struct comparison *c, const char *name)
{
	size_t k = a->n;
	double width = 0;

	if (k == PHASE_ALIGN_MAX)
		return;
	for (size_t i = 0; i < c->n; i++) {
		double from = NAN, to = NAN;
		if (has_phases(c, i)) {
			if (!once(c->v[i].phases, name, &from, &to) || !(to > from) ||
			    (k && from < a->to[k - 1][i]))
				return;
			width = to - from > width ? to - from : width;
		}
		a->from[k][i] = from;
		a->to[k][i] = to;
	}
	a->name[k] = name;
	a->at[k] = a->span;
	a->width[k] = width;
	a->span += width;
	a->n++;
}

void phase_align_make(struct phase_align *a, const struct comparison *c)
{
	const cJSON *rows, *row;
	size_t runs = 0, first = c->n;

	*a = (struct phase_align){0};
	for (size_t i = c->n; i-- > 0;)
		if (has_phases(c, i)) {
			first = i;
			runs++;
		}
	if (runs < 2)
		return;
	rows = get(c->v[first].phases, "rows");
	cJSON_ArrayForEach (row, rows)
		add(a, c, cJSON_GetStringValue(get(row, "name")));
}

double phase_align_at(const struct phase_align *a, size_t run, double unix_s, size_t *phase)
{
	for (size_t k = 0; k < a->n; k++)
		if (unix_s > a->from[k][run] && unix_s <= a->to[k][run]) {
			*phase = k;
			return a->at[k] + unix_s - a->from[k][run];
		}
	return NAN;
}
