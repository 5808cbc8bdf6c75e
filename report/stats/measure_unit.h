/*
 * measure_unit: what a statistic that gates name is measured in.
 */
#ifndef REPORT_STATS_MEASURE_UNIT_H
#define REPORT_STATS_MEASURE_UNIT_H

/* Only measures of one unit can be compared. */
enum measure_unit { MEASURE_NUMBER, MEASURE_BYTES, MEASURE_SECONDS, MEASURE_MONEY, MEASURE_UNITS };

#endif
