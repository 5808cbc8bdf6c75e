/*
 * scan_sources: files and folders → rows in a catalog.
 *
 * Worker processes, as many as CPUs but at most SCAN_WORKERS_MAX, read the beginnings of the
 * files, because recordings are the work of strangers: a worker can neither write nor use the
 * network. A snapshot with rtrack_row costs one read of SCAN_HEAD bytes and one small inflate;
 * older ones, those of other tools and journals are read by their heads, or whole. The beginnings
 * of objects come from the store's worker (scan_sources.c), and are parsed by this process.
 */
#ifndef FLEET_SCAN_SCAN_SOURCES_H
#define FLEET_SCAN_SCAN_SOURCES_H

#include "fleet/scan/scan_work.h"

/* Starts the workers, before anything is read. */
void scan_start(struct scan *s, scan_worker_drop *drop, const void *ctx);
void scan_stop(struct scan *s);

/* Adds what is new or changed since the last time, in transactions of SCAN_BATCH: ended anywhere,
 * the next scan goes on there. What is put, and in which order, does not depend on the workers. A
 * file that ends its worker is left out; without workers this process reads. -1 with a sentence if
 * the catalog fails, or without memory: the workers are then stopped. */
int scan_run(struct scan *s, const struct scan_input *in, struct catalog *c,
             struct scan_result *out, struct err *e);

#endif
