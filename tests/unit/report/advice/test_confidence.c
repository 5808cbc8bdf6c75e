/* confidence: the sentence at each threshold, and which runs it is about. */
#include <math.h>

#include "report/advice/confidence.h"
#include "report/stats/history.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

#define GIB 1073741824.0

TEST(sentences)
{
	static const struct {
		struct confidence_basis b;
		const char *word, *level, *text;
	} cases[] = {
	    {{1, 0, 3, 3, 0.5, 6, GIB, GIB, true, 0},
	     "weak",
	     "warn",
	     "From one run of 3.00 s with 6 samples, one every 0.50 s: too short to rely on."},
	    {{12, 0, 7200, 7200, 1, 7200, GIB, GIB, true, 0},
	     "fair",
	     "info",
	     "From 12 runs of 2 h each with up to 7200 samples, one every 1.00 s: at most 22% of runs "
	     "like these need more than any of them."},
	    {{1, 0, 9.99, 9.99, 0.1, 100, GIB, GIB, true, 0},
	     "weak",
	     "warn",
	     "From one run of 9.99 s with 100 samples, one every 0.10 s: too short to rely on."},
	    {{1, 0, 10, 10, 0.5, 20, GIB, GIB, true, 0},
	     "fair",
	     "info",
	     "From one run of 10.0 s with 20 samples, one every 0.50 s: a first guess; another run "
	     "may need more."},
	    {{1, 0, 7200, 7200, 600, 12, GIB, GIB, true, 0},
	     "weak",
	     "warn",
	     "From one run of 2 h with 12 samples, one every 10 min: too few samples to rely on; a shorter interval takes more."},
	    {{1, 0, 60, 60, 1, 60, GIB, GIB, false, 0},
	     "weak",
	     "warn",
	     "From one run of 1 min with 60 samples, one every 1.00 s: it did not finish, and a complete run may need more."},
	    {{1, 0, 60, 60, 1, 60, GIB, GIB, true, 1},
	     "weak",
	     "warn",
	     "From one run of 1 min with 60 samples, one every 1.00 s: processes whose memory is not known lived between samples."},
	    {{2, 0, 60, 120, 1, 120, GIB, GIB, true, 1},
	     "fair",
	     "info",
	     "From 2 runs of 1 min to 2 min with up to 120 samples, one every 1.00 s: a guess; too few runs to show how they differ."},
	    {{3, 0, 60, 60, 1, 60, GIB, 2 * GIB, true, 0},
	     "fair",
	     "info",
	     "From 3 runs of 1 min each with up to 60 samples, one every 1.00 s: at most 63% of "
	     "runs like these need more than any of them."},
	    {{30, 0, 60, 60, 1, 60, GIB, 2.1 * GIB, true, 0},
	     "fair",
	     "info",
	     "From 30 runs of 1 min each with up to 60 samples, one every 1.00 s: runs differ much in memory, and a later one may need more; at most 9.5% of runs like these need more than any of them."},
	    {{58, 0, 60, 60, 1, 60, NAN, NAN, true, 0},
	     "fair",
	     "info",
	     "From 58 runs of 1 min each with up to 60 samples, one every 1.00 s: at most 5% of "
	     "runs like these need more than any of them."},
	    {{59, 0, 60, 60, 1, 60, NAN, NAN, true, 0},
	     "good",
	     "good",
	     "From 59 runs of 1 min each with up to 60 samples, one every 1.00 s: enough to rely "
	     "on; at most 5% of runs like these need more than any of them."},
	    {{93, 1, 60, 60, 1, 60, NAN, NAN, true, 0},
	     "good",
	     "good",
	     "From 93 runs of 1 min each with up to 60 samples, one every 1.00 s, 1 of them killed for "
	     "memory: enough to rely on; at most 5% of runs like these need more than any of them."},
	    {{60, 1, 60, 60, 1, 60, NAN, NAN, true, 0},
	     "fair",
	     "info",
	     "From 60 runs of 1 min each with up to 60 samples, one every 1.00 s, 1 of them killed for "
	     "memory: at most 7.7% of runs like these need more than any of them."},
	    {{1, 0, NAN, NAN, NAN, 1, NAN, NAN, true, 0},
	     "weak",
	     "warn",
	     "From one run of unknown length with 1 sample: too little is known to rely on."},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct confidence c;
		confidence_say(&cases[i].b, &c);
		assert_string_equal(c.text, cases[i].text);
		assert_string_equal(c.word, cases[i].word);
		assert_string_equal(c.level, cases[i].level);
	}
}

/* Of runs that are left out, nothing counts. */
TEST_WITH(basis, recordings_begin, recordings_end)
{
	static const char *const runs[] = {
	    "{\"metadata\": {\"interval\": 1, \"start_time\": 100, \"stop_time\": 130}, "
	    "\"rtrack\": {\"exit\": {\"code\": 0}}, \"process_metrics\": {\"timestamp\": [101, "
	    "102], \"cpu_usage\": [1, 1], \"memory\": [1024, 4096]}}",
	    "{\"metadata\": {\"interval\": 2, \"start_time\": 50, \"stop_time\": 90}, "
	    "\"rtrack\": {\"exit\": {\"code\": 0}, \"memory\": {\"peak_bytes\": 1}}, \"process_metrics\": {\"timestamp\": [51, 53, "
	    "55], \"cpu_usage\": [1, 1, 1], \"memory\": [1024, 2048, 1024]}}",
	    "{\"metadata\": {\"interval\": 5, \"start_time\": 1, \"stop_time\": 45}, "
	    "\"rtrack\": {\"exit\": {\"code\": 1}}, \"process_metrics\": {\"timestamp\": [1, 2, 3, "
	    "4], \"cpu_usage\": [1, 1, 1, 1], \"memory\": [9, 9, 9, 999999]}}",
	};
	struct recordings *t = *state;
	struct confidence_basis b;

	for (size_t i = 0; i < 3; i++) {
		char name[8] = {(char)('a' + i), '.', 'j', 's', 'o', 'n'};
		assert_non_null(recordings_load(t, name, runs[i]));
	}
	assert_int_equal(history_choose(&t->runs, 5, &t->e), 0);
	confidence_basis_of(&t->runs, &b);
	assert_int_equal(b.runs, 2);
	assert_int_equal(b.samples, 3);
	assert_true(b.shortest_s == 30 && b.longest_s == 40 && b.interval_s == 2);
	assert_true(b.memory_min_b == 2048 * 1024 && b.memory_max_b == 4096 * 1024);
	assert_true(b.whole);
	assert_int_equal(b.open, 1);
}
