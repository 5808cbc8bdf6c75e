/*
 * contention: how long others kept the threads of a job from the CPUs.
 *
 * A thread that could run waits for a CPU that another program uses, that other threads of its own
 * job use, or because a quota stopped it. Only the first is contention: it says why this run took
 * longer than others, and says nothing of the job. The CPU time of the job stays the same.
 */
#ifndef CORE_NUMBERS_CONTENTION_H
#define CORE_NUMBERS_CONTENTION_H

#include <stdbool.h>

/* A run is contended if others kept it waiting for a larger share of its wall time, or a hypervisor
 * took more than this share. */
#define CONTENTION_WAITED 0.05
#define CONTENTION_STOLEN 0.02

/* Means of one sample, in cores. NAN: not measured. */
struct contention_sample {
	double cpus;     /* that the job may use at once, a quota left aside */
	double machine;  /* CPUs of the machine */
	double used;     /* by the job */
	double waited;   /* by threads of the job that a quota did not stop */
	double all_used; /* by all programs */
	double steal;    /* taken by the hypervisor; NAN: 0 */
};

/* The share of the sample in which a thread of the job waited for a CPU that others used. NAN: not
 * known. */
double contention_waited(const struct contention_sample *s);

/* The share of the sample that the hypervisor took from a machine that wanted to run; of less than
 * one busy core, the steal itself. */
double contention_stolen(const struct contention_sample *s);

/* Whether a run is contended; false where it is not known (NAN). */
bool contention_is(double waited_s, double stolen_s, double wall_s);

#endif
