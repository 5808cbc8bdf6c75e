/* catalog_details: what is shown of a group that is opened, asked of an engine. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/catalog/catalog_bucket.h"
#include "report/catalog/catalog_sql.h"

#define AT_ONCE ((size_t)50) /* groups of one query, which are in memory together */
#define SPOTS   ((size_t)20000)

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
	WORST_UNUSED,
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
    [WORST_UNUSED] = {.column = CATALOG_COLUMN_UNUSED_S},
};

#define OUTPUTS (sizeof outputs / sizeof *outputs)

/* -- groups that are in memory ----------------------------------------------------------------- */

#define WORST_MAX ((size_t)2 * CATALOG_WORST) /* of runs of one recording, and of several */

struct worst_run {
	struct catalog_worst run; /* texts are owned */
	double unused_s;
};

struct group {
	char *key[CATALOG_KEYS]; /* owned; NULL behind the last */
	struct catalog_spot *spot;
	size_t n_spots;
	struct worst_run worst[WORST_MAX];
	char *source[WORST_MAX]; /* owned */
	size_t n_sources, n_worst;
};

struct groups {
	struct group *v;
	size_t n, max, n_keys;
};

static void free_groups(struct groups *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct group *group = &g->v[i];
		for (size_t k = 0; k < CATALOG_KEYS; k++)
			free(group->key[k]);
		for (size_t k = 0; k < group->n_sources; k++)
			free(group->source[k]);
		for (size_t k = 0; k < group->n_worst; k++) {
			free((char *)group->worst[k].run.host);
			free((char *)group->worst[k].run.user);
		}
		free(group->spot);
	}
	free(g->v);
}

/* The group of these keys, a new one if there is none; NULL without memory. */
static struct group *group_of(struct groups *g, const struct catalog_result *v)
{
	struct group *group;
	size_t k;

	for (size_t i = 0; i < g->n; i++) {
		for (k = 0; k < g->n_keys && strcmp(g->v[i].key[k], v[k].text) == 0; k++)
			;
		if (k == g->n_keys)
			return &g->v[i];
	}
	if (g->n == g->max)
		return NULL;
	group = &g->v[g->n++];
	for (k = 0; k < g->n_keys; k++)
		if (!(group->key[k] = strdup(v[k].text)))
			return NULL;
	return group;
}

static int add_spots(struct group *group, const struct catalog_map *m, struct err *e)
{
	size_t n = group->n_spots + m->n;
	struct catalog_spot *more;

	if (n > SPOTS)
		n = SPOTS;
	more = realloc(group->spot, (n + 1) * sizeof *more);
	if (!more)
		return err_set(e, "%s", strerror(ENOMEM));
	group->spot = more;
	for (size_t i = 0; group->n_spots < n; i++) {
		int key = (int)catalog_map_key(m, i), half = CATALOG_COARSE / 2;
		group->spot[group->n_spots++] = (struct catalog_spot){
		    .memory_b = catalog_bucket_low(key / CATALOG_SPOT * CATALOG_COARSE + half),
		    .wall_s = catalog_bucket_low(key % CATALOG_SPOT * CATALOG_COARSE + half),
		    .runs = catalog_map_at(m, i, 0),
		    .oom = catalog_map_at(m, i, 1),
		};
	}
	return 0;
}

static int each_group_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	struct groups *g = ctx;
	struct group *group = group_of(g, v);
	const struct catalog_result *of = v + g->n_keys;

	if (!group)
		return err_set(e, "%s", strerror(ENOMEM));
	for (size_t i = 0; i < of[1].n && group->n_sources < WORST_MAX; i++) {
		char *source = strdup(of[1].list[i]);
		if (!source)
			return err_set(e, "%s", strerror(ENOMEM));
		group->source[group->n_sources++] = source;
	}
	return add_spots(group, &of[0].map, e);
}

/* -- worst runs -------------------------------------------------------------------------------- */

static double known_or_least(double v)
{
	return isnan(v) ? -1 : v;
}

/* The order of CATALOG_OUT_TOP. */
static bool is_worse(const struct worst_run *a, const struct worst_run *b)
{
	const double of[][2] = {
	    {a->unused_s, b->unused_s},
	    {known_or_least(a->run.wall_s), known_or_least(b->run.wall_s)},
	    {known_or_least(a->run.memory_need_b), known_or_least(b->run.memory_need_b)},
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		if (of[i][0] != of[i][1])
			return of[i][0] > of[i][1];
	return strcmp(a->run.source, b->run.source) > 0;
}

/* Keeps the runs in order, the worst first. */
static int insert_worst(struct group *group, const char *source, const struct catalog_result *v,
                        struct err *e)
{
	size_t at = group->n_worst;
	struct worst_run w = {.unused_s = v[WORST_UNUSED].number,
	                      .run = {.source = source,
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
	                              .unused_byte_s = v[WORST_UNUSED_BYTE_S].number}};

	if (!w.run.host || !w.run.user || at == WORST_MAX) {
		free((char *)w.run.host);
		free((char *)w.run.user);
		return at == WORST_MAX ? 0 : err_set(e, "%s", strerror(ENOMEM));
	}
	while (at && is_worse(&w, &group->worst[at - 1]))
		at--;
	memmove(&group->worst[at + 1], &group->worst[at],
	        (group->n_worst++ - at) * sizeof *group->worst);
	group->worst[at] = w;
	return 0;
}

static int each_worst_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	struct groups *g = ctx;

	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->v[i].n_sources; k++)
			if (strcmp(g->v[i].source[k], v[WORST_SOURCE].text) == 0)
				return insert_worst(&g->v[i], g->v[i].source[k], v, e);
	return 0;
}

static int ask_worst(struct catalog *c, struct groups *g, struct err *e)
{
	struct catalog_statement st = {.output = worst_outputs, .n_outputs = WORST_OUTPUTS};
	char *source[AT_ONCE * WORST_MAX];
	struct catalog_sql sql = {.n = 0};
	size_t n = 0;
	int failed;

	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->v[i].n_sources; k++)
			source[n++] = g->v[i].source[k];
	if (!n)
		return 0;
	catalog_sql_rows(&sql, &c->engine, worst_outputs, WORST_OUTPUTS, source, n);
	failed = catalog_sql_select(&sql, &c->engine, &st, each_worst_row, g, e);
	catalog_sql_free(&sql);
	return failed;
}

/* -- all --------------------------------------------------------------------------------------- */

static int hand_over_groups(const struct groups *g, catalog_each_detail *each, void *ctx,
                            struct err *e)
{
	struct catalog_worst worst[CATALOG_WORST];

	for (size_t i = 0; i < g->n; i++) {
		const struct group *group = &g->v[i];
		struct catalog_detail d = {
		    .spot = group->spot, .n_spots = group->n_spots, .worst = worst};
		for (size_t k = 0; k < CATALOG_KEYS; k++)
			d.group[k] = k < g->n_keys ? group->key[k] : "";
		for (; d.n_worst < CATALOG_WORST && d.n_worst < group->n_worst; d.n_worst++)
			worst[d.n_worst] = group->worst[d.n_worst].run;
		if (each(ctx, &d, e))
			return -1;
	}
	return 0;
}

static int ask_groups(struct catalog *c, const struct catalog_asked *a, catalog_each_detail *each,
                      void *ctx, struct err *e)
{
	struct groups g = {.max = a->query->n_only, .n_keys = a->n_keys};
	struct catalog_statement st = {
	    .output = outputs, .n_outputs = OUTPUTS, .n_keys = a->n_keys, .n_whole = a->n_keys};
	int failed = 0;

	g.v = calloc(g.max, sizeof *g.v);
	if (!g.v)
		return err_set(e, "%s", strerror(ENOMEM));
	for (int part = CATALOG_ALONE; part <= CATALOG_JOINED && !failed; part++) {
		struct catalog_sql sql = {.n = 0};
		catalog_sql_groups(&sql, &c->engine, a, (enum catalog_part)part, outputs, OUTPUTS,
		                   false);
		failed = catalog_sql_select(&sql, &c->engine, &st, each_group_row, &g, e);
		catalog_sql_free(&sql);
	}
	if (!failed)
		failed = ask_worst(c, &g, e);
	if (!failed)
		failed = hand_over_groups(&g, each, ctx, e);
	free_groups(&g);
	return failed;
}

int catalog_details(struct catalog *c, const struct catalog_query *q, catalog_each_detail *each,
                    void *ctx, struct err *e)
{
	struct catalog_query some = *q;
	struct catalog_asked a;

	if (catalog_asked_read(&some, &a, e))
		return -1;
	for (size_t i = 0; q->only && i < q->n_only; i += AT_ONCE) {
		some.only = q->only + i * a.n_keys;
		some.n_only = q->n_only - i < AT_ONCE ? q->n_only - i : AT_ONCE;
		if (ask_groups(c, &a, each, ctx, e))
			return -1;
	}
	return 0;
}
