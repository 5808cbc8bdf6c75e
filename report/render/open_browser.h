/*
 * open_browser: shows a file to the user in the program that the desktop opens it with.
 */
#ifndef REPORT_RENDER_OPEN_BROWSER_H
#define REPORT_RENDER_OPEN_BROWSER_H

#include "report/sandbox/worker_process.h"

/* Has a process stand by that can run a program; path is borrowed, and the one file that it shows.
 * Ended by worker_process_stop. */
int open_browser_start(struct worker_process *viewer, const char *path, struct err *e);

/* Hands the file to xdg-open(1), and waits until that has handed it on. What it prints is not seen.
 * -1 with a sentence where it is not there or fails. */
int open_browser_show(const struct worker_process *viewer, struct err *e);

#endif
