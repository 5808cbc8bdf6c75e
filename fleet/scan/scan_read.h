/*
 * scan_read: the files of a scan's batches are read, by workers or by this process.
 *
 * A worker that ends, or does not come back from a file, costs that file; the others it was asked
 * for are asked again.
 */
#ifndef FLEET_SCAN_SCAN_READ_H
#define FLEET_SCAN_SCAN_READ_H

#include "fleet/scan/scan_work.h"

/* Asks the workers for as many files as there is room for. -1 without memory. */
int scan_read_ask(struct scan_work *w, struct err *e);

/* Waits until a worker has answers, and takes them. Without workers, reads a file itself. */
int scan_read_some(struct scan_work *w, struct err *e);

#endif
