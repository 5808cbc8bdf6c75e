/* rtrack-report: turns recordings into a page. Only this file prints and exits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../core/buf.h"
#include "../core/metric.h"
#include "consult.h"
#include "history.h"
#include "load.h"
#include "model.h"
#include "options.h"
#include "render.h"
#include "tree.h"

enum { STATUS_WRITTEN = 0, STATUS_NOT_WRITTEN = 1, STATUS_USAGE = 2, STATUS_LEFT_OUT = 4 };

static void complain(const struct err *e)
{
	fprintf(stderr, "rtrack-report: %s\n", e->msg);
}

static int print(struct buf *text)
{
	int failed = text->failed || fputs(buf_cstr(text), stdout) == EOF || fflush(stdout);

	if (failed)
		perror("rtrack-report: standard output");
	buf_free(text);
	return failed ? STATUS_NOT_WRITTEN : STATUS_WRITTEN;
}

static double clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec;
}

static int render_all(const struct options *o, const cJSON *model, struct err *e)
{
	bool others = o->json || o->templates.n;
	const char *html = o->output ? o->output : others ? NULL : "report.html";

	if (html && render_html(model, html, e))
		return -1;
	if (o->json && render_json(model, o->json, e))
		return -1;
	for (size_t i = 0; i < o->templates.n; i++)
		if (render_template(model, o->templates.v[i], e))
			return -1;
	return 0;
}

static cJSON *model_of(const struct options *o, struct runs *r, struct err *e)
{
	struct consult *c;
	cJSON *model = NULL;

	if (history_choose(r, o->history, e))
		return NULL;
	load_tell_status(&r->v[0], o->status);
	c = calloc(1, sizeof *c);
	if (c) {
		consult_runs(r, o, c);
		model = model_build(&(struct model_input){
		    .runs = r,
		    .advice = &c->advice,
		    .basis = c->basis,
		    .keeper = &c->keeper,
		    .title = o->title,
		    .now = isnan(o->now) ? clock_now() : o->now,
		});
	}
	free(c);
	if (!model)
		err_set(e, "no memory for the report");
	return model;
}

/* Reads all files; each that can't be read is named, and left out. */
static int load_all(const struct options *o, struct runs *r, struct err *e)
{
	r->current = o->current;
	if (o->current && load_path(r, o->current, e))
		return -1;
	for (int i = 0; i < o->n_files; i++)
		if (load_path(r, o->files[i], e))
			return -1;
	for (size_t i = 0; i < r->n_failed; i++)
		complain(&r->failed[i].err);
	return 0;
}

static int report(const struct options *o, struct err *e)
{
	struct runs r = {0};
	cJSON *model = NULL;
	int status = STATUS_NOT_WRITTEN;

	if (o->model)
		model = tree_read(o->model, e);
	else if (load_all(o, &r, e) == 0 && (r.n || !r.n_failed))
		model = model_of(o, &r, e);
	if (model && render_all(o, model, e) == 0)
		status = r.n_failed ? STATUS_LEFT_OUT : STATUS_WRITTEN;
	else if (*e->msg)
		complain(e);
	cJSON_Delete(model);
	load_free(&r);
	return status;
}

int main(int argc, char **argv)
{
	struct options o;
	struct err e = {0};
	struct buf text = {0};

	if (options_parse(&o, argc, argv, &e)) {
		complain(&e);
		return STATUS_USAGE;
	}
	if (o.help)
		options_help(&text);
	else if (o.version)
		buf_str(&text, "rtrack-report " RTRACK_VERSION "\n");
	else if (o.list_metrics)
		metric_list(&text);
	else
		return report(&o, &e);
	return print(&text);
}
