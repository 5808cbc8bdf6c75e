/*
 * now: --now, what the heaviest jobs of this user use at this moment (docs/info.md).
 *
 * Looks at all processes twice, half a second apart, for CPU time, then reads the PSS of those of
 * the user, the largest first, for at most 0.35 s. Records nothing.
 */
#ifndef COLLECT_NOW_H
#define COLLECT_NOW_H

#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/err.h"

/* Appends text, or one line of JSON. keep_command: command lines too, redacted. -1 with a sentence:
 * no /proc, or no memory. */
int now_print(bool json, bool keep_command, struct buf *out, struct err *e);

#endif
