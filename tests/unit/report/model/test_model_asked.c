/* model_asked: what was asked for and what was used of it, in the model and the verdict. */
#include "report/model/model_views.h"
#include "report/runs/parts.h"
#include "tests/unit/report/model_expect.h"
#include "tests/unit/report/scene.h"
#include "tests/unit/unit.h"

#define ASK(value, source, detail)                                                                 \
	"{\"value\": " value ", \"source\": \"" source "\", \"detail\": \"" detail                 \
	"\", \"share\": false}"
#define ASKED(cpus, memory, gpus, time)                                                            \
	"\"asked\": {\"cpus\": " cpus ", \"memory_bytes\": " memory ", \"gpus\": " gpus            \
	", \"time_s\": " time ", \"nodes\": " ASK("1", "scheduler", "N") ", \"tasks\": null}"
#define SIXTEEN   ASK("16", "scheduler", "SLURM_CPUS_ON_NODE")
#define EIGHT_GIB ASK("8589934592", "scheduler", "SLURM_MEM_PER_NODE")
/* Two cores, 1 GiB, ten seconds. */
#define TWO_CORES                                                                                  \
	COLUMN("cpu_usage", 2)                                                                     \
	", " COLUMN("utime", 2) ", " COLUMN("stime", 0) ", " COLUMN("memory", 1048576)

TEST_WITH(rows, recordings_begin, recordings_end)
{
	static const struct scene s = {
	    ENDED ", " ASKED(SIXTEEN, EIGHT_GIB, "null", ASK("40", "option", "--asked")),
	    TWO_CORES,
	    QUIET_MACHINE,
	    "",
	    "",
	    ""};
	static const struct expected cases[] = {
	    {"asked.known", "true"},
	    {"asked.requested", "true"},
	    {"asked.nodes", "1"},
	    {"asked.tasks", "null"},
	    {"asked.text", "\"What was asked for this run, and what it used of it.\""},
	    {"asked.rows.0.id", "\"cpus\""},
	    {"asked.rows.0.asked", "{\"value\":16,\"text\":\"16 CPUs\",\"unit\":\"cores\"}"},
	    {"asked.rows.0.source_text", "\"scheduler (SLURM_CPUS_ON_NODE)\""},
	    {"asked.rows.0.used", "{\"value\":2,\"text\":\"2.00 cores\",\"unit\":\"cores\"}"},
	    {"asked.rows.0.used_note", "\"on average; peak 2.00 cores\""},
	    {"asked.rows.0.efficiency", "{\"value\":12.5,\"text\":\"12%\",\"unit\":\"%\"}"},
	    {"asked.rows.0.over", "false"},
	    {"asked.rows.0.bar", "{\"mean\":\"12.5\",\"peak\":\"12.5\",\"proposed\":\"12.5\"}"},
	    {"asked.rows.0.unused.text", "\"140 core-seconds\""}, /* 14 × 10 s */
	    {"asked.rows.0.proposed",
	     "{\"value\":2,\"text\":\"2 CPUs\",\"formula\":\"the fewest with which it takes at most 10% "
	     "longer than with 16: 10.0 s with 16, 10.0 s with 2, 20.0 s with 1\"}"},
	    {"asked.rows.1.id", "\"memory\""},
	    {"asked.rows.1.used_note", "\"at the peak; mean 1.00 GiB\""},
	    {"asked.rows.1.efficiency.text", "\"12%\""},
	    {"asked.rows.1.unused.text", "\"70.0 GiB-seconds\""}, /* 7 × 10 s */
	    {"asked.rows.1.proposed.text", "\"2048 MiB\""},
	    {"asked.rows.2.id", "\"time\""},
	    {"asked.rows.2.asked.text", "\"40.0 s\""},
	    {"asked.rows.2.source_text", "\"asked with --asked\""},
	    {"asked.rows.2.bar", "{\"mean\":\"25\",\"peak\":null,\"proposed\":null}"},
	    {"asked.rows.2.mean", "null"},
	    {"asked.rows.2.unused", "null"},
	    {"asked.rows.2.proposed", "null"},
	    {"asked.rows.3", "null"},
	    {"asked.trial.runs", "1"},
	    {"asked.trial.failed", "0"},
	    {"asked.trial.text",
	     "\"With the ask for next time, the one run would not have failed: a first "
	     "guess.\""},
	    {"usage.has_asked", "true"},
	    {"usage.rows.0.asked", "{\"value\":16,\"text\":\"16 CPUs\",\"unit\":\"cores\"}"},
	    {"usage.rows.3.asked.text", "\"8.00 GiB\""},
	    {"usage.rows.4.asked", "null"},
	    {"tiles.1.note", "\"of 16 CPUs asked for\""},
	    {"tiles.2.note", "\"of 8.00 GiB asked for\""},
	};
	struct recordings *t = *state;
	char *doc = slurp("docs/model.md");
	cJSON *model;

	scene_load(t, &s);
	model = model_of(&t->runs, NULL);
	EXPECT_ALL(model, cases);
	all_told(model_at(model, "asked"), doc);
	all_told(model_at(model, "usage"), doc);
	cJSON_Delete(model);
	free(doc);
}

/* What nobody asked for is said, and is not 0. */
TEST_WITH(not_asked, recordings_begin, recordings_end)
{
	static const struct {
		const char *rtrack, *known, *requested, *text, *source;
	} cases[] = {
	    {ENDED, "false", "false", "\"\"", "null"},
	    {ENDED ", \"asked\": null", "false", "false", "\"\"", "null"},
	    {ENDED ", " ASKED("null", "null", "null", "null"), "false", "false", "\"\"", "null"},
	    {ENDED ", " ASKED(ASK("0", "option", ""), "null", "null", "null"), "false", "false",
	     "\"\"", "null"},
	    {ENDED ", " ASKED(ASK("4", "machine", ""), EIGHT_GIB, "null", "null"), "true", "true",
	     "\"What was asked for this run, and what it used of it.\"",
	     "\"not asked for: the whole machine\""},
	    {ENDED ", " ASKED(ASK("4", "machine", ""), "null", "null", "null"), "true", "false",
	     "\"Nothing was asked for: the machine is what it had.\"",
	     "\"not asked for: the whole machine\""},
	    {ENDED ", " ASKED(ASK("2", "limit", "cpu.max"), "null", "null", "null"), "true",
	     "false", "\"Nothing was asked for: its limits are what it had.\"",
	     "\"not asked for: the limit (cpu.max)\""},
	    {ENDED ", " ASKED(ASK("2", "weird", "x"), "null", "null", "null"), "true", "false",
	     "\"Nothing was asked for: the machine is what it had.\"",
	     "\"it is not known who asked\""},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct scene s = {cases[i].rtrack, TWO_CORES, QUIET_MACHINE, "", "", ""};
		cJSON *model;
		scene_load(t, &s);
		model = model_of(&t->runs, NULL);
		expect(model, "asked.known", cases[i].known);
		expect(model, "asked.requested", cases[i].requested);
		expect(model, "asked.text", cases[i].text);
		expect(model, "asked.rows.0.source_text", cases[i].source);
		if (strcmp(cases[i].requested, "false") == 0) {
			assert_null(scene_sentence(model, "asked"));
			assert_non_null(scene_sentence(model, "memory"));
			expect(model, "usage.has_asked", "false");
		}
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}

TEST_WITH(verdicts, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {ENDED ", " ASKED(SIXTEEN, EIGHT_GIB, "null", "null"), TWO_CORES, QUIET_MACHINE,
	     "asked", "warn",
	     "The job asked for 16 CPUs and 8.00 GiB of memory, and used 2.00 cores on average and "
	     "at most 1.00 GiB: 12% and 12%; half of that would have been enough."},
	    {ENDED ", " ASKED(SIXTEEN, EIGHT_GIB, "null", "null"), TWO_CORES, QUIET_MACHINE, "cpu",
	     NULL, NULL},
	    {ENDED ", " ASKED(SIXTEEN, EIGHT_GIB, "null", "null"), TWO_CORES, QUIET_MACHINE,
	     "memory", NULL, NULL},
	    {ENDED ", " ASKED(SIXTEEN, EIGHT_GIB, "null", "null"), TWO_CORES, QUIET_MACHINE,
	     "advice", "info", "Next time, ask for 2 CPUs and 2048 MiB of memory."},
	    {ENDED ", " ASKED(SIXTEEN, "null", "null", "null"), TWO_CORES, QUIET_MACHINE, "asked",
	     "warn",
	     "The job asked for 16 CPUs, and used 2.00 cores on average: 12%; half of the CPUs "
	     "would have been enough."},
	    {ENDED ", " ASKED("null", ASK("3221225472", "option", ""), "null", "null"), TWO_CORES,
	     QUIET_MACHINE, "asked", "info",
	     "The job asked for 3.00 GiB of memory, and used at most 1.00 GiB: 33%."},
	    {ENDED ", " ASKED("null", ASK("1073741824", "option", ""), "null", "null"), TWO_CORES,
	     QUIET_MACHINE, "asked", "warn",
	     "The job asked for 1.00 GiB of memory, and used at most 1.00 GiB: 100%; that leaves "
	     "too little memory to spare."},
	    {ENDED ", " ASKED(ASK("1", "environment", ""), "null", "null", "null"), TWO_CORES,
	     QUIET_MACHINE, "asked", "warn",
	     "The job asked for 1 CPU, and used 2.00 cores on average: 200%."},
	    {ENDED
	     ", " ASKED(ASK("2", "environment", ""), "null", "null", ASK("10.25", "scheduler", "")),
	     TWO_CORES, QUIET_MACHINE, "asked", "warn",
	     "The job asked for 2 CPUs, and used 2.00 cores on average: 100%. It took 10.0 s of the "
	     "10.2 s that it asked for."},
	    {ENDED ", " ASKED("null", "null", "null", ASK("10.25", "scheduler", "")), TWO_CORES,
	     QUIET_MACHINE, "asked", "warn",
	     "The job took 10.0 s of the 10.2 s that it asked for."},
	    {ENDED ", " ASKED("null", "null", "null", ASK("100", "scheduler", "")), TWO_CORES,
	     QUIET_MACHINE, "asked", NULL, NULL},
	    {"\"exit\": {\"code\": 1}, " ASKED(SIXTEEN, EIGHT_GIB, "null", "null"), TWO_CORES,
	     QUIET_MACHINE, "asked", "info",
	     "The job asked for 16 CPUs and 8.00 GiB of memory, and used 2.00 cores on average and "
	     "at most 1.00 GiB: 12% and 12%."},
	    /* the limit is another one than what was asked, and was reached */
	    {ENDED
	     ", " LIMITS("\"memory_bytes\": 1100000000, \"memory_from\": \"memory.max\"") ", " ASKED(
		 "null", EIGHT_GIB, "null", "null"),
	     TWO_CORES, QUIET_MACHINE, "memory", "warn",
	     "The job used at most 1.00 GiB of memory, 98% of its limit of 1.02 GiB (memory.max of "
	     "its cgroup)."},
	};

	TRY(scenes);
}

/* A task's share; and a run of two nodes, whose advice is for each. */
TEST_WITH(shares_and_nodes, recordings_begin, recordings_end)
{
	static const struct scene s = {
	    ENDED
	    ", \"asked\": {\"cpus\": {\"value\": 4, \"source\": \"scheduler\", \"share\": true}}",
	    TWO_CORES,
	    QUIET_MACHINE,
	    "",
	    "",
	    ""};
	struct recordings *t = *state;
	struct part part[2] = {{.input.name = "1", .node = "n1", .host = ""},
	                       {.input.name = "2", .node = "n2", .host = "", .at = 1}};
	struct parts_node node[2] = {{.name = "n1", .host = "", .n = 1, .used.cores = 2},
	                             {.name = "n2", .host = "", .first = 1, .n = 1}};
	struct parts two = {
	    .v = part, .n = 2, .node = node, .n_nodes = 2, .job_nodes = 2, .worst = part};
	cJSON *model;

	scene_load(t, &s);
	model = model_of(&t->runs, NULL);
	expect(model, "asked.text",
	       "\"What was asked for this run, and what it used of it. The run is one of several "
	       "tasks on its node, and the amounts are its share.\"");
	expect(model, "asked.rows.0.source_text", "\"scheduler, this task's share of the node\"");
	scene_expect(model, "asked", "warn",
	             "The task asked for 4 CPUs, and used 2.00 cores on average: 50%; half of the "
	             "CPUs would have been enough.");
	cJSON_Delete(model);
	t->runs.v[0].snapshot.asked.of[SNAPSHOT_ASKED_CPUS].share = false;
	t->runs.v[0].parts = &two;
	model = model_of(&t->runs, NULL);
	t->runs.v[0].parts = NULL;
	expect(model, "asked.text",
	       "\"What was asked for this run, and what it used of it. The amounts are sums over 2 "
	       "nodes.\"");
	expect(model, "asked.rows.0.proposed.value", "4");
	expect(model, "asked.rows.0.proposed.text", "\"2 nodes × 2 CPUs\"");
	expect(model, "asked.rows.0.bar.proposed", "\"100\"");
	scene_expect(model, "asked", "info",
	             "The job asked for 4 CPUs on 2 nodes, and used 2.00 cores on average: 50%.");
	cJSON_Delete(model);
}

/* The picture of a measure stands in the first of its rows, with the marks of these. */
TEST_WITH(pictures, recordings_begin, recordings_end)
{
	static const struct scene s = {
	    ENDED ", " ASKED(SIXTEEN, EIGHT_GIB, "null", "null"),
	    "\"cpu_usage\": [1, 1, 1, 1, 4, 1, 1, 1, 1, 1], " COLUMN("memory", 0),
	    COLUMN("net_recv_bytes", 5),
	    "",
	    "",
	    ""};
	static const struct expected cases[] = {
	    {"usage.has_sparks", "true"},
	    {"usage.rows.0.spark_above", "false"},
	    {"usage.rows.0.spark.rows", "2"},
	    {"usage.rows.0.spark.text", "\"▂▂▂▂█▂▂▂▂▂\""},
	    {"usage.rows.0.spark.width", "120"},
	    {"usage.rows.0.spark.mean", "\"M0 17.2h120\""},
	    {"usage.rows.0.spark.peak", "\"M53.33 3h0\""},
	    {"usage.rows.1.spark", "null"},
	    {"usage.rows.1.spark_above", "true"},
	    {"usage.rows.2.id", "\"process_memory.mean\""},
	    {"usage.rows.2.spark", "null"}, /* its peak is 0 */
	    {"usage.rows.5.id", "\"system_net_recv_bytes.sum\""},
	    {"usage.rows.5.spark.rows", "1"},
	    {"usage.rows.5.spark.mean", "null"},
	    {"usage.rows.5.spark.peak", "null"},
	    {"usage.rows.7.id", "\"duration\""},
	    {"usage.rows.7.spark", "null"},
	    {"usage.rows.7.spark_above", "false"},
	};
	struct recordings *t = *state;
	cJSON *model;

	scene_load(t, &s);
	model = model_of(&t->runs, NULL);
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

TEST_WITH(metrics_of, recordings_begin, recordings_end)
{
	static const struct scene s = {
	    ENDED ", " ASKED(SIXTEEN, EIGHT_GIB, "null", ASK("40", "option", "")),
	    TWO_CORES,
	    QUIET_MACHINE,
	    "",
	    "",
	    ""};
	static const char *const want[] = {
	    "{\"name\":\"rtrack_asked_cpus\",\"type\":\"gauge\",\"unit\":\"cpus\"",
	    "\"key\":\"source\",\"value\":\"scheduler\"",
	    "\"value\":16",
	    "\"rtrack_unused_cpu_seconds\"",
	    "\"value\":140",
	    "\"rtrack_asked_memory_bytes\"",
	    "\"rtrack_unused_memory_byte_seconds\"",
	    "\"rtrack_asked_time_seconds\"",
	    "\"rtrack_efficiency_ratio\"",
	    "\"value\":0.125"};
	struct recordings *t = *state;
	struct model_input in = {.runs = &t->runs,
	                         .advice = &(struct advice){.cpu_formula = ""},
	                         .keeper = &(struct keeper_result){0}};
	cJSON *model = cJSON_CreateObject();
	char *text;

	scene_load(t, &s);
	assert_int_equal(model_views_add(model, &in, &(struct view_options){0}, &t->e), 0);
	text = model_text(model, "openmetrics");
	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		if (!strstr(text, want[i]))
			fail_msg("%s: %s", want[i], text);
	assert_null(strstr(text, "rtrack_asked_gpus"));
	free(text);
	cJSON_Delete(model);
}
