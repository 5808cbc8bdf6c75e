/* Tests of collect/machine/pressure.c. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "collect/machine/pressure.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

TEST(texts)
{
	static const struct {
		const char *text;
		int rc;
		double some, full;
	} cases[] = {
	    {"some avg10=1.00 avg60=2.00 avg300=3.00 total=1500000\n"
	     "full avg10=0.00 avg60=0.00 avg300=0.00 total=500000\n",
	     0, 1.5, 0.5},
	    {"some avg10=0.00 avg60=0.00 avg300=0.00 total=7\n", 0, 7e-6, NAN},
	    {"full total=1\nsome total=2\n", 0, 2e-6, 1e-6},
	    {"some avg10=0.00\n", -1, NAN, NAN},
	    {"some total=-1\n", -1, NAN, NAN},
	    {"something total=1\n", -1, NAN, NAN},
	    {"", -1, NAN, NAN},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pressure_total t;

		assert_int_equal(pressure_parse(cases[i].text, strlen(cases[i].text), &t),
		                 cases[i].rc);
		assert_true(t.some_s == cases[i].some || (isnan(t.some_s) && isnan(cases[i].some)));
		assert_true(t.full_s == cases[i].full || (isnan(t.full_s) && isnan(cases[i].full)));
	}
	assert_true(fabs(pressure_parse_load("12.34 10.00 8.50 3/812 40412\n", 29) - 12.34) < 1e-9);
	assert_true(isnan(pressure_parse_load("-1", 2)));
	assert_true(isnan(pressure_parse_load("", 0)));
}

TEST(captured)
{
	struct pressure p = {0};
	double v[METRIC_COUNT];
	struct root r;

	/* What was never opened has no values. */
	pressure_read(&p, v);
	assert_true(isnan(v[METRIC_SYSTEM_PSI_CPU_SOME]) && isnan(v[METRIC_SYSTEM_LOAD1]));
	pressure_close(&p);
	r = captured_root("cpus-64");
	pressure_open(&p, &r);
	pressure_read(&p, v);
	assert_int_equal(p.failed, 0);
	assert_true(v[METRIC_SYSTEM_PSI_CPU_SOME] == 561.138746);
	assert_true(v[METRIC_SYSTEM_PSI_MEMORY_FULL] == 0.5);
	assert_true(v[METRIC_SYSTEM_PSI_IO_SOME] == 29.014262);
	assert_true(fabs(v[METRIC_SYSTEM_LOAD1] - 12.34) < 1e-9);
	pressure_close(&p);
	root_close(&r);
	r = captured_root("container-v2");
	pressure_open(&p, &r);
	assert_int_equal(p.failed, ENOENT);
	pressure_read(&p, v);
	assert_true(isnan(v[METRIC_SYSTEM_PSI_IO_FULL]) && isnan(v[METRIC_SYSTEM_LOAD1]));
	pressure_close(&p);
	root_close(&r);
}

TEST(live)
{
	struct pressure p;
	double a[METRIC_COUNT], b[METRIC_COUNT];
	struct root r;

	assert_int_equal(root_open(&r, NULL, NULL), 0);
	pressure_open(&p, &r);
	pressure_read(&p, a);
	pressure_read(&p, b);
	assert_true(b[METRIC_SYSTEM_LOAD1] >= 0);
	for (int id = METRIC_SYSTEM_PSI_CPU_SOME; id <= METRIC_SYSTEM_PSI_IO_FULL && !p.failed;
	     id++)
		assert_true(b[id] >= a[id] && a[id] >= 0);
	pressure_close(&p);
	root_close(&r);
}
