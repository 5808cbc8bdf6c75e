/*
 * duration: amounts of time as people write them, for every option and condition that takes one.
 *
 * A number of ms, s, m or min, h, d or w; several without blanks, the largest unit first: 90s,
 * 1.5h, 1h30m, 2w, 1d12h. Also as Slurm prints it, [DAYS-]HOURS:MINUTES:SECONDS: 1-12:00:00. Pure.
 *
 *	if (duration_parse(text, strlen(text), DURATION_OR_SECONDS, &seconds))
 *		return err_set(e, "\"%s\" is not " DURATION_IS, text);
 */
#ifndef CORE_BASE_DURATION_H
#define CORE_BASE_DURATION_H

#include <stddef.h>

#define DURATION_IS  "a duration such as 30s, 15m, 1h30m or 2d"
#define DURATION_MAX 64 /* bytes of a text; longer ones are refused */

enum duration_bare {
	DURATION_OR_SECONDS, /* a number alone means seconds */
	DURATION_WITH_UNIT,  /* and here it is an error */
};

/* All n bytes of text. 0, or -1 with *seconds unchanged. Never negative, infinite or NaN. */
int duration_parse(const char *text, size_t n, enum duration_bare bare, double *seconds);

/* The names of the units, for suggestions; NULL behind the last. */
const char *duration_unit(size_t i);

#endif
