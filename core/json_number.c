/* json_number: the text of a number → a double. */
#include "core/json_number.h"

#include <endian.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The value of up to 8 digits at s, of which 8 bytes can be read; returns how many. Without a
 * branch for each digit: numbers of random length would mispredict it (D. Lemire, "Quickly parsing
 * eight digits"). */
static inline unsigned eight_digits(const char *s, uint64_t *v)
{
	uint64_t w, other;
	unsigned n;

	memcpy(&w, s, sizeof w);
	w = le64toh(w) ^ 0x3030303030303030; /* a digit is 0 to 9 now */
	other = ((w + 0x7676767676767676) | w) & 0x8080808080808080;
	/* A carry can only come from a byte that is no digit, so the first mark is right. */
	n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
	w = n ? w << (64 - 8 * n) : 0; /* drops what follows; zeroes stand before */
	w = w * 10 + (w >> 8);
	*v = ((w & 0x000000ff000000ff) * 0x000f424000000064 +
	      (w >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >>
	     32;
	return n;
}

/* Appends up to 16 digits at *s to the number v. */
static inline uint64_t append_digits(const char **s, uint64_t v)
{
	static const uint64_t power[] = {1,      10,      100,      1000,     10000,
	                                 100000, 1000000, 10000000, 100000000};
	uint64_t part;
	unsigned n = eight_digits(*s, &part);

	v = v * power[n] + part;
	*s += n;
	if (n == 8) {
		n = eight_digits(*s, &part);
		v = v * power[n] + part;
		*s += n;
	}
	return v;
}

/* Up to 15 digits and a power of ten up to 10^22 are exact doubles, so one division rounds
 * correctly. */
size_t json_number_fast(const char *s, double *v)
{
	static const double power[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
	                               1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	const char *first = s + (*s == '-'), *p = first, *point = NULL;
	uint64_t whole = append_digits(&p, 0);
	long digits = p - first, after = 0;

	if (!digits || digits > 15 || (*first == '0' && digits > 1))
		return 0;
	if (*p == '.') {
		point = ++p;
		whole = append_digits(&p, whole);
		after = p - point;
		digits += after;
	}
	if (digits > 15 || (point && !after))
		return 0;
	*v = (first > s ? -1.0 : 1.0) * ((double)whole / power[after]);
	return (size_t)(p - s);
}

/* Checks the grammar of RFC 8259, because strtod also takes "0x1", "inf", "1." and "+1". */
static bool is_number(const char *s)
{
	static const char digits[] = "0123456789";
	size_t n;

	s += *s == '-';
	n = strspn(s, digits);
	if (!n || (*s == '0' && n > 1))
		return false;
	s += n;
	if (*s == '.') {
		n = strspn(++s, digits);
		s += n;
		if (!n)
			return false;
	}
	if (*s == 'e' || *s == 'E') {
		s++;
		s += *s == '+' || *s == '-';
		n = strspn(s, digits);
		s += n;
		if (!n)
			return false;
	}
	return !*s;
}

bool json_number_word(const char *s, double *v)
{
	if (strcmp(s, "null") == 0 || strcmp(s, "NaN") == 0 || strcmp(s, "Infinity") == 0 ||
	    strcmp(s, "-Infinity") == 0 || strcmp(s, "true") == 0 || strcmp(s, "false") == 0) {
		*v = NAN;
		return true;
	}
	if (!is_number(s))
		return false;
	*v = strtod(s, NULL);
	if (!isfinite(*v))
		*v = NAN;
	return true;
}
