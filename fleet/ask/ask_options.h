/*
 * ask_options: what to ask for, as one line of options for a command line. Only numbers, letters
 * and "-=,'" are in it, so that a shell may split it: $(…).
 */
#ifndef FLEET_ASK_ASK_OPTIONS_H
#define FLEET_ASK_ASK_OPTIONS_H

#include "core/base/buf.h"
#include "report/advice/advice.h"

/* For whom, separated by blanks: the words of --for. */
#define ASK_OPTIONS_TOOLS "slurm snakemake nextflow kubernetes shell"

/* One of the words above. What is unknown is left out; nothing is written if all is. */
void ask_options_write(const struct advice *a, const char *tool, struct buf *out);

#endif
