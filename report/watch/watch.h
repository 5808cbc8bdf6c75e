/*
 * watch: follows running jobs on a terminal until the user ends it, or the job that was named has
 * ended.
 */
#ifndef REPORT_WATCH_WATCH_H
#define REPORT_WATCH_WATCH_H

#include "core/base/buf.h"
#include "report/watch/watch_past.h"
#include "report/watch/watch_terminal.h"

/* t is open. Appends what is to be said once the terminal is as it was: how the job ended. 0, or -1
 * with a sentence. */
int watch(const struct watch_past *from, struct watch_terminal *t, struct buf *said, struct err *e);

#endif
