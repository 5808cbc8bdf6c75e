/*
 * ask_input: the inputs of the next run beside those of the runs before, whose names are others.
 * Pure.
 *
 * The user names what changes from run to run. What was the same in all of them, at the same place
 * and with the same size (a script, a reference genome), is left out of the runs, so that both
 * sides mean the same. If as many files are named as change, they stand at those places, in
 * order; else only their sum is known.
 */
#ifndef FLEET_ASK_ASK_INPUT_H
#define FLEET_ASK_ASK_INPUT_H

#include "report/advice/memory_input.h"

/* Changes need.input_b and sizes of the n runs, in any order, and fills *next from the sizes of
 * n_bytes named files. text: room for n + 1 texts, which the runs and *next borrow. Returns how
 * many inputs of the latest run change; 0: none is known. */
size_t ask_input_match(struct memory_run *v, size_t n, const double *bytes, size_t n_bytes,
                       char (*text)[JOB_INPUTS_SIZES_MAX + 1], struct memory_run *next);

#endif
