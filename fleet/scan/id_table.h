/*
 * id_table: a hash table of items that begin with a 64-bit ID, which is not 0.
 *
 *	struct id_table t = {.n = 0};
 *	struct thing *x = id_table_add(&t, id, sizeof *x);
 *
 *	for (size_t i = 0; (x = id_table_each(&t, &i));)
 *		…
 *	id_table_free(&t);
 *
 * Items move when another is added.
 */
#ifndef FLEET_SCAN_ID_TABLE_H
#define FLEET_SCAN_ID_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* {0} is valid: empty. */
struct id_table {
	size_t n, max, size; /* of an item */
	char *item;
};

/* NULL: there is none. */
void *id_table_find(const struct id_table *t, uint64_t id);

/* The item with this ID; a new one is 0 but for its ID. size is the same in each call. NULL without
 * memory. */
void *id_table_add(struct id_table *t, uint64_t id, size_t size);

/* The next item in no order, from *i = 0 on; NULL after the last. */
void *id_table_each(const struct id_table *t, size_t *i);

void id_table_free(struct id_table *t);

#endif
