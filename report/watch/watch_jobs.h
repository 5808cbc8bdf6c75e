/*
 * watch_jobs: the recordings below SOURCEs that are being written now.
 */
#ifndef REPORT_WATCH_WATCH_JOBS_H
#define REPORT_WATCH_WATCH_JOBS_H

#include "core/base/err.h"
#include "report/input/input.h"
#include "report/store/store.h"

#define WATCH_JOBS_MAX 1000 /* that are listed */

struct watch_job {
	struct input in; /* of the journal; its name is owned */
	double start;    /* Unix seconds; of pieces in a store, when the newest was written */
};

/* {0} is valid: none. */
struct watch_jobs {
	struct watch_job *v; /* the newest first */
	size_t n;
};

/* The name of an output, or of its journal, or a folder, or a place in a store. A SOURCE at which
 * there is nothing (yet) has none. -1 with a sentence. Free it either way. */
int watch_jobs_find(struct watch_jobs *out, const struct store *s, const struct input *source,
                    size_t n, struct err *e);

void watch_jobs_free(struct watch_jobs *j);

/* Appends the folder that a SOURCE is, or that its file is in, or will be: "runs/", ".". */
struct buf;
void watch_jobs_folder(struct input source, struct buf *out);

/* The length of the path of the recording whose journal this is: that of OUT of OUT.partial.2. */
size_t watch_jobs_output(const char *journal);

#endif
