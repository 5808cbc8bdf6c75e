/* quantity: amounts of time and of memory as people write them. */
#include "core/base/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

/* The largest first, as in a compound; "min" before "m", of which it is another name. */
static const struct quantity_unit durations[] = {
    {"w", 7 * QUANTITY_DAY_S},
    {"d", QUANTITY_DAY_S},
    {"h", QUANTITY_HOUR_S},
    {"min", QUANTITY_MINUTE_S},
    {"m", QUANTITY_MINUTE_S},
    {"s", 1},
    {"ms", 1e-3},
};

static const struct quantity_unit sizes[] = {
    {"B", 1},        {"kB", 1e3},           {"MB", 1e6},           {"GB", 1e9},
    {"TB", 1e12},    {"KiB", QUANTITY_KIB}, {"MiB", QUANTITY_MIB}, {"GiB", QUANTITY_GIB},
    {"TiB", 0x1p40}, {"Ki", QUANTITY_KIB},  {"Mi", QUANTITY_MIB},  {"Gi", QUANTITY_GIB},
    {"Ti", 0x1p40},  {"K", QUANTITY_KIB},   {"M", QUANTITY_MIB},   {"G", QUANTITY_GIB},
    {"T", 0x1p40},   {"KB", 1e3},
};

#define DURATIONS (sizeof durations / sizeof *durations)
#define SIZES     (sizeof sizes / sizeof *sizes)

const char *quantity_duration_unit(size_t i)
{
	return i < DURATIONS ? durations[i].name : NULL;
}

const char *quantity_size_unit(size_t i)
{
	return i < SIZES ? sizes[i].name : NULL;
}

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

/* Up to nine digits. */
static bool take_whole(const char **p, double *out)
{
	size_t n = strspn(*p, DIGITS);

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
	*out =
	    days * QUANTITY_DAY_S + hours * QUANTITY_HOUR_S + minutes * QUANTITY_MINUTE_S + seconds;
	return true;
}

/* Each unit is smaller than the one before, so that "1m1h" is an error and not 61 minutes. */
static bool parse_units(const char *p, enum quantity_bare bare, double *out)
{
	double v, before = INFINITY;

	*out = 0;
	for (bool first = true; *p; first = false) {
		size_t n = quantity_number(p, &v), length;
		const struct quantity_unit *u;
		if (!n)
			return false;
		p += n;
		if (!*p && first && bare == QUANTITY_BARE) {
			*out = v;
			return true;
		}
		length = strcspn(p, DIGITS ".");
		u = quantity_unit_of(durations, DURATIONS, p, length);
		if (!u || u->factor >= before)
			return false;
		*out += v * u->factor;
		before = u->factor;
		p += length;
	}
	return before < INFINITY;
}

static bool duration_in_full(const char *text, enum quantity_bare bare, double *out)
{
	return parse_clock(text, out) || parse_units(text, bare, out);
}

static bool size_in_full(const char *text, enum quantity_bare bare, double *out)
{
	size_t n = quantity_number(text, out);
	const struct quantity_unit *u = quantity_unit_of(sizes, SIZES, text + n, strlen(text + n));

	*out *= u && n ? u->factor : 1;
	return n && (u || (!text[n] && bare == QUANTITY_BARE));
}

static int parse_all(bool (*parse)(const char *text, enum quantity_bare bare, double *out),
                     const char *text, size_t n, enum quantity_bare bare, double *out)
{
	char copy[QUANTITY_MAX + 1];
	double v = 0;

	if (n > QUANTITY_MAX || memchr(text, '\0', n))
		return -1;
	memcpy(copy, text, n);
	copy[n] = '\0';
	if (!parse(copy, bare, &v) || !isfinite(v))
		return -1;
	*out = v;
	return 0;
}

int quantity_duration(const char *text, size_t n, enum quantity_bare bare, double *out)
{
	return parse_all(duration_in_full, text, n, bare, out);
}

int quantity_size(const char *text, size_t n, enum quantity_bare bare, double *out)
{
	return parse_all(size_in_full, text, n, bare, out);
}

const char *quantity_size_text(double bytes, char out[32])
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
	size_t unit = 0;

	if (isnan(bytes))
		return "unknown";
	for (; bytes >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
		bytes /= 1024;
	snprintf(out, 32, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
	return out;
}

const char *quantity_clock_text(double s, char out[32])
{
	uint64_t whole;

	if (isnan(s) || s < 0 || s > 1e12)
		return "unknown";
	whole = (uint64_t)s;
	snprintf(out, 32, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, whole / 3600, whole / 60 % 60,
	         whole % 60);
	return out;
}
