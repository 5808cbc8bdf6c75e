/* nextflow_trace: trace files. */
#include "fleet/import/nextflow_trace.h"

#include "tests/unit/fleet/import/imported.h"

#define FILES "tests/fixtures/import/nextflow/"

ALL_TESTS_WITH(imported_zone, NULL)

TEST(default_columns)
{
	struct imported i;

	imported_file(&i, FILES "trace.txt");
	assert_int_equal(i.kind, IMPORT_NEXTFLOW);
	imported_expect(&i, 5, 0, 0);
	assert_int_equal(i.in.lines, 6);
	assert_string_equal(
	    buf_cstr(&i.jobs),
	    "nextflow/ab/12cd34/1/1795424400123: submit=1795424400.123 name=INDEX start=1795424400.623 wall_s=12 "
	    "status=exited code=0 end_cause=finished cpu_s=11.844 cores_mean=0.987 memory_peak_bytes=1288490188.8 memory_peak_known=sampled "
	    "workflow_run=nextflow/trace-20261123T090000Z labels=workflow=nextflow;nextflow.task=INDEX;nextflow.task_id=1;"
	    "nextflow.hash=ab/12cd34;nextflow.native_id=4711\n"
	    "nextflow/0f/98a7b6/3/1795424413001: submit=1795424413.001 name=ALIGN start=1795424415.001 wall_s=60 "
	    "status=exited code=137 end_cause=exited cpu_s=186.24 cores_mean=3.104 memory_peak_bytes=8482560409.6 memory_peak_known=sampled "
	    "workflow_run=nextflow/trace-20261123T090000Z labels=workflow=nextflow;nextflow.task=ALIGN (s2);"
	    "nextflow.task_id=3;nextflow.hash=0f/98a7b6;nextflow.native_id=4790\n"
	    "nextflow/cd/56ef78/2/1795424413000: submit=1795424413 name=ALIGN start=1795424417 wall_s=7380 "
	    "status=exited code=0 end_cause=finished cpu_s=28641.78 cores_mean=3.881 memory_peak_bytes=6764573491.2 memory_peak_known=sampled "
	    "workflow_run=nextflow/trace-20261123T090000Z labels=workflow=nextflow;nextflow.task=ALIGN (s1);"
	    "nextflow.task_id=2;nextflow.hash=cd/56ef78;nextflow.native_id=4780\n"
	    "nextflow/12/ff00ee/4/1795424480000: submit=1795424480 name=ALIGN start=1795424537 wall_s=93543 "
	    "status=exited code=0 end_cause=finished cpu_s=365753.13 cores_mean=3.91 memory_peak_bytes=13314398617.6 memory_peak_known=sampled "
	    "workflow_run=nextflow/trace-20261123T090000Z labels=workflow=nextflow;nextflow.task=ALIGN (s2);"
	    "nextflow.task_id=4;nextflow.hash=12/ff00ee;nextflow.native_id=4900\n"
	    "nextflow/9c/010203/6/1795474799500: submit=1795474799.5 name=REPORT status=unfinished "
	    "workflow_run=nextflow/trace-20261123T090000Z labels=workflow=nextflow;nextflow.task=REPORT;nextflow.task_id=6;"
	    "nextflow.hash=9c/010203;nextflow.native_id=4999\n");
	imported_free(&i);
}

TEST(all_columns_over_midnight)
{
	struct imported i;

	imported_file(&i, FILES "execution_trace_2026-11-23_10-00-00.txt");
	imported_expect(&i, 3, 0, 0);
	assert_string_equal(imported_value(&i, 0, "name"), "NFCORE_RNASEQ:ALIGN:STAR");
	assert_string_equal(imported_value(&i, 0, "start"), "1795474680");
	assert_string_equal(imported_value(&i, 0, "submit"), "1795474200");
	assert_string_equal(imported_value(&i, 0, "wall_s"), "328");
	assert_string_equal(imported_value(&i, 0, "cpu_s"), "2008.344");
	assert_string_equal(imported_value(&i, 0, "status"), "exited"); /* 137 proves nothing */
	assert_string_equal(imported_value(&i, 0, "code"), "137");
	assert_string_equal(imported_value(&i, 0, "asked_cpus"), "8");
	assert_string_equal(imported_value(&i, 0, "asked_cpus_source"), "nextflow");
	assert_string_equal(imported_value(&i, 0, "asked_memory_bytes"), "38654705664");
	assert_string_equal(imported_value(&i, 0, "asked_memory_source"), "nextflow");
	assert_string_equal(imported_value(&i, 0, "asked_time_s"), "14400");
	assert_string_equal(imported_value(&i, 0, "read_bytes"), "536870912");
	assert_string_equal(imported_value(&i, 0, "written_bytes"), "0");
	assert_string_equal(imported_value(&i, 0, "host"), "n17");
	assert_string_equal(imported_value(&i, 0, "directory"), "/scratch/work/a1/b2c3d4e5f6");
	assert_string_equal(imported_value(&i, 0, "workflow_run"),
	                    "nextflow/execution_trace_2026-11-23_10-00-00");
	assert_string_equal(
	    imported_value(&i, 0, "labels"),
	    "workflow=nextflow;nextflow.task=NFCORE_RNASEQ:ALIGN:STAR (s1);nextflow.attempt=1;"
	    "nextflow.task_id=7;nextflow.hash=a1/b2c3d4;nextflow.native_id=88123;nextflow.queue=long;"
	    "nextflow.container=quay.io/star:2.7");
	assert_non_null(strstr(imported_value(&i, 1, "labels"), "nextflow.attempt=2;"));
	assert_string_equal(imported_value(&i, 1, "wall_s"), "3655");
	/* A file that it should have written is missing. */
	assert_string_equal(imported_value(&i, 2, "status"), "exited");
	assert_string_equal(imported_value(&i, 2, "code"), "");
	assert_string_equal(imported_value(&i, 2, "end_cause"), "exited");
	assert_string_equal(imported_value(&i, 2, "wall_s"), "0.345");
	imported_free(&i);
}

TEST(raw)
{
	struct imported i;

	imported_file(&i, FILES "raw.tsv");
	imported_expect(&i, 2, 0, 0);
	assert_string_equal(
	    buf_cstr(&i.jobs),
	    "nextflow/ab/000001/1/1795428000123: submit=1795428000.123 name=SORT start=1795428001.123 "
	    "wall_s=9.95 status=exited code=0 end_cause=finished cpu_s=9.90025 cores_mean=0.995 memory_peak_bytes=1288490188 "
	    "memory_peak_known=sampled read_bytes=4096 asked_cpus=2 asked_cpus_source=nextflow "
	    "asked_memory_bytes=2147483648 asked_memory_source=nextflow asked_time_s=3600 "
	    "workflow_run=nextflow/raw-20261123T100000Z "
	    "labels=workflow=nextflow;nextflow.task=SORT;nextflow.task_id=1;nextflow.hash=ab/000001\n"
	    "nextflow/ab/000002/2/1795428000123: submit=1795428000.123 name=SORT start=1795428001.123 "
	    "wall_s=10 status=exited end_cause=exited asked_cpus=2 asked_cpus_source=nextflow "
	    "workflow_run=nextflow/raw-20261123T100000Z "
	    "labels=workflow=nextflow;nextflow.task=SORT;nextflow.task_id=2;nextflow.hash=ab/000002\n");
	imported_free(&i);
}

#define NAN_TEXT -1

TEST(values)
{
	static const struct {
		int (*read)(const char *, double *);
		const char *text;
		double v; /* NAN_TEXT: it is not understood */
	} cases[] = {
	    {nextflow_trace_bytes, "0", 0},
	    {nextflow_trace_bytes, "512", 512},
	    {nextflow_trace_bytes, "512 B", 512},
	    {nextflow_trace_bytes, "1.5 KB", 1536},
	    {nextflow_trace_bytes, "1,5 KB", 1536},
	    {nextflow_trace_bytes, "1,5\xc2\xa0KB", 1536},
	    {nextflow_trace_bytes, "1,5\xe2\x80\xafKB", 1536},
	    {nextflow_trace_bytes, "2GB", 2147483648},
	    {nextflow_trace_bytes, "2g", 2147483648},
	    {nextflow_trace_bytes, "1 TB", 1099511627776},
	    {nextflow_trace_bytes, "-1 GB", NAN_TEXT},
	    {nextflow_trace_bytes, "1.234,5 MB", NAN_TEXT},
	    {nextflow_trace_bytes, "1,234,567", NAN_TEXT},
	    {nextflow_trace_bytes, "1.2.3", NAN_TEXT},
	    {nextflow_trace_bytes, "1 BB", NAN_TEXT},
	    {nextflow_trace_bytes, "1 GiB", NAN_TEXT},
	    {nextflow_trace_bytes, "GB", NAN_TEXT},
	    {nextflow_trace_bytes, "", NAN_TEXT},
	    {nextflow_trace_duration, "345ms", 0.345},
	    {nextflow_trace_duration, "1.2s", 1.2},
	    {nextflow_trace_duration, "1,2s", 1.2},
	    {nextflow_trace_duration, "1h 2m 3s", 3723},
	    {nextflow_trace_duration, "2d 1h", 176400},
	    {nextflow_trace_duration, "2 days", 172800},
	    {nextflow_trace_duration, "10min", 600},
	    {nextflow_trace_duration, "9950", 9.95},
	    {nextflow_trace_duration, "0", 0},
	    {nextflow_trace_duration, "01:02:03", 3723},
	    {nextflow_trace_duration, "1h 2", NAN_TEXT},
	    {nextflow_trace_duration, "1 fortnight", NAN_TEXT},
	    {nextflow_trace_duration, "-5s", NAN_TEXT},
	    {nextflow_trace_duration, "1:2", NAN_TEXT},
	    {nextflow_trace_duration, "h", NAN_TEXT},
	    {nextflow_trace_percent, "123.4%", 123.4},
	    {nextflow_trace_percent, "123,4%", 123.4},
	    {nextflow_trace_percent, "98.7", 98.7},
	    {nextflow_trace_percent, "98.7 %", 98.7},
	    {nextflow_trace_percent, "98.7%%", NAN_TEXT},
	    {nextflow_trace_percent, "%", NAN_TEXT},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double v = 0;
		int failed = cases[i].read(cases[i].text, &v);
		if ((failed == -1) != (cases[i].v < 0) || (!failed && fabs(v - cases[i].v) > 1e-9))
			fail_msg("%s: %d, %.15g", cases[i].text, failed, v);
	}
}

TEST(each_value_that_is_not_understood_is_counted)
{
	struct imported i;

	imported_text(
	    &i, "t.txt",
	    "name\ttask_id\thash\texit\trealtime\t%cpu\tpeak_rss\tcpus\tmemory\tstart\tstatus\n"
	    "A\t1\tab/1\t0x\tlong\t-5%\t1e400 GB\t99999999999999999999\tmuch\t2026-02-30 10:00:00\tODD\n"
	    "B\t2\tab/2\t-\t\tNaN\tN/A\t-\tnull\t-\t-\n"
	    "C\t3\tab/3\t0\t1s\t99%\t1 GB\t0\t0\t2026-11-23 25:00:00\tCOMPLETED\n");
	imported_expect(&i, 3, 9, 0);
	assert_string_equal(i.in.example.msg,
	                    "t.txt:2: start: \"2026-02-30 10:00:00\" is not understood");
	assert_string_equal(
	    buf_cstr(&i.jobs),
	    "!2: name=A workflow_run=nextflow/t "
	    "labels=workflow=nextflow;nextflow.task=A;nextflow.task_id=1;nextflow.hash=ab/1\n"
	    "!3: name=B workflow_run=nextflow/t "
	    "labels=workflow=nextflow;nextflow.task=B;nextflow.task_id=2;nextflow.hash=ab/2\n"
	    "!4: name=C wall_s=1 status=exited code=0 end_cause=finished cpu_s=0.99 cores_mean=0.99 memory_peak_bytes=1073741824 "
	    "memory_peak_known=sampled workflow_run=nextflow/t "
	    "labels=workflow=nextflow;nextflow.task=C;nextflow.task_id=3;nextflow.hash=ab/3\n");
	imported_free(&i);
}

/* More CPUs than the task was given, and more memory than any machine has. */
TEST(what_cannot_be_true)
{
	struct imported i;

	imported_text(&i, "t.txt",
	              "task_id\thash\tname\tstatus\trealtime\t%cpu\tpeak_rss\tcpus\n"
	              "1\tab/1\tA\tCOMPLETED\t600000\t29064.2%\t1 GB\t1\n"
	              "2\tab/2\tA\tCOMPLETED\t600000\t119%\t900 TB\t1\n"
	              "3\tab/3\tA\tCOMPLETED\t600000\t29064.2%\t1 GB\t-\n");
	imported_expect(&i, 3, 0, 0);
	assert_int_equal(i.in.impossible, 2);
	assert_string_equal(
	    i.in.example.msg,
	    "t.txt:2: 290.6 CPUs in use (%cpu) of 1 that it was given cannot be true");
	assert_string_equal(imported_value(&i, 0, "cpu_s"), "");
	assert_string_equal(imported_value(&i, 0, "cores_mean"), "");
	assert_string_equal(imported_value(&i, 0, "memory_peak_bytes"), "1073741824");
	assert_string_equal(imported_value(&i, 1, "cores_mean"), "1.19");
	assert_string_equal(imported_value(&i, 1, "memory_peak_bytes"), "");
	imported_free(&i);
}

TEST(lines)
{
	struct imported i;

	/* CRLF, a byte order mark, blank lines, the header again, too many and too few cells. */
	imported_text(
	    &i, "t.txt",
	    "\xef\xbb\xbftask_id\thash\tname\tcpus\r\n1\tab/1\tA (x)\t2\r\n\r\n"
	    "task_id\thash\tname\tcpus\r\n2\tab/2\tB\t3\t4\r\n3\tab/3\r\n4\tab/4\tD\t4\t\r\n5\tab/5\t-\t1\r\n");
	imported_expect(&i, 2, 0, 3);
	assert_string_equal(i.in.example.msg, "t.txt:5: the line has 5 cells, and the header 4");
	assert_string_equal(imported_value(&i, 0, "name"), "A");
	assert_string_equal(imported_value(&i, 0, "asked_cpus"), "2");
	assert_string_equal(imported_value(&i, 1, "asked_cpus"), "4");
	imported_free(&i);
	/* Cut within the last value: 1 of 16. */
	imported_text(&i, "t.txt", "task_id\thash\tname\tcpus\n1\tab/1\tA\t2\n2\tab/2\tB\t1");
	imported_expect(&i, 2, 1, 0);
	assert_string_equal(imported_value(&i, 1, "asked_cpus"), "");
	imported_free(&i);
	imported_text(&i, "t.txt", "task_id\thash\tname\tcpus\n1\tab/1\tA\t2\n2\tab");
	imported_expect(&i, 1, 0, 1);
	assert_string_equal(i.in.example.msg,
	                    "t.txt:3: the line has 2 cells, and the header 4; the file ends in it");
	imported_free(&i);
	imported_text(&i, "t.txt", "task_id\thash\tname\n");
	imported_expect(&i, 0, 0, 0);
	imported_free(&i);
}

TEST(texts_are_hostile)
{
	struct imported i;
	struct buf b = {0};

	buf_str(
	    &b,
	    "task_id\thash\tname\tqueue\thostname\tworkdir\n1\tab/1\t\x1b[31m\xff;x=1 (a;b)\tq;slurm.account=root\t");
	for (int n = 0; n < 3000; n++)
		buf_str(&b, "ä");
	buf_str(&b, "\t/w\n2\tab/2\t");
	for (int n = 0; n < 140000; n++)
		buf_char(&b, 'x');
	buf_str(&b, "\t-\t-\t-\n");
	imported_text(&i, "../<script>.txt", buf_cstr(&b));
	imported_expect(&i, 1, 0, 1);
	assert_string_equal(i.in.example.msg, "../<script>.txt:3: the line is too long");
	assert_string_equal(imported_value(&i, 0, "name"), "?[31m\xef\xbf\xbd;x=1");
	assert_string_equal(imported_value(&i, 0, "workflow_run"), "nextflow/<script>");
	assert_non_null(
	    strstr(imported_value(&i, 0, "labels"), ";nextflow.queue=q,slurm.account=root"));
	assert_string_equal(imported_value(&i, 0, "host"), "ääääääääääääääääääääääääääääää…");
	buf_free(&b);
	imported_free(&i);
}

TEST(what_is_not_a_trace)
{
	static const char *const texts[] = {
	    "",
	    "task_id",
	    "task_id\thash\n1\t2\n",
	    "task_ids\thash\tname\n",
	    "id\tname\tstatus\n",
	    "task_id\thash\tname\r1\t2\tA\r", /* CR alone: all is one line */
	    "# task_id\thash\tname\n",
	    "{\"task_id\": 1}\n",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (import_kind_of(texts[i], strlen(texts[i])) && i != 5)
			fail_msg("%s", texts[i]);
	assert_string_equal(import_origins[import_origin_of(IMPORT_NEXTFLOW)], "nextflow");
}

/* Local time is once 2:30 twice, and once not at all. */
TEST(summer_time)
{
	struct imported i;

	imported_text(
	    &i, "t.txt",
	    "task_id\thash\tname\tstart\n1\ta\tA\t2026-07-01 12:00:00\n2\tb\tB\t2026-12-01 12:00:00.5\n"
	    "3\tc\tC\t2026-07-01T12:00:00Z\n4\td\tD\t2026-07-01 12:00:00-0530\n");
	imported_expect(&i, 4, 0, 0);
	assert_string_equal(imported_value(&i, 0, "start"), "1782900000");
	assert_string_equal(imported_value(&i, 1, "start"), "1796122800.5");
	assert_string_equal(imported_value(&i, 2, "start"), "1782907200");
	assert_string_equal(imported_value(&i, 3, "start"), "1782927000");
	imported_free(&i);
}

TEST(many_lines_take_no_memory)
{
	struct imported i = {.bytes = 1};
	size_t lines = EVERY(10) == 1 ? 200000 : 2000;
	FILE *f = tmpfile();

	fputs("task_id\thash\tname\tstatus\texit\tsubmit\tduration\trealtime\t%cpu\tpeak_rss\n", f);
	for (size_t n = 0; n < lines; n++)
		fprintf(
		    f,
		    "%zu\tab/%06zx\tALIGN (s%zu)\tCOMPLETED\t0\t2026-11-23 10:%02zu:%02zu.000\t1m 2s\t1m\t98.7%%\t1.2 GB\n",
		    n, n, n, n / 60 % 60, n % 60);
	rewind(f);
	imported_from(&i, "t.txt", f);
	imported_expect(&i, lines, 0, 0);
	imported_free(&i);
}
