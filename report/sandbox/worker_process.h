/*
 * worker_process: a child process that serves requests, for rights that this process drops.
 *
 * Start it before any untrusted data is read. It waits for requests on a socket, and ends when this
 * process ends. It has no other descriptors but the standard ones.
 */
#ifndef REPORT_SANDBOX_WORKER_PROCESS_H
#define REPORT_SANDBOX_WORKER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/base/err.h"

/* {0} is valid: no worker. */
struct worker_process {
	pid_t pid;
	int fd;
};

/* Serves requests from fd until its end of file; runs in the worker. */
typedef void worker_process_serve(int fd, const void *ctx);

/* 0, or -1 with a sentence; *a is then empty. */
int worker_process_start(struct worker_process *a, worker_process_serve *serve, const void *ctx,
                         struct err *e);

/* Write or read all n bytes; false if the other side has ended. */
bool worker_process_put(int fd, const void *p, size_t n);
bool worker_process_take(int fd, void *p, size_t n);

/* Closes the socket, waits for the worker to end, and empties *a. */
void worker_process_stop(struct worker_process *a);

#endif
