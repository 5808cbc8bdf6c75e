/* iso_time: a point in time as ISO 8601 has it. */
#include "core/base/iso_time.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <time.h>

#include "core/base/quantity.h"

/* Whether a text begins with this pattern, in which 0 stands for a digit. Sets *end. */
static bool has_form(const char *text, const char *form, const char **end)
{
	for (; *form; form++, text++)
		if (*form == '0' ? !isdigit((unsigned char)*text) : *text != *form)
			return false;
	*end = text;
	return true;
}

static int two_digits(const char *p)
{
	return (p[0] - '0') * 10 + p[1] - '0';
}

/* Reads Z or an offset, up to the end. NAN if it is neither. */
static double take_offset(const char *at)
{
	int h, m, sign = *at == '-' ? -1 : 1;
	const char *end;

	if (has_form(at, "Z", &end))
		return *end ? NAN : 0;
	if (*at != '+' && *at != '-')
		return NAN;
	at++;
	if ((!has_form(at, "00:00", &end) && !has_form(at, "0000", &end)) || *end)
		return NAN;
	h = two_digits(at);
	m = two_digits(end - 2);
	return h > 23 || m > 59 ? NAN : sign * (h * QUANTITY_HOUR_S + m * QUANTITY_MINUTE_S);
}

double iso_time_read(const char *text)
{
	double part = 0, scale = 1, t;
	struct tm tm = {0}, day;
	const char *at;
	time_t s;

	if (!has_form(text, "0000-00-00T00:00:00", &at))
		return NAN;
	tm.tm_year = two_digits(text) * 100 + two_digits(text + 2) - 1900;
	tm.tm_mon = two_digits(text + 5) - 1;
	tm.tm_mday = two_digits(text + 8);
	day = tm;
	timegm(&day); /* another day if there is no such day */
	tm.tm_hour = two_digits(text + 11);
	tm.tm_min = two_digits(text + 14);
	tm.tm_sec = two_digits(text + 17);
	if (day.tm_mday != tm.tm_mday || day.tm_mon != tm.tm_mon || tm.tm_hour > 23 ||
	    tm.tm_min > 59 || tm.tm_sec > 60)
		return NAN;
	s = timegm(&tm);
	if (*at == '.') {
		if (!isdigit((unsigned char)*++at))
			return NAN;
		for (; isdigit((unsigned char)*at); at++) {
			scale /= 10;
			part += scale * (*at - '0');
		}
	}
	t = (double)s + part - take_offset(at);
	return t >= 0 ? t : NAN;
}
