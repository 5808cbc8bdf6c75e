/*
 * recordings_report: a report on one run: reads its recordings and those of its history, and makes
 * the model.
 */
#ifndef REPORT_RECORDINGS_REPORT_H
#define REPORT_RECORDINGS_REPORT_H

#include <cjson/cJSON.h>

#include "report/advice/gate_results.h"
#include "report/options/report_options.h"
#include "report/prices/price_fetcher.h"
#include "report/runs/load.h"
#include "report/runs/read_ahead.h"

/* Takes a sentence for the user, with which the report goes on. */
typedef void recordings_report_say(const struct err *line);

/* Reads all files into *r. A file that cannot be read is named and left out. -1 with a sentence. */
int recordings_report_load(const struct report_options *o, struct runs *r, struct read_ahead *ahead,
                           const struct store *store, recordings_report_say *say, struct err *e);

/* --bisect: "BAD GOOD", the commits on both sides of the newest change in the runs that were
 * loaded, and a sentence about the change. -1 with a sentence without one. */
int recordings_report_bisect(struct runs *r, struct buf *commits, struct err *change,
                             struct err *e);

/* The parts that the model is made from. */
struct recordings_report {
	const struct report_options *o;
	struct runs *runs; /* that were loaded */
	struct price_fetcher *fetcher;
	recordings_report_say *say;
};

/* The model, to be deleted, and the answers of the gates. NULL with a sentence; *usage is set if
 * the error is in the command line, not in a file. */
cJSON *recordings_report_make(const struct recordings_report *from, struct gate_results *gates,
                              bool *usage, struct err *e);

#endif
