/*
 * journal_record: the bytes of a journal, which one file writes and another reads.
 */
#ifndef CORE_JOURNAL_RECORD_H
#define CORE_JOURNAL_RECORD_H

#include "core/metric.h"

/* A record: magic, flags (32 bit each), sequence number (64), the cells (doubles), CRC-32 of all
 * that. Byte order is the machine's; the magic tells a foreign one. */
#define RECORD_MAGIC 0x52545231u
#define RECORD_HEAD  16
#define RECORD_MARK  2u /* a flag: no sample, but a time and a mark */
#define RECORD_MAX   (RECORD_HEAD + METRIC_COUNT * 8 + 4)
#define HEADER_MAX   ((size_t)4 << 20)

#endif
