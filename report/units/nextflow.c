/* nextflow: quantities as Nextflow prints them in its trace. */
#include "report/units/nextflow.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "core/base/quantity.h"

/* "350ms", "12.5s", "1m 3s", "2d 4h", as Nextflow's Duration prints itself. */
const char *nextflow_duration(double s, char out[64])
{
	static const struct {
		long seconds;
		char letter;
	} units[] = {
	    {QUANTITY_DAY_S, 'd'}, {QUANTITY_HOUR_S, 'h'}, {QUANTITY_MINUTE_S, 'm'}, {1, 's'}};
	long ms, left;
	int at = 0;

	if (!(s >= 0) || s > 1e12)
		return NEXTFLOW_NOTHING;
	ms = lround(s * 1000);
	left = ms / 1000;
	if (ms < 1000) {
		snprintf(out, 64, "%ldms", ms);
	} else if (ms < 60000) {
		double tenths = floor((double)ms / 100 + 0.5) / 10;
		snprintf(out, 64, tenths == floor(tenths) ? "%.0fs" : "%.1fs", tenths);
	} else {
		for (size_t i = 0; i < 4; left %= units[i++].seconds)
			if (left / units[i].seconds)
				at += snprintf(out + at, 64 - (size_t)at, "%s%ld%c", at ? " " : "",
				               left / units[i].seconds, units[i].letter);
	}
	return out;
}

#define MEMORY_MAX 0x1p80 /* bytes */

/* "0", "512 B", "1.5 GB" in powers of 1024, as Nextflow's MemoryUnit prints itself. */
const char *nextflow_memory(double b, char out[64])
{
	static const char *const unit[] = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
	size_t k = 0, n;

	/* A value that no machine has would not fit into `out`. */
	if (!isfinite(b) || b > MEMORY_MAX)
		return NEXTFLOW_NOTHING;
	if (b < 1)
		return "0";
	for (; b >= 1024 && k < 6; k++)
		b /= 1024;
	n = (size_t)snprintf(out, 64, "%.1f", b);
	if (out[n - 1] == '0')
		n -= 2;
	snprintf(out + n, 64 - n, " %s", unit[k]);
	return out;
}

/* "2026-11-21 06:40:00.000", UTC. */
const char *nextflow_date(double unix_s, char out[64])
{
	long ms = isnan(unix_s) ? 0 : lround(unix_s * 1000);
	time_t t = ms / 1000;
	struct tm tm;
	size_t n;

	if (isnan(unix_s) || !gmtime_r(&t, &tm))
		return NEXTFLOW_NOTHING;
	n = strftime(out, 64, "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(out + n, 64 - n, ".%03ld", ms % 1000);
	return out;
}
