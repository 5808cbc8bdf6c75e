/*
 * memory_peak: what is known of the memory that a job had between its samples, and of how much it
 * lacked. The peak itself is run->memory, and the maximum of METRIC_PROCESS_MEMORY.
 */
#ifndef REPORT_STATS_MEMORY_PEAK_H
#define REPORT_STATS_MEMORY_PEAK_H

#include "report/runs/load.h"
#include "report/units/units.h"

/* A peak of this share of the limit means that the memory was full: the rest is what the peaks of
 * one job differ by from day to day. */
#define MEMORY_PEAK_FULL 0.9

/* How much larger than the largest sample the peak must be to be drawn. */
#define MEMORY_PEAK_MISSED 1.1

/* A job whose peak is below this share of the memory that it may use is not what filled it. */
#define MEMORY_PEAK_OWN 0.25

/* Whether the job's peak (run->memory) was between two samples, clearly above the largest one. */
bool memory_peak_between(const struct run *run);

/* The most that the job's peak can have been, where that is clearly more than the peak, which is a
 * lower bound; else NAN. */
double memory_peak_most(const struct run *run);

/* Whether nothing is known of how large the peak was at most, though the recording has bounds:
 * processes of unknown size lived between two samples. */
bool memory_peak_is_open(const struct run *run);

/* The peak as text, with the bounds that are worth reporting: "302 MiB", "302 MiB to 720 MiB",
 * "≥ 302 MiB". All that shows people the peak of a run shows this text. peak_b is the number that
 * it is of: one other than the job's own peak has no bounds. Returns out. */
const char *memory_peak_text(const struct run *run, double peak_b, char out[UNITS_RANGE_SIZE]);

/* Whether that text has a bound. */
bool memory_peak_is_bound(const struct run *run);

/* "least" where the peak may have been clearly more, else "most": "used at … 3.0 GiB". */
const char *memory_peak_word(const struct run *run);

/* The same as memory_peak_most for the mean of its memory over time. */
double memory_peak_mean_most(const struct run *run);

/* The largest RSS of all processes in a sample, or of one process between two; no less than the
 * job's peak, in which shared pages count once. NAN: unknown. */
double memory_peak_rss(const struct run *run);

/* The bytes that the cgroup reached, if it was full and the job's own peak was not; else 0. They
 * include the page cache, which the kernel takes back when memory is short. */
double memory_peak_cgroup(const struct run *run);

/* The bytes that were too little when the kernel ended the job or some of its processes because
 * memory ran out: the limit that was reached; where the limit is unknown, or other programs took
 * the machine's memory, what the job is known to have had. NAN where memory did not run out. On
 * several nodes, it is that of one node: the limit of each, or the most that one had. */
double memory_peak_too_little(const struct run *run);

#endif
