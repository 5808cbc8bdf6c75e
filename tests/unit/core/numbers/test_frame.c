/* frame: columns that grow, absent columns, and what is filled up. */
#include <math.h>
#include <string.h>

#include <signal.h>
#include <sys/resource.h>

#include "core/numbers/frame.h"
#include "tests/unit/unit.h"

TEST(empty)
{
	struct frame f = {.rows = 0};

	assert_false(frame_has(&f, METRIC_PROCESS_PID));
	assert_null(frame_col(&f, METRIC_PROCESS_PID));
	assert_int_equal(frame_square(&f, NULL), 0);
	assert_int_equal(f.rows, 0);
	frame_free(&f);
	frame_free(&f);
}

TEST(columns)
{
	struct frame f = {.rows = 0};
	const double *t, *u;

	for (int i = 0; i < 5000; i++)
		assert_int_equal(frame_push(&f, METRIC_PROCESS_TIMESTAMP, i, NULL), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(frame_push(&f, METRIC_PROCESS_UTIME, -i, NULL), 0);
	assert_int_equal(frame_square(&f, NULL), 0);
	assert_int_equal(f.rows, 5000);
	t = frame_col(&f, METRIC_PROCESS_TIMESTAMP);
	u = frame_col(&f, METRIC_PROCESS_UTIME);
	for (int i = 0; i < 5000; i++) {
		assert_true(t[i] == i);
		assert_true(i < 3 ? u[i] == -i : isnan(u[i]));
	}
	assert_true(frame_has(&f, METRIC_PROCESS_UTIME));
	assert_false(frame_has(&f, METRIC_PROCESS_STIME));
	frame_free(&f);
	assert_int_equal(f.rows, 0);
	assert_false(frame_has(&f, METRIC_PROCESS_UTIME));
}

static double negative(double v, const void *ctx)
{
	return v * *(const double *)ctx;
}

/* Two columns that come one after the other, and a third one row by row with the last; each cell
 * says where it is. More than FRAME_MEMORY in all. */
#define ROWS (FRAME_MEMORY / 2 + 12345)

static void push_large(struct frame *f)
{
	for (size_t i = 0; i < ROWS; i++)
		assert_int_equal(frame_push(f, METRIC_PROCESS_UTIME, 5, NULL), 0);
	frame_clear(f, METRIC_PROCESS_UTIME);
	for (size_t i = 0; i < ROWS; i++)
		assert_int_equal(frame_push(f, METRIC_PROCESS_UTIME, (double)i, NULL), 0);
	for (size_t i = 0; i < ROWS - 7; i++) {
		assert_int_equal(frame_push(f, METRIC_PROCESS_STIME, 1, NULL), 0);
		assert_int_equal(frame_push(f, METRIC_PROCESS_CHILDREN, 1e9, NULL), 0);
		frame_replace(f, METRIC_PROCESS_CHILDREN, (double)i + 0.5);
	}
}

static void check_large(struct frame *f)
{
	const double *u, *s, *c, minus = -1;

	assert_int_equal(frame_square(f, NULL), 0);
	assert_int_equal(f->rows, ROWS);
	assert_int_equal(frame_change(f, METRIC_PROCESS_STIME, negative, &minus, NULL), 0);
	assert_int_equal(frame_change(f, METRIC_PROCESS_PID, negative, &minus, NULL), 0);
	u = frame_col(f, METRIC_PROCESS_UTIME);
	s = frame_col(f, METRIC_PROCESS_STIME);
	c = frame_col(f, METRIC_PROCESS_CHILDREN);
	for (size_t i = 0; i < ROWS; i++) {
		if (i % 500000 == 0)
			frame_rest(f);
		if (u[i] != (double)i || (i < ROWS - 7 ? s[i] != -1 : !isnan(s[i])) ||
		    (i < ROWS - 7 ? c[i] != (double)i + 0.5 : !isnan(c[i])))
			fail_msg("row %zu: %g, %g and %g", i, u[i], s[i], c[i]);
	}
	frame_free(f);
	frame_free(f);
}

/* Before the others: they leave a file in reserve. */
/* A column after a longer one grows once, and its room is filled in place. */
TEST(room)
{
	struct frame f = {.rows = 0};
	double *room;
	size_t n;

	for (int i = 0; i < 1000; i++)
		assert_int_equal(frame_push(&f, METRIC_PROCESS_TIMESTAMP, i, NULL), 0);
	assert_int_equal(frame_push(&f, METRIC_PROCESS_UTIME, 1, NULL), 0);
	room = frame_room(&f, METRIC_PROCESS_UTIME, &n);
	assert_int_equal(n, 999);
	for (size_t i = 0; i < 998; i++)
		room[i] = 2;
	frame_fill(&f, METRIC_PROCESS_UTIME, 998);
	assert_int_equal(frame_len(&f, METRIC_PROCESS_UTIME), 999);
	room = frame_room(&f, METRIC_PROCESS_UTIME, &n);
	assert_int_equal(n, 1);
	*room = 1e308;
	frame_fill(&f, METRIC_PROCESS_UTIME, 1);
	assert_int_equal(frame_square(&f, NULL), 0);
	assert_int_equal(f.rows, 1000);
	assert_int_equal(frame_scale(&f, METRIC_PROCESS_UTIME, 1024, NULL), 0);
	assert_int_equal(frame_scale(&f, METRIC_PROCESS_STIME, 1024, NULL), 0);
	assert_true(frame_col(&f, METRIC_PROCESS_UTIME)[0] == 1024);
	assert_true(frame_col(&f, METRIC_PROCESS_UTIME)[998] == 2048);
	assert_true(isnan(frame_col(&f, METRIC_PROCESS_UTIME)[999]));
	frame_free(&f);
}

TEST(no_file)
{
	struct rlimit old, none;
	struct frame f = {.rows = 0};

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	none = (struct rlimit){0, old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	push_large(&f);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_null(f.file);
	check_large(&f);
}

TEST(in_a_file)
{
	struct frame f = {.rows = 0};

	push_large(&f);
	assert_non_null(f.file);
	assert_true(f.column[METRIC_PROCESS_UTIME].cap <= 16384);
	check_large(&f);
}

/* What was in a file that can't grow any further comes back to memory. */
TEST(full_disk)
{
	static const size_t sizes[] = {0, 5 << 20, 20 << 20, 40 << 20};
	struct rlimit old;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct rlimit small = {sizes[i], old.rlim_max};
		struct frame f = {.rows = 0};
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
		push_large(&f);
		if (i < 2)
			assert_null(f.file);
		check_large(&f);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	}
}

#ifndef __SANITIZE_ADDRESS__ /* hundreds of megabytes */
TEST(row_cap)
{
	struct frame f = {.rows = 0};
	struct err e = {{0}};
	size_t n = 0;

	while (n <= FRAME_ROWS_MAX && frame_push(&f, METRIC_SYSTEM_UTIME, 1, &e) == 0)
		n++;
	assert_int_equal(n, FRAME_ROWS_MAX);
	assert_string_equal(e.msg, "more than 4194304 rows");
	frame_free(&f);
}

/* A long column must not make a page of short ones as long. */
TEST(cell_cap)
{
	struct frame f = {.rows = 0};
	struct err e = {{0}};
	size_t cells = 0;

	for (size_t i = 0; i < 4000000; i++)
		assert_int_equal(frame_push(&f, METRIC_SYSTEM_TIMESTAMP, 1, &e), 0);
	for (int id = 0; id < METRIC_COUNT; id++)
		assert_int_equal(frame_push(&f, (enum metric_id)id, 1, &e), 0);
	assert_int_equal(frame_square(&f, &e), -1);
	assert_string_equal(e.msg, "more than 134217728 cells");
	for (int id = 0; id < METRIC_COUNT; id++)
		cells += f.column[id].filed + f.column[id].cap;
	assert_true(cells <= 134217728);
	frame_free(&f);
}
#endif
