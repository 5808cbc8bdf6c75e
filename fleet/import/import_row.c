/* import_row: what the readers of foreign files have in common. */
#include "fleet/import/import_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "core/base/buf.h"
#include "core/base/quantity.h"
#include "core/base/utf8.h"

#define NUMBER_MAX   1e18   /* a larger number is nonsense */
#define DAYS_TO_1970 719468 /* from 1 March of the year 0 */
#define YEAR_MIN     1970
#define YEAR_MAX     9999
#define ELLIPSIS     "…"

/* -- rows -------------------------------------------------------------------------------------- */

void import_row_begin(struct import_row *r, struct import *in, size_t line)
{
	r->in = in;
	r->line = line;
	r->submit = NAN;
	r->labels[0] = '\0';
	r->labelled = 0;
	rtrack_row_clear(&r->row);
	r->row.of[RTRACK_ROW_SCOPE].text = "process";
}

bool import_row_absent(const char *text)
{
	static const char *const words[] = {"", "-", "NA", "N/A", "nan", "null", "None"};

	if (*text && !strchr("-nN", *text))
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(text, words[i]) == 0)
			return true;
	return false;
}

/* The bytes of a text of ASCII without control characters, as nearly all are; max + 1: it is
 * longer, or has others. */
static size_t plain_ascii(const char *text, size_t max)
{
	size_t n = 0;

	while (text[n] >= ' ' && text[n] < 0x7f && n <= max)
		n++;
	return text[n] ? max + 1 : n;
}

/* Valid UTF-8 of at most max bytes, which is at most IMPORT_ROW_LABELS, without control
 * characters. */
static const char *clean(const char *text, size_t max, char out[IMPORT_ROW_LABELS + 1])
{
	struct buf b = {.max = 4 * IMPORT_ROW_LABELS};
	size_t n;

	if (plain_ascii(text, max) <= max)
		return text;
	/* A byte that is not valid makes three: what is too long is cut after that. */
	buf_utf8(&b, text, strnlen(text, max + 1));
	n = utf8_cut(buf_cstr(&b), b.len, b.len > max ? max - strlen(ELLIPSIS) : max);
	snprintf(out, IMPORT_ROW_LABELS + 1, "%.*s%s", (int)n, buf_cstr(&b),
	         n < b.len ? ELLIPSIS : "");
	buf_free(&b);
	for (char *p = out; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	return out;
}

void import_row_text(struct import_row *r, enum rtrack_row_id id, const char *text, size_t max)
{
	char out[IMPORT_ROW_LABELS + 1];

	if (!import_row_absent(text))
		r->row.of[id].text = rtrack_row_store(&r->row, clean(text, max, out));
}

void import_row_label(struct import_row *r, const char *key, const char *value)
{
	char out[IMPORT_ROW_LABELS + 1], *to = r->labels + r->labelled;
	size_t nk = strlen(key), nv;

	if (import_row_absent(value))
		return;
	value = clean(value, IMPORT_ROW_NAME, out);
	nv = strlen(value);
	if (r->labelled + nk + nv + 3 > sizeof r->labels)
		return;
	if (to > r->labels)
		*to++ = ';';
	memcpy(to, key, nk);
	to += nk;
	*to++ = '=';
	memcpy(to, value, nv + 1);
	for (char *p = to; (p = strchr(p, ';'));)
		*p = ',';
	r->labelled = (size_t)(to - r->labels) + nv;
}

int import_row_give(struct import_row *r, const char *key, bool global, struct err *e)
{
	const struct import_job job = {
	    .row = &r->row, .key = key, .global = global, .submit = r->submit};

	r->row.of[RTRACK_ROW_LABELS].text = r->labels;
	return import_reader_give(r->in, &job, e);
}

void import_row_program(struct import_row *r, const char *command)
{
	size_t n = strcspn(command, " \t\"'"), from = 0;
	char word[IMPORT_ROW_NAME * 2];

	for (size_t i = 0; i < n; i++)
		if (command[i] == '/' && i + 1 < n)
			from = i + 1;
	snprintf(word, sizeof word, "%.*s", (int)(n - from < sizeof word ? n - from : 0),
	         command + from);
	import_row_text(r, RTRACK_ROW_NAME, word, IMPORT_ROW_NAME);
}

/* -- values ------------------------------------------------------------------------------------ */

double import_row_value(struct import_row *r, const char *column, const char *cell,
                        import_row_reader *reader)
{
	double v;

	if (import_row_absent(cell))
		return NAN;
	if (reader(cell, &v) == 0 && !(v > NUMBER_MAX))
		return v;
	import_reader_unknown(r->in, r->line, column, cell);
	return NAN;
}

static const char *after_blanks(const char *p)
{
	for (;;) {
		if (*p == ' ')
			p++;
		else if (strncmp(p, "\xc2\xa0", 2) == 0)
			p += 2;
		else if (strncmp(p, "\xe2\x80\xaf", 3) == 0)
			p += 3;
		else
			return p;
	}
}

int import_row_number_of(const char **text, double *out)
{
	const char *p = after_blanks(*text);
	size_t n = strspn(p, "0123456789.,");
	char digits[QUANTITY_MAX];
	char *comma;

	if (n + 8 > sizeof digits) /* with an exponent */
		return -1;
	snprintf(digits, sizeof digits, "%s", p);
	comma = memchr(digits, ',', n);
	/* A point beside a comma, or two of them, is about thousands: nothing says which. */
	if (comma &&
	    (memchr(digits, '.', n) || memchr(comma + 1, ',', n - 1 - (size_t)(comma - digits))))
		return -1;
	if (comma)
		*comma = '.';
	n = quantity_number(digits, out);
	if (!n || digits[n] == '.' || !isfinite(*out))
		return -1;
	*text = after_blanks(p + n);
	return 0;
}

int import_row_number(const char *text, double *out)
{
	return import_row_number_of(&text, out) || *text ? -1 : 0;
}

/* -- times ------------------------------------------------------------------------------------- */

/* n digits, and the character after them, which is passed over. */
static bool take_decimal(const char **p, size_t n, const char *after, int *out)
{
	*out = 0;
	for (size_t i = 0; i < n; i++, (*p)++) {
		if (**p < '0' || **p > '9')
			return false;
		*out = *out * 10 + (**p - '0');
	}
	if (!*after)
		return true;
	return **p && strchr(after, *(*p)++);
}

/* Z, +01:00 or -0530, or nothing. Seconds east of Greenwich. */
static bool take_zone(const char **p, bool *local, long *east)
{
	int hours = 0, minutes = 0;
	bool west = **p == '-';

	*local = !**p;
	*east = 0;
	if (*local)
		return true;
	if (**p == 'Z') {
		(*p)++;
		return true;
	}
	if ((*(*p)++ != '+' && !west) || !take_decimal(p, 2, "", &hours))
		return false;
	if (**p == ':')
		(*p)++;
	if (**p && !take_decimal(p, 2, "", &minutes))
		return false;
	*east = (hours * 3600L + minutes * 60) * (west ? -1 : 1);
	return hours <= 14 && minutes < 60;
}

static bool in_calendar(const struct tm *tm)
{
	static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = tm->tm_year % 4 == 0 && (tm->tm_year % 100 != 0 || tm->tm_year % 400 == 0);

	if (tm->tm_year < YEAR_MIN || tm->tm_mon < 1 || tm->tm_mon > 12 || tm->tm_mday < 1 ||
	    tm->tm_mday > days[tm->tm_mon - 1] || (tm->tm_mon == 2 && tm->tm_mday == 29 && !leap))
		return false;
	return tm->tm_hour < 24 && tm->tm_min < 60 && tm->tm_sec <= 60;
}

/* Seconds since 1970, of a time in UTC. Years begin in March here, so that a leap day is the
 * last. */
static long utc_of(const struct tm *tm)
{
	long year = tm->tm_year - (tm->tm_mon <= 2), month = (tm->tm_mon + 9) % 12;
	long days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 +
	            tm->tm_mday - 1 - DAYS_TO_1970;

	return days * 86400 + tm->tm_hour * 3600L + tm->tm_min * 60L + tm->tm_sec;
}

/* The local time. mktime(3) is not for a process that may not open files any more: it looks at
 * /etc/localtime each time. Where a time is there twice, or not at all, it is one of the two. */
static long local_of(long utc)
{
	long east = 0;
	struct tm tm;

	for (int i = 0; i < 2; i++) {
		time_t t = utc - east;
		if (localtime_r(&t, &tm))
			east = tm.tm_gmtoff;
	}
	return utc - east;
}

int import_row_time(const char *text, double *out)
{
	const char *p = after_blanks(text);
	struct tm tm = {.tm_isdst = -1};
	double fraction = 0;
	bool local;
	long east, t;

	if (!take_decimal(&p, 4, "-", &tm.tm_year) || !take_decimal(&p, 2, "-", &tm.tm_mon) ||
	    !take_decimal(&p, 2, " T", &tm.tm_mday) || !take_decimal(&p, 2, ":", &tm.tm_hour) ||
	    !take_decimal(&p, 2, ":", &tm.tm_min) || !take_decimal(&p, 2, "", &tm.tm_sec))
		return -1;
	if (*p == '.' || *p == ',') {
		double unit = 0.1;
		for (p++; *p >= '0' && *p <= '9'; p++, unit /= 10)
			fraction += (*p - '0') * unit;
	}
	p = after_blanks(p);
	if (!in_calendar(&tm) || !take_zone(&p, &local, &east) || *after_blanks(p))
		return -1;
	t = utc_of(&tm);
	t = local ? local_of(t) : t - east;
	*out = (double)t + fraction;
	return t >= 0 ? 0 : -1;
}

int import_row_time_ms(const char *text, double *out)
{
	if (import_row_number(text, out) == 0) {
		*out /= 1000;
		return *out < (YEAR_MAX - YEAR_MIN) * 366.0 * 86400 ? 0 : -1;
	}
	return import_row_time(text, out);
}
