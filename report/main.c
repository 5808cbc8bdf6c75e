/* rtrack-report: turns recordings into a report. Only this file prints and exits. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/base/standard_input.h"
#include "core/files/snapshot_read.h"
#include "core/numbers/metric.h"
#include "report/advice/gate_results.h"
#include "report/advice/gate_text.h"
#include "report/ci_report.h"
#include "report/fleet_report.h"
#include "report/inputs.h"
#include "report/job_report.h"
#include "report/options/overwrite.h"
#include "report/options/privdrop.h"
#include "report/options/report_options.h"
#include "report/output/open_browser.h"
#include "report/output/output_file.h"
#include "report/output/progress.h"
#include "report/output/transfer.h"
#include "report/outputs.h"
#include "report/prices/price_fetcher.h"
#include "report/recordings_report.h"
#include "report/runs/read_ahead.h"
#include "report/store/store_upload.h"
#include "report/watch_report.h"

enum {
	STATUS_WRITTEN = 0,
	STATUS_NOT_WRITTEN = 1,
	STATUS_USAGE = 2,
	STATUS_GATE = 3,
	STATUS_LEFT_OUT = 4
};

static void print_error(const struct err *e)
{
	fprintf(stderr, "rtrack-report: %s\n", e->msg);
}

static void print_warning(struct err line)
{
	if (*line.msg)
		print_error(&line);
}

static int print_text(struct buf *text)
{
	bool whole = !text->failed;
	int failed = !whole || fputs(buf_cstr(text), stdout) == EOF || fflush(stdout);

	if (failed)
		fprintf(stderr, "rtrack-report: standard output: %s\n",
		        whole ? strerror(errno) : "no memory");
	buf_free(text);
	return failed ? STATUS_NOT_WRITTEN : STATUS_WRITTEN;
}

/* Started before privdrop: afterwards this process can neither run a program nor use the
 * network. */
struct workers {
	struct store store;
	struct read_ahead ahead;
	struct worker browser;
	struct err no_browser; /* why it did not start; empty if it did */
	struct price_fetcher fetcher;
	struct fleet_workers fleet;
};

/* Prints the gates that failed or could not be judged. Returns whether any failed. */
static bool print_gates(const struct gate_results *gates)
{
	for (size_t i = 0; i < gates->n; i++) {
		const struct gate_outcome *o = &gates->v[i];
		struct buf text = {0};
		struct err line = {0};
		gate_sentence(&o->gate, &o->result, gates->currency, &text);
		if (o->result.answer == GATE_HOLDS)
			err_set(&line, "gate failed: %s (%s)", buf_cstr(&text), o->gate.text);
		else if (o->result.answer == GATE_NOT_JUDGED)
			err_set(&line, "%s", buf_cstr(&text));
		if (*line.msg)
			print_error(&line);
		buf_free(&text);
	}
	return gates->count[GATE_HOLDS] > 0;
}

/* First: it takes the secrets out of what the others inherit. */
static int start_store(struct store *s, const struct report_options *o, struct err *e)
{
	size_t n = o->n_inputs + 1 + REPORT_OPTIONS_OUTPUTS_MAX;
	struct store_grant *granted = calloc(n, sizeof *granted);
	bool limited = o->time_limit_s > 0 || o->pieces_s > 0; /* 0: none, it may take weeks */
	int failed = 0;

	if (!granted)
		return err_set(e, "no memory for the report");
	n = report_options_stores(o, granted);
	if (n)
		failed = store_start(s, granted, n, limited ? o->time_limit_s : STORE_LIMIT_S, e);
	free(granted);
	return failed;
}

static int start_workers(struct workers *w, const struct report_options *o, struct err *e)
{
	bool many = report_options_many(o);

	*w = (struct workers){0};
	if (report_options_standard_input(o) && standard_input_spool(SNAPSHOT_BYTES_MAX, e))
		return -1;
	if (start_store(&w->store, o, e))
		return -1;
	output_file_store(&w->store);
	if (o->mode == REPORT_PUT || o->mode == REPORT_GET)
		return 0;
	if (!many && report_options_may_join(o))
		read_ahead_start(&w->ahead, privdrop_reading, o);
	if (many && fleet_report_start(&w->fleet, o, e))
		return -1;
	w->fleet.store = &w->store;
	if (o->open)
		open_browser_start(&w->browser, o->file[FORMAT_HTML], &w->no_browser);
	if (!many && !o->offline && !o->model.name)
		price_fetcher_start(&w->fetcher, *o->keeper_url ? o->keeper_url : KEEPER_URL,
		                    o->keeper_timeout_s);
	return 0;
}

static void stop_workers(struct workers *w)
{
	fleet_report_stop(&w->fleet);
	price_fetcher_stop(&w->fetcher);
	worker_stop(&w->browser);
	read_ahead_stop(&w->ahead);
	store_stop(&w->store);
}

/* The report is written by now, so a browser that does not open is not a failure. */
static void show_in_browser(const struct workers *w)
{
	struct err e = {0};

	if (*w->no_browser.msg)
		print_error(&w->no_browser);
	else if (w->browser.pid && open_browser_show(&w->browser, &e))
		print_error(&e);
}

static void keep_quiet(const struct err *line)
{
	(void)line;
}

/* What a page of a running job has to say about its recordings is said with the last one. */
static int write_report(const struct report_options *o, struct workers *w, struct err *e)
{
	struct runs r = {0};
	bool last = o->every_s == 0;
	const struct recordings_report from = {o, &r, &w->fetcher, last ? print_error : keep_quiet};
	struct gate_results gates = {0};
	struct err note = {0};
	cJSON *model = NULL;
	int status = STATUS_NOT_WRITTEN;
	bool failed, usage = false;

	if (o->model.name)
		model = inputs_model(o->model, e);
	else if (recordings_report_load(o, &r, &w->ahead, &w->store, from.say, e) == 0 &&
	         (r.n || !r.n_failed))
		model = recordings_report_make(&from, &gates, &usage, e);
	failed = model && last && print_gates(&gates);
	if (model && outputs_write(o, model, &r, &note, e) == 0)
		status = failed ? STATUS_GATE : r.n_failed ? STATUS_LEFT_OUT : STATUS_WRITTEN;
	print_warning(note);
	if (status != STATUS_NOT_WRITTEN)
		show_in_browser(w);
	else if (*e->msg)
		print_error(e);
	cJSON_Delete(model);
	gate_results_free(&gates);
	load_free(&r);
	return usage ? STATUS_USAGE : status;
}

static void show_fleet_progress(void *ctx, size_t done, size_t of)
{
	progress_show(ctx, (double)done, (double)of);
}

/* The progress line comes again below the message. */
static void say_above_progress(void *ctx, const struct err *line)
{
	progress_clear(ctx);
	print_error(line);
}

static int write_fleet(const struct report_options *o, struct workers *w, struct err *e)
{
	struct progress progress;
	const struct fleet_report_watch watch = {say_above_progress, show_fleet_progress,
	                                         &progress};
	const struct runs none = {0};
	struct fleet_report r = {0};
	struct err note = {0};
	int status = STATUS_NOT_WRITTEN, made;
	bool failed;

	progress_begin(&progress, STDERR_FILENO, "reading", "recordings");
	made = fleet_report_make(o, &w->fleet, &watch, &r, e);
	progress_clear(&progress);
	failed = made == 0 && print_gates(&r.gates);
	if (made == 0 &&
	    (r.model ? outputs_write(o, r.model, &none, &note, e) : print_text(&r.done)) == 0)
		status = failed ? STATUS_GATE : r.left_out ? STATUS_LEFT_OUT : STATUS_WRITTEN;
	print_warning(note);
	if (status != STATUS_NOT_WRITTEN)
		show_in_browser(w);
	else if (*e->msg)
		print_error(e);
	fleet_report_free(&r);
	return status;
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
		print_error(&warning);
	if (failed)
		print_error(e);
	return failed ? STATUS_NOT_WRITTEN : STATUS_WRITTEN;
}

/* --put with --pieces: until the recording has ended. */
static int upload_recording(const struct report_options *o, struct err *e)
{
	const struct store_upload upload = {
	    .journal = o->put.name,
	    .address = o->input->name,
	    .every_s = o->pieces_s,
	    .warn = print_error,
	};
	struct store store = {0};
	int failed;

	store_upload_ignore_signals();
	failed = start_store(&store, o, e);
	if (!failed) {
		privdrop(o);
		failed = store_upload_run(&store, &upload, e);
	}
	if (failed)
		print_error(e);
	store_stop(&store);
	return failed ? STATUS_NOT_WRITTEN : STATUS_WRITTEN;
}

/* --watch, one time. While the job runs, no prices are asked for, not even for the page that Ctrl-C
 * leaves: the page of the ended job has them, and is the only one that carries the recording. */
static int write_watched(const struct report_options *o, struct workers *w, struct watch_page *page,
                         struct err *e)
{
	struct report_options again = *o;
	struct watch_sources from;
	int status = STATUS_WRITTEN;

	if (watch_report_choose(o, &w->store, page, &from, e)) {
		print_error(e);
		status = STATUS_NOT_WRITTEN;
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
		print_error(e);
		stop_workers(&w);
		return STATUS_NOT_WRITTEN;
	}
	privdrop(o);
	if (o->mode == REPORT_PUT || o->mode == REPORT_GET) {
		status = transfer_file(o, &w, e);
		/* After privdrop, because this parses the files that would be overwritten. */
	} else if (overwrite_check(o, e)) {
		print_error(e);
		status = alloc_failed() ? STATUS_NOT_WRITTEN : STATUS_USAGE;
	} else if (report_options_many(o)) {
		status = write_fleet(o, &w, e);
	} else if (page) {
		status = write_watched(o, &w, page, e);
	} else {
		status = write_report(o, &w, e);
	}
	stop_workers(&w);
	return status;
}

/* --job: its recordings become the inputs. */
static int report_job(struct report_options *o, struct err *e)
{
	struct progress progress;
	const struct fleet_report_watch watch = {say_above_progress, show_fleet_progress,
	                                         &progress};
	struct job_report job = {0};
	int failed, status;

	progress_begin(&progress, STDERR_FILENO, "reading", "recordings");
	failed = job_report_find(o, start_store, &watch, &job, e);
	progress_clear(&progress);
	if (failed)
		print_error(e);
	status = failed ? STATUS_NOT_WRITTEN : report_confined(o, NULL, e);
	job_report_free(&job);
	return status;
}

/* --watch on the terminal */
static int show_watch(const struct report_options *o, struct err *e)
{
	struct store store = {0};
	struct buf said = {0};
	int failed = start_store(&store, o, e);

	if (!failed)
		failed = watch_report_screen(o, &store, &said, e);
	store_stop(&store);
	if (failed)
		print_error(e);
	if (failed || !said.len) {
		buf_free(&said);
		return failed ? STATUS_NOT_WRITTEN : STATUS_WRITTEN;
	}
	return print_text(&said);
}

int main(int argc, char **argv)
{
	struct report_options o;
	struct err e = {0};
	struct buf text = {0};
	int status;

	standard_input_occupy();
	alloc_failed_watch();
	signal(SIGXFSZ, SIG_IGN); /* write() then fails with EFBIG, which we report */
	if (report_options_parse(&o, argc, argv, &e)) {
		print_error(&e);
		status = alloc_failed() ? STATUS_NOT_WRITTEN : STATUS_USAGE;
	} else if (o.help || o.version || o.list_metrics || o.list_runners) {
		if (o.help)
			report_options_help(&o, &text);
		else if (o.version)
			buf_str(&text, "rtrack-report " RTRACK_VERSION "\n");
		else if (o.list_runners)
			ci_report_list_runners(&text);
		else {
			metric_list(&text);
			measure_list_states(&text);
		}
		status = print_text(&text);
	} else if (o.pieces_s > 0) {
		status = upload_recording(&o, &e);
	} else if (report_options_screen(&o)) {
		status = show_watch(&o, &e);
	} else if (o.watch) {
		status = watch_report_pages(report_confined, &o, &e);
		if (*e.msg)
			print_error(&e);
	} else if (o.job) {
		status = report_job(&o, &e);
	} else {
		report_options_journals(&o, print_error);
		status = report_confined(&o, NULL, &e);
	}
	report_options_free(&o);
	return status;
}
