/*
 * slurm_attempts: how often each job was seen, for restart counts.
 *
 * sacct -D lists the attempts of a job in order, but with other jobs between them. Of files that
 * were put together a job may come twice: an attempt with the start of the last one is that, and
 * with an earlier start the attempts begin again. A job takes 22 to 43 bytes. Of more jobs than
 * SLURM_ATTEMPTS_MAX the further ones are not remembered: each of their attempts counts as the
 * first.
 */
#ifndef REPORT_IMPORT_SLURM_ATTEMPTS_H
#define REPORT_IMPORT_SLURM_ATTEMPTS_H

#include <stddef.h>
#include <stdint.h>

#define SLURM_ATTEMPTS_MAX ((size_t)1 << 22)

/* {0} is valid: none was seen. */
struct slurm_attempts {
	struct {
		uint64_t hash; /* and in its lowest byte the count */
		double start;  /* of the last attempt */
	} * v;
	size_t n, cap;
};

/* The number of this attempt, from 0 to 254. An unknown start is that of the last one. */
unsigned slurm_attempts_next(struct slurm_attempts *a, const char *cluster, const char *id,
                             double start);

void slurm_attempts_free(struct slurm_attempts *a);

#endif
