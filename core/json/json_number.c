/* json_number: the text of a number → a double. */
#include "core/json/json_number.h"

#include <endian.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The next 8 bytes, with 0 to 9 for a digit. */
static inline uint64_t eight_bytes(const char *s)
{
	uint64_t w;

	memcpy(&w, s, sizeof w);
	return le64toh(w) ^ 0x3030303030303030;
}

/* Marks bytes that are no digits. The first mark is right, and so is the next one after a point: a
 * carry, which makes marks wrong, comes from other bytes only. */
static inline uint64_t mark_others(uint64_t w)
{
	return ((w + 0x7676767676767676) | w) & 0x8080808080808080;
}

/* The number that 8 digits stand for (D. Lemire, "Quickly parsing eight digits"). */
static inline uint64_t value_of_digits(uint64_t w)
{
	w = w * 10 + (w >> 8);
	return ((w & 0x000000ff000000ff) * 0x000f424000000064 +
	        (w >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >>
	       32;
}

/* The value of up to 8 digits at s, of which 8 bytes can be read; returns how many. Without a
 * branch for each digit: numbers of random length would mispredict it. */
static inline unsigned eight_digits(const char *s, uint64_t *v)
{
	uint64_t w = eight_bytes(s), other = mark_others(w);
	unsigned n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;

	*v = n ? value_of_digits(w << (64 - 8 * n)) : 0; /* drops what follows */
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

static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* A number of at most 7 digits without a sign, as most cells are: one look at 8 bytes finds all of
 * it. 0: it is none. */
static inline size_t short_number(const char *s, double *v)
{
	uint64_t w = eight_bytes(s), other = mark_others(w), next = other & (other - 1), before;
	unsigned whole, n, after = 0;

	if (!other)
		return 0;
	n = whole = (unsigned)__builtin_ctzll(other) / 8;
	if (!whole || (*s == '0' && whole > 1))
		return 0;
	if ((w >> 8 * whole & 0xff) == ('.' ^ '0')) {
		n = next ? (unsigned)__builtin_ctzll(next) / 8 : 8;
		if (n == 8 && s[8] >= '0' && s[8] <= '9')
			return 0;
		after = n - whole - 1;
		if (!after)
			return 0;
		before = (UINT64_C(1) << 8 * whole) - 1;
		w = (w & before) | (w >> 8 & ~before); /* closes the gap */
		w <<= 8;
	}
	*v = (double)value_of_digits(w << (64 - 8 * n)) / powers[after];
	return n;
}

/* Up to 15 digits and a power of ten up to 10^22 are exact doubles, so one division rounds
 * correctly. */
size_t json_number_fast(const char *s, double *v)
{
	size_t at_once = short_number(s, v);
	const char *first = s + (*s == '-'), *p = first, *point = NULL;
	uint64_t whole;
	long digits, after = 0;

	if (at_once)
		return at_once;
	whole = append_digits(&p, 0);
	digits = p - first;
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
	*v = (first > s ? -1.0 : 1.0) * ((double)whole / powers[after]);
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
