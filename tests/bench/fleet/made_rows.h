/*
 * made_rows: the samples of a made-up run: its curves of memory and CPU usage, and every other
 * column as it follows from them.
 */
#ifndef BENCH_MADE_ROWS_H
#define BENCH_MADE_ROWS_H

#include "core/numbers/metric.h"
#include "tests/bench/fleet/made_run.h"

struct made_rows {
	const struct made_run *run;
	double seconds[MADE_SAMPLES_MAX]; /* that each sample stands for */
	double cores[MADE_SAMPLES_MAX], memory_b[MADE_SAMPLES_MAX];
};

void made_rows(struct made_rows *m, const struct made_run *run);

/* A cell in base units; NAN: not measured. */
double made_rows_cell(const struct made_rows *m, enum metric_id id, size_t row);

#endif
