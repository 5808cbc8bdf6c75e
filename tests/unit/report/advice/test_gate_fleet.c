/* gate, gate_judge, gate_text: conditions on many runs. */
#include <math.h>
#include <string.h>

#include "report/advice/gate_results.h"
#include "report/advice/gate_text.h"
#include "tests/unit/unit.h"

/* Each name has a value of its own. */
static const double all[MEASURE_FLEET_NAMES] = {
    [MEASURE_FLEET_RUNS] = 2000,
    [MEASURE_FLEET_GROUPS] = 40,
    [MEASURE_FLEET_FAILED] = 30,
    [MEASURE_FLEET_OOM_KILLS] = 25,
    [MEASURE_FLEET_CPU_EFFICIENCY] = 0.5,
    [MEASURE_FLEET_MEMORY_EFFICIENCY] = 0.25,
    [MEASURE_FLEET_GPU_EFFICIENCY] = 0.75,
    [MEASURE_FLEET_UNUSED_CORE_HOURS] = 600,
    [MEASURE_FLEET_UNUSED_GIB_HOURS] = 700,
    [MEASURE_FLEET_UNUSED_GPU_HOURS] = 80,
    [MEASURE_FLEET_MONEY] = 900,
    [MEASURE_FLEET_RECOVERABLE] = 100,
};

TEST(test_answers)
{
	static const struct {
		const char *text;
		enum gate_answer answer;
		const char *sentence;
	} cases[] = {
	    {"fleet.runs == 2000", GATE_HOLDS, "Number of runs 2,000 equals 2,000"},
	    {"fleet.groups == 40", GATE_HOLDS, "Number of groups 40 equals 40"},
	    {"fleet.failed > 30", GATE_HOLDS_NOT, "Failed runs 30 is at most 30"},
	    {"fleet.oom_kills >= 25", GATE_HOLDS,
	     "Runs killed because memory ran out 25 is at least 25"},
	    {"fleet.cpu_efficiency < 50%", GATE_HOLDS_NOT,
	     "CPU efficiency of all runs 50% is at least 50%"},
	    {"fleet.memory_efficiency < 30%", GATE_HOLDS,
	     "Memory efficiency of all runs 25% is below 30%"},
	    {"0.8 > fleet.gpu_efficiency", GATE_HOLDS,
	     "80% is above GPU efficiency of all runs 75%"},
	    {"fleet.unused_core_hours != 600", GATE_HOLDS_NOT, "Unused core-hours 600 equals 600"},
	    {"fleet.unused_gib_hours > 100", GATE_HOLDS, "Unused GiB-hours 700 is above 100"},
	    {"fleet.unused_gpu_hours > 79.5", GATE_HOLDS, "Unused GPU-hours 80 is above 79.5"},
	    {"fleet.money > 899 EUR", GATE_HOLDS,
	     "Cost of all runs 900.00 EUR is above 899.00 EUR"},
	    {"fleet.recoverable / fleet.money > 11%", GATE_HOLDS,
	     "fleet.recoverable / fleet.money (11.11%) is above 11%"},
	    {"fleet.runs / (fleet.groups - 40) > 1", GATE_NOT_JUDGED,
	     "fleet.runs / (fleet.groups - 40) > 1: not judged, because it divides by 0, or the "
	     "number is too large"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gate g;
		struct gate_result r;
		struct err e = {0};
		struct buf text = {0};
		if (gate_parse_fleet(cases[i].text, &g, &e))
			fail_msg("%s", e.msg);
		gate_judge_fleet(&g, all, &r);
		gate_sentence(&g, &r, "EUR", &text);
		assert_string_equal(buf_cstr(&text), cases[i].sentence);
		assert_int_equal(r.answer, cases[i].answer);
		buf_free(&text);
	}
}

/* What is unknown is never taken for 0. */
TEST(test_unknown)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
	    {"fleet.memory_efficiency < 30%", "it is not known what was asked for"},
	    {"fleet.unused_core_hours < 1", "it is not known what was asked for"},
	    {"fleet.money < 1 USD", "no price is known"},
	    {"1 USD > fleet.recoverable", "no price is known"},
	    {"fleet.runs < 1", "it is unknown"},
	};
	double none[MEASURE_FLEET_NAMES];

	for (size_t i = 0; i < MEASURE_FLEET_NAMES; i++)
		none[i] = NAN;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gate g;
		struct gate_result r;
		assert_int_equal(gate_parse_fleet(cases[i].text, &g, NULL), 0);
		gate_judge_fleet(&g, none, &r);
		assert_int_equal(r.answer, GATE_NOT_JUDGED);
		assert_string_equal(r.why, cases[i].why);
	}
}

TEST(test_wrong)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
	    {"memory_efficiency < 30%",
	     "rtrack-fleet has no statistic \"memory_efficiency\"; did you "
	     "mean fleet.memory_efficiency?"},
	    {"fleet.memory_eficiency < 30%", "did you mean fleet.memory_efficiency?"},
	    {"fleet.unused_core_hour > 1", "did you mean fleet.unused_core_hours?"},
	    {"run > 1", "did you mean fleet.runs?"},
	    {"duration > 1h", "rtrack-fleet has no statistic \"duration\""},
	    {"process_memory.max > 8GiB", "rtrack-fleet has no statistic \"process_memory.max\""},
	    {"fleet.runs > history", "rtrack-fleet has no statistic \"history\""},
	    {"fleet.runs > limit", "rtrack-fleet has no statistic \"limit\""},
	    {"fleet.runs > asked * 2", "rtrack-fleet has no statistic \"asked\""},
	    {"fleet.money > 5", "money (such as 0.5USD) and a number can't be combined"},
	    {"fleet.runs > 5GiB", "a number and bytes (such as 8GiB) can't be combined"},
	    {"1 > 2", "it names no statistic"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gate g;
		struct err e = {0};
		assert_int_equal(gate_parse_fleet(cases[i].text, &g, &e), -1);
		if (!strstr(e.msg, cases[i].says))
			fail_msg("%s: %s", cases[i].text, e.msg);
	}
}

TEST(test_results)
{
	const struct opts_list conditions = {
	    .v = {"fleet.runs > 5000", "fleet.memory_efficiency < 30%", "fleet.money > 1 EUR",
	          "fleet.memory_efficiency < 30%"},
	    .n = 4};
	struct gate_results g;
	struct err e = {0};

	assert_int_equal(gate_results_of_fleet(&conditions, all, "EUR", &g, &e), 0);
	assert_int_equal(g.n, 3);
	assert_string_equal(g.v[0].gate.text, "fleet.memory_efficiency < 30%");
	assert_int_equal(g.count[GATE_HOLDS], 2);
	assert_int_equal(g.count[GATE_HOLDS_NOT], 1);
	assert_string_equal(g.currency, "EUR");
	gate_results_free(&g);
}
