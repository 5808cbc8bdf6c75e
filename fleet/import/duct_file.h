/*
 * duct_file: the members of con/duct's JSON that are used, read without a tree.
 */
#ifndef FLEET_IMPORT_DUCT_FILE_H
#define FLEET_IMPORT_DUCT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/err.h"

/* By their paths, as "system.cpu_total": the table in duct_file.c. */
enum duct_file_number {
	DUCT_FILE_EXIT_CODE,
	DUCT_FILE_WALL,
	DUCT_FILE_PEAK_RSS,
	DUCT_FILE_AVERAGE_RSS,
	DUCT_FILE_SAMPLES,
	DUCT_FILE_START,
	DUCT_FILE_CPUS,
	DUCT_FILE_MEMORY,
	DUCT_FILE_GPUS, /* how many; of "gpu" */
	DUCT_FILE_TOTALS_RSS,
	DUCT_FILE_AVERAGES_RSS,
	DUCT_FILE_AVERAGES_SAMPLES,
	DUCT_FILE_NUMBERS
};

enum duct_file_text {
	DUCT_FILE_COMMAND,
	DUCT_FILE_HOST,
	DUCT_FILE_USER,
	DUCT_FILE_DIRECTORY,
	DUCT_FILE_TIMESTAMP,
	DUCT_FILE_SLURM_JOB,
	DUCT_FILE_SLURM_CLUSTER,
	DUCT_FILE_SLURM_RESTARTS,
	DUCT_FILE_SLURM_ACCOUNT,
	DUCT_FILE_SLURM_PARTITION,
	DUCT_FILE_SLURM_NODES,
	DUCT_FILE_SLURM_TASKS,
	DUCT_FILE_SLURM_CPUS,
	DUCT_FILE_SLURM_MEMORY,
	DUCT_FILE_TEXTS
};

#define DUCT_FILE_TEXT_MAX 256 /* bytes; longer ones are cut */

struct duct_file {
	double number[DUCT_FILE_NUMBERS]; /* NAN: not there, or not a number */
	char text[DUCT_FILE_TEXTS][DUCT_FILE_TEXT_MAX];
};

/* The path of a number, for sentences. */
const char *duct_file_path(enum duct_file_number i);

/* Reads one object: the rest of the file, or with line a line of it, which is passed over
 * whether it is understood or not. 1: it was read; 0: there is none; -1 with a sentence if it is
 * not an object, or is cut: what was read before that is in *d. */
int duct_file_read(FILE *f, bool line, struct duct_file *d, struct err *e);

#endif
