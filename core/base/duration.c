/* duration: amounts of time as people write them. */
#include "core/base/duration.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/quantity.h"

#define MINUTE 60.0
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

/* The largest first, as in a compound; "min" before "m", of which it is another name. */
static const struct quantity_unit units[] = {
    {"w", 7 * DAY}, {"d", DAY}, {"h", HOUR}, {"min", MINUTE}, {"m", MINUTE}, {"s", 1}, {"ms", 1e-3},
};

#define UNITS (sizeof units / sizeof *units)

const char *duration_unit(size_t i)
{
	return i < UNITS ? units[i].name : NULL;
}

/* Up to nine digits. */
static bool take_whole(const char **p, double *out)
{
	size_t n = strspn(*p, "0123456789");

	*out = 0;
	for (size_t i = 0; i < n; i++)
		*out = *out * 10 + ((*p)[i] - '0');
	*p += n;
	return n > 0 && n <= 9;
}

static bool take_colon_below_60(const char **p, double *out)
{
	return *(*p)++ == ':' && take_whole(p, out) && *out < 60;
}

static bool parse_clock(const char *p, double *out)
{
	double days = 0, hours, minutes, seconds;

	if (!take_whole(&p, &hours))
		return false;
	if (*p == '-') {
		days = hours;
		p++;
		if (!take_whole(&p, &hours))
			return false;
	}
	if (*p != ':' || !take_colon_below_60(&p, &minutes) || *p != ':' ||
	    !take_colon_below_60(&p, &seconds) || *p)
		return false;
	*out = days * DAY + hours * HOUR + minutes * MINUTE + seconds;
	return true;
}

/* Each unit is smaller than the one before, so that "1m1h" is an error and not 61 minutes. */
static bool parse_units(const char *p, enum duration_bare bare, double *out)
{
	double v, before = INFINITY;

	*out = 0;
	for (bool first = true; *p; first = false) {
		size_t n = quantity_number(p, &v), length;
		const struct quantity_unit *u;
		if (!n)
			return false;
		p += n;
		if (!*p && first && bare == DURATION_OR_SECONDS) {
			*out = v;
			return true;
		}
		length = strcspn(p, "0123456789.");
		u = quantity_unit_of(units, UNITS, p, length);
		if (!u || u->factor >= before)
			return false;
		*out += v * u->factor;
		before = u->factor;
		p += length;
	}
	return before < INFINITY;
}

int duration_parse(const char *text, size_t n, enum duration_bare bare, double *seconds)
{
	char copy[DURATION_MAX + 1];
	double v;

	if (n > DURATION_MAX || memchr(text, '\0', n))
		return -1;
	memcpy(copy, text, n);
	copy[n] = '\0';
	if (!parse_clock(copy, &v) && !parse_units(copy, bare, &v))
		return -1;
	if (!isfinite(v))
		return -1;
	*seconds = v;
	return 0;
}
