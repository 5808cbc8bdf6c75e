/*
 * verdict: the plain sentences at the top of a report, each from facts that are there.
 *
 * A rule writes one sentence (or two) with its numbers and returns how to take it, or NULL where
 * the facts are missing: what was not measured is not spoken of. verdict.c lists the rules,
 * verdict_usage.c has those of what was used, verdict_bottleneck.c that of what held the job back,
 * verdict_idle.c what is said if nothing did.
 */
#ifndef REPORT_MODEL_VERDICT_H
#define REPORT_MODEL_VERDICT_H

#include "core/buf.h"
#include "report/model/model.h"
#include "report/stats/usage_column.h"
#include "report/units/units.h"

typedef const char *verdict_level; /* "good", "info", "warn", "bad" */

/* text is empty before, and counts only where a level comes back. */
typedef verdict_level (*verdict_rule)(const struct model_input *in, struct buf *text);

/* -- thresholds, all in one place; shares are 0 to 1 ------------------------------------------- */

/* One sample is a glimpse: it tells neither what was idle nor what held a job back. */
#define VERDICT_SAMPLES 2
/* Of the limit: a tenth more, which runs differ by from day to day, and it is full. */
#define VERDICT_MEMORY_FULL 0.9
/* How much more than the samples saw is worth a word: sums of PSS and one RSS count shared pages
 * differently, by a few per cent and the size of some libraries. */
#define VERDICT_MEMORY_MISSED   1.1
#define VERDICT_MEMORY_MISSED_B 16777216.0
/* Mean cores of the CPUs: below, half as many would have done as well. */
#define VERDICT_CPUS_IDLE 0.5
/* Cores of those allowed in a sample, and for which part of the time: they were the limit. The
 * same as where the advice says that more may help. */
#define VERDICT_CPUS_BUSY      0.9
#define VERDICT_CPUS_BUSY_TIME 0.3
/* Cores in a sample that one thread makes: it waits now and then, and the clock of samples jitters.
 * And for which part of the time. */
#define VERDICT_ONE_CORE_MIN  0.85
#define VERDICT_ONE_CORE_MAX  1.15
#define VERDICT_ONE_CORE_TIME 0.7
/* Throttled seconds of the run's: less than a twentieth is not felt. */
#define VERDICT_THROTTLED 0.05
/* Of the time in which some task waited: for memory any waiting is bad; for I/O and CPU it is
 * ordinary that one of many does. */
#define VERDICT_WAITS_MEMORY 0.05
#define VERDICT_WAITS_IO     0.1
#define VERDICT_WAITS_CPU    0.2
/* Of the time in which the job's threads could have run, what they waited for a CPU: from here on
 * they ran at most four fifths as fast as on free CPUs. And of the run's time: less is not felt. */
#define VERDICT_WAITED      0.2
#define VERDICT_WAITED_TIME 0.05
/* Cores of all that were idle and waited for storage, where the machine has no account of waits. */
#define VERDICT_IOWAIT 0.1
/* Of the machine's CPUs, taken by the hypervisor. */
#define VERDICT_STEAL 0.05
/* Of the machine's CPUs: kept busy by others, while all together were so busy. */
#define VERDICT_OTHERS      0.25
#define VERDICT_OTHERS_BUSY 0.8
/* Of the memory that the job may use: with less, it is not the one that is short of it. */
#define VERDICT_OWN_MEMORY 0.25
/* Of the disks' bytes: from here on it was the job that kept them busy. */
#define VERDICT_OWN_IO 0.5
/* Swapped out of what the job had: a little is idle pages, which nobody misses. */
#define VERDICT_SWAPPED 0.1
/* Mean utilisation of the GPUs: below, they wait for their job nine tenths of the time. */
#define VERDICT_GPU_IDLE 0.1
/* And from here on they are what the job waits for. */
#define VERDICT_GPU_BUSY 0.9
/* Mean cores: below, the job was idle, or waited, for nine tenths of the time. */
#define VERDICT_JOB_IDLE 0.1
/* Advised of what was there: a machine of half the size would do. */
#define VERDICT_TOO_BIG 0.5
/* When a change beside earlier runs is news: change_detect.h. */

/* -- what the rules share ---------------------------------------------------------------------- */

/* How much of something the job may use, NAN where not known. */
struct verdict_allowed {
	double amount;
	const char *from; /* what says so: static; NULL: it is all that the machine has */
};

/* In cores, and in bytes: the limit where there is one below what the machine has. Of a recording
 * of the machine alone, all that it has. */
struct verdict_allowed verdict_cpus(const struct run *run);
struct verdict_allowed verdict_memory(const struct run *run);

/* "50%", "2.3%", "under 0.1%". */
const char *verdict_percent(double share, char out[UNITS_SIZE]);

/* "1.34 cores", "under 0.01 cores". */
const char *verdict_cores_text(double cores, char out[64]);

/* "2 CPUs", "0.25 CPUs", "1 CPU". */
const char *verdict_cpus_text(double cpus, char out[64]);

/* Of GPUs: how many, and their utilisation. gpus is 0 where it was not measured. */
struct verdict_gpus {
	double gpus, unused, mean, max;
};
struct verdict_gpus verdict_gpus(const struct run *run);

/* Whether the job's end was forced by the kernel for want of memory. */
bool verdict_is_oom(const struct run *run);

/* The bytes that were too little when the kernel ended the job, or some of its processes, for want
 * of memory: the limit that was reached. Where that can't be seen, or others took the machine's
 * memory, what the job is known to have had. NAN where memory did not run out. */
double verdict_memory_died(const struct run *run);

/* The bytes that a single process had between samples, where they saw much less of all; else 0. */
double verdict_memory_missed(const struct run *run);

/* Whether it kept all CPUs that it had busy for a good part of the time, or its threads waited for
 * CPUs; and whether tasks waited for memory of which the job had much, or it was swapped out: less
 * of these would have been too little, whatever the mean and the peak are. */
bool verdict_cpus_short(const struct run *run);
bool verdict_memory_short(const struct run *run);

/* The part of the time in which it kept all CPUs busy; the seconds that a quota stopped it (0:
 * so few that they are not felt); and the part of the job's memory that was swapped out (0: so
 * little that nobody misses it). */
double verdict_cpus_full(const struct run *run);
double verdict_throttled(const struct run *run);
double verdict_swapped(const struct run *run);

/* How long the job's threads waited for a CPU, at least: the sum over the threads that samples saw,
 * or, if that is more, the time in which any task of its cgroup waited. NAN where not measured. */
double verdict_waited(const struct run *run);

/* The part of the time in which the threads could have run that they waited; 0 where it is too
 * little to be felt, or not measured. */
double verdict_starved(const struct run *run);

/* The cores that it used and those that its threads waited for, on average. NAN where the wait was
 * not measured. */
double verdict_wanted(const struct run *run);

/* The cores that others used on the machine on average; 0 where they were few, or not measured. */
double verdict_others(const struct run *run);

/* Of a job that used next to no CPU, and did not wait for one either: what the machine did has no
 * part in that. NULL of others. */
verdict_level verdict_say_idle(const struct run *run, struct buf *text);

/* That nothing held it back: only where all that may have was measured, else NULL. */
verdict_level verdict_say_nothing(const struct run *run, struct buf *text);

/* -- rules outside of verdict.c ---------------------------------------------------------------- */

verdict_level verdict_say_memory(const struct model_input *in, struct buf *text);
verdict_level verdict_say_cpu(const struct model_input *in, struct buf *text);
verdict_level verdict_say_gpu(const struct model_input *in, struct buf *text);
verdict_level verdict_say_advice(const struct model_input *in, struct buf *text);
verdict_level verdict_say_bottleneck(const struct model_input *in, struct buf *text);
verdict_level verdict_say_compare(const struct model_input *in, struct buf *text);
verdict_level verdict_say_history(const struct model_input *in, struct buf *text);

#endif
