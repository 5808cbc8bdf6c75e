/*
 * process_now: the processes of the job that matter now, in the journal, for who watches it.
 *
 * Once in some seconds (journal_now_due) the journal gets a record of PROCESS_ENTRY_NOW entries: of
 * those processes that used the most CPU time since the record before, and of those with the most
 * memory. All numbers are those of the sample that has just been taken. Sampling allocates nothing,
 * but where a process has given itself a name that is not yet redacted.
 */
#ifndef COLLECT_EVENTS_PROCESS_NOW_H
#define COLLECT_EVENTS_PROCESS_NOW_H

#include <stdint.h>

#include "collect/events/process_log.h"
#include "collect/process/tree.h"
#include "core/files/journal.h"

#define PROCESS_NOW_MAX 12

struct process_now; /* opaque */

/* When a sample was taken: CLOCK_MONOTONIC in ns, and seconds since the start of the recording. */
struct process_now_time {
	int64_t at;
	double since_start_s;
	double start_unix; /* of the recording */
};

/* t was read once: what its processes had used by then counts in no record. NULL without memory. */
struct process_now *process_now_open(const struct tree *t, int64_t at);

/* After the row of a sample: writes a record where one is due. log may be NULL: the processes then
 * have no numbers. A failure is in journal_check. NULL is fine. */
void process_now_sample(struct process_now *n, const struct tree *t, struct process_log *log,
                        struct journal *j, const struct process_now_time *time);

/* NULL is fine. */
void process_now_close(struct process_now *n);

#endif
