/* s3_time: the points in time that stores and their services tell (ISO 8601). */
#include "report/aws_keys/s3_time.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Reads n digits, and whatever must stand behind them unless that is 0. -1 if there are others. */
static int take_time_digits(const char **at, int n, char behind)
{
	int v = 0;

	for (; n > 0; n--, ++*at) {
		if (!isdigit((unsigned char)**at))
			return -1;
		v = v * 10 + (**at - '0');
	}
	if (behind && *(*at)++ != behind)
		return -1;
	return v;
}

/* Days since 1970-01-01, in years that begin in March, so that a leap day is the last day. */
static long days_of_date(int year, int month, int day)
{
	int y = month > 2 ? year : year - 1;
	int from_march = (month + 9) % 12;

	return 365L * y + y / 4 - y / 100 + y / 400 + (153 * from_march + 2) / 5 + day - 1 - 719468;
}

static bool is_date(int year, int month, int day)
{
	static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

	return year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] &&
	       (month != 2 || day < 29 || (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)));
}

/* Reads Z or an offset, up to the end. NAN if it is neither. */
static double take_offset(const char *at)
{
	int sign = *at == '-' ? -1 : 1, h, m;

	if (*at == 'Z')
		return at[1] ? NAN : 0;
	if (*at != '+' && *at != '-')
		return NAN;
	at++;
	h = take_time_digits(&at, 2, 0);
	if (h < 0)
		return NAN;
	at += *at == ':';
	m = take_time_digits(&at, 2, 0);
	return m < 0 || m > 59 || h > 23 || *at ? NAN : sign * (h * 3600.0 + m * 60.0);
}

double s3_time_parse(const char *text)
{
	const char *at = text;
	int year = take_time_digits(&at, 4, '-');
	int month = year < 0 ? -1 : take_time_digits(&at, 2, '-');
	int day = month < 0 ? -1 : take_time_digits(&at, 2, 'T');
	int h = day < 0 ? -1 : take_time_digits(&at, 2, ':');
	int m = h < 0 ? -1 : take_time_digits(&at, 2, ':');
	int s = m < 0 ? -1 : take_time_digits(&at, 2, 0);
	double part = 0, scale = 1, t;

	if (s < 0 || !is_date(year, month, day) || h > 23 || m > 59 || s > 60)
		return NAN;
	if (*at == '.') {
		if (!isdigit((unsigned char)*++at))
			return NAN;
		for (; isdigit((unsigned char)*at); at++) {
			scale /= 10;
			part += scale * (*at - '0');
		}
	}
	t = (double)days_of_date(year, month, day) * 86400 + h * 3600 + m * 60 + s + part -
	    take_offset(at);
	return t >= 0 ? t : NAN;
}
