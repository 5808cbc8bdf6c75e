/* fleet_sources: the SOURCEs of many runs. */
#include "fleet/scan/fleet_sources.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "fleet/catalog/catalog_engine.h"
#include "fleet/options/fleet_source.h"
#include "fleet/scan/scan_remove.h"
#include "report/units/others_text.h"
#include "report/units/units.h"

#define SAID_MAX ((size_t)20) /* files that are named on standard error */

static void note_failure(void *ctx, const struct err *why)
{
	struct fleet_failures *f = ctx;

	if (f->n < SAID_MAX)
		f->watch->say(f->watch->ctx, why);
	if (f->n_kept < FLEET_SOURCES_KEPT)
		f->kept[f->n_kept++] = *why;
	f->n++;
}

static void note_remark(void *ctx, const struct err *what)
{
	struct fleet_failures *f = ctx;

	if (f->remarks++ < SAID_MAX)
		f->watch->say(f->watch->ctx, what);
}

static void note_progress(void *ctx, size_t done, size_t of)
{
	const struct fleet_failures *f = ctx;

	f->watch->progress(f->watch->ctx, done, of);
}

static void say_more(const struct fleet_failures *f)
{
	char n[UNITS_SIZE];
	struct err line = {0};

	if (f->n <= SAID_MAX)
		return;
	err_set(&line, "%s more like %s", units_count((double)(f->n - SAID_MAX), n),
	        f->n == SAID_MAX + 1 ? "this" : "these");
	f->watch->say(f->watch->ctx, &line);
}

static void say_copies(const struct fleet_failures *f, size_t copies)
{
	char n[UNITS_SIZE];
	struct err line = {0};

	if (!copies)
		return;
	err_set(&line, "%s recording%s another one and do%s not count",
	        units_count((double)copies, n), copies == 1 ? " is a copy of" : "s are copies of",
	        copies == 1 ? "es" : "");
	f->watch->say(f->watch->ctx, &line);
}

struct catalog *fleet_sources_open(const struct fleet_options *o,
                                   const struct catalog_fetcher *fetcher,
                                   const struct fleet_report_watch *watch, struct err *e)
{
	struct catalog *c = catalog_open(o->catalog, CATALOG_WRITE, fetcher, e);
	struct buf place = {0};
	struct err line = {0};
	size_t rows;
	int from;

	if (!c || catalog_older(c, &from, &rows, e)) {
		catalog_close(c);
		return NULL;
	}
	if (!from)
		return c;
	fleet_source_text(o->catalog, NULL, 0, 0, &place);
	err_set(&line,
	        "%s was of version %d and is of version %d now: an older rtrack refuses it; "
	        "recordings that are still there are read again for columns that are new",
	        buf_cstr(&place), from, CATALOG_SCHEMA);
	watch->say(watch->ctx, &line);
	buf_free(&place);
	return c;
}

int fleet_sources_add(const struct fleet_options *o, struct fleet_workers *w, struct catalog *c,
                      struct fleet_failures *f, struct scan_result *r, struct err *e)
{
	const struct scan_input in = {
	    .input = o->page.input,
	    .n = o->page.n_inputs,
	    .store = w->store,
	    .failure = note_failure,
	    .remark = note_remark,
	    .progress = note_progress,
	    .ctx = f,
	    .now = fmax((double)time(NULL), o->page.now), /* fmax ignores a NAN */
	    .accounting = w->sacct.out,
	    .steps = o->steps,
	    .allocated = o->allocated,
	    .limits = {(size_t)o->user_files, o->user_bytes, o->user_time},
	    .once = !o->catalog,
	};
	int from, failed = in.n || in.accounting ? scan_run(&w->scan, &in, c, r, e) : 0;

	if (!failed && o->catalog)
		failed = catalog_older(c, &from, &f->older, e);

	if (in.accounting && !failed)
		failed = sacct_program_finish(&w->sacct, e);
	f->others = r->others;
	say_more(f);
	say_copies(f, r->copies);
	scan_stop(&w->scan);
	return failed;
}

static void say_scan_gaps(const struct scan_result *r, struct buf *out)
{
	size_t files = r->failed - r->empty - r->over;
	char n[UNITS_SIZE];

	if (files)
		buf_printf(out, "; %s %s left out", units_count((double)files, n),
		           files == 1 ? "was" : "were");
	if (r->empty)
		buf_printf(out, "; %s SOURCE%s no recordings", units_count((double)r->empty, n),
		           r->empty == 1 ? " has" : "s have");
	if (r->over)
		buf_printf(out, "; %s user%s more than one add reads",
		           units_count((double)r->over, n), r->over == 1 ? " has" : "s have");
}

void fleet_sources_added(const struct fleet_options *o, const struct scan_result *r,
                         const struct fleet_failures *failed, struct buf *out)
{
	char added[UNITS_SIZE], listed[UNITS_SIZE], left[UNITS_SIZE];
	const char *what = r->imported ? "recordings and job" : "recording";

	if (!o->page.n_inputs && !o->sacct_since_text) {
		buf_str(out, "the catalog exists; no SOURCE was given to add\n");
		return;
	}
	units_count((double)r->added, added);
	units_count((double)r->listed, listed);
	if (r->imported && r->imported == r->listed)
		what = "job";
	buf_printf(out, "added %s of %s %s%s", added, listed, what, r->listed == 1 ? "" : "s");
	if (r->closed)
		buf_printf(out, "; %s folder%s of days ha%s not changed",
		           units_count((double)r->closed, left), r->closed == 1 ? "" : "s",
		           r->closed == 1 ? "s" : "ve");
	say_scan_gaps(r, out);
	if (failed->older)
		buf_printf(out, "; %s row%s only what an older version knew: %s not read again",
		           units_count((double)failed->older, left),
		           failed->older == 1 ? " has" : "s have",
		           failed->older == 1 ? "its recording was" : "their recordings were");
	if (r->others.files + r->others.folders) {
		buf_str(out, "; ");
		others_text(&r->others, out);
	}
	buf_str(out, "\n");
}

/* Opening a catalog for writing makes it; "forget" must not. */
static int forget_rows(const struct fleet_options *o, const struct catalog_fetcher *fetcher,
                       const struct fleet_report_watch *watch, struct buf *done, struct err *e)
{
	struct catalog *c = catalog_open(o->catalog, CATALOG_READ, fetcher, e);
	char count[UNITS_SIZE], path[FLEET_SOURCE_MAX];
	int failed = 0;
	size_t n = 0;

	if (!c)
		return -1;
	catalog_close(c);
	c = fleet_sources_open(o, fetcher, watch, e);
	if (!c)
		return -1;
	for (size_t i = 0; !failed && i < o->page.n_inputs; i++)
		failed = fleet_source_path(o->page.input[i].name, path, e) ||
		         catalog_forget(c, path, o->older_than, &n, e);
	catalog_close(c);
	if (!failed)
		buf_printf(done, "removed %s recording%s\n", units_count((double)n, count),
		           n == 1 ? "" : "s");
	return failed ? -1 : 0;
}

static int remove_files(const struct fleet_options *o, struct fleet_failures *f,
                        struct fleet_report *out, struct err *e)
{
	char files[UNITS_SIZE], folders[UNITS_SIZE], kept[UNITS_SIZE];
	struct scan_removed r = {.files = 0};

	for (size_t i = 0; i < o->page.n_inputs; i++)
		if (scan_remove(o->page.input[i].name, o->older_than, note_failure, f, &r, e))
			return -1;
	say_more(f);
	buf_printf(&out->done, "removed %s file%s and %s folder%s of days",
	           units_count((double)r.files, files), r.files == 1 ? "" : "s",
	           units_count((double)r.folders, folders), r.folders == 1 ? "" : "s");
	if (r.kept)
		buf_printf(&out->done, "; %s folder%s of days ha%s other files",
		           units_count((double)r.kept, kept), r.kept == 1 ? "" : "s",
		           r.kept == 1 ? "s" : "ve");
	buf_str(&out->done, "\n");
	out->left_out = f->n;
	return 0;
}

int fleet_sources_forget(const struct fleet_options *o, const struct catalog_fetcher *fetcher,
                         const struct fleet_report_watch *watch, struct fleet_report *out,
                         struct err *e)
{
	struct fleet_failures *f = o->files ? calloc(1, sizeof *f) : NULL;
	int failed;

	if (!o->files)
		return forget_rows(o, fetcher, watch, &out->done, e);
	if (!f)
		return err_set(e, "no memory");
	f->watch = watch;
	failed = remove_files(o, f, out, e);
	free(f);
	return failed;
}

void fleet_sources_none(const struct fleet_options *o, const struct input_others *others,
                        struct err *e)
{
	struct buf text = {0};

	others_text(others, &text);
	err_set(e, "%s%s: no recordings there%s%s",
	        o->page.n_inputs ? o->page.input->name : "sacct",
	        o->page.n_inputs > 1 ? " and others" : "", text.len ? ": " : "", buf_cstr(&text));
	buf_free(&text);
}
