/*
 * memory_peak: memory that a job had, or needed, beyond the peak of its samples.
 */
#ifndef REPORT_STATS_MEMORY_PEAK_H
#define REPORT_STATS_MEMORY_PEAK_H

#include "report/runs/load.h"

/* A peak of this share of the limit means that the memory was full: the rest is what the peaks of
 * one job differ by from day to day. */
#define MEMORY_PEAK_FULL 0.9

/* How much larger than the samples' peak the kernel's own peak of a process must be to be worth
 * reporting. Sums of PSS and the RSS of one process count shared pages differently: by a few per
 * cent, and by the size of some libraries. */
#define MEMORY_PEAK_MISSED   1.1
#define MEMORY_PEAK_MISSED_B 16777216.0

/* A job whose peak is below this share of the memory that it may use is not what filled it. */
#define MEMORY_PEAK_OWN 0.25

/* The bytes that a single process had between samples, if that is clearly more than the samples saw
 * of the whole job; else 0. */
double memory_peak_between(const struct run *run);

/* The bytes that the job had between samples and that the samples did not see, else 0. Of a cgroup
 * whose memory reached its limit, the cgroup's account decides, and *of_cgroup is true: it includes
 * the page cache, which the kernel takes back when memory is short. Else memory_peak_between. */
double memory_peak_unseen(const struct run *run, bool *of_cgroup);

/* The bytes that were too little when the kernel ended the job or some of its processes because
 * memory ran out: the limit that was reached; where the limit is unknown, or other programs took
 * the machine's memory, what the job is known to have had. NAN where memory did not run out. Of a
 * run of several nodes, it is of one node: the limit of each, or the most that one had. */
double memory_peak_too_little(const struct run *run);

#endif
