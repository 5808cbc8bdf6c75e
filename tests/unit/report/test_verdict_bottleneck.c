/* verdict_bottleneck: what held a job back, and that nothing did only where that is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene.h"

static void held_back(void **state)
{
	static const struct scene scenes[] = {
	    {LIMITS(QUOTA), COLUMN("cpu_usage", 0.25), COLUMN("throttled", 0.7), "bottleneck",
	     "warn",
	     "A CPU limit held it back: to keep it to 0.25 CPUs, the kernel stopped it for 7.00 s "
	     "(summed "
	     "over CPUs) in a run of 10.0 s."},
	    {"", COLUMN("cpu_usage", 0.25), COLUMN("throttled", 0.7), "bottleneck", "warn",
	     "A CPU limit held it back: the kernel stopped it for 7.00 s (summed over CPUs) in a "
	     "run of "
	     "10.0 s."},
	    {"", COLUMN("cpu_usage", 0.25), COLUMN("throttled", 0.04), "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 0.25), COLUMN("throttled", null), "bottleneck", NULL, NULL},
	    {"", "", COLUMN("cpu_usage", 0.25) ", " COLUMN("throttled", 0.7), "bottleneck", NULL,
	     NULL},

	    {"", COLUMN("cpu_usage", 0.5), COLUMN("psi_memory_some", 0.23), "bottleneck", "warn",
	     "Memory was short: for 23% of the time some task on the machine waited for it."},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 1024) ", " COLUMN("swap", 1024),
	     COLUMN("psi_memory_some", 0.23), "bottleneck", "warn",
	     "Memory was short: for 23% of the time some task on the machine waited for it, and up "
	     "to "
	     "1.00 MiB of the job was swapped out to disk."},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 1024) ", " COLUMN("swap", 1024), "",
	     "bottleneck", "warn",
	     "Memory was short: up to 1.00 MiB of the job was swapped out to disk."},
	    /* nobody waits for what is in swap */
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 1024) ", " COLUMN("swap", 1024),
	     COLUMN("psi_memory_some", 0.01), "bottleneck", NULL, NULL},

	    {"",
	     COLUMN("cpu_usage", 0.5) ", " COLUMN("read_bytes", 0) ", " COLUMN("write_bytes",
	                                                                       1048576),
	     COLUMN("psi_io_some", 0.6) ", " COLUMN("disk_read_bytes",
	                                            0) ", " COLUMN("disk_write_bytes", 1310720),
	     "bottleneck", "warn",
	     "Disks held it back: for 60% of the time some task on the machine waited for I/O, and "
	     "of the "
	     "bytes that its disks moved, 80% (10.0 MiB) were the job's. Faster storage, or fewer "
	     "and "
	     "larger reads and writes, may help."},
	    {"",
	     COLUMN("cpu_usage", 0.5) ", " COLUMN("read_bytes", 0) ", " COLUMN("write_bytes", 1024),
	     COLUMN("psi_io_some", 0.6) ", " COLUMN("disk_read_bytes",
	                                            0) ", " COLUMN("disk_write_bytes", 102400),
	     "bottleneck", "info",
	     "Disks were busy: for 60% of the time some task on the machine waited for I/O, but of "
	     "the "
	     "bytes that its disks moved, only 1% were the job's."},
	    {"", COLUMN("cpu_usage", 0.5), COLUMN("cpu_iowait", 1), "bottleneck", "warn",
	     "Disks held it back: on average 1.00 core of the machine idled while a task waited "
	     "for I/O."},
	    {"", COLUMN("cpu_usage", 0.5), COLUMN("psi_io_some", 0.05) ", " COLUMN("cpu_iowait", 1),
	     "bottleneck", NULL, NULL},

	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_usage", 2) ", " COLUMN("cpu_steal", 0.6),
	     "bottleneck", "warn",
	     "The host took CPU time away: the hypervisor gave 0.60 cores, 15% of the machine's "
	     "CPUs, to "
	     "others (steal)."},
	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_steal", 0.1), "bottleneck", NULL, NULL},

	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_usage", 3.9) ", " COLUMN("psi_cpu_some", 0.45),
	     "bottleneck", "warn",
	     "Others were busy on the machine: they took 1.90 of its 4 CPUs, and for 45% of the "
	     "time some "
	     "task waited for a CPU."},
	    /* the waits may be the job's own, within its own limits */
	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_usage", 2.1) ", " COLUMN("psi_cpu_some", 0.45),
	     "bottleneck", NULL, NULL},

	    {"", COLUMN("cpu_usage", 0.99), "", "bottleneck", "warn",
	     "It worked on one core at a time: one of 4 CPUs was busy for 100% of the time, as of "
	     "a "
	     "program with one thread, which more CPUs do not speed up."},
	    {LIMITS("\"cpus\": 1, \"cpus_from\": \"cpuset\""), COLUMN("cpu_usage", 0.99), "",
	     "bottleneck", "info",
	     "The CPUs were the limit: it kept the allowed 1 CPU busy for 100% of the time. More "
	     "of them "
	     "may make it faster."},
	    {"", "\"cpu_usage\": [4, 4, 4, 3.9, 1, 1, 1, 1, 2, 2]", "", "bottleneck", "info",
	     "The CPUs were the limit: it kept the machine's 4 CPUs busy for 40% of the time. More "
	     "of them "
	     "may make it faster."},
	    {"", "\"cpu_usage\": [4, 4, 1, 2, 1, 2, 1, 1, 2, 2]", "", "bottleneck", NULL, NULL},
	    {"", "", COLUMN("cpu_usage", 3.8), "bottleneck", "info",
	     "The CPUs were the limit: the machine kept its 4 CPUs busy for 100% of the time. More "
	     "of them "
	     "may make it faster."},

	    /* the larger of two */
	    {"", COLUMN("cpu_usage", 0.99), COLUMN("psi_memory_some", 0.23), "bottleneck", "warn",
	     "It worked on one core at a time: one of 4 CPUs was busy for 100% of the time, as of "
	     "a "
	     "program with one thread, which more CPUs do not speed up."},
	    {"", COLUMN("cpu_usage", 0.5),
	     COLUMN("psi_memory_some", 0.23) ", " COLUMN("psi_io_some", 0.3), "bottleneck", "warn",
	     "Disks held it back: for 30% of the time some task on the machine waited for I/O."},

	    /* what is known of the job goes before what is larger, but of the machine */
	    {"", COLUMN("cpu_usage", 0.5),
	     COLUMN("cpu_usage", 3.9) ", " COLUMN("psi_cpu_some", 0.9) ", " COLUMN("throttled",
	                                                                           0.1),
	     "bottleneck", "warn",
	     "A CPU limit held it back: the kernel stopped it for 1.00 s (summed over CPUs) in a "
	     "run of 10.0 "
	     "s."},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 1024),
	     COLUMN("psi_memory_some", 0.3), "bottleneck", "info",
	     "Memory was short for somebody: for 30% of the time some task on the machine waited "
	     "for it, but "
	     "the job had at most under 0.1% of what it may use."},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 4194304),
	     COLUMN("psi_memory_some", 0.3), "bottleneck", "warn",
	     "Memory was short: for 30% of the time some task on the machine waited for it."},
	    /* a job that sleeps loses nothing to others */
	    {"", COLUMN("cpu_usage", 0.01),
	     COLUMN("cpu_usage", 3.9) ", " COLUMN("psi_cpu_some", 0.9), "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 0.01), COLUMN("cpu_usage", 3) ", " COLUMN("cpu_steal", 1),
	     "bottleneck", NULL, NULL},
	};

	TRY(scenes);
}

/* That nothing held it back is said only where it is known. */
static void nothing(void **state)
{
	static const struct scene scenes[] = {
	    {ENDED, COLUMN("cpu_usage", 2), QUIET, "bottleneck", "good",
	     "Nothing held it back: tasks on the machine waited for a CPU 1% of the time, for "
	     "memory 0%, "
	     "for I/O 2%."},
	    {ENDED, COLUMN("cpu_usage", 2),
	     COLUMN("psi_cpu_some", 0.01) ", " COLUMN("psi_memory_some",
	                                              0) ", " COLUMN("psi_io_some", 0),
	     "bottleneck", "info",
	     "Nothing held it back: tasks on the machine waited for a CPU 1% of the time, for "
	     "memory 0%, "
	     "for I/O 0% (whether a CPU limit stopped it is not known)."},
	    {ENDED, COLUMN("cpu_usage", 2),
	     COLUMN("psi_cpu_some", 0) ", " COLUMN("psi_memory_some", 0), "bottleneck", NULL, NULL},
	    {"\"exit\": {\"code\": 1}", COLUMN("cpu_usage", 2), QUIET, "bottleneck", NULL, NULL},
	    {ENDED, COLUMN("cpu_usage", 0.01), QUIET, "bottleneck", "info",
	     "It mostly waited (0.01 cores busy), for something else than CPU, memory or disks (a "
	     "timer, "
	     "the network, another program …): tasks on the machine waited for a CPU 1% of the "
	     "time, for "
	     "memory 0%, for I/O 2%."},
	    {"\"exit\": {\"cause\": \"stopped\"}", "", COLUMN("cpu_usage", 0.02) ", " QUIET,
	     "bottleneck", "info",
	     "The machine was mostly idle (0.02 cores busy): tasks on the machine waited for a CPU "
	     "1% of "
	     "the time, for memory 0%, for I/O 2%."},
	    {ENDED ", " GPUS(0.02, 0.02), COLUMN("cpu_usage", 2) ", " COLUMN("gpu_vram", 1024),
	     QUIET, "bottleneck", NULL, NULL},
	};

	TRY(scenes);
}

/* Each threshold from both sides: how the sentence begins, or that there is none. */
static void thresholds(void **state)
{
	static const struct scene scenes[] = {
	    {"", COLUMN("cpu_usage", 0.5), COLUMN("throttled", 0.06), "bottleneck", NULL,
	     "A CPU limit"},
	    {"", COLUMN("cpu_usage", 0.5), COLUMN("throttled", 0.04), "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 0.5), COLUMN("psi_memory_some", 0.06), "bottleneck", NULL,
	     "Memory was short: "},
	    {"", COLUMN("cpu_usage", 0.5), COLUMN("psi_memory_some", 0.04), "bottleneck", NULL,
	     NULL},
	    {"", COLUMN("cpu_usage", 0.5), COLUMN("psi_io_some", 0.12), "bottleneck", NULL,
	     "Disks held"},
	    {"", COLUMN("cpu_usage", 0.5), COLUMN("psi_io_some", 0.08), "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 0.5), COLUMN("cpu_iowait", 0.44), "bottleneck", NULL,
	     "Disks held"},
	    {"", COLUMN("cpu_usage", 0.5), COLUMN("cpu_iowait", 0.36), "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_steal", 0.22), "bottleneck", NULL,
	     "The host took"},
	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_steal", 0.18), "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 0.12), COLUMN("cpu_usage", 1) ", " COLUMN("cpu_steal", 0.5),
	     "bottleneck", NULL, "The host took"},
	    {"", COLUMN("cpu_usage", 0.08), COLUMN("cpu_usage", 1) ", " COLUMN("cpu_steal", 0.5),
	     "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 2.4),
	     COLUMN("cpu_usage", 3.5) ", " COLUMN("psi_cpu_some", 0.22), "bottleneck", NULL,
	     "Others were"},
	    {"", COLUMN("cpu_usage", 2.4),
	     COLUMN("cpu_usage", 3.5) ", " COLUMN("psi_cpu_some", 0.18), "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 2.4),
	     COLUMN("cpu_usage", 3.5) ", " COLUMN("psi_cpu_some", 0.5), "bottleneck", NULL,
	     "Others were"},
	    {"", COLUMN("cpu_usage", 2.6),
	     COLUMN("cpu_usage", 3.5) ", " COLUMN("psi_cpu_some", 0.5), "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_usage", 3.3) ", " COLUMN("psi_cpu_some", 0.5),
	     "bottleneck", NULL, "Others were"},
	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_usage", 3.1) ", " COLUMN("psi_cpu_some", 0.5),
	     "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 0.87), "", "bottleneck", NULL, "It worked on one"},
	    {"", COLUMN("cpu_usage", 0.83), "", "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 1.13), "", "bottleneck", NULL, "It worked on one"},
	    {"", COLUMN("cpu_usage", 1.17), "", "bottleneck", NULL, NULL},
	    {"", "\"cpu_usage\": [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]", "", "bottleneck", NULL,
	     "It worked on one"},
	    {"", "\"cpu_usage\": [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]", "", "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 3.7), "", "bottleneck", NULL, "The CPUs were"},
	    {"", COLUMN("cpu_usage", 3.5), "", "bottleneck", NULL, NULL},
	    {"", "\"cpu_usage\": [4, 4, 4, 4, 0, 0, 0, 0, 0, 0]", "", "bottleneck", NULL,
	     "The CPUs were"},
	    {"", "\"cpu_usage\": [4, 4, 0, 0, 0, 0, 0, 0, 0, 0]", "", "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 2202009),
	     COLUMN("psi_memory_some", 0.3), "bottleneck", NULL, "Memory was short: "},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 1992294),
	     COLUMN("psi_memory_some", 0.3), "bottleneck", NULL, "Memory was short for"},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 880) ", " COLUMN("swap", 120), "",
	     "bottleneck", NULL, "Memory was short: "},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 920) ", " COLUMN("swap", 80), "",
	     "bottleneck", NULL, NULL},
	    {"",
	     COLUMN("cpu_usage", 0.5) ", " COLUMN("read_bytes", 550) ", " COLUMN("write_bytes", 0),
	     COLUMN("psi_io_some", 0.5) ", " COLUMN("disk_read_bytes",
	                                            1000) ", " COLUMN("disk_write_bytes", 0),
	     "bottleneck", NULL, "Disks held"},
	    {"",
	     COLUMN("cpu_usage", 0.5) ", " COLUMN("read_bytes", 450) ", " COLUMN("write_bytes", 0),
	     COLUMN("psi_io_some", 0.5) ", " COLUMN("disk_read_bytes",
	                                            1000) ", " COLUMN("disk_write_bytes", 0),
	     "bottleneck", NULL, "Disks were busy"},
	    {GPUS(0.92, 0.92), COLUMN("cpu_usage", 0.5) ", " COLUMN("gpu_vram", 9), "",
	     "bottleneck", NULL, "The GPUs were the limit"},
	    {GPUS(0.88, 0.88), COLUMN("cpu_usage", 0.5) ", " COLUMN("gpu_vram", 9), "",
	     "bottleneck", NULL, NULL},
	    {ENDED ", " GPUS(0.12, 0.12), COLUMN("cpu_usage", 0.5) ", " COLUMN("gpu_vram", 9),
	     QUIET, "bottleneck", NULL, "Nothing held"},
	    {ENDED ", " GPUS(0.08, 0.08), COLUMN("cpu_usage", 0.5) ", " COLUMN("gpu_vram", 9),
	     QUIET, "bottleneck", NULL, NULL},
	    {ENDED, COLUMN("cpu_usage", 0.12), QUIET, "bottleneck", NULL, "Nothing held"},
	    {ENDED, COLUMN("cpu_usage", 0.08), QUIET, "bottleneck", NULL, "It mostly waited"},
	    {ENDED, COLUMN("cpu_usage", 0.5),
	     COLUMN("psi_cpu_some", 0.18) ", " COLUMN("psi_memory_some", 0.04) ", " COLUMN(
		 "psi_io_some", 0.08) ", " COLUMN("throttled", 0),
	     "bottleneck", NULL, "Nothing held"},
	    {ENDED, COLUMN("cpu_usage", 0.5),
	     COLUMN("psi_cpu_some", 0.22) ", " COLUMN("psi_memory_some", 0) ", " COLUMN(
		 "psi_io_some", 0) ", " COLUMN("throttled", 0),
	     "bottleneck", NULL, NULL},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
		const char *said;
		cJSON *model;
		scene_load(t, &scenes[i]);
		model = model_of(&t->runs, NULL);
		said = scene_text(model, "bottleneck");
		if (scenes[i].text && said)
			assert_memory_equal(said, scenes[i].text, strlen(scenes[i].text));
		else
			assert_true(!scenes[i].text == !said);
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}

/* One sample of a job that was over at once. */
static void a_glimpse(void **state)
{
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(recordings_load(
	    t, "a.json",
	    "{\"metadata\": {\"start_time\": 10, \"stop_time\": 10.01}, \"server_info\": "
	    "{\"vcpus\": "
	    "4, \"memory_mb\": 8192}, \"rtrack\": {" ENDED
	    "}, \"process_metrics\": {\"timestamp\": "
	    "[10.01], \"cpu_usage\": [1], \"memory\": [1024]}, \"system_metrics\": {\"timestamp\": "
	    "[10.01], \"cpu_usage\": [1], \"psi_cpu_some\": [0], \"psi_memory_some\": [0], "
	    "\"psi_io_some\": [0], \"throttled\": [0]}}"));
	model = model_of(&t->runs, NULL);
	scene_expect(model, "bottleneck", NULL, NULL);
	scene_expect(model, "cpu", "info",
	             "The job kept 1.00 core busy: 25% of the machine's 4 CPUs.");
	scene_expect(model, "advice", "info",
	             "Next time, ask for 1 CPU and 128 MiB of memory. It had 4 CPUs and 8.00 GiB "
	             "of memory.");
	cJSON_Delete(model);
}

/* Four early rows of half a second on one core, and ten seconds asleep: it is neither a program
 * with one thread, nor one that kept a core busy. */
static void shares_are_of_the_time(void **state)
{
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(recordings_load(
	    t, "a.json",
	    "{\"metadata\": {\"interval\": 8, \"start_time\": 100, \"stop_time\": 110.5}, "
	    "\"server_info\": {\"vcpus\": 4, \"memory_mb\": 8192}, \"rtrack\": {" ENDED
	    "}, \"process_metrics\": {\"timestamp\": [100.05, 100.1, 100.2, 100.5, 110.5], "
	    "\"cpu_usage\": [1, 1, 1, 1, 0], \"memory\": [1024, 1024, 1024, 1024, 1024]}, "
	    "\"system_metrics\": {\"timestamp\": [100.05, 100.1, 100.2, 100.5, 110.5], "
	    "\"cpu_usage\": [1, 1, 1, 1, 0]}}"));
	model = model_of(&t->runs, NULL);
	scene_expect(model, "bottleneck", NULL, NULL);
	assert_non_null(strstr(scene_text(model, "cpu"),
	                       "The job kept 0.05 cores busy on average and 1.00 at its peak"));
	cJSON_Delete(model);
}

#define WITH_FOLDER(f) cmocka_unit_test_setup_teardown(f, recordings_begin, recordings_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_FOLDER(held_back),
	    WITH_FOLDER(nothing),
	    WITH_FOLDER(thresholds),
	    WITH_FOLDER(a_glimpse),
	    WITH_FOLDER(shares_are_of_the_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
