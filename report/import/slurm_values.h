/*
 * slurm_values: the quantities that Slurm's programs print. Pure, but for the time zone.
 *
 * Each stores the value, or NAN where the text says that it is unknown: "", "Unknown", "None",
 * "N/A", "INVALID" and so on. -1, with NAN, if the text is not understood.
 */
#ifndef REPORT_IMPORT_SLURM_VALUES_H
#define REPORT_IMPORT_SLURM_VALUES_H

#include <stddef.h>

/* Bytes: a number and K, M, G, T, P or E (× 1024, 1024² …); without a letter it is multiplied by
 * bare. 0 is unknown: Slurm has it for what it did not measure, and for "all". */
int slurm_values_bytes(const char *text, double bare, double *out);

/* Bytes of a job of so many CPUs and nodes: old Slurms end ReqMem with c (for each CPU) or n (for
 * each node). */
int slurm_values_asked_bytes(const char *text, double cpus, double nodes, double *out);

/* Seconds: [DAYS-]HOURS:MINUTES:SECONDS, MINUTES:SECONDS, with a fraction or without. */
int slurm_values_clock(const char *text, double *out);

/* Seconds of a time limit: the same, DAYS-HOURS[:MINUTES], and words: UNLIMITED and Partition_Limit
 * are unknown. */
int slurm_values_limit(const char *text, double *out);

/* A number without a sign. */
int slurm_values_number(const char *text, double *out);

/* Unix seconds, of digits (SLURM_TIME_FORMAT=%s) or of local time: 2026-11-23T10:00:00. 0 is
 * unknown. */
int slurm_values_time(const char *text, double *out);

/* "CODE:SIGNAL" */
int slurm_values_exit(const char *text, double *code, double *signal);

/* The value of a resource in a list such as "cpu=2,gres/gpu:a100=1,mem=4G". Returns its text, of
 * *n bytes; NULL: it is not there. */
const char *slurm_values_tres(const char *list, const char *name, size_t *n);

/* GPUs of such a list: gres/gpu, else the sum of its types (gres/gpu:a100). */
int slurm_values_gpus(const char *list, double *out);

#endif
