/* when: the points in time of --since and --until. */
#include <stdio.h>
#include <string.h>

#include "fleet/options/when.h"
#include "tests/unit/unit.h"

#define NOW 1764547200.0 /* 2025-12-01 00:00 UTC */

TEST(test_right)
{
	static const struct {
		const char *text;
		double at;
	} cases[] = {
	    {"1970-01-02", 86400},
	    {"2000-02-29", 951782400},
	    {"2000-03-01", 951868800},
	    {"2024-02-29", 1709164800},
	    {"2025-12-01", NOW},
	    {"2026-11-01T12:00:00Z", 1793534400},
	    {"2026-11-01T12:00:30", 1793534430},
	    {"2026-11-01 12:01", 1793534460},
	    {"2026-11-01T12:01Z", 1793534460},
	    {"2100-03-01", 4107542400},
	    {"9999-12-31T23:59:59Z", 253402300799.0},
	    {"30d", NOW - 30 * 86400},
	    {"12h", NOW - 12 * 3600},
	    {"2w", NOW - 14 * 86400},
	    {"90min", NOW - 5400},
	    {"90m", NOW - 5400},
	    {"1h30m", NOW - 5400},
	    {"45s", NOW - 45},
	    {"1.5h", NOW - 5400},
	    {"0d", NOW},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {0};
		double at = -1;
		if (when_parse(cases[i].text, NOW, &at, &e))
			fail_msg("%s", e.msg);
		if (at != cases[i].at)
			fail_msg("%s: %.0f, not %.0f", cases[i].text, at, cases[i].at);
	}
}

TEST(test_wrong)
{
	static const char *const texts[] = {
	    "",
	    "yesterday",
	    "2026",
	    "2026-1-1",
	    "2026-13-01",
	    "2026-00-01",
	    "2026-02-29",
	    "1900-02-29",
	    "2026-11-31",
	    "2026-11-00",
	    "2026-11-01T",
	    "2026-11-01T24:00",
	    "2026-11-01T12:60",
	    "2026-11-01T12:00:60",
	    "2026-11-01T12:00Zx",
	    "2026-11-01Z",
	    "2026-11-01T12:00+01:00",
	    "30",
	    "d",
	    "30 d",
	    "-3d",
	    ".d",
	    "1.2.3d",
	    "0x10d",
	    "inf",
	    "nand",
	    "1970-01-01",
	    "60000d",
	    "99999999999999999999w",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct err e = {0};
		double at = -1;
		if (!when_parse(texts[i], NOW, &at, &e))
			fail_msg("\"%s\" is %.0f", texts[i], at);
		assert_true(*e.msg);
		assert_true(at == -1);
	}
}

/* Each day of 400 years is the day after the one before it. */
TEST(test_every_day)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	double before = 0;

	for (int y = 1970; y < 2371; y++)
		for (int m = 1; m <= 12; m++)
			for (int d = 1; d <= days[m - 1] + (m == 2 && y % 4 == 0 &&
			                                    (y % 100 != 0 || y % 400 == 0));
			     d++) {
				char text[32];
				double at;
				if (y == 1970 && m == 1 && d == 1)
					continue;
				snprintf(text, sizeof text, "%04d-%02d-%02d", y, m, d);
				assert_int_equal(when_parse(text, NOW, &at, NULL), 0);
				assert_true(at == before + 86400);
				before = at;
			}
}
