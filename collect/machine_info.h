/*
 * machine_info: --info: what is known of the machine, its cloud, the limits, what was asked for and
 * the GPUs, without a recording. docs/info.md.
 */
#ifndef COLLECT_MACHINE_INFO_H
#define COLLECT_MACHINE_INFO_H

#include "collect/collect_options.h"
#include "core/base/buf.h"
#include "core/base/err.h"

/* Appends the text, or one line of JSON. Waits for the answers of metadata services, schedulers and
 * GPU drivers, 3 s at most, with --gpu 30 s. -1 with a sentence. */
int machine_info(const struct collect_options *o, struct buf *out, struct err *e);

#endif
