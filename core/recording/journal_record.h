/*
 * journal_record: the layout of a journal's records, shared by its writer and its reader.
 */
#ifndef CORE_RECORDING_JOURNAL_RECORD_H
#define CORE_RECORDING_JOURNAL_RECORD_H

#include "core/numbers/metric.h"
#include "core/recording/detail.h"

/* A record: magic and flags (32 bits each), sequence number (64 bits), the cells (doubles), and the
 * CRC-32 of all bytes before it. The byte order is the machine's; another magic is a foreign one.
 * */
#define RECORD_MAGIC       0x52545231u
#define RECORD_HEAD        16
#define RECORD_COLUMNS_MAX (METRIC_COUNT + DETAIL_CELLS_MAX)
#define RECORD_MAX         (RECORD_HEAD + RECORD_COLUMNS_MAX * 8 + 4)
/* Bytes: as many are read at once. */
#define RECORD_MANY (32 * (RECORD_HEAD + METRIC_COUNT * 8 + 4))

/* Flags: the cells hold a number and a text, not a sample. */
#define RECORD_MARK   2u /* a time and a mark */
#define RECORD_DEVICE 4u /* a cell and its device (detail.h) */
#define RECORD_ASIDE  (RECORD_MARK | RECORD_DEVICE)
#define HEADER_MAX    ((size_t)4 << 20)

#endif
