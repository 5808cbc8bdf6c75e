/*
 * procstat: CPU time of the machine, from the first lines of /proc/stat (proc_stat(5)).
 */
#ifndef COLLECT_MACHINE_PROCSTAT_H
#define COLLECT_MACHINE_PROCSTAT_H

#include <stddef.h>
#include <stdint.h>

/* The numbers of the "cpu" line, in the kernel's order. */
enum procstat_cpu {
	PROCSTAT_USER, /* this and nice include guest time */
	PROCSTAT_NICE,
	PROCSTAT_SYSTEM,
	PROCSTAT_IDLE,
	PROCSTAT_IOWAIT,
	PROCSTAT_IRQ,
	PROCSTAT_SOFTIRQ,
	PROCSTAT_STEAL,
	PROCSTAT_CPU_COUNT
};

/* Reads the "cpu" line, wherever it stands. ticks: of sysconf(_SC_CLK_TCK); a number that the
 * kernel does not have is 0. Returns 0, or -1 where no "cpu" line has at least four numbers. */
int procstat_parse(const char *text, size_t n, uint64_t ticks[PROCSTAT_CPU_COUNT]);

/* How many "cpuN" lines there are: the CPUs that are online. */
long procstat_cpus(const char *text, size_t n);

/* Calls each with the number of every CPU that is online ("0"), and with its user, nice and system
 * time. A line that the text does not have to its end is passed over. */
typedef void (*procstat_each)(void *ctx, const char *number, uint64_t ticks);
void procstat_each_cpu(const char *text, size_t n, procstat_each each, void *ctx);

#endif
