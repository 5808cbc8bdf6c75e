/*
 * viewer: shows a file to the user in the program that the desktop opens it with.
 */
#ifndef REPORT_VIEWER_H
#define REPORT_VIEWER_H

#include "aide.h"

/* Has a process stand by that can run a program; path is borrowed, and the one file that it shows.
 * Ended by aide_stop. */
int viewer_start(struct aide *viewer, const char *path, struct err *e);

/* Hands the file to xdg-open(1), and waits until that has handed it on. What it prints is not seen.
 * -1 with a sentence where it is not there or fails. */
int viewer_show(const struct aide *viewer, struct err *e);

#endif
