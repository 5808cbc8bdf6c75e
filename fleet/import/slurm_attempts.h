/*
 * slurm_attempts: how often each job was seen, for restart counts.
 *
 * sacct -D lists the attempts of a job in order, but with other jobs between them. Of files that
 * were put together a job may come twice: an attempt with the start of the last one is that, and
 * with an earlier start the attempts begin again. Without starts each line that differs is an
 * attempt, and takes as much as a job. A job takes 22 to 43 bytes. Of more jobs than
 * SLURM_ATTEMPTS_MAX the further ones are not remembered: each of their attempts counts as the
 * first.
 */
#ifndef FLEET_IMPORT_SLURM_ATTEMPTS_H
#define FLEET_IMPORT_SLURM_ATTEMPTS_H

#include <stddef.h>
#include <stdint.h>

#define SLURM_ATTEMPTS_MAX ((size_t)1 << 22)

struct slurm_attempt {
	uint64_t hash; /* and in its lowest byte the count; 0: a free place */
	double start;  /* of the last attempt; NAN: unknown */
};

/* {0} is valid: none was seen. */
struct slurm_attempts {
	struct slurm_attempt *v;
	size_t n, cap;
};

/* A hash of texts and numbers, of which NAN is unknown. */
uint64_t slurm_attempts_hash(const char *const *text, size_t n_texts, const double *number,
                             size_t n_numbers);

/* The number of this attempt, from 0 to 254. line: a hash of all that its line says, which counts
 * where no start is known; one that is unknown after others is that of the last. */
unsigned slurm_attempts_next(struct slurm_attempts *a, const char *cluster, const char *id,
                             double start, uint64_t line);

void slurm_attempts_free(struct slurm_attempts *a);

#endif
