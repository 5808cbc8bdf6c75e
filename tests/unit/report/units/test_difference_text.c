/* compare_text: how far values are apart, in words. */
#include <math.h>

#include "report/units/difference_text.h"
#include "tests/unit/unit.h"

TEST(differences)
{
	static const struct {
		enum unit unit;
		double by;
		const char *text;
	} cases[] = {
	    {UNIT_SECONDS, 1.2, "+1.20 s"},    {UNIT_BYTES, -12.0 * 1048576, "\u221212.0 MiB"},
	    {UNIT_CORES, 0, "no difference"},  {UNIT_CORES, -0.0004, "nearly the same"},
	    {UNIT_CORES, 0.01, "+0.01 cores"}, {UNIT_CORES, NAN, ""},
	    {UNIT_CORES, INFINITY, ""}};
	char out[96];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(difference_text(cases[i].unit, cases[i].by, out),
		                    cases[i].text);
}

TEST(percents)
{
	static const struct {
		double v, base;
		const char *text;
		enum unit unit;
	} cases[] = {{20, 10, "+100%", UNIT_SECONDS},
	             {5, 10, "\u221250%", UNIT_SECONDS},
	             {1, 3, "\u221266.7%", UNIT_COUNT},
	             {10, 10, "", UNIT_SECONDS},
	             {1, 0, "", UNIT_COUNT},
	             {NAN, 1, "", UNIT_SECONDS},
	             {0.03, 0.01, "", UNIT_SECONDS},
	             {0.01, 3, "\u221299.7%", UNIT_SECONDS},
	             {0.2, 0.02, "", UNIT_CORES},
	             {8192, 4096, "", UNIT_BYTES},
	             {131072, 65536, "+100%", UNIT_BYTES}};
	char out[UNITS_SIZE + 8];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(
		    difference_percent_text(
			difference_percent(cases[i].unit, cases[i].v, cases[i].base), out),
		    cases[i].text);
}
