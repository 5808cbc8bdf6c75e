/*
 * viewer: shows a file to the user in the program that the desktop opens it with.
 */
#ifndef REPORT_VIEWER_H
#define REPORT_VIEWER_H

#include "../core/err.h"

/* Hands path to xdg-open(1), and waits until that has handed it on. What it prints is not seen. -1
 * with a sentence where it is not there or fails. */
int viewer_open(const char *path, struct err *e);

#endif
