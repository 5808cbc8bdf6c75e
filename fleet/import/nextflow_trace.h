/*
 * nextflow_trace: the trace file of a Nextflow run: a line for each task that ended.
 *
 * https://docs.seqera.io/nextflow/reports#trace-file. Columns by name, any of them; amounts as
 * people read them (1.2 GB is 1.2 × 1024³ bytes there), or raw (trace.raw: bytes, milliseconds).
 * docs/import.md says what is taken from which column.
 */
#ifndef FLEET_IMPORT_NEXTFLOW_TRACE_H
#define FLEET_IMPORT_NEXTFLOW_TRACE_H

#include "fleet/import/import_reader.h"

/* As the functions of a kind in import.c. */
bool nextflow_trace_recognise(const char *text, size_t n);
int nextflow_trace_read(struct import *in, struct err *e);

/* Bytes of "1.2 GB", "512" and "0"; seconds of "1h 2m 3s", "345ms", 345 (milliseconds) and
 * 01:02:03; percent of "123.4%". 0, or -1 if it is not one. Pure. */
int nextflow_trace_bytes(const char *text, double *out);
int nextflow_trace_duration(const char *text, double *out);
int nextflow_trace_percent(const char *text, double *out);

#endif
