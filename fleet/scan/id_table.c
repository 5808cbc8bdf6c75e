/* id_table: a hash table of items that begin with a 64-bit ID. */
#include "fleet/scan/id_table.h"

#include <stdlib.h>
#include <string.h>

static uint64_t item_id(const char *item)
{
	uint64_t id;

	memcpy(&id, item, sizeof id);
	return id;
}

/* The item, or the free place for it. */
static char *item_place(const struct id_table *t, uint64_t id)
{
	size_t at = (size_t)((id * 0x9e3779b97f4a7c15u) >> 32) & (t->max - 1);
	uint64_t there;

	while ((there = item_id(t->item + at * t->size)) && there != id)
		at = (at + 1) & (t->max - 1);
	return t->item + at * t->size;
}

void *id_table_find(const struct id_table *t, uint64_t id)
{
	char *item = t->max ? item_place(t, id) : NULL;

	return item && item_id(item) ? item : NULL;
}

void *id_table_each(const struct id_table *t, size_t *i)
{
	while (*i < t->max) {
		char *item = t->item + t->size * (*i)++;
		if (item_id(item))
			return item;
	}
	return NULL;
}

void *id_table_add(struct id_table *t, uint64_t id, size_t size)
{
	struct id_table wider = {t->n, t->max ? 2 * t->max : 64, size, NULL};
	char *item;

	if (2 * (t->n + 1) > t->max) {
		wider.item = calloc(wider.max, size);
		if (!wider.item)
			return NULL;
		for (size_t i = 0; (item = id_table_each(t, &i));)
			memcpy(item_place(&wider, item_id(item)), item, size);
		free(t->item);
		*t = wider;
	}
	item = item_place(t, id);
	t->n += !item_id(item);
	memcpy(item, &id, sizeof id);
	return item;
}

void id_table_free(struct id_table *t)
{
	free(t->item);
	*t = (struct id_table){.n = 0};
}
