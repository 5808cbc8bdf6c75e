/*
 * iso_time: a point in time as ISO 8601 has it: in the answers of stores, keys and CI systems.
 */
#ifndef CORE_BASE_ISO_TIME_H
#define CORE_BASE_ISO_TIME_H

/* Unix seconds of "2026-11-01T12:00:00Z", with a fraction or without, with Z or an offset (+01:00,
 * +0100). NAN for any other text, and for times before 1970 and after 9999. */
double iso_time_read(const char *text);

#endif
