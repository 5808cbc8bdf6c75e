/*
 * meminfo: the machine's memory, from /proc/meminfo (proc_meminfo(5)). Values there are KiB.
 */
#ifndef COLLECT_MACHINE_MEMINFO_H
#define COLLECT_MACHINE_MEMINFO_H

#include <stddef.h>

/* Bytes; NAN where the kernel does not tell. */
struct meminfo {
	double total_b, free_b, available_b, buffers_b;
	double cached_b, sreclaimable_b; /* apart, as the kernel tells them */
	double active_b, inactive_b;
	double swap_total_b, swap_free_b;
};

/* 0, or -1 where there is no MemTotal; *out is filled all the same. */
int meminfo_parse(const char *text, size_t n, struct meminfo *out);

#endif
