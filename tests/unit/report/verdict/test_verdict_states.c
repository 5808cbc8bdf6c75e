/* verdict_states: where the time went, in the verdict and the model; joined over nodes. */
#include "report/model/model.h"
#include "report/runs/parts_join.h"
#include "report/stats/state_use.h"
#include "tests/unit/report/scene.h"
#include "tests/unit/unit.h"

#define TWO(v)      "[" #v ", " #v "]"
#define STATE(n, v) "\"" n "\": {\"value\": " #v ", \"least\": " #v ", \"most\": " #v "}"

/* Two samples of 10 s each, of a run of 20 s. more: members of rtrack; columns: of the job. */
static void load_states(struct recordings *t, const char *name, const char *more,
                        const char *columns)
{
	char text[2048];

	snprintf(text, sizeof text,
	         "{\"metadata\": {\"start_time\": 1000, \"stop_time\": 1020, \"interval\": 10, "
	         "\"track_processes\": true}, \"rtrack\": {\"job\": {\"name\": \"job\"}, \"exit\": "
	         "{\"code\": 0}%s%s}, \"process_metrics\": {\"timestamp\": [1010, 1020], "
	         "\"cpu_usage\": [1, 1]%s%s}}",
	         *more ? ", " : "", more, *columns ? ", " : "", columns);
	assert_non_null(recordings_load(t, name, text));
}

static const struct {
	const char *more, *columns, *text;
} sentences[] = {
    {"", "", NULL},
    /* of a recovered recording the columns alone */
    {"", "\"state_cpu\": " TWO(4) ", \"state_disk\": " TWO(6),
     "60% of the time it waited for the disk; 40% on a CPU."},
    {"", "\"state_cpu\": " TWO(8) ", \"state_disk\": " TWO(2), NULL},
    {"\"states\": {\"seconds\": {" STATE("cpu", 2) ", " STATE(
	 "disk",
	 18) "}, \"waits\": [{\"state\": \"disk\", \"name\": \"/data/x.bam\", \"seconds\": 15}]}",
     "", "90% of the time it waited for the disk, mostly /data/x.bam; 10% on a CPU."},
    /* a wait of less than half of it; of another state; and without a name */
    {"\"states\": {\"seconds\": {" STATE(
	 "net",
	 20) "}, \"waits\": [{\"state\": \"net\", \"name\": \"10.0.0.7:443\", \"seconds\": 5}, "
             "{\"state\": \"disk\", \"name\": \"/x\", \"seconds\": 15}]}",
     "", "100% of the time it waited for the network, longest 10.0.0.7:443."},
    /* bounds further apart than 5 % */
    {"\"states\": {\"seconds\": {\"lock\": {\"value\": 10, \"least\": 8, \"most\": 12}, "
     "\"unknown\": {\"value\": 10, \"least\": 10, \"most\": 10}}}",
     "",
     "40% to 60% of the time it waited inside the program (locks, conditions); 50% in an unknown state."},
    /* nonsense is not known */
    {"\"states\": {\"seconds\": {\"disk\": {\"value\": -5}}}", "", NULL},
    {"\"states\": {\"seconds\": {\"sleeping\": {\"value\": 5}}}", "", NULL},
    {"\"states\": [1]", "", NULL},
};

TEST(says_the_largest_wait)
{
	for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
		void *one;
		struct recordings *t;
		cJSON *model;

		assert_int_equal(recordings_begin(&one), 0);
		t = one;
		load_states(t, "1.json", sentences[i].more, sentences[i].columns);
		model = model_of(&t->runs, NULL);
		scene_expect(model, "states", "info", sentences[i].text);
		cJSON_Delete(model);
		recordings_end(&one);
	}
}

#define PART(node)                                                                                 \
	"\"part\": {\"job\": \"slurm:7\", \"node\": \"" node                                       \
	"\", \"covers\": \"node\", \"nodes\": 2, \"task\": null, \"tasks\": 2}"

/* The mean of two nodes; one of them has a column that the other left out as it is 0 throughout. */
TEST_WITH(nodes_are_a_mean, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model;
	const cJSON *rows;

	load_states(t, "1.json", PART("n1") ", \"states\": {\"seconds\": {" STATE("cpu", 20) "}}",
	            "\"state_cpu\": " TWO(10));
	load_states(t, "2.json",
	            PART("n2") ", \"states\": {\"seconds\": {" STATE(
			"disk", 20) "}, \"waits\": [{\"state\": \"disk\", \"name\": \"/x\", "
	                            "\"seconds\": 18}]}",
	            "\"state_disk\": " TWO(10));
	assert_int_equal(parts_join(&t->runs, &t->e), 0);
	model = model_of(&t->runs, NULL);
	scene_expect(model, "states", "info",
	             "50% of the time it waited for the disk, mostly /x; 50% on a CPU. Most of all "
	             "nodes, n2 waited for the disk: 100% of its time.");
	rows = model_at(model, "states.rows");
	assert_int_equal(cJSON_GetArraySize(rows), 2);
	assert_string_equal(cJSON_GetStringValue(model_at(model, "states.rows.1.node.name")), "n2");
	assert_string_equal(cJSON_GetStringValue(model_at(model, "states.how")), "mean of 2 nodes");
	/* Both nodes ran for 20 s: so did the job, and half of that is the wait of one. */
	assert_string_equal(cJSON_GetStringValue(model_at(model, "states.total.text")), "20.0 s");
	assert_string_equal(cJSON_GetStringValue(model_at(model, "states.rows.1.seconds.text")),
	                    "10.0 s");
	assert_string_equal(
	    cJSON_GetStringValue(model_at(model, "states.rows.1.waits.0.seconds.text")), "9.00 s");
	/* Half of each column: on the strip both are there all the time. */
	assert_string_equal(cJSON_GetStringValue(model_at(model, "states.strip.layers.1.path")),
	                    "M0 100v-50h1000v50");
	cJSON_Delete(model);
}

/* A node without states: those of the job are not known. */
TEST_WITH(a_node_without, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model;

	load_states(t, "1.json", PART("n1"), "");
	load_states(t, "2.json", PART("n2") ", \"states\": {\"seconds\": {" STATE("disk", 20) "}}",
	            "\"state_disk\": " TWO(10));
	assert_int_equal(parts_join(&t->runs, &t->e), 0);
	model = model_of(&t->runs, NULL);
	assert_true(cJSON_IsFalse(model_at(model, "states.known")));
	scene_expect(model, "states", "info", NULL);
	cJSON_Delete(model);
}

/* The first sample is in one phase, the second in the other. */
TEST_WITH(phases_and_processes, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model;

	load_states(
	    t, "1.json",
	    "\"phases\": [{\"name\": \"a\", \"start\": 1000, \"end\": 1010}, {\"name\": "
	    "\"b\", \"start\": 1010, \"end\": 1020}], \"processes\": {\"seen\": 1, \"top\": "
	    "[{\"pid\": 5, \"name\": \"cat\", \"start\": 1000, \"end\": 1020, \"cpu_s\": 1, "
	    "\"states\": {\"cpu\": 1, \"pipe\": 19}, \"waits\": [{\"state\": \"pipe\", "
	    "\"name\": \"dd\", \"seconds\": 19}]}]}",
	    "\"state_cpu\": [10, 2], \"state_pipe\": [0, 8]");
	model = model_of(&t->runs, NULL);
	assert_string_equal(cJSON_GetStringValue(model_at(model, "phases.rows.0.states.text")),
	                    "on a CPU 100%");
	assert_string_equal(cJSON_GetStringValue(model_at(model, "phases.rows.1.states.text")),
	                    "pipe 80%, on a CPU 20%");
	assert_string_equal(cJSON_GetStringValue(model_at(model, "processes.rows.0.states.text")),
	                    "pipe 95% (dd), on a CPU 5%");
	assert_string_equal(cJSON_GetStringValue(model_at(model, "states.strip.layers.0.path")),
	                    "M0 100v-100h1000v100");
	assert_string_equal(cJSON_GetStringValue(model_at(model, "states.strip.layers.1.path")),
	                    "M0 100v-100h500v80h500v20");
	cJSON_Delete(model);
}
