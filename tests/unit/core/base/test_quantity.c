/* quantity: every spelling that an option took before there was one grammar, and what is none. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/quantity.h"
#include "tests/unit/unit.h"

TEST(durations)
{
	static const struct {
		const char *text;
		double seconds;
	} cases[] = {
	    {"0s", 0},
	    {"45s", 45},
	    {"250ms", 0.25},
	    {"30m", 1800},
	    {"30min", 1800},
	    {"1.5h", 5400},
	    {".5h", 1800},
	    {"2d", 172800},
	    {"2w", 1209600},
	    {"1e3s", 1000},
	    {"1h30m", 5400},
	    {"1h30min", 5400},
	    {"1d12h", 129600},
	    {"2w3d4h5m6s7ms", 1209600 + 3 * 86400 + 4 * 3600 + 5 * 60 + 6.007},
	    {"1w0.5h", 606600},
	    {"01:02:03", 3723},
	    {"1-12:00:00", 129600},
	    {"100:00:00", 360000},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int bare = QUANTITY_BARE; bare <= QUANTITY_WITH_UNIT; bare++) {
			double s = -1;
			if (quantity_duration(cases[i].text, strlen(cases[i].text),
			                      (enum quantity_bare)bare, &s))
				fail_msg("%s", cases[i].text);
			assert_true(s > cases[i].seconds - 1e-6 && s < cases[i].seconds + 1e-6);
		}
}

TEST(numbers_alone)
{
	static const struct {
		const char *text;
		double seconds;
	} cases[] = {{"0", 0}, {"60", 60}, {"0.1", 0.1}, {".5", 0.5}, {"5.", 5}, {"1e1", 10}};
	double s = -1;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t n = strlen(cases[i].text);
		assert_int_equal(quantity_duration(cases[i].text, n, QUANTITY_WITH_UNIT, &s), -1);
		assert_int_equal(quantity_duration(cases[i].text, n, QUANTITY_BARE, &s), 0);
		assert_true(s == cases[i].seconds);
	}
	assert_int_equal(quantity_duration("60s,x", 3, QUANTITY_WITH_UNIT, &s), 0);
	assert_true(s == 60);
}

TEST(no_durations)
{
	static const char *const texts[] = {
	    "",
	    "s",
	    "-1s",
	    "+1s",
	    " 1s",
	    "1 s",
	    "1s ",
	    "1x",
	    "1S",
	    "1H",
	    "1month",
	    "1h30",
	    "30m1h",
	    "1h1h",
	    "1m2min",
	    "1min30m",
	    "1.2.3s",
	    "0x10s",
	    "nan",
	    "inf",
	    "infinity",
	    "1e999s",
	    "1e999",
	    "1:30",
	    "1:60:00",
	    "1:2:60",
	    "1-1",
	    "-1:0:0",
	    "1:2:3:4",
	    "1-2-3:4",
	    "1:2:",
	    "1::3",
	    "1:2:3s",
	    "1y",
	    "h",
	    ".",
	    ".s",
	    "1,5h",
	    "1h 30m",
	    "1_000s",
	    "1-:2:3",
	    "UNLIMITED",
	    "11111111111111111111111111111111111111111111111111111111111111111s",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		double s = -1;
		if (!quantity_duration(texts[i], strlen(texts[i]), QUANTITY_BARE, &s))
			fail_msg("%s: %.15g", texts[i], s);
		assert_true(s == -1);
	}
	assert_int_equal(quantity_duration("1s\0", 3, QUANTITY_WITH_UNIT, &(double){0}), -1);
}

TEST(names_of_durations)
{
	for (size_t i = 0; quantity_duration_unit(i); i++) {
		char text[16];
		double s;
		snprintf(text, sizeof text, "1%s", quantity_duration_unit(i));
		assert_int_equal(quantity_duration(text, strlen(text), QUANTITY_WITH_UNIT, &s), 0);
	}
}

TEST(sizes)
{
	static const struct {
		const char *text;
		double bytes;
	} cases[] = {
	    {"0B", 0},
	    {"512B", 512},
	    {"1K", 1024},
	    {"1Ki", 1024},
	    {"1KiB", 1024},
	    {"1kB", 1000},
	    {"1KB", 1000},
	    {"500M", 524288000},
	    {"500Mi", 524288000},
	    {"500MiB", 524288000},
	    {"500MB", 5e8},
	    {"1.5G", 1610612736},
	    {"32Gi", 34359738368},
	    {"32GiB", 34359738368},
	    {"32GB", 32e9},
	    {"1T", 1099511627776},
	    {"1Ti", 1099511627776},
	    {"1TiB", 1099511627776},
	    {"1TB", 1e12},
	    {"1e3MB", 1e9},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int bare = QUANTITY_BARE; bare <= QUANTITY_WITH_UNIT; bare++) {
			double b = -1;
			if (quantity_size(cases[i].text, strlen(cases[i].text),
			                  (enum quantity_bare)bare, &b))
				fail_msg("%s", cases[i].text);
			assert_true(b == cases[i].bytes);
		}
}

TEST(no_sizes)
{
	static const char *const texts[] = {
	    "",       "B",    "-1B",  "+1B", " 1B",      "1 B",  "1B ",  "1b",
	    "1k",     "1g",   "1GIB", "1P",  "1PiB",     "1Gib", "0x1G", "nanB",
	    "1e999B", "1,5G", "1G1M", "inf", "1e308TiB", ".",
	};
	double b = -1;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (!quantity_size(texts[i], strlen(texts[i]), QUANTITY_BARE, &b))
			fail_msg("%s: %.15g", texts[i], b);
	assert_true(b == -1);
	assert_int_equal(quantity_size("4096", 4, QUANTITY_WITH_UNIT, &b), -1);
	assert_int_equal(quantity_size("4096", 4, QUANTITY_BARE, &b), 0);
	assert_true(b == 4096);
}

TEST(names_of_sizes)
{
	for (size_t i = 0; quantity_size_unit(i); i++) {
		char text[16];
		double b;
		snprintf(text, sizeof text, "1%s", quantity_size_unit(i));
		assert_int_equal(quantity_size(text, strlen(text), QUANTITY_WITH_UNIT, &b), 0);
	}
}

TEST(texts)
{
	char text[32];

	assert_string_equal(quantity_size_text(0, text), "0 B");
	assert_string_equal(quantity_size_text(1023, text), "1023 B");
	assert_string_equal(quantity_size_text(1536, text), "1.5 KiB");
	assert_string_equal(quantity_size_text(12.5 * QUANTITY_GIB, text), "12.5 GiB");
	assert_string_equal(quantity_size_text(NAN, text), "unknown");
	assert_string_equal(quantity_clock_text(93789.9, text), "26:03:09");
	assert_string_equal(quantity_clock_text(-1, text), "unknown");
	assert_string_equal(quantity_clock_text(NAN, text), "unknown");
}
