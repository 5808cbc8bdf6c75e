/*
 * system: everything of the machine's row, in one call.
 *
 * system_open opens the files and allocates all memory; system_read allocates nothing, blocks on
 * nothing that another machine answers, and costs about fifteen system calls.
 */
#ifndef COLLECT_SYSTEM_H
#define COLLECT_SYSTEM_H

#include "../core/err.h"
#include "../core/snapshot.h"
#include "root.h"

/* Base units; NAN where it could not be read. Those marked + are sums that never fall: only their
 * differences mean something. The others are states. */
struct system_counters {
	double utime_s, stime_s;  /* + user and nice; system. All CPUs */
	double iowait_s, steal_s; /* + idle with I/O under way; taken by the hypervisor */
	double irq_s;             /* + hard and soft interrupts */
	double processes;         /* that exist now */
	double mem_total_b, mem_free_b;
	double
	    mem_available_b; /* free + buffers + cached where the kernel, before 3.14, has none */
	double buffers_b, cached_b; /* cached: Cached + SReclaimable */
	double active_b, inactive_b;
	double swap_used_b;
	double disk_read_b, disk_write_b; /* + 0 at the first reading */
	double space_total_b, space_used_b, space_free_b;
	double net_recv_b, net_sent_b; /* + 0 at the first reading */
	double load1;                  /* of the last minute */
	/* + seconds in which some task waited for it, or all did */
	double psi_cpu_some_s, psi_memory_some_s, psi_memory_full_s, psi_io_some_s, psi_io_full_s;
};

struct system;

/* r must live as long. A file that cannot be opened is no error: its values are NAN. NULL with a
 * sentence where there is no memory. */
struct system *system_open(const struct root *r, struct err *e);

void system_read(struct system *s, struct system_counters *out);

/* Notes in the snapshot what could not be measured, and why. Call it after a reading. */
void system_notes(const struct system *s, struct snapshot *snapshot);

/* NULL is fine. */
void system_close(struct system *s);

#endif
