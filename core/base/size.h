/*
 * size: amounts of memory as people write them, for every option and condition that takes one.
 *
 * A number of B; of K, M, G or T, Ki … Ti or KiB … TiB (1024); or of kB, KB, MB, GB or TB (1000):
 * 32GiB, 500MB, 1.5G. Pure.
 */
#ifndef CORE_BASE_SIZE_H
#define CORE_BASE_SIZE_H

#include <stddef.h>

#define SIZE_IS "a size such as 512MiB, 32G or 500MB"

enum size_bare {
	SIZE_OR_BYTES,  /* a number alone means bytes */
	SIZE_WITH_UNIT, /* and here it is an error */
};

/* All n bytes of text. 0, or -1 with *bytes unchanged. Never negative, infinite or NaN. */
int size_parse(const char *text, size_t n, enum size_bare bare, double *bytes);

/* The names of the units, for suggestions; NULL behind the last. */
const char *size_unit(size_t i);

#endif
