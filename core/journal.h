/*
 * journal: the record of a run that is not finished, OUT.partial.
 *
 * One header (a JSON line with everything that is known at the start, and the columns' names), then
 * one self-checking record a sample: sequence number, flags, values, CRC-32; each record is
 * appended in one write. Reading passes over what is damaged, up to the next whole record, and
 * tells how much that was. docs/snapshot.md describes the bytes.
 */
#ifndef CORE_JOURNAL_H
#define CORE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "core/metric.h"
#include "core/snapshot.h"

/* A sample of the first moments, off the grid; it counts in runs of less than two intervals. */
#define JOURNAL_EARLY     1u
#define JOURNAL_EARLY_MAX 32  /* such samples in a journal */
#define JOURNAL_MARK_MAX  124 /* bytes of a mark: PHASES_NAME_MAX, and " end" */

struct journal; /* opaque; allocated once, at creation */

/* Creates path (mode 0600; never follows a link, never opens what exists) and writes the header
 * from s, whose metadata say which scopes the records hold, and no_gpus that the
 * columns of single GPUs are left out. NULL with a sentence, and errno as
 * open(2) left it (EEXIST: another run's journal is there). */
struct journal *journal_create(const char *path, struct snapshot *s, struct err *e);

/* Appends a sample. row has METRIC_COUNT cells in base units; those of scopes not held are ignored.
 * Allocates nothing. After a failure (disk full) the file is cut back to the last whole record, and
 * the journal takes nothing more. */
int journal_append(struct journal *j, const double *row, unsigned flags, struct err *e);

/* Writes row over the regular record that was appended last; appends it where there is none. */
int journal_replace(struct journal *j, const double *row, struct err *e);

/* Appends a mark of the job's (core/phases.h), made at time t (Unix seconds): the first
 * JOURNAL_MARK_MAX bytes of line. Of more than PHASES_MAX marks the rest is not kept. */
int journal_mark(struct journal *j, double t, const char *line, size_t n, struct err *e);

/* The recorded samples, for snapshot_write, until the journal grows or is asked again: those with
 * JOURNAL_EARLY, or the others. */
struct snapshot_source journal_source(struct journal *j, bool early);

/* Closes; removes the file too where remove is set. NULL is fine. */
void journal_close(struct journal *j, bool remove);

#define JOURNAL_MAGIC "rtrack-journal 1\n"

/* Reads a journal from the beginning of fd into s, which is unfinished then, and has a note and
 * s->damage where some of it is damaged. name is what to call
 * the file. 0, or -1 where there is no whole header. */
int journal_read(struct snapshot *s, int fd, const char *name, struct err *e);

/* A sentence, without its full stop, of what could not be read (s->damage). */
void journal_tell_damage(const struct snapshot *s, struct err *out);

#endif
