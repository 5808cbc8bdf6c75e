/* output_formats: gpu_tracker's text: labels, indents and numbers as str(tracker) has them. */
#include <cjson/cJSON.h>

#include "report/render/output_formats.h"
#include "tests/unit/unit.h"

static void expect_text(const char *model, const char *want)
{
	cJSON *t = cJSON_Parse(model);
	struct buf out = {0};

	assert_non_null(t);
	output_formats[FORMAT_GPU_TRACKER_TEXT].text(t, &out);
	assert_string_equal(buf_cstr(&out), want);
	buf_free(&out);
	cJSON_Delete(t);
}

TEST(lines)
{
	expect_text(
	    "{\"gpu_tracker\": {\"max_gpu_ram\": {\"unit\": \"bytes\", \"system_capacity\": "
	    "16384, \"main\": {\"total_rss\": 0.12345}}, \"cpu_utilization\": "
	    "{\"system_core_count\": 12, \"n_expected_cores\": 3, \"main_n_threads\": 2, "
	    "\"system\": {\"max_sum_percent\": 276.3}}, \"gpu_utilization\": "
	    "{\"system_gpu_count\": 1, \"n_expected_gpus\": 1, \"gpu_percentages\": {}}, "
	    "\"compute_time\": {\"unit\": \"hours\", \"time\": 0}, \"table\": [1]}}",
	    "Max GPU RAM:\n"
	    "   Unit: bytes\n"
	    "   System capacity: 16384.0\n"
	    "   Main:\n"
	    "      Total RSS: 0.123\n"
	    "CPU utilization:\n"
	    "   System core count: 12\n"
	    "   Number of expected cores: 3\n"
	    "   Main number of threads: 2\n"
	    "   System:\n"
	    "      Max sum percent: 276.3\n"
	    "GPU utilization:\n"
	    "   System GPU count: 1\n"
	    "   Number of expected GPUs: 1\n"
	    "   GPU percentages:\n"
	    "Compute time:\n"
	    "   Unit: hours\n"
	    "   Time: 0.0\n");
}

TEST(numbers)
{
	static const struct {
		const char *number, *shown;
	} cases[] = {{"1", "1.0"},          {"0.5", "0.5"},      {"0.0004", "0.0"},
	             {"0.0016", "0.002"},   {"100", "100.0"},    {"67000000000", "67000000000.0"},
	             {"31.6666", "31.667"}, {"null", "unknown"}, {"true", "unknown"},
	             {"1e300", NULL}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf model = {0}, want = {0};
		cJSON *t;
		buf_printf(&model, "{\"gpu_tracker\": {\"time\": %s}}", cases[i].number);
		if (cases[i].shown) {
			buf_printf(&want, "Time: %s\n", cases[i].shown);
			expect_text(buf_cstr(&model), buf_cstr(&want));
		} else {
			t = cJSON_Parse(buf_cstr(&model));
			output_formats[FORMAT_GPU_TRACKER_TEXT].text(t, &want);
			assert_true(want.len > 300 && !want.failed);
			cJSON_Delete(t);
		}
		buf_free(&model);
		buf_free(&want);
	}
}

/* A saved model may hold anything. */
TEST(hostile)
{
	expect_text("{}", "unknown\n");
	expect_text("{\"gpu_tracker\": null}", "unknown\n");
	expect_text("{\"gpu_tracker\": {\"unit\": \"a\\nb\\u001b[31m\", \"x\\u001b_y\": 1}}",
	            "Unit: a b\xef\xbf\xbd[31m\nX\xef\xbf\xbd y: 1.0\n");
	expect_text("{\"gpu_tracker\": {\"a\": {\"b\": {\"c\": {\"d\": {\"e\": {}}}}}}}",
	            "A:\n   B:\n      C:\n         D:\n");
}
