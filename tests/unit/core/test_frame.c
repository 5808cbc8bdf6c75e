/* frame: columns that grow, absent columns, and what is filled up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "../../../core/frame.h"

static void empty(void **state)
{
	struct frame f = {.rows = 0};

	(void)state;
	assert_false(frame_has(&f, METRIC_PROCESS_PID));
	assert_null(frame_col(&f, METRIC_PROCESS_PID));
	assert_int_equal(frame_square(&f, NULL), 0);
	assert_int_equal(f.rows, 0);
	frame_free(&f);
	frame_free(&f);
}

static void columns(void **state)
{
	struct frame f = {.rows = 0};
	const double *t, *u;

	(void)state;
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

#ifndef __SANITIZE_ADDRESS__ /* hundreds of megabytes */
static void row_cap(void **state)
{
	struct frame f = {.rows = 0};
	struct err e = {{0}};
	size_t n = 0;

	(void)state;
	while (n <= FRAME_ROWS_MAX && frame_push(&f, METRIC_SYSTEM_UTIME, 1, &e) == 0)
		n++;
	assert_int_equal(n, FRAME_ROWS_MAX);
	assert_string_equal(e.msg, "more than 16777216 rows");
	frame_free(&f);
}

/* A long column must not make a page of short ones as long. */
static void cell_cap(void **state)
{
	struct frame f = {.rows = 0};
	struct err e = {{0}};
	size_t cells = 0;

	(void)state;
	for (size_t i = 0; i < 7000000; i++)
		assert_int_equal(frame_push(&f, METRIC_SYSTEM_TIMESTAMP, 1, &e), 0);
	for (int id = 0; id < METRIC_COUNT; id++)
		assert_int_equal(frame_push(&f, (enum metric_id)id, 1, &e), 0);
	assert_int_equal(frame_square(&f, &e), -1);
	assert_string_equal(e.msg, "more than 134217728 cells");
	for (int id = 0; id < METRIC_COUNT; id++)
		cells += f.cap[id];
	assert_true(cells <= 134217728);
	frame_free(&f);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(empty),
	    cmocka_unit_test(columns),
#ifndef __SANITIZE_ADDRESS__
	    cmocka_unit_test(row_cap),
	    cmocka_unit_test(cell_cap),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
