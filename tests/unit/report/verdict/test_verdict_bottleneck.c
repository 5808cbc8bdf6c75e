/* verdict_bottleneck: what held a job back, and that nothing did only where that is known. */
#include "tests/unit/report/scene.h"
#include "tests/unit/unit.h"

TEST_WITH(held_back, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {LIMITS(QUOTA), COLUMN("cpu_usage", 0.25), COLUMN("throttled", 0.7), "bottleneck",
	     "warn",
	     "A CPU limit held it back: to keep it to 0.25 CPUs, the kernel stopped it for 7.00 s "
	     "(summed over CPUs) in a run of 10.0 s."},
	    {"", COLUMN("cpu_usage", 0.25), COLUMN("throttled", 0.7), "bottleneck", "warn",
	     "A CPU limit held it back: the kernel stopped it for 7.00 s (summed over CPUs) in a "
	     "run of 10.0 s."},
	    {"", COLUMN("cpu_usage", 0.25), COLUMN("throttled", 0.04), "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 0.25), COLUMN("throttled", null), "bottleneck", NULL, NULL},
	    {"", "", COLUMN("cpu_usage", 0.25) ", " COLUMN("throttled", 0.7), "bottleneck", NULL,
	     NULL},

	    {"", COLUMN("cpu_usage", 0.5), COLUMN("psi_memory_some", 0.23), "bottleneck", "warn",
	     "Memory was short: for 23% of the time some task on the machine waited for it."},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 1024) ", " COLUMN("swap", 1024),
	     COLUMN("psi_memory_some", 0.23), "bottleneck", "warn",
	     "Memory was short: for 23% of the time some task on the machine waited for it, and up "
	     "to 1.00 MiB of the job was swapped out to disk."},
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
	     "Disks held it back: for 60% of the time some task on the machine waited for I/O, and of the bytes that its disks transferred, 80% (10.0 MiB) were the job's."},
	    {"",
	     COLUMN("cpu_usage", 0.5) ", " COLUMN("read_bytes", 0) ", " COLUMN("write_bytes", 1024),
	     COLUMN("psi_io_some", 0.6) ", " COLUMN("disk_read_bytes",
	                                            0) ", " COLUMN("disk_write_bytes", 102400),
	     "bottleneck", "info",
	     "Disks were busy: for 60% of the time some task on the machine waited for I/O, but of the bytes that its disks transferred, only 1% were the job's."},
	    {"", COLUMN("cpu_usage", 0.5), COLUMN("cpu_iowait", 1), "bottleneck", "warn",
	     "Disks held it back: on average 1.00 core of the machine idled while a task waited "
	     "for I/O."},
	    {"", COLUMN("cpu_usage", 0.5), COLUMN("psi_io_some", 0.05) ", " COLUMN("cpu_iowait", 1),
	     "bottleneck", NULL, NULL},

	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_usage", 2) ", " COLUMN("cpu_steal", 0.6),
	     "bottleneck", "warn",
	     "The host took CPU time away: the hypervisor gave 0.60 cores, 15% of the machine's "
	     "CPUs, to others (steal)."},
	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_steal", 0.1), "bottleneck", NULL, NULL},

	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_usage", 3.9) ", " COLUMN("psi_cpu_some", 0.45),
	     "bottleneck", "warn",
	     "Other programs were busy on the machine: they used 1.90 of its 4 CPUs, and for 45% of the "
	     "time some task waited for a CPU."},
	    /* the waits may be the job's own, within its own limits */
	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_usage", 2.1) ", " COLUMN("psi_cpu_some", 0.45),
	     "bottleneck", NULL, NULL},

	    {"", COLUMN("cpu_usage", 0.99), "", "bottleneck", "warn",
	     "It used one core at a time: one of 4 CPUs was busy for 100% of the time, as by a program with one thread, which more CPUs do not speed up."},
	    {LIMITS("\"cpus\": 1, \"cpus_from\": \"cpuset\""), COLUMN("cpu_usage", 0.99), "",
	     "bottleneck", "info",
	     "The CPUs were the limit: it kept the allowed 1 CPU busy for 100% of the time. More "
	     "of them may make it faster."},
	    {"", "\"cpu_usage\": [4, 4, 4, 3.9, 1, 1, 1, 1, 2, 2]", "", "bottleneck", "info",
	     "The CPUs were the limit: it kept the machine's 4 CPUs busy for 40% of the time. More "
	     "of them may make it faster."},
	    {"", "\"cpu_usage\": [4, 4, 1, 2, 1, 2, 1, 1, 2, 2]", "", "bottleneck", NULL, NULL},
	    {"", "", COLUMN("cpu_usage", 3.8), "bottleneck", "info",
	     "The CPUs were the limit: the machine kept its 4 CPUs busy for 100% of the time. More "
	     "of them may make it faster."},

	    /* the larger of two */
	    {"", COLUMN("cpu_usage", 0.99), COLUMN("psi_memory_some", 0.23), "bottleneck", "warn",
	     "It used one core at a time: one of 4 CPUs was busy for 100% of the time, as by a program with one thread, which more CPUs do not speed up."},
	    {"", COLUMN("cpu_usage", 0.5),
	     COLUMN("psi_memory_some", 0.23) ", " COLUMN("psi_io_some", 0.3), "bottleneck", "warn",
	     "Disks held it back: for 30% of the time some task on the machine waited for I/O."},

	    /* what is known of the job goes before what is larger, but of the machine */
	    {"", COLUMN("cpu_usage", 0.5),
	     COLUMN("cpu_usage", 3.9) ", " COLUMN("psi_cpu_some", 0.9) ", " COLUMN("throttled",
	                                                                           0.1),
	     "bottleneck", "warn",
	     "A CPU limit held it back: the kernel stopped it for 1.00 s (summed over CPUs) in a "
	     "run of 10.0 s."},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 1024),
	     COLUMN("psi_memory_some", 0.3), "bottleneck", "info",
	     "Other programs were short of memory: for 30% of the time some task on the machine waited "
	     "for it, but the job had at most under 0.1% of what it may use."},
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
TEST_WITH(nothing, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {ENDED, COLUMN("cpu_usage", 2), QUIET, "bottleneck", "good",
	     "Nothing held it back: tasks on the machine waited for a CPU 1% of the time, for "
	     "memory 0%, for I/O 2%."},
	    {ENDED, COLUMN("cpu_usage", 2),
	     COLUMN("psi_cpu_some", 0.01) ", " COLUMN("psi_memory_some",
	                                              0) ", " COLUMN("psi_io_some", 0),
	     "bottleneck", "info",
	     "Nothing held it back: tasks on the machine waited for a CPU 1% of the time, for "
	     "memory 0%, for I/O 0% (whether a CPU limit stopped it is unknown)."},
	    {ENDED, COLUMN("cpu_usage", 2),
	     COLUMN("psi_cpu_some", 0) ", " COLUMN("psi_memory_some", 0), "bottleneck", NULL, NULL},
	    {"\"exit\": {\"code\": 1}", COLUMN("cpu_usage", 2), QUIET, "bottleneck", NULL, NULL},
	    {ENDED, COLUMN("cpu_usage", 0.01), QUIET, "bottleneck", "info",
	     "It was idle most of the time (0.01 cores busy), and waited for something other than "
	     "CPU, memory or disks (a timer, the network, another program …): tasks on the machine "
	     "waited for a CPU 1% of the time, for memory 0%, for I/O 2%."},
	    {"\"exit\": {\"cause\": \"stopped\"}", "", COLUMN("cpu_usage", 0.02) ", " QUIET,
	     "bottleneck", "info",
	     "The machine was mostly idle (0.02 cores busy): tasks on the machine waited for a CPU "
	     "1% of the time, for memory 0%, for I/O 2%."},
	    {ENDED ", " GPUS(0.02, 0.02), COLUMN("cpu_usage", 2) ", " COLUMN("gpu_vram", 1024),
	     QUIET, "bottleneck", NULL, NULL},
	};

	TRY(scenes);
}

#define WAITED(s) "\"totals\": {\"cpu_wait_s\": " #s "}"
#define SOME(s, own)                                                                               \
	"\"totals\": {\"cpu_wait_s\": " #s ", \"cgroup\": {\"psi_cpu_some_s\": " #own "}}"
#define BUSY_MACHINE COLUMN("cpu_usage", 3.9) ", " COLUMN("psi_cpu_some", 0.45)

/* Ten seconds: what its threads waited for a CPU tells a starved job from an idle one, whatever the
 * machine does. */
TEST_WITH(waited_for_a_cpu, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    /* others had the CPUs; it wanted 2 of the 4 */
	    {WAITED(14.2), COLUMN("cpu_usage", 0.58), BUSY_MACHINE, "bottleneck", "warn",
	     "It was short of CPU: its threads waited at least 14.2 s for a CPU, 71% of the time "
	     "in which they could have run. Without that wait it would have used at most 2.00 cores. "
	     "Other programs used 3.32 of the machine's 4 CPUs: a "
	     "machine that is less busy may make it faster."},
	    /* and it wanted more than there are */
	    {WAITED(60), COLUMN("cpu_usage", 2), BUSY_MACHINE, "bottleneck", "warn",
	     "It was short of CPU: its threads waited at least 1 min for a CPU, 75% of the time in "
	     "which they could have run. Without that wait it would have used at most 8.00 cores. "
	     "Other programs used 1.90 of the machine's 4 CPUs: "
	     "more CPUs, or a machine that is less busy, may make it faster."},
	    /* nobody else had them: bursts, or ties */
	    {WAITED(10), COLUMN("cpu_usage", 1), COLUMN("cpu_usage", 1.1), "bottleneck", "warn",
	     "It was short of CPU: its threads waited at least 10.0 s for a CPU, 50% of the time "
	     "in which they could have run. Without that wait it would have used at most 2.00 cores. "
	     "More CPUs may make it faster, unless it ties its threads to some."},
	    /* its own CPUs were all busy with it */
	    {WAITED(40), COLUMN("cpu_usage", 4), BUSY_MACHINE, "bottleneck", "info",
	     "The CPUs were the limit: it kept the machine's 4 CPUs busy for 100% of the time, and "
	     "its threads waited at least 40.0 s for a CPU. More of them may make it faster."},
	    {LIMITS("\"cpus\": 1, \"cpus_from\": \"cpuset\"") ", " WAITED(0.3),
	     COLUMN("cpu_usage", 0.99), "", "bottleneck", "info",
	     "The CPUs were the limit: it kept the allowed 1 CPU busy for 100% of the time. More "
	     "of them may make it faster."},
	    /* a quota stopped it: that is the cause, and its threads' wait the effect */
	    {LIMITS(QUOTA) ", " WAITED(30), COLUMN("cpu_usage", 0.2), COLUMN("throttled", 0.7),
	     "bottleneck", "warn",
	     "A CPU limit held it back: to keep it to 0.25 CPUs, the kernel stopped it for 7.00 s "
	     "(summed over CPUs) in a run of 10.0 s."},
	    /* the larger of what samples saw and of the cgroup's account */
	    {SOME(1, 8), COLUMN("cpu_usage", 0.5), "", "bottleneck", "warn",
	     "It was short of CPU: its threads waited at least 8.00 s for a CPU, 62% of the time "
	     "in which they could have run. Without that wait it would have used at most 1.30 cores. "
	     "More CPUs may make it faster, unless it ties its threads to some."},
	    /* no totals: what the rows say, where they say something */
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("cpu_wait", 1), "", "bottleneck", "warn",
	     "It was short of CPU: its threads waited at least 10.0 s for a CPU, 67% of the time "
	     "in which they could have run. Without that wait it would have used at most 1.50 cores. "
	     "More CPUs may make it faster, unless it ties its threads to some."},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("cpu_wait", null), "", "bottleneck", NULL,
	     NULL},
	    /* its cgroup says that others on the machine did not keep it from a CPU */
	    {SOME(0.5, 0.6), COLUMN("cpu_usage", 2), BUSY_MACHINE, "bottleneck", NULL, NULL},
	    {WAITED(0.5), COLUMN("cpu_usage", 2), BUSY_MACHINE, "bottleneck", "warn",
	     "Other programs were busy on the machine: they used 1.90 of its 4 CPUs, and for 45% of the "
	     "time some task waited for a CPU."},

	    /* idle, on a busy machine and on a quiet one */
	    {ENDED ", " WAITED(0.02), COLUMN("cpu_usage", 0.001), BUSY_MACHINE, "bottleneck",
	     "info",
	     "It was idle most of the time (under 0.01 cores busy), and waited for something other "
	     "than a CPU (a timer, the network, another program …)."},
	    {ENDED ", " WAITED(0), COLUMN("cpu_usage", 0), QUIET, "bottleneck", "info",
	     "It was idle most of the time (under 0.01 cores busy), and waited for something other "
	     "than CPU, memory or disks (a timer, the network, another program …)."},
	    /* as little CPU, but it wanted more */
	    {ENDED ", " WAITED(9), COLUMN("cpu_usage", 0.05), BUSY_MACHINE, "bottleneck", "warn",
	     "It was short of CPU: its threads waited at least 9.00 s for a CPU, 95% of the time "
	     "in which they could have run. Without that wait it would have used at most 0.50 cores. "
	     "Other programs used 3.85 of the machine's 4 CPUs: a "
	     "machine that is less busy may make it faster."},
	    /* the same by the states: nine seconds it could only wait, half a second it slept */
	    {ENDED ", " WAITED(9),
	     COLUMN("cpu_usage", 0.05) ", " COLUMN("state_cpu", 0.05) ", " COLUMN(
		 "state_cpu_wait", 0.9) ", " COLUMN("state_sleep", 0.05),
	     BUSY_MACHINE, "bottleneck", "warn",
	     "It was short of CPU: its threads waited at least 9.00 s for a CPU, 95% of the time "
	     "in which they could have run. Without that wait it would have used about 0.50 cores. "
	     "Other programs used 3.85 of the machine's 4 CPUs: a "
	     "machine that is less busy may make it faster."},
	    /* many threads that waited at the same time, and that hardly made it longer */
	    {ENDED ", " WAITED(2),
	     COLUMN("cpu_usage", 0.05) ", " COLUMN("state_cpu", 0.01) ", " COLUMN(
		 "state_cpu_wait", 0.02) ", " COLUMN("state_sleep", 0.97),
	     BUSY_MACHINE, "bottleneck", "info", "It was idle most of the time (0.05 cores busy)."},
	    /* not known: no word */
	    {ENDED ", " WAITED(null), COLUMN("cpu_usage", 0.001), BUSY_MACHINE, "bottleneck", NULL,
	     NULL},
	    {ENDED, COLUMN("cpu_usage", 0.001), BUSY_MACHINE, "bottleneck", NULL, NULL},
	};

	TRY(scenes);
}

/* No other sentence says that fewer CPUs would do, or that one thread was all it had. */
TEST_WITH(no_contradiction, recordings_begin, recordings_end)
{
	static const struct scene scenes[] = {
	    {WAITED(14.2), COLUMN("cpu_usage", 0.9) ", " COLUMN("memory", 7000000), BUSY_MACHINE,
	     "advice", "info",
	     "Next time, ask for 3 CPUs and 9216 MiB of memory. It had 4 CPUs and 8.00 GiB of "
	     "memory: that leaves too little memory to spare."},
	    {LIMITS("\"cpus\": 3, \"cpus_from\": \"cpuset\"") ", " WAITED(14.2),
	     COLUMN("cpu_usage", 0.9), BUSY_MACHINE, "cpu", "info",
	     "The job kept 0.90 cores busy on average and 0.90 at its peak: 30% of the 3 CPUs it "
	     "may use (cpuset)."},
	    {WAITED(14.2), COLUMN("cpu_usage", 1), "", "bottleneck", "warn",
	     "It was short of CPU: its threads waited at least 14.2 s for a CPU, 59% of the time "
	     "in which they could have run. Without that wait it would have used at most 2.42 cores. "
	     "More CPUs may make it faster, unless it ties its threads to some."},
	};

	TRY(scenes);
}

/* Each threshold from both sides: how the sentence begins, or that there is none. */
TEST_WITH(thresholds, recordings_begin, recordings_end)
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
	     "Other programs were busy"},
	    {"", COLUMN("cpu_usage", 2.4),
	     COLUMN("cpu_usage", 3.5) ", " COLUMN("psi_cpu_some", 0.18), "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 2.4),
	     COLUMN("cpu_usage", 3.5) ", " COLUMN("psi_cpu_some", 0.5), "bottleneck", NULL,
	     "Other programs were busy"},
	    {"", COLUMN("cpu_usage", 2.6),
	     COLUMN("cpu_usage", 3.5) ", " COLUMN("psi_cpu_some", 0.5), "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_usage", 3.3) ", " COLUMN("psi_cpu_some", 0.5),
	     "bottleneck", NULL, "Other programs were busy"},
	    {"", COLUMN("cpu_usage", 2), COLUMN("cpu_usage", 3.1) ", " COLUMN("psi_cpu_some", 0.5),
	     "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 0.87), "", "bottleneck", NULL, "It used one"},
	    {"", COLUMN("cpu_usage", 0.83), "", "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 1.13), "", "bottleneck", NULL, "It used one"},
	    {"", COLUMN("cpu_usage", 1.17), "", "bottleneck", NULL, NULL},
	    {"", "\"cpu_usage\": [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]", "", "bottleneck", NULL,
	     "It used one"},
	    {"", "\"cpu_usage\": [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]", "", "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 3.7), "", "bottleneck", NULL, "The CPUs were"},
	    {"", COLUMN("cpu_usage", 3.5), "", "bottleneck", NULL, NULL},
	    {"", "\"cpu_usage\": [4, 4, 4, 4, 0, 0, 0, 0, 0, 0]", "", "bottleneck", NULL,
	     "The CPUs were"},
	    {"", "\"cpu_usage\": [4, 4, 0, 0, 0, 0, 0, 0, 0, 0]", "", "bottleneck", NULL, NULL},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 2202009),
	     COLUMN("psi_memory_some", 0.3), "bottleneck", NULL, "Memory was short: "},
	    {"", COLUMN("cpu_usage", 0.5) ", " COLUMN("memory", 1992294),
	     COLUMN("psi_memory_some", 0.3), "bottleneck", NULL, "Other programs were short of"},
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
	    /* a fifth of the time in which they could have run; a twentieth of the run */
	    {WAITED(1.3), COLUMN("cpu_usage", 0.5), "", "bottleneck", NULL, "It was short of CPU"},
	    {WAITED(1.2), COLUMN("cpu_usage", 0.5), "", "bottleneck", NULL, NULL},
	    {WAITED(0.52), COLUMN("cpu_usage", 0.12), "", "bottleneck", NULL,
	     "It was short of CPU"},
	    {WAITED(0.48), COLUMN("cpu_usage", 0.12), "", "bottleneck", NULL, NULL},
	    {ENDED ", " WAITED(0.48), COLUMN("cpu_usage", 0.08), "", "bottleneck", NULL,
	     "It was idle"},
	    {ENDED, COLUMN("cpu_usage", 0.12), QUIET, "bottleneck", NULL, "Nothing held"},
	    {ENDED, COLUMN("cpu_usage", 0.08), QUIET, "bottleneck", NULL, "It was idle"},
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
TEST_WITH(a_glimpse, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(recordings_load(
	    t, "a.json",
	    "{\"metadata\": {\"start_time\": 10, \"stop_time\": 10.01}, \"server_info\": "
	    "{\"vcpus\": 4, \"memory_mb\": 8192}, \"rtrack\": {" ENDED
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
TEST_WITH(shares_are_of_the_time, recordings_begin, recordings_end)
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
