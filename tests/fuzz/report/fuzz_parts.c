/* Fuzzes report/runs/parts*.c: up to four recordings of any content, which may be parts of one job. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/runs/parts_join.h"
#include "report/stats/asked.h"
#include "tests/fuzz/folder.h"

static const char *const paths[] = {"a.json", "b.json", "c.json", "d.json", NULL};

static void check_imbalance(const struct parts *p)
{
	for (int m = 0; m < PARTS_MEASURES; m++) {
		struct parts_imbalance b = parts_imbalance(p, (enum parts_measure)m);
		must(isnan(b.ratio) || b.at < parts_rows(p, b.of));
	}
}

static void check_run(const struct run *run)
{
	const struct frame *f = run->snapshot.rows;
	struct buf text = {0};

	must(!isinf(run->duration) && !(run->duration < 0));
	if (!run->parts)
		return;
	must(run->parts->n > 0 && run->parts->n <= 4 && parts_nodes(run) <= run->parts->n);
	must(parts_all_nodes(run) >= parts_nodes(run));
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		must(f[scope].rows <= PARTS_GRID_ROWS_MAX);
	for (int id = 0; id < METRIC_COUNT; id++)
		must(!isinf(run->stats[id].mean) && !isinf(run->stats[id].max));
	check_imbalance(run->parts);
	parts_recorded_text(run->parts, &text);
	must(text.len > 0);
	buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct runs r = {.now = 2e9};
	struct err e = {{0}};

	if (!data)
		return 0;
	fuzz_folder_begin(paths);
	(void)fuzz_folder_put(data, size);
	if (load_input(&r, input_of(fuzz_folder.top), &e) == 0 && parts_join(&r, &e) == 0) {
		for (size_t i = 0; i < r.n; i++) {
			check_run(&r.v[i]);
			(void)parts_load_whole(&r.v[i], &e);
		}
		if (r.n)
			(void)asked_try(&r, 1e9, 60);
	}
	load_free(&r);
	fuzz_folder_clear();
	return 0;
}
