/*
 * standard_input: "-" among the inputs: standard input, read like a file.
 *
 * A recording is read more than once (its head, then its rows), in a process that may open nothing
 * any more. So what comes is first spooled to an unnamed file, which takes the place of descriptor
 * 0, and is read from there however often.
 */
#ifndef CORE_BASE_STANDARD_INPUT_H
#define CORE_BASE_STANDARD_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

#define STANDARD_INPUT "-"

/* Makes "-" stand for standard input from now on. A regular file that nobody has read of is used as
 * it is; of anything else at most max bytes are spooled. Call it before a sandbox is entered, and
 * without threads. -1 with a sentence: a terminal, too much, no room for it, or nothing there. */
int standard_input_spool(uint64_t max, struct err *e);

/* Whether this names standard input. Without standard_input_spool no path does. */
bool standard_input_is(const char *path);

/* How sentences and pages call a path: "standard input", or as it is. */
const char *standard_input_name(const char *path);

/* open(2) for reading, close-on-exec and without waiting for the writer of a FIFO; "-": of standard
 * input, from its beginning. A descriptor for close(2), or -1 with errno. Descriptors of standard
 * input share one offset. */
int standard_input_open(const char *path);

/* If the caller closed descriptor 0, 1 or 2, the next open() would get its number, and messages
 * would go into that file. Occupies them read-only, so that writing fails instead. */
void standard_input_occupy(void);

#endif
