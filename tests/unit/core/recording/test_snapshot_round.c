/* snapshot: what was written reads back the same. */
#include <math.h>
#include <signal.h>
#include <string.h>

#include "core/files/snapshot_read.h"
#include "tests/unit/core/recording/recording.h"
#include "tests/unit/unit.h"

static void same_list(const struct snapshot_list *a, const struct snapshot_list *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++)
		assert_string_equal(a->v[i], b->v[i]);
}

static void same_pairs(const struct snapshot_pairs *a, const struct snapshot_pairs *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		assert_string_equal(a->v[i].key, b->v[i].key);
		assert_string_equal(a->v[i].value, b->v[i].value);
	}
}

static void same_asked(const struct snapshot_asked *a, const struct snapshot_asked *b)
{
	assert_true(a->known && b->known);
	for (int i = 0; i < SNAPSHOT_ASKED_N; i++) {
		if (isnan(b->of[i].value)) {
			assert_true(isnan(a->of[i].value));
			continue;
		}
		assert_true(a->of[i].value == b->of[i].value);
		assert_string_equal(a->of[i].source, b->of[i].source);
		assert_string_equal(a->of[i].detail, b->of[i].detail);
		assert_int_equal(a->of[i].share, b->of[i].share);
	}
}

static void same_part(const struct snapshot_part *a, const struct snapshot_part *b)
{
	assert_true(a->known && b->known);
	assert_string_equal(a->job, b->job);
	assert_string_equal(a->node, b->node);
	assert_string_equal(a->covers, b->covers);
	assert_true(a->nodes == b->nodes && a->task == b->task && a->tasks == b->tasks);
	assert_string_equal(a->array_job, b->array_job);
	assert_true(a->array_index == b->array_index);
}

static void same_head(const struct snapshot *a, const struct snapshot *b)
{
	assert_string_equal(a->meta.version, b->meta.version);
	assert_true(a->meta.pid == b->meta.pid && a->meta.interval == b->meta.interval);
	assert_true(a->meta.start_time == b->meta.start_time);
	assert_true(a->meta.stop_time == b->meta.stop_time);
	assert_true(a->meta.duration == 3.25);
	assert_true(a->meta.children && a->meta.autostart && a->meta.discover_server);
	assert_false(a->meta.discover_cloud);
	assert_true(a->server.known && a->server.vcpus == 4 && a->server.gpu_count == 2);
	assert_true(a->server.memory_b == b->server.memory_b);
	assert_true(a->server.gpu_memory_b == b->server.gpu_memory_b);
	assert_string_equal(a->server.gpu_name, b->server.gpu_name);
	assert_string_equal(a->server.allocation, b->server.allocation);
	same_list(&a->server.gpu_names, &b->server.gpu_names);
	assert_true(a->cloud.known && a->cloud.discovery_time == 0.25);
	assert_string_equal(a->cloud.vendor, b->cloud.vendor);
	assert_string_equal(a->cloud.instance_type, b->cloud.instance_type);
	assert_string_equal(a->cloud.region, b->cloud.region);
	assert_string_equal(a->machine.cpu_model, b->machine.cpu_model);
	assert_string_equal(a->machine.host_id, b->machine.host_id);
	assert_string_equal(a->machine.ip, b->machine.ip);
	assert_string_equal(a->machine.zone, b->machine.zone);
	assert_string_equal(a->machine.account, b->machine.account);
	assert_true(a->job.known && a->job.argc == 5);
	assert_string_equal(a->job.argv[2], "</script><b>");
	assert_string_equal(a->job.argv[3], "caf\xef\xbf\xbd");
	assert_string_equal(a->job.argv[4], "\x1b[31m\n");
	assert_string_equal(a->job.name, b->job.name);
	assert_string_equal(a->job.cwd, b->job.cwd);
	assert_string_equal(a->job.host, b->job.host);
	assert_string_equal(a->job.user, b->job.user);
	same_pairs(&a->job.tags, &b->job.tags);
	same_pairs(&a->job.labels, &b->job.labels);
	same_asked(&a->asked, &b->asked);
	same_part(&a->part, &b->part);
	assert_true(a->exit.known && a->exit.code == 7 && a->exit.signal == 0);
	assert_string_equal(a->exit.cause, "exited");
	assert_true(a->end.known && a->end.evidence->oom_kills == 2 &&
	            a->end.evidence->core_dumped);
	assert_string_equal(a->end.cause, "oom");
	assert_string_equal(a->end.sentence, "Memory.");
	assert_true(isnan(a->end.evidence->oom_kills_machine) && !a->end.evidence->time_enforced);
	assert_true(a->end.evidence->n_signals == 1 &&
	            a->end.evidence->signals[0].before_s == 0.5 &&
	            a->end.evidence->signals[0].uid == 1000);
	assert_string_equal(a->end.evidence->signals[0].from, "sh");
	assert_true(a->end.evidence->n_full == 1 && a->end.evidence->full[0].bytes == 0 &&
	            isnan(a->end.evidence->full[0].inodes));
	assert_true(a->end.evidence->death.known && a->end.evidence->death.pid == 77);
	assert_string_equal(a->end.evidence->death.signal, "SEGV");
	assert_true(a->totals.known && a->totals.wall_s == 3.25 && a->totals.utime_s == 1.5);
	assert_true(a->totals.stime_s == 0.125 && a->totals.max_rss_b == 123456789);
	same_list(&a->notes, &b->notes);
}

TEST(round_trip)
{
	static const size_t sizes[] = {0, 1, 511, 512, 513, 5000};

	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
		for (int schema = SCHEMA_1; schema <= SCHEMA_2; schema++) {
			struct snapshot s = {.unfinished = false}, back = {.unfinished = false};
			struct err e = {{0}};
			int fd;
			fill(&s, sizes[k], false);
			snapshot_note(&s, "GPUs were not looked for.");
			fd = written(&s, (enum schema)schema);
			if (snapshot_read(&back, fd, "f", &e))
				fail_msg("%s", e.msg);
			assert_int_equal(back.schema, schema);
			same_head(&back, &s);
			assert_int_equal(back.rows[0].rows, sizes[k]);
			assert_int_equal(back.rows[1].rows, sizes[k]);
			for (int id = 0; id < METRIC_COUNT && sizes[k]; id++) {
				const struct metric *m = &metrics[id];
				const double *col = frame_col(&back.rows[m->scope], m->id);
				double scale = metric_scale(m->unit, (enum schema)schema);
				for (size_t i = 0; i < sizes[k]; i++)
					assert_true(col[i] ==
					            scale * metric_spell(m, (enum schema)schema,
					                                 cell(m->id, i)));
			}
			snapshot_free(&s);
			snapshot_free(&back);
			close(fd);
		}
}

/* An untracked scope is an empty object, and its columns are not noted as missing. */
TEST(one_scope)
{
	struct snapshot s = {.unfinished = false}, back = {.unfinished = false};
	char *text;
	int fd;

	fill(&s, 3, false);
	s.meta.track_processes = false;
	fd = written(&s, SCHEMA_1);
	text = inflated(fd);
	assert_non_null(strstr(text, "\"process_metrics\":{},\"system_metrics\":{\"timestamp\":["));
	assert_int_equal(snapshot_read(&back, fd, "f", NULL), 0);
	assert_int_equal(back.rows[0].rows, 0);
	assert_int_equal(back.rows[1].rows, 3);
	assert_int_equal(back.notes.n, 0);
	assert_false(back.meta.track_processes);
	free(text);
	close(fd);
	snapshot_free(&s);
	snapshot_free(&back);
}

/* A driver that answers late: other readers get the nearest measurement, ours gets none. */
TEST(gpus_that_answer_late)
{
	static const struct {
		double usage, vram;
	} rows[] = {{NAN, NAN}, {NAN, 2 << 20}, {0.8, 3 << 20}, {NAN, NAN}, {0.4, 1 << 20}};
	struct snapshot s = {.unfinished = false}, back = {.unfinished = false};
	char *text;
	int fd;

	fill(&s, 0, false);
	for (size_t i = 0; i < 5; i++) {
		frame_push(&s.rows[0], METRIC_PROCESS_TIMESTAMP, (double)i, NULL);
		frame_push(&s.rows[0], METRIC_PROCESS_GPU_UTILIZED, rows[i].usage > 0, NULL);
		frame_push(&s.rows[1], METRIC_SYSTEM_TIMESTAMP, (double)i, NULL);
		frame_push(&s.rows[1], METRIC_SYSTEM_GPU_USAGE, rows[i].usage, NULL);
		frame_push(&s.rows[1], METRIC_SYSTEM_GPU_VRAM, rows[i].vram, NULL);
		frame_push(&s.rows[1], metric_gpu_usage(0), rows[i].usage, NULL);
		frame_push(&s.rows[1], metric_gpu_vram(0), rows[i].vram, NULL);
	}
	frame_square(&s.rows[0], NULL);
	frame_square(&s.rows[1], NULL);
	fd = written(&s, SCHEMA_1);
	text = inflated(fd);
	assert_non_null(strstr(text, "\"gpu_usage\":[0.8,0.8,0.8,0.8,0.4]"));
	assert_non_null(strstr(text, "\"gpu_vram\":[2,2,3,3,1]"));
	assert_non_null(strstr(text, "\"gpu0_usage\":[null,null,0.8,null,0.4]"));
	assert_non_null(strstr(text, "\"net_recv_bytes\":[0,0,0,0,0]"));
	assert_non_null(
	    strstr(text, "system_gpu_usage was not measured in 3 of 5 samples; the file has the "
	                 "nearest measurement there."));
	assert_int_equal(snapshot_read(&back, fd, "f", NULL), 0);
	for (size_t i = 0; i < 5; i++) {
		double usage = frame_col(&back.rows[1], METRIC_SYSTEM_GPU_USAGE)[i],
		       vram = frame_col(&back.rows[1], METRIC_SYSTEM_GPU_VRAM)[i],
		       utilized = frame_col(&back.rows[0], METRIC_PROCESS_GPU_UTILIZED)[i];
		assert_true(isnan(rows[i].usage) ? isnan(usage) : usage == rows[i].usage);
		assert_true(isnan(rows[i].vram) ? isnan(vram) : vram == rows[i].vram);
		assert_true(isnan(rows[i].usage) ? isnan(utilized) : utilized == 1);
	}
	free(text);
	close(fd);
	snapshot_free(&s);
	snapshot_free(&back);
}

TEST(exits)
{
	static const struct {
		bool known;
		int code, signal;
		const char *json;
	} cases[] = {
	    {true, 0, 0, "\"exit\":{\"code\":0,\"signal\":null,\"cause\":\"\"}"},
	    {true, 255, 0, "\"exit\":{\"code\":255,\"signal\":null,\"cause\":\"\"}"},
	    {true, -1, SIGTERM, "\"exit\":{\"code\":null,\"signal\":\"TERM\",\"cause\":\"\"}"},
	    {true, -1, SIGKILL, "\"exit\":{\"code\":null,\"signal\":\"KILL\",\"cause\":\"\"}"},
	    {true, -1, 40, "\"exit\":{\"code\":null,\"signal\":\"40\",\"cause\":\"\"}"},
	    {false, -1, 0, "\"exit\":{\"code\":null,\"signal\":null,\"cause\":\"\"}"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot s = {.unfinished = false}, back = {.unfinished = false};
		char *text;
		int fd;
		snapshot_head_defaults(&s);
		s.exit.known = cases[i].known;
		s.exit.code = cases[i].code;
		s.exit.signal = cases[i].signal;
		fd = written(&s, SCHEMA_1);
		text = inflated(fd);
		assert_non_null(strstr(text, cases[i].json));
		assert_int_equal(snapshot_read(&back, fd, "f", NULL), 0);
		assert_int_equal(back.exit.known, cases[i].known);
		assert_int_equal(back.exit.code, cases[i].code);
		assert_int_equal(back.exit.signal, cases[i].signal);
		free(text);
		close(fd);
		snapshot_free(&s);
		snapshot_free(&back);
	}
}

/* A zeroed snapshot and one that knows nothing are written and read. */
TEST(knows_nothing)
{
	struct snapshot s = {.unfinished = false}, back = {.unfinished = false};
	int fd;

	s.meta.track_processes = s.meta.track_system = true;
	fd = written(&s, SCHEMA_2);
	assert_int_equal(snapshot_read(&back, fd, "f", NULL), 0);
	assert_true(isnan(back.server.vcpus) && isnan(back.server.memory_b));
	assert_string_equal(back.cloud.vendor, "unknown");
	assert_string_equal(back.job.host, "");
	assert_int_equal(back.rows[0].rows, 0);
	close(fd);
	snapshot_free(&s);
	snapshot_free(&back);
}
