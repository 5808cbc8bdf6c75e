/* catalog_groups: runs grouped by texts, in a bounded amount of memory. */
#include "fleet/catalog/catalog_groups.h"

#include <stdlib.h>
#include <string.h>

#define RESULTS_MAX (CATALOG_KEYS + 1 + CATALOG_GROUP_OUTPUTS)

#define HASHES ((uint64_t)1 << 32)

struct catalog_groups_one {
	uint32_t whole, hash; /* of the first n_whole keys; of all */
	struct catalog_sums sums;
	size_t size; /* of keys */
	char keys[]; /* each with its end */
};

/* -- finding a group --------------------------------------------------------------------------- */

/* FNV-1a; the end of a key counts as well. */
static uint32_t hash_key(uint32_t h, const struct catalog_groups_key *key)
{
	for (size_t i = 0; i < key->n; i++)
		h = (h ^ (unsigned char)key->s[i]) * 16777619u;
	return (h ^ 0xffu) * 16777619u;
}

/* The bits of FNV-1a are not alike. */
static uint32_t mix_hash(uint32_t h)
{
	h = (h ^ h >> 16) * 0x85ebca6bu;
	h = (h ^ h >> 13) * 0xc2b2ae35u;
	return h ^ h >> 16;
}

static bool has_keys(const struct catalog_groups_one *one, const struct catalog_groups_key *key,
                     size_t n)
{
	const char *at = one->keys, *end = one->keys + one->size;

	for (size_t i = 0; i < n; i++) {
		if ((size_t)(end - at) <= key[i].n || at[key[i].n] != '\0' ||
		    memcmp(at, key[i].s, key[i].n) != 0)
			return false;
		at += key[i].n + 1;
	}
	return at == end;
}

static bool in_pass(const struct catalog_groups *g, uint32_t whole)
{
	return whole >= g->low && (g->high == 0 || whole < g->high);
}

static void place_group(struct catalog_groups *g, struct catalog_groups_one *one)
{
	size_t at = one->hash & (g->cap - 1);

	while (g->slot[at])
		at = (at + 1) & (g->cap - 1);
	g->slot[at] = one;
}

/* Makes a table of cap slots, with the groups of this pass only. */
static int rebuild_table(struct catalog_groups *g, size_t cap)
{
	struct catalog_groups_one **old = g->slot;
	size_t n = g->cap;
	struct catalog_groups_one **new = calloc(cap, sizeof *g->slot);

	if (!new)
		return -1;
	g->slot = new;
	g->cap = cap;
	g->n = 0;
	g->bytes = cap * sizeof *g->slot;
	g->last = NULL;
	for (size_t i = 0; i < n; i++) {
		struct catalog_groups_one *one = old[i];
		if (!one)
			continue;
		if (!in_pass(g, one->whole)) {
			catalog_sums_free(&one->sums, &g->plan);
			free(one);
			continue;
		}
		place_group(g, one);
		g->n++;
		g->bytes += sizeof *one + one->size + one->sums.bytes;
	}
	free(old);
	return 0;
}

static struct catalog_groups_one *new_group(struct catalog_groups *g,
                                            const struct catalog_groups_key *key, uint32_t whole,
                                            uint32_t hash)
{
	struct catalog_groups_one *one;
	size_t size = 0;
	char *at;

	if (4 * (g->n + 1) > 3 * g->cap && rebuild_table(g, g->cap ? 2 * g->cap : 64))
		return NULL;
	for (size_t i = 0; i < g->n_keys; i++)
		size += key[i].n + 1;
	one = malloc(sizeof *one + size);
	if (!one || catalog_sums_begin(&one->sums, &g->plan)) {
		free(one);
		return NULL;
	}
	one->whole = whole;
	one->hash = hash;
	one->size = size;
	at = one->keys;
	for (size_t i = 0; i < g->n_keys; i++) {
		memcpy(at, key[i].s, key[i].n);
		at += key[i].n;
		*at++ = '\0';
	}
	place_group(g, one);
	g->n++;
	g->bytes += sizeof *one + size + one->sums.bytes;
	return one;
}

/* NULL: it is not of this pass; or without memory, if *failed. */
static struct catalog_groups_one *find_group(struct catalog_groups *g,
                                             const struct catalog_groups_key *key, bool *failed)
{
	uint32_t hash = 2166136261u, whole;
	struct catalog_groups_one *one;

	if (g->last && has_keys(g->last, key, g->n_keys))
		return g->last;
	for (size_t i = 0; i < g->n_whole; i++)
		hash = hash_key(hash, &key[i]);
	whole = mix_hash(hash);
	if (!in_pass(g, whole))
		return NULL;
	for (size_t i = g->n_whole; i < g->n_keys; i++)
		hash = hash_key(hash, &key[i]);
	hash = mix_hash(hash);
	for (size_t at = hash; g->cap; at++) {
		one = g->slot[at & (g->cap - 1)];
		if (!one)
			break;
		if (one->hash == hash && has_keys(one, key, g->n_keys))
			return one;
	}
	one = new_group(g, key, whole, hash);
	*failed = !one;
	return one;
}

/* -- passes ------------------------------------------------------------------------------------ */

/* Leaves half of the hashes to other passes, until the rest fits. */
static int leave_groups_out(struct catalog_groups *g)
{
	while (g->bytes > g->bytes_max && g->n > 1 && g->high != g->low + 1) {
		g->high = g->low + ((g->high ? g->high : HASHES) - g->low) / 2;
		if (rebuild_table(g, g->cap))
			return -1;
	}
	return 0;
}

bool catalog_groups_again(struct catalog_groups *g)
{
	uint64_t width = g->high - g->low;

	if (g->high == 0 || g->high == HASHES)
		return false;
	g->low = g->high;
	g->high = HASHES - g->low > width ? g->low + width : HASHES;
	return true;
}

int catalog_groups_add(struct catalog_groups *g, const struct catalog_groups_key *key,
                       const double column[CATALOG_COLUMNS], double row)
{
	struct catalog_groups_one *one;
	bool failed = false;
	size_t before;

	one = find_group(g, key, &failed);
	if (!one)
		return failed ? -1 : 0;
	g->last = one;
	before = one->sums.bytes;
	if (catalog_sums_add(&one->sums, &g->plan, column, row))
		return -1;
	g->bytes += one->sums.bytes - before;
	return leave_groups_out(g);
}

/* -- quarters ---------------------------------------------------------------------------------- */

/* Bytes of the first n keys. */
static size_t whole_size(const struct catalog_groups_one *one, size_t n)
{
	size_t at = 0;

	for (; n; n--)
		at += strlen(one->keys + at) + 1;
	return at;
}

/* Returns the value that would be in place k if v were sorted, from 0; v is put into another
 * order. */
static double value_in_place(double *v, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;

	while (low < high) {
		double pivot = v[low + (high - low) / 2];
		size_t i = low, j = high;
		while (i <= j) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i <= j) {
				double other = v[i];
				v[i++] = v[j];
				v[j] = other;
				if (!j--)
					break;
			}
		}
		if (k <= j && j < n)
			high = j;
		else if (k >= i)
			low = i;
		else
			break;
	}
	return v[k];
}

/* Splits groups that are the same in the first n_whole keys. */
static int split_whole(struct catalog_groups *g, struct catalog_groups_one *const *one, size_t n)
{
	size_t starts = 0, at = 0;
	double *v, quarter[3];
	int failed = 0;

	for (size_t i = 0; i < n; i++)
		starts += catalog_sums_starts(&one[i]->sums, &g->plan, NULL);
	if (!starts)
		return 0;
	if (!(v = malloc(starts * sizeof *v)))
		return -1;
	for (size_t i = 0; i < n; i++)
		at += catalog_sums_starts(&one[i]->sums, &g->plan, v + at);
	for (size_t i = 0; i < 3; i++)
		quarter[i] = value_in_place(v, starts, (i + 1) * starts / 4);
	free(v);
	for (size_t i = 0; i < n && !failed; i++)
		failed = catalog_sums_split(&one[i]->sums, &g->plan, quarter);
	return failed;
}

/* From group i on; how many are the same in the first keys. -1 without memory. */
static ptrdiff_t split_from(struct catalog_groups *g, size_t i, size_t n)
{
	size_t size = whole_size(g->slot[i], g->n_whole), same = 1;

	while (i + same < n && whole_size(g->slot[i + same], g->n_whole) == size &&
	       memcmp(g->slot[i]->keys, g->slot[i + same]->keys, size) == 0)
		same++;
	return split_whole(g, g->slot + i, same) ? -1 : (ptrdiff_t)same;
}

/* -- results ----------------------------------------------------------------------------------- */

static int compare_groups_by_keys(const void *a, const void *b)
{
	const struct catalog_groups_one *const *x = a, *const *y = b;
	size_t n = (*x)->size < (*y)->size ? (*x)->size : (*y)->size;
	/* The end of a key is less than any character. */
	return memcmp((*x)->keys, (*y)->keys, n);
}

int catalog_groups_finish(struct catalog_groups *g, catalog_groups_each *each, void *ctx)
{
	struct catalog_result v[RESULTS_MAX];
	size_t n = 0, split = 0;
	int stop = 0;

	for (size_t i = 0; i < g->cap; i++)
		if (g->slot[i])
			g->slot[n++] = g->slot[i];
	if (n > 1)
		qsort(g->slot, n, sizeof(struct catalog_groups_one *), compare_groups_by_keys);
	for (size_t i = 0; i < n; i++) {
		struct catalog_groups_one *one = g->slot[i];
		const char *at = one->keys;
		if (i == split && !stop) {
			ptrdiff_t same = split_from(g, i, n);
			stop = same < 0 ? -1 : 0;
			split += same < 0 ? 0 : (size_t)same;
		}
		for (size_t k = 0; k < g->n_keys; k++) {
			v[k] = (struct catalog_result){.text = at};
			at += strlen(at) + 1;
		}
		if (!stop) {
			catalog_sums_results(&one->sums, &g->plan, v + g->n_keys);
			stop = each(ctx, v);
		}
		catalog_sums_free(&one->sums, &g->plan);
		free(one);
		g->slot[i] = NULL;
	}
	if (n)
		memset(g->slot, 0, g->cap * sizeof(struct catalog_groups_one *));
	g->last = NULL;
	g->n = 0;
	g->bytes = g->cap * sizeof(struct catalog_groups_one *);
	return stop;
}

void catalog_groups_free(struct catalog_groups *g)
{
	for (size_t i = 0; i < g->cap; i++) {
		if (!g->slot[i])
			continue;
		catalog_sums_free(&g->slot[i]->sums, &g->plan);
		free(g->slot[i]);
	}
	free(g->slot);
	g->slot = NULL;
	g->n = g->cap = 0;
}
