/* scan_jobs: which rows of a job are read back from the catalog, and put again. */
#include "fleet/scan/scan_jobs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fleet/catalog/catalog_list.h"
#include "fleet/catalog/catalog_row.h"
#include "fleet/scan/job_rows.h"
#include "tests/unit/unit.h"

#define COPIES (JOB_ROWS_MAX + 1)

/* The catalog has n recordings of the job that it is asked for. */
static struct known {
	size_t n, ids, handed;
} known;

int catalog_list_jobs(struct catalog *c, const char *const *id, size_t n, bool accounted,
                      catalog_each_listed *each, void *ctx, struct err *e)
{
	struct catalog_result v[CATALOG_COLUMNS];
	char source[32];

	(void)c, (void)accounted;
	known.ids += n;
	for (size_t i = 0; n && i < known.n; i++, known.handed++) {
		for (int k = 0; k < CATALOG_COLUMNS; k++)
			v[k] = (struct catalog_result){.text = "", .number = NAN};
		snprintf(source, sizeof source, "/known/%zu", i);
		v[CATALOG_COLUMN_SOURCE].text = source;
		v[CATALOG_COLUMN_ORIGIN].text = "recorded";
		v[RTRACK_ROW_JOB_ID].text = *id;
		if (each(ctx, v, e))
			return -1;
	}
	return 0;
}

int catalog_list_any_recorded(struct catalog *c, catalog_each_listed *each, void *ctx,
                              struct err *e)
{
	(void)c, (void)each, (void)ctx, (void)e;
	return 0;
}

int catalog_put(struct catalog *c, const struct catalog_run *v, size_t n, struct err *e)
{
	(void)c, (void)v, (void)n, (void)e;
	return 0;
}

int catalog_forget(struct catalog *c, const char *source, double before, size_t *n, struct err *e)
{
	(void)c, (void)source, (void)before, (void)n, (void)e;
	return 0;
}

static void put_two(struct scan_jobs *j)
{
	struct rtrack_row row[2], *rows[2] = {&row[0], &row[1]};
	struct catalog_run run[2] = {{.source = {"/new/1", 1, 1, ""}, .row = &row[0]},
	                             {.source = {"/new/2", 1, 1, ""}, .row = &row[1]}};
	struct catalog c = {.engine = {.self = NULL}};
	struct err e = {0};

	for (int i = 0; i < 2; i++) {
		rtrack_row_clear(&row[i]);
		row[i].of[RTRACK_ROW_JOB_ID].text = "slurm/c/12/0";
	}
	assert_int_equal(scan_jobs_put(j, &c, run, rows, 2, &e), 0);
}

TEST(too_many_rows_of_a_job_are_read_once)
{
	struct scan_jobs j = {.looked = false};

	known = (struct known){.n = COPIES};
	put_two(&j);
	assert_int_equal(known.ids, 1); /* of both rows */
	assert_int_equal(known.handed, COPIES);
	put_two(&j);
	assert_int_equal(known.ids, 1);
	assert_int_equal(known.handed, COPIES);
	scan_jobs_free(&j);
}

TEST(fewer_are_read_each_time)
{
	struct scan_jobs j = {.looked = false};

	known = (struct known){.n = 3};
	put_two(&j);
	put_two(&j);
	assert_int_equal(known.ids, 2);
	assert_int_equal(known.handed, 6);
	scan_jobs_free(&j);
}
