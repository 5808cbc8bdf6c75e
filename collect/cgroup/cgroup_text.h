/*
 * cgroup_text: the values in the files of cgroups, v1 and v2 (the kernel's
 * Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/).
 *
 * INFINITY: there is no limit. NAN: the text has no such number.
 */
#ifndef COLLECT_CGROUP_CGROUP_TEXT_H
#define COLLECT_CGROUP_CGROUP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* From this number on, v1 means "no limit": LONG_MAX rounded down to whole pages. */
#define CGROUP_TEXT_NO_LIMIT 4611686018427387904.0 /* 2^62 */

/* A file of one number: "123". INFINITY for "max", "-1" and from CGROUP_TEXT_NO_LIMIT on. */
double cgroup_text_number(const char *text, size_t n);

/* The number in the line "KEY NUMBER" (memory.stat, cpu.stat, memory.events). Never INFINITY. */
double cgroup_text_key(const char *text, size_t n, const char *key);

/* The sum of the numbers in the lines "PREFIX… NUMBER" ("allocstall_" in /proc/vmstat). */
double cgroup_text_sum(const char *text, size_t n, const char *prefix);

/* The processes in cgroup.procs, one a line; one that is outside of this namespace is 0. Their
 * number; -1: more than max, or another kind of text. */
int cgroup_text_pids(const char *text, size_t n, int *pids, size_t max);

/* The working set, as container tools define it: usage less the inactive file pages of memory.stat,
 * which the kernel reclaims first. */
double cgroup_text_working_set(double usage_b, const char *stat, size_t n, bool v2);

/* cpu.max, "QUOTA PERIOD" in µs: cores. */
double cgroup_text_cpu_max(const char *text, size_t n);

/* Sums rbytes and wbytes of io.stat ("8:0 rbytes=1 wbytes=2 …"), of the devices that judge accepts
 * (NULL: all). False if the text has any other kind of line; the others are summed all the same. */
typedef bool (*cgroup_text_judge)(const void *ctx, int major, int minor);
bool cgroup_text_io(const char *text, size_t n, cgroup_text_judge judge, const void *ctx,
                    double *read_b, double *write_b);

#endif
