/* verdict: the sentences at the head, each from facts that are there, and silent where they are
 * not. */
#include "tests/unit/report/scene.h"
#include "tests/unit/unit.h"

/* A recording of two samples, and what is said of it; a text of NULL: nothing is. */
static const struct {
	const char *server, *cpu, *memory, *exit;
	const char *id, *level, *text;
} cases[] = {
    {"null", "1, 2", "1024, 2048", "{\"code\": 0}", "status", "good",
     "The job finished with exit status 0."},
    {"null", "1, 2", "1024, 2048", "{\"code\": 3}", "status", "bad",
     "The job failed with exit status 3."},
    {"null", "1, 2", "1024, 2048", "{\"signal\": \"KILL\"}", "status", "bad",
     "The job was ended by signal KILL (exit status 137): a user or a scheduler ended it without warning."},
    {"null", "1, 2", "1024, 2048", "{\"signal\": \"USR1\"}", "status", "bad",
     "The job was ended by signal USR1 (exit status 138)."},
    {"null", "1, 2", "1024, 2048", "{\"code\": 127}", "status", "bad",
     "The job failed with exit status 127: in a shell, the command was not found."},
    {"null", "1, 2", "1024, 2048", "{\"signal\": \"KILL\", \"cause\": \"oom\"}", "status", "bad",
     "The kernel's OOM killer ended the job: it used all the memory that it was allowed to."},
    {"null", "1, 2", "1024, 2048", "{\"cause\": \"exited\"}", "status", "info",
     "The process that was followed ended; its exit status is unknown."},
    {"null", "1, 2", "1024, 2048", "{\"cause\": \"detached\"}", "status", "info",
     "The recording was stopped; the process that was followed went on."},
    {"null", "1, 2", "1024, 2048", "{\"cause\": \"unfinished\"}", "status", "warn",
     "The recording is incomplete: the recorder was killed, or this is a copy from while it ran."},
    {"null", "1, 2", "1024, 2048", "{\"cause\": \"stopped\"}", "status", "good",
     "The recording is complete."},
    {"null", "1, 2", "1024, 2048", "null", "status", "info",
     "The recording does not say how the job ended."},
    {"null", "1, 2", "1024, 2048", "{\"code\": 0}", "duration", "info",
     "It ran for 2.50 s; 2 samples, one every 1.00 s."},
    {"null", "1, 2", "1024, 2048", "{\"cause\": \"detached\"}", "duration", "info",
     "The recording covers 2.50 s; 2 samples, one every 1.00 s."},

    {"null", "1, 2", "1024, 955392", "null", "memory", "info",
     "The job used at most 933 MiB of memory."},
    {"{\"memory_mb\": 1866}", "1, 2", "1024, 955392", "null", "memory", "info",
     "The job used at most 933 MiB of memory, 50% of the machine's 1.82 GiB."},
    {"{\"memory_mb\": 1000}", "1, 2", "1024, 955392", "null", "memory", "warn",
     "The job used at most 933 MiB of memory, 93% of the machine's 1000 MiB."},
    {"{\"memory_mb\": 0}", "1, 2", "1024, 955392", "null", "memory", "info",
     "The job used at most 933 MiB of memory."},
    {"null", "1, 2", "null, null", "null", "memory", NULL, NULL},
    {"null", "1, 2", "0, 0", "null", "memory", NULL, NULL},

    {"null", "1, 2", "1, 1", "null", "cpu", "info",
     "The job kept 1.50 cores busy on average and 2.00 at its peak."},
    {"{\"vcpus\": 2}", "1, 2", "1, 1", "null", "cpu", "info",
     "The job kept 1.50 cores busy on average and 2.00 at its peak: 75% of the machine's 2 CPUs."},
    {"{\"vcpus\": 1}", "0, 0.2", "1, 1", "null", "cpu", "info",
     "The job kept 0.10 cores busy on average and 0.20 at its peak: 10% of the machine's 1 CPU."},
    {"{\"vcpus\": 3}", "1, 2", "1, 1", "null", "cpu", "info",
     "The job kept 1.50 cores busy on average and 2.00 at its peak: 50% of the machine's 3 CPUs."},
    {"{\"vcpus\": 64}", "1, 2", "1, 1", "null", "cpu", "warn",
     "The job kept 1.50 cores busy on average and 2.00 at its peak: 2.3% of the machine's 64 CPUs. "
     "Most of them were idle."},
    {"null", "null, null", "1, 1", "null", "cpu", NULL, NULL},
    {"{\"vcpus\": 1}", "0, 0.002", "1, 1", "null", "cpu", "info",
     "The job kept under 0.01 cores busy: 0.1% of the machine's 1 CPU."},

    {"null", "1, 2", "1024, 955392", "null", "advice", "info",
     "Next time, ask for 2 CPUs and 2048 MiB of memory."},
    {"null", "0, 1", "1024, 2048", "null", "advice", "info",
     "Next time, ask for 1 CPU and 128 MiB of memory."},
    {"null", "1, 2", "null, null", "null", "advice", NULL, NULL},
    {"{\"vcpus\": 4, \"memory_mb\": 8192}", "1, 2", "1024, 955392", "{\"code\": 0}", "advice",
     "info",
     "Next time, ask for 2 CPUs and 2048 MiB of memory. It had 4 CPUs and 8.00 GiB of memory: half "
     "of that would have been enough."},
    {"{\"vcpus\": 3, \"memory_mb\": 3072}", "1, 2", "1024, 955392", "{\"code\": 0}", "advice",
     "info",
     "Next time, ask for 2 CPUs and 2048 MiB of memory. It had 3 CPUs and 3.00 GiB of memory."},
    {"{\"vcpus\": 2, \"memory_mb\": 8192}", "1, 2", "1024, 955392", "{\"code\": 0}", "advice",
     "info",
     "Next time, ask for 2 CPUs and 2048 MiB of memory. It had 2 CPUs and 8.00 GiB of memory: half "
     "of the memory would have been enough."},
    {"{\"vcpus\": 8, \"memory_mb\": 2048}", "1, 2", "1024, 955392", "{\"code\": 0}", "advice",
     "info",
     "Next time, ask for 2 CPUs and 2048 MiB of memory. It had 8 CPUs and 2.00 GiB of memory: half "
     "of the CPUs would have been enough."},
    {"{\"vcpus\": 2, \"memory_mb\": 1000}", "1, 2", "1024, 955392", "{\"code\": 1}", "advice",
     "info",
     "Next time, ask for 2 CPUs and 2048 MiB of memory. It had 2 CPUs and 1000 MiB of memory: that "
     "leaves too little memory to spare. A complete run may need more."},
    {"null", "1, 2", "1024, 955392", "null", "cost", NULL, NULL},
    {"null", "1, 2", "1024, 955392", "null", "history", NULL, NULL},
};

TEST_WITH(sentences, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[1024];
		cJSON *model;
		snprintf(
		    text, sizeof text,
		    "{\"metadata\": {\"interval\": 1, \"start_time\": 10, \"stop_time\": 12.5}, "
		    "\"server_info\": %s, \"rtrack\": {\"exit\": %s}, \"process_metrics\": "
		    "{\"timestamp\": [11, 12], \"cpu_usage\": [%s], \"memory\": [%s]}, "
		    "\"system_metrics\": {\"timestamp\": [11, 12], \"cpu_usage\": [%s]}}",
		    cases[i].server, cases[i].exit, cases[i].cpu, cases[i].memory,
		    strcmp(cases[i].id, "cpu") == 0 ? cases[i].cpu : "null");
		assert_non_null(recordings_load(t, "a.json", text));
		model = model_of(&t->runs, NULL);
		scene_expect(model, cases[i].id, cases[i].level, cases[i].text);
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}

/* What the job may use is not what the machine has. */
TEST_WITH(beside_its_limits, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {LIMITS(QUOTA), COLUMN("cpu_usage", 0.2), "", "cpu", "info",
	     "The job kept 0.20 cores busy on average and 0.20 at its peak: 80% of the 0.25 CPUs "
	     "it may use (CPU quota, cpu.max)."},
	    {LIMITS("\"cpus\": 2, \"cpus_from\": \"<b>\""), COLUMN("cpu_usage", 0.5), "", "cpu",
	     "warn",
	     "The job kept 0.50 cores busy on average and 0.50 at its peak: 25% of the 2 CPUs it "
	     "may use (as recorded). It left most of that unused."},
	    /* above the machine: no limit */
	    {LIMITS("\"cpus\": 16, \"cpus_from\": \"cpu.max\""), COLUMN("cpu_usage", 4), "", "cpu",
	     "info",
	     "The job kept 4.00 cores busy on average and 4.00 at its peak: 100% of the machine's "
	     "4 CPUs."},
	    {LIMITS("\"cpus\": 2, \"cpus_from\": \"online CPUs\""), COLUMN("cpu_usage", 2), "",
	     "cpu", "info",
	     "The job kept 2.00 cores busy on average and 2.00 at its peak: 100% of the machine's "
	     "2 CPUs."},
	    /* a limit of the recorder's is none of the machine's */
	    {LIMITS(QUOTA), "", COLUMN("cpu_usage", 3), "cpu", "info",
	     "The machine kept 3.00 cores busy on average and 3.00 at its peak: 75% of the "
	     "machine's 4 CPUs."},
	    {LIMITS(MEMORY), COLUMN("memory", 131072), "", "memory", "info",
	     "The job used at most 128 MiB of memory, 50% of its limit of 256 MiB (memory.max of "
	     "its cgroup)."},
	    {LIMITS(MEMORY), COLUMN("memory", 245760), "", "memory", "warn",
	     "The job used at most 240 MiB of memory, 94% of its limit of 256 MiB (memory.max of "
	     "its cgroup)."},
	    {LIMITS(MEMORY), COLUMN("memory", 231211), "", "memory", "info",
	     "The job used at most 226 MiB of memory, 88% of its limit of 256 MiB (memory.max of "
	     "its cgroup)."},
	    {LIMITS("\"cpus\": 2, \"cpus_from\": \"cpuset\""), COLUMN("cpu_usage", 0.9), "", "cpu",
	     "warn",
	     "The job kept 0.90 cores busy on average and 0.90 at its peak: 45% of the 2 CPUs it "
	     "may use (cpuset). It left most of that unused."},
	    {LIMITS(MEMORY ", \"memory_high_bytes\": 134217728"), COLUMN("memory", 131072), "",
	     "memory", "warn",
	     "The job used at most 128 MiB of memory, 100% of its limit of 128 MiB (memory.high of "
	     "its cgroup, above which it is slowed down)."},
	    {LIMITS("\"memory_bytes\": 1e18"), COLUMN("memory", 1048576), "", "memory", "info",
	     "The job used at most 1.00 GiB of memory, 12% of the machine's 8.00 GiB."},
	    {LIMITS(MEMORY), "", COLUMN("memory_used", 1048576), "memory", "info",
	     "The machine used at most 1.00 GiB of memory, 12% of the machine's 8.00 GiB."},
	};

	TRY(scenes);
}

/* The peak has what the kernel knows of the time between samples. */
TEST_WITH(between_samples, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {"\"totals\": {\"peak_rss_bytes\": 1073741824}", COLUMN("memory", 524288), "", "memory",
	     "info",
	     "The job used at most 1.00 GiB of memory, 12% of the machine's 8.00 GiB, between two "
	     "samples, of which none had more than 512 MiB."},
	    {"\"totals\": {\"peak_rss_bytes\": 8053063680}", COLUMN("memory", 524288), "", "memory",
	     "warn",
	     "The job used at most 7.50 GiB of memory, 94% of the machine's 8.00 GiB, between two "
	     "samples, of which none had more than 512 MiB."},
	    /* a little more is not said: a tenth, and 16 MiB */
	    {"\"totals\": {\"peak_rss_bytes\": 569378406}", COLUMN("memory", 524288), "", "memory",
	     "info", "The job used at most 543 MiB of memory, 6.6% of the machine's 8.00 GiB."},
	    {"\"totals\": {\"peak_rss_bytes\": 12582912}", COLUMN("memory", 1024), "", "memory",
	     "info", "The job used at most 12.0 MiB of memory, 0.1% of the machine's 8.00 GiB."},
	    /* pages that are shared with others: the samples saw them too */
	    {"\"totals\": {\"peak_rss_bytes\": 1073741824}",
	     COLUMN("memory", 524288) ", " COLUMN("rss", 1048576), "", "memory", "info",
	     "The job used at most 1.00 GiB of memory, 12% of the machine's 8.00 GiB."},
	    /* the block "memory" of the head decides, and may have a range */
	    {"\"memory\": {\"peak_bytes\": 1073741824, \"peak_at_most_bytes\": 2147483648, "
	     "\"peak_known\": \"bound\"}, \"totals\": {\"peak_rss_bytes\": 8053063680}",
	     COLUMN("memory", 524288), "", "memory", "info",
	     "The job used at least 1.00 GiB of memory, 12% of the machine's 8.00 GiB, and at most "
	     "2.00 GiB, between two samples, of which none had more than 512 MiB."},
	    {"\"memory\": {\"peak_bytes\": 1073741824, \"peak_at_most_bytes\": 4294967296, "
	     "\"peak_known\": \"bound\"}",
	     COLUMN("cpu_usage", 1) ", " COLUMN("memory", 524288), "", "advice", "info",
	     "Next time, ask for 1 CPU and 2048 MiB of memory. It had 4 CPUs and 8.00 GiB of memory: "
	     "half of that would have been enough. The memory is from the lower bound of "
	     "its peak: it may need up to 4.00 GiB."},
	    {"\"memory\": {\"peak_bytes\": 1073741824, \"peak_at_most_bytes\": null, "
	     "\"peak_known\": \"bound\"}",
	     COLUMN("memory", 524288) ", " COLUMN("rss", 1048576), "", "memory", "info",
	     "The job used at least 1.00 GiB of memory, 12% of the machine's 8.00 GiB."},
	    {LIMITS(MEMORY) ", \"totals\": {\"cgroup\": {\"memory_peak_bytes\": 268435456}}",
	     COLUMN("memory", 131072), "", "memory", "info",
	     "The job used at most 128 MiB of memory, 50% of its limit of 256 MiB (memory.max of "
	     "its cgroup); its cgroup, page cache included, reached 256 MiB."},
	    {LIMITS(MEMORY) ", \"totals\": {\"cgroup\": {\"memory_peak_bytes\": 134217728}}",
	     COLUMN("memory", 65536), "", "memory", "info",
	     "The job used at most 64.0 MiB of memory, 25% of its limit of 256 MiB (memory.max of "
	     "its cgroup)."},
	};

	TRY(scenes);
}

TEST_WITH(out_of_memory, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {OOM ", " LIMITS(MEMORY), COLUMN("memory", 245760), "", "status", "bad",
	     "The kernel's OOM killer ended the job: it needed more memory than its limit of 256 "
	     "MiB (memory.max of its cgroup)."},
	    {OOM ", " LIMITS(MEMORY), COLUMN("memory", 245760), "", "memory", "bad",
	     "The job used at most 240 MiB of memory, 94% of its limit of 256 MiB."},
	    {OOM ", " LIMITS("\"cpus\": 4"), COLUMN("memory", 1024), "", "status", "bad",
	     "The kernel's OOM killer ended the job: the machine's 8.00 GiB of memory was used up."},
	    /* a limit that cannot be seen */
	    {OOM ", " LIMITS("\"hidden_cgroups\": true"), COLUMN("memory", 1024), "", "status",
	     "bad",
	     "The kernel's OOM killer ended the job: it used all the memory that it was allowed to."},
	    /* it grew between two samples: never less than what was too little */
	    {OOM ", " LIMITS(MEMORY), COLUMN("cpu_usage", 0.1) ", " COLUMN("memory", 65536), "",
	     "advice", "info",
	     "Next time, ask for 1 CPU and 512 MiB of memory. It had 4 CPUs and 256 MiB of "
	     "memory: too little memory. A complete run may need more."},
	    {OOM ", " LIMITS(MEMORY), COLUMN("cpu_usage", 0.1) ", " COLUMN("memory", 245760), "",
	     "advice", "info",
	     "Next time, ask for 1 CPU and 512 MiB of memory. It had 4 CPUs and 256 MiB of memory: "
	     "too little memory. A complete run may need more."},
	    /* what was short is not said to be too much */
	    {"", "\"cpu_usage\": [4, 4, 4, 4, 0, 0, 0, 0, 0, 0], " COLUMN("memory", 1024), "",
	     "advice", "info",
	     "Next time, ask for 4 CPUs and 128 MiB of memory. It had 4 CPUs and 8.00 GiB of "
	     "memory: half "
	     "of the memory would have been enough."},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 1024) ", " COLUMN("swap", 1024), "",
	     "advice", "info",
	     "Next time, ask for 1 CPU and 128 MiB of memory. It had 4 CPUs and 8.00 GiB of "
	     "memory: half of the CPUs would have been enough."},
	    {OOM, COLUMN("cpu_usage", 0.1), QUIET, "bottleneck", NULL, NULL},
	    {OOM ", \"totals\": {\"cgroup\": {\"oom_kills\": 1}}", COLUMN("memory", 1024), "",
	     "oom", NULL, NULL},
	    {ENDED ", \"totals\": {\"cgroup\": {\"oom_kills\": 2}}", COLUMN("memory", 1024), "",
	     "oom", "bad",
	     "During the run the kernel's OOM killer ended 2 of its processes because memory ran out."},
	    {ENDED ", \"totals\": {\"cgroup\": {\"oom_kills\": 0}}", COLUMN("memory", 1024), "",
	     "oom", NULL, NULL},
	};

	TRY(scenes);
}

#define TASKS(n, failed, unknown, rank)                                                            \
	"\"job\": {}, \"totals\": {}, \"tasks\": {\"n\": " #n                                      \
	", \"succeeded\": 0, \"failed\": " #failed ", \"unknown\": " #unknown                      \
	", \"failed_rank\": " #rank "}"
#define KILLED_ONE "\"exit\": {\"signal\": \"KILL\", \"cause\": \"exited\"}, "

/* What the recorder found out goes before what a status means by convention. */
TEST_WITH(why_it_ended, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {OOM ", \"end\": {\"cause\": \"oom\", \"sentence\": \"Killed by the kernel.\"}",
	     COLUMN("memory", 1024), "", "status", "bad", "Killed by the kernel."},
	    {"\"exit\": {\"code\": 137, \"cause\": \"exited\"}, \"end\": {\"cause\": \"exited\", "
	     "\"sentence\": \"Ended with status 137.\"}",
	     COLUMN("memory", 1024), "", "status", "bad", "Ended with status 137."},
	    {ENDED ", \"end\": {\"cause\": \"finished\", \"sentence\": \"\"}",
	     COLUMN("memory", 1024), "", "status", "good", "The job finished with exit status 0."},
	    {KILLED_ONE TASKS(4, 1, 0, 2) ", \"end\": {\"cause\": \"killed\", \"sentence\": "
	                                  "\"Killed by SIGKILL.\"}",
	     COLUMN("memory", 1024), "", "status", "bad",
	     "The task with local rank 2 was ended by signal KILL (exit status 137); 1 of 4 tasks "
	     "failed. Killed by SIGKILL."},
	};

	TRY(scenes);
}

TEST_WITH(gpus, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {GPUS(0.03, 0), COLUMN("gpu_vram", 1024), "", "gpu", "warn",
	     "The 2 GPUs were busy 1.5% of the time on average, 1 of them never; the job held up "
	     "to 1.00 GiB of GPU memory. The GPUs mostly waited for the job."},
	    {GPUS(0, 0), COLUMN("gpu_vram", 0), "", "gpu", "warn",
	     "The 2 GPUs were busy 0% of the time on average. The job hardly needed them."},
	    {GPUS(0.8, 0.9), COLUMN("gpu_vram", 1024), "", "gpu", "info",
	     "The 2 GPUs were busy 85% of the time on average; the job held up to 1.00 GiB of GPU "
	     "memory."},
	    {GPUS(0.8, 0.9),
	     COLUMN("cpu_usage", 1) ", " COLUMN("gpu_vram", 1024) ", " COLUMN("gpu_usage", 1.6), "",
	     "gpu", "info",
	     "The 2 GPUs were busy 85% of the time on average (the job alone: 80%); the job held up "
	     "to 1.00 GiB of GPU memory."},
	    {GPUS(0.8, 0.9),
	     COLUMN("cpu_usage", 1) ", " COLUMN("gpu_vram", 1024) ", " COLUMN("gpu_usage", 1.7), "",
	     "gpu", "info",
	     "The 2 GPUs were busy 85% of the time on average; the job held up to 1.00 GiB of GPU "
	     "memory."},
	    {GPUS(0.08, 0.08), COLUMN("gpu_vram", 1024), "", "gpu", "warn",
	     "The 2 GPUs were busy 8% of the time on average; the job held up to 1.00 GiB of GPU "
	     "memory. The GPUs mostly waited for the job."},
	    {GPUS(0.12, 0.12), COLUMN("gpu_vram", 1024), "", "gpu", "info",
	     "The 2 GPUs were busy 12% of the time on average; the job held up to 1.00 GiB of GPU "
	     "memory."},
	    {GPUS(0.8, 0), COLUMN("gpu_vram", 1024), "", "gpu", "warn",
	     "The 2 GPUs were busy 40% of the time on average, 1 of them never; the job held up to "
	     "1.00 GiB of GPU memory."},
	    {GPUS(null, 0.02), COLUMN("gpu_vram", 1024), "", "gpu", "warn",
	     "The GPU was busy 2% of the time; the job held up to 1.00 GiB of GPU memory. The GPU "
	     "mostly waited for the job."},
	    {GPUS(null, null), COLUMN("gpu_vram", 1024), "", "gpu", NULL, NULL},
	    {"", COLUMN("gpu_vram", 0), COLUMN("gpu_usage", 0), "gpu", NULL, NULL},
	    {GPUS(0.95, 0.97), COLUMN("cpu_usage", 0.5) ", " COLUMN("gpu_vram", 1024), "",
	     "bottleneck", "info", "The GPUs were the limit, busy for 96% of the time."},
	};

	TRY(scenes);
}

static size_t order(const cJSON *model, const char *ids[], size_t max)
{
	const cJSON *one;
	size_t n = 0;

	cJSON_ArrayForEach (one, model_at(model, "verdict"))
		if (n < max)
			ids[n++] = cJSON_GetStringValue(model_at(one, "id"));
	return n;
}

/* Behind status and duration, what went wrong comes first. */
TEST_WITH(worst_first, recordings_begin, recordings_end)
{
	static const struct scene scene = {OOM ", " LIMITS(MEMORY) ", " GPUS(0.8, 0.9),
	                                   COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 245760),
	                                   COLUMN("cpu_usage", 0.5) ", " COLUMN("psi_io_some", 0.5),
	                                   NULL,
	                                   NULL,
	                                   NULL};
	static const char *const expected[] = {"status",     "duration", "memory", "cpu",
	                                       "bottleneck", "gpu",      "advice"};
	struct recordings *t = *state;
	const char *ids[16];
	cJSON *model;

	scene_load(t, &scene);
	model = model_of(&t->runs, NULL);
	assert_int_equal(order(model, ids, 16), sizeof expected / sizeof *expected);
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		assert_string_equal(ids[i], expected[i]);
	cJSON_Delete(model);
}

/* A recording of another tool, or next to nothing in it. */
TEST_WITH(little_known, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {NULL, COLUMN("cpu_usage", 2), "", "status", "info",
	     "The recording does not say how the job ended."},
	    {NULL, COLUMN("cpu_usage", 2), "", "duration", "info",
	     "It ran for 10.0 s; 10 samples, one every 1.00 s."},
	    {NULL, COLUMN("cpu_usage", 2), "", "bottleneck", NULL, NULL},
	    {NULL, COLUMN("cpu_usage", 2), COLUMN("gpu_usage", 0), "gpu", NULL, NULL},
	    {NULL, COLUMN("memory", null), "", "memory", NULL, NULL},
	    {NULL, COLUMN("cpu_usage", null), "", "cpu", NULL, NULL},
	    {LIMITS("\"cpus\": \"many\", \"memory_bytes\": -1"), COLUMN("memory", 1048576), "",
	     "memory", "info",
	     "The job used at most 1.00 GiB of memory, 12% of the machine's 8.00 GiB."},
	};

	TRY(scenes);
}

/* Of several tasks, the one whose end the recording has is named, and nobody is blamed for it. */
TEST_WITH(one_task_of_several, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {KILLED_ONE TASKS(4, 1, 0, 2), COLUMN("cpu_usage", 1), "", "status", "bad",
	     "The task with local rank 2 was ended by signal KILL (exit status 137); 1 of 4 tasks "
	     "failed."},
	    {KILLED_ONE TASKS(4, 3, 0, 0), COLUMN("cpu_usage", 1), "", "status", "bad",
	     "The task with local rank 0 was ended by signal KILL (exit status 137); 3 of 4 tasks "
	     "failed, this one first."},
	    {KILLED_ONE TASKS(4, 1, 0, null), COLUMN("cpu_usage", 1), "", "status", "bad",
	     "A task was ended by signal KILL (exit status 137); 1 of 4 tasks failed."},
	    {KILLED_ONE TASKS(4, 4, 0, 1), COLUMN("cpu_usage", 1), "", "status", "bad",
	     "The task with local rank 1 was ended by signal KILL (exit status 137); 4 of 4 tasks "
	     "failed, this one first: a user or a scheduler ended it without warning."},
	    {KILLED_ONE TASKS(1, 1, 0, 0), COLUMN("cpu_usage", 1), "", "status", "bad",
	     "The job was ended by signal KILL (exit status 137); 1 of 1 tasks failed: a user or a "
	     "scheduler ended it without warning."},
	    {"\"exit\": {\"cause\": \"\"}, " TASKS(3, 0, 1, null), COLUMN("cpu_usage", 1), "",
	     "duration", "info", "It ran for 10.0 s; 10 samples, one every 1.00 s."},
	    {"\"exit\": {\"cause\": \"detached\"}, \"job\": {}", COLUMN("cpu_usage", 1), "",
	     "duration", "info", "The recording covers 10.0 s; 10 samples, one every 1.00 s."},
	};

	TRY(scenes);
}

TEST_WITH(of_the_machine, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(recordings_load(
	    t, "a.json",
	    "{\"server_info\": {\"vcpus\": 4}, \"system_metrics\": {\"timestamp\": [11], "
	    "\"cpu_usage\": [3], \"memory_used\": [1048576]}}"));
	model = model_of(&t->runs, NULL);
	scene_expect(model, "memory", "info", "The machine used at most 1.00 GiB of memory.");
	scene_expect(model, "cpu", "info",
	             "The machine kept 3.00 cores busy: 75% of the machine's 4 CPUs.");
	scene_expect(model, "duration", NULL, NULL);
	cJSON_Delete(model);
}

TEST_WITH(one_sample, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(recordings_load(
	    t, "a.json",
	    "{\"metadata\": {\"start_time\": 10, \"stop_time\": 10.25, \"interval\": 1}, "
	    "\"process_metrics\": {\"timestamp\": [10.2], \"cpu_usage\": [1]}}"));
	model = model_of(&t->runs, NULL);
	scene_expect(model, "duration", "info", "It ran for 0.25 s; 1 sample.");
	scene_expect(model, "cpu", "info", "The job kept 1.00 core busy.");
	cJSON_Delete(model);
}

TEST_WITH(beside_its_history, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct keeper_result *k = calloc(1, sizeof *k);
	cJSON *model;

	assert_non_null(k);
	model_prices_of(k);
	assert_int_equal(load_input(&t->runs, input_of(RUNS), &t->e), 0);
	model = model_of(&t->runs, k);
	/* 4.5 s against 4.5; 2 cores against 3; 933 MiB against 800 */
	scene_expect(
	    model, "history", "info",
	    "Against the median of 2 earlier runs: duration +0%, mean CPU \u221233%, peak "
	    "memory +17%. Whether it changed cannot be told: 7 more comparable runs are needed.");
	scene_expect(
	    model, "cost", "info",
	    "On this server, hcloud cx-three at 1.44 EUR/h, the run cost 0.0018 EUR. The cheapest "
	    "server per hour that fits is Hetzner Cloud cx-two at 0.36 EUR/h: this run would cost "
	    "0.00045 EUR (0.00023 EUR to 0.00092 EUR) there, 75% less; alone on a fresh server, 0.36 EUR.");
	cJSON_Delete(model);

	k->present_known = false;
	model = model_of(&t->runs, k);
	scene_expect(
	    model, "cost", "info",
	    "The cheapest server per hour that fits is Hetzner Cloud cx-two at 0.36 EUR/h: this run would "
	    "cost 0.00045 EUR (0.00023 EUR to 0.00092 EUR) there; alone on a fresh server, 0.36 EUR.");
	cJSON_Delete(model);

	k->present_known = true;
	k->present = k->server[0];
	model = model_of(&t->runs, k);
	scene_expect(
	    model, "cost", "info",
	    "On this server, hcloud cx-two at 0.36 EUR/h, the run cost 0.00045 EUR. It is the "
	    "cheapest per hour that fits.");
	cJSON_Delete(model);

	k->known = false;
	model = model_of(&t->runs, k);
	scene_expect(model, "cost", "info",
	             "On this server, hcloud cx-two at 0.36 EUR/h, the run cost 0.00045 EUR.");
	cJSON_Delete(model);
	free(k);
}
