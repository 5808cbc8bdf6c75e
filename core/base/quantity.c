/* quantity: a number, and a unit from a table. */
#include "core/base/quantity.h"

#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

size_t quantity_number(const char *text, double *out)
{
	size_t n = strspn(text, DIGITS), digits = n, exponent;

	if (text[n] == '.') {
		size_t more = strspn(text + n + 1, DIGITS);
		digits += more;
		n += 1 + more;
	}
	if (!digits)
		return 0;
	if (text[n] == 'e' || text[n] == 'E') {
		exponent = n + 1 + (text[n + 1] == '+' || text[n + 1] == '-');
		if (strspn(text + exponent, DIGITS))
			n = exponent + strspn(text + exponent, DIGITS);
	}
	*out = strtod(text, NULL);
	return n;
}

const struct quantity_unit *quantity_unit_of(const struct quantity_unit *units, size_t n_units,
                                             const char *name, size_t n)
{
	for (size_t i = 0; i < n_units; i++)
		if (strlen(units[i].name) == n && memcmp(units[i].name, name, n) == 0)
			return &units[i];
	return NULL;
}
