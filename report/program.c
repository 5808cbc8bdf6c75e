/* program: what the two programs that write pages share. */
#include "report/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/advice/gate_text.h"
#include "report/output/open_browser.h"
#include "report/store/store_rights.h"

void program_say(const struct err *e)
{
	if (*e->msg)
		fprintf(stderr, "%s: %s\n", program_invocation_short_name, e->msg);
}

int program_print(struct buf *text)
{
	bool whole = !text->failed;
	int failed = !whole || fputs(buf_cstr(text), stdout) == EOF || fflush(stdout);

	if (failed)
		fprintf(stderr, "%s: standard output: %s\n", program_invocation_short_name,
		        whole ? strerror(errno) : "no memory");
	buf_free(text);
	return failed ? PROGRAM_NOT_WRITTEN : PROGRAM_WRITTEN;
}

bool program_say_gates(const struct gate_results *gates)
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
		program_say(&line);
		buf_free(&text);
	}
	return gates->count[GATE_HOLDS] > 0;
}

int program_start_store(struct store *s, const struct report_options *o, struct err *e)
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

void program_browser_start(struct program_browser *b, const struct report_options *o)
{
	if (o->open)
		open_browser_start(&b->worker, o->file[FORMAT_HTML], &b->missing);
}

void program_browser_show(const struct program_browser *b)
{
	struct err e = {0};

	program_say(&b->missing);
	if (!*b->missing.msg && b->worker.pid && open_browser_show(&b->worker, &e))
		program_say(&e);
}

void program_browser_stop(struct program_browser *b)
{
	worker_stop(&b->worker);
}
