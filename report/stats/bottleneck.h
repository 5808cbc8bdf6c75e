/*
 * bottleneck: what held a job back, and how much of its time that took.
 *
 * Functions return numbers; the sentences are the verdict's and the advice's. A share is a part of
 * the run's time, 0 to 1. 0 stands for too little to be felt, and for not measured.
 */
#ifndef REPORT_STATS_BOTTLENECK_H
#define REPORT_STATS_BOTTLENECK_H

#include "report/runs/load.h"

/* -- thresholds; shares are 0 to 1 ------------------------------------------------------------- */

/* One sample shows neither what was idle nor what held a job back. */
#define BOTTLENECK_SAMPLES 2
/* Mean cores, of the CPUs allowed: below, half as many would have done as well. */
#define BOTTLENECK_CPUS_IDLE 0.5
/* The CPUs were the limit (USAGE_CPUS_BUSY), or one thread was (USAGE_ONE_CORE_MIN): for which part
 * of the time. */
#define BOTTLENECK_CPUS_BUSY_TIME 0.3
#define BOTTLENECK_ONE_CORE_TIME  0.7
/* Seconds that a run was longer because its threads waited for a CPU: less, as of a job of two
 * seconds that sleeps, says nothing of the next one. */
#define BOTTLENECK_LOST_LEAST_S 0.25
/* Throttled seconds, of the run's: less than a twentieth is not felt. */
#define BOTTLENECK_THROTTLED 0.05
/* PSI "some", of the time. Any waiting for memory is bad; that one of many tasks waits for I/O or a
 * CPU is ordinary. */
#define BOTTLENECK_WAITS_MEMORY 0.05
#define BOTTLENECK_WAITS_IO     0.1
#define BOTTLENECK_WAITS_CPU    0.2
/* Cores in I/O wait, of all, where the machine has no PSI. */
#define BOTTLENECK_IOWAIT 0.1
/* Steal, of the machine's CPUs. */
#define BOTTLENECK_STEAL 0.05
/* Other programs: CPUs of the machine's that they kept busy, while all together were so busy. */
#define BOTTLENECK_OTHERS      0.25
#define BOTTLENECK_OTHERS_BUSY 0.8
/* The job's part of the disks' bytes, from which on it was the job that kept them busy. */
#define BOTTLENECK_OWN_IO 0.5
/* Below this mean utilisation the GPUs waited for their job nine tenths of the time. */
#define BOTTLENECK_GPUS_IDLE 0.1
/* From this mean utilisation on the GPUs were what the job waited for. */
#define BOTTLENECK_GPUS_FULL 0.9
/* Swapped out, of what the job had: a little is idle pages. */
#define BOTTLENECK_SWAPPED 0.1
/* Mean cores: below, the job was idle or waited for nine tenths of the time. */
#define BOTTLENECK_JOB_IDLE 0.1

/* -- causes ------------------------------------------------------------------------------------ */

/* The first group is known of the job itself. The second is known of the machine alone: the job may
 * be one of many that waited, or not among them, so these count only where the first explains
 * nothing. */
enum bottleneck {
	BOTTLENECK_QUOTA,      /* a CPU quota stopped the job */
	BOTTLENECK_MEMORY,     /* tasks waited for memory, of which the job had much, or it was
	                          swapped out */
	BOTTLENECK_DISKS,      /* tasks waited for I/O, most of which was the job's */
	BOTTLENECK_STOLEN,     /* the hypervisor gave CPU time to others */
	BOTTLENECK_CPU_WAIT,   /* the job's threads waited for a CPU, though its CPUs were not all
	                          busy */
	BOTTLENECK_ONE_CORE,   /* one thread ran at a time */
	BOTTLENECK_GPUS,       /* the GPUs were busy */
	BOTTLENECK_CPUS,       /* all CPUs were busy */
	BOTTLENECK_OTHERS_CPU, /* other programs kept the machine's CPUs busy */
	BOTTLENECK_OTHERS_MEMORY,
	BOTTLENECK_OTHERS_DISKS,
	BOTTLENECK_NONE,
};
#define BOTTLENECK_FIRST_OF_MACHINE BOTTLENECK_OTHERS_CPU

/* The part of the run's time that the cause took, by which causes are compared. */
double bottleneck_share(enum bottleneck cause, const struct run *run);

/* The cause with the largest share among from … before - 1, the first of equal ones;
 * BOTTLENECK_NONE where all are 0. */
enum bottleneck bottleneck_largest(const struct run *run, enum bottleneck from,
                                   enum bottleneck before);

/* -- facts ------------------------------------------------------------------------------------- */

/* The part of the time in which all CPUs that the job may use were busy. */
double bottleneck_cpus_full(const struct run *run);

/* Seconds, summed over CPUs, that a quota stopped the job. */
double bottleneck_throttled_s(const struct run *run);

/* The part of the job's memory that was swapped out at the peak. */
double bottleneck_swapped(const struct run *run);

/* Seconds that the job's threads waited for a CPU: cpu_demand_waited_s. NAN: not measured. */
double bottleneck_waited_s(const struct run *run);

/* For a sentence: the same or, if it is hardly less, the time in the state "waiting for a CPU", so
 * that a page has one number for both. */
double bottleneck_waited_least_s(const struct run *run);

/* The part of the time in which its threads could have run that they waited for a CPU
 * (cpu_demand_starved), where its run was longer for it by a quarter of a second at least. */
double bottleneck_starved(const struct run *run);

/* The share of the run by which it would have been shorter without that wait (cpu_demand_lost).
 * NAN: not measured. */
double bottleneck_lost(const struct run *run);

/* Mean cores that the job would have used without that wait (cpu_demand_cores): at most so many
 * where the states of its threads are unknown. NAN: not measured. */
double bottleneck_wanted_cores(const struct run *run);

/* The same where the job was short of CPU, or a quota stopped it: fewer cores would have been too
 * few. Else 0. */
double bottleneck_needed_cores(const struct run *run);

/* Mean cores that other programs used. */
double bottleneck_others_cores(const struct run *run);

/* The part of the disks' bytes that were the job's, and in *own_b the job's; NAN: unknown. */
double bottleneck_own_io(const struct run *run, double *own_b);

/* Whether fewer CPUs, or less memory, would have been too little, whatever the mean and the peak
 * say. */
bool bottleneck_cpus_short(const struct run *run);
bool bottleneck_memory_short(const struct run *run);

/* Whether most of the CPUs that the job may use had nothing to do. */
bool bottleneck_cpus_unused(const struct run *run);

/* Whether the job, or of a recording without one the machine, used next to no CPU. */
bool bottleneck_cpu_idle(const struct run *run);

/* Whether the job used next to no CPU and did not wait for one either: what the machine did is not
 * the reason. */
bool bottleneck_job_idle(const struct run *run);

/* Whether tasks on the machine hardly waited for memory and I/O, by its PSI. */
bool bottleneck_no_pressure(const struct run *run);

/* Whether nothing held the job back: true only where all that may have was measured. */
bool bottleneck_nothing(const struct run *run);

/* How busy the GPUs were. */
struct bottleneck_gpus {
	double gpus;   /* whose utilisation was measured; 0: none */
	double unused; /* of these: never used */
	double mean;   /* utilisation over all of them, 0 to 1 */
};

struct bottleneck_gpus bottleneck_gpus(const struct run *run);

/* Whether the overview of its recording, if any, lacks what the functions above ask for. */
bool bottleneck_needs_rows(const struct run *run);

#endif
