/*
 * quantity: what durations and sizes have in common: a number, and a unit from a table. Pure.
 */
#ifndef CORE_BASE_QUANTITY_H
#define CORE_BASE_QUANTITY_H

#include <stddef.h>

struct quantity_unit {
	const char *name;
	double factor;
};

/* The bytes of the number that text begins with: digits with a point among them or not, and an
 * exponent; no sign, no blank, no hexadecimal digits, no "nan". 0: there is none. *out may be
 * infinite. */
size_t quantity_number(const char *text, double *out);

/* The row with this name; NULL: there is none. */
const struct quantity_unit *quantity_unit_of(const struct quantity_unit *units, size_t n_units,
                                             const char *name, size_t n);

#endif
