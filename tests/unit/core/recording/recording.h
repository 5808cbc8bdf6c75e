/*
 * recording: a snapshot that has everything, written and inflated again, for tests. Included
 * after cmocka.h.
 */
#ifndef TESTS_UNIT_CORE_RECORDING_H
#define TESTS_UNIT_CORE_RECORDING_H

#include <math.h>

#include "core/base/buf.h"
#include "core/end/end_cause.h"
#include "core/files/snapshot_write.h"
#include "core/head/snapshot_head.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/unit.h"

static inline double cell(enum metric_id id, size_t row)
{
	return metrics[id].unit == METRIC_UNIT_TIME
	           ? 1760000000.125 + (double)row
	           : 1e6 * (double)(id + 1) + 12345.678 * (double)(row % 1000);
}

/* A run with everything told; every 7th cell of the documented columns was not measured. */
static inline void fill(struct snapshot *s, size_t rows, bool holes)
{
	static struct snapshot_pair tags[] = {{"team", "a\"b"}, {"", ""}},
				    labels[] = {{"ci", "yes"}};
	static const char *gpus[] = {"Example 100", "Example 100"};
	static const char *argv[] = {"make", "-j2", "</script><b>", "caf\xe9", "\x1b[31m\n"};

	snapshot_head_defaults(s);
	s->meta.version = "0.1.0";
	s->meta.implementation = "procfs";
	s->meta.pid = 77;
	s->meta.interval = 0.5;
	s->meta.start_time = 1760000000.125;
	s->meta.stop_time = 1760000003.375;
	s->meta.children = s->meta.autostart = s->meta.discover_server = true;
	s->server.os = "Linux";
	s->server.vcpus = 4;
	s->server.memory_b = 8.25 * 1073741824;
	s->server.gpu_count = 2;
	s->server.gpu_memory_b = 32768 * 1048576.0;
	s->server.gpu_name = "Example 100";
	s->server.gpu_names = (struct snapshot_list){gpus, 2};
	s->server.allocation = "shared";
	s->cloud.vendor = "aws";
	s->cloud.instance_type = "m5.large";
	s->cloud.region = "eu-west-1";
	s->cloud.discovery_time = 0.25;
	s->machine = (struct snapshot_machine){"Example CPU @ 2 GHz", "0123", "fd00::2",
	                                       "eu-west-1b", "</script>"};
	s->job.known = true;
	s->job.name = "nightly & co";
	s->job.argv = argv;
	s->job.argc = 5;
	s->job.cwd = "/tmp/\xe2\x80\xa8x";
	s->job.host = "</script><script>alert(1)</script>";
	s->job.user = "me";
	s->job.tags = (struct snapshot_pairs){tags, 2};
	s->job.labels = (struct snapshot_pairs){labels, 1};
	s->asked.known = true;
	s->asked.of[SNAPSHOT_ASKED_CPUS] =
	    (struct snapshot_ask){2, SNAPSHOT_ASKED_SCHEDULER, "SLURM_CPUS_PER_TASK", true};
	s->asked.of[SNAPSHOT_ASKED_MEMORY] =
	    (struct snapshot_ask){524288000, SNAPSHOT_ASKED_OPTION, "--asked", false};
	s->part = (struct snapshot_part){.known = true,
	                                 .job = "slurm/t/7/0/0",
	                                 .node = "n1",
	                                 .covers = "task",
	                                 .nodes = 2,
	                                 .task = 3,
	                                 .tasks = 4,
	                                 .array_job = "slurm/t/5",
	                                 .array_index = 6};
	s->exit.known = true;
	s->exit.code = 7;
	s->exit.cause = "exited";
	s->end = (struct snapshot_end){.known = true, .cause = "oom", .sentence = "Memory."};
	s->end.evidence = snapshot_alloc(s, sizeof *s->end.evidence);
	*s->end.evidence = end_cause_none();
	s->end.evidence->oom_kills = 2;
	s->end.evidence->core_dumped = true;
	s->end.evidence->signals[0] = (struct snapshot_end_signal){"TERM", "sh", 12, 1000, 0.5};
	s->end.evidence->n_signals = 1;
	s->end.evidence->full[0] = (struct snapshot_end_disk){"/tmp", 0, NAN, true};
	s->end.evidence->n_full = 1;
	s->end.evidence->death =
	    (struct snapshot_end_death){true, "sort", "SEGV", 77, 0.25, NAN, NAN};
	s->totals.known = true;
	s->totals.wall_s = 3.25;
	s->totals.utime_s = 1.5;
	s->totals.stime_s = 0.125;
	s->totals.max_rss_b = 123456789;
	for (size_t i = 0; i < rows; i++)
		for (int id = 0; id < METRIC_COUNT; id++) {
			bool hole = holes && metrics[id].unit != METRIC_UNIT_TIME && i % 7 == 3;
			assert_int_equal(
			    frame_push(&s->rows[metrics[id].scope], (enum metric_id)id,
			               hole ? (double)NAN : cell((enum metric_id)id, i), NULL),
			    0);
		}
	assert_int_equal(frame_square(&s->rows[0], NULL), 0);
	assert_int_equal(frame_square(&s->rows[1], NULL), 0);
}

static inline int written(struct snapshot *s, enum schema schema)
{
	int fd = memfd_create("snapshot", MFD_CLOEXEC);
	struct snapshot_source rows = snapshot_source_of(s);
	struct err e = {{0}};

	assert_true(fd >= 0);
	if (snapshot_write(s, &rows, schema, fd, &e))
		fail_msg("%s", e.msg);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static inline char *inflated(int fd)
{
	struct gz_in *g = gz_in_new(fd, 1 << 30, NULL);
	struct buf b = {0};
	char p[4096];
	long n;

	lseek(fd, 0, SEEK_SET);
	while ((n = gz_read(g, p, sizeof p, NULL)) > 0)
		buf_add(&b, p, (size_t)n);
	assert_int_equal(n, 0);
	gz_in_free(g);
	lseek(fd, 0, SEEK_SET);
	return buf_take(&b);
}

#endif
