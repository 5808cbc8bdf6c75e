/*
 * pressure: how long tasks had to wait for a resource (the kernel's
 * Documentation/accounting/psi.rst), and the load.
 *
 * "some" grows while any task waits, "full" while all that are not idle wait. Seconds since boot.
 */
#ifndef COLLECT_MACHINE_PRESSURE_H
#define COLLECT_MACHINE_PRESSURE_H

#include <stddef.h>

#include "collect/procfs/root.h"

enum pressure_kind { PRESSURE_CPU, PRESSURE_MEMORY, PRESSURE_IO, PRESSURE_KINDS };

/* NAN where it is not told. */
struct pressure_total {
	double some_s, full_s;
};

/* One file of /proc/pressure. 0, or -1 where it has no "some" line with a total. */
int pressure_parse(const char *text, size_t n, struct pressure_total *out);

/* /proc/loadavg: the load of the last minute, or NAN. */
double pressure_parse_load(const char *text, size_t n);

/* Kept open. Valid when zero: nothing to read. */
struct pressure {
	struct root_file file[PRESSURE_KINDS];
	struct root_file loadavg;
	int failed, load_failed; /* errno of the first failure of each, or 0 */
};

struct pressure_values {
	struct pressure_total total[PRESSURE_KINDS];
	double load1;
};

/* A kernel without PSI (CONFIG_PSI, or psi=0) is no error: its values are NAN, and are not looked
 * for again. */
void pressure_open(struct pressure *p, const struct root *r);
void pressure_read(struct pressure *p, struct pressure_values *out);
void pressure_close(struct pressure *p);

#endif
