/* watch_screen: what stands where, in terminals of any size, whatever the job's texts are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/head/snapshot_head.h"
#include "report/render/text_layout.h"
#include "report/watch/watch_screen.h"
#include "tests/unit/unit.h"

struct job {
	struct run run;
	struct stats stats[METRIC_COUNT];
	struct phases phases;
	struct watch_now is;
	struct watch_view v;
};

static int set_up(void **state)
{
	struct job *j = calloc(1, sizeof *j);
	struct snapshot *s = &j->run.snapshot;
	double row[METRIC_COUNT];

	j->run.stats = j->stats;
	snapshot_head_defaults(s);
	s->meta.track_processes = s->meta.track_system = true;
	s->meta.start_time = 1000;
	s->job.known = true;
	s->job.name = "train";
	s->job.host = "node7";
	s->server.known = true;
	s->server.vcpus = 8;
	s->server.memory_b = 64.0 * 1073741824;
	s->limits =
	    (struct snapshot_limits){.known = true, .cpus = 4, .memory_b = 8.0 * 1073741824};
	j->run.file = (char *)(uintptr_t) "runs/a.json.gz.partial";
	j->is.interval_s = 1;
	for (int i = 0; i < 100; i++) {
		for (int id = 0; id < METRIC_COUNT; id++)
			row[id] = 0;
		row[METRIC_PROCESS_TIMESTAMP] = row[METRIC_SYSTEM_TIMESTAMP] = 1001 + i;
		row[METRIC_PROCESS_UTIME] = 2.5;
		row[METRIC_PROCESS_STIME] = 0.5;
		row[METRIC_PROCESS_CPU_USAGE] = 3;
		row[METRIC_PROCESS_MEMORY] = i == 50 ? 6e9 : 4.0 * 1073741824;
		row[METRIC_PROCESS_READ_BYTES] = 120.0 * 1048576;
		row[METRIC_PROCESS_STATE_CPU] = 0.6;
		row[METRIC_PROCESS_STATE_DISK] = 0.4;
		row[METRIC_SYSTEM_CPU_USAGE] = 7;
		row[METRIC_SYSTEM_MEMORY_USED] = 32.0 * 1073741824;
		watch_now_row(&j->is, row, false);
	}
	watch_now_stats(&j->is, j->run.stats);
	phases_mark(&j->phases, 1001, "load", 4);
	phases_mark(&j->phases, 1061, "fit", 3);
	j->v = (struct watch_view){.state = WATCH_RUNS,
	                           .source = "runs/",
	                           .failed = "",
	                           .end = "",
	                           .job = 1,
	                           .jobs = 2,
	                           .now = 1101,
	                           .run = &j->run,
	                           .phases = &j->phases,
	                           .is = &j->is,
	                           .left = {.runs = 8, .left_s = 720, .longest_s = 900}};
	*state = j;
	return 0;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

static void shows(const char *screen, const char *text)
{
	if (!strstr(screen, text))
		fail_msg("no \"%s\" in\n%s", text, screen);
}

static const struct watch_size plain = {.width = 80, .height = 24};

TEST_WITH(a_running_job, set_up, tear_down)
{
	struct job *j = *state;
	struct buf b = {0};

	watch_screen(&j->v, &plain, &b);
	shows(b.s, "running (1 of 2): train on node7\n");
	shows(b.s, "1 min 41 s; about 12 min left, from 8 earlier runs\n");
	shows(b.s, "CPU      3.00 of 4 CPUs\n");
	shows(b.s, "memory   4.00 GiB of 8.00 GiB, peak 5.59 GiB\n");
	shows(b.s, "disk     read 120 MiB/s, write 0 B/s\n");
	shows(b.s, "time     on a CPU 60%, waiting for the disk 40%\n");
	shows(b.s, "phase    fit, for 40 s, after 1 other\n");
	shows(b.s, "machine  7.00 of 8 CPUs, 32.0 GiB of 64.0 GiB used\n");
	shows(b.s, "\nq quit  n next job  sort: c m t (CPU)");
	assert_null(strstr(b.s, "GPU"));
	assert_null(strchr(b.s, '\x1b'));
	assert_null(strstr(b.s, "process")); /* the journal does not have them */
	buf_free(&b);
}

TEST_WITH(the_processes_now, set_up, tear_down)
{
	struct job *j = *state;
	struct process_entry p = {.kind = PROCESS_ENTRY_NOW,
	                          .pid = 4711,
	                          .n = 1987,
	                          .memory_b = 1073741824,
	                          .start_s = 1,
	                          .end_s = 64,
	                          .name = "python3"};
	struct buf b = {0};

	watch_now_processes(&j->is, &p, 1);
	watch_screen(&j->v, &plain, &b);
	shows(b.s, "   4711   1.99  1.00 GiB    1 min 3 s python3\n");
	buf_clear(&b);

	/* Where there is little room, the folder of a program has none. */
	snprintf(j->is.process[0].command, sizeof p.command, "/opt/env/bin/python3 /a/train.py");
	watch_screen(&j->v, &plain, &b);
	shows(b.s, "1 min 3 s /opt/env/bin/python3 /a/train.py\n");
	buf_clear(&b);
	watch_screen(&j->v, &(struct watch_size){.width = 40, .height = 24}, &b);
	shows(b.s, "   4711   1.99  1.00 GiB python3 /a/trai\n");
	buf_free(&b);
}

/* Of any size: no line is wider, and there are as many as fit. */
TEST_WITH(any_size, set_up, tear_down)
{
	struct job *j = *state;
	struct process_entry p[12] = {{.kind = PROCESS_ENTRY_NOW, .pid = 1}};

	for (size_t i = 0; i < 12; i++)
		strcpy(p[i].name, "a name that is long");
	watch_now_processes(&j->is, p, 12);
	for (size_t width = 1; width < 200; width += width < 50 ? 1 : 13)
		for (size_t height = 1; height < 40; height++) {
			struct watch_size size = {width, height, width % 2, height % 2};
			size_t lines = 1;
			struct buf b = {0};
			watch_screen(&j->v, &size, &b);
			for (char *at = b.s, *end;; at = end + 1, lines++) {
				end = strchr(at, '\n');
				size_t n = end ? (size_t)(end - at) : strlen(at);
				char *sgr = memchr(at, '\x1b', n);
				if (!sgr && text_layout_columns(at, n) > width)
					fail_msg("%zu columns: %.*s", width, (int)n, at);
				if (!end)
					break;
			}
			assert_int_equal(lines, height);
			buf_free(&b);
		}
}

TEST_WITH(parts_that_do_not_fit_are_left_out, set_up, tear_down)
{
	struct job *j = *state;
	struct buf b = {0};

	watch_screen(&j->v, &(struct watch_size){.width = 40, .height = 24}, &b);
	shows(b.s, "\n1 min 41 s; about 12 min left\n");
	shows(b.s, "\nmemory   4.00 GiB of 8.00 GiB\n");
	shows(b.s, "\ntime     on a CPU 60%\n");
	shows(b.s, "\nphase    fit, for 40 s, after 1 other\n");
	buf_clear(&b);
	/* A single part is cut. */
	watch_screen(&j->v, &(struct watch_size){.width = 12, .height = 24}, &b);
	shows(b.s, "\ntime     on \n");
	buf_free(&b);
}

TEST_WITH(pictures_are_as_wide_as_there_is_room, set_up, tear_down)
{
	struct job *j = *state;
	struct buf b = {0};

	watch_screen(&j->v, &(struct watch_size){.width = 80, .height = 24, .utf8 = true}, &b);
	/* 29 columns of 4 samples each, the last of which are three quarters of 4 CPUs. */
	shows(b.s, "▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆\n");
	/* The one high sample is seen. */
	shows(b.s, "▄▄▄▄▄▄▄▄▄▄▄▄▆▄▄▄▄▄▄▄▄▄▄▄▄\n");
	buf_free(&b);
}

TEST_WITH(hostile_texts_move_nothing, set_up, tear_down)
{
	struct job *j = *state;
	struct process_entry p = {.kind = PROCESS_ENTRY_NOW,
	                          .name = "\x1b[2J\x9b"
	                                  "31m\n\r\tx"};
	struct buf b = {0};

	j->run.snapshot.job.name = "\x1b]0;title\x07\nname \xe2\x80\xae right";
	phases_mark(&j->phases, 1070, "\x1b[31mred", 8);
	watch_now_processes(&j->is, &p, 1);
	watch_screen(&j->v, &plain, &b);
	assert_null(strchr(b.s, '\x1b'));
	assert_null(strchr(b.s, '\r'));
	assert_null(strstr(b.s, "\xe2\x80\xae"));
	shows(b.s, "title");
	buf_free(&b);
}

TEST_WITH(no_news, set_up, tear_down)
{
	struct job *j = *state;
	struct buf b = {0};

	j->v.now = 1101 + 90;
	watch_screen(&j->v, &plain, &b);
	shows(b.s, "The last sample is from 1 min 31 s ago.\n");
	buf_free(&b);
}

TEST_WITH(ended_and_waiting, set_up, tear_down)
{
	struct job *j = *state;
	struct buf b = {0};

	j->v.state = WATCH_ENDED;
	j->v.jobs = 0;
	j->v.end = "The job finished with exit status 0.";
	j->v.now = 5000;
	watch_screen(&j->v, &plain, &b);
	shows(b.s, "ended: train on node7\n1 min 40 s\nThe job finished with exit status 0.\n");
	buf_clear(&b);
	j->v.state = WATCH_WAITS;
	watch_screen(&j->v, &plain, &b);
	shows(b.s, "No job is running in runs/.\nWaiting for one to start.\n");
	buf_free(&b);
}

TEST_WITH(the_machine_alone, set_up, tear_down)
{
	struct job *j = *state;
	struct buf b = {0};

	j->run.snapshot.meta.track_processes = false;
	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].scope == METRIC_SCOPE_PROCESS)
			j->run.stats[id] = stats_none();
	watch_screen(&j->v, &plain, &b);
	shows(b.s, "memory   32.0 GiB of 64.0 GiB, peak 32.0 GiB\n");
	assert_null(strstr(b.s, "machine"));
	buf_free(&b);
}
