/* model_timeline: the time line of small recordings, with numbers that were worked out by hand. */
#include "tests/unit/report/model_expect.h"
#include "tests/unit/report/scene.h"

/* 100 s: make compiles a and b at once, then links. */
#define BUILD(source)                                                                              \
	"{\"metadata\": {\"pid\": 10, \"interval\": 1, \"start_time\": 1000, \"stop_time\": "      \
	"1100}, \"rtrack\": {\"phases\": [{\"name\": \"compile\", \"start\": 1000, \"end\": "      \
	"1060}, {\"name\": \"link\", \"start\": 1060, \"end\": 1100}], \"tree\": {" source ", "    \
	"\"n\": 5, \"kept\": 5, \"names\": [\"make\", \"cc1\", \"ld\", \"gcc\"], \"commands\": "   \
	"[\"make -j2\", \"cc1 a.c\"], \"pid\": [11, 12, 14, 13, 10], \"parent\": [4, 4, 3, 4, "    \
	"-1], \"start_s\": [0, 1, 60, 60, 0], \"end_s\": [50, 60, 100, 100, 100], \"cpu_s\": "     \
	"[49, 59, 40, 0.01, 1], \"memory_bytes\": [1048576, null, 2097152, null, null], "          \
	"\"status\": [1, 0, 0, 0, -15], \"name\": [1, 1, 2, 3, 0], \"command\": [1, -1, -1, -1, "  \
	"0], \"groups\": []}}, \"process_metrics\": {\"timestamp\": [1001, 1100], "                \
	"\"cpu_usage\": [2, 1]}}"
#define EVENTS "\"source\": \"events\", \"why\": \"\""

static const struct expected build[] = {
    {"timeline.known", "true"},
    {"processes.summary", "\"All 5 processes, which used 2 min 29 s of CPU time.\""},
    {"timeline.left_out",
     "\"Those that only waited for one child after another, as a shell may, are not drawn.\""},
    {"timeline.path", "\"cc1 59% of the time, ld 40%, make 1%\""},
    {"timeline.last", "\"The last 40.0 s were one process alone, ld, on one core.\""},
    {"timeline.key.0.name", "\"cc1\""},
    {"timeline.key.0.n.value", "2"},
    {"timeline.key.0.path.text", "\"59%\""},
    {"timeline.key.0.colour", "\"#0b62b5\""},
    {"timeline.key.1.name", "\"ld\""},
    {"timeline.key.2.name", "\"make\""},
    {"timeline.key.3", "null"}, /* gcc has no bar */
    {"timeline.picture.from", "1000"},
    {"timeline.picture.span", "100"},
    {"timeline.picture.height", "70"}, /* 16 of phases, three lanes */
    {"timeline.picture.phases.1.text", "\"link\""},
    {"timeline.picture.phases.1.x", "60"},
    {"timeline.picture.phases.1.shade", "false"},
    {"timeline.picture.bars.0.text", "\"✗ make\""},
    {"timeline.picture.bars.0.failed", "true"},
    {"timeline.picture.bars.0.title",
     "\"make: 0 s to 1 min 40 s; CPU time 1.00 s; signal TERM; make -j2\""},
    {"timeline.picture.bars.1.title", "\"gcc › ld: 1 min to 1 min 40 s; CPU time 40.0 s; peak "
                                      "memory 2.00 MiB\""},
    {"timeline.picture.bars.1.y", "34"},
    {"timeline.picture.bars.1.x", "60"},
    {"timeline.picture.bars.1.width", "40"},
    {"timeline.picture.bars.2.y", "52"}, /* the second, that began after the other */
    {"timeline.picture.bars.3.title",
     "\"cc1: 0 s to 50.0 s; CPU time 49.0 s; peak memory 1.00 MiB; exit 1; cc1 a.c\""},
    {"timeline.picture.bars.4", "null"},
    {"timeline.picture.route", "\"M0 32H10M10 68H600M600 50H1000\""},
    {"processes.has_more", "false"},
    {"processes.has_path", "true"},
};

TEST_WITH(of_a_build, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(recordings_load(t, "a.json", BUILD(EVENTS)));
	model = model_of(&t->runs, NULL);
	EXPECT_ALL(model, build);
	scene_expect(model, "path", "info",
	             "The last 40.0 s were one process alone, ld, on one core.");
	cJSON_Delete(model);
}

TEST_WITH(of_samples, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"processes.summary",
	     "\"5 processes were seen, which used 2 min 29 s of CPU time. Shorter ones are missing: no "
	     "events.\""},
	    {"timeline.last",
	     "\"As far as samples show, the last 40.0 s were one process alone, ld, "
	     "on one core.\""},
	};
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(
	    recordings_load(t, "a.json", BUILD("\"source\": \"samples\", \"why\": \"no events\"")));
	model = model_of(&t->runs, NULL);
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

/* A tree of another form, or of more processes than there may be, is left out, and a note says so. */
TEST_WITH(of_another_form, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"timeline.known", "false"},
	    {"notes.0", "\"The processes in this recording are in a form that is not known, or too "
	                "many: there is no time line of them.\""},
	};
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(
	    recordings_load(t, "a.json", BUILD("\"source\": \"events\", \"pid\": [1]")));
	model = model_of(&t->runs, NULL);
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}
