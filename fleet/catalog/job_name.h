/*
 * job_name: a job as people name it after its scheduler: "12345"; "12345/1", its second start;
 * "12_3" or "12[3]", an element of an array, of which "12" are all; "slurm/hpc/12345/0", the whole
 * key. Pure.
 */
#ifndef FLEET_CATALOG_JOB_NAME_H
#define FLEET_CATALOG_JOB_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"

#define JOB_NAME_MAX ((size_t)256)

struct job_name {
	char scheduler[32]; /* "": any */
	char cluster[96];
	bool any_cluster;
	char job[JOB_NAME_MAX]; /* as given, also "12_3" */
	char array[JOB_NAME_MAX];
	double index;   /* of "12_3", whose array is "12"; NAN: none */
	double restart; /* NAN: any */
};

/* -1 with a sentence: it names no job. */
int job_name_parse(const char *text, struct job_name *out, struct err *e);

/* The columns of a recording that name its job, as in rtrack_row.def. "" and NAN: unknown.
 * Borrowed. */
struct job_name_row {
	const char *id; /* of the recording */
	const char *job_id, *job, *array_job, *labels;
	double array_index;
};

/* Whether the recording is of this job; its number of restarts counts if it was given. */
bool job_name_is(const struct job_name *name, const struct job_name_row *row);

/* How often the job was started before: 0 if it is not known. */
double job_name_restart(const struct job_name_row *row);

/* Appends what identifies the job whatever its restarts: "slurm/hpc/12345"; "" if unknown. */
void job_name_key(const struct job_name_row *row, struct buf *out);

/* Appends the name for people: "12345", "12345/1", "12_3"; "" if unknown. */
void job_name_text(const struct job_name_row *row, struct buf *out);

#endif
