/*
 * worker_process: a process of its own, for what this one is to give up.
 *
 * It is started before anything of others is read, waits for what it is asked, and ends with this
 * process.
 */
#ifndef REPORT_SANDBOX_WORKER_PROCESS_H
#define REPORT_SANDBOX_WORKER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/err.h"

/* {0}: none. */
struct worker_process {
	pid_t pid;
	int fd;
};

/* Serves what comes through fd until it ends; runs in the process of its own. */
typedef void worker_process_serve(int fd, const void *ctx);

/* 0, or -1 with a sentence; then *a is none. */
int worker_process_start(struct worker_process *a, worker_process_serve *serve, const void *ctx,
                         struct err *e);

/* All n bytes, or false: the other side is gone. */
bool worker_process_put(int fd, const void *p, size_t n);
bool worker_process_take(int fd, void *p, size_t n);

/* Ends it, and *a is none. */
void worker_process_stop(struct worker_process *a);

#endif
