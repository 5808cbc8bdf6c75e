/* snapshot_csv: recordings in CSV, of each program that writes them. */
#include <math.h>
#include <stdio.h>

#include "core/files/snapshot_read.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/unit.h"

#define NO_CELL (-1) /* not measured */

static int read_csv_text(struct snapshot *s, const char *text, bool gzip, struct err *e)
{
	int fd = gzip ? scratch_gzip(text, strlen(text)) : scratch_text(text), failed;

	*s = (struct snapshot){.notes = {.n = 0}};
	*e = (struct err){0};
	failed = snapshot_read(s, fd, "f.csv", e);
	close(fd);
	return failed;
}

/* The cells of a column as they must be; NO_CELL: NAN. */
static void expect_column(const struct snapshot *s, enum metric_id id, const double *want, size_t n)
{
	const struct frame *f = &s->rows[metrics[id].scope];
	const double *col = frame_col(f, id);

	assert_int_equal(f->rows, n);
	assert_non_null(col);
	for (size_t i = 0; i < n; i++)
		if (want[i] == NO_CELL)
			assert_true(isnan(col[i]));
		else
			assert_true(fabs(col[i] - want[i]) <= 1e-9 * fabs(want[i]));
}

#define EXPECT(s, id, ...)                                                                         \
	expect_column(s, id, (const double[]){__VA_ARGS__},                                        \
	              sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* resource-tracker 0.4 quotes the header, and 0.5 has other names and units. */
TEST(files_of_trackers)
{
	static const char job1[] =
	    "\"timestamp\",\"pid\",\"children\",\"utime\",\"stime\",\"cpu_usage\",\"memory\","
	    "\"read_bytes\",\"write_bytes\",\"gpu_usage\",\"gpu_vram\",\"gpu_utilized\"\r\n"
	    "100.5,42,2,0.5,0.25,0.75,2048,10,20,0.0,0.0,0\r\n"
	    "101.5,42,\"\",0.5,0.25,NaN,4096,10,20,0.0,1.5,0\r\n"
	    "103.5,42,3,0.5,0.25,1.5,,10,20,0.0,0.0,0\r\n"
	    "104.5,42,3,0.5,0.25,1.5,1024,10,20,0.0,0.0,0\r\n";
	static const char machine2[] =
	    "timestamp,processes,utime,stime,cpu_usage,memory_free_mib,memory_used_mib,"
	    "disk_space_total_gb,gpu_vram_mib,from_the_future\n"
	    "100,7,1,1,2,512.5,256,100,8,x\n102,8,1,1,2,512.5,256,100,8,y\n";
	struct snapshot s;
	struct err e;

	for (int gzip = 0; gzip < 2; gzip++) {
		assert_int_equal(read_csv_text(&s, job1, gzip, &e), 0);
		assert_true(s.from_csv && s.meta.track_processes && !s.meta.track_system);
		assert_true(s.meta.interval == 1 && s.meta.pid == 42);
		assert_true(isnan(s.meta.start_time) && isnan(s.meta.stop_time));
		assert_true(!s.exit.known && !s.job.known && !s.server.known && !s.limits.known);
		assert_int_equal(s.rows[METRIC_SCOPE_SYSTEM].rows, 0);
		EXPECT(&s, METRIC_PROCESS_TIMESTAMP, 100.5, 101.5, 103.5, 104.5);
		EXPECT(&s, METRIC_PROCESS_MEMORY, 2097152, 4194304, NO_CELL, 1048576);
		EXPECT(&s, METRIC_PROCESS_CPU_USAGE, 0.75, NO_CELL, 1.5, 1.5);
		EXPECT(&s, METRIC_PROCESS_GPU_VRAM, 0, 1572864, 0, 0);
		snapshot_free(&s);
	}
	assert_int_equal(read_csv_text(&s, machine2, false, &e), 0);
	assert_int_equal(s.rows[METRIC_SCOPE_PROCESS].rows, 0);
	assert_int_equal(s.schema, SCHEMA_2);
	EXPECT(&s, METRIC_SYSTEM_MEMORY_FREE, 512.5 * 1048576, 512.5 * 1048576);
	EXPECT(&s, METRIC_SYSTEM_DISK_SPACE_TOTAL, 100e9, 100e9);
	EXPECT(&s, METRIC_SYSTEM_GPU_VRAM, 8 * 1048576, 8 * 1048576);
	snapshot_free(&s);
}

/* What rtrack-report --csv writes: any prefix; a side may miss a row; bytes under the same names. */
TEST(both_scopes)
{
	static const struct {
		const char *head, *cells;
		double memory, used; /* bytes */
	} cases[] = {
	    {"\"timestamp\",\"system_processes\",\"system_memory_used\",\"process_pid\","
	     "\"process_memory\"\n",
	     "1,5,30,9,40\n2,,,9,41\n3,6,30,,\n", 40960, 30720},
	    {"timestamp,m processes,m memory_used_mib,pid,memory_mib\n",
	     "1,5,30,9,40\n2,,,9,41\n3,6,30,,\n", 40 * 1048576., 30 * 1048576.},
	    {"timestamp,processes,memory_used,job.pid,job.memory\n",
	     "1,5,30,9,40\n2,,,9,41\n3,6,30,,\n", 40960, 30720},
	    {"timestamp,processes,memory_used,pid,memory\n", "1,5,30,9,40\n2,,,9,41\n3,6,30,,\n",
	     40960, 30720},
	    {"timestamp,system_disk_space_total_gb,system_processes,system_memory_used,process_pid,"
	     "process_memory\n",
	     "1,2000000000,5,30,9,40\n2,,,,9,41\n3,2000000000,6,30,,\n", 40, 30},
	    {"timestamp,process_pid,process_memory,system_memory_used\n",
	     "1,9,1048576,3072\n2,9,2097152,\n3,,,4096\n4,9,3145728,\n", 1048576, 3072},
	    {"Timestamp,System disk space total,System processes,System used memory,Process PID,"
	     "Process memory usage\n",
	     "1,2000000000,5,30,9,40\n2,,,,9,41\n3,2000000000,6,30,,\n", 40, 30},
	};
	struct snapshot s;
	struct err e;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf text = {0};
		const struct frame *rows = s.rows;
		buf_printf(&text, "%s%s", cases[i].head, cases[i].cells);
		if (read_csv_text(&s, buf_cstr(&text), false, &e))
			fail_msg("%zu: %s", i, e.msg);
		assert_true(rows[0].rows == 2 + (i == 5) && rows[1].rows == 2);
		assert_true(frame_col(&rows[0], METRIC_PROCESS_MEMORY)[0] == cases[i].memory);
		assert_true(frame_col(&rows[1], METRIC_SYSTEM_MEMORY_USED)[0] == cases[i].used);
		assert_true(frame_col(&rows[0], METRIC_PROCESS_TIMESTAMP)[1] == 2);
		assert_true(frame_col(&rows[1], METRIC_SYSTEM_TIMESTAMP)[1] == 3);
		assert_true(s.meta.track_processes && s.meta.track_system);
		snapshot_free(&s);
		buf_free(&text);
	}
}

#define GPU_TRACKER_MACHINE                                                                        \
	"ram_unit,gpu_ram_unit,time_unit,ram_system_capacity,gpu_ram_system_capacity,"             \
	"system_core_count,n_expected_cores,system_gpu_count,n_expected_gpus\n"
#define GPU_TRACKER_ROWS                                                                           \
	"main_ram,combined_ram,system_ram,main_gpu_ram,combined_gpu_ram,system_gpu_ram,"           \
	"gpu_sum_utilization_percent,combined_n_threads,cpu_combined_sum_utilization_percent,"     \
	"cpu_system_sum_utilization_percent,timestamp\n"                                           \
	"0.5,0.75,4.0,0.1,0.2,0.3,150.0,4,120.0,250.0,1000.5\n"                                    \
	"0.5,1.5,4.0,0.1,0.2,0.3,50.0,4,80.0,250.0,1001.0\n"

TEST(gpu_tracker_files)
{
	struct snapshot s;
	struct err e;

	assert_int_equal(
	    read_csv_text(&s,
	                  GPU_TRACKER_MACHINE
	                  "gigabytes,megabytes,hours,16.0,8000.0,12,12,2,2\n" GPU_TRACKER_ROWS,
	                  false, &e),
	    0);
	assert_true(s.server.vcpus == 12 && s.server.memory_b == 16e9 && s.server.gpu_count == 2);
	assert_true(s.server.gpu_memory_b == 8000 * 1048576.);
	assert_true(s.meta.interval == 0.5);
	EXPECT(&s, METRIC_PROCESS_MEMORY, 0.75e9, 1.5e9);
	EXPECT(&s, METRIC_PROCESS_RSS, 0.75e9, 1.5e9);
	EXPECT(&s, METRIC_SYSTEM_MEMORY_USED, 4e9, 4e9);
	EXPECT(&s, METRIC_PROCESS_CPU_USAGE, 1.2, 0.8);
	EXPECT(&s, METRIC_SYSTEM_GPU_USAGE, 1.5, 0.5);
	EXPECT(&s, METRIC_PROCESS_GPU_VRAM, 0.2 * 1048576, 0.2 * 1048576);
	EXPECT(&s, METRIC_SYSTEM_TIMESTAMP, 1000.5, 1001);
	snapshot_free(&s);
	/* Without GPUs, gpu_tracker writes 0: nothing was measured. */
	assert_int_equal(read_csv_text(&s,
	                               GPU_TRACKER_MACHINE
	                               "bytes,bytes,hours,16,0,12,12,0,0\n" GPU_TRACKER_ROWS,
	                               false, &e),
	                 0);
	assert_true(s.server.gpu_count == 0);
	assert_false(frame_has(&s.rows[METRIC_SCOPE_SYSTEM], METRIC_SYSTEM_GPU_USAGE));
	EXPECT(&s, METRIC_PROCESS_MEMORY, 0.75, 1.5);
	snapshot_free(&s);
}

/* The program that wrote it was killed. */
TEST(cut_off)
{
	struct snapshot s;
	struct err e;

	assert_int_equal(read_csv_text(&s, "timestamp,pid,memory\n1,2,3\n2,2", false, &e), 0);
	EXPECT(&s, METRIC_PROCESS_MEMORY, 3072);
	assert_int_equal(s.notes.n, 1);
	snapshot_free(&s);
	assert_int_equal(read_csv_text(&s, "timestamp,pid,memory\n1,2,3\n2,2,4", false, &e), 0);
	EXPECT(&s, METRIC_PROCESS_MEMORY, 3072, 4096);
	assert_int_equal(s.notes.n, 0);
	snapshot_free(&s);
}

TEST(refused)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
	    {"timestamp,pid,memory\n1,2,3\n1,2\n1,2,3\n",
	     "f.csv: line 3: 2 cells, but 3 columns in the header"},
	    {"timestamp,pid,memory\n1,2,3,4\n", "line 2: 4 cells, but 3 columns in the header"},
	    {"timestamp,pid,memory\n1,2,3,4", "line 2: 4 cells, but 3 columns in the header"},
	    {"timestamp,pid,memory\n1,2,a lot\n", "line 2: \"a lot\" in column 3 is not a number"},
	    {"timestamp,pid,pid\n1,2,3\n", "line 1: two columns of the same name"},
	    {"timestamp,pid,timestamp\n1,2,3\n", "line 1: two columns of the same name"},
	    {"timestamp,price\n1,2\n", "line 1: no column of a job or a machine"},
	    {"Timestamp,Process PID,Process memory usage\n1,2,3\n", "do not say the units"},
	    {"code_block_name,position,timestamp\nx,START,1\n", "has no samples"},
	    {"main_ram,combined_ram,timestamp\n1,2,3\n", "without the two lines"},
	    {GPU_TRACKER_MACHINE, "ends in its header"},
	    {GPU_TRACKER_MACHINE "pounds,bytes,hours,1,1,1,1,1,1\n" GPU_TRACKER_ROWS,
	     "units of memory are not known"},
	    {GPU_TRACKER_MACHINE "bytes,bytes,hours,1,1,1,1,1,1\na,b\n1,2\n",
	     "not the columns of a tracking file"},
	    {"name,price\n1,2\n", "not a snapshot: expected an object"},
	    {"[\"a\",\"timestamp\"]", "not a snapshot: expected an object"},
	    {"timestamp", "no column of a job or a machine"},
	};
	struct snapshot s;
	struct err e;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(read_csv_text(&s, cases[i].text, i % 2, &e), -1);
		if (!strstr(e.msg, cases[i].why))
			fail_msg("%zu: %s", i, e.msg);
		assert_null(s.arena);
	}
	/* JSON with these words among commas */
	assert_int_equal(read_csv_text(&s,
	                               " {\"x\": [\"a\",\"timestamp\",\"b\"], "
	                               "\"process_metrics\": {\"timestamp\": [1]}}",
	                               false, &e),
	                 0);
	assert_false(s.from_csv);
	snapshot_free(&s);
}

/* The first versions of resource-tracker wrote clock ticks, as its README still shows. */
/* The tables of version 0.1: its units where they are known, and what is not read is said. */
TEST(first_version)
{
	static const char job[] =
	    "timestamp,pid,children,utime,stime,cpu_usage,pss,read_bytes,write_bytes\n"
	    "10.5,7,0,40,31,0.7098,2048,1,2\n11.5,7,0,23,49,0.7199,4096,1,2\n";
	static const char machine[] =
	    "timestamp,processes,cpu_usage,memory_active_anon,memory_inactive_anon,a,b,c,d\n"
	    "10,7,0,1,2,3,4,5,6\n";
	struct snapshot s;
	struct err e;

	assert_int_equal(read_csv_text(&s, job, false, &e), 0);
	EXPECT(&s, METRIC_PROCESS_MEMORY, 2097152, 4194304);
	EXPECT(&s, METRIC_PROCESS_UTIME, NO_CELL, NO_CELL);
	assert_int_equal(s.notes.n, 1); /* of the ticks */
	snapshot_free(&s);
	assert_int_equal(read_csv_text(&s, machine, false, &e), 0);
	assert_int_equal(s.notes.n, 1);
	assert_string_equal(s.notes.v[0],
	                    "Columns of the CSV file that are not known are left out: "
	                    "memory_active_anon, memory_inactive_anon, a, b, c and 1 more.");
	snapshot_free(&s);
}

TEST(cpu_times_in_ticks)
{
	static const char ticks[] =
	    "timestamp,processes,utime,stime,cpu_usage\n"
	    "10.5,7,40,31,0.7098\n11.5,7,23,49,0.7199\n12.5,7,38,34,0.7199\n";
	static const char idle[] = "timestamp,processes,utime,stime,cpu_usage\n"
				   "10,7,0,0,0\n20,7,0.0004,0,0\n30,7,0.01,0,0.001\n";
	struct snapshot s;
	struct err e;

	assert_int_equal(read_csv_text(&s, ticks, false, &e), 0);
	EXPECT(&s, METRIC_SYSTEM_UTIME, NO_CELL, NO_CELL, NO_CELL);
	EXPECT(&s, METRIC_SYSTEM_STIME, NO_CELL, NO_CELL, NO_CELL);
	EXPECT(&s, METRIC_SYSTEM_CPU_USAGE, 0.7098, 0.7199, 0.7199);
	assert_int_equal(s.notes.n, 1);
	snapshot_free(&s);
	assert_int_equal(read_csv_text(&s, idle, false, &e), 0);
	EXPECT(&s, METRIC_SYSTEM_UTIME, 0, 0.0004, 0.01);
	assert_int_equal(s.notes.n, 0);
	snapshot_free(&s);
}

TEST(budget)
{
	struct buf text = {0};
	struct snapshot_budget b = {1 << 20, 1000};
	struct snapshot s = {.budget = &b};
	struct err e = {0};
	int fd;

	buf_str(&text, "timestamp,pid,memory\n");
	for (int i = 0; i < 1000; i++)
		buf_printf(&text, "%d,2,3\n", i);
	fd = scratch_text(buf_cstr(&text));
	assert_int_equal(snapshot_read(&s, fd, "f.csv", &e), -1);
	assert_non_null(strstr(e.msg, "too many for one command"));
	close(fd);
	buf_free(&text);
}
