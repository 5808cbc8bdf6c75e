/*
 * s3_time: the points in time that stores and their services (ISO 8601). Pure.
 */
#ifndef REPORT_AWS_KEYS_S3_TIME_H
#define REPORT_AWS_KEYS_S3_TIME_H

/* Unix seconds of "2026-11-01T12:00:00Z", with a fraction or without, with Z or an offset (+01:00,
 * +0100). NAN for any other text, and for times before 1970 and after 9999. */
double s3_time_parse(const char *text);

#endif
