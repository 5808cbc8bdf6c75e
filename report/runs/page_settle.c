/* page_settle: a page and its recording are one run. */
#include "report/runs/page_settle.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc_failed.h"
#include "core/fnv1a.h"
#include "report/runs/load_page.h"
#include "report/runs/run_row.h"

static uint64_t id_of(const struct run *run)
{
	struct rtrack_row *row = alloc_failed_note(malloc(sizeof *row));
	uint64_t id = 0;

	if (row) {
		run_row_fill(row, run);
		id = fnv1a_add(FNV1A_BEGIN, row->of[RTRACK_ROW_ID].text);
	}
	free(row);
	return id;
}

static bool is_of_job(const struct run *page, const struct run *run)
{
	const struct snapshot_part *p = &run->snapshot.part;

	return page->page->joined && !run->page && p->known && p->job && *p->job &&
	       strcmp(p->job, page->snapshot.part.job) == 0;
}

/* Whether run k makes page i superfluous. */
static bool stands_for(const struct runs *r, const uint64_t *id, size_t k, size_t i)
{
	return k != i && (id[k] == id[i] ? !r->v[k].page || k < i : is_of_job(&r->v[i], &r->v[k]));
}

static void drop_run(struct runs *r, uint64_t *id, size_t i)
{
	snapshot_free(&r->v[i].snapshot);
	free(r->v[i].file);
	r->n--;
	memmove(&r->v[i], &r->v[i + 1], (r->n - i) * sizeof *r->v);
	memmove(&id[i], &id[i + 1], (r->n - i) * sizeof *id);
	if (r->keeper > i)
		r->keeper--;
	else if (r->keeper == i)
		r->keeper = 0;
}

int page_settle(struct runs *r, struct err *e)
{
	uint64_t *id;
	size_t pages = 0;

	for (size_t i = 0; i < r->n; i++)
		pages += r->v[i].page != NULL;
	id = pages ? calloc(r->n, sizeof *id) : NULL;
	if (!id)
		return pages ? err_set(e, "no memory") : 0;
	for (size_t i = 0; i < r->n; i++)
		id[i] = id_of(&r->v[i]);
	for (size_t i = r->n; i-- > 0;) {
		size_t k = 0;
		while (r->v[i].page && k < r->n && !stands_for(r, id, k, i))
			k++;
		if (!r->v[i].page || k == r->n)
			continue;
		if (r->current && strcmp(r->current, r->v[i].file) == 0)
			r->current = r->v[k].file;
		drop_run(r, id, i);
	}
	free(id);
	return 0;
}
