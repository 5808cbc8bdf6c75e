/*
 * transfer: --put and --get: a file to an object store, and back.
 */
#ifndef REPORT_TRANSFER_H
#define REPORT_TRANSFER_H

#include "core/base/err.h"
#include "report/render/progress.h"
#include "report/report_options.h"
#include "report/store/store.h"

/* Uploads the file o->put, and deletes the pieces of the same recording. A failure to delete them
 * is *warning, not an error. -1 with a sentence. */
int transfer_put(const struct report_options *o, const struct store *s, struct progress *p,
                 struct err *warning, struct err *e);

/* Downloads an object, or its pieces, to the file o->get, whole or not at all. -1 with a
 * sentence. */
int transfer_get(const struct report_options *o, const struct store *s, struct progress *p,
                 struct err *e);

#endif
