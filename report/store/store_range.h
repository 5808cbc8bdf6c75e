/*
 * store_range: a part of an object that was read, and the limits of stores.
 */
#ifndef REPORT_STORE_STORE_RANGE_H
#define REPORT_STORE_STORE_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_TAG_MAX 72                 /* of an ETag without its quotes, and a NUL */
#define STORE_AT_ONCE 32                 /* requests of store_heads at the same time */
#define STORE_PART_AT ((size_t)64 << 20) /* larger objects go up in parts */
#define STORE_PART    ((size_t)8 << 20)

struct store_range {
	size_t n;      /* bytes that were read */
	uint64_t size; /* of the whole object; UINT64_MAX: the server does not say it behind the
	                * end, where n is 0 */
	char tag[STORE_TAG_MAX];
	bool absent; /* there is no such object (and then 0 is returned) */
	bool hidden; /* with a sentence: there may be none (403; the keys may not know it) */
};

#endif
