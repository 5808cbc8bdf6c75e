/* units: quantities as text for people. */
#include "report/units/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/quantity.h"
#include "core/numbers/stats.h"

#define SAMPLES_OFF   2    /* so many samples more or fewer than intervals are still one each */
#define SAMPLES_SHARE 0.05 /* and such a share of them */

static void print_text(char out[UNITS_SIZE], const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Every text fits, because numbers are limited to a few digits first. */
static void print_text(char out[UNITS_SIZE], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(out, UNITS_SIZE, fmt, ap);
	va_end(ap);
}

/* Writes NAN and infinities; false for finite numbers. */
static bool is_not_finite(double v, char out[UNITS_SIZE])
{
	if (isfinite(v))
		return false;
	if (isnan(v))
		print_text(out, "not measured");
	else
		print_text(out, "%sinfinite", v < 0 ? "-" : "");
	return true;
}

/* "-" if v is negative and its magnitude does not read as zero. */
static const char *minus_sign(double v, const char *text)
{
	return v < 0 && strtod(text, NULL) > 0 ? "-" : "";
}

/* Removes zeros at the end beyond so many decimals, and a bare point. */
static void trim_zeros(char *text, size_t decimals)
{
	char *point = strchr(text, '.'), *end = text + strlen(text);

	if (!point || strchr(text, 'e'))
		return;
	while (end > point + 1 + decimals && end[-1] == '0')
		*--end = '\0';
	if (end == point + 1)
		*point = '\0';
}

/* Three significant digits of v >= 0. The rounded text decides how many decimals: 9.996 is 10.0,
 * not 10.00. */
static void three_digits(double v, char text[UNITS_SIZE])
{
	static const double below[] = {0, 100, 10};

	if (v >= 1e6) {
		print_text(text, "%.3g", v);
		return;
	}
	for (int decimals = 2; decimals >= 0; decimals--) {
		print_text(text, "%.*f", decimals, v);
		if (strtod(text, NULL) < below[decimals])
			break;
	}
}

static void binary_bytes(double b, const char *per, char out[UNITS_SIZE])
{
	static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
	double v = fabs(b);
	char text[UNITS_SIZE];
	size_t k = 0;

	for (;; k++, v /= 1024) {
		three_digits(v, text);
		if (k == 5 || strtod(text, NULL) < 1024)
			break;
	}
	if (k == 0)
		trim_zeros(text, 0);
	print_text(out, "%s%s %s%s", minus_sign(b, text), text, unit[k], per);
}

const char *units_bytes(double b, char out[UNITS_SIZE])
{
	if (!is_not_finite(b, out))
		binary_bytes(b, "", out);
	return out;
}

const char *units_rate(double b_per_s, char out[UNITS_SIZE])
{
	if (!is_not_finite(b_per_s, out))
		binary_bytes(b_per_s, "/s", out);
	return out;
}

const char *units_bytes_hour(double b_per_h, char out[UNITS_SIZE])
{
	if (!is_not_finite(b_per_h, out))
		binary_bytes(b_per_h, "/h", out);
	return out;
}

const char *units_cores(double cores, char out[UNITS_SIZE])
{
	char text[UNITS_SIZE];

	if (is_not_finite(cores, out))
		return out;
	print_text(text, fabs(cores) < 1e6 ? "%.2f" : "%.3g", fabs(cores));
	print_text(out, "%s%s", minus_sign(cores, text), text);
	return out;
}

static void two_part_time(double big, const char *big_unit, double small, const char *small_unit,
                          char text[UNITS_SIZE])
{
	if (small > 0)
		print_text(text, "%.0f %s %.0f %s", big, big_unit, small, small_unit);
	else
		print_text(text, "%.0f %s", big, big_unit);
}

/* v >= 0 below a minute; false if it rounds to one. */
static bool below_minute(double v, char text[UNITS_SIZE])
{
	char number[UNITS_SIZE];

	print_text(number, "%.2f", v);
	if (strtod(number, NULL) >= 10)
		print_text(number, "%.1f", v);
	if (strtod(number, NULL) >= 60)
		return false;
	if (strtod(number, NULL) == 0)
		print_text(number, v < 1e-4 ? "%.0f" : "%.2g", v);
	print_text(text, "%s s", number);
	return true;
}

const char *units_seconds(double s, char out[UNITS_SIZE])
{
	double v = fabs(s), whole = round(v), minutes = round(v / QUANTITY_MINUTE_S),
	       hours = round(v / QUANTITY_HOUR_S);
	char text[UNITS_SIZE];

	if (is_not_finite(s, out))
		return out;
	if (v < 60 && below_minute(v, text))
		;
	else if (whole < QUANTITY_HOUR_S)
		two_part_time(floor(whole / 60), "min", fmod(whole, 60), "s", text);
	else if (minutes < 1440)
		two_part_time(floor(minutes / 60), "h", fmod(minutes, 60), "min", text);
	else if (hours < 24e6)
		two_part_time(floor(hours / 24), "d", fmod(hours, 24), "h", text);
	else
		print_text(text, "%.3g d", v / QUANTITY_DAY_S);
	print_text(out, "%s%s", minus_sign(s, text), text);
	return out;
}

const char *units_whole_seconds(double s, char out[UNITS_SIZE])
{
	if (!(fabs(round(s)) < 60))
		return units_seconds(round(s), out);
	print_text(out, "%.0f s", fabs(round(s)) > 0 ? round(s) : 0);
	return out;
}

/* A comma before every three digits. */
static void group_digits(const char *digits, char out[UNITS_SIZE])
{
	size_t n = strlen(digits), at = 0;

	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = '\0';
}

const char *units_count(double n, char out[UNITS_SIZE])
{
	double v = fabs(n);
	char digits[UNITS_SIZE], text[UNITS_SIZE];

	if (is_not_finite(n, out))
		return out;
	if (v >= 1e15)
		print_text(text, "%.3g", v);
	else if (v < 99.95) {
		print_text(text, "%.1f", v);
		trim_zeros(text, 0);
	} else {
		print_text(digits, "%.0f", v);
		group_digits(digits, text);
	}
	print_text(out, "%s%s", minus_sign(n, text), text);
	return out;
}

const char *units_percent(double percent, char out[UNITS_SIZE])
{
	char text[UNITS_SIZE];

	if (is_not_finite(percent, out))
		return out;
	print_text(text, fabs(percent) < 1e6 ? "%.2f" : "%.3g", fabs(percent));
	trim_zeros(text, 0);
	print_text(out, "%s%s%%", minus_sign(percent, text), text);
	return out;
}

const char *units_share(double share, char out[UNITS_SIZE])
{
	double percent = share * 100;

	if (percent > 0 && percent < 0.1)
		print_text(out, "under 0.1%%");
	else
		units_percent(stats_round(percent, percent < 10 ? 1 : 0), out);
	return out;
}

static const char *count_of(double n, const char *unit, char out[UNITS_SIZE])
{
	char text[UNITS_SIZE];

	if (!is_not_finite(n, out))
		print_text(out, "%.24s %s", units_count(n, text), unit);
	return out;
}

const char *units_watts(double w, char out[UNITS_SIZE])
{
	return count_of(w, "W", out);
}

const char *units_celsius(double degrees, char out[UNITS_SIZE])
{
	return count_of(degrees, "°C", out);
}

/* The capital letters of a code, at most eight; "" for dollars. */
static void currency_code(const char *currency, char code[9])
{
	size_t n = 0;

	for (const char *p = currency ? currency : ""; *p && n < 8; p++)
		if (*p >= 'A' && *p <= 'Z')
			code[n++] = *p;
	code[n] = '\0';
	if (strcmp(code, "USD") == 0)
		code[0] = '\0';
}

/* As group_digits, but of a number with a point. */
static void group_whole(char text[UNITS_SIZE])
{
	char whole[UNITS_SIZE], grouped[UNITS_SIZE];
	size_t n = strcspn(text, ".");

	snprintf(whole, sizeof whole, "%.*s", (int)n, text);
	group_digits(whole, grouped);
	snprintf(whole, sizeof whole, "%.8s", text + n);
	print_text(text, "%.20s%.8s", grouped, whole);
}

const char *units_money(double v, const char *currency, char out[UNITS_SIZE])
{
	double size = fabs(v);
	char text[UNITS_SIZE], code[9];
	int decimals = 2;

	if (is_not_finite(v, out))
		return out;
	if (size > 0 && size < 100)
		decimals = (int)fmin(12, 3 - floor(log10(size)));
	print_text(text, size < 1e15 ? "%.*f" : "%.*g", decimals, size);
	trim_zeros(text, 2);
	if (size < 1e12 && strcspn(text, ".") > 3)
		group_whole(text);
	currency_code(currency, code);
	print_text(out, "%s%s%.20s%s%s", minus_sign(v, text), *code ? "" : "$", text,
	           *code ? " " : "", code);
	return out;
}

static const char *time_text(double unix_s, char between, const char *zone, char out[UNITS_SIZE])
{
	struct tm tm;
	time_t t;

	out[0] = '\0';
	/* Years 0 to 9999; false for NAN too. */
	if (!(unix_s >= -62167219200.0 && unix_s < 253402300800.0))
		return out;
	t = (time_t)floor(unix_s);
	if (!gmtime_r(&t, &tm))
		return out;
	print_text(out, "%04d-%02d-%02d%c%02d:%02d:%02d%s", tm.tm_year + 1900, tm.tm_mon + 1,
	           tm.tm_mday, between, tm.tm_hour, tm.tm_min, tm.tm_sec, zone);
	return out;
}

const char *units_time_iso(double unix_s, char out[UNITS_SIZE])
{
	return time_text(unix_s, 'T', "Z", out);
}

const char *units_time_text(double unix_s, char out[UNITS_SIZE])
{
	return time_text(unix_s, ' ', " UTC", out);
}

static const char *cores_text(double v, char out[64])
{
	char number[UNITS_SIZE];

	units_cores(v, number);
	snprintf(out, 64, "%s %s", number, strcmp(number, "1.00") == 0 ? "core" : "cores");
	return out;
}

static const char *gpus_text(double v, char out[64])
{
	char number[UNITS_SIZE];

	units_cores(v, number);
	snprintf(out, 64, "%s %s", number, strcmp(number, "1.00") == 0 ? "GPU" : "GPUs");
	return out;
}

const char *units_busy_cores(double cores, char out[64])
{
	if (cores < 0.005)
		snprintf(out, 64, "under 0.01 cores");
	else
		units_text(UNIT_CORES, cores, NULL, out);
	return out;
}

static const char *count_of_devices(double n, const char *device, char out[64])
{
	bool whole = n == stats_round(n, 0);
	char number[UNITS_SIZE];

	snprintf(out, 64, "%s %s%s", whole ? units_count(n, number) : units_cores(n, number),
	         device, n == 1 ? "" : "s");
	return out;
}

const char *units_cpus(double cpus, char out[64])
{
	return count_of_devices(cpus, "CPU", out);
}

const char *units_gpus(double gpus, char out[64])
{
	return count_of_devices(gpus, "GPU", out);
}

const char *units_hours(double v, char out[64])
{
	if (is_not_finite(v, out))
		return out;
	if (v > 0 && v < 1e-4)
		snprintf(out, 64, "under 0.0001");
	else if (v >= 100 || v <= 0)
		units_count(v, out);
	else if (v < 0.1)
		snprintf(out, 64, "%.2g", v);
	else
		three_digits(v, out);
	return out;
}

/* "28.4 core-hours"; of less than a tenth, "77.0 core-seconds": small ones are not 0. */
static const char *hours_text(double v, const char *of, char out[64])
{
	bool small = v > 0 && v < 0.1;
	double amount = small ? v * QUANTITY_HOUR_S : v;
	char number[64];

	if (is_not_finite(v, out))
		return out;
	if (small && amount < 0.01)
		snprintf(number, sizeof number, "under 0.01");
	else
		units_hours(amount, number);
	snprintf(out, 64, "%.32s %s-%s", number, of, small ? "seconds" : "hours");
	return out;
}

static const char *core_hours_text(double v, char out[64])
{
	return hours_text(v, "core", out);
}

static const char *gib_hours_text(double v, char out[64])
{
	return hours_text(v, "GiB", out);
}

static const char *gpu_hours_text(double v, char out[64])
{
	return hours_text(v, "GPU", out);
}

static const char *machine_hours_text(double v, char out[64])
{
	return hours_text(v, "machine", out);
}

static const struct {
	const char *name;
	const char *(*text)(double v, char *out);
} quantities[] = {
    [UNIT_BYTES] = {"bytes", units_bytes},
    [UNIT_RATE] = {"bytes/s", units_rate},
    [UNIT_BYTES_HOUR] = {"bytes/h", units_bytes_hour},
    [UNIT_CORES] = {"cores", cores_text},
    [UNIT_SECONDS] = {"s", units_seconds},
    [UNIT_GPUS] = {"GPUs", gpus_text},
    [UNIT_COUNT] = {"count", units_count},
    [UNIT_PERCENT] = {"%", units_percent},
    [UNIT_WATTS] = {"W", units_watts},
    [UNIT_CELSIUS] = {"°C", units_celsius},
    [UNIT_CORE_HOURS] = {"core-hours", core_hours_text},
    [UNIT_GIB_HOURS] = {"GiB-hours", gib_hours_text},
    [UNIT_GPU_HOURS] = {"GPU-hours", gpu_hours_text},
    [UNIT_MACHINE_HOURS] = {"machine-hours", machine_hours_text},
    [UNIT_MONEY_HOUR] = {"currency/h", NULL},
    [UNIT_MONEY] = {"currency", NULL},
};

const char *units_name(enum unit u)
{
	return quantities[u].name;
}

bool units_is_money(enum unit u)
{
	return !quantities[u].text;
}

const char *units_text(enum unit u, double v, const char *currency, char out[64])
{
	char money[UNITS_SIZE];

	if (isnan(v))
		snprintf(out, 64, "not measured");
	else if (quantities[u].text)
		quantities[u].text(v, out);
	else
		snprintf(out, 64, "%s%s", units_money(v, currency, money),
		         u == UNIT_MONEY_HOUR ? "/h" : "");
	return out;
}

void units_range(enum unit u, double least, double most, const char *currency,
                 char out[UNITS_RANGE_SIZE])
{
	bool money = units_is_money(u);
	char from[64], to[64];

	units_text(u, money ? stats_digits(least, 2) : least, currency, from);
	units_text(u, money ? stats_digits(most, 2) : most, currency, to);
	snprintf(out, UNITS_RANGE_SIZE, "%s to %s", from, to);
	if (strcmp(from, to) == 0)
		*out = '\0';
}

void units_sample_interval(size_t n, double duration_s, double interval_s, struct buf *out)
{
	double due = duration_s / interval_s;

	/* The first and the last may lie in a part of an interval. */
	if (interval_s > 0 && due >= 1 && fabs((double)n - due) < SAMPLES_OFF + SAMPLES_SHARE * due)
		buf_printf(out, ", one every %s", UNITS_TEXT(UNIT_SECONDS, interval_s));
}
