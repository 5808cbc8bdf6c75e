/*
 * cpu_demand: the cores that a job would have used if its threads had never waited for a CPU.
 *
 * A mean of 0.2 cores can be an idle job, or one that other programs or a quota kept from running.
 */
#ifndef CORE_HEAD_CPU_DEMAND_H
#define CORE_HEAD_CPU_DEMAND_H

#include "core/numbers/stats.h"
#include "core/recording/snapshot.h"

/* A job is short of CPU if it waited for this share of the time in which it could have run, from
 * where on it ran at most four fifths as fast as on free CPUs; and if its run was longer by this
 * share of it, below which the wait is not felt. */
#define CPU_DEMAND_STARVED 0.2
#define CPU_DEMAND_FELT    0.05

/* Seconds that the job's threads waited for a CPU, at least: the sum over the threads that samples
 * saw or, if more, the time in which any task of its cgroup waited. stats: of every metric, by its
 * id. NAN: not measured. */
double cpu_demand_waited_s(const struct snapshot *s, const struct stats *stats);

/* The share of its duration by which a run would have been shorter if its threads had never waited
 * for a CPU: 0 to below 1. Several threads that wait at the same time make it longer by less than
 * the sum of their waits. used: mean cores; waited: seconds of threads, as above; duration: in
 * seconds. NAN: not measured. */
double cpu_demand_lost(const struct snapshot *s, const struct stats *stats, double used,
                       double waited, double duration);

/* The cores that it would have used then: the same CPU time in the time that is left. */
double cpu_demand_cores(double used, double lost);

/* The share of the time in which the job could have run that its threads waited for a CPU; 0: it
 * was not short of CPU, or that is unknown. used, waited: seconds, or cores. lost: as above. */
double cpu_demand_starved(double used, double waited, double lost);

/* The same of a run of which only the mean cores and the demand are known: the share of its
 * duration that it lost. 0 too where both differ by less than a twentieth of a core. */
double cpu_demand_starved_row(double used, double demand);

/* The whole CPUs for a demand in cores: rounded up, after rounding to hundredths as the report
 * writes it, so that 2.001 cores are 2 CPUs. */
double cpu_demand_cpus(double cores);

#endif
