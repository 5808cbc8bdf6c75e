/*
 * journal_record: the layout of a journal's records, shared by its writer and its reader.
 */
#ifndef CORE_JOURNAL_RECORD_H
#define CORE_JOURNAL_RECORD_H

#include "core/metric.h"

/* A record: magic and flags (32 bits each), sequence number (64 bits), the cells (doubles), and the
 * CRC-32 of all bytes before it. The byte order is the machine's; another magic is a foreign one.
 * */
#define RECORD_MAGIC 0x52545231u
#define RECORD_HEAD  16
#define RECORD_MARK  2u /* a flag: the cells hold a time and a mark, not a sample */
#define RECORD_MAX   (RECORD_HEAD + METRIC_COUNT * 8 + 4)
#define HEADER_MAX   ((size_t)4 << 20)

#endif
