/*
 * allowance: how many CPUs and how much memory a job was allowed to use.
 */
#ifndef REPORT_STATS_ALLOWANCE_H
#define REPORT_STATS_ALLOWANCE_H

#include "report/runs/load.h"

struct allowance {
	double amount;    /* NAN: unknown */
	const char *from; /* what sets the limit, in words: static. NULL: no limit below what the
	                     machine has */
};

/* The job's limit where it is below what the machine has, else all that the machine has. A
 * recording of the machine alone has all that the machine has. In cores, and in bytes. */
struct allowance allowance_cpus(const struct run *run);
struct allowance allowance_memory(const struct run *run);

/* CPUs of the machine; NAN: unknown. */
double allowance_machine_cpus(const struct run *run);

#endif
