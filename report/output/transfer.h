/*
 * transfer: --put and --get: a file to an object store, and back.
 */
#ifndef REPORT_OUTPUT_TRANSFER_H
#define REPORT_OUTPUT_TRANSFER_H

#include "core/base/err.h"
#include "report/input/input.h"
#include "report/output/progress.h"
#include "report/store/store.h"

/* Uploads a file or standard input to an address, and deletes the pieces of the same recording
 * there. A failure to delete them is *warning, not an error. -1 with a sentence. */
int transfer_put(struct input from, struct input to, const struct store *s, struct progress *p,
                 struct err *warning, struct err *e);

/* Downloads an object, or its pieces, to a file, whole or not at all. -1 with a sentence. */
int transfer_get(const char *address, const char *file, const struct store *s, struct progress *p,
                 struct err *e);

#endif
