/*
 * procstat: CPU time of the machine, from the first lines of /proc/stat (proc_pid_stat(5)).
 */
#ifndef COLLECT_MACHINE_PROCSTAT_H
#define COLLECT_MACHINE_PROCSTAT_H

#include <stddef.h>
#include <stdint.h>

/* In ticks of sysconf(_SC_CLK_TCK). A field that the kernel does not have is 0. user and nice hold
 * guest time already. */
struct procstat_cpu {
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal;
};

/* The "cpu" line, wherever it stands. 0, or -1 where there is none with at least four numbers. */
int procstat_parse(const char *text, size_t n, struct procstat_cpu *out);

/* How many "cpuN" lines there are: the CPUs that are online. */
long procstat_cpus(const char *text, size_t n);

#endif
