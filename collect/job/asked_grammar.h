/*
 * asked_grammar: what was asked for, as the user says it: cpus=8,memory=32GiB,gpus=1,time=4h.
 *
 * The keys are cpus, memory, gpus, time, nodes and tasks. docs/asked.md lists the units.
 */
#ifndef COLLECT_JOB_ASKED_GRAMMAR_H
#define COLLECT_JOB_ASKED_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/recording/snapshot.h"

/* Reads one amount, in base units. False, with *out unchanged, if it is none or out of bounds. */
bool asked_grammar_amount(enum snapshot_asked_id id, const char *text, size_t n, double *out);

/* Whether a value from any source is plausible: finite, not negative, and below a bound that no
 * machine reaches. Only GPUs may be 0, and nodes and tasks are whole numbers. */
bool asked_grammar_plausible(enum snapshot_asked_id id, double v);

/* Reads a list. values become NAN where the list has none. Pairs whose value is empty or 0 are
 * left out if skip_unset, else they are errors. 0, or -1 with a sentence about the first bad pair;
 * the good ones are read nevertheless. */
int asked_grammar_read(const char *text, bool skip_unset, double values[SNAPSHOT_ASKED_N],
                       struct err *e);

#endif
