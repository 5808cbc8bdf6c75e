/* rtrack-fleet: tells about many runs. Only this file and report/program.c print. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/program_name.h"
#include "core/base/standard_input.h"
#include "core/base/version.h"
#include "core/files/snapshot_read.h"
#include "core/numbers/metric.h"
#include "fleet/ci/ci_report.h"
#include "fleet/fleet_report.h"
#include "fleet/job_report.h"
#include "fleet/options/fleet_options.h"
#include "fleet/options/fleet_privdrop.h"
#include "report/options/overwrite.h"
#include "report/output/output_file.h"
#include "report/output/progress.h"
#include "report/outputs.h"
#include "report/program.h"
#include "report/stats/measure.h"

/* Started before fleet_privdrop: afterwards this process can neither run a program nor use the
 * network. */
struct workers {
	struct store store;
	struct program_browser browser;
	struct fleet_workers fleet;
};

static int start_fleet(struct workers *w, const struct fleet_options *o, struct err *e)
{
	*w = (struct workers){0};
	if (o->mail && mkdir(o->mail, 0777) && errno != EEXIST)
		return err_set(e, "--mail-dir: %s: %s", o->mail, strerror(errno));
	if (report_options_standard_input(&o->page) && standard_input_spool(SNAPSHOT_BYTES_MAX, e))
		return -1;
	if (o->verb != FLEET_FORGET && program_start_store(&w->store, &o->page, e))
		return -1;
	output_file_store(&w->store);
	if (fleet_report_start(&w->fleet, o, e))
		return -1;
	w->fleet.store = &w->store;
	program_browser_start(&w->browser, &o->page);
	return 0;
}

static void stop_fleet(struct workers *w)
{
	fleet_report_stop(&w->fleet);
	program_browser_stop(&w->browser);
	store_stop(&w->store);
}

static void show_progress(void *ctx, size_t done, size_t of)
{
	progress_show(ctx, (double)done, (double)of);
}

/* The progress line comes again below the message. */
static void say_above_progress(void *ctx, const struct err *line)
{
	progress_clear(ctx);
	program_say(line);
}

static int write_outputs(const struct fleet_options *o, struct workers *w, struct err *e)
{
	struct progress progress;
	const struct fleet_report_watch watch = {say_above_progress, show_progress, &progress};
	const struct runs none = {0};
	struct fleet_report r = {0};
	struct err note = {0};
	int status = PROGRAM_NOT_WRITTEN, failed;
	bool gate;

	progress_begin(&progress, STDERR_FILENO, "reading", "recordings");
	failed = fleet_report_make(o, &w->fleet, &watch, &r, e);
	progress_clear(&progress);
	if (failed) {
		program_say(e);
		goto out;
	}
	gate = program_say_gates(&r.gates);
	failed =
	    r.model ? outputs_write(&o->page, r.model, &none, &note, e) : program_print(&r.done);
	program_say(&note);
	if (failed) {
		program_say(e);
		goto out;
	}
	status = r.left_out ? PROGRAM_LEFT_OUT : PROGRAM_WRITTEN;
	if (gate)
		status = PROGRAM_GATE;
	program_browser_show(&w->browser);
out:
	fleet_report_free(&r);
	return status;
}

static int run_confined(const struct fleet_options *o, struct err *e)
{
	const char *const inputs[] = {o->catalog, o->runner_prices, o->mail_rules, o->mail_state};
	struct workers w;
	int status;

	if (start_fleet(&w, o, e)) {
		program_say(e);
		stop_fleet(&w);
		return PROGRAM_NOT_WRITTEN;
	}
	fleet_privdrop(o);
	/* After fleet_privdrop, because this parses the files that would be overwritten. */
	if (overwrite_check(&o->page, inputs, sizeof inputs / sizeof *inputs, e)) {
		program_say(e);
		status = alloc_failed() ? PROGRAM_NOT_WRITTEN : PROGRAM_USAGE;
	} else {
		status = write_outputs(o, &w, e);
	}
	stop_fleet(&w);
	return status;
}

/* Ends as rtrack-report, if the job is found. */
static int report_job(const struct fleet_options *o, struct err *e)
{
	struct progress progress;
	const struct fleet_report_watch watch = {say_above_progress, show_progress, &progress};
	struct job_report job = {0};
	int failed;

	/* rtrack-report does not know the catalog. */
	if (overwrite_check_files(&o->page, &o->catalog, 1, e)) {
		program_say(e);
		return alloc_failed() ? PROGRAM_NOT_WRITTEN : PROGRAM_USAGE;
	}
	progress_begin(&progress, STDERR_FILENO, "reading", "recordings");
	failed = job_report_find(o, program_start_store, &watch, &job, e);
	progress_clear(&progress);
	if (!failed)
		job_report_exec(o, &job, e);
	program_say(e);
	job_report_free(&job);
	return PROGRAM_NOT_WRITTEN;
}

static int print_what_was_asked(const struct fleet_options *o)
{
	struct buf text = {0};

	if (o->page.help)
		fleet_options_help(o, &text);
	else if (o->page.version)
		buf_printf(&text, "rtrack-fleet %s\n", rtrack_version);
	else if (o->list_runners)
		ci_report_list_runners(&text);
	else {
		metric_list(&text);
		measure_list_states(&text);
	}
	return program_print(&text);
}

int main(int argc, char **argv)
{
	struct fleet_options o;
	struct err e = {0};
	int status;

	program_name_is_fleet();
	standard_input_occupy();
	alloc_failed_watch();
	signal(SIGXFSZ, SIG_IGN); /* write() then fails with EFBIG, which we report */
	if (fleet_options_parse(&o, argc, argv, &e)) {
		program_say(&e);
		status = alloc_failed() ? PROGRAM_NOT_WRITTEN : PROGRAM_USAGE;
	} else if (o.page.help || o.page.version || o.page.list_metrics || o.list_runners) {
		status = print_what_was_asked(&o);
	} else if (o.verb == FLEET_JOB) {
		status = report_job(&o, &e);
	} else {
		status = run_confined(&o, &e);
	}
	fleet_options_free(&o);
	return status;
}
