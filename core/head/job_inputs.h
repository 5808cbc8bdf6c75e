/*
 * job_inputs: what the inputs of a run come to (docs/snapshot.md, inputs).
 *
 * The same input of different runs is known by where it stood ("at"), since its name changes: the
 * option before it ("--reads"), or the number of its word ("3").
 *
 * All inputs of a run find room in a short text, which a catalog keeps: "at=bytes;at=bytes", and
 * then "…" where some are left out.
 *
 *   struct job_inputs_size one;
 *   for (const char *at = s->inputs.sizes; job_inputs_sizes_next(&at, &one);)
 *           if (strcmp(one.at, "--reads") == 0)
 *                   sum += one.bytes;
 */
#ifndef CORE_HEAD_JOB_INPUTS_H
#define CORE_HEAD_JOB_INPUTS_H

#include "core/recording/snapshot.h"

#define JOB_INPUTS_AT_MAX    13  /* "at" in the text, and its NUL */
#define JOB_INPUTS_SIZES_MAX 160 /* bytes of the text as a row has it */

/* Computes bytes and sizes from the list: those that were written do not count. If the list was cut
 * and the rest is not known, the sum is unknown. */
void job_inputs_settle(struct snapshot *s);

/* Copies them into another snapshot. */
void job_inputs_copy(struct snapshot *to, const struct snapshot_inputs *from);

struct job_inputs_size {
	char at[JOB_INPUTS_AT_MAX];
	double bytes;
};

/* The next input of a text; false at its end, where it was cut, and at a name with bytes that
 * job_inputs_settle does not write. *text may be NULL. Pure. */
bool job_inputs_sizes_next(const char **text, struct job_inputs_size *out);

/* Whether the text has all inputs: it is not empty, not cut, and has no foreign bytes. */
bool job_inputs_sizes_whole(const char *text);

#endif
