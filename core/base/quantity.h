/*
 * quantity: amounts of time and of memory as people write them, for every option and condition that
 * takes one. Pure.
 *
 * A duration is a number of ms, s, m or min, h, d or w; several without blanks, the largest unit
 * first: 90s, 1.5h, 1h30m, 2w, 1d12h. Also as Slurm prints it, [DAYS-]HOURS:MINUTES:SECONDS:
 * 1-12:00:00. A size is a number of B; of K, M, G or T, Ki … Ti or KiB … TiB (1024); or of kB, KB,
 * MB, GB or TB (1000): 32GiB, 500MB, 1.5G.
 *
 *	if (quantity_duration(text, strlen(text), QUANTITY_BARE, &seconds))
 *		return err_set(e, "\"%s\" is not " QUANTITY_DURATION, text);
 */
#ifndef CORE_BASE_QUANTITY_H
#define CORE_BASE_QUANTITY_H

#include <stddef.h>

/* Seconds, and bytes. */
#define QUANTITY_MINUTE_S 60.0
#define QUANTITY_HOUR_S   3600.0
#define QUANTITY_DAY_S    86400.0
#define QUANTITY_KIB      1024.0
#define QUANTITY_MIB      1048576.0
#define QUANTITY_GIB      1073741824.0

#define QUANTITY_DURATION "a duration such as 30s, 15m, 1h30m or 2d"
#define QUANTITY_SIZE     "a size such as 512MiB, 32G or 500MB"
#define QUANTITY_MAX      64 /* bytes of a text; longer ones are refused */

enum quantity_bare {
	QUANTITY_BARE,      /* a number alone means seconds or bytes */
	QUANTITY_WITH_UNIT, /* and here it is an error */
};

/* Seconds, or bytes, of all n bytes of text. 0, or -1 with *out unchanged. Never negative, infinite
 * or NaN. */
int quantity_duration(const char *text, size_t n, enum quantity_bare bare, double *out);
int quantity_size(const char *text, size_t n, enum quantity_bare bare, double *out);

/* "12.5 GiB", and "26:03:09", of hours, minutes and seconds; NAN is "unknown". */
const char *quantity_size_text(double bytes, char out[32]);
const char *quantity_clock_text(double s, char out[32]);

/* The names of the units, for suggestions; NULL after the last. */
const char *quantity_duration_unit(size_t i);
const char *quantity_size_unit(size_t i);

struct quantity_unit {
	const char *name;
	double factor;
};

/* The bytes of the number that text begins with: digits with a point among them or not, and an
 * exponent; no sign, no blank, no hexadecimal digits, no "nan". 0: there is none. *out may be
 * infinite. */
size_t quantity_number(const char *text, double *out);

/* The row with this name; NULL: there is none. */
const struct quantity_unit *quantity_unit_of(const struct quantity_unit *units, size_t n_units,
                                             const char *name, size_t n);

#endif
