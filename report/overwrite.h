/*
 * overwrite: outputs that would destroy something.
 *
 * A shell expands -o and a pattern to "-o runs/a.json.gz runs/b.json.gz ...", which names a
 * recording as the output.
 */
#ifndef REPORT_OVERWRITE_H
#define REPORT_OVERWRITE_H

#include "core/err.h"
#include "report/report_options.h"

/* 0, or -1 with a sentence where an output is one of the inputs (by device and inode), is a
 * recording, or is the same file as another output. Devices, pipes and standard output are not
 * looked at. Reads the beginning of each output that is there. */
int overwrite_check(const struct report_options *o, struct err *e);

#endif
