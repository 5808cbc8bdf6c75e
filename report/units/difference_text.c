/* difference_text: the difference between the values of two runs, as text. */
#include "report/units/difference_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/numbers/stats.h"

static const char *sign_of_change(double v)
{
	return v >= 0 ? "+" : "\u2212";
}

const char *difference_text(enum unit u, double by, char out[96])
{
	char text[64], nothing[64];

	*out = '\0';
	if (!isfinite(by))
		return out;
	units_text(u, fabs(by), NULL, text);
	if (by == 0)
		snprintf(out, 96, "no difference");
	else if (strcmp(text, units_text(u, 0, NULL, nothing)) == 0)
		snprintf(out, 96, "nearly the same");
	else
		snprintf(out, 96, "%s%s", sign_of_change(by), text);
	return out;
}

bool difference_of_nothing(enum unit u, double base)
{
	double least = u == UNIT_BYTES ? 65536 : 0;

	if (u == UNIT_SECONDS)
		least = 0.1;
	if (u == UNIT_CORES || u == UNIT_GPUS)
		least = 0.05;
	return fabs(base) < least;
}

double difference_percent(enum unit u, double v, double base)
{
	double percent = stats_round((v / base - 1) * 100, 1);
	bool known = isfinite(percent) && v != base && !difference_of_nothing(u, base);

	return known ? percent : (double)NAN;
}

const char *difference_percent_text(double percent, char out[UNITS_SIZE + 8])
{
	char number[UNITS_SIZE];

	*out = '\0';
	if (isfinite(percent))
		snprintf(out, UNITS_SIZE + 8, "%s%s", sign_of_change(percent),
		         units_percent(fabs(percent), number));
	return out;
}
