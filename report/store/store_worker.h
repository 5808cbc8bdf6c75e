/*
 * store_worker: the process that speaks to object stores: it has the network and the keys, and
 * writes no file but an unnamed one of its own. See store.h.
 */
#ifndef REPORT_STORE_STORE_WORKER_H
#define REPORT_STORE_STORE_WORKER_H

/* A worker_process_serve; ctx: double, the limit in seconds for everything (0: none). */
void store_worker_serve(int fd, const void *ctx);

#endif
