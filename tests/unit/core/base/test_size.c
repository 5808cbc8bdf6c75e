/* size: every spelling that an option took before there was one grammar, and what is none. */
#include <stdio.h>
#include <string.h>

#include "core/base/size.h"
#include "tests/unit/unit.h"

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
		for (int bare = SIZE_OR_BYTES; bare <= SIZE_WITH_UNIT; bare++) {
			double b = -1;
			if (size_parse(cases[i].text, strlen(cases[i].text), (enum size_bare)bare,
			               &b))
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
		if (!size_parse(texts[i], strlen(texts[i]), SIZE_OR_BYTES, &b))
			fail_msg("%s: %.15g", texts[i], b);
	assert_true(b == -1);
	assert_int_equal(size_parse("4096", 4, SIZE_WITH_UNIT, &b), -1);
	assert_int_equal(size_parse("4096", 4, SIZE_OR_BYTES, &b), 0);
	assert_true(b == 4096);
}

TEST(names_of_units)
{
	for (size_t i = 0; size_unit(i); i++) {
		char text[16];
		double b;
		snprintf(text, sizeof text, "1%s", size_unit(i));
		assert_int_equal(size_parse(text, strlen(text), SIZE_WITH_UNIT, &b), 0);
	}
}
