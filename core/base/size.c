/* size: amounts of memory as people write them. */
#include "core/base/size.h"

#include <math.h>
#include <string.h>

#include "core/base/quantity.h"

#define TEXT_MAX 64

static const struct quantity_unit units[] = {
    {"B", 1},        {"kB", 1e3},     {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12},
    {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"Ki", 0x1p10},
    {"Mi", 0x1p20},  {"Gi", 0x1p30},  {"Ti", 0x1p40},  {"K", 0x1p10},   {"M", 0x1p20},
    {"G", 0x1p30},   {"T", 0x1p40},   {"KB", 1e3},
};

#define UNITS (sizeof units / sizeof *units)

const char *size_unit(size_t i)
{
	return i < UNITS ? units[i].name : NULL;
}

int size_parse(const char *text, size_t n, enum size_bare bare, double *bytes)
{
	char copy[TEXT_MAX + 1];
	const struct quantity_unit *u;
	size_t number;
	double v;

	if (n > TEXT_MAX || memchr(text, '\0', n))
		return -1;
	memcpy(copy, text, n);
	copy[n] = '\0';
	number = quantity_number(copy, &v);
	if (!number || !isfinite(v))
		return -1;
	u = quantity_unit_of(units, UNITS, copy + number, n - number);
	if (!u && (number < n || bare == SIZE_WITH_UNIT))
		return -1;
	v *= u ? u->factor : 1;
	if (!isfinite(v))
		return -1;
	*bytes = v;
	return 0;
}
