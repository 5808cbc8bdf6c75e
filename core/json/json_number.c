/* json_number: the text of a number in JSON (RFC 8259) → a double. */
#include "core/json/json_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool skip_digits(const char **s)
{
	size_t n = strspn(*s, "0123456789");

	*s += n;
	return n > 0;
}

/* Checks the grammar of RFC 8259, because strtod also takes "0x1", "inf", "1." and "+1". */
static bool is_number(const char *s)
{
	s += *s == '-';
	if (*s == '0')
		s++;
	else if (!skip_digits(&s))
		return false;
	if (*s == '.') {
		s++;
		if (!skip_digits(&s))
			return false;
	}
	if (*s == 'e' || *s == 'E') {
		s++;
		s += *s == '+' || *s == '-';
		if (!skip_digits(&s))
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
