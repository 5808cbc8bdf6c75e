/*
 * ask_options: what to ask for, as one line of options for a command line. Only numbers, letters
 * and "-=,'" are in it, so that a shell may split it: $(…).
 */
#ifndef FLEET_ASK_ASK_OPTIONS_H
#define FLEET_ASK_ASK_OPTIONS_H

#include "core/base/buf.h"
#include "report/advice/advice.h"

/* tool: one of FLEET_OPTIONS_ASK_TOOLS. What is unknown is left out; nothing is written if all
 * is. */
void ask_options_write(const struct advice *a, const char *tool, struct buf *out);

#endif
