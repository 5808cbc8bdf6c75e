/*
 * journal_running: whether a journal is still being written.
 *
 * A recorder holds flock(2) on its journal as long as it writes it. Where that lock cannot be seen
 * (a file system without locks, a folder that another machine writes over NFS or Lustre), a journal
 * runs as long as it grows.
 */
#ifndef CORE_FILES_JOURNAL_RUNNING_H
#define CORE_FILES_JOURNAL_RUNNING_H

#include <stdbool.h>

#include "core/recording/snapshot.h"

#define JOURNAL_RUNNING_LEAST_S 30 /* a journal that grew so lately runs, at least */

#define JOURNAL_COPY_EVERY_S 300 /* after which a copy grows, which has no lock (journal.h) */

/* fd: the journal, open for reading; name: its own; s: what was read from it. The lock is tried for
 * some microseconds, and not kept. */
bool journal_running(int fd, const char *name, const struct snapshot *s);

/* The same by time alone: it grew last at `grown`, Unix seconds, and usually grows every `every_s`.
 * NAN: unknown. Pure. */
bool journal_running_by_time(double grown, double every_s, double now);

#endif
