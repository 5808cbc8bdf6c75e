/*
 * pressure: how long tasks had to wait for a resource (PSI, the kernel's
 * Documentation/accounting/psi.rst), and the load average.
 *
 * "some" grows while at least one task waits, "full" while all tasks that are not idle wait.
 */
#ifndef COLLECT_MACHINE_PRESSURE_H
#define COLLECT_MACHINE_PRESSURE_H

#include <stddef.h>

#include "collect/procfs/root.h"
#include "core/numbers/metric.h"

/* Seconds since boot; NAN where the file has no such line. */
struct pressure_total {
	double some_s, full_s;
};

/* One file of /proc/pressure. 0, or -1 where it has no "some" line with a total. */
int pressure_parse(const char *text, size_t n, struct pressure_total *out);

/* /proc/loadavg: the load of the last minute, or NAN. */
double pressure_parse_load(const char *text, size_t n);

#define PRESSURE_FILES 3

/* The open files. Valid when zero: nothing to read. */
struct pressure {
	struct root_file file[PRESSURE_FILES];
	struct root_file loadavg;
	int failed, load_failed; /* errno of the first failure of each, or 0 */
};

/* A kernel without PSI (CONFIG_PSI, or psi=0) is not an error: pressure_read then gives NAN, and
 * does not try again. */
void pressure_open(struct pressure *p, const struct root *r);

/* Fills the cells of pressure (seconds since boot) and load in row (METRIC_COUNT cells), NAN where
 * they cannot be read. */
void pressure_read(struct pressure *p, double *row);
void pressure_close(struct pressure *p);

#endif
