/* slurm_attempts: how often each job was seen. */
#include "fleet/import/slurm_attempts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* The entry of a hash, which is made if it is not there. NULL: there is no room for it. */
static struct slurm_attempt *attempt_entry(struct slurm_attempts *a, uint64_t hash)
{
	size_t i;

	if (4 * a->n >= 3 * a->cap && (a->n >= SLURM_ATTEMPTS_MAX || slurm_grow(a)))
		return NULL;
	i = slurm_find(a, hash);
	if (!a->v[i].hash) {
		a->v[i].hash = hash & ~(uint64_t)COUNT;
		a->v[i].start = NAN;
		a->n++;
	}
	return &a->v[i];
}

static unsigned attempt_count(const struct slurm_attempt *at)
{
	return (unsigned)(at->hash & COUNT);
}

uint64_t slurm_attempts_hash(const char *const *text, size_t n_texts, const double *number,
                             size_t n_numbers)
{
	uint64_t hash = FNV1A_BEGIN, bits;

	for (size_t i = 0; i < n_texts; i++)
		hash = fnv1a_add(hash, text[i]);
	for (size_t i = 0; i < n_numbers; i++) {
		bits = 0;
		if (!isnan(number[i]))
			memcpy(&bits, &number[i], sizeof bits);
		hash = (hash ^ bits) * 0x100000001b3u;
	}
	return hash;
}

unsigned slurm_attempts_next(struct slurm_attempts *a, const char *cluster, const char *id,
                             double start, uint64_t line)
{
	uint64_t hash = fnv1a_add(fnv1a_add(FNV1A_BEGIN, cluster), id) | (COUNT + 1);
	uint64_t of_line = (hash ^ line * 0x9e3779b97f4a7c15u) | (COUNT + 1);
	struct slurm_attempt *at = isnan(start) ? attempt_entry(a, of_line) : NULL;
	unsigned n;

	if (at && attempt_count(at))
		return attempt_count(at) - 1;
	at = attempt_entry(a, hash);
	if (!at)
		return 0;
	if (!attempt_count(at) || start < at->start)
		at->hash = (at->hash & ~(uint64_t)COUNT) | 1;
	else if ((start > at->start || isnan(at->start)) && attempt_count(at) < COUNT)
		at->hash++;
	n = attempt_count(at);
	if (!isnan(start))
		at->start = start;
	else if ((at = attempt_entry(a, of_line)))
		at->hash = (at->hash & ~(uint64_t)COUNT) | n;
	return n - 1;
}

void slurm_attempts_free(struct slurm_attempts *a)
{
	free(a->v);
	*a = (struct slurm_attempts){0};
}
