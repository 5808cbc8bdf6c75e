/* slurm_values: amounts and times as Slurm prints them. */
#include "fleet/import/slurm_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/unit/unit.h"

static int bytes(const char *text, double *out)
{
	return slurm_values_bytes(text, 1, out);
}

static const struct {
	int (*read)(const char *text, double *out);
	const char *text;
	double value; /* NAN: unknown, -1: not understood */
} values[] = {
    {bytes, "168644K", 168644 * 1024.0},
    {bytes, "1.62M", 1.62 * 1048576},
    {bytes, "2G", 0x1p31},
    {bytes, "3T", 3 * 0x1p40},
    {bytes, "1p", 0x1p50},
    {bytes, "172691456", 172691456},
    {bytes, "0", NAN},
    {bytes, "", NAN},
    {bytes, "16?", -1},
    {bytes, "-5K", -1},
    {bytes, "5KK", -1},
    {bytes, "1e30K", -1},
    {slurm_values_clock, "00:00.260", 0.26},
    {slurm_values_clock, "00:00:00", 0},
    {slurm_values_clock, "01:02:03.500", 3723.5},
    {slurm_values_clock, "10-00:00:01", 864001},
    {slurm_values_clock, "100:00:00", 360000},
    {slurm_values_clock, "1-00:01", -1},
    {slurm_values_clock, "1:2:3:4", -1},
    {slurm_values_clock, "12", -1},
    {slurm_values_clock, ":", -1},
    {slurm_values_clock, "INVALID", NAN},
    {slurm_values_clock, "", NAN},
    {slurm_values_limit, "1-00:00:00", 86400},
    {slurm_values_limit, "2-12", 216000},
    {slurm_values_limit, "2-12:30", 217800},
    {slurm_values_limit, "30:00", 1800},
    {slurm_values_limit, "UNLIMITED", NAN},
    {slurm_values_limit, "Partition_Limit", NAN},
    {slurm_values_limit, "soon", -1},
    {slurm_values_time, "2026-11-23T10:00:00", 1795428000},
    {slurm_values_time, "1795428000", 1795428000},
    {slurm_values_time, "Unknown", NAN},
    {slurm_values_time, "None", NAN},
    {slurm_values_time, "0", NAN},
    {slurm_values_time, "2026-13-23T10:00:00", -1},
    {slurm_values_time, "2024-02-29T10:00:00", 1709200800},
    {slurm_values_time, "2025-02-29T10:00:00", -1},
    {slurm_values_time, "2026-04-31T10:00:00", -1},
    {slurm_values_time, "2026-11-23 10:00:00", -1},
    {slurm_values_time, "2026-11-23T10:00", -1},
    {slurm_values_number, "12345678901234567", 12345678901234567.0},
    {slurm_values_number, "1.5", 1.5},
    {slurm_values_number, "+1", -1},
    {slurm_values_number, "0x10", -1},
    {slurm_values_number, "nan", -1},
};

TEST(all_values)
{
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		double v = 7;
		int failed = values[i].read(values[i].text, &v);
		bool known = !isnan(values[i].value) && values[i].value >= 0;

		if (failed != (values[i].value < 0 ? -1 : 0) ||
		    (known ? v != values[i].value : !isnan(v)))
			fail_msg("%s: %d %.17g", values[i].text, failed, v);
	}
}

TEST(asked_bytes)
{
	double v;

	assert_true(slurm_values_asked_bytes("4000Mc", 8, 2, &v) == 0 && v == 8 * 4000 * 1048576.0);
	assert_true(slurm_values_asked_bytes("4Gn", 8, 2, &v) == 0 && v == 0x1p33);
	assert_true(slurm_values_asked_bytes("4G", 8, 2, &v) == 0 && v == 0x1p32);
	assert_true(slurm_values_asked_bytes("4Gc", NAN, NAN, &v) == 0 && isnan(v));
	assert_true(slurm_values_asked_bytes("4Gx", 1, 1, &v) == -1 && isnan(v));
}

TEST(exit_codes)
{
	double code, signal;

	assert_true(slurm_values_exit("3:0", &code, &signal) == 0 && code == 3 && signal == 0);
	assert_true(slurm_values_exit("", &code, &signal) == 0 && isnan(code) && isnan(signal));
	assert_true(slurm_values_exit("3", &code, &signal) == -1 && isnan(code));
	assert_true(slurm_values_exit("3:", &code, &signal) == -1 && isnan(code));
}

/* Across the change of clocks, and where it is DST. */
TEST(local_times)
{
	static const struct {
		const char *text;
		double at;
	} times[] = {
	    {"2026-07-01T12:00:00", 1782900000}, {"2026-01-01T12:00:00", 1767265200},
	    {"2026-03-29T01:59:59", 1774745999}, {"2026-03-29T03:00:00", 1774746000},
	    {"2026-10-25T03:00:00", 1792893600},
	};
	char *before = getenv("TZ");
	double v;

	before = before ? strdup(before) : NULL;
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (slurm_values_time(times[i].text, &v) || v != times[i].at)
			fail_msg("%s: %.0f", times[i].text, v);
	if (before)
		setenv("TZ", before, 1);
	else
		unsetenv("TZ");
	tzset();
	free(before);
}
