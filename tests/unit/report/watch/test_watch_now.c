/* watch_now: amounts per second, peaks of everything, the names of processes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/watch/watch_now.h"
#include "tests/unit/unit.h"

static int set_up(void **state)
{
	struct watch_now *w = calloc(1, sizeof *w);

	w->interval_s = 1;
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

static void take(struct watch_now *w, double time, double written, double memory)
{
	double row[METRIC_COUNT];

	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] = NAN;
	row[METRIC_PROCESS_TIMESTAMP] = time;
	row[METRIC_PROCESS_WRITE_BYTES] = written;
	row[METRIC_PROCESS_MEMORY] = memory;
	watch_now_row(w, row, false);
}

TEST_WITH(nothing_yet, set_up, tear_down)
{
	struct watch_now *w = *state;

	assert_true(isnan(watch_now_gauge(w, METRIC_PROCESS_MEMORY)));
	assert_true(isnan(watch_now_rate(w, METRIC_PROCESS_WRITE_BYTES, 1)));
	assert_true(isnan(watch_now_time(w)));
	assert_int_equal(watch_now_kept(w), 0);
}

TEST_WITH(amounts_by_the_time_between_samples, set_up, tear_down)
{
	struct watch_now *w = *state;

	take(w, 100, 50, 1); /* of the first, the interval */
	assert_true(watch_now_rate(w, METRIC_PROCESS_WRITE_BYTES, 1) == 50);
	take(w, 102, 50, 1);
	assert_true(watch_now_rate(w, METRIC_PROCESS_WRITE_BYTES, 1) == 25);
	take(w, 102.5, 50, 1);
	take(w, 103, 100, 1);
	/* The last two, which are one second. */
	assert_true(watch_now_rate(w, METRIC_PROCESS_WRITE_BYTES, 1) == 150);
	assert_true(watch_now_rate(w, METRIC_PROCESS_WRITE_BYTES, 100) == 250.0 / 4);
	assert_true(watch_now_rate_at(w, METRIC_PROCESS_WRITE_BYTES, 0) == 200);
	assert_true(isnan(watch_now_rate(w, METRIC_PROCESS_READ_BYTES, 1)));
}

TEST_WITH(peaks_outlive_the_rows, set_up, tear_down)
{
	struct watch_now *w = *state;

	take(w, 0, 0, 700);
	take(w, 1, 0, NAN);
	for (size_t i = 2; i < 2 * WATCH_NOW_ROWS; i++)
		take(w, (double)i, 0, 100);
	assert_true(w->peak[METRIC_PROCESS_MEMORY] == 700);
	assert_true(isnan(w->peak[METRIC_PROCESS_SWAP]));
	assert_true(watch_now_gauge(w, METRIC_PROCESS_MEMORY) == 100);
	assert_int_equal(watch_now_kept(w), WATCH_NOW_ROWS);
	assert_true(watch_now_at(w, WATCH_NOW_ROWS - 1)[METRIC_PROCESS_TIMESTAMP] ==
	            WATCH_NOW_ROWS);
}

TEST_WITH(early_samples_do_not_count, set_up, tear_down)
{
	struct watch_now *w = *state;
	double row[METRIC_COUNT] = {0};

	watch_now_row(w, row, true);
	assert_int_equal(w->n, 0);
}

static struct process_entry process(enum process_entry_kind kind, uint32_t id, uint32_t n,
                                    double memory, double start)
{
	return (struct process_entry){.kind = kind,
	                              .id = id,
	                              .pid = (int32_t)id,
	                              .n = n,
	                              .memory_b = memory,
	                              .start_s = start,
	                              .name = "p"};
}

TEST_WITH(sorted_as_asked, set_up, tear_down)
{
	static const int32_t orders[][3] = {[WATCH_SORT_CPU] = {2, 3, 1},
	                                    [WATCH_SORT_MEMORY] = {3, 1, 2},
	                                    [WATCH_SORT_TIME] = {1, 2, 3}};
	struct watch_now *w = *state;
	const struct process_entry v[] = {process(PROCESS_ENTRY_NOW, 1, 5, 20, 0),
	                                  process(PROCESS_ENTRY_NOW, 2, 900, 10, 1),
	                                  process(PROCESS_ENTRY_NOW, 3, 800, 30, 2)};

	watch_now_processes(w, v, 3);
	for (int by = 0; by < 3; by++) {
		watch_now_sort(w, (enum watch_sort)by);
		for (size_t i = 0; i < 3; i++)
			assert_int_equal(w->process[i].pid, orders[by][i]);
	}
}

TEST_WITH(command_lines_of_the_tree, set_up, tear_down)
{
	struct watch_now *w = *state;
	struct process_entry began = process(PROCESS_ENTRY_RUNNING, 9, 1, 0, 0),
			     now = process(PROCESS_ENTRY_NOW, 9, 1, 0, 0);

	strcpy(began.command, "train.py --epochs 3");
	watch_now_process(w, &began);
	watch_now_processes(w, &now, 1);
	assert_string_equal(w->process[0].command, "train.py --epochs 3");
	/* So many that the ring has forgotten it: it was in the list before. */
	for (uint32_t id = 10; id < 10 + 2 * WATCH_NOW_COMMANDS; id++) {
		began.id = id;
		strcpy(began.command, "other");
		watch_now_process(w, &began);
	}
	watch_now_processes(w, &now, 1);
	assert_string_equal(w->process[0].command, "train.py --epochs 3");
	/* Now it runs another program. */
	began.id = 9;
	strcpy(began.command, "after exec");
	watch_now_process(w, &began);
	watch_now_processes(w, &now, 1);
	assert_string_equal(w->process[0].command, "after exec");
	now.id = 0;
	watch_now_processes(w, &now, 1);
	assert_string_equal(w->process[0].command, "");
}
