/* rtrack-report: turns recordings into a page. Only this file prints and exits. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/alloc_failed.h"
#include "core/buf.h"
#include "core/metric.h"
#include "report/advice/gate_results.h"
#include "report/advice/gate_text.h"
#include "report/chart/comparison.h"
#include "report/model/model_views.h"
#include "report/overwrite.h"
#include "report/prices/keeper.h"
#include "report/prices/price_fetcher.h"
#include "report/privdrop.h"
#include "report/recommend.h"
#include "report/render/open_browser.h"
#include "report/render/render.h"
#include "report/report_options.h"
#include "report/runs/load.h"
#include "report/stats/history.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

enum {
	STATUS_WRITTEN = 0,
	STATUS_NOT_WRITTEN = 1,
	STATUS_USAGE = 2,
	STATUS_GATE = 3,
	STATUS_LEFT_OUT = 4
};

static void complain(const struct err *e)
{
	fprintf(stderr, "rtrack-report: %s\n", e->msg);
}

static int print(struct buf *text)
{
	bool whole = !text->failed;
	int failed = !whole || fputs(buf_cstr(text), stdout) == EOF || fflush(stdout);

	if (failed)
		fprintf(stderr, "rtrack-report: standard output: %s\n",
		        whole ? strerror(errno) : "no memory");
	buf_free(text);
	return failed ? STATUS_NOT_WRITTEN : STATUS_WRITTEN;
}

static double clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec;
}

/* Nothing recorded can be later. --now may be far in the past ($SOURCE_DATE_EPOCH of a reproducible
 * build is that of its sources), so it can only move this forward. */
static double latest_now(const struct report_options *o)
{
	double now = clock_now();

	return o->now > now ? o->now : now;
}

static void warn_of_future(const struct runs *r)
{
	const struct run *first = NULL;
	char at[UNITS_SIZE];
	struct err line = {0};
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].future && n++ == 0)
			first = &r->v[i];
	if (!first)
		return;
	units_time_text(first->start, at);
	if (n > 1)
		err_set(&line, "%s and %zu more: start in the future (%s)", first->file, n - 1, at);
	else
		err_set(&line, "%s: starts in the future (%s)", first->file, at);
	complain(&line);
}

/* r has no runs where the model was read. */
static int render_all(const struct report_options *o, const cJSON *model, const struct runs *r,
                      struct err *e)
{
	const struct csv_table_options csv = {
	    .bytes = o->bytes,
	    .human_names = o->human_names,
	    .schema = !o->schema          ? 0
	              : *o->schema == '1' ? SCHEMA_1
	                                  : SCHEMA_2,
	};

	for (size_t i = 0; i < FORMATS; i++) {
		const char *path = report_options_output(o, &output_formats[i]);
		if (path && render_format(model, &output_formats[i], path, e))
			return -1;
	}
	if (o->csv && r->n && render_csv(&r->v[0], &csv, o->csv, e))
		return -1;
	for (size_t i = 0; i < o->templates.n; i++)
		if (render_template(model, o->templates.v[i], e))
			return -1;
	return 0;
}

static cJSON *add_views(cJSON *model, const struct model_input *in, const struct report_options *o,
                        struct err *e)
{
	const struct view_options views = {
	    .ram_unit = o->ram_unit,
	    .gpu_ram_unit = o->gpu_ram_unit,
	    .time_unit = o->time_unit,
	    .expected_cores = o->expected_cores,
	    .gpus = o->gpus,
	};

	/* What there was no memory for is not in the model, and so is not said there either. */
	if (model && !alloc_failed() && views_add(model, in, &views, e) == 0 && !alloc_failed())
		return model;
	if (!*e->msg)
		err_set(e, "no memory for the report");
	cJSON_Delete(model);
	return NULL;
}

/* The page says it too, but who only looks at the terminal must not miss it. */
static void tell_prices(const struct report_options *o, const struct keeper_result *k)
{
	struct err line = {0};

	if (k->known || o->offline)
		return;
	err_set(&line, "no prices: %s", k->why);
	complain(&line);
}

/* *usage: what is wrong is how the command was called. */
static cJSON *model_of(const struct report_options *o, struct runs *r,
                       struct price_fetcher *courier, struct gate_results *gates, bool *usage,
                       struct err *e)
{
	struct model_input in;
	struct recommend *c;
	struct comparison *compare = NULL;
	cJSON *model = NULL;

	if (history_choose(r, o->history, e))
		return NULL;
	if (load_whole(&r->v[0], e))
		return NULL;
	if (o->compare && !(compare = comparison_new(r, &o->names, e)))
		return NULL;
	load_tell_status(&r->v[0], o->status);
	c = calloc(1, sizeof *c);
	if (!c) {
		err_set(e, "no memory for the report");
	} else if (recommend_runs(r, o, courier, c, e)) {
		*usage = true;
	} else if (gate_results_of(&o->fail_if, r, &c->keeper, gates, e) == 0) {
		price_fetcher_stop(courier);
		tell_prices(o, &c->keeper);
		in = (struct model_input){
		    .runs = r,
		    .advice = &c->advice,
		    .basis = c->basis,
		    .keeper = &c->keeper,
		    .compare = compare,
		    .title = o->title,
		    .integration = o->integration,
		    .gates = gates,
		    .now = isnan(o->now) ? clock_now() : o->now,
		    .runs_per_month = o->runs_per_month,
		};
		model = add_views(model_build(&in), &in, o, e);
	}
	free(c);
	comparison_free(compare);
	return model;
}

/* Reads all files; each that can't be read is named, and left out. */
static int load_all(const struct report_options *o, struct runs *r, struct err *e)
{
	r->current = o->current;
	r->group_by = &o->group_by;
	r->now = latest_now(o);
	if (o->current && load_path(r, o->current, e))
		return -1;
	for (int i = 0; i < o->n_files; i++)
		if (load_path(r, o->files[i], e))
			return -1;
	for (size_t i = 0; i < r->n_failed; i++)
		complain(&r->failed[i].err);
	warn_of_future(r);
	return 0;
}

/* Says which gates failed and which were not judged. Whether any failed. */
static bool tell_gates(const struct gate_results *gates)
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
			complain(&line);
		buf_free(&text);
	}
	return gates->count[GATE_HOLDS] > 0;
}

/* Processes for what this one gives up. */
struct aides {
	struct worker_process viewer;
	struct err no_viewer; /* why there is none */
	struct price_fetcher courier;
};

static void start_aides(struct aides *a, const struct report_options *o)
{
	*a = (struct aides){0};
	if (o->open)
		open_browser_start(&a->viewer,
		                   report_options_output(o, &output_formats[FORMAT_HTML]),
		                   &a->no_viewer);
	if (!o->offline && !o->model)
		price_fetcher_start(&a->courier, *o->keeper_url ? o->keeper_url : KEEPER_URL);
}

static void stop_aides(struct aides *a)
{
	price_fetcher_stop(&a->courier);
	worker_process_stop(&a->viewer);
}

/* The page is written: that nobody shows it is told, and changes no status. */
static void show(const struct aides *a)
{
	struct err e = {0};

	if (*a->no_viewer.msg)
		complain(&a->no_viewer);
	else if (a->viewer.pid && open_browser_show(&a->viewer, &e))
		complain(&e);
}

static int report(const struct report_options *o, struct aides *a, struct err *e)
{
	struct runs r = {0};
	struct gate_results gates = {0};
	cJSON *model = NULL;
	int status = STATUS_NOT_WRITTEN;
	bool failed, usage = false;

	if (o->model)
		model = model_json_read(o->model, e);
	else if (load_all(o, &r, e) == 0 && (r.n || !r.n_failed))
		model = model_of(o, &r, &a->courier, &gates, &usage, e);
	failed = model && tell_gates(&gates);
	if (model && render_all(o, model, &r, e) == 0)
		status = failed ? STATUS_GATE : r.n_failed ? STATUS_LEFT_OUT : STATUS_WRITTEN;
	if (status != STATUS_NOT_WRITTEN)
		show(a);
	else if (*e->msg)
		complain(e);
	cJSON_Delete(model);
	gate_results_free(&gates);
	load_free(&r);
	return usage ? STATUS_USAGE : status;
}

static int report_confined(const struct report_options *o, struct err *e)
{
	struct aides a;
	int status;

	start_aides(&a, o);
	privdrop(o);
	/* What an output would overwrite may be a recording, hostile as any. */
	if (overwrite_check(o, e)) {
		complain(e);
		status = alloc_failed() ? STATUS_NOT_WRITTEN : STATUS_USAGE;
	} else {
		status = report(o, &a, e);
	}
	stop_aides(&a);
	return status;
}

/* What we open must not become standard output or error: where there is none, writing there fails.
 */
static void occupy_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	struct report_options o;
	struct err e = {0};
	struct buf text = {0};

	occupy_standard_files();
	alloc_failed_watch();
	signal(SIGXFSZ, SIG_IGN); /* a write that fails is told by its errno */
	if (report_options_parse(&o, argc, argv, &e)) {
		complain(&e);
		return STATUS_USAGE;
	}
	if (o.help)
		report_options_help(&text);
	else if (o.version)
		buf_str(&text, "rtrack-report " RTRACK_VERSION "\n");
	else if (o.list_metrics)
		metric_list(&text);
	else
		return report_confined(&o, &e);
	return print(&text);
}
