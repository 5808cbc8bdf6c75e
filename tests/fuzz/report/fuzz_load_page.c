/* fuzz_load_page: any text as a page. As a run it has samples and statistics, or a sentence says why
 * not. */
#include <string.h>

#include "report/prices/keeper_saved.h"
#include "report/runs/load.h"
#include "report/runs/load_page.h"
#include "tests/fuzz/fuzz.h"

static void load_as_run(struct page_text text, enum snapshot_want want)
{
	struct run *run = calloc(1, sizeof *run);
	struct keeper_result *prices = calloc(1, sizeof *prices);
	struct snapshot_budget budget = {(uint64_t)64 << 20, (size_t)1 << 20};
	const struct keeper_query query = {.vcpus = 2};
	struct err e = {{0}};

	must(run && prices);
	run->snapshot.budget = &budget;
	if (load_page_parse(&run->snapshot, text, "page", want, &run->page, &e)) {
		must(*e.msg && !run->page && !run->snapshot.arena);
	} else {
		must(run->page && (load_measure(run, &e) == 0 || *e.msg));
		must(!run->page->id || (run->snapshot.head_only && run->snapshot.summary));
		if (run->page->prices)
			must(keeper_saved_read(run->page->prices, &query, prices) == 0 ||
			     (prices->n <= KEEPER_SERVERS_MAX &&
			      prices->n_sized <= KEEPER_SIZED_MAX));
	}
	snapshot_free(&run->snapshot);
	free(prices);
	free(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct page_text text = {(const char *)data, size};

	load_as_run(text, SNAPSHOT_WANT_HEAD);
	load_as_run(text, SNAPSHOT_WANT_OVERVIEW);
	load_as_run(text, SNAPSHOT_WANT_ROWS);
	return 0;
}
