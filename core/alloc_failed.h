/*
 * alloc_failed: whether memory ran out, at any time.
 *
 * A text or a tree that is left shorter for want of memory looks like any other, and where that
 * happens nobody can be told. So it is noted here, and who is about to write what came of it asks.
 * One thing of the process's, as memory is.
 */
#ifndef CORE_ALLOC_FAILED_H
#define CORE_ALLOC_FAILED_H

#include <stdbool.h>

/* From now on what cJSON does not get is noted, too. */
void alloc_failed_watch(void);

/* p, which an allocation returned; noted where it is NULL. */
void *alloc_failed_note(void *p);

bool alloc_failed(void);

#endif
