/*
 * run_sample: takes one sample of everything that a recording reads.
 */
#ifndef COLLECT_RUN_SAMPLE_H
#define COLLECT_RUN_SAMPLE_H

#include "collect/run_state.h"

/* Takes a sample into r->sample. Allocates nothing. */
void run_sample(struct run *r);

/* The job's processes, for gpu_read: those of its tree. pid: the root process. */
struct gpu_tree run_sample_tree(struct tree *t, int pid);

#endif
