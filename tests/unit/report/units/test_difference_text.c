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
	} cases[] = {{20, 10, "+100%"}, {5, 10, "\u221250%"}, {1, 3, "\u221266.7%"},
	             {10, 10, ""},      {1, 0, ""},           {NAN, 1, ""}};
	char out[UNITS_SIZE + 8];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(
		    difference_percent_text(difference_percent(cases[i].v, cases[i].base), out),
		    cases[i].text);
}
