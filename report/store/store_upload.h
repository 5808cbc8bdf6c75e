/*
 * store_upload: uploads a recording while it runs (rtrack-report --put JOURNAL --pieces SECONDS),
 * for rtrack-collect. docs/stores.md, "While a recording runs".
 *
 * Standard input says how it ends: a line with the name of the finished snapshot, which is then put
 * at the address, and the pieces are deleted; or the end of the input without such a line: then the
 * rest of the journal goes up. Signals that end a job or a terminal's session are ignored, so that
 * this can be done after them.
 */
#ifndef REPORT_STORE_STORE_UPLOAD_H
#define REPORT_STORE_STORE_UPLOAD_H

#include "core/base/err.h"
#include "report/store/store.h"

struct store_upload {
	const char *journal, *address;
	double every_s;
	void (*warn)(const struct err *warning); /* printed at once; the upload is tried again */
};

/* Before store_start: the worker inherits this. */
void store_upload_ignore_signals(void);

/* Returns once the recording has ended: 0, or -1 with a sentence if the last upload failed. */
int store_upload_run(struct store *s, const struct store_upload *u, struct err *e);

#endif
