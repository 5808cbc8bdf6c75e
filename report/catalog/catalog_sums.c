/* catalog_sums: all aggregates of a statement as one aggregate function of SQLite. */
#include "report/catalog/catalog_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/catalog/catalog_pack.h"

#define DAY_S      86400.0
#define KEY_MAX    1e9
#define AMOUNT_MAX 1e40 /* a larger number is not of ours */

/* -- maps: a key and width sums; a hash table with linear probing ------------------------------ */

struct sums_map {
	double *slot; /* cap of them, 1 + width numbers each; the key plus 1, so 0 is empty */
	size_t n, cap, width;
};

static inline double *slot_of(const struct sums_map *m, double key)
{
	size_t stride = 1 + m->width, mask = m->cap - 1;
	size_t at = ((uint64_t)key * 0x9e3779b97f4a7c15u >> 32) & mask;

	while (m->slot[at * stride] != 0 && m->slot[at * stride] != key + 1)
		at = (at + 1) & mask;
	return m->slot + at * stride;
}

static bool grow_map(struct sums_map *m)
{
	size_t stride = 1 + m->width;
	struct sums_map more = {.n = m->n, .cap = m->cap ? 2 * m->cap : 8, .width = m->width};

	more.slot = calloc(more.cap * stride, sizeof(double));
	if (!more.slot)
		return false;
	for (size_t i = 0; i < m->cap; i++) {
		const double *from = m->slot + i * stride;
		if (*from != 0)
			memcpy(slot_of(&more, *from - 1), from, stride * sizeof *from);
	}
	free(m->slot);
	*m = more;
	return true;
}

/* The sums of a key; NULL without memory. */
static inline double *sums_of(struct sums_map *m, double key)
{
	double *at;

	if (4 * m->n >= 3 * m->cap && !grow_map(m))
		return NULL;
	at = slot_of(m, key);
	if (*at == 0) {
		*at = key + 1;
		m->n++;
	}
	return at + 1;
}

/* -- the state of a group ---------------------------------------------------------------------- */

struct best_row {
	double score, row;
};

struct sums_output {
	struct sums_map map;
	double extreme;                      /* of MIN, MAX; NAN: none */
	struct best_row best[CATALOG_WORST]; /* of NEWEST the first, and TOP; largest score first */
	size_t n_best;
};

/* In SQLite's memory, which is 0 at first. */
struct sums_state {
	bool used, failed;
	struct sums_output of[CATALOG_SUMS_OUTPUTS];
};

static void start_state(struct sums_state *s, const struct catalog_sums *p)
{
	s->used = true;
	for (size_t i = 0; i < p->n; i++) {
		s->of[i].extreme = NAN;
		s->of[i].map.width =
		    p->output[i].kind == CATALOG_OUT_DAYS ? CATALOG_DAY_SUMS : 1 + p->output[i].n;
	}
}

/* Whether the source of row a comes after that of row b. */
static bool later_source(const struct catalog_sums *p, double a, double b)
{
	const double rows[] = {a, b};
	unsigned char *text[2] = {NULL, NULL};
	bool later;

	for (int i = 0; i < 2 && p->source_of; i++) {
		sqlite3_bind_int64(p->source_of, 1, (sqlite3_int64)rows[i]);
		if (sqlite3_step(p->source_of) == SQLITE_ROW) {
			const unsigned char *source = sqlite3_column_text(p->source_of, 0);
			text[i] = source ? (unsigned char *)strdup((const char *)source) : NULL;
		}
		sqlite3_reset(p->source_of);
	}
	later = text[0] && (!text[1] || strcmp((char *)text[0], (char *)text[1]) > 0);
	free(text[0]);
	free(text[1]);
	return later;
}

static void add_best(const struct catalog_sums *p, struct sums_output *o, size_t max, double score,
                     double row)
{
	size_t at = o->n_best;

	while (at &&
	       (score > o->best[at - 1].score || (score == o->best[at - 1].score && max == 1 &&
	                                          later_source(p, row, o->best[at - 1].row))))
		at--;
	if (at == max)
		return;
	if (o->n_best < max)
		o->n_best++;
	memmove(&o->best[at + 1], &o->best[at], (o->n_best - at - 1) * sizeof *o->best);
	o->best[at] = (struct best_row){score, row};
}

static bool add_to_map(struct sums_output *o, const struct catalog_output *of, double key,
                       const double *column)
{
	double *sum = sums_of(&o->map, key);

	if (!sum)
		return false;
	sum[0]++;
	for (size_t i = 0; i < of->n; i++) {
		double v = column[of->value[i]];
		sum[1 + i] += isnan(v) ? 0 : v;
	}
	return true;
}

static bool add_days(struct sums_output *o, const double *column)
{
	static const int amounts[] = {
	    [CATALOG_DAY_ASKED_CORE_S] = CATALOG_COLUMN_ASKED_CORE_S,
	    [CATALOG_DAY_USED_CORE_S] = CATALOG_COLUMN_USED_CORE_S,
	    [CATALOG_DAY_ASKED_BYTE_S] = CATALOG_COLUMN_ASKED_BYTE_S,
	    [CATALOG_DAY_USED_BYTE_S] = CATALOG_COLUMN_USED_BYTE_S,
	    [CATALOG_DAY_ASKED_GPU_S] = CATALOG_COLUMN_ASKED_GPU_S,
	    [CATALOG_DAY_USED_GPU_S] = CATALOG_COLUMN_USED_GPU_S,
	};
	double start = column[RTRACK_ROW_START], stop = column[CATALOG_COLUMN_STOP];
	double first = floor(start / DAY_S), day = first;
	double *sum;

	if (!(first >= 0 && first <= KEY_MAX))
		return true;
	sum = sums_of(&o->map, first);
	if (!sum)
		return false;
	sum[CATALOG_DAY_STARTED]++;
	sum[CATALOG_DAY_FAILED] += column[CATALOG_COLUMN_CLASS] == CATALOG_FAILED;
	sum[CATALOG_DAY_OOM] += column[CATALOG_COLUMN_OOM] == 1;
	while (sum && stop > start && stop > day * DAY_S && day < first + CATALOG_DAYS) {
		double share = fmin(stop, (day + 1) * DAY_S) - fmax(start, day * DAY_S);
		sum[CATALOG_DAY_RUN_S] += share;
		share /= stop - start;
		for (int i = CATALOG_DAY_ASKED_CORE_S; i <= CATALOG_DAY_USED_GPU_S; i++) {
			double v = column[amounts[i]];
			sum[i] += isnan(v) ? 0 : share * v;
		}
		day++;
		if (stop > day * DAY_S && day < first + CATALOG_DAYS)
			sum = sums_of(&o->map, day);
	}
	return sum;
}

static bool is_key(double v)
{
	return v >= 0 && v <= KEY_MAX;
}

/* Adds a row's columns (NAN: NULL) to an output. */
static bool add_to_output(const struct catalog_sums *p, struct sums_output *o,
                          const struct catalog_output *of, const double *column, double row)
{
	double v = of->kind == CATALOG_OUT_DAYS ? 0 : column[of->column];

	if (isnan(v) || (of->counted && column[CATALOG_COLUMN_CLASS] != CATALOG_COUNTED))
		return true;
	switch (of->kind) {
	case CATALOG_OUT_MIN:
		o->extreme = fmin(o->extreme, v);
		return true;
	case CATALOG_OUT_MAX:
		o->extreme = fmax(o->extreme, v);
		return true;
	case CATALOG_OUT_MAP:
		return !is_key(v) || add_to_map(o, of, floor(v), column);
	case CATALOG_OUT_SPOTS:
		v = floor(v / CATALOG_COARSE) * CATALOG_SPOT +
		    floor(column[of->by] / CATALOG_COARSE);
		return !is_key(v) || add_to_map(o, of, v, column);
	case CATALOG_OUT_DAYS:
		return add_days(o, column);
	case CATALOG_OUT_NEWEST:
		add_best(p, o, 1, v, row);
		return true;
	case CATALOG_OUT_TOP:
		add_best(p, o, CATALOG_WORST, v, row);
		return true;
	case CATALOG_OUT_PLAIN:
		break;
	}
	return true;
}

static double sane_number(sqlite3_value *v)
{
	int type = sqlite3_value_type(v);
	double d = type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_value_double(v) : NAN;

	return fabs(d) <= AMOUNT_MAX ? d : NAN;
}

/* Both functions are called with a run's start and packed numbers. */
static void unpack_args(sqlite3_value **v, double column[CATALOG_COLUMNS])
{
	const unsigned char *packed = sqlite3_value_blob(v[1]);
	int n = sqlite3_value_bytes(v[1]);

	catalog_unpack(sane_number(v[0]), packed, packed && n > 0 ? (size_t)n : 0, column);
}

static void sums_step(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	const struct catalog_sums *p = sqlite3_user_data(ctx);
	struct sums_state *s = sqlite3_aggregate_context(ctx, sizeof *s);
	double column[CATALOG_COLUMNS], row = sane_number(v[2]);

	(void)n;
	if (!s || s->failed) {
		sqlite3_result_error_nomem(ctx);
		return;
	}
	if (!s->used)
		start_state(s, p);
	unpack_args(v, column);
	for (size_t i = 0; i < p->n; i++)
		s->failed = !add_to_output(p, &s->of[i], &p->output[i], column, row) || s->failed;
	if (s->failed)
		sqlite3_result_error_nomem(ctx);
}

/* -- the result -------------------------------------------------------------------------------- */

static bool has_map(const struct catalog_output *o)
{
	return o->kind == CATALOG_OUT_MAP || o->kind == CATALOG_OUT_SPOTS ||
	       o->kind == CATALOG_OUT_DAYS;
}

static size_t output_length(const struct catalog_output *of, const struct sums_output *o)
{
	if (has_map(of))
		return 1 + o->map.n * (1 + o->map.width);
	return 1 + o->n_best;
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The number of entries, then their keys, ascending, and sums. order: room for as many words. */
static double *put_sums_map(double *at, const struct sums_map *m, uint64_t *order)
{
	size_t stride = 1 + m->width, n = 0;

	*at++ = (double)m->n;
	for (size_t i = 0; i < m->cap; i++)
		if (m->slot[i * stride] != 0)
			order[n++] = (uint64_t)m->slot[i * stride] << 32 | i;
	qsort(order, n, sizeof *order, compare_keys);
	for (size_t i = 0; i < n; i++) {
		memcpy(at, m->slot + (order[i] & UINT32_MAX) * stride, stride * sizeof *at);
		*at -= 1;
		at += stride;
	}
	return at;
}

static double *put_output(double *at, const struct catalog_output *of, const struct sums_output *o,
                          uint64_t *order)
{
	if (has_map(of))
		return put_sums_map(at, &o->map, order);
	if (of->kind == CATALOG_OUT_MIN || of->kind == CATALOG_OUT_MAX) {
		*at++ = o->extreme;
		return at;
	}
	*at++ = (double)o->n_best;
	for (size_t i = 0; i < o->n_best; i++)
		*at++ = o->best[i].row;
	return at;
}

/* SQLite calls it for each state, after an error as well. */
static void sums_final(sqlite3_context *ctx)
{
	const struct catalog_sums *p = sqlite3_user_data(ctx);
	struct sums_state *s = sqlite3_aggregate_context(ctx, 0), none = {.failed = false};
	size_t length = 0, longest = 0;
	double *blob = NULL, *at;
	uint64_t *order = NULL;

	if (!s) { /* no rows */
		start_state(&none, p);
		s = &none;
	}
	for (size_t i = 0; i < p->n; i++) {
		length += output_length(&p->output[i], &s->of[i]);
		longest = s->of[i].map.n > longest ? s->of[i].map.n : longest;
	}
	if (!s->failed && s->used)
		order = malloc((longest + 1) * sizeof *order);
	if (order)
		blob = sqlite3_malloc64(length * sizeof *blob);
	at = blob;
	for (size_t i = 0; i < p->n; i++) {
		if (at)
			at = put_output(at, &p->output[i], &s->of[i], order);
		free(s->of[i].map.slot);
	}
	free(order);
	if (blob)
		sqlite3_result_blob64(ctx, blob, (sqlite3_uint64)(at - blob) * sizeof *blob,
		                      sqlite3_free);
	else
		sqlite3_result_error_nomem(ctx);
}

static int read_output(const struct catalog_output *of, const double **blob, const double *end,
                       struct catalog_result *out)
{
	size_t width = of->kind == CATALOG_OUT_DAYS ? CATALOG_DAY_SUMS
	               : has_map(of)                ? 1 + of->n
	                                            : 0;
	double n;

	*out = (struct catalog_result){.number = NAN, .text = "", .map = {.width = width}};
	if (*blob == end)
		return -1;
	n = *(*blob)++;
	if (of->kind == CATALOG_OUT_MIN || of->kind == CATALOG_OUT_MAX) {
		out->number = n;
		return 0;
	}
	if (!(n >= 0 && n * (double)(1 + width) <= (double)(end - *blob)))
		return -1;
	out->map.v = *blob;
	out->map.n = (size_t)n;
	if (of->kind == CATALOG_OUT_NEWEST && n >= 1)
		out->number = **blob;
	*blob += out->map.n * (1 + width);
	return 0;
}

int catalog_sums_read(const struct catalog_sums *p, const double *blob, size_t n,
                      struct catalog_result *out)
{
	const double *end = blob + n;

	for (size_t i = 0; i < p->n; i++)
		if (read_output(&p->output[i], &blob, end, &out[i]))
			return -1;
	return blob == end ? 0 : -1;
}

/* -- recordings of one run --------------------------------------------------------------------- */

struct join_state {
	double n;
	double column[CATALOG_COLUMNS];
};

static void join_step(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	struct join_state *s = sqlite3_aggregate_context(ctx, sizeof *s);
	double column[CATALOG_COLUMNS];

	(void)n;
	if (!s) {
		sqlite3_result_error_nomem(ctx);
		return;
	}
	memset(column, 0, sizeof column);
	unpack_args(v, column);
	catalog_pack_add(s->column, column, s->n == 0);
	s->n++;
}

static void join_final(sqlite3_context *ctx)
{
	const struct join_state *s = sqlite3_aggregate_context(ctx, 0);
	unsigned char packed[CATALOG_PACK_MAX];

	if (!s)
		return;
	sqlite3_result_blob(ctx, packed, (int)catalog_pack_numbers(s->column, packed),
	                    SQLITE_TRANSIENT);
}

/* catalog_number(start, packed, column) */
static void number_in_pack(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	double column[CATALOG_COLUMNS];
	int at = sqlite3_value_int(v[2]);

	(void)n;
	if (at < 0 || at >= CATALOG_COLUMNS || !catalog_is_packed(at))
		return;
	unpack_args(v, column);
	sqlite3_result_double(ctx, column[at]); /* NAN is NULL */
}

void catalog_sums_column(struct buf *sql, int column)
{
	if (catalog_is_packed(column) && column != RTRACK_ROW_START)
		buf_printf(sql, "catalog_number(start, packed, %d)", column);
	else
		buf_str(sql, catalog_columns[column].name);
}

int catalog_sums_define(sqlite3 *db, struct catalog_sums *p)
{
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, failed;

	failed = sqlite3_create_function_v2(db, "catalog_sums", 3, flags, p, NULL, sums_step,
	                                    sums_final, NULL);
	if (!failed)
		failed = sqlite3_create_function_v2(db, "catalog_join", 2, flags, NULL, NULL,
		                                    join_step, join_final, NULL);
	if (!failed)
		failed = sqlite3_create_function_v2(db, "catalog_number", 3, flags, NULL,
		                                    number_in_pack, NULL, NULL, NULL);
	return failed;
}
