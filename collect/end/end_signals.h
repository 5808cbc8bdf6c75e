/*
 * end_signals: the signals that came to the recorder, who sent them and when. The recorder passes
 * them on to the command, unless they reached it as well (collect/command/signals.h).
 */
#ifndef COLLECT_END_END_SIGNALS_H
#define COLLECT_END_END_SIGNALS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/signalfd.h>

#include "collect/procfs/proc_pid.h"
#include "collect/procfs/root.h"
#include "core/recording/snapshot.h"

/* The last ones. {0}: none. */
struct end_signals {
	struct end_signals_one {
		int signal, pid; /* pid 0: unknown */
		unsigned uid;
		int64_t at; /* CLOCK_MONOTONIC, ns */
		char from[PROC_PID_COMM_MAX];
	} last[SNAPSHOT_END_SIGNALS];
	size_t n; /* that came, of those that can end a process */
};

/* Notes a signal that can end a process, and was not raised for what the recorder itself did. Reads
 * the sender's name at once. at: CLOCK_MONOTONIC, ns. */
void end_signals_add(struct end_signals *s, const struct root *r,
                     const struct signalfd_siginfo *info, int64_t at);

/* Fills the signals of e, in the order in which they came; end: of the run. Names are redacted. */
void end_signals_fill(const struct end_signals *s, int64_t end, struct snapshot *snapshot);

#endif
