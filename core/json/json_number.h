/*
 * json_number: the text of a number in JSON (RFC 8259) → a double.
 */
#ifndef CORE_JSON_JSON_NUMBER_H
#define CORE_JSON_JSON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that json_number_fast may read: a sign, 15 digits, a point, 16 digits. */
#define JSON_NUMBER_AT_HAND 33

/* Fast path for a short plain number ("-12.5") at s: sets *v and returns its length, or 0 where
 * strtod(3) is needed. Nearly every cell is such a number, and strtod would take most of the
 * reading time. JSON_NUMBER_AT_HAND bytes can be read from s on; what follows the number is not
 * looked at. */
size_t json_number_fast(const char *s, double *v);

/* A whole word: a number by the grammar of RFC 8259; NAN for null, true, false, and for the NaN and
 * infinities of Python's json.dump. False for anything else. */
bool json_number_word(const char *s, double *v);

#endif
