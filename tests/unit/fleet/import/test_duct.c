/* duct: con/duct's files. */
#include "fleet/import/duct.h"

#include "tests/unit/fleet/import/imported.h"

#define FILES "tests/fixtures/import/duct/2026.11.23T10.00.00-4711_"

ALL_TESTS_WITH(imported_zone, NULL)

TEST(info)
{
	struct imported i;

	imported_file(&i, FILES "info.json");
	assert_int_equal(i.kind, IMPORT_DUCT);
	imported_expect(&i, 1, 0, 0);
	assert_string_equal(
	    buf_cstr(&i.jobs),
	    "!info: name=align user=ann host=n17 start=1795428000.25 wall_s=4500.86270642281 samples=4352 status=exited code=0 "
	    "memory_mean_bytes=501050605.176471 memory_peak_bytes=1517486080 memory_peak_known=sampled asked_cpus=8 "
	    "asked_cpus_source=slurm asked_memory_bytes=17179869184 asked_memory_source=slurm vcpus=20 "
	    "machine_memory_bytes=33333219328 job_id=slurm/hpc/4242/0 account=lab directory=/home/ann/study "
	    "labels=scheduler=slurm;slurm.job_id=4242;slurm.cluster=hpc;slurm.account=lab;slurm.partition=long\n");
	assert_null(strstr(buf_cstr(&i.jobs), "hunter2"));
	imported_free(&i);
}

TEST(usage)
{
	struct imported i;

	imported_file(&i, FILES "usage.json");
	assert_int_equal(i.kind, IMPORT_DUCT);
	imported_expect(&i, 1, 0, 0);
	assert_int_equal(i.in.lines, 3);
	assert_string_equal(
	    buf_cstr(&i.jobs),
	    "!usage: start=1795474740.5 wall_s=120 samples=120 status=unfinished "
	    "memory_mean_bytes=549166666.666667 memory_peak_bytes=1517486080 memory_peak_known=sampled\n");
	imported_free(&i);
}

#define INFO(summary)                                                                              \
	"{\"command\": \"a\", \"duct_version\": \"1\", \"gpu\": [{\"index\": \"0\"}, {}], "        \
	"\"execution_summary\": {" summary "}}\n"

TEST(values)
{
	static const struct {
		const char *text, *jobs; /* NULL: there is none */
		size_t unknown, left_out;
	} cases[] = {
	    {INFO("\"exit_code\": 137"), "status=exited code=137", 0, 0},
	    {INFO("\"exit_code\": -9"), "status=signaled signal=KILL", 0, 0},
	    {INFO("\"exit_code\": -99"), NULL, 1, 0},
	    {INFO("\"exit_code\": null, \"wall_clock_time\": NaN"), "status=unfinished", 0, 0},
	    {INFO("\"exit_code\": 0, \"wall_clock_time\": -1, \"peak_rss\": 1e300"),
	     "status=exited code=0", 2, 0},
	    {INFO("\"exit_code\": 0, \"wall_clock_time\": \"1.5\""),
	     "wall_s=1.5 status=exited code=0", 0, 0},
	    {INFO("\"exit_code\": 0, \"peak_rss\": 10, \"average_rss\": 11"),
	     "status=exited code=0 memory_peak_bytes=10 memory_peak_known=sampled", 0, 0},
	    {INFO("\"exit_code\": 0, \"peak_rss\": 0, \"average_rss\": 0"), "status=exited code=0",
	     0, 0},
	    /* the last of a key counts, as for other parsers */
	    {INFO("\"x\": {\"exit_code\": 3}, \"exit_code\": 4, \"exit_code\": 5"),
	     "status=exited code=5", 0, 0},
	};

	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct imported i;
		char expect[512];
		imported_text(&i, "x_info.json", cases[k].text);
		assert_int_equal(i.kind, IMPORT_DUCT);
		imported_expect(&i, 1, cases[k].unknown, cases[k].left_out);
		snprintf(expect, sizeof expect, "!info: name=a%s%s machine_gpus=2\n",
		         cases[k].jobs ? " " : "", cases[k].jobs ? cases[k].jobs : "");
		assert_string_equal(buf_cstr(&i.jobs), expect);
		imported_free(&i);
	}
}

TEST(broken_files)
{
	struct imported i;

	/* Cut, and with something behind it. */
	imported_text(
	    &i, "x_info.json",
	    "{\"command\": \"a\", \"duct_version\": \"1\", \"execution_summary\": {\"exit_code\": 0");
	imported_expect(&i, 0, 0, 1);
	imported_free(&i);
	imported_text(&i, "x_info.json", INFO("\"exit_code\": 0") "x");
	imported_expect(&i, 0, 0, 1);
	assert_non_null(strstr(i.in.example.msg, "x_info.json:1: JSON: byte "));
	imported_free(&i);
	/* Pretty printed; no key at all but those that say what it is. */
	imported_text(&i, "x_info.json",
	              "{\n  \"command\": \"b\",\n  \"system\": {\n    \"cpu_total\": 0\n  }\n}\n");
	assert_int_equal(i.kind, IMPORT_DUCT);
	imported_expect(&i, 1, 0, 0);
	assert_string_equal(buf_cstr(&i.jobs), "!info: name=b status=unfinished\n");
	imported_free(&i);
}

#define USAGE(time, rss)                                                                           \
	"{\"timestamp\": \"" time                                                                  \
	"\", \"num_samples\": 60, \"processes\": {\"1\": {\"rss\": 9e9}}, "                        \
	"\"totals\": {\"rss\": " rss "}}\n"

TEST(broken_usage)
{
	struct imported i;

	/* No averages in old files; a blank line, a line that is cut, one that is none, a value that is wrong. */
	imported_text(
	    &i, "x_usage.json",
	    USAGE("2026-11-23T10:00:00", "5") "\n" USAGE("?", "7") "{\"timestamp\": \"2026\n" USAGE(
		"2026-11-23T10:02:00", "-1") "[]\n" USAGE("2026-11-23T10:01:00",
	                                                  "6") "{\"timestamp\": \"2026-11-23T1");
	assert_int_equal(i.kind, IMPORT_DUCT);
	imported_expect(&i, 1, 2, 3);
	assert_string_equal(i.in.example.msg, "x_usage.json:3: timestamp: \"?\" is not understood");
	assert_string_equal(
	    buf_cstr(&i.jobs),
	    "!usage: start=1795424400 wall_s=60 status=unfinished memory_peak_bytes=7 memory_peak_known=sampled\n");
	imported_free(&i);
}

/* A line of many processes is longer than a window, and the totals stand at its end. */
TEST(long_lines)
{
	struct imported i;
	struct buf b = {0};

	buf_str(&b,
	        "{\"timestamp\": \"2026-11-23T10:00:00\", \"num_samples\": 1, \"processes\": {");
	for (int n = 0; n < 5000; n++)
		buf_printf(&b, "%s\"%d\": {\"rss\": 1, \"cmd\": \"%080d\"}", n ? "," : "", n, n);
	buf_str(&b, "}, \"totals\": {\"rss\": 77}}\n" USAGE("2026-11-23T10:02:00", "5"));
	imported_text(&i, "x_usage.json", buf_cstr(&b));
	imported_expect(&i, 1, 0, 0);
	assert_string_equal(imported_value(&i, 0, "memory_peak_bytes"), "77");
	buf_free(&b);
	imported_free(&i);
}

/* Members that are not read may be of any length, and those that are of some megabytes. */
TEST(large_members)
{
	struct imported i;
	struct buf b = {0};

	buf_str(&b, "{\"command\": \"a\", \"duct_version\": \"1\", \"message\": [");
	for (int n = 0; n < 60000; n++)
		buf_printf(&b, "%s\"%080d\"", n ? "," : "", n);
	buf_str(&b, "], \"env\": {");
	for (int n = 0; n < 30000; n++)
		buf_printf(&b, "%s\"%d\": \"%080d\"", n ? "," : "", n, n);
	buf_str(&b, "}, \"execution_summary\": {\"exit_code\": 7}}\n");
	imported_text(&i, "x_info.json", buf_cstr(&b));
	imported_expect(&i, 1, 0, 0);
	assert_string_equal(imported_value(&i, 0, "code"), "7");
	buf_free(&b);
	imported_free(&i);
}

TEST(what_is_not_of_duct)
{
	static const char *const texts[] = {
	    "{}",
	    "{\"rtrack_row\":{\"id\":\"1\"},\"metadata\":{}}",
	    "{\"command\": \"x\"}",
	    "{\"command\": \"x\", \"args\": {\"duct_version\": 1}}",
	    "{\"command\": \"x\", \"system\": \"cpu_total\"}",
	    "{\"a\": \"\\\"command\\\": \", \"b\": \"\\\"duct_version\\\":\"}",
	    "{\"timestamp\": 1, \"num_samples\": 2}",
	    "[{\"command\": \"x\", \"duct_version\": 1}]",
	    "{} {\"command\": \"x\", \"duct_version\": 1}",
	    "{\"command\": \"x\", \"duct_version\"",
	    "command duct_version",
	    "{\"jobs\": [{\"command\": 1}], \"meta\": {\"duct_version\": 1}}",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (import_kind_of(texts[i], strlen(texts[i])))
			fail_msg("%s", texts[i]);
	assert_string_equal(import_origins[import_origin_of(IMPORT_DUCT)], "duct");
}
