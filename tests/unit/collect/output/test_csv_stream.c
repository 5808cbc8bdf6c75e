/* csv: header and rows. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "collect/output/csv_stream.h"
#include "tests/unit/unit.h"

TEST(header_of_each_scope_and_schema)
{
	static const struct {
		enum metric_scope scope;
		enum schema schema;
		const char *expect;
	} cases[] = {
	    {METRIC_SCOPE_PROCESS, SCHEMA_1,
	     "\"timestamp\",\"pid\",\"children\",\"utime\",\"stime\",\"cpu_usage\",\"memory\","
	     "\"read_bytes\",\"write_bytes\",\"gpu_usage\",\"gpu_vram\",\"gpu_utilized\"\n"},
	    {METRIC_SCOPE_PROCESS, SCHEMA_2,
	     "\"timestamp\",\"pid\",\"children\",\"utime\",\"stime\",\"cpu_usage\",\"memory_mib\","
	     "\"disk_read_bytes\",\"disk_write_bytes\",\"gpu_usage\",\"gpu_vram_mib\","
	     "\"gpu_utilized\"\n"},
	    {METRIC_SCOPE_SYSTEM, SCHEMA_1,
	     "\"timestamp\",\"processes\",\"utime\",\"stime\",\"cpu_usage\",\"memory_free\","
	     "\"memory_used\",\"memory_buffers\",\"memory_cached\",\"memory_active\","
	     "\"memory_inactive\",\"disk_read_bytes\",\"disk_write_bytes\","
	     "\"disk_space_total_gb\",\"disk_space_used_gb\",\"disk_space_free_gb\","
	     "\"net_recv_bytes\",\"net_sent_bytes\",\"gpu_usage\",\"gpu_vram\",\"gpu_utilized\"\n"},
	};
	char line[CSV_STREAM_LINE_MAX];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct csv_stream c = {.scope = cases[i].scope, .schema = cases[i].schema};
		assert_int_equal(csv_stream_header_text(&c, line), strlen(cases[i].expect));
		assert_string_equal(line, cases[i].expect);
	}
}

static void fill(double *row)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] = NAN;
	row[METRIC_PROCESS_TIMESTAMP] = 1795234312.0004;
	row[METRIC_PROCESS_PID] = 77;
	row[METRIC_PROCESS_CHILDREN] = 3;
	row[METRIC_PROCESS_UTIME] = 0.7000004;
	row[METRIC_PROCESS_STIME] = 0.19;
	row[METRIC_PROCESS_CPU_USAGE] = 1.78006;
	row[METRIC_PROCESS_MEMORY] = 348404 * 1024.0 + 512;
	row[METRIC_PROCESS_WRITE_BYTES] = 62943232;
}

TEST(numbers_are_bare_and_documented_ones_never_empty)
{
	struct csv_stream c = {.scope = METRIC_SCOPE_PROCESS, .schema = SCHEMA_1};
	double row[METRIC_COUNT];
	char line[CSV_STREAM_LINE_MAX];

	fill(row);
	csv_stream_row_text(&c, row, line);
	assert_string_equal(line, "1795234312,77,3,0.7,0.19,1.7801,348404,0,62943232,0,0,0\n");
	c.schema = SCHEMA_2;
	csv_stream_row_text(&c, row, line);
	assert_string_equal(line, "1795234312,77,3,0.7,0.19,1.7801,340.2388,0,62943232,0,0,0\n");
}

/* A pipe takes up to PIPE_BUF bytes whole or not at all. */
TEST(no_line_is_longer_than_a_pipe_takes_whole)
{
	char line[CSV_STREAM_LINE_MAX];
	double row[METRIC_COUNT];

	for (int i = 0; i < METRIC_COUNT; i++)
		row[i] = -1.2345678901234567e-300 * (i + 1);
	for (int i = 0; i < 4; i++) {
		struct csv_stream c = {.scope = i % 2 ? METRIC_SCOPE_PROCESS : METRIC_SCOPE_SYSTEM,
		                       .schema = i / 2 ? SCHEMA_1 : SCHEMA_2,
		                       .all = true};
		size_t columns = 1, cells = 1;
		assert_true(csv_stream_header_text(&c, line) < CSV_STREAM_LINE_MAX - 64);
		for (const char *p = line; *p; p++)
			columns += *p == ',';
		assert_true(csv_stream_row_text(&c, row, line) < CSV_STREAM_LINE_MAX - 64);
		for (const char *p = line; *p; p++)
			cells += *p == ',';
		assert_int_equal(cells, columns);
	}
}

TEST(lines_are_written_whole_or_the_failure_is_told)
{
	struct csv_stream c = {
	    .scope = METRIC_SCOPE_PROCESS, .schema = SCHEMA_1, .out.fd = -1, .name = "a.csv"};
	struct err e = {0};
	double row[METRIC_COUNT];
	char text[CSV_STREAM_LINE_MAX] = "", line[CSV_STREAM_LINE_MAX];
	int p[2];

	fill(row);
	assert_int_equal(csv_stream_row(&c, row, &e), -1);
	assert_non_null(strstr(e.msg, "a.csv: the CSV"));
	assert_int_equal(pipe(p), 0);
	c.out.fd = p[1];
	assert_int_equal(csv_stream_header(&c, &e), 0);
	assert_int_equal(csv_stream_row(&c, row, &e), 0);
	assert_true(read(p[0], text, sizeof text - 1) > 0);
	csv_stream_row_text(&c, row, line);
	assert_string_equal(strchr(text, '\n') + 1, line);
	close(p[0]);
	close(p[1]);
}
