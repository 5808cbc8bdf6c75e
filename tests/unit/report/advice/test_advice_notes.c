/* advice_notes: what is said where a limit shaped the run; and then, the verdict and the advice ask
 * for the same, which is more than what killed it. */
#include "tests/unit/report/scene.h"
#include "tests/unit/unit.h"

static const cJSON *note(const cJSON *model, const char *id)
{
	const cJSON *one;

	cJSON_ArrayForEach (one, model_at(model, "advice.notes"))
		if (strcmp(cJSON_GetStringValue(model_at(one, "id")), id) == 0)
			return one;
	return NULL;
}

/* The id of a scene is a note's; without a text, there is none. */
static void try(struct recordings *t, const struct scene *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		cJSON *model;
		const cJSON *one;
		scene_load(t, &s[i]);
		model = model_of(&t->runs, NULL);
		one = note(model, s[i].id);
		if (!s[i].text) {
			assert_null(one);
		} else {
			assert_non_null(one);
			assert_string_equal(cJSON_GetStringValue(model_at(one, "text")), s[i].text);
			assert_string_equal(cJSON_GetStringValue(model_at(one, "level")),
			                    s[i].level);
		}
		assert_int_equal(cJSON_IsTrue(model_at(model, "advice.has_notes")),
		                 cJSON_GetArraySize(model_at(model, "advice.notes")) > 0);
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}

#define NOTES(scenes) try(*state, scenes, sizeof scenes / sizeof *scenes)

#define CPU_AND_WAIT(cores, waits) COLUMN("cpu_usage", cores) ", " COLUMN("cpu_wait", waits)

TEST_WITH(cpus, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {ENDED ", " LIMITS(QUOTA), COLUMN("cpu_usage", 0.2), COLUMN("throttled", 0.5), "cpu",
	     "info",
	     "A CPU limit stopped the job for 5.00 s in all (summed over CPUs). More CPUs may make "
	     "it faster: the formula uses what it was allowed."},
	    {ENDED ", " LIMITS(QUOTA), COLUMN("cpu_usage", 0.2), COLUMN("throttled", 0.049), "cpu",
	     NULL, NULL},
	    {ENDED, "\"cpu_usage\": [3.6, 3.6, 3.6, 0, 0, 0, 0, 0, 0, 0]", COLUMN("cpu_usage", 1),
	     "cpu", "info",
	     "CPU was at its limit: 90% or more of 4 CPUs was busy for 30% of the time. More CPUs "
	     "may make it faster: the formula uses what it was allowed."},
	    {ENDED, "\"cpu_usage\": [3.6, 3.6, 3.5, 0, 0, 0, 0, 0, 0, 0]", COLUMN("cpu_usage", 1),
	     "cpu", NULL, NULL},
	    /* threads that waited: it wanted 2 cores of 4, which others had; or more than there are
	     */
	    {ENDED, CPU_AND_WAIT(0.5, 1.5), COLUMN("cpu_usage", 3.9), "cpu", "info",
	     "Its threads waited at least 15.0 s for a CPU. 2 CPUs are what it would have used "
	     "without that wait, rounded up. resource-tracker's rule, by the mean alone, gives 1."},
	    {ENDED, CPU_AND_WAIT(2, 6), COLUMN("cpu_usage", 3.9), "cpu", "info",
	     "Its threads waited at least 1 min for a CPU. 8 CPUs are what it would have used "
	     "without that wait, rounded up. resource-tracker's rule, by the mean alone, gives 2."},
	    {ENDED, CPU_AND_WAIT(2, 0.4), COLUMN("cpu_usage", 3.9), "cpu", NULL, NULL},
	};

	NOTES(scenes);
}

#define CPU COLUMN("cpu_usage", 1)

TEST_WITH(memory, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    /* 240 of 256 MiB */
	    {ENDED ", " LIMITS(MEMORY), CPU ", " COLUMN("memory", 245760),
	     COLUMN("psi_memory_some", 0), "memory", "warn",
	     "Memory was near its limit: the peak was 94% of 256 MiB. More memory may make the job faster, and the peak may show what it was given, not what it needs."},
	    {ENDED ", " LIMITS(MEMORY), CPU ", " COLUMN("memory", 245760),
	     COLUMN("psi_memory_some", 0.2), "memory", "warn",
	     "Memory was near its limit: the peak was 94% of 256 MiB. For 20% of the time some "
	     "task "
	     "waited for memory. More memory may make the job faster, and the peak may show what it was given, not what it needs."},
	    {ENDED ", " LIMITS(MEMORY), CPU ", " COLUMN("memory", 131072),
	     COLUMN("psi_memory_some", 0.06), "memory", "warn",
	     "Memory was short: for 6% of the time some task waited for memory. More memory may make the job faster, and the peak may show what it was given, not what it needs."},
	    {ENDED ", " LIMITS(MEMORY), CPU ", " COLUMN("memory", 131072),
	     COLUMN("psi_memory_some", 0.04), "memory", NULL, NULL},
	    {ENDED, CPU ", " COLUMN("memory", 1048576) ", " COLUMN("swap", 1048576),
	     COLUMN("cpu_usage", 1), "swap", "warn",
	     "Up to 1.00 GiB of the job was swapped out, which the peak does not include: to keep it in memory, ask for 3072 MiB."},
	    {ENDED, CPU ", " COLUMN("memory", 1048576) ", " COLUMN("swap", 1024),
	     COLUMN("cpu_usage", 1), "swap", NULL, NULL},
	    {ENDED
	     ", \"memory\": {\"peak_bytes\": 1073741824, \"peak_at_most_bytes\": 2147483648, \"peak_known\": \"bound\"}",
	     CPU ", " COLUMN("memory", 102400), "", "between", "info",
	     "The peak is at least 1.00 GiB and at most 2.00 GiB: what processes had between two samples, and what of it they shared, is known only within bounds. The proposal is made from the lower one; a shorter interval brings both closer together."},
	    {ENDED ", \"memory\": {\"peak_bytes\": 1073741824, \"peak_at_most_bytes\": null}",
	     CPU ", " COLUMN("memory", 102400), "", "between", "warn",
	     "The peak is at least 1.00 GiB: processes whose size is not known lived between two samples. The proposal is made from that, and may be too little; a shorter interval shows more."},
	    {ENDED ", \"totals\": {\"peak_rss_bytes\": 104857600}",
	     CPU ", " COLUMN("memory", 102400), "", "between", NULL, NULL},
	    {"\"exit\": {\"code\": 1}", COLUMN("memory", 1024), "", "unfinished", "warn",
	     "The run did not succeed: a successful one may need more."},
	    {ENDED, COLUMN("memory", 1024), "", "unfinished", NULL, NULL},
	    /* the limit is 256 MiB, and 128 are advised */
	    {ENDED
	     ", \"job\": {\"argv\": [\"java\", \"-Xmx200m\", \"-jar\", \"a\"]}, " LIMITS(MEMORY),
	     CPU ", " COLUMN("memory", 1024), "", "own_size", "info",
	     "Its command has -Xmx200m: it takes what it is given, so the peak does not show how "
	     "little would do. Lower that number first."},
	    {ENDED ", \"job\": {\"argv\": [\"java\", \"-jar\", \"a\"]}, " LIMITS(MEMORY),
	     CPU ", " COLUMN("memory", 1024), "", "own_size", NULL, NULL},
	    {ENDED ", \"job\": {\"argv\": [\"java\", \"-Xmx200m\"]}, " LIMITS(MEMORY),
	     CPU ", " COLUMN("memory", 250000), "", "own_size", NULL, NULL},
	};

	NOTES(scenes);
}

#define VICTIMS ", \"totals\": {\"cgroup\": {\"oom_kills\": 2}}"

/* What it had when memory ran out, in MiB, and what is asked for then. */
TEST_WITH(killed, recordings_begin, recordings_end)
{
	static const struct {
		const char *rtrack;
		int peak_kb;
		double died_mib;
		int mib;
		const char *note;
	} cases[] = {
	    {OOM ", " LIMITS(MEMORY), 102400, 256, 512,
	     "The kernel ended the job because memory ran out at its limit of 256 MiB: it needed more, and nobody knows how much. The 128 MiB that follow from its peak are too low; 512 MiB are "
	     "twice what was too little, rounded up."},
	    {OOM ", " LIMITS(MEMORY), 256000, 256, 512,
	     "The kernel ended the job because memory ran out at its limit of 256 MiB: a complete run may need more than the peak suggests."},
	    {ENDED VICTIMS ", " LIMITS(MEMORY), 102400, 256, 512,
	     "The kernel ended some of the job's processes because memory ran out at its limit of 256 "
	     "MiB: it needed more, and nobody knows how much. The 128 MiB that follow from its peak are too low; 512 MiB are twice what was too little, rounded up."},
	    /* memory.high does not kill */
	    {OOM ", " LIMITS(MEMORY ", \"memory_high_bytes\": 134217728"), 102400, 256, 512, NULL},
	    /* the machine's 8 GiB, where the job had most of them */
	    {OOM ", " LIMITS("\"hidden_cgroups\": false"), 4194304, 8192, 16384,
	     "The kernel ended the job because memory ran out, when the machine's 8.00 GiB were taken: it needed more, and nobody knows how much. The 5120 MiB that follow from its peak are too "
	     "low; 16384 MiB are twice what was too little, rounded up."},
	    /* and where others had them */
	    {OOM ", " LIMITS("\"hidden_cgroups\": false"), 102400, 100, 256,
	     "The kernel ended the job because memory ran out, when it had 100 MiB: it needed more, and nobody knows how much. The 128 MiB that follow from its peak are too low; 256 MiB are "
	     "twice what was too little, rounded up."},
	    /* the limit cannot be seen, and a single process had more than the samples saw */
	    {OOM
	     ", \"totals\": {\"peak_rss_bytes\": 1073741824}, " LIMITS("\"hidden_cgroups\": true"),
	     102400, 1024, 2048, NULL},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char column[256], ask[64];
		struct scene s = {.rtrack = cases[i].rtrack, .process = column, .system = ""};
		cJSON *model;
		int at = snprintf(column, sizeof column, "\"cpu_usage\": [1, 1], \"memory\": [");
		for (int n = 0; n < 10; n++)
			at += snprintf(column + at, sizeof column - (size_t)at, "%s%d",
			               n ? ", " : "", cases[i].peak_kb);
		snprintf(column + at, sizeof column - (size_t)at, "]");
		scene_load(t, &s);
		model = model_of(&t->runs, NULL);
		assert_int_equal(model_at(model, "advice.items.1.value")->valueint, cases[i].mib);
		assert_true(cases[i].mib > cases[i].died_mib);
		assert_non_null(note(model, "killed"));
		if (cases[i].note)
			assert_string_equal(
			    cJSON_GetStringValue(model_at(note(model, "killed"), "text")),
			    cases[i].note);
		snprintf(ask, sizeof ask, " and %d MiB of memory", cases[i].mib);
		assert_non_null(strstr(scene_text(model, "advice"), ask));
		assert_non_null(note(model, "killed"));
		assert_null(note(model, "memory"));
		snprintf(ask, sizeof ask, "--mem=%dM", cases[i].mib);
		assert_non_null(
		    strstr(cJSON_GetStringValue(model_at(model, "advice.snippets.0.text")), ask));
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}

TEST_WITH(nothing, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {ENDED ", " LIMITS(MEMORY), COLUMN("memory", 1024) ", " COLUMN("cpu_usage", 1), QUIET,
	     "killed", NULL, NULL},
	};
	struct recordings *t = *state;
	cJSON *model;

	scene_load(t, &scenes[0]);
	model = model_of(&t->runs, NULL);
	assert_int_equal(cJSON_GetArraySize(model_at(model, "advice.notes")), 0);
	assert_true(cJSON_IsFalse(model_at(model, "advice.has_notes")));
	cJSON_Delete(model);
}
