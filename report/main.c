/* rtrack-report: turns recordings into a report. Only this file prints and exits. */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/base/standard_input.h"
#include "core/base/version.h"
#include "core/files/snapshot_read.h"
#include "core/numbers/metric.h"
#include "report/inputs.h"
#include "report/options/overwrite.h"
#include "report/options/privdrop.h"
#include "report/options/report_options.h"
#include "report/output/output_file.h"
#include "report/output/progress.h"
#include "report/output/transfer.h"
#include "report/outputs.h"
#include "report/prices/keeper.h"
#include "report/prices/keeper_file.h"
#include "report/prices/price_fetcher.h"
#include "report/program.h"
#include "report/recordings_report.h"
#include "report/runs/read_ahead.h"
#include "report/store/store_upload.h"
#include "report/watch_report.h"

/* Started before privdrop: afterwards this process can neither run a program nor use the
 * network. */
struct workers {
	struct store store;
	struct read_ahead ahead;
	struct program_browser browser;
	struct price_fetcher fetcher;
};

static int start_workers(struct workers *w, const struct report_options *o, struct err *e)
{
	*w = (struct workers){0};
	if (report_options_standard_input(o) && standard_input_spool(SNAPSHOT_BYTES_MAX, e))
		return -1;
	if (program_start_store(&w->store, o, e))
		return -1;
	output_file_store(&w->store);
	if (o->mode == REPORT_PUT || o->mode == REPORT_GET)
		return 0;
	if (report_options_may_join(o))
		read_ahead_start(&w->ahead, privdrop_reading, o);
	program_browser_start(&w->browser, o);
	if (!o->offline && !o->model.name && !o->keeper_file)
		price_fetcher_start(&w->fetcher, *o->keeper_url ? o->keeper_url : KEEPER_URL,
		                    o->keeper_timeout_s);
	return 0;
}

static void stop_workers(struct workers *w)
{
	price_fetcher_stop(&w->fetcher);
	program_browser_stop(&w->browser);
	read_ahead_stop(&w->ahead);
	store_stop(&w->store);
}

static void keep_quiet(const struct err *line)
{
	(void)line;
}

/* The messages about the recordings of a running job come with its last page. */
static int write_report(const struct report_options *o, struct workers *w, struct err *e)
{
	struct runs r = {0};
	bool last = o->every_s == 0;
	const struct recordings_report from = {o, &r, &w->fetcher, last ? program_say : keep_quiet};
	struct gate_results gates = {0};
	struct err note = {0};
	cJSON *model = NULL;
	int status = PROGRAM_NOT_WRITTEN;
	bool failed, usage = false;

	if (o->model.name)
		model = inputs_model(o->model, e);
	else if (recordings_report_load(o, &r, &w->ahead, &w->store, from.say, e) == 0 &&
	         (r.n || !r.n_failed))
		model = recordings_report_make(&from, &gates, &usage, e);
	failed = model && last && program_say_gates(&gates);
	if (model && outputs_write(o, model, &r, &note, e) == 0)
		status = r.n_failed ? PROGRAM_LEFT_OUT : PROGRAM_WRITTEN;
	if (failed && status != PROGRAM_NOT_WRITTEN)
		status = PROGRAM_GATE;
	program_say(&note);
	if (status != PROGRAM_NOT_WRITTEN)
		program_browser_show(&w->browser);
	else if (*e->msg)
		program_say(e);
	cJSON_Delete(model);
	gate_results_free(&gates);
	load_free(&r);
	return usage ? PROGRAM_USAGE : status;
}

/* --bisect */
static int print_bisect(const struct report_options *o, struct workers *w, struct err *e)
{
	struct runs r = {0};
	struct buf commits = {0};
	struct err change = {0};
	int failed = recordings_report_load(o, &r, &w->ahead, &w->store, program_say, e) ||
	                     recordings_report_bisect(&r, &commits, &change, e)
	                 ? -1
	                 : 0;

	load_free(&r);
	program_say(failed ? e : &change);
	if (!failed)
		return program_print(&commits);
	buf_free(&commits);
	return PROGRAM_NOT_WRITTEN;
}

/* --put and --get */
static int transfer_file(const struct report_options *o, struct workers *w, struct err *e)
{
	struct progress progress;
	struct err warning = {0};
	int failed;

	progress_begin(&progress, STDERR_FILENO, o->put.name ? "uploading" : "downloading", NULL);
	failed = o->put.name ? transfer_put(o->put, *o->input, &w->store, &progress, &warning, e)
	                     : transfer_get(o->input->name, o->get, &w->store, &progress, e);
	progress_clear(&progress);
	if (*warning.msg)
		program_say(&warning);
	if (failed)
		program_say(e);
	return failed ? PROGRAM_NOT_WRITTEN : PROGRAM_WRITTEN;
}

/* --keeper-save */
static int save_prices(const struct report_options *o, struct workers *w, struct err *e)
{
	struct keeper_query q = report_options_prices(o, &w->fetcher);
	struct buf content = {.max = KEEPER_FILE_MAX};
	struct output_file out = {0};
	int failed = keeper_save(&q, &content, e);

	if (!failed)
		failed = output_file_open(&out, o->keeper_save, e);
	if (!failed)
		failed = output_file_write(&out, buf_cstr(&content), content.len, e);
	if (!failed)
		failed = output_file_close(&out, e);
	output_file_drop(&out);
	buf_free(&content);
	if (failed)
		program_say(e);
	return failed ? PROGRAM_NOT_WRITTEN : PROGRAM_WRITTEN;
}

/* --put with --pieces: until the recording has ended. */
static int upload_recording(const struct report_options *o, struct err *e)
{
	const struct store_upload upload = {
	    .journal = o->put.name,
	    .address = o->input->name,
	    .every_s = o->pieces_s,
	    .warn = program_say,
	};
	struct store store = {0};
	int failed;

	store_upload_ignore_signals();
	failed = program_start_store(&store, o, e);
	if (!failed) {
		privdrop(o);
		failed = store_upload_run(&store, &upload, e);
	}
	if (failed)
		program_say(e);
	store_stop(&store);
	return failed ? PROGRAM_NOT_WRITTEN : PROGRAM_WRITTEN;
}

/* --watch, one time. While the job runs, no prices are asked for, not even for the page that Ctrl-C
 * leaves: the page of the ended job has them, and is the only one that carries the recording. */
static int write_watched(const struct report_options *o, struct workers *w, struct watch_page *page,
                         struct err *e)
{
	struct report_options again = *o;
	struct watch_sources from;
	int status = PROGRAM_WRITTEN;

	if (watch_report_choose(o, &w->store, page, &from, e)) {
		program_say(e);
		status = PROGRAM_NOT_WRITTEN;
	} else if (page->state != WATCH_PAGE_NONE) {
		again.current = from.current;
		again.input = from.input;
		again.n_inputs = from.n;
		if (page->state == WATCH_PAGE_RUNS)
			again.every_s = page->every_s;
		if (page->running)
			again.offline = again.no_model = true;
		status = write_report(&again, w, e);
	}
	watch_report_free(&from);
	return status;
}

/* page: NULL but for --watch. */
static int report_confined(const struct report_options *o, struct watch_page *page, struct err *e)
{
	struct workers w;
	int status;

	if (start_workers(&w, o, e)) {
		program_say(e);
		stop_workers(&w);
		return PROGRAM_NOT_WRITTEN;
	}
	privdrop(o);
	if (o->mode == REPORT_KEEPER_SAVE) {
		status = save_prices(o, &w, e);
	} else if (o->mode == REPORT_PUT || o->mode == REPORT_GET) {
		status = transfer_file(o, &w, e);
	} else if (o->mode == REPORT_BISECT) {
		status = print_bisect(o, &w, e);
		/* After privdrop, because this parses the files that would be overwritten. */
	} else if (overwrite_check(o, NULL, 0, e)) {
		program_say(e);
		status = alloc_failed() ? PROGRAM_NOT_WRITTEN : PROGRAM_USAGE;
	} else if (page) {
		status = write_watched(o, &w, page, e);
	} else {
		status = write_report(o, &w, e);
	}
	stop_workers(&w);
	return status;
}

/* --watch on the terminal */
static int show_watch(const struct report_options *o, struct err *e)
{
	struct store store = {0};
	struct buf said = {0};
	int failed = program_start_store(&store, o, e);

	if (!failed)
		failed = watch_report_screen(o, &store, &said, e);
	store_stop(&store);
	if (failed)
		program_say(e);
	if (failed || !said.len) {
		buf_free(&said);
		return failed ? PROGRAM_NOT_WRITTEN : PROGRAM_WRITTEN;
	}
	return program_print(&said);
}

int main(int argc, char **argv)
{
	struct report_options o;
	struct err e = {0};
	struct buf text = {0};
	int status;

	standard_input_occupy();
	alloc_failed_watch();
#ifdef M_TRIM_THRESHOLD
	/* glibc would give the buffers for each of thousands of recordings back to the kernel. */
	(void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
	(void)mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
	signal(SIGXFSZ, SIG_IGN); /* write() then fails with EFBIG, which we report */
	if (report_options_parse(&o, argc, argv, &e)) {
		program_say(&e);
		status = alloc_failed() ? PROGRAM_NOT_WRITTEN : PROGRAM_USAGE;
	} else if (o.help || o.version || o.list_metrics) {
		if (o.help)
			report_options_help(&o, &text);
		else if (o.version)
			buf_printf(&text, "rtrack-report %s\n", rtrack_version);
		else {
			metric_list(&text);
			measure_list_states(&text);
		}
		status = program_print(&text);
	} else if (o.pieces_s > 0) {
		status = upload_recording(&o, &e);
	} else if (report_options_screen(&o)) {
		status = show_watch(&o, &e);
	} else if (o.watch) {
		status = watch_report_pages(report_confined, &o, &e);
		if (*e.msg)
			program_say(&e);
	} else {
		report_options_journals(&o, program_say);
		status = report_confined(&o, NULL, &e);
	}
	report_options_free(&o);
	return status;
}
