/*
 * alloc_failed: whether memory ran out, at any time.
 *
 * A text or a tree that is cut short by a failed allocation looks like any other, and the code that
 * builds it cannot always report the failure. So failures are noted here, and the caller asks
 * before it writes the result. The note is global to the process, as memory is.
 */
#ifndef CORE_BASE_ALLOC_FAILED_H
#define CORE_BASE_ALLOC_FAILED_H

#include <stdbool.h>

/* From now on, failed allocations of cJSON are noted too. */
void alloc_failed_watch(void);

/* Returns p, the result of an allocation, and notes a NULL. */
void *alloc_failed_note(void *p);

bool alloc_failed(void);

#endif
