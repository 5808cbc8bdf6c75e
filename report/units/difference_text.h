/*
 * difference_text: the difference between the values of two runs, as text.
 */
#ifndef REPORT_UNITS_DIFFERENCE_TEXT_H
#define REPORT_UNITS_DIFFERENCE_TEXT_H

#include "report/units/model_json.h"
#include "report/units/units.h"

/* "+1.20 s", "−12 MiB", "no difference"; "nearly the same" if it rounds to 0; "" if by is not
 * finite. */
const char *difference_text(enum unit u, double by, char out[96]);

/* v relative to base in percent, to 1 decimal; NAN if base is 0 or the two are equal. */
double difference_percent(double v, double base);

/* "+12%", "−3.4%"; "" for NAN. */
const char *difference_percent_text(double percent, char out[UNITS_SIZE + 8]);

#endif
