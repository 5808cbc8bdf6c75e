/*
 * json_number: the text of a number in JSON (RFC 8259) → a double.
 */
#ifndef CORE_JSON_JSON_NUMBER_H
#define CORE_JSON_JSON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Appends the digits at s to *v. Returns where they end. */
static inline const char *json_number_digits(const char *s, uint64_t *v)
{
	for (; *s >= '0' && *s <= '9'; s++)
		*v = *v * 10 + (uint64_t)(*s - '0');
	return s;
}

/* Reads the short plain number ("-12.5") that s begins with, as nearly all cells are; inline for
 * the millions of them. Returns its length, or 0 where there is none and json_number_word must
 * look. The text ends in a NUL, and what follows the number is not checked. */
static inline size_t json_number_short(const char *s, double *v)
{
	static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
	                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	const char *first = s + (*s == '-'), *point, *end;
	uint64_t digits = 0;

	point = end = json_number_digits(first, &digits);
	if (*point == '.')
		end = json_number_digits(point + 1, &digits);
	if (point == first || end == point + 1 || (*first == '0' && point > first + 1) ||
	    end - first > 15 + (end > point))
		return 0;
	/* Integers of 15 digits and powers of ten are exact, so one division rounds correctly. */
	*v = (double)(int64_t)digits;
	if (end > point)
		*v /= powers[end - point - 1];
	if (first > s)
		*v = -*v;
	return (size_t)(end - s);
}

/* A whole word: a number by the grammar of RFC 8259; NAN for null, true, false, and for the NaN and
 * infinities of Python's json.dump. False for anything else. */
bool json_number_word(const char *s, double *v);

#endif
