/*
 * units: quantities as people read them.
 *
 * All functions are pure, write at most 32 bytes with the NUL to out, and return out. NAN is
 * "not measured", infinities are "infinite" and "-infinite", and what rounds to zero has no sign.
 * Rounding carries: there is no "1024 KiB", no "60 s" and no "60 min".
 */
#ifndef REPORT_UNITS_UNITS_H
#define REPORT_UNITS_UNITS_H

#include <stdbool.h>

#define UNITS_SIZE 32

/* Three significant digits, binary units: "512 B", "1.50 KiB", "15.0 MiB", "1023 GiB", PiB at most;
 * less than 1 KiB without decimals where whole: "0.25 B". */
const char *units_bytes(double b, char out[UNITS_SIZE]);

/* Bytes per second: "1.50 MiB/s". */
const char *units_rate(double b_per_s, char out[UNITS_SIZE]);

/* Two decimals, without a word: "1.34". */
const char *units_cores(double cores, char out[UNITS_SIZE]);

/* "0 s", "0.35 s", "12.3 s", "4 min 5 s", "2 h 3 min", "3 d 4 h"; a zero second part is left out.
 */
const char *units_seconds(double s, char out[UNITS_SIZE]);

/* "12,345"; one decimal below 100 where not whole: "3.4". */
const char *units_count(double n, char out[UNITS_SIZE]);

/* Of percent (not of shares): two decimals at most, "12.5%". */
const char *units_percent(double percent, char out[UNITS_SIZE]);

/* A share from 0 to 1 as a percentage: whole from 10% on, else one decimal; "50%", "2.3%", "under
 * 0.1%". */
const char *units_share(double share, char out[UNITS_SIZE]);

/* One decimal below 100 where not whole: "71.5 W", "300 W"; "61 °C". */
const char *units_watts(double w, char out[UNITS_SIZE]);
const char *units_celsius(double degrees, char out[UNITS_SIZE]);

/* Four significant digits, but at least two decimals: "$0.0128", "$1234.50", "0.0128 EUR". currency
 * is an ISO 4217 code; NULL, "" and "USD" are dollars; what is not a letter A-Z in it is left out.
 */
const char *units_money(double v, const char *currency, char out[UNITS_SIZE]);

/* Unix seconds, UTC, fractions cut off: "2026-11-21T06:51:51Z" and "2026-11-21 06:51:51 UTC". ""
 * for NAN and for years outside 0 to 9999. */
const char *units_time_iso(double unix_s, char out[UNITS_SIZE]);
const char *units_time_text(double unix_s, char out[UNITS_SIZE]);

/* What a quantity measures: its base unit, and how it reads. */
enum unit {
	UNIT_BYTES,
	UNIT_RATE, /* bytes per second */
	UNIT_CORES,
	UNIT_SECONDS,
	UNIT_GPUS,
	UNIT_COUNT,
	UNIT_PERCENT, /* of percent, not of shares */
	UNIT_WATTS,
	UNIT_CELSIUS,
	UNIT_MONEY_HOUR, /* in the report's currency */
	UNIT_MONEY,
};

/* The unit's name in the model: "bytes/s". */
const char *units_name(enum unit u);

/* Whether it is an amount of the report's currency. */
bool units_is_money(enum unit u);

/* CPUs that were busy on average: "1.34 cores", "under 0.01 cores". */
const char *units_busy_cores(double cores, char out[64]);

/* CPUs that there are: "2 CPUs", "0.25 CPUs", "1 CPU". */
const char *units_cpus(double cpus, char out[64]);

/* v as people read it: "1.34 cores". Money needs its currency; NULL is USD. */
const char *units_text(enum unit u, double v, const char *currency, char out[64]);

#endif
