/*
 * journal_header: what the beginning of a journal says: whose it is, and where its records end.
 */
#ifndef REPORT_STORE_JOURNAL_HEADER_H
#define REPORT_STORE_JOURNAL_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/files/journal_record.h"
#include "core/recording/snapshot.h"

/* How much of a journal that is still written will not change any more: the end of an offset,
 * between whole records. The collector may rewrite the last regular record when the run ends. from:
 * an offset up to which this is known. -1 with a sentence without the file's name. */
int journal_header_settled(int fd, const struct journal_layout *h, uint64_t from, uint64_t *to,
                           struct err *e);

/* The end of the last whole record. */
int journal_header_end(int fd, const struct journal_layout *h, uint64_t *to, struct err *e);

/* Whether a journal's header and a snapshot are of one recording: the same process on the same
 * host. The header is written just before the run begins. */
bool journal_header_same(const struct snapshot *journal, const struct snapshot *s);

#endif
