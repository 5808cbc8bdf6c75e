/*
 * once: --once: what a process with its descendants, and the machine, use now and have used so far,
 * without a recording. docs/info.md.
 */
#ifndef COLLECT_ONCE_H
#define COLLECT_ONCE_H

#include "collect/collect_options.h"
#include "core/base/buf.h"
#include "core/base/err.h"

/* Appends one line of JSON. Waits for the first reading of GPUs, 3 s at most. -1 with a sentence:
 * there is no such process, no such GPU, or no memory. */
int once_print(const struct collect_options *o, struct buf *out, struct err *e);

#endif
