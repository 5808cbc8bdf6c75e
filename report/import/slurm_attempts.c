/* slurm_attempts: how often each job was seen. */
#include "report/import/slurm_attempts.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "core/base/fnv1a.h"

#define COUNT     0xffu /* the lowest byte */
#define CAP_FIRST ((size_t)1024)

/* The place of a hash, or where it belongs. */
static size_t slurm_find(const struct slurm_attempts *a, uint64_t hash)
{
	size_t i = (size_t)(hash >> 8) & (a->cap - 1);

	while (a->v[i].hash && ((a->v[i].hash ^ hash) & ~(uint64_t)COUNT))
		i = (i + 1) & (a->cap - 1);
	return i;
}

static int slurm_grow(struct slurm_attempts *a)
{
	struct slurm_attempts more = {.n = a->n, .cap = a->cap ? 2 * a->cap : CAP_FIRST};

	more.v = alloc_failed_note(calloc(more.cap, sizeof *more.v));
	if (!more.v)
		return -1;
	for (size_t i = 0; i < a->cap; i++)
		if (a->v[i].hash)
			more.v[slurm_find(&more, a->v[i].hash)] = a->v[i];
	free(a->v);
	*a = more;
	return 0;
}

unsigned slurm_attempts_next(struct slurm_attempts *a, const char *cluster, const char *id,
                             double start)
{
	uint64_t hash = fnv1a_add(fnv1a_add(FNV1A_BEGIN, cluster), id) & ~(uint64_t)COUNT;
	size_t i;

	if (4 * a->n >= 3 * a->cap && (a->n >= SLURM_ATTEMPTS_MAX || slurm_grow(a)))
		return 0;
	i = slurm_find(a, hash);
	if (!a->v[i].hash)
		a->n++;
	if (!a->v[i].hash || start < a->v[i].start)
		a->v[i].hash = hash | 1;
	else if (start > a->v[i].start && (a->v[i].hash & COUNT) < COUNT)
		a->v[i].hash++;
	if (!isnan(start))
		a->v[i].start = start;
	return (unsigned)(a->v[i].hash & COUNT) - 1;
}

void slurm_attempts_free(struct slurm_attempts *a)
{
	free(a->v);
	*a = (struct slurm_attempts){0};
}
