/* catalog_details: what is shown of a group that is opened, asked of an engine. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/catalog/catalog_bucket.h"
#include "report/catalog/catalog_sql.h"

#define SPOTS ((size_t)20000)

static const struct catalog_output outputs[] = {
    {.kind = CATALOG_OUT_SPOTS,
     .column = CATALOG_COLUMN_MEMORY_BUCKET,
     .by = CATALOG_COLUMN_WALL_BUCKET,
     .value = {CATALOG_COLUMN_OOM},
     .n = 1},
    {.kind = CATALOG_OUT_TOP, .column = CATALOG_COLUMN_UNUSED_S, .rows = CATALOG_ROWS_COUNTED},
};

enum worst_output {
	WORST_SOURCE,
	WORST_HOST,
	WORST_USER,
	WORST_START,
	WORST_WALL,
	WORST_CORE_S,
	WORST_ASKED_CPUS,
	WORST_NEED,
	WORST_ASKED_MEMORY,
	WORST_OOM,
	WORST_UNUSED_CORE_S,
	WORST_UNUSED_BYTE_S,
	WORST_OUTPUTS
};

static const struct catalog_output worst_outputs[WORST_OUTPUTS] = {
    [WORST_SOURCE] = {.column = CATALOG_COLUMN_SOURCE},
    [WORST_HOST] = {.column = RTRACK_ROW_HOST},
    [WORST_USER] = {.column = RTRACK_ROW_USER},
    [WORST_START] = {.column = RTRACK_ROW_START},
    [WORST_WALL] = {.column = RTRACK_ROW_WALL},
    [WORST_CORE_S] = {.column = CATALOG_COLUMN_USED_CORE_S},
    [WORST_ASKED_CPUS] = {.column = RTRACK_ROW_ASKED_CPUS},
    [WORST_NEED] = {.column = CATALOG_COLUMN_MEMORY_NEED},
    [WORST_ASKED_MEMORY] = {.column = RTRACK_ROW_ASKED_MEMORY},
    [WORST_OOM] = {.column = CATALOG_COLUMN_OOM},
    [WORST_UNUSED_CORE_S] = {.column = CATALOG_COLUMN_UNUSED_CORE_S},
    [WORST_UNUSED_BYTE_S] = {.column = CATALOG_COLUMN_UNUSED_BYTE_S},
};

#define OUTPUTS (sizeof outputs / sizeof *outputs)

struct details_query {
	const struct catalog_query *q;
	struct catalog_detail *out;
	size_t n_keys;
};

static int no_details_memory(struct err *e)
{
	return err_set(e, "%s", strerror(ENOMEM));
}

void catalog_detail_free(struct catalog_detail *d)
{
	for (size_t i = 0; i < d->n_worst; i++) {
		free(d->worst[i].source);
		free(d->worst[i].host);
		free(d->worst[i].user);
	}
	free(d->spot);
	*d = (struct catalog_detail){0};
}

/* -- groups ------------------------------------------------------------------------------------ */

static struct catalog_detail *detail_of(const struct details_query *d,
                                        const struct catalog_result *key)
{
	size_t k;

	for (size_t i = 0; i < d->q->n_only; i++) {
		const char *const *only = d->q->only + i * d->n_keys;
		for (k = 0; k < d->n_keys && strcmp(only[k], key[k].text) == 0; k++)
			;
		if (k == d->n_keys)
			return &d->out[i];
	}
	return NULL;
}

static int fill_spots(struct catalog_detail *to, const struct catalog_map *m, struct err *e)
{
	size_t n = m->n < SPOTS ? m->n : SPOTS;
	const int half = CATALOG_COARSE / 2;

	if (!(to->spot = calloc(n + 1, sizeof *to->spot)))
		return no_details_memory(e);
	for (; to->n_spots < n; to->n_spots++) {
		int key = (int)catalog_map_key(m, to->n_spots);
		to->spot[to->n_spots] = (struct catalog_spot){
		    .memory_b = catalog_bucket_low(key / CATALOG_SPOT * CATALOG_COARSE + half),
		    .wall_s = catalog_bucket_low(key % CATALOG_SPOT * CATALOG_COARSE + half),
		    .runs = catalog_map_at(m, to->n_spots, 0),
		    .oom = catalog_map_at(m, to->n_spots, 1),
		};
	}
	return 0;
}

/* Of the worst runs, only the sources are known here. */
static int each_group_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	const struct details_query *d = ctx;
	const struct catalog_result *spots = v + d->n_keys, *worst = spots + 1;
	struct catalog_detail *to = detail_of(d, v);

	if (!to || to->spot)
		return 0;
	for (size_t i = 0; i < worst->n && i < CATALOG_WORST; i++) {
		if (!(to->worst[i].source = strdup(worst->list[i])))
			return no_details_memory(e);
		to->n_worst++;
	}
	return fill_spots(to, &spots->map, e);
}

/* -- worst runs -------------------------------------------------------------------------------- */

static int fill_worst(struct catalog_worst *w, const struct catalog_result *v, struct err *e)
{
	*w = (struct catalog_worst){.source = w->source,
	                            .host = strdup(v[WORST_HOST].text),
	                            .user = strdup(v[WORST_USER].text),
	                            .start = v[WORST_START].number,
	                            .wall_s = v[WORST_WALL].number,
	                            .cores_mean = v[WORST_CORE_S].number / v[WORST_WALL].number,
	                            .asked_cpus = v[WORST_ASKED_CPUS].number,
	                            .memory_need_b = v[WORST_NEED].number,
	                            .asked_memory_b = v[WORST_ASKED_MEMORY].number,
	                            .oom = v[WORST_OOM].number == 1,
	                            .unused_core_s = v[WORST_UNUSED_CORE_S].number,
	                            .unused_byte_s = v[WORST_UNUSED_BYTE_S].number};
	return w->host && w->user ? 0 : no_details_memory(e);
}

static int each_worst_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	const struct details_query *d = ctx;

	for (size_t i = 0; i < d->q->n_only; i++)
		for (size_t k = 0; k < d->out[i].n_worst; k++) {
			struct catalog_worst *w = &d->out[i].worst[k];
			if (!w->host && strcmp(w->source, v[WORST_SOURCE].text) == 0)
				return fill_worst(w, v, e);
		}
	return 0;
}

static int ask_worst(struct catalog *c, struct details_query *d, struct err *e)
{
	struct catalog_statement st = {.output = worst_outputs, .n_outputs = WORST_OUTPUTS};
	struct catalog_sql sql = {.n = 0};
	int failed;

	catalog_sql_rows(&sql, &c->engine, worst_outputs, WORST_OUTPUTS, d->out, d->q->n_only);
	failed = catalog_sql_select(&sql, &c->engine, &st, each_worst_row, d, e);
	catalog_sql_free(&sql);
	return failed;
}

/* A run that was forgotten in between. */
static void drop_unknown(struct catalog_detail *d)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->n_worst; i++) {
		if (d->worst[i].host)
			d->worst[kept++] = d->worst[i];
		else
			free(d->worst[i].source);
	}
	d->n_worst = kept;
}

int catalog_details(struct catalog *c, const struct catalog_query *q, struct catalog_detail *out,
                    struct err *e)
{
	struct catalog_statement st = {.output = outputs, .n_outputs = OUTPUTS};
	struct details_query d = {.q = q, .out = out};
	struct catalog_sql sql = {.n = 0};
	struct catalog_asked a;
	int failed;

	if (!q->n_only)
		return 0;
	if (catalog_asked_read(q, &a, e))
		return -1;
	st.n_keys = st.n_whole = d.n_keys = a.n_keys;
	catalog_sql_groups(&sql, &c->engine, &a, outputs, OUTPUTS, false);
	failed =
	    catalog_sql_select(&sql, &c->engine, &st, each_group_row, &d, e) || ask_worst(c, &d, e);
	catalog_sql_free(&sql);
	for (size_t i = 0; i < q->n_only; i++)
		drop_unknown(&out[i]);
	return failed ? -1 : 0;
}
