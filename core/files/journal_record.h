/*
 * journal_record: the header and the records of a journal, one by one (journal.h), for what reads
 * all of it and for what follows it while it grows.
 */
#ifndef CORE_FILES_JOURNAL_RECORD_H
#define CORE_FILES_JOURNAL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/err.h"
#include "core/files/journal.h"
#include "core/numbers/phases.h"

/* How records are laid out, from the header. A column is METRIC_COUNT if its name is not known, and
 * DETAIL_CELL(n) of a device (detail.h). */
struct journal_layout {
	enum metric_id columns[RECORD_COLUMNS_MAX];
	size_t n_columns, record; /* bytes of a record */
	size_t size;              /* bytes up to the first record */
};

/* Parses the header, two lines in the first n bytes of a journal; s, which must be empty, gets what
 * it says. -1 if they are not a whole header. */
int journal_layout_parse(struct journal_layout *l, struct snapshot *s, const char *text, size_t n);

/* The same of an open file. -1 with a sentence that does not name the file. */
int journal_layout_read(struct journal_layout *l, struct snapshot *s, int fd, struct err *e);

/* Reads n bytes, or fewer at the end of the file. -1 with a sentence on a read error. */
long journal_record_pread(int fd, unsigned char *p, size_t n, off_t at, struct err *e);

/* These look at the l->record bytes at p. Pure. */
bool journal_record_begins(const unsigned char *p); /* with the magic */
uint64_t journal_record_number(const unsigned char *p);
bool journal_record_whole(const struct journal_layout *l,
                          const unsigned char *p); /* its checksum */
unsigned journal_record_flags(const unsigned char *p);

/* The cell of a column; NAN if there is none. */
double journal_record_cell(const struct journal_layout *l, const unsigned char *p,
                           enum metric_id id);

/* Applies a mark (RECORD_MARK). */
void journal_record_mark(const struct journal_layout *l, const unsigned char *p,
                         struct phases *phases);

#endif
