/* columns: rows turned into columns are the same rows. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/err.h"
#include "core/recording/journal_columns.h"
#include "tests/unit/unit.h"

static double cell(enum metric_id id, size_t row)
{
	return row % 7 == 3 ? (double)NAN : (double)id * 1e6 + (double)row;
}

static int fetch(void *ctx, enum metric_id id, size_t from, size_t n, double *out, struct err *e)
{
	size_t *fails_at = ctx;

	for (size_t i = 0; i < n; i++) {
		if (from + i == *fails_at)
			return err_set(e, "no more");
		out[i] = cell(id, from + i);
	}
	return 0;
}

/* All columns but the first. */
static enum metric_id taken[METRIC_COUNT - 1];

static int choose(void **state)
{
	(void)state;
	for (int id = 1; id < METRIC_COUNT; id++)
		taken[id - 1] = (enum metric_id)id;
	return 0;
}

ALL_TESTS_WITH(choose, NULL)

static size_t files_in(const char *folder)
{
	DIR *d = opendir(folder);
	size_t n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

TEST(same_rows)
{
	static const size_t sizes[] = {1, 31, 32, 33, 511, 512, 513, 5000};
	char folder[] = "/tmp/rtrack-test-XXXXXX", beside[64];

	assert_non_null(mkdtemp(folder));
	snprintf(beside, sizeof beside, "%s/a.partial", folder);
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		size_t never = SIZE_MAX, n = sizes[k];
		struct snapshot_source from = {.rows = n, .fetch = fetch, .ctx = &never}, to;
		struct journal_columns *c =
		    journal_columns_spread(&from, taken, METRIC_COUNT - 1, beside);
		assert_non_null(c);
		assert_int_equal(files_in(folder), 2); /* . and .. */
		to = journal_columns_source(c);
		assert_int_equal(to.rows, n);
		for (int id = 0; id < METRIC_COUNT; id++) {
			double *got = calloc(n, sizeof *got);
			assert_int_equal(
			    to.fetch(to.ctx, (enum metric_id)id, n / 3, n - n / 3, got, NULL), 0);
			for (size_t i = n / 3; i < n; i++) {
				double want = id ? cell((enum metric_id)id, i) : (double)NAN;
				assert_true(got[i - n / 3] == want ||
				            (isnan(want) && isnan(got[i - n / 3])));
			}
			free(got);
		}
		journal_columns_free(c);
	}
	rmdir(folder);
}

/* Where it can't be had, the caller goes on without. */
TEST(not_to_be_had)
{
	size_t fails_at = 700;
	struct snapshot_source from = {.rows = 1000, .fetch = fetch, .ctx = &fails_at};

	assert_null(journal_columns_spread(&from, taken, METRIC_COUNT - 1, "/tmp/rtrack-columns"));
	fails_at = SIZE_MAX;
	assert_null(journal_columns_spread(&from, taken, METRIC_COUNT - 1, "/nowhere/at/all"));
	journal_columns_free(NULL);
}
