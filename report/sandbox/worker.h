/*
 * worker: a child process that serves requests, for rights that this process drops.
 *
 * Start it before any untrusted data is read. It waits for requests on a socket, and ends when this
 * process ends. It has no other descriptors but the standard ones.
 *
 *	worker_send(w.fd, &question, sizeof question, url, strlen(url), NULL);
 *	if (!worker_receive(w.fd, &answer, sizeof answer, bytes, sizeof bytes, &n, &why))
 *		return worker_say_lost(&w, url, "sends requests", e);
 */
#ifndef REPORT_SANDBOX_WORKER_H
#define REPORT_SANDBOX_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/base/err.h"

/* {0} is valid: no worker. */
struct worker {
	pid_t pid;
	int fd;
};

/* Serves requests from fd until its end of file; runs in the worker. */
typedef void worker_serve(int fd, const void *ctx);

/* 0, or -1 with a sentence; *a is then empty. */
int worker_start(struct worker *a, worker_serve *serve, const void *ctx, struct err *e);

/* Closes the socket, waits for the worker to end, and empties *a. */
void worker_stop(struct worker *a);

/* The same of one that may wait for ever, for which nobody waits: it ends when it can, or when this
 * process does. */
void worker_abandon(struct worker *a);

/* Questions and answers: a struct of the caller's, its fields, and then bytes or a sentence. A
 * message may have neither: it then only says that it is time. */

/* Sends n bytes, or the sentence instead, if why is not NULL and not empty. In one write if the
 * socket has room. False if the other side has ended. */
bool worker_send(int fd, const void *fields, size_t n_fields, const void *bytes, size_t n,
                 const struct err *why);

/* Waits for a message with up to max bytes; n may be NULL if max is 0. *why: the sentence, else
 * empty; NULL: none may come. False if the other side has ended, or has sent more than that. The
 * caller checks the fields: the other side may handle data of strangers. */
bool worker_receive(int fd, void *fields, size_t n_fields, void *bytes, size_t max, size_t *n,
                    struct err *why);

/* The sentence where one of both fails: "ABOUT: the process that DOES has ended", or was never
 * started. about may be "". Always returns -1. */
int worker_say_lost(const struct worker *a, const char *about, const char *does, struct err *e);

/* Keeps the network, and reading, as name resolution, TLS and tokens need files of the system; not
 * writing. */
void worker_keep_network(void);

#endif
