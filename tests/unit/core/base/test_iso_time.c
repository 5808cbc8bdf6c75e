/* iso_time: points in time, right and wrong. */
#include <math.h>
#include <time.h>

#include "core/base/iso_time.h"
#include "tests/unit/unit.h"

TEST(right)
{
	static const struct {
		const char *text;
		double at;
	} cases[] = {
	    {"1970-01-01T00:00:00Z", 0},
	    {"2000-02-29T00:00:00Z", 951782400},
	    {"2026-11-01T12:00:00Z", 1793534400},
	    {"2026-11-01T12:00:00.000Z", 1793534400},
	    {"2026-11-01T12:00:00.25Z", 1793534400.25},
	    {"2026-11-01T12:00:60Z", 1793534460},
	    {"2026-11-01T13:00:00+01:00", 1793534400},
	    {"2026-11-01T13:00:00+0100", 1793534400},
	    {"2026-11-01T06:30:00-05:30", 1793534400},
	    {"9999-12-31T23:59:59Z", 253402300799.0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (iso_time_read(cases[i].text) != cases[i].at)
			fail_msg("%s: %f", cases[i].text, iso_time_read(cases[i].text));
}

/* The C library agrees on every day. */
TEST(every_day)
{
	for (time_t t = 0; t < (time_t)400 * 366 * 86400; t += 86400 - 7) {
		struct tm tm;
		char text[64];
		gmtime_r(&t, &tm);
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
		assert_true(iso_time_read(text) == (double)t);
	}
}

TEST(wrong)
{
	static const char *const texts[] = {
	    "",
	    "2026",
	    "2026-11-01",
	    "2026-11-01T12:00Z",
	    "2026-11-01 12:00:00Z",
	    "2026-11-01T12:00:00",
	    "2026-11-01T12:00:00z",
	    "2026-11-01T12:00:00Zx",
	    "2026-11-01T12:00:00.Z",
	    "2026-11-01T24:00:00Z",
	    "2026-11-01T12:60:00Z",
	    "2026-02-29T12:00:00Z",
	    "1900-02-28T12:00:00Z",
	    "2026-13-01T12:00:00Z",
	    "2026-00-01T12:00:00Z",
	    "2026-11-00T12:00:00Z",
	    "2026-11-01T12:00:00+1",
	    "2026-11-01T12:00:00+25:00",
	    "2026-11-01T12:00:00+01:60",
	    "1970-01-01T00:00:00+01:00",
	    "Sun, 01 Nov 2026 12:00:00 GMT",
	    "-026-11-01T12:00:00Z",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (!isnan(iso_time_read(texts[i])))
			fail_msg("\"%s\" is %f", texts[i], iso_time_read(texts[i]));
}
