/* snapshot_read: every dialect comes to the same values. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "core/base/gz.h"
#include "core/files/journal.h"
#include "core/files/snapshot_read.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/unit.h"

#define RUNS "tests/fixtures/runs/"
#define MIB  1048576.0

static double of_system(enum metric_id id, double i)
{
	static const double mib[] = {8000, 2000, 10, 3000, 1500, 2500};
	const double space = 20971520000000.0;

	switch (id) {
	case METRIC_SYSTEM_PROCESSES:
		return 100 + i;
	case METRIC_SYSTEM_UTIME:
		return 0.5 * i;
	case METRIC_SYSTEM_STIME:
		return 0.25 * i;
	case METRIC_SYSTEM_CPU_USAGE:
		return 0.75 * i;
	case METRIC_SYSTEM_DISK_READ_BYTES:
		return 8192 * i;
	case METRIC_SYSTEM_DISK_WRITE_BYTES:
		return 65536 * i;
	case METRIC_SYSTEM_DISK_SPACE_TOTAL:
		return 4 * space;
	case METRIC_SYSTEM_DISK_SPACE_USED:
		return space;
	case METRIC_SYSTEM_DISK_SPACE_FREE:
		return 3 * space;
	case METRIC_SYSTEM_NET_RECV_BYTES:
		return 1000 * i;
	case METRIC_SYSTEM_NET_SENT_BYTES:
		return 500 * i;
	default:
		return (mib[id - METRIC_SYSTEM_MEMORY_FREE] + 32.25 * i) * MIB;
	}
}

/* What make.mjs beside the fixtures put into row i, in base units. */
static double expected(enum metric_id id, size_t row)
{
	static const double children[] = {0, 2, 5, 5, 1, 0};
	double i = (double)row;

	switch (id) {
	case METRIC_PROCESS_TIMESTAMP:
	case METRIC_SYSTEM_TIMESTAMP:
		return 1760000001 + i + i / 1000;
	case METRIC_PROCESS_PID:
		return 4242;
	case METRIC_PROCESS_CHILDREN:
		return children[row];
	case METRIC_PROCESS_UTIME:
		return 0.25 * i;
	case METRIC_PROCESS_STIME:
		return 0.125 * i;
	case METRIC_PROCESS_CPU_USAGE:
		return 0.375 * i;
	case METRIC_PROCESS_MEMORY:
		return (64 + 32.25 * i) * MIB;
	case METRIC_PROCESS_READ_BYTES:
		return 4096 * i;
	case METRIC_PROCESS_WRITE_BYTES:
		return 12288 * i;
	case METRIC_PROCESS_GPU_USAGE:
	case METRIC_SYSTEM_GPU_USAGE:
		return 0.5;
	case METRIC_PROCESS_GPU_VRAM:
	case METRIC_SYSTEM_GPU_VRAM:
		return 1024.5 * i * MIB;
	case METRIC_PROCESS_GPU_UTILIZED:
	case METRIC_SYSTEM_GPU_UTILIZED:
		return 1;
	default:
		return of_system(id, i);
	}
}

static void same_rows(const struct snapshot *s, enum metric_scope scope, size_t rows, double later)
{
	const struct frame *f = &s->rows[scope];

	assert_int_equal(f->rows, rows);
	for (int id = 0; id < METRIC_COUNT; id++) {
		const double *col = frame_col(f, (enum metric_id)id);
		if (metrics[id].scope != scope) {
			assert_null(col);
			continue;
		}
		/* Some of the files have "threads", which is rtrack's own. */
		if (!metrics[id].documented)
			continue;
		assert_true((col != NULL) == (rows > 0));
		for (size_t i = 0; i < rows; i++) {
			double want = expected((enum metric_id)id, i);
			if (metrics[id].unit == METRIC_UNIT_TIME)
				want += later;
			if (!(fabs(col[i] - want) <= 1e-12 * fabs(want)))
				fail_msg("%s row %zu: %.17g, not %.17g", metrics[id].name[1], i,
				         col[i], want);
		}
	}
}

TEST(dialects)
{
	static const struct {
		const char *file;
		enum schema schema;
		size_t process, system;
		double later;
		bool meta, server;
	} cases[] = {
	    {"schema1-rows.json.gz", SCHEMA_1, 6, 6, 0, true, true},
	    {"schema2-rows.json.gz", SCHEMA_2, 6, 6, 0, true, true},
	    {"schema1-columns.json.gz", SCHEMA_1, 6, 6, 0, true, true},
	    {"schema2-columns.json.gz", SCHEMA_2, 6, 6, 0, true, true},
	    {"schema1-rows.json", SCHEMA_1, 6, 6, 0, true, true},
	    {"schema2-columns.json", SCHEMA_2, 6, 6, 0, true, true},
	    {"schema1-shuffled.json", SCHEMA_1, 6, 6, 0, true, true},
	    {"schema2-shuffled.json", SCHEMA_2, 6, 6, 0, true, true},
	    {"nulls.json", SCHEMA_2, 6, 6, 0, true, false},
	    {"metrics-alone.json", SCHEMA_1, 6, 6, 0, false, false},
	    {"empty-strings.json", SCHEMA_2, 6, 6, 0, true, true},
	    {"no-process-rows.json", SCHEMA_1, 0, 6, 0, true, true},
	    {"no-process-columns.json", SCHEMA_1, 0, 6, 0, true, true},
	    {"no-system-null.json", SCHEMA_1, 6, 0, 0, true, true},
	    {"unequal.json.gz", SCHEMA_1, 6, 7, 0.25, true, true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[100];
		struct snapshot s = {.unfinished = false};
		struct err e = {{0}};
		snprintf(path, sizeof path, RUNS "%s", cases[i].file);
		if (snapshot_read_file(&s, path, &e))
			fail_msg("%s", e.msg);
		assert_int_equal(s.schema, cases[i].schema);
		same_rows(&s, METRIC_SCOPE_PROCESS, cases[i].process, 0);
		same_rows(&s, METRIC_SCOPE_SYSTEM, cases[i].system, cases[i].later);
		assert_true(!cases[i].meta || s.meta.interval == 1);
		assert_true(cases[i].meta || isnan(s.meta.interval));
		assert_int_equal(s.server.known, cases[i].server);
		assert_true(!cases[i].server || s.server.memory_b == 15872.25 * MIB);
		assert_true(cases[i].server || isnan(s.server.memory_b));
		assert_string_equal(s.cloud.vendor, "unknown");
		assert_false(s.cloud.known || s.job.known || s.exit.known || s.unfinished);
		snapshot_free(&s);
		snapshot_free(&s);
	}
}

TEST(the_blocks_before_the_rows)
{
	struct snapshot s = {.unfinished = false};

	assert_int_equal(snapshot_read_file(&s, RUNS "schema2-shuffled.json", NULL), 0);
	assert_string_equal(s.meta.version, "0.0.0");
	assert_string_equal(s.meta.implementation, "procfs");
	assert_true(s.meta.pid == 4242 && s.meta.start_time == 1760000000);
	assert_true(s.meta.stop_time == 1760000006.5 && s.meta.duration == 6.5);
	assert_true(s.meta.children && s.meta.autostart && s.meta.track_processes);
	assert_true(s.meta.track_system && s.meta.discover_server && !s.meta.discover_cloud);
	assert_string_equal(s.server.os, "Linux");
	assert_true(s.server.vcpus == 8 && s.server.gpu_count == 1);
	assert_true(s.server.gpu_memory_b == 16384 * MIB);
	assert_int_equal(s.server.gpu_names.n, 1);
	assert_string_equal(s.server.gpu_names.v[0], "Example 100");
	assert_string_equal(s.server.allocation, "dedicated");
	assert_true(s.cloud.discovery_time == 0.01);
	snapshot_free(&s);
}

static int read_text(struct snapshot *s, const char *text, struct err *e)
{
	int fd = scratch_text(text), r = snapshot_read(s, fd, "f", e);

	close(fd);
	return r;
}

/* Of one column of rows: the cells, "-" for one not measured. */
TEST(odd_values)
{
	static const struct {
		const char *text, *cells;
	} cases[] = {
	    {"{\"process_metrics\":[{\"utime\":1},{},{\"utime\":3}]}", "1 - 3 "},
	    {"{\"process_metrics\":[{},{},{\"utime\":3}]}", "- - 3 "},
	    {"{\"process_metrics\":[{\"utime\":1,\"utime\":2}]}", "2 "},
	    {"{\"process_metrics\":[{\"utime\":1,\"stime\":1},{\"stime\":1,\"utime\":2}]}", "1 2 "},
	    {"{\"process_metrics\":{\"utime\":[1,null,\"\",\"4\",true,[5],{\"a\":6},NaN,9]}}",
	     "1 - - 4 - - - - 9 "},
	    {"{\"process_metrics\":{\"utime\":[1e999,-1e999,Infinity,1e308]}}", "- - - 1e+308 "},
	    {"{\"process_metrics\":{\"utime\":[1,2,3],\"utime\":[4]}}", "4 "},
	    {"{\"process_metrics\":{\"utime\":[1],\"stime\":[1,2,3]}}", "1 - - "},
	    {"{\"process_metrics\":{\"utime\":[]}}", ""},
	    {"{\"system_metrics\":[],\"process_metrics\":[{\"utime\":0}]}", "0 "},
	    {"\n{ \"process_metrics\" : [ { \"\\u0075time\" : 5 } ] } \n", "5 "},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot s = {.unfinished = false};
		struct err e = {{0}};
		const double *col;
		char got[200] = "";
		if (read_text(&s, cases[i].text, &e))
			fail_msg("%s: %s", cases[i].text, e.msg);
		col = frame_col(&s.rows[METRIC_SCOPE_PROCESS], METRIC_PROCESS_UTIME);
		for (size_t k = 0; k < s.rows[METRIC_SCOPE_PROCESS].rows; k++)
			if (isnan(col[k]))
				strcat(got, "- ");
			else
				sprintf(got + strlen(got), "%g ", col[k]);
		assert_string_equal(got, cases[i].cells);
		snapshot_free(&s);
	}
}

/* What overflows on its way to base units was not measured. */
TEST(no_infinity_comes_out)
{
	struct snapshot s = {.unfinished = false};

	assert_int_equal(read_text(&s,
	                           "{\"server_info\":{\"memory_mb\":1e308,\"vcpus\":0,"
	                           "\"gpu_memory_mb\":-1},"
	                           "\"process_metrics\":{\"memory\":[1e308,2]}}",
	                           NULL),
	                 0);
	assert_true(isnan(frame_col(&s.rows[0], METRIC_PROCESS_MEMORY)[0]));
	assert_true(frame_col(&s.rows[0], METRIC_PROCESS_MEMORY)[1] == 2048);
	assert_true(isnan(s.server.memory_b) && isnan(s.server.vcpus));
	assert_true(isnan(s.server.gpu_memory_b));
	snapshot_free(&s);
}

/* Its cells are 0 only because other tools need a number. */
TEST(a_column_that_the_statistics_call_unmeasured)
{
	static const char text[] =
	    "{\"rtrack\":{\"statistics\":{\"system_cpu_usage\":{\"n\":0,\"max\":null},"
	    "\"system_memory_used\":{\"n\":2}}},\"system_metrics\":{\"cpu_usage\":[0,0],"
	    "\"memory_used\":[0,0],\"utime\":[0,0]}}";
	struct snapshot s = {.unfinished = false};
	const struct frame *f = &s.rows[METRIC_SCOPE_SYSTEM];

	assert_int_equal(read_text(&s, text, NULL), 0);
	assert_true(isnan(frame_col(f, METRIC_SYSTEM_CPU_USAGE)[1]));
	assert_true(frame_col(f, METRIC_SYSTEM_MEMORY_USED)[1] == 0);
	assert_true(frame_col(f, METRIC_SYSTEM_UTIME)[1] == 0);
	snapshot_free(&s);
}

TEST(space_is_of_the_files_schema)
{
	static const struct {
		const char *text;
		double unit;
	} cases[] = {
	    {"{\"system_metrics\":{\"disk_space_used_gb\":[1]}}", 1073741824},
	    {"{\"system_metrics\":{\"disk_space_used_gb\":[1],\"memory_free\":[1]}}", 1073741824},
	    {"{\"system_metrics\":{\"disk_space_used_gb\":[1],\"memory_free_mib\":[1]}}", 1e9},
	    {"{\"system_metrics\":{\"disk_space_used_gb\":[1]},\"server_info\":{\"memory_mib\":1}}",
	     1e9},
	    {"{\"system_metrics\":{\"disk_space_used_gb\":[1]},"
	     "\"process_metrics\":{\"memory_mib\":[1]}}",
	     1e9},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot s = {.unfinished = false};
		assert_int_equal(read_text(&s, cases[i].text, NULL), 0);
		assert_true(frame_col(&s.rows[METRIC_SCOPE_SYSTEM],
		                      METRIC_SYSTEM_DISK_SPACE_USED)[0] == cases[i].unit);
		snapshot_free(&s);
	}
}

/* A shell's <(…) is a pipe without a name. */
TEST(through_a_pipe)
{
	int ends[2], status;
	char path[40];
	struct snapshot s = {.unfinished = false};
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		char p[512];
		int fd = open(RUNS "schema1-rows.json.gz", O_RDONLY);
		ssize_t n;
		while ((n = read(fd, p, 100)) > 0)
			if (write(ends[1], p, (size_t)n) != n)
				_exit(1);
		_exit(0);
	}
	close(ends[1]);
	snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
	assert_int_equal(snapshot_read_file(&s, path, NULL), 0);
	same_rows(&s, METRIC_SCOPE_SYSTEM, 6, 0);
	snapshot_free(&s);
	close(ends[0]);
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
}

/* A text has the values, the sentences and the charges of a file with that content. */
TEST(from_memory)
{
	static const char *const texts[] = {
	    "{\"metadata\": {\"interval\": 1}, \"system_metrics\": {\"timestamp\": [1, 2], "
	    "\"utime\": [3, 4.5]}}",
	    "{\"system_metrics\": {\"timestamp\": [1, x]}}", "[]", "", "{}"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		for (uint64_t most = 10; most <= 1000; most += 990) {
			struct snapshot_budget a = {most, 100}, b = a;
			struct snapshot s = {.budget = &a}, t = {.budget = &b};
			struct err e = {0}, f = {0};
			int fd = scratch_text(texts[i]);
			int failed = snapshot_read(&s, fd, "f", &e);
			close(fd);
			assert_int_equal(
			    snapshot_read_text(&t, texts[i], strlen(texts[i]), "f", &f), failed);
			assert_int_equal(failed != 0, i > 0 || most == 10);
			assert_string_equal(f.msg, e.msg);
			assert_int_equal(b.cells, a.cells);
			assert_int_equal(b.bytes, a.bytes);
			assert_null(t.budget);
			if (!failed)
				assert_true(frame_col(&t.rows[METRIC_SCOPE_SYSTEM],
				                      METRIC_SYSTEM_UTIME)[1] == 4.5);
			snapshot_free(&s);
			snapshot_free(&t);
		}
}

struct bytes_from {
	const char *p;
	size_t n;
	uint64_t most; /* the end of what was read */
};

static long give_some(void *ctx, uint64_t at, void *p, size_t n, struct err *e)
{
	struct bytes_from *b = ctx;

	(void)e;
	n = n < 32 ? n : 32;
	n = n < b->n - at ? n : b->n - (size_t)at;
	memcpy(p, b->p + at, n);
	b->most = at + n > b->most ? at + n : b->most;
	return (long)n;
}

/* A source gives what a file gives: from the head alone if that is enough, else again from its
 * beginning; and a journal is named as such. */
TEST(from_a_source)
{
	static const struct {
		const char *text;
		int result, rows;
	} cases[] = {
	    {"{\"metadata\": {\"interval\": 1}, \"system_metrics\": {\"timestamp\": [1, 2]}}", 0,
	     2},
	    {"{\"system_metrics\": {\"timestamp\": [1, x]}}", -1, 0},
	    {JOURNAL_MAGIC "{}\n", SNAPSHOT_IS_JOURNAL, 0},
	    {"", -1, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int want = 0; want < 3; want++) {
			struct bytes_from b = {cases[i].text, strlen(cases[i].text), 0};
			const struct gz_source from = {give_some, &b};
			struct snapshot_budget budget = {1000, 100};
			struct snapshot s = {.budget = &budget};
			struct err e = {0};
			assert_int_equal(
			    snapshot_read_from(&s, &from, "f", (enum snapshot_want)want, &e),
			    cases[i].result);
			assert_int_equal(*e.msg != 0, cases[i].result < 0);
			assert_int_equal(s.rows[METRIC_SCOPE_SYSTEM].rows, cases[i].rows);
			assert_ptr_equal(s.budget, &budget);
			snapshot_free(&s);
		}
}

#define HEAD_OF(own)                                                                               \
	"{\"metadata\":{},\"server_info\":{},\"cloud_info\":{},\"rtrack\":{" own                   \
	",\"statistics\":{\"process_utime\":{\"n\":2,\"sum\":3}},"                                 \
	"\"phases\":[{\"name\":\"a\",\"start\":1,\"end\":2}]}"
#define ROWS ",\"process_metrics\":{\"timestamp\":[1,2],\"utime\":[1,2]}}"

/* Phases are not taken from a head; where the head is not enough, they are those of the file. */
TEST(phases_of_a_head)
{
	static const struct {
		const char *text;
		bool head_only;
	} cases[] = {
	    {HEAD_OF("\"format\":2,\"samples\":{}") ROWS, true},
	    {HEAD_OF("\"format\":1,\"samples\":{}") ROWS, false},
	    {HEAD_OF("\"format\":2,\"samples\":{}") "}", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bytes_from b = {cases[i].text, strlen(cases[i].text), 0};
		const struct gz_source from = {give_some, &b};
		struct snapshot s = {0};
		assert_int_equal(snapshot_read_from(&s, &from, "f", SNAPSHOT_WANT_HEAD, NULL), 0);
		assert_int_equal(s.head_only, cases[i].head_only);
		assert_int_equal(s.phases != NULL, !cases[i].head_only);
		snapshot_free(&s);
	}
}

static bool is_no_memory(const struct metric *m)
{
	return m->id != METRIC_PROCESS_MEMORY;
}

/* Columns that are not wanted are skipped, whatever they hold. */
TEST(wanted_columns)
{
	static const char text[] =
	    "{\"process_metrics\": {\"timestamp\": [1, 2, 3], \"memory\": "
	    "[1,-2.5,3e5, \"4\", null, {\"a\": [1,2]}], \"utime\": [1,2.5,3]}}";
	struct snapshot s = {.wants = is_no_memory};
	struct err e = {0};

	assert_int_equal(snapshot_read_text(&s, text, strlen(text), "f", &e), 0);
	assert_int_equal(s.rows[METRIC_SCOPE_PROCESS].rows, 3);
	assert_false(frame_has(&s.rows[METRIC_SCOPE_PROCESS], METRIC_PROCESS_MEMORY));
	assert_true(frame_col(&s.rows[METRIC_SCOPE_PROCESS], METRIC_PROCESS_UTIME)[1] == 2.5);
	snapshot_free(&s);
}
