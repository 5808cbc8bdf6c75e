/*
 * aide: a process of its own, for what this one is to give up.
 *
 * It is started before anything of others is read, waits for what it is asked, and ends with this
 * process.
 */
#ifndef REPORT_AIDE_H
#define REPORT_AIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "../core/err.h"

/* {0}: none. */
struct aide {
	pid_t pid;
	int fd;
};

/* Serves what comes through fd until it ends; runs in the process of its own. */
typedef void aide_serve(int fd, const void *ctx);

/* 0, or -1 with a sentence; then *a is none. */
int aide_start(struct aide *a, aide_serve *serve, const void *ctx, struct err *e);

/* All n bytes, or false: the other side is gone. */
bool aide_put(int fd, const void *p, size_t n);
bool aide_take(int fd, void *p, size_t n);

/* Ends it, and *a is none. */
void aide_stop(struct aide *a);

#endif
