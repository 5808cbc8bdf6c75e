/*
 * store_worker: the process that speaks to object stores: it has the network and the keys, and
 * writes no file but an unnamed one of its own. See store.h.
 */
#ifndef REPORT_STORE_STORE_WORKER_H
#define REPORT_STORE_STORE_WORKER_H

#include "report/store/store_rights.h"

struct store_worker_job {
	struct store_rights rights;
	double limit_s; /* for everything; 0: none */
};

/* A worker_serve; ctx: struct store_worker_job. */
void store_worker_serve(int fd, const void *ctx);

/* Answers the questions that come from fd, without becoming a worker process: for tests. */
void store_worker_answer(int fd, const struct store_worker_job *job);

#endif
