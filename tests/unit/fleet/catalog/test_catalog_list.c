/* catalog_list: single runs of a catalog in memory and in a file: their order, what recordings make of
 * a run, how many there are. */
#include <stdlib.h>
#include <unistd.h>

#include "fleet/catalog/catalog_list.h"
#include "tests/unit/fleet/catalog/catalog_made.h"
#include "tests/unit/unit.h"

static struct err e;
static struct catalog *c[2]; /* in memory; a file */
static char path[] = "/tmp/rtrack-list-XXXXXX";

static void put(const char *source, const struct rtrack_row *row)
{
	struct catalog_run run = {.source = {.path = source, .size = 5, .mtime_ns = 6, .tag = ""},
	                          .row = row,
	                          .now = 20001 * 86400.0};

	for (int i = 0; i < 2; i++)
		assert_int_equal(catalog_put(c[i], &run, 1, &e), 0);
}

static double *number(struct rtrack_row *row, enum rtrack_row_id id)
{
	return &row->of[id].number;
}

/* a to f: one after the other, of which each needs less memory than the one before; f without an ask
 * and of another user. Two nodes between c and d. One that cannot be true. */
static int fill(void **state)
{
	struct rtrack_row row;
	char source[2] = "a";

	(void)state;
	if (mkstemp(path) < 0)
		return -1;
	c[0] = catalog_open(NULL, CATALOG_WRITE, NULL, &e);
	c[1] = catalog_open(path, CATALOG_WRITE, NULL, &e);
	if (!c[0] || !c[1])
		return -1;
	made_row(&row);
	for (int i = 0; i < 6; i++, (*source)++, *number(&row, RTRACK_ROW_START) += 10) {
		*number(&row, RTRACK_ROW_MEMORY_PEAK) = (7 - i) * GIB / 8;
		if (i == 5) {
			*number(&row, RTRACK_ROW_ASKED_CPUS) =
			    *number(&row, RTRACK_ROW_ASKED_MEMORY) = NAN;
			row.of[RTRACK_ROW_USER].text = "bob";
		}
		put(source, &row);
	}
	made_row(&row);
	*number(&row, RTRACK_ROW_START) += 25;
	row.of[RTRACK_ROW_JOB].text = "slurm/hpc/7/0/0";
	row.of[RTRACK_ROW_JOB_ID].text = "slurm/hpc/7/0";
	*number(&row, RTRACK_ROW_NODES) = 2;
	put("x", &row);
	*number(&row, RTRACK_ROW_START) += 20;
	*number(&row, RTRACK_ROW_MEMORY_PEAK) = 3 * GIB;
	*number(&row, RTRACK_ROW_CODE) = 1;
	put("y", &row);
	made_row(&row);
	*number(&row, RTRACK_ROW_START) = 30000 * 86400.0;
	put("z", &row);
	return 0;
}

static int empty(void **state)
{
	(void)state;
	catalog_close(c[0]);
	catalog_close(c[1]);
	unlink(path);
	return 0;
}

ALL_TESTS_WITH(fill, empty)

static int add_name(void *ctx, const struct catalog_result v[CATALOG_COLUMNS], struct err *why)
{
	char *text = ctx;

	(void)why;
	assert_true(strlen(text) < 60);
	strcat(text, v[CATALOG_COLUMN_SOURCE].text);
	if (v[CATALOG_COLUMN_SOURCE].n > 1)
		strcat(text, "+");
	return 0;
}

static void expect(const struct catalog_order *order, size_t n, const struct opts_list *where,
                   const char *names)
{
	const struct catalog_query q = {.where = where};

	for (int i = 0; i < 2; i++) {
		char text[64] = "";
		assert_int_equal(catalog_list_runs(c[i], &q, order, n, add_name, text, &e), 0);
		assert_string_equal(text, names);
	}
}

TEST(orders)
{
	const struct opts_list ann = {.v = {"user=ann"}, .n = 1};
	const struct opts_list nobody = {.v = {"user=eve"}, .n = 1};
	const struct opts_list second = {.v = {"code=1"}, .n = 1};
	struct catalog_order by = catalog_order_newest;

	expect(&by, 100, NULL, "fedy+cba");
	expect(&by, 3, NULL, "fed");
	expect(&by, 4, NULL, "fedy+");
	expect(&by, 100, &ann, "edy+cba");
	expect(&by, 100, &nobody, "");
	expect(&by, 100, &second, "y");
	expect(&by, 0, NULL, "");
	by.up = true;
	expect(&by, 100, NULL, "abcy+def");
	by.column = RTRACK_ROW_MEMORY_PEAK;
	expect(&by, 100, NULL, "fedcbay+");
	by.up = false;
	expect(&by, 2, NULL, "y+a");
	by.column = CATALOG_COLUMN_UNUSED_CORE_S; /* of both nodes; equal ones by their source */
	expect(&by, 100, NULL, "y+abcdef");
	by = (struct catalog_order){.column = RTRACK_ROW_USER, .over = -1, .up = true};
	expect(&by, 100, NULL, "abcdey+f");
	by = (struct catalog_order){.column = RTRACK_ROW_ACCOUNT, .over = -1};
	expect(&by, 2, NULL, "ab");
}

/* Unknown ones are last in both directions. */
TEST(shares_and_costs)
{
	struct catalog_order by = {.column = RTRACK_ROW_MEMORY_PEAK,
	                           .over = RTRACK_ROW_ASKED_MEMORY};

	expect(&by, 100, NULL, "y+abcdef");
	by.up = true;
	expect(&by, 100, NULL, "edcbay+f");
	by = (struct catalog_order){.over = -1, .rate = {1, 0, 0}};
	expect(&by, 100, NULL, "y+abcdef");
	by = (struct catalog_order){.over = -1, .rate = {1, 1, 1}, .up = true};
	expect(&by, 100, NULL, "abcdey+f");
}

static int check_run(void *ctx, const struct catalog_result v[CATALOG_COLUMNS], struct err *why)
{
	(void)why;
	++*(int *)ctx;
	assert_int_equal(v[CATALOG_COLUMN_SOURCE].n, 2);
	assert_string_equal(v[CATALOG_COLUMN_SOURCE].list[0], "x");
	assert_string_equal(v[CATALOG_COLUMN_SOURCE].list[1], "y");
	assert_string_equal(v[RTRACK_ROW_NAME].text, "train");
	assert_true(v[RTRACK_ROW_START].number == 20000 * 86400.0 + 43225);
	assert_float_equal(v[RTRACK_ROW_MEMORY_PEAK].number, 3 * GIB, 0);
	assert_float_equal(v[CATALOG_COLUMN_ASKED_CORE_S].number, 800, 0);
	assert_float_equal(v[CATALOG_COLUMN_RECORDINGS].number, 2, 0);
	assert_float_equal(v[CATALOG_COLUMN_CLASS].number, CATALOG_FAILED, 0);
	assert_true(isnan(v[CATALOG_COLUMN_MEMORY_BUCKET].number)); /* it does not count */
	assert_true(isnan(v[RTRACK_ROW_GPUS_MEAN].number));
	return 0;
}

TEST(run_of_recordings)
{
	const struct opts_list nodes = {.v = {"nodes=2"}, .n = 1};
	const struct catalog_query q = {.where = &nodes};

	for (int i = 0; i < 2; i++) {
		int n = 0;
		assert_int_equal(
		    catalog_list_runs(c[i], &q, &catalog_order_newest, 9, check_run, &n, &e), 0);
		assert_int_equal(n, 1);
	}
}

TEST(counts)
{
	const struct opts_list ann = {.v = {"user=ann"}, .n = 1};
	const struct catalog_query all = {.where = NULL}, some = {.where = &ann};

	for (int i = 0; i < 2; i++) {
		double count[CATALOG_CLASSES];
		assert_int_equal(catalog_list_count(c[i], &all, count, &e), 0);
		assert_float_equal(count[CATALOG_COUNTED], 5, 0);
		assert_float_equal(count[CATALOG_NO_ASK], 1, 0);
		assert_float_equal(count[CATALOG_FAILED], 1, 0);
		assert_float_equal(count[CATALOG_IMPOSSIBLE], 1, 0);
		assert_int_equal(catalog_list_count(c[i], &some, count, &e), 0);
		assert_float_equal(count[CATALOG_NO_ASK], 0, 0);
	}
}

TEST(jobs)
{
	static const struct {
		const char *job, *names;
	} cases[] = {{"7", "xy"}, {"hpc/7", "xy"}, {"8", ""}, {"7'", "xy"}, {"%", "xy"}};

	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
		for (int i = 0; i < 2; i++) {
			char text[64] = "";
			assert_int_equal(catalog_list_job(c[i], cases[k].job, add_name, text, &e),
			                 0);
			assert_string_equal(text, cases[k].names);
		}
}

static int refuse(void *ctx, const struct catalog_result v[CATALOG_COLUMNS], struct err *why)
{
	(void)ctx, (void)v;
	return err_set(why, "enough");
}

TEST(ended)
{
	const struct catalog_query all = {.where = NULL};

	for (int i = 0; i < 2; i++) {
		e = (struct err){0};
		assert_int_equal(
		    catalog_list_runs(c[i], &all, &catalog_order_newest, 9, refuse, NULL, &e), -1);
		assert_string_equal(e.msg, "enough");
	}
}
