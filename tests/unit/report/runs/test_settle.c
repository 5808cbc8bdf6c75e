/* settle: copies of a recording are one run. */
#include "report/runs/settle.h"
#include "tests/unit/report/recording.h"

#define RECORDING(pid)                                                                             \
	"{\"metadata\": {\"pid\": " #pid ", \"start_time\": 1000, \"stop_time\": 1010, "           \
	"\"interval\": 1}, \"rtrack\": {\"job\": {\"host\": \"n1\"}}, "                            \
	"\"process_metrics\": {\"timestamp\": [1001, 1010], \"cpu_usage\": [1, 1]}, "              \
	"\"system_metrics\": {}}"

TEST_WITH(copies_count_once, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	recordings_load(t, "a.json", RECORDING(1));
	recordings_load(t, "b.json", RECORDING(2));
	recordings_load(t, "copy.json", RECORDING(1));
	assert_int_equal(t->runs.n, 3);
	assert_int_equal(settle_runs(&t->runs, &t->e), 0);
	assert_int_equal(t->runs.n, 2);
	assert_int_equal(t->runs.copies, 1);
	assert_non_null(strstr(t->runs.copy.msg, "/copy.json is a copy of "));
	assert_string_equal(strrchr(t->runs.v[0].file, '/'), "/a.json");
	assert_string_equal(strrchr(t->runs.v[1].file, '/'), "/b.json");
}
