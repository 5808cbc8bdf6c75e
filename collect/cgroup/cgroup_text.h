/*
 * cgroup_text: the values in the files of cgroups, v1 and v2 (the kernel's
 * Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/).
 *
 * INFINITY means that there is no limit, NAN that the text does not say.
 */
#ifndef COLLECT_CGROUP_CGROUP_TEXT_H
#define COLLECT_CGROUP_CGROUP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers from here on are the kernel's way to say "no limit" in v1: LONG_MAX, cut to whole pages.
 */
#define CGROUP_TEXT_NO_LIMIT 4611686018427387904.0 /* 2^62 */

/* A file of one number: "123"; "max", "-1" and what is over CGROUP_TEXT_NO_LIMIT are INFINITY. */
double cgroup_text_number(const char *text, size_t n);

/* The number of the line "KEY NUMBER" (memory.stat, cpu.stat, memory.events); no limit is known. */
double cgroup_text_key(const char *text, size_t n, const char *key);

/* cpu.max, "QUOTA PERIOD" in µs: cores. */
double cgroup_text_cpu_max(const char *text, size_t n);

/* A list of CPUs, "0-3,8": how many they are. */
double cgroup_text_cpus(const char *text, size_t n);

/* Sums rbytes and wbytes of the lines of io.stat ("8:0 rbytes=1 wbytes=2 …") whose device judge
 * lets count (NULL: all). False where the text has a line of another kind; what was understood is
 * summed all the same. */
typedef bool (*cgroup_text_judge)(const void *ctx, int major, int minor);
bool cgroup_text_io(const char *text, size_t n, cgroup_text_judge judge, const void *ctx,
                    double *read_b, double *write_b);

#endif
