/*
 * program: what the main.c of rtrack-report and that of rtrack-fleet share: messages, gates, the
 * worker of object stores, the browser.
 */
#ifndef REPORT_PROGRAM_H
#define REPORT_PROGRAM_H

#include "core/base/buf.h"
#include "report/advice/gate_results.h"
#include "report/options/report_options.h"
#include "report/sandbox/worker.h"
#include "report/store/store.h"

enum {
	PROGRAM_WRITTEN = 0,
	PROGRAM_NOT_WRITTEN = 1,
	PROGRAM_USAGE = 2,
	PROGRAM_GATE = 3,
	PROGRAM_LEFT_OUT = 4
};

/* Prints "NAME: sentence" to standard error, NAME as the program was called; nothing for an empty
 * sentence. */
void program_say(const struct err *e);

/* Prints and frees the text. Returns PROGRAM_WRITTEN, or PROGRAM_NOT_WRITTEN and says why. */
int program_print(struct buf *text);

/* Prints the gates that failed or could not be judged. Returns whether any failed. */
bool program_say_gates(const struct gate_results *gates);

/* Starts the worker that reaches the object stores which the command line names. Call it first: it
 * takes the secrets out of what other processes inherit. -1 with a sentence. */
int program_start_store(struct store *s, const struct report_options *o, struct err *e);

/* --open: the process that starts the browser. start before privdrop, show once the page is
 * written; that it does not open is said, and is not a failure. */
struct program_browser {
	struct worker worker;
	struct err missing; /* why it did not start; empty if it did */
};
void program_browser_start(struct program_browser *b, const struct report_options *o);
void program_browser_show(const struct program_browser *b);
void program_browser_stop(struct program_browser *b);

#endif
