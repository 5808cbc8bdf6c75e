/*
 * journal: the crash-safe file OUT.partial, which holds the samples of a run until it ends.
 *
 * A header (one JSON line with the snapshot's head as known at the start, and the names of the
 * columns), then one record for each sample: sequence number, flags, values, CRC-32.
 * docs/snapshot.md describes the bytes.
 *
 * Why this survives a crash: a record has a fixed size and is appended in one write, so at any
 * moment all records but the last are whole, and the last is whole or shorter. The checksum and the
 * sequence number distinguish whole records from torn or damaged ones, so no index and no end mark
 * is needed, and the reader can find the next whole record after damage. There is no fsync(2): a
 * kill of the collector loses nothing, since the kernel has the pages; a power failure loses what
 * the kernel has not written yet, and a sync for each sample would cost more than the sample.
 */
#ifndef CORE_FILES_JOURNAL_H
#define CORE_FILES_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/numbers/metric.h"
#include "core/recording/detail.h"
#include "core/recording/snapshot_source.h"

/* A sample of the first moments, off the grid; used in runs of less than two intervals. */
#define JOURNAL_EARLY     1u
#define JOURNAL_EARLY_MAX 32  /* such samples in a journal */
#define JOURNAL_MARK_MAX  124 /* bytes of a mark: PHASES_NAME_MAX and " end" */

struct journal; /* opaque; allocated once, at creation */

/* Creates path (mode 0600; never follows a link, never opens an existing file) and writes the
 * header from s. s->meta says which scopes the records hold; s->no_gpus leaves out the columns of
 * single GPUs; s->devices, where set, says how many cells follow (detail.h). NULL with a sentence,
 * and errno as open(2) left it (EEXIST: another run's journal). */
struct journal *journal_create(const char *path, struct snapshot *s, struct err *e);

/* Writes the header again, from an s of which more is known. Only before the first record. 0; or -1
 * with a sentence, and nothing more is taken, as by journal_append: if there is no room for it, the
 * header is as it was. */
int journal_describe(struct journal *j, struct snapshot *s, struct err *e);

/* Appends a sample. row has METRIC_COUNT cells in base units, or with s->devices DETAIL_ROW_CELLS;
 * cells of columns that the journal does not hold are ignored. Allocates nothing. After a failure
 * (disk full) the file is truncated to the last whole record, and every later call fails with the
 * same reason. */
int journal_append(struct journal *j, const double *row, unsigned flags, struct err *e);

/* Overwrites the regular record that was appended last; appends row if there is none. */
int journal_replace(struct journal *j, const double *row, struct err *e);

/* Appends a mark of the job (core/numbers/phases.h), made at time t (Unix seconds): the first
 * JOURNAL_MARK_MAX bytes of line. Marks beyond PHASES_MAX are dropped. */
int journal_mark(struct journal *j, double t, const char *line, size_t n, struct err *e);

/* Appends which device a cell is of, before the first sample that has a value there. 0, or -1 with
 * a sentence, as journal_append. */
int journal_device(struct journal *j, const struct detail_device *d, struct err *e);

/* Bytes of entries of processes (process_entry.h) that one record holds. */
size_t journal_processes_room(const struct journal *j);

/* Appends a record of so many bytes of such entries. 0, or -1 with a sentence;
 * journal_processes_full after JOURNAL_PROCESSES_MAX records. */
#define JOURNAL_PROCESSES_MAX 16384
int journal_processes(struct journal *j, const unsigned char *bytes, size_t n, struct err *e);
bool journal_processes_full(const struct journal *j);

/* Whether a record of the processes now (PROCESS_ENTRY_NOW) is due: in the first moments, after the
 * first regular sample, and from then on once in as many samples as take JOURNAL_NOW_S. A
 * recorder that misses one writes no further ones: it finds its rows by counting them. */
#define JOURNAL_NOW_S 5
bool journal_now_due(const struct journal *j);

/* Appends that record; only when it is due. 0, or -1 with a sentence. */
int journal_now(struct journal *j, const unsigned char *bytes, size_t n, struct err *e);

/* Reads the next of the records of journal_processes from *at on (0: the first), and moves *at. 1
 * with its bytes, which are valid until the next call of any function, 0 at the end, or -1 with a
 * sentence. */
int journal_processes_next(struct journal *j, size_t *at, const unsigned char **bytes, size_t *n,
                           struct err *e);

/* 0, or -1 with a sentence after a write that failed: since then nothing is taken. */
int journal_check(const struct journal *j, struct err *e);

/* Reads all records again, once, before journal_source at the end: those that another process has
 * overwritten or cut off are left out from then on. How many they are: */
struct journal_damage {
	size_t rows, early; /* samples */
	size_t others;      /* processes, marks, devices */
};
struct journal_damage journal_verify(struct journal *j);

/* The samples with JOURNAL_EARLY, or all others, as a source for snapshot_write. Valid until the
 * journal grows or this is called again. */
struct snapshot_source journal_source(struct journal *j, bool early);

/* How many samples both sources have: without any, no snapshot can be made of it. */
size_t journal_samples(const struct journal *j);

/* How many bytes of the file are the header and whole records. */
uint64_t journal_size(const struct journal *j);

/* Whether its path still leads to it: others may remove it, or put another file there. */
bool journal_is_named(const struct journal *j);

/* Closes the journal, and removes the file if remove is set and the path still leads to it. NULL is
 * fine. */
void journal_close(struct journal *j, bool remove);

/* The end of the name of a copy, which a recorder makes of its journal on another disk (--sync). It
 * stands for the recording only where that is absent. */
#define JOURNAL_COPY ".copy.json.gz.partial"
bool journal_is_copy(const char *name);

#define JOURNAL_MAGIC "rtrack-journal 1\n"

/* Reads a journal from the beginning of fd into s, and sets s->unfinished. Damaged parts are
 * skipped up to the next whole record, counted in s->damage, and noted. name names the file in
 * sentences. 0, or -1 if the header is not whole. */
int journal_read(struct snapshot *s, int fd, const char *name, struct err *e);

/* Sets *out to a sentence about s->damage, without a full stop. */
void journal_tell_damage(const struct snapshot *s, struct err *out);

/* -- records, for what else reads or copies them -- */

/* A record: magic and flags (32 bits each), sequence number (64 bits), the cells (doubles), and the
 * CRC-32 of all bytes before it. The byte order is the machine's; another magic is a foreign one.
 * */
#define RECORD_MAGIC       0x52545231u
#define RECORD_HEAD        16
#define RECORD_COLUMNS_MAX (METRIC_COUNT + DETAIL_CELLS_MAX)
#define RECORD_MAX         (RECORD_HEAD + RECORD_COLUMNS_MAX * 8 + 4)
/* Bytes that are read at once. */
#define RECORD_MANY (32 * (RECORD_HEAD + METRIC_COUNT * 8 + 4))

/* Flags: the cells hold a number and a text, not a sample. */
#define RECORD_MARK   2u /* a time and a mark */
#define RECORD_DEVICE 4u /* a cell and its device (detail.h) */
#define RECORD_PROCESSES                                                                           \
	12u /* both bits: a number of bytes, and entries of processes (process_entry.h) */
#define RECORD_ASIDE (RECORD_MARK | RECORD_PROCESSES)
#define HEADER_MAX   ((size_t)4 << 20)

#endif
