/*
 * moved_options: options that rtrack-report had before rtrack-fleet (--fleet, --catalog …).
 */
#ifndef REPORT_OPTIONS_MOVED_OPTIONS_H
#define REPORT_OPTIONS_MOVED_OPTIONS_H

#include "core/base/err.h"

/* 0 if none of them is given; else -1 with a sentence that has the line to type. */
int moved_options_refuse(int argc, char **argv, struct err *e);

#endif
