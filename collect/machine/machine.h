/*
 * machine: everything of the machine's row, in one call.
 *
 * machine_open opens the files and allocates all memory; machine_read allocates nothing, blocks on
 * nothing that another machine answers, and costs about fifteen system calls.
 */
#ifndef COLLECT_MACHINE_MACHINE_H
#define COLLECT_MACHINE_MACHINE_H

#include "collect/procfs/root.h"
#include "core/err.h"
#include "core/snapshot.h"

/* Base units; NAN where it could not be read. Those marked + are sums that never fall: only their
 * differences mean something. The others are states. */
struct machine_counters {
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

struct machine;

/* r must live as long. A file that cannot be opened is no error: its values are NAN. NULL with a
 * sentence where there is no memory. */
struct machine *machine_open(const struct root *r, struct err *e);

void machine_read(struct machine *s, struct machine_counters *out);

/* Notes in the snapshot what could not be measured, and why. Call it after a reading. */
void machine_notes(const struct machine *s, struct snapshot *snapshot);

/* NULL is fine. */
void machine_close(struct machine *s);

#endif
