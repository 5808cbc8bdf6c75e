/* scan_pages: a page counts as its recording, and only where that is not there. */
#include "report/catalog/scan_pages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc_failed.h"
#include "core/fnv1a.h"
#include "report/catalog/catalog_engine.h"
#include "report/runs/load_name.h"

#define SAME_START 0.01         /* seconds: the page has the start in all its digits */
#define ASKED      ((size_t)64) /* pages of one statement */

bool scan_pages_is(const char *path)
{
	return load_is_page_name(load_file_name(path));
}

static int no_scan_memory(struct err *e)
{
	return err_set(e, "no memory to read the recordings");
}

static uint64_t hash_of_id(const char *id)
{
	return fnv1a_add(FNV1A_BEGIN, id) | 1;
}

static uint64_t id_of_row(const struct rtrack_row *row)
{
	return hash_of_id(row->of[RTRACK_ROW_ID].text);
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

static const struct catalog_output id_and_source[] = {
    {.kind = CATALOG_OUT_PLAIN, .column = RTRACK_ROW_ID},
    {.kind = CATALOG_OUT_PLAIN, .column = CATALOG_COLUMN_SOURCE},
};

static int on_known_page(void *ctx, const struct catalog_result *v, struct err *e)
{
	return note_run(ctx, hash_of_id(v[0].text), v[1].text, e);
}

/* The inner list is that of an index alone. */
static int find_known_pages(struct scan_pages *p, struct catalog *c, struct err *e)
{
	static const char *const ends[] = {"%.html", "%.htm"};
	struct catalog_value value[2] = {{.kind = CATALOG_TEXT, .text = ends[0]},
	                                 {.kind = CATALOG_TEXT, .text = ends[1]}};
	struct catalog_statement st = {
	    .value = value, .n_values = 2, .output = id_and_source, .n_outputs = 2};
	struct buf sql = {0};
	int failed;

	p->looked = true;
	if (c->engine.keep) /* in memory, where nothing was before */
		return 0;
	buf_printf(&sql,
	           "SELECT id, source FROM %s WHERE source IN (SELECT source FROM %s WHERE "
	           "source LIKE ? OR source LIKE ?)",
	           c->engine.table, c->engine.table);
	st.sql = buf_cstr(&sql);
	failed = sql.failed ? no_scan_memory(e)
	                    : c->engine.select(c->engine.self, &st, on_known_page, p, e);
	buf_free(&sql);
	return failed;
}

static int on_known_recording(void *ctx, const struct catalog_result *v, struct err *e)
{
	return scan_pages_is(v[1].text) ? 0 : note_run(ctx, hash_of_id(v[0].text), NULL, e);
}

/* Recordings that the catalog has of runs with the names and starts of these pages. */
static int ask_for_recordings(struct scan_pages *p, struct catalog *c,
                              const struct catalog_run *const *v, size_t n, struct err *e)
{
	struct catalog_value value[3 * ASKED];
	struct catalog_statement st = {.value = value, .output = id_and_source, .n_outputs = 2};
	struct buf sql = {0};
	int failed;

	buf_printf(&sql, "SELECT id, source FROM %s WHERE ", c->engine.table);
	for (size_t i = 0; i < n; i++) {
		double start = v[i]->row->of[RTRACK_ROW_START].number;
		buf_printf(&sql, "%s(joined = '' AND name = ? AND start > ? AND start < ?)",
		           i ? " OR " : "");
		value[st.n_values++] = (struct catalog_value){
		    .kind = CATALOG_TEXT, .text = v[i]->row->of[RTRACK_ROW_NAME].text};
		value[st.n_values++] =
		    (struct catalog_value){.kind = CATALOG_NUMBER, .number = start - SAME_START};
		value[st.n_values++] =
		    (struct catalog_value){.kind = CATALOG_NUMBER, .number = start + SAME_START};
	}
	st.sql = buf_cstr(&sql);
	failed = sql.failed ? no_scan_memory(e)
	                    : c->engine.select(c->engine.self, &st, on_known_recording, p, e);
	buf_free(&sql);
	return failed;
}

static int find_recordings(struct scan_pages *p, struct catalog *c, const struct catalog_run *v,
                           size_t n, struct err *e)
{
	const struct catalog_run *asked[ASKED];
	size_t k = 0;

	for (size_t i = 0; i < n && !c->engine.keep; i++) {
		if (scan_pages_is(v[i].source.path) &&
		    isfinite(v[i].row->of[RTRACK_ROW_START].number))
			asked[k++] = &v[i];
		if (k == ASKED || (k && i + 1 == n)) {
			if (ask_for_recordings(p, c, asked, k, e))
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

	*put = true;
	if (known->page && catalog_forget(c, known->page, &n, e))
		return -1;
	return p->expected ? note_run(p, id, NULL, e) : 0;
}

int scan_pages_choose(struct scan_pages *p, struct catalog *c, const struct catalog_run *v,
                      size_t n, bool *put, struct err *e)
{
	if ((n && !p->looked && find_known_pages(p, c, e)) || find_recordings(p, c, v, n, e))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (scan_pages_is(v[i].source.path) ? choose_page(p, &v[i], &put[i], e)
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
