/* catalog_groups: groups in little memory, in several passes; and catalog_sums, of a group. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/catalog/catalog_groups.h"
#include "tests/unit/unit.h"

#define GROUPS 3000
#define RUNS   20000

static const struct catalog_output output[] = {
    {.kind = CATALOG_OUT_MAP, .column = CATALOG_COLUMN_CLASS, .value = {RTRACK_ROW_WALL}, .n = 1},
    {.kind = CATALOG_OUT_MAX, .column = RTRACK_ROW_WALL},
    {.kind = CATALOG_OUT_MIN, .column = RTRACK_ROW_WALL},
    {.kind = CATALOG_OUT_NEWEST, .column = RTRACK_ROW_START},
    {.kind = CATALOG_OUT_TOP,
     .column = RTRACK_ROW_WALL,
     .most = CATALOG_WORST,
     .rows = CATALOG_ROWS_COUNTED},
};
#define OUTPUTS (sizeof output / sizeof *output)

/* What was handed over. */
static struct {
	double runs[GROUPS], max[GROUPS];
	size_t groups, cells;
	char last[64]; /* the keys of the last one */
	int stop_at;
} seen;

static bool larger_row(void *ctx, double a, double b)
{
	(void)ctx;
	return a > b;
}

static int take(void *ctx, struct catalog_result *v)
{
	const struct catalog_groups *g = ctx;
	const struct catalog_result *of = v + g->n_keys;
	char keys[64];
	int group = atoi(v[0].text);

	snprintf(keys, sizeof keys, "%s %s", v[0].text, g->n_keys > 1 ? v[1].text : "");
	assert_true(!*seen.last || strcmp(seen.last, keys) < 0);
	seen.groups += strncmp(seen.last, keys, strcspn(keys, " ") + 1) != 0;
	strcpy(seen.last, keys);
	for (size_t i = 0; i < of[0].map.n; i++)
		seen.runs[group] += catalog_map_at(&of[0].map, i, 0);
	seen.max[group] = fmax(seen.max[group], of[1].number);
	assert_true(of[2].number <= of[1].number);
	seen.cells++;
	return seen.stop_at && (int)seen.cells == seen.stop_at ? 7 : 0;
}

/* Run i is of group 7 i % GROUPS, and of the second key "a" or "b". */
static int add_run(struct catalog_groups *g, int i)
{
	double column[CATALOG_COLUMNS];
	char name[16];
	struct catalog_groups_key key[] = {{name, 0}, {i % 2 ? "a" : "b", 1}};

	for (int k = 0; k < CATALOG_COLUMNS; k++)
		column[k] = NAN;
	column[CATALOG_COLUMN_CLASS] = i % 5;
	column[RTRACK_ROW_WALL] = i;
	column[RTRACK_ROW_START] = i % 100;
	key[0].n = (size_t)snprintf(name, sizeof name, "%d", i * 7 % GROUPS);
	return catalog_groups_add(g, key, column, i);
}

static int passes_of(struct catalog_groups *g)
{
	int passes = 0;

	memset(&seen, 0, sizeof seen);
	do {
		for (int i = 0; i < RUNS; i++)
			assert_int_equal(add_run(g, i), 0);
		*seen.last = '\0';
		assert_int_equal(catalog_groups_finish(g, take, g), 0);
		passes++;
	} while (catalog_groups_again(g));
	catalog_groups_free(g);
	return passes;
}

TEST(passes)
{
	static const size_t bytes[] = {SIZE_MAX, 400000, 40000};
	struct catalog_groups g;
	double runs[GROUPS] = {0}, max[GROUPS] = {0};
	size_t groups = 0;
	int last = 0, n;

	for (int i = 0; i < RUNS; i++) {
		int group = i * 7 % GROUPS;
		groups += runs[group]++ == 0;
		max[group] = i;
	}
	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
		g = (struct catalog_groups){.plan = {output, OUTPUTS, larger_row, NULL},
		                            .n_keys = 2,
		                            .n_whole = 1,
		                            .bytes_max = bytes[i]};
		n = passes_of(&g);
		if (i)
			assert_true(n > last);
		else
			assert_int_equal(n, 1);
		print_message("%d passes\n", n);
		last = n;
		/* Each group once, with all its cells one after another. */
		assert_int_equal(seen.groups, groups);
		assert_memory_equal(seen.runs, runs, sizeof runs);
		assert_memory_equal(seen.max, max, sizeof max);
	}
}

/* A single group is never left out, however little memory there is. */
TEST(one_group)
{
	struct catalog_groups g = {
	    .plan = {output, OUTPUTS, larger_row, NULL}, .n_keys = 1, .n_whole = 1, .bytes_max = 1};

	memset(&seen, 0, sizeof seen);
	for (int i = 0; i < 10; i++)
		assert_int_equal(add_run(&g, i * GROUPS), 0);
	assert_int_equal(catalog_groups_finish(&g, take, &g), 0);
	assert_false(catalog_groups_again(&g));
	assert_true(seen.cells == 1 && seen.runs[0] == 10 && seen.max[0] == 9.0 * GROUPS);
	catalog_groups_free(&g);
}

TEST(ended_early)
{
	struct catalog_groups g = {.plan = {output, OUTPUTS, larger_row, NULL},
	                           .n_keys = 2,
	                           .n_whole = 2,
	                           .bytes_max = SIZE_MAX};

	memset(&seen, 0, sizeof seen);
	seen.stop_at = 3;
	for (int i = 0; i < 100; i++)
		assert_int_equal(add_run(&g, i), 0);
	assert_int_equal(catalog_groups_finish(&g, take, &g), 7);
	assert_int_equal(seen.cells, 3);
	assert_int_equal(g.n, 0);
	catalog_groups_free(&g);
}

/* -- a group ----------------------------------------------------------------------------------- */

TEST(best_rows)
{
	static const struct catalog_sums_plan plan = {output, OUTPUTS, larger_row, NULL};
	static const double wall[] = {3, 9, 1, 7, NAN, 9, 4, 8, 2};
	static const double worst[CATALOG_WORST] = {5, 1, 3, 6,
	                                            0}; /* of equal ones the later source */
	struct catalog_result v[OUTPUTS];
	double column[CATALOG_COLUMNS];
	struct catalog_sums s;

	assert_int_equal(catalog_sums_begin(&s, &plan), 0);
	for (size_t i = 0; i < sizeof wall / sizeof *wall; i++) {
		for (int k = 0; k < CATALOG_COLUMNS; k++)
			column[k] = NAN;
		column[CATALOG_COLUMN_CLASS] = i == 7 ? CATALOG_FAILED : CATALOG_COUNTED;
		column[RTRACK_ROW_WALL] = wall[i];
		column[RTRACK_ROW_START] = i < 4 ? 100 : 50;
		assert_int_equal(catalog_sums_add(&s, &plan, column, (double)i), 0);
	}
	catalog_sums_results(&s, &plan, v);
	assert_true(v[0].map.n == 2 && catalog_map_key(&v[0].map, 0) == CATALOG_COUNTED);
	assert_true(catalog_map_at(&v[0].map, 0, 0) == 8 && catalog_map_at(&v[0].map, 0, 1) == 35);
	assert_true(catalog_map_at(&v[0].map, 1, 1) == 8);
	assert_true(v[1].number == 9 && v[2].number == 1);
	assert_true(v[3].map.n == 1 && v[3].map.v[0] == 1); /* of equal starts the longest */
	assert_int_equal(v[4].map.n, CATALOG_WORST);
	for (int i = 0; i < CATALOG_WORST; i++)
		assert_true(v[4].map.v[i] == worst[i]);
	catalog_sums_free(&s, &plan);
	/* Of no runs. */
	assert_int_equal(catalog_sums_begin(&s, &plan), 0);
	catalog_sums_results(&s, &plan, v);
	assert_true(v[0].map.n == 0 && isnan(v[1].number) && v[3].map.n == 0 && v[4].map.n == 0);
	catalog_sums_free(&s, &plan);
}

/* -- quarters ---------------------------------------------------------------------------------- */

static struct {
	double v[64];
	size_t n;
} quarters[2];

static int take_quarters(void *ctx, struct catalog_result *v)
{
	const struct catalog_map *m = &v[2].map;
	size_t i = *v[1].text == 'b';

	(void)ctx;
	assert_true(m->width == 2);
	quarters[i].n = m->n;
	memcpy(quarters[i].v, m->v, m->n * 3 * sizeof(double));
	return 0;
}

/* Runs of "x" on two machines: the starts 0 … 9 in disorder, one twice more, and one unknown. */
TEST(quarters_are_of_the_whole_group)
{
	static const struct catalog_output of = {.kind = CATALOG_OUT_QUARTERS,
	                                         .column = CATALOG_COLUMN_MEMORY_BUCKET,
	                                         .value = {RTRACK_ROW_WALL},
	                                         .n = 1};
	static const double starts[] = {7, 3, 9, 0, 5, 5, 2, 8, 1, 6, 5, 4, NAN};
	/* Of 12, places 3, 6 and 9: the starts 3, 5 and 7. */
	static const double a[] = {4, 2, 2, 6, 2, 2, 7, 2, 2};
	static const double b[] = {8, 1, 1, 9, 2, 2, 10, 2, 2, 11, 1, 1};
	struct catalog_groups g = {
	    .plan = {&of, 1, larger_row, NULL}, .n_keys = 2, .n_whole = 1, .bytes_max = SIZE_MAX};

	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		struct catalog_groups_key key[] = {{"x", 1}, {i % 2 ? "b" : "a", 1}};
		double column[CATALOG_COLUMNS];
		for (int k = 0; k < CATALOG_COLUMNS; k++)
			column[k] = NAN;
		column[RTRACK_ROW_START] = starts[i];
		column[RTRACK_ROW_WALL] = 1;
		column[CATALOG_COLUMN_CLASS] = CATALOG_COUNTED;
		column[CATALOG_COLUMN_MEMORY_BUCKET] = i % 2 ? 2 : 1;
		assert_int_equal(catalog_groups_add(&g, key, column, (double)i), 0);
	}
	assert_int_equal(catalog_groups_finish(&g, take_quarters, NULL), 0);
	assert_int_equal(quarters[0].n * 3, sizeof a / sizeof *a);
	assert_memory_equal(quarters[0].v, a, sizeof a);
	assert_int_equal(quarters[1].n * 3, sizeof b / sizeof *b);
	assert_memory_equal(quarters[1].v, b, sizeof b);
	catalog_groups_free(&g);
}
