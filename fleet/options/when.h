/*
 * when: the points in time of --since and --until. Pure.
 *
 * WHEN is a date, 2026-11-01; a date and time, 2026-11-01T12:00, with seconds or without, with a
 * blank instead of T, ended by Z or not; or an age, a duration with its unit
 * (core/base/quantity.h): 30d, 12h, 1.5w.
 * All times are UTC.
 */
#ifndef FLEET_OPTIONS_WHEN_H
#define FLEET_OPTIONS_WHEN_H

#include "core/base/err.h"

/* Sets *out to Unix seconds, after 0 and before the year 10000; an age is before `now`. -1 with a
 * sentence. */
int when_parse(const char *text, double now, double *out, struct err *e);

#endif
