/* when: dates, times and ages → Unix seconds. */
#include "fleet/options/when.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/base/quantity.h"

#define WHEN_MAX 253402300799.0 /* the last second of the year 9999 */

static int not_a_time(const char *text, struct err *e)
{
	return err_set(e,
	               "\"%.64s\" is not a time: give a date such as 2026-11-01, a time (UTC) such "
	               "as 2026-11-01T12:00, or an age such as 30d or 1h30m",
	               text);
}

/* Takes exactly n digits; false if there are none. */
static bool take_date_digits(const char **p, size_t n, int *out)
{
	*out = 0;
	for (size_t i = 0; i < n; i++, (*p)++) {
		if (**p < '0' || **p > '9')
			return false;
		*out = *out * 10 + (**p - '0');
	}
	return true;
}

static bool take_char(const char **p, const char *any)
{
	if (!**p || !strchr(any, **p))
		return false;
	(*p)++;
	return true;
}

static int days_of_month(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

/* Days from 1970-01-01 to this day of the Gregorian calendar. */
static int64_t days_since_1970(int year, int month, int day)
{
	int64_t y =
	    year - (month <= 2); /* years that begin in March have the leap day at their end */
	int64_t months = (month + 9) % 12;

	return 365 * y + y / 4 - y / 100 + y / 400 + (153 * months + 2) / 5 + day - 1 - 719468;
}

/* "T12:00", "T12:00:30", each with or without Z; or nothing. */
static bool take_clock(const char *p, int *seconds)
{
	int h = 0, min = 0, s = 0;

	if (!*p)
		return true;
	if (!take_char(&p, "T ") || !take_date_digits(&p, 2, &h) || !take_char(&p, ":") ||
	    !take_date_digits(&p, 2, &min))
		return false;
	if (take_char(&p, ":") && !take_date_digits(&p, 2, &s))
		return false;
	take_char(&p, "Z");
	*seconds = h * 3600 + min * 60 + s;
	return !*p && h < 24 && min < 60 && s < 60;
}

static bool parse_date(const char *p, double *out)
{
	int year, month, day, seconds = 0;

	if (!take_date_digits(&p, 4, &year) || !take_char(&p, "-") ||
	    !take_date_digits(&p, 2, &month) || !take_char(&p, "-") ||
	    !take_date_digits(&p, 2, &day))
		return false;
	if (month < 1 || month > 12 || day < 1 || day > days_of_month(year, month) ||
	    !take_clock(p, &seconds))
		return false;
	*out = (double)days_since_1970(year, month, day) * 86400 + seconds;
	return true;
}

int when_parse(const char *text, double now, double *out, struct err *e)
{
	double at, age;

	if (!parse_date(text, &at)) {
		if (quantity_duration(text, strlen(text), QUANTITY_WITH_UNIT, &age))
			return not_a_time(text, e);
		at = now - age;
	}
	if (!(at > 0 && at <= WHEN_MAX))
		return err_set(e, "\"%.64s\" is not between 1970 and 9999", text);
	*out = at;
	return 0;
}
