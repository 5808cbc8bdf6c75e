/* test_units: quantities as people read them, at every boundary. */
#include <math.h>
#include <string.h>

#include "report/units/units.h"
#include "tests/unit/unit.h"

struct row {
	double v;
	const char *want;
};

static void check(const char *(*f)(double, char *), const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char out[UNITS_SIZE];
		memset(out, 'x', sizeof out);
		assert_ptr_equal(f(rows[i].v, out), out);
		assert_string_equal(out, rows[i].want);
	}
}

#define CHECK(f, rows) check(f, rows, sizeof rows / sizeof *rows)

TEST(test_bytes)
{
	static const struct row rows[] = {
	    {0, "0 B"},
	    {-0.0, "0 B"},
	    {1, "1 B"},
	    {0.25, "0.25 B"},
	    {0.001, "0 B"},
	    {-0.001, "0 B"},
	    {12.5, "12.5 B"},
	    {512, "512 B"},
	    {1023, "1023 B"},
	    {1023.4, "1023 B"},
	    {1023.6, "1.00 KiB"},
	    {1024, "1.00 KiB"},
	    {1536, "1.50 KiB"},
	    {10234, "9.99 KiB"},
	    {10239, "10.0 KiB"},
	    {102348, "99.9 KiB"},
	    {102399, "100 KiB"},
	    {1047552, "1023 KiB"},
	    {1048063, "1023 KiB"},
	    {1048064, "1.00 MiB"}, /* 1023.5 KiB rounds to even: 1024 */
	    {1048575, "1.00 MiB"},
	    {1048576, "1.00 MiB"},
	    {978321408, "933 MiB"},
	    {1073741823, "1.00 GiB"},
	    {1610612736, "1.50 GiB"},
	    {1099511627775, "1.00 TiB"},
	    {1125899906842624, "1.00 PiB"},
	    {1125899906842624e3, "1000 PiB"},
	    {1125899906842624e5, "100000 PiB"},
	    {1125899906842624e6, "1e+06 PiB"},
	    {1e300, "8.88e+284 PiB"},
	    {-1e300, "-8.88e+284 PiB"},
	    {-1536, "-1.50 KiB"},
	    {(double)NAN, "not measured"},
	    {(double)INFINITY, "infinite"},
	    {-(double)INFINITY, "-infinite"},
	};
	static const struct row rates[] = {
	    {1572864, "1.50 MiB/s"},
	    {0, "0 B/s"},
	    {-1e300, "-8.88e+284 PiB/s"},
	    {(double)NAN, "not measured"},
	};

	CHECK(units_bytes, rows);
	CHECK(units_rate, rates);
}

TEST(test_cores)
{
	static const struct row rows[] = {
	    {1.342, "1.34"},
	    {0, "0.00"},
	    {-0.001, "0.00"},
	    {-1.5, "-1.50"},
	    {0.996, "1.00"},
	    {64, "64.00"},
	    {1e300, "1e+300"},
	    {999999.999, "1000000.00"},
	    {1e6, "1e+06"},
	    {(double)NAN, "not measured"},
	    {(double)INFINITY, "infinite"},
	};

	CHECK(units_cores, rows);
}

TEST(test_hours)
{
	static const struct {
		enum unit unit;
		double v;
		const char *want;
	} rows[] = {
	    {UNIT_CORE_HOURS, 28.44, "28.4 core-hours"},
	    {UNIT_CORE_HOURS, 0, "0 core-hours"},
	    {UNIT_CORE_HOURS, 0.1, "0.10 core-hours"},
	    {UNIT_CORE_HOURS, 0.0999, "360 core-seconds"},
	    {UNIT_CORE_HOURS, 0.0214, "77.0 core-seconds"},
	    {UNIT_CORE_HOURS, 0.00088, "3.17 core-seconds"},
	    {UNIT_GIB_HOURS, 1e-5, "0.036 GiB-seconds"},
	    {UNIT_CORE_HOURS, 1e-6, "under 0.01 core-seconds"},
	    {UNIT_MACHINE_HOURS, 1234.5, "1,234 machine-hours"},
	    {UNIT_GIB_HOURS, 1.5, "1.50 GiB-hours"},
	    {UNIT_GIB_HOURS, 12345.6, "12,346 GiB-hours"},
	    {UNIT_GPU_HOURS, 99.96, "100 GPU-hours"},
	    {UNIT_GPU_HOURS, (double)NAN, "not measured"},
	    {UNIT_GPU_HOURS, 1e300, "1e+300 GPU-hours"},
	};
	char out[64];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(units_text(rows[i].unit, rows[i].v, NULL, out), rows[i].want);
	assert_string_equal(units_gpus(1, out), "1 GPU");
	assert_string_equal(units_gpus(2.5, out), "2.50 GPUs");
}

TEST(test_seconds)
{
	static const struct row rows[] = {
	    {0, "0 s"},
	    {0.35, "0.35 s"},
	    {0.0042, "0.0042 s"},
	    {1e-9, "0 s"},
	    {-1e-9, "0 s"},
	    {1, "1.00 s"},
	    {9.994, "9.99 s"},
	    {9.996, "10.0 s"},
	    {12.34, "12.3 s"},
	    {59.94, "59.9 s"},
	    {59.96, "1 min"},
	    {59.999, "1 min"},
	    {60, "1 min"},
	    {60.4, "1 min"},
	    {61, "1 min 1 s"},
	    {119.6, "2 min"},
	    {245, "4 min 5 s"},
	    {3599.4, "59 min 59 s"},
	    {3599.7, "1 h"},
	    {3600, "1 h"},
	    {3629, "1 h"},
	    {3631, "1 h 1 min"},
	    {7380, "2 h 3 min"},
	    {86369, "23 h 59 min"},
	    {86399, "1 d"},
	    {86400, "1 d"},
	    {273600, "3 d 4 h"},
	    {345599, "4 d"},
	    {86400e6, "1e+06 d"},
	    {1e300, "1.16e+295 d"},
	    {-0.35, "-0.35 s"},
	    {-245, "-4 min 5 s"},
	    {(double)NAN, "not measured"},
	    {(double)INFINITY, "infinite"},
	    {-(double)INFINITY, "-infinite"},
	};

	CHECK(units_seconds, rows);
}

/* Nowhere on the way a minute of 60 s, an hour of 60 min or a day of 24 h. */
TEST(test_seconds_carry)
{
	for (double s = 0; s < 400000; s += s < 5000 ? 0.07 : 7.3) {
		char out[UNITS_SIZE];
		units_seconds(s, out);
		assert_false(strncmp(out, "60", 2) == 0 || strstr(out, " 60 "));
		assert_false(strncmp(out, "24 h", 4) == 0 || strstr(out, " 24 h"));
	}
}

TEST(test_bytes_carry)
{
	for (double b = 1; b < 1e17; b *= 1.00037) {
		char out[UNITS_SIZE];
		units_bytes(b, out);
		assert_null(strstr(out, "1024"));
		assert_true(strcspn(out, " ") <= 4);
	}
}

TEST(test_count)
{
	static const struct row rows[] = {
	    {0, "0"},
	    {7, "7"},
	    {3.4, "3.4"},
	    {0.04, "0"},
	    {-0.04, "0"},
	    {2.04, "2"},
	    {99.94, "99.9"},
	    {99.96, "100"},
	    {999, "999"},
	    {999.6, "1,000"},
	    {12345, "12,345"},
	    {123456, "123,456"},
	    {1234567, "1,234,567"},
	    {-12345, "-12,345"},
	    {999999999999999, "999,999,999,999,999"},
	    {1e15, "1e+15"},
	    {1e300, "1e+300"},
	    {(double)NAN, "not measured"},
	    {(double)INFINITY, "infinite"},
	};

	CHECK(units_count, rows);
}

TEST(test_percent)
{
	static const struct row rows[] = {
	    {0, "0%"},
	    {12.5, "12.5%"},
	    {62.834, "62.83%"},
	    {100, "100%"},
	    {99.999, "100%"},
	    {-3.1, "-3.1%"},
	    {-0.001, "0%"},
	    {1e300, "1e+300%"},
	    {(double)NAN, "not measured"},
	    {-(double)INFINITY, "-infinite"},
	};

	CHECK(units_percent, rows);
}

TEST(test_watts)
{
	static const struct row rows[] = {
	    {0, "0 W"},
	    {0.04, "0 W"},
	    {71.25, "71.2 W"},
	    {312.4, "312 W"},
	    {12345, "12,345 W"},
	    {-1e300, "-1e+300 W"},
	    {NAN, "not measured"},
	    {INFINITY, "infinite"},
	};

	CHECK(units_watts, rows);
}

TEST(test_celsius)
{
	static const struct row rows[] = {{71, "71 °C"}, {-3.5, "-3.5 °C"}, {NAN, "not measured"}};

	CHECK(units_celsius, rows);
}

TEST(test_money)
{
	static const struct {
		double v;
		const char *currency, *want;
	} rows[] = {
	    {0, "USD", "$0.00"},
	    {-0.0, "USD", "$0.00"},
	    {0.0128, "USD", "$0.0128"},
	    {0.0128, NULL, "$0.0128"},
	    {0.0128, "", "$0.0128"},
	    {0.0128, "EUR", "0.0128 EUR"},
	    {0.5, "USD", "$0.50"},
	    {0.51239, "USD", "$0.5124"},
	    {1.5, "USD", "$1.50"},
	    {1.2346, "USD", "$1.235"},
	    {9.9996, "USD", "$10.00"},
	    {12.3456, "USD", "$12.35"},
	    {123.456, "USD", "$123.46"},
	    {1234.5, "USD", "$1,234.50"},
	    {-2124212.694, NULL, "-$2,124,212.69"},
	    {999.999, NULL, "$1,000.00"},
	    {999999999999, "EUR", "999,999,999,999.00 EUR"},
	    {0.00001234567, "USD", "$0.00001235"},
	    {1e-12, "USD", "$0.000000000001"},
	    {1e-13, "USD", "$0.00"},
	    {-1e-300, "USD", "$0.00"},
	    {-0.5, "USD", "-$0.50"},
	    {-0.5, "EUR", "-0.50 EUR"},
	    {999999999999999, "ABCDEFGHIJ", "999999999999999.00 ABCDEFGH"},
	    {-1e300, "EUR", "-1e+300 EUR"},
	    {1, "<e\x1bUR>", "1.00 UR"},
	    {1, "<>", "$1.00"},
	    {(double)NAN, "EUR", "not measured"},
	    {(double)INFINITY, "EUR", "infinite"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char out[UNITS_SIZE];
		assert_string_equal(units_money(rows[i].v, rows[i].currency, out), rows[i].want);
	}
}

TEST(test_time)
{
	static const struct {
		double v;
		const char *iso, *text;
	} rows[] = {
	    {1795243911, "2026-11-21T06:51:51Z", "2026-11-21 06:51:51 UTC"},
	    {1795243911.999, "2026-11-21T06:51:51Z", "2026-11-21 06:51:51 UTC"},
	    {0, "1970-01-01T00:00:00Z", "1970-01-01 00:00:00 UTC"},
	    {-0.5, "1969-12-31T23:59:59Z", "1969-12-31 23:59:59 UTC"},
	    {951782400, "2000-02-29T00:00:00Z", "2000-02-29 00:00:00 UTC"},
	    {253402300799.9, "9999-12-31T23:59:59Z", "9999-12-31 23:59:59 UTC"},
	    {-62167219200, "0000-01-01T00:00:00Z", "0000-01-01 00:00:00 UTC"},
	    {253402300800, "", ""},
	    {-62167219200.5, "", ""},
	    {1e300, "", ""},
	    {(double)NAN, "", ""},
	    {(double)INFINITY, "", ""},
	    {-(double)INFINITY, "", ""},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char out[UNITS_SIZE];
		assert_string_equal(units_time_iso(rows[i].v, out), rows[i].iso);
		assert_string_equal(units_time_text(rows[i].v, out), rows[i].text);
	}
}

TEST(intervals_of_samples)
{
	static const struct {
		size_t n;
		double duration_s, interval_s;
		const char *want;
	} rows[] = {
	    {10, 10, 1, ", one every 1.00 s"},
	    {2, 2.5, 1, ", one every 1.00 s"},
	    {3595, 3600, 1, ", one every 1.00 s"},
	    {6, 4.03, 3, ""}, /* the first ones come faster */
	    {6, 1.43, 1, ""},
	    {5, 2.1, 3, ""},
	    {5, 100, 1, ""}, /* most are missing */
	    {5, (double)NAN, 1, ""},
	    {5, 5, (double)NAN, ""},
	    {5, 5, 0, ""},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf out = {0};
		units_sample_interval(rows[i].n, rows[i].duration_s, rows[i].interval_s, &out);
		assert_string_equal(buf_cstr(&out), rows[i].want);
		buf_free(&out);
	}
}

/* Of money, two digits. */
TEST(range)
{
	char out[UNITS_RANGE_SIZE];

	units_range(UNIT_SECONDS, 713, 1455, NULL, out);
	assert_string_equal(out, "11 min 53 s to 24 min 15 s");
	units_range(UNIT_MONEY, 0.004358, 0.01158, NULL, out);
	assert_string_equal(out, "$0.0044 to $0.012");
	units_range(UNIT_MONEY, 0.0666, 0.0667, "EUR", out);
	assert_string_equal(out, "");
}
