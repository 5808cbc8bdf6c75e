/*
 * watch: follows running jobs on a terminal until the user ends it, or the job that was named has
 * ended.
 */
#ifndef REPORT_WATCH_WATCH_H
#define REPORT_WATCH_WATCH_H

#include "core/base/buf.h"
#include "core/base/opts.h"
#include "report/input/input.h"
#include "report/store/store.h"
#include "report/watch/watch_terminal.h"

/* Where to look, and by which rules. */
struct watch_from {
	const struct input *source; /* SOURCEs; of a name its folder is read */
	size_t n_sources;
	const struct store *store;
	const struct opts_list *group_by; /* job_key.h */
	long use;                         /* at most so many earlier runs: the last ones */
};

/* t is open. Appends what is to be said once the terminal is as it was: how the job ended. 0, or -1
 * with a sentence. */
int watch(const struct watch_from *from, struct watch_terminal *t, struct buf *said, struct err *e);

#endif
