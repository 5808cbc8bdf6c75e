/*
 * slurm_values: the quantities that Slurm's programs print. Pure, but for the time zone.
 *
 * Each stores the value, or NAN where the text says that it is unknown: "", "Unknown", "None",
 * "N/A", "INVALID" and so on. -1, with NAN, if the text is not understood.
 */
#ifndef FLEET_IMPORT_SLURM_VALUES_H
#define FLEET_IMPORT_SLURM_VALUES_H

#include <stdbool.h>
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

/* A resource of a list such as "cpu=2,gres/gpu:a100=1,mem=4G". Its texts do not end in a NUL. */
struct slurm_values_resource {
	const char *name, *value;
	size_t n_name, n_value;
};

/* The next resource of the list, which is moved on; false at its end. */
bool slurm_values_resource(const char **list, struct slurm_values_resource *r);
bool slurm_values_is(const struct slurm_values_resource *r, const char *name);

/* GPUs of a list: begin with NAN, and give it each resource. All of them are gres/gpu; where the
 * list has types alone (gres/gpu:a100), their sum. -1: a number is not understood. */
struct slurm_values_gpus {
	double all, typed;
};
int slurm_values_gpus(const struct slurm_values_resource *r, struct slurm_values_gpus *g);

#endif
