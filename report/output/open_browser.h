/*
 * open_browser: opens a file with xdg-open(1), the desktop's program for that kind of file.
 */
#ifndef REPORT_OUTPUT_OPEN_BROWSER_H
#define REPORT_OUTPUT_OPEN_BROWSER_H

#include "report/sandbox/worker.h"

/* Starts a process that may still run programs after this one has called privdrop. It knows only
 * this path (borrowed) and opens no other. End it with worker_stop. Returns 0, or -1. */
int open_browser_start(struct worker *viewer, const char *path, struct err *e);

/* Runs xdg-open(1) on the file and waits for it; its output is discarded. Returns -1 with a
 * sentence if it is missing or fails. */
int open_browser_show(const struct worker *viewer, struct err *e);

#endif
