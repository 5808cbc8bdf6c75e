/*
 * units: quantities as text for people.
 *
 * All functions are pure and return out, to which those with out[UNITS_SIZE] write at most 32 bytes
 * with the NUL. NAN is "not measured", infinities are "infinite" and "-infinite"; a number that
 * rounds to zero has no sign. Rounding carries: never "1024 KiB", "60 s" or "60 min".
 */
#ifndef REPORT_UNITS_UNITS_H
#define REPORT_UNITS_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"

#define UNITS_SIZE       32
#define UNITS_RANGE_SIZE 160

/* Three significant digits, binary units: "512 B", "1.50 KiB", "15.0 MiB", "1023 GiB", PiB at most;
 * below 1 KiB without zeros at the end: "0.25 B". */
const char *units_bytes(double b, char out[UNITS_SIZE]);

/* Bytes per second: "1.50 MiB/s". */
const char *units_rate(double b_per_s, char out[UNITS_SIZE]);

/* Bytes an hour: "1.50 MiB/h". */
const char *units_bytes_hour(double b_per_h, char out[UNITS_SIZE]);

/* Two decimals, without a unit: "1.34". */
const char *units_cores(double cores, char out[UNITS_SIZE]);

/* "0 s", "0.35 s", "12.3 s", "4 min 5 s", "2 h 3 min", "3 d 4 h"; a second part that is
 * zero is omitted. */
const char *units_seconds(double s, char out[UNITS_SIZE]);

/* The same without decimals: "0 s", "12 s", "4 min 5 s". */
const char *units_whole_seconds(double s, char out[UNITS_SIZE]);

/* "12,345"; below 100 with one decimal unless whole: "3.4". */
const char *units_count(double n, char out[UNITS_SIZE]);

/* A percentage (not a share): at most two decimals, "12.5%". */
const char *units_percent(double percent, char out[UNITS_SIZE]);

/* A share from 0 to 1 as a percentage: whole from 10% on, else one decimal; "50%", "2.3%", "under
 * 0.1%". */
const char *units_share(double share, char out[UNITS_SIZE]);

/* Below 100 with one decimal unless whole: "71.5 W", "300 W"; "61 °C". */
const char *units_watts(double w, char out[UNITS_SIZE]);
const char *units_celsius(double degrees, char out[UNITS_SIZE]);

/* Four significant digits, but at least two decimals: "$0.0128", "$1,234.50", "0.0128 EUR".
 *
 * currency is an ISO 4217 code; NULL, "" and "USD" are dollars; characters other than A-Z are
 * dropped. */
const char *units_money(double v, const char *currency, char out[UNITS_SIZE]);

/* Unix seconds as UTC, fractions cut off: "2026-11-21T06:51:51Z" and "2026-11-21 06:51:51 UTC". ""
 * for NAN and for years outside 0 to 9999. */
const char *units_time_iso(double unix_s, char out[UNITS_SIZE]);
const char *units_time_text(double unix_s, char out[UNITS_SIZE]);

/* The kinds of quantities: the base unit of each, and how it reads. */
enum unit {
	UNIT_BYTES,
	UNIT_RATE,       /* bytes per second */
	UNIT_BYTES_HOUR, /* bytes an hour */
	UNIT_CORES,
	UNIT_SECONDS,
	UNIT_GPUS,
	UNIT_COUNT,
	UNIT_PERCENT, /* percentages, not shares */
	UNIT_WATTS,
	UNIT_CELSIUS,
	UNIT_CORE_HOURS,
	UNIT_GIB_HOURS,
	UNIT_GPU_HOURS,
	UNIT_MACHINE_HOURS,
	UNIT_MONEY_HOUR, /* in the report's currency */
	UNIT_MONEY,
};

/* The unit's name in the model: "bytes/s". */
const char *units_name(enum unit u);

/* Whether it is an amount of the report's currency. */
bool units_is_money(enum unit u);

/* CPUs that were busy on average: "1.34 cores", "under 0.01 cores". */
const char *units_busy_cores(double cores, char out[64]);

/* CPUs that there are: "2 CPUs", "0.25 CPUs", "1 CPU"; and GPUs. */
const char *units_cpus(double cpus, char out[64]);
const char *units_gpus(double gpus, char out[64]);

/* A number of hours of anything, without a unit, for columns and labels that have it: "28.4". */
const char *units_hours(double v, char out[64]);

/* "1.34 cores". Money needs its currency; NULL is USD. */
const char *units_text(enum unit u, double v, const char *currency, char out[64]);

/* "1 h 20 min to 2 h 37 min", "$0.029 to $0.057"; "" if both ends are the same in words. Money has
 * two digits: more would say more than a range knows. */
void units_range(enum unit unit, double least, double most, const char *currency,
                 char out[UNITS_RANGE_SIZE]);

/* ", one every 1.00 s", after n samples of a run of so many seconds; nothing where they were not
 * taken at that interval: a short run's come faster at first, and some may be missing. */
void units_sample_interval(size_t n, double duration_s, double interval_s, struct buf *out);

/* Arguments of printf: the text is in a buffer of its own until the block ends. */
#define UNITS_TEXT(u, v)      units_text(u, v, NULL, (char[64]){""})
#define UNITS_MONEY(u, v, cu) units_text(u, v, cu, (char[64]){""})
#define UNITS_SECONDS(s)      units_seconds(s, (char[UNITS_SIZE]){""})
#define UNITS_WHOLE(s)        units_whole_seconds(s, (char[UNITS_SIZE]){""})
#define UNITS_COUNT(n)        units_count(n, (char[UNITS_SIZE]){""})
#define UNITS_PERCENT(v)      units_percent(v, (char[UNITS_SIZE]){""})
#define UNITS_SHARE(v)        units_share(v, (char[UNITS_SIZE]){""})
#define UNITS_CPUS(v)         units_cpus(v, (char[64]){""})
#define UNITS_CORES(v)        units_cores(v, (char[UNITS_SIZE]){""})
#define UNITS_BUSY(v)         units_busy_cores(v, (char[64]){""})

#endif
