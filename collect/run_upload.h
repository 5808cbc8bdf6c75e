/*
 * run_upload: the upload of a recording whose output is in an object store: in pieces while it
 * runs, and whole at its end. And what --append-to does then, and --sync until then.
 */
#ifndef COLLECT_RUN_UPLOAD_H
#define COLLECT_RUN_UPLOAD_H

#include "collect/run_state.h"

#define RUN_UPLOAD_EVERY_S 60.0  /* default of --upload-every */
#define RUN_UPLOAD_LIMIT_S 300.0 /* of --upload-limit */

/* Before the command is forked: finds the uploader and the folder for the local files. Without an
 * output in a store r->upload stays NULL. -1 with a sentence. */
int run_upload_open(struct run *r, struct err *e);

/* Where it goes; NULL: the output is a file. */
struct remote_output *run_upload_output(struct run *r);

/* Starts the uploader of pieces, once the command runs. A failure is reported through r->say. */
void run_upload_start(struct run *r);

/* To poll for POLLIN; -1: no uploader runs. */
int run_upload_fd(const struct run *r);

/* Once the descriptor is ready: reports what the uploader says. */
void run_upload_read(struct run *r);

/* With each sample: starts the uploader again, --upload-every after it has ended too early; and the
 * process that copies the journal, --sync after the last one. */
void run_upload_again(struct run *r);

/* At the end: uploads the snapshot and removes the local file, or says which file stays and what
 * sends it. A signal that ends programs, --upload-limit and a failure end the wait. An output that
 * is a file is appended to that of --append-to. */
void run_upload_finish(struct run *r, struct run_result *result);

void run_upload_close(struct run *r);

#endif
