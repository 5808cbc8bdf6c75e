/*
 * meminfo: the machine's memory, from /proc/meminfo (proc_meminfo(5)), where values are in KiB.
 */
#ifndef COLLECT_MACHINE_MEMINFO_H
#define COLLECT_MACHINE_MEMINFO_H

#include <stddef.h>

#include "core/numbers/metric.h"

/* Fills the cells of the machine's memory and swap in row (METRIC_COUNT cells, or NULL), in bytes;
 * NAN for a value that the kernel does not have, or that cannot be. The schema defines used memory
 * (metric.def: memory_used). Returns MemTotal in bytes, or NAN where there is none: then row stays
 * as it was. */
double meminfo_parse(const char *text, size_t n, enum schema schema, double *row);

#endif
