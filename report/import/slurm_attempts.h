/*
 * slurm_attempts: how often each job was seen, for restart counts.
 *
 * sacct -D lists the attempts of a job in order, but with other jobs between them. A job takes 16
 * bytes at most. Of more jobs than SLURM_ATTEMPTS_MAX the further ones are not remembered: each of
 * their attempts counts as the first.
 */
#ifndef REPORT_IMPORT_SLURM_ATTEMPTS_H
#define REPORT_IMPORT_SLURM_ATTEMPTS_H

#include <stddef.h>
#include <stdint.h>

#define SLURM_ATTEMPTS_MAX ((size_t)1 << 22)

/* {0} is valid: none was seen. */
struct slurm_attempts {
	uint64_t *v; /* a hash, and in its lowest byte the count */
	size_t n, cap;
};

/* How often this job was seen before, at most 254 times; it is seen once more. */
unsigned slurm_attempts_next(struct slurm_attempts *a, const char *cluster, const char *id);

void slurm_attempts_free(struct slurm_attempts *a);

#endif
