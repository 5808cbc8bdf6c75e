/* slurm_attempts: how often each job was seen. */
#include "report/import/slurm_attempts.h"

#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "core/base/fnv1a.h"

#define COUNT     0xffu /* the lowest byte */
#define CAP_FIRST ((size_t)1024)

/* The place of a hash, or where it belongs. */
static uint64_t *find(uint64_t *v, size_t cap, uint64_t hash)
{
	size_t i = (size_t)(hash >> 8) & (cap - 1);

	while (v[i] && ((v[i] ^ hash) & ~(uint64_t)COUNT))
		i = (i + 1) & (cap - 1);
	return &v[i];
}

static int grow(struct slurm_attempts *a)
{
	size_t cap = a->cap ? 2 * a->cap : CAP_FIRST;
	uint64_t *v = alloc_failed_note(calloc(cap, sizeof *v));

	if (!v)
		return -1;
	for (size_t i = 0; i < a->cap; i++)
		if (a->v[i])
			*find(v, cap, a->v[i]) = a->v[i];
	free(a->v);
	a->v = v;
	a->cap = cap;
	return 0;
}

unsigned slurm_attempts_next(struct slurm_attempts *a, const char *cluster, const char *id)
{
	uint64_t hash = fnv1a_add(fnv1a_add(FNV1A_BEGIN, cluster), id) & ~(uint64_t)COUNT;
	uint64_t *at;

	if (4 * a->n >= 3 * a->cap && (a->n >= SLURM_ATTEMPTS_MAX || grow(a)))
		return 0;
	at = find(a->v, a->cap, hash);
	if (!*at) {
		*at = hash;
		a->n++;
	}
	if ((*at & COUNT) < COUNT)
		++*at;
	return (unsigned)(*at & COUNT) - 1;
}

void slurm_attempts_free(struct slurm_attempts *a)
{
	free(a->v);
	*a = (struct slurm_attempts){0};
}
