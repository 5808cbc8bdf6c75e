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

/* Less than 0.1 s, 0.05 cores or GPUs, or 64 KiB: a percentage of it would only show how long a
 * process takes to start. */
bool difference_of_nothing(enum unit u, double base);

/* v relative to base in percent, to 1 decimal; NAN if base is 0 or nearly nothing, or the two are
 * equal. */
double difference_percent(enum unit u, double v, double base);

/* "+12%", "−3.4%"; "" for NAN. */
const char *difference_percent_text(double percent, char out[UNITS_SIZE + 8]);

#endif
