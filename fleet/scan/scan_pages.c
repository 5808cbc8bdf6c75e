/* scan_pages: a page counts as its recording, and only where that is not there. */
#include "fleet/scan/scan_pages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/fnv1a.h"
#include "report/input/input.h"

static bool is_page_source(const char *path)
{
	return input_kind_of(path) == INPUT_PAGE;
}

static int no_scan_memory(struct err *e)
{
	return err_set(e, "no memory to read the recordings");
}

/* Only runs of the same user can be the same run: an ID is what a recording says of itself. */
static uint64_t hash_of_id(const char *id, const char *user)
{
	return fnv1a_add(fnv1a_add(FNV1A_BEGIN, id), user) | 1;
}

static uint64_t id_of_row(const struct rtrack_row *row)
{
	return hash_of_id(row->of[RTRACK_ROW_ID].text, row->of[RTRACK_ROW_USER].text);
}

/* -- runs by their ids ------------------------------------------------------------------------- */

static struct scan_pages_run *slot_of_id(const struct scan_pages *p, uint64_t id)
{
	size_t at = (size_t)(id >> 1) & (p->max - 1);

	while (p->run[at].id && p->run[at].id != id)
		at = (at + 1) & (p->max - 1);
	return &p->run[at];
}

static const struct scan_pages_run *run_with(const struct scan_pages *p, uint64_t id)
{
	static const struct scan_pages_run none;

	return p->max ? slot_of_id(p, id) : &none;
}

/* page NULL: of a recording. */
static int note_run(struct scan_pages *p, uint64_t id, const char *page, struct err *e)
{
	struct scan_pages wider = {.max = p->max ? 2 * p->max : 1024};
	struct scan_pages_run *run;

	if (2 * (p->n + 1) > p->max) {
		wider.run = calloc(wider.max, sizeof *wider.run);
		if (!wider.run)
			return no_scan_memory(e);
		for (size_t i = 0; i < p->max; i++)
			if (p->run[i].id)
				*slot_of_id(&wider, p->run[i].id) = p->run[i];
		free(p->run);
		p->run = wider.run;
		p->max = wider.max;
	}
	run = slot_of_id(p, id);
	p->n += !run->id;
	run->id = id;
	run->recording = run->recording || !page;
	if (page && !run->page && !(run->page = strdup(page)))
		return no_scan_memory(e);
	return 0;
}

/* -- what the catalog has ---------------------------------------------------------------------- */

static int on_known_page(void *ctx, const char *id, const char *user, const char *source,
                         struct err *e)
{
	return note_run(ctx, hash_of_id(id, user), source, e);
}

static int on_known_recording(void *ctx, const char *id, const char *user, const char *source,
                              struct err *e)
{
	return is_page_source(source) ? 0 : note_run(ctx, hash_of_id(id, user), NULL, e);
}

static int find_recordings(struct scan_pages *p, struct catalog *c, const struct catalog_run *v,
                           size_t n, struct err *e)
{
	const struct rtrack_row *asked[CATALOG_ASKED];
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		if (is_page_source(v[i].source.path) &&
		    isfinite(v[i].row->of[RTRACK_ROW_START].number))
			asked[k++] = v[i].row;
		if (k == CATALOG_ASKED || (k && i + 1 == n)) {
			if (catalog_each_start(c, asked, k, on_known_recording, p, e))
				return -1;
			k = 0;
		}
	}
	return 0;
}

/* -- choosing ---------------------------------------------------------------------------------- */

static int choose_page(struct scan_pages *p, const struct catalog_run *run, bool *put,
                       struct err *e)
{
	uint64_t id = id_of_row(run->row);
	const struct scan_pages_run *known = run_with(p, id);

	*put = !known->recording && (!known->page || strcmp(known->page, run->source.path) == 0);
	return *put ? note_run(p, id, run->source.path, e) : 0;
}

static int choose_recording(struct scan_pages *p, struct catalog *c, const struct catalog_run *run,
                            bool *put, struct err *e)
{
	uint64_t id = id_of_row(run->row);
	const struct scan_pages_run *known = run_with(p, id);
	size_t n = 0;

	/* Other tools name no host, so that their runs have no id of their own. */
	*put = !(p->once && known->recording && *run->row->of[RTRACK_ROW_HOST].text);
	if (known->page && catalog_forget(c, known->page, &n, e))
		return -1;
	return p->expected || p->once ? note_run(p, id, NULL, e) : 0;
}

int scan_pages_choose(struct scan_pages *p, struct catalog *c, const struct catalog_run *v,
                      size_t n, bool *put, struct err *e)
{
	if (n && !p->looked && catalog_each_page(c, on_known_page, p, e))
		return -1;
	p->looked = p->looked || n;
	if (find_recordings(p, c, v, n, e))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (is_page_source(v[i].source.path) ? choose_page(p, &v[i], &put[i], e)
		                                     : choose_recording(p, c, &v[i], &put[i], e))
			return -1;
	return 0;
}

void scan_pages_free(struct scan_pages *p)
{
	for (size_t i = 0; i < p->max; i++)
		free(p->run[i].page);
	free(p->run);
	*p = (struct scan_pages){.n = 0};
}
