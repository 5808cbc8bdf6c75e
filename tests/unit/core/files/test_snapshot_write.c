/* snapshot_write: what is written is what other readers expect. */
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>

#include "core/files/snapshot_read.h"
#include "core/files/snapshot_write.h"
#include "core/numbers/stats.h"
#include "core/recording/elapsed.h"
#include "tests/unit/core/recording/recording.h"
#include "tests/unit/unit.h"

static const char *const process_names[3][12] = {
    {0},
    {"timestamp", "pid", "children", "utime", "stime", "cpu_usage", "memory", "read_bytes",
     "write_bytes", "gpu_usage", "gpu_vram", "gpu_utilized"},
    {"timestamp", "pid", "children", "utime", "stime", "cpu_usage", "memory_mib", "disk_read_bytes",
     "disk_write_bytes", "gpu_usage", "gpu_vram_mib", "gpu_utilized"},
};

static const char *const system_names[3][21] = {
    {0},
    {"timestamp",
     "processes",
     "utime",
     "stime",
     "cpu_usage",
     "memory_free",
     "memory_used",
     "memory_buffers",
     "memory_cached",
     "memory_active",
     "memory_inactive",
     "disk_read_bytes",
     "disk_write_bytes",
     "disk_space_total_gb",
     "disk_space_used_gb",
     "disk_space_free_gb",
     "net_recv_bytes",
     "net_sent_bytes",
     "gpu_usage",
     "gpu_vram",
     "gpu_utilized"},
    {"timestamp",
     "processes",
     "utime",
     "stime",
     "cpu_usage",
     "memory_free_mib",
     "memory_used_mib",
     "memory_buffers_mib",
     "memory_cached_mib",
     "memory_active_mib",
     "memory_inactive_mib",
     "disk_read_bytes",
     "disk_write_bytes",
     "disk_space_total_gb",
     "disk_space_used_gb",
     "disk_space_free_gb",
     "net_recv_bytes",
     "net_sent_bytes",
     "gpu_usage",
     "gpu_vram_mib",
     "gpu_utilized"},
};

/* Returns the member after those n. */
static const cJSON *begins_with(const cJSON *o, const char *const *names, size_t n)
{
	const cJSON *v = o->child;

	assert_true(cJSON_IsObject(o));
	for (size_t i = 0; i < n; i++, v = v->next) {
		assert_non_null(v);
		assert_string_equal(v->string, names[i]);
	}
	return v;
}

static void has_keys(const cJSON *o, const char *const *names, size_t n)
{
	assert_null(begins_with(o, names, n));
}

/* The documented columns in their order; numbers in every row; the spelled value where measured. Of
 * what was not, a state has its value of the row before, and an amount is 0. */
static void check_columns(const cJSON *block, const char *const *names, size_t n,
                          enum metric_scope scope, enum schema schema, size_t rows)
{
	int id = scope == METRIC_SCOPE_PROCESS ? METRIC_PROCESS_TIMESTAMP : METRIC_SYSTEM_TIMESTAMP;
	const cJSON *ours = begins_with(block, names, n);

	for (const cJSON *col = block->child; col != ours; col = col->next, id++) {
		size_t row = 0;
		const cJSON *v;
		cJSON_ArrayForEach (v, col) {
			bool hole = row % 7 == 3 && metrics[id].unit != METRIC_UNIT_TIME;
			double want = metric_spell(&metrics[id], schema,
			                           cell((enum metric_id)id, row - hole));
			assert_true(cJSON_IsNumber(v));
			if (hole && metrics[id].kind == METRIC_KIND_DELTA)
				want = 0;
			if (v->valuedouble != want)
				fail_msg("%s row %zu: %.17g, not %.17g", col->string, row,
				         v->valuedouble, want);
			row++;
		}
		assert_int_equal(row, rows);
	}
}

TEST(as_other_readers_expect)
{
	static const char *const members[] = {"rtrack_row",    "metadata", "server_info",
	                                      "cloud_info",    "rtrack",   "process_metrics",
	                                      "system_metrics"};
	static const char *const meta[] = {"version",         "resource_tracker", "pid",
	                                   "children",        "interval",         "method",
	                                   "autostart",       "track_processes",  "track_system",
	                                   "discover_server", "discover_cloud",   "start_time",
	                                   "stop_time",       "duration"};
	static const char *const tool[] = {"version", "implementation"};
	static const char *const server[3][8] = {
	    {0},
	    {"os", "vcpus", "memory_mb", "gpu_count", "gpu_names", "gpu_name", "gpu_memory_mb",
	     "allocation"},
	    {"os", "vcpus", "memory_mib", "gpu_count", "gpu_names", "gpu_name", "gpu_memory_mib",
	     "allocation"}};
	static const char *const cloud[] = {"vendor", "instance_type", "region", "discovery_time"};
	static const char *const own[] = {"format", "job",    "machine", "asked",   "part",
	                                  "exit",   "end",    "totals",  "samples", "statistics",
	                                  "phases", "states", "notes",   "time_at"};

	for (int schema = SCHEMA_1; schema <= SCHEMA_2; schema++) {
		struct snapshot s = {.unfinished = false};
		char *text;
		cJSON *o;
		int fd;
		fill(&s, 20, true);
		fd = written(&s, (enum schema)schema);
		text = inflated(fd);
		o = cJSON_Parse(text);
		assert_non_null(o);
		has_keys(o, members, 7);
		has_keys(cJSON_GetObjectItem(o, "metadata"), meta, 14);
		assert_int_equal(cJSON_GetObjectItem(o, "metadata")->child->valueint, 1);
		has_keys(
		    cJSON_GetObjectItem(cJSON_GetObjectItem(o, "metadata"), "resource_tracker"),
		    tool, 2);
		has_keys(cJSON_GetObjectItem(o, "server_info"), server[schema], 8);
		has_keys(cJSON_GetObjectItem(o, "cloud_info"), cloud, 4);
		has_keys(cJSON_GetObjectItem(o, "rtrack"), own, 14);
		check_columns(cJSON_GetObjectItem(o, "process_metrics"), process_names[schema], 12,
		              METRIC_SCOPE_PROCESS, (enum schema)schema, 20);
		check_columns(cJSON_GetObjectItem(o, "system_metrics"), system_names[schema], 21,
		              METRIC_SCOPE_SYSTEM, (enum schema)schema, 20);
		/* Nothing in it ends a script element or breaks a line. */
		assert_null(strpbrk(text, "<>&\n\x1b"));
		assert_null(strstr(text, "\xe2\x80\xa8"));
		cJSON_Delete(o);
		free(text);
		close(fd);
		snapshot_free(&s);
	}
}

/* In schema 1's names and units, whatever the spelling of the columns. */
TEST(statistics)
{
	for (int schema = SCHEMA_1; schema <= SCHEMA_2; schema++) {
		struct snapshot s = {.unfinished = false};
		const cJSON *all, *one;
		struct elapsed_rows rows;
		struct stats want;
		double *seconds;
		char *text;
		cJSON *o;
		int fd;
		fill(&s, 30, true);
		fd = written(&s, (enum schema)schema);
		text = inflated(fd);
		o = cJSON_Parse(text);
		all = cJSON_GetObjectItem(cJSON_GetObjectItem(o, "rtrack"), "statistics");
		one = cJSON_GetObjectItem(all, "process_memory");
		rows = elapsed_rows(&s, METRIC_SCOPE_PROCESS);
		seconds = elapsed_all(&rows, NULL);
		stats_of(frame_col(&s.rows[0], METRIC_PROCESS_MEMORY), seconds, 30, &want, NULL);
		free(seconds);
		assert_int_equal(cJSON_GetObjectItem(one, "n")->valueint, 26);
		assert_true(fabs(cJSON_GetObjectItem(one, "max")->valuedouble - want.max / 1024) <
		            1e-3);
		assert_true(fabs(cJSON_GetObjectItem(one, "mean")->valuedouble - want.mean / 1024) <
		            1e-3);
		assert_true(fabs(cJSON_GetObjectItem(one, "p95")->valuedouble - want.p95 / 1024) <
		            1e-3);
		assert_non_null(cJSON_GetObjectItem(all, "system_disk_space_used_gb"));
		assert_null(cJSON_GetObjectItem(all, "process_timestamp"));
		assert_null(cJSON_GetObjectItem(all, "process_pid"));
		assert_true(s.notes.n > 0);
		assert_string_equal(
		    s.notes.v[0],
		    "process_pid was not measured in 4 of 30 samples; the file has the nearest "
		    "measurement there.");
		cJSON_Delete(o);
		free(text);
		close(fd);
		snapshot_free(&s);
	}
}

/* As long as a command line can be: it is cut, and the file is still taken. */
TEST(megabytes_of_arguments)
{
	static char word[130000];
	static const char *argv[5000];
	struct snapshot s = {.unfinished = false}, back = {.unfinished = false};
	struct err e = {{0}};
	int fd;

	fill(&s, 3, false);
	memset(word, '<', sizeof word - 1);
	for (size_t i = 0; i < 5000; i++)
		argv[i] = i < 10 ? "short" : word + (i < 50 ? 0 : sizeof word - 2);
	s.job.argv = argv;
	s.job.argc = 5000;
	s.job.host = s.job.name = s.job.user = s.job.cwd = word;
	s.job.tags.n = 0;
	for (size_t i = 0; i < SNAPSHOT_LIST_MAX; i++) {
		snapshot_pairs_add(&s, &s.job.tags, word + sizeof word - 1024, word);
		snapshot_list_add(&s, &s.notes, word);
	}
	s.job.labels = s.job.tags;
	fd = written(&s, SCHEMA_1);
	if (snapshot_read(&back, fd, "f", &e))
		fail_msg("%s", e.msg);
	assert_true(back.job.argc > 10 && back.job.argc <= SNAPSHOT_ARGS_MAX);
	assert_string_equal(back.job.argv[9], "short");
	assert_string_equal(back.job.host + strlen(back.job.host) - 4, "<…");
	assert_int_equal(back.job.tags.n, SNAPSHOT_LIST_MAX);
	close(fd);
	snapshot_free(&s);
	snapshot_free(&back);
}

static int fail_late(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
                     struct err *e)
{
	(void)ctx, (void)id;
	for (size_t i = 0; i < n; i++)
		out[i] = (double)((from + i) * 2654435761u % 1000003);
	return from < 90000 ? 0 : err_set(e, "the journal: cannot be read again");
}

TEST(failures)
{
	struct snapshot s = {.unfinished = false};
	struct snapshot_source rows = {.rows = 100000, .fetch = fail_late};
	struct err e = {{0}};
	int fd = open("/dev/full", O_WRONLY);

	fill(&s, 0, false);
	assert_int_equal(snapshot_write(&s, &rows, SCHEMA_1, fd, &e), -1);
	assert_string_equal(e.msg, "the journal: cannot be read again");
	rows.rows = 80000;
	assert_int_equal(snapshot_write(&s, &rows, SCHEMA_1, fd, &e), -1);
	assert_string_equal(e.msg, "No space left on device");
	close(fd);
	snapshot_free(&s);
}
