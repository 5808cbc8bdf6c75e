/* snapshot_read: limits, GPUs, processes and totals, as they should be and as they should not. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/files/snapshot_read.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/unit.h"

/* Reads a recording with these members in our block. */
static void take(struct snapshot *s, const char *own)
{
	struct err e = {{0}};
	struct buf b = {0};
	int fd;

	*s = (struct snapshot){.unfinished = false};
	buf_printf(&b, "{\"rtrack\":{%s},\"process_metrics\":{\"timestamp\":[1]}}", own);
	fd = scratch_text(buf_cstr(&b));
	if (snapshot_read(s, fd, "run.json", &e))
		fail_msg("%s", e.msg);
	close(fd);
	buf_free(&b);
}

static void same(double got, double expected)
{
	if (isnan(expected) ? !isnan(got) : got != expected)
		fail_msg("%.17g, not %.17g", got, expected);
}

TEST(limits)
{
	struct snapshot s;

	take(&s, "\"limits\":{\"cpus\":1.5,\"cpus_from\":\"cpu.max\",\"cpus_quota\":1.5,"
	         "\"cpus_cpuset\":4,\"cpus_affinity\":3,\"cpus_online\":8,\"memory_bytes\":1024,"
	         "\"memory_from\":\"memory.max\",\"memory_high_bytes\":512,\"swap_bytes\":0,"
	         "\"address_space_bytes\":4096,\"hidden_cgroups\":true}");
	assert_true(s.limits.known);
	assert_true(s.limits.hidden);
	same(s.limits.cpus, 1.5);
	same(s.limits.cpus_quota, 1.5);
	same(s.limits.cpus_cpuset, 4);
	same(s.limits.cpus_affinity, 3);
	same(s.limits.cpus_online, 8);
	assert_string_equal(s.limits.cpus_from, "cpu.max");
	same(s.limits.memory_b, 1024);
	assert_string_equal(s.limits.memory_from, "memory.max");
	same(s.limits.memory_high_b, 512);
	same(s.limits.swap_b, 0);
	same(s.limits.address_space_b, 4096);
	snapshot_free(&s);
}

/* The wrong kind of anything is as if it were not there. */
TEST(wrong_limits)
{
	static const char *const wrong[] = {
	    "\"limits\":{}",
	    "\"limits\":{\"cpus\":\"many\",\"memory_bytes\":[1],\"swap_bytes\":{},\"cpus_from\":7,"
	    "\"hidden_cgroups\":\"true\",\"memory_high_bytes\":true,\"address_space_bytes\":\"\"}",
	    "\"limits\":{\"cpus\":-2,\"memory_bytes\":0,\"swap_bytes\":-1,\"cpus_from\":null,"
	    "\"memory_high_bytes\":-0.5,\"address_space_bytes\":-1e300}",
	    "\"limits\":{\"cpus\":1e999,\"memory_bytes\":-1e999,\"swap_bytes\":1e999,"
	    "\"memory_high_bytes\":\"inf\",\"address_space_bytes\":\"nan\"}",
	};

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct snapshot s;
		take(&s, wrong[i]);
		assert_true(s.limits.known);
		assert_false(s.limits.hidden);
		same(s.limits.cpus, NAN);
		same(s.limits.memory_b, NAN);
		same(s.limits.swap_b, NAN);
		same(s.limits.memory_high_b, NAN);
		same(s.limits.address_space_b, NAN);
		assert_string_equal(s.limits.cpus_from, "");
		snapshot_free(&s);
	}
}

/* Nothing of it there, or nothing of it of the right kind. */
TEST(absent)
{
	static const char *const none[] = {
	    "",
	    "\"limits\":null,\"gpus\":null,\"processes\":null,\"totals\":null",
	    "\"limits\":[1],\"gpus\":{\"a\":{}},\"processes\":[{}],\"totals\":\"x\"",
	    "\"limits\":7,\"gpus\":\"two\",\"processes\":true,\"totals\":[]",
	};

	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		struct snapshot s;
		take(&s, none[i]);
		assert_false(s.limits.known);
		same(s.limits.cpus, NAN);
		assert_string_equal(s.limits.memory_from, "");
		assert_int_equal(s.n_gpus, 0);
		assert_false(s.processes.known);
		assert_int_equal(s.processes.n_top + s.processes.n_others, 0);
		same(s.processes.seen, NAN);
		assert_false(s.totals.known);
		same(s.totals.exact_cpu_s, NAN);
		snapshot_free(&s);
	}
}

TEST(gpus)
{
	struct snapshot s;

	take(&s, "\"gpus\":[{\"uuid\":\"GPU-1\",\"name\":\"H100\",\"memory_bytes\":80,"
	         "\"memory_max_bytes\":70,\"utilisation_mean\":0.25,\"utilisation_max\":1,"
	         "\"power_mean_w\":100.5,\"power_max_w\":300,\"temperature_max_c\":-4},7,null,"
	         "{\"uuid\":[],\"name\":null,\"memory_bytes\":-1,\"memory_max_bytes\":\"12\","
	         "\"utilisation_mean\":\"half\",\"power_max_w\":-3,\"temperature_max_c\":{}}]");
	assert_int_equal(s.n_gpus, 4);
	assert_string_equal(s.gpus[0].uuid, "GPU-1");
	assert_string_equal(s.gpus[0].name, "H100");
	same(s.gpus[0].memory_b, 80);
	same(s.gpus[0].memory_max_b, 70);
	same(s.gpus[0].utilisation_mean, 0.25);
	same(s.gpus[0].utilisation_max, 1);
	same(s.gpus[0].power_mean_w, 100.5);
	same(s.gpus[0].power_max_w, 300);
	same(s.gpus[0].temperature_max_c, -4);
	for (size_t i = 1; i < 4; i++) {
		assert_string_equal(s.gpus[i].uuid, "");
		assert_string_equal(s.gpus[i].name, "");
		same(s.gpus[i].memory_b, NAN);
		/* A number may come as text. */
		same(s.gpus[i].memory_max_b, i == 3 ? 12 : (double)NAN);
		same(s.gpus[i].utilisation_mean, NAN);
		same(s.gpus[i].power_max_w, NAN);
		same(s.gpus[i].temperature_max_c, NAN);
	}
	snapshot_free(&s);
}

TEST(processes)
{
	struct snapshot s;

	take(&s,
	     "\"processes\":{\"seen\":2,\"seen_cpu_s\":1.5,\"unseen_cpu_s\":0.25,\"top\":["
	     "{\"pid\":7,\"ppid\":1,\"name\":\"cc\",\"command\":\"cc -c \\u0000a\",\"start\":10,"
	     "\"end\":null,\"cpu_s\":1.25,\"peak_rss_bytes\":4096,\"peak_pss_bytes\":null,"
	     "\"read_bytes\":1,\"write_bytes\":2,\"exit_code\":null,\"signal\":\"KILL\"}],"
	     "\"others\":[{\"name\":null,\"count\":3,\"cpu_s\":0.5,\"peak_rss_bytes\":5},"
	     "{\"name\":[],\"count\":-3,\"cpu_s\":\"x\",\"read_bytes\":-1},[],\"sh\"]}");
	assert_true(s.processes.known);
	same(s.processes.seen, 2);
	same(s.processes.seen_cpu_s, 1.5);
	same(s.processes.unseen_cpu_s, 0.25);
	assert_int_equal(s.processes.n_top, 1);
	same(s.processes.top->pid, 7);
	same(s.processes.top->ppid, 1);
	assert_string_equal(s.processes.top->name, "cc");
	same(s.processes.top->start, 10);
	same(s.processes.top->end, NAN);
	same(s.processes.top->cpu_s, 1.25);
	same(s.processes.top->peak_rss_b, 4096);
	same(s.processes.top->peak_pss_b, NAN);
	same(s.processes.top->read_b, 1);
	same(s.processes.top->write_b, 2);
	same(s.processes.top->exit_code, NAN);
	assert_string_equal(s.processes.top->signal, "KILL");
	assert_int_equal(s.processes.n_others, 4);
	same(s.processes.others[0].count, 3);
	same(s.processes.others[0].peak_rss_b, 5);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(s.processes.others[i].name, "");
		assert_string_equal(s.processes.others[i].command, "");
		same(s.processes.others[i].cpu_s, i ? (double)NAN : 0.5);
		same(s.processes.others[i].count, i ? (double)NAN : 3);
		same(s.processes.others[i].read_b, NAN);
	}
	snapshot_free(&s);
}

/* The tables hold so many, however many there are, and the first ones. */
TEST(bounded)
{
	struct snapshot s;
	struct buf b = {0};

	buf_str(&b, "\"processes\":{\"top\":[");
	for (int i = 0; i < 10000; i++)
		buf_printf(&b, "%s{\"pid\":%d,\"cpu_s\":-%d}", i ? "," : "", i, i);
	buf_str(&b, "],\"others\":[");
	for (int i = 0; i < 10000; i++)
		buf_printf(&b, "%s{\"name\":\"n%d\"}", i ? "," : "", i);
	buf_str(&b, "]},\"gpus\":[{\"name\":\"first\"}");
	for (int i = 0; i < 10000; i++)
		buf_str(&b, ",{}");
	buf_char(&b, ']');
	take(&s, buf_cstr(&b));
	assert_int_equal(s.processes.n_top, SNAPSHOT_PROCESSES_MAX);
	assert_int_equal(s.processes.n_others, SNAPSHOT_PROCESSES_MAX);
	assert_int_equal(s.n_gpus, SNAPSHOT_GPUS_MAX);
	same(s.processes.top[SNAPSHOT_PROCESSES_MAX - 1].pid, SNAPSHOT_PROCESSES_MAX - 1);
	same(s.processes.top[0].cpu_s, 0);
	same(s.processes.top[1].cpu_s, NAN);
	assert_string_equal(s.processes.others[1].name, "n1");
	assert_string_equal(s.gpus[0].name, "first");
	buf_free(&b);
	snapshot_free(&s);
}

TEST(totals)
{
	struct snapshot s;

	take(&s, "\"totals\":{\"wall_s\":10,\"utime_s\":3,\"stime_s\":1,\"max_rss_bytes\":100,"
	         "\"peak_rss_bytes\":200,\"read_bytes\":300,\"write_bytes\":400,"
	         "\"peak_virtual_bytes\":2000,\"rchar_bytes\":3000,\"wchar_bytes\":4000,"
	         "\"minor_faults\":5,\"major_faults\":6,\"ctx_voluntary\":7,\"ctx_involuntary\":8,"
	         "\"exact_cpu_s\":4.5,\"cpu_wait_s\":2.5,\"cgroup\":{\"memory_peak_bytes\":900,"
	         "\"psi_cpu_some_s\":1.25,\"oom_kills\":1}}");
	assert_true(s.totals.known);
	same(s.totals.wall_s, 10);
	same(s.totals.utime_s, 3);
	same(s.totals.peak_rss_b, 200);
	same(s.totals.read_b, 300);
	same(s.totals.write_b, 400);
	same(s.totals.peak_virtual_b, 2000);
	same(s.totals.rchar_b, 3000);
	same(s.totals.wchar_b, 4000);
	same(s.totals.minor_faults, 5);
	same(s.totals.major_faults, 6);
	same(s.totals.ctx_voluntary, 7);
	same(s.totals.ctx_involuntary, 8);
	same(s.totals.exact_cpu_s, 4.5);
	same(s.totals.cpu_wait_s, 2.5);
	same(s.totals.cgroup_cpu_some_s, 1.25);
	same(s.totals.cgroup_memory_peak_b, 900);
	same(s.totals.oom_kills, 1);
	snapshot_free(&s);
	take(&s, "\"totals\":{\"exact_cpu_s\":-1,\"read_bytes\":\"lots\",\"write_bytes\":[4],"
	         "\"minor_faults\":null,\"cgroup\":[900]}");
	assert_true(s.totals.known);
	same(s.totals.exact_cpu_s, NAN);
	same(s.totals.read_b, NAN);
	same(s.totals.write_b, NAN);
	same(s.totals.rchar_b, NAN);
	same(s.totals.peak_virtual_b, NAN);
	same(s.totals.minor_faults, NAN);
	same(s.totals.cpu_wait_s, NAN);
	same(s.totals.cgroup_cpu_some_s, NAN);
	same(s.totals.cgroup_memory_peak_b, NAN);
	snapshot_free(&s);
}

/* Version 0.1.0 called these members by other names. A new name goes before an old one. */
TEST(old_keys)
{
	struct snapshot s;

	take(&s, "\"totals\":{\"cgroup\":{\"cpu_some_s\":1.25}},\"limits\":{\"hidden\":true},"
	         "\"processes\":{\"singly\":[{\"pid\":7}]}");
	same(s.totals.cgroup_cpu_some_s, 1.25);
	assert_true(s.limits.hidden);
	assert_int_equal(s.processes.n_top, 1);
	same(s.processes.top->pid, 7);
	snapshot_free(&s);
	take(&s, "\"totals\":{\"cgroup\":{\"cpu_some_s\":1.25,\"psi_cpu_some_s\":2}},"
	         "\"limits\":{\"hidden\":true,\"hidden_cgroups\":false},"
	         "\"processes\":{\"singly\":[{\"pid\":7}],\"top\":[{\"pid\":8},{\"pid\":9}]}");
	same(s.totals.cgroup_cpu_some_s, 2);
	assert_false(s.limits.hidden);
	assert_int_equal(s.processes.n_top, 2);
	same(s.processes.top->pid, 8);
	snapshot_free(&s);
}
