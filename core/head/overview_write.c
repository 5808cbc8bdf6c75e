/* overview_write: writes an overview. */
#include "core/head/overview_write.h"

#include <math.h>
#include <string.h>

#include "core/base/larger.h"
#include "core/head/overview_packed.h"
#include "core/numbers/stats.h"
#include "core/numbers/usage.h"

#define PACKED_DIGITS 9   /* more than a page shows */
#define EDGE          8   /* the tinted area of a picture needs no finer steps */
#define STATE_DIGITS  5   /* states are shown as percentages, */
#define STATE_LEVELS  125 /* in a strip of half as many pixels */

struct form {
	struct json_write *j;
	const struct overview *o;
	enum schema schema;
	bool packed;
};

static bool is_of_state(enum metric_id id)
{
	return states_of_metric(id) != STATES_N;
}

static double in_file(const struct form *f, enum metric_id id, double base)
{
	double v = base / metric_scale(metrics[id].unit, f->schema);

	if (!f->packed)
		return v;
	return stats_digits(v, is_of_state(id) ? STATE_DIGITS : PACKED_DIGITS);
}

/* As the file has a cell; a rate is not a cell. */
static double extreme_in_file(const struct form *f, const struct metric *m, double v)
{
	return m->kind == METRIC_KIND_DELTA
	           ? stats_digits(v / metric_scale(m->unit, f->schema), OVERVIEW_DIGITS)
	           : metric_spell(m, f->schema, v);
}

/* One number where all are the same. */
static void write_series(struct json_write *j, const char *key, const double *v, size_t n)
{
	size_t same = 1;

	while (same < n && v[same] == v[0])
		same++;
	if (same == n && !isnan(v[0])) {
		json_write_num(j, key, v[0]);
		return;
	}
	json_write_array(j, key);
	for (size_t i = 0; i < n; i++)
		json_write_num(j, NULL, v[i]);
	json_write_array_end(j);
}

/* -- columns ----------------------------------------------------------------------------------- */

static void write_plain(const struct form *f, const struct metric *m)
{
	const struct overview_column *c = &f->o->column[m->id];
	double v[OVERVIEW_BUCKETS_MAX] = {0}, scale = metric_scale(m->unit, f->schema);
	size_t n = f->o->n;

	for (size_t i = 0; i < n; i++)
		v[i] = extreme_in_file(f, m, c->min[i]);
	write_series(f->j, OVERVIEW_KEY_MIN, v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = stats_digits(c->mean[i] / scale, OVERVIEW_DIGITS);
	write_series(f->j, OVERVIEW_KEY_MEAN, v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = extreme_in_file(f, m, c->max[i]);
	write_series(f->j, OVERVIEW_KEY_MAX, v, n);
}

static void write_packed(const struct form *f, const struct metric *m)
{
	const struct overview_column *c = &f->o->column[m->id];
	struct bucket cells[OVERVIEW_BUCKETS_MAX] = {{0}};
	double peak = 0, step;

	for (size_t i = 0; i < f->o->n; i++) {
		if (isnan(c->mean[i]))
			continue;
		cells[i] = (struct bucket){.min = c->min[i],
		                           .max = c->max[i],
		                           .sum = c->mean[i] * c->seconds[i],
		                           .seconds = c->seconds[i],
		                           .n = 1};
		peak = larger(peak, c->max[i]);
		if (is_of_state(m->id)) /* of these the means alone are shown */
			cells[i].min = cells[i].max = c->mean[i];
	}
	step = peak / (is_of_state(m->id) ? STATE_LEVELS : OVERVIEW_PACKED_LEVELS);
	json_write_array(f->j, OVERVIEW_KEY_PACKED);
	json_write_num(f->j, NULL, in_file(f, m->id, step));
	for (int of = OVERVIEW_PACKED_MEAN; of <= OVERVIEW_PACKED_MAX; of++) {
		struct buf list = {0};
		overview_packed_add(&list, (enum overview_packed)of, cells, f->o->n, step, EDGE);
		json_write_str(f->j, NULL, buf_cstr(&list));
		f->j->failed = f->j->failed || list.failed;
		buf_free(&list);
	}
	json_write_num(f->j, NULL, EDGE);
	json_write_array_end(f->j);
}

static void write_column(const struct form *f, const struct metric *m)
{
	const struct overview_column *c = &f->o->column[m->id];
	char name[METRIC_NAME_MAX];

	json_write_object(f->j, metric_column_name(m->id, name));
	if (f->packed)
		write_packed(f, m);
	else
		write_plain(f, m);
	if (memcmp(c->seconds, f->o->seconds, f->o->n * sizeof *c->seconds) != 0)
		write_series(f->j, OVERVIEW_KEY_SECONDS, c->seconds, f->o->n);
	if (m->kind == METRIC_KIND_DELTA) {
		json_write_num(f->j, OVERVIEW_KEY_RATE_MEAN, in_file(f, m->id, c->rate_mean));
		json_write_num(f->j, OVERVIEW_KEY_RATE_MAX, in_file(f, m->id, c->rate_max));
	}
	json_write_object_end(f->j);
}

/* -- what it has besides ----------------------------------------------------------------------- */

static void write_column_name(const struct form *f, const char *key, enum metric_id id)
{
	char name[METRIC_NAME_MAX];

	json_write_str(f->j, key, metric_column_name(id, name));
}

static void write_shares(const struct form *f)
{
	json_write_array(f->j, OVERVIEW_KEY_SHARES);
	for (size_t i = 0; i < f->o->n_shares; i++) {
		const struct overview_share *s = &f->o->share[i];
		json_write_object(f->j, NULL);
		write_column_name(f, OVERVIEW_KEY_COLUMN, s->id);
		json_write_num(f->j, OVERVIEW_KEY_FROM, s->from);
		json_write_num(f->j, OVERVIEW_KEY_TO, s->to);
		json_write_num(f->j, OVERVIEW_KEY_SHARE, s->share);
		json_write_object_end(f->j);
	}
	json_write_array_end(f->j);
}

static void write_differences(const struct form *f)
{
	json_write_array(f->j, OVERVIEW_KEY_DIFFERENCES);
	for (size_t i = 0; i < f->o->n_differences; i++) {
		const struct overview_difference *d = &f->o->difference[i];
		json_write_object(f->j, NULL);
		write_column_name(f, OVERVIEW_KEY_ALL, d->all);
		write_column_name(f, OVERVIEW_KEY_PART, d->part);
		json_write_num(f->j, OVERVIEW_KEY_MAX, in_file(f, d->all, d->max));
		json_write_num(f->j, OVERVIEW_KEY_MEAN, in_file(f, d->all, d->mean));
		json_write_object_end(f->j);
	}
	json_write_array_end(f->j);
}

static void write_phase_column(const struct form *f, const struct overview_phase *p,
                               enum metric_id id)
{
	const struct phase_stats *v = &p->of[id];
	char name[METRIC_NAME_MAX];

	if (isnan(v->mean))
		return;
	json_write_object(f->j, metric_column_name(id, name));
	if (!is_of_state(id)) {
		json_write_num(f->j, OVERVIEW_KEY_MIN, in_file(f, id, v->min));
		json_write_num(f->j, OVERVIEW_KEY_MAX, in_file(f, id, v->max));
	}
	json_write_num(f->j, OVERVIEW_KEY_MEAN, in_file(f, id, v->mean));
	if (!is_of_state(id))
		json_write_num(f->j, OVERVIEW_KEY_SD, in_file(f, id, v->sd));
	json_write_object_end(f->j);
}

static void write_phases(const struct form *f)
{
	json_write_array(f->j, OVERVIEW_KEY_PHASES);
	for (size_t k = 0; k < f->o->n_phases; k++) {
		const struct overview_phase *p = &f->o->phase[k];
		json_write_object(f->j, NULL);
		json_write_str(f->j, OVERVIEW_KEY_NAME, p->name);
		json_write_object(f->j, OVERVIEW_KEY_COLUMNS);
		for (int scope = 0; scope < METRIC_SCOPES; scope++)
			for (int i = 0; i < OVERVIEW_PHASE_COLUMNS; i++) {
				enum metric_id id =
				    overview_phase_column(i, (enum metric_scope)scope);
				if (id != METRIC_COUNT)
					write_phase_column(f, p, id);
			}
		json_write_object_end(f->j);
		json_write_object_end(f->j);
	}
	json_write_array_end(f->j);
}

void overview_write(struct json_write *j, const struct overview *o, enum schema schema, bool packed)
{
	const struct form f = {j, o, schema, packed};

	json_write_object(j, OVERVIEW_KEY);
	json_write_num(j, OVERVIEW_KEY_SCHEMA, schema);
	json_write_num(j, OVERVIEW_KEY_FROM, o->from);
	json_write_num(j, OVERVIEW_KEY_STEP, o->step);
	json_write_num(j, OVERVIEW_KEY_GAP, o->gap);
	json_write_num(j, OVERVIEW_KEY_BUCKETS, (double)o->n);
	json_write_object(j, OVERVIEW_KEY_COLUMNS);
	for (int id = 0; id < METRIC_COUNT; id++)
		if (o->column[id].mean)
			write_column(&f, &metrics[id]);
	json_write_object_end(j);
	write_series(j, OVERVIEW_KEY_SECONDS, o->seconds, o->n);
	write_shares(&f);
	write_differences(&f);
	write_phases(&f);
	json_write_object_end(j);
}
