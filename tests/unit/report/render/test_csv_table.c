/* csv_table: the samples of job and machine as one table, joined by time. */
#include "report/render/csv_table.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

static int take(void *ctx, const char *p, size_t n, struct err *e)
{
	(void)e;
	buf_add(ctx, p, n);
	return 0;
}

static char *csv_of(struct recordings *t, const char *text, struct csv_table_options o)
{
	struct buf out = {0};
	struct run *run = recordings_load(t, "r.json", text);

	assert_non_null(run);
	assert_int_equal(csv_table_write(run, &o, take, &out, &t->e), 0);
	load_free(&t->runs);
	return buf_take(&out);
}

/* The cells of one column of the table, without the head: "1 2 - ". "-": an empty one. */
static void column(const char *csv, const char *name, char out[512])
{
	size_t at = 0, wanted = SIZE_MAX, n = 0;
	char head[64];

	out[0] = '\0';
	snprintf(head, sizeof head, "\"%s\"", name);
	for (size_t line = 0; *csv; line++, csv += *csv == '\n') {
		at = 0;
		while (*csv && *csv != '\n') {
			size_t len = strcspn(csv, ",\n");
			if (line == 0 && len == strlen(head) && memcmp(csv, head, len) == 0)
				wanted = at;
			if (line && at == wanted)
				n += (size_t)snprintf(out + n, 512 - n, "%.*s ", len ? (int)len : 1,
				                      len ? csv : "-");
			csv += len;
			if (*csv == ',' && csv[1] == '\n' && line && ++at == wanted)
				n += (size_t)snprintf(out + n, 512 - n, "- ");
			csv += *csv == ',';
			at++;
		}
	}
}

static void expect(const char *csv, const char *name, const char *cells)
{
	char got[512];

	column(csv, name, got);
	if (strcmp(got, cells) != 0)
		print_error("%s\n%s", name, csv);
	assert_string_equal(got, cells);
}

/* Rows of both sides, and in which line of the table each stands. */
TEST_WITH(joined, recordings_begin, recordings_end)
{
	static const struct {
		const char *process, *system, *interval; /* time stamps */
		const char *time, *children, *processes;
	} cases[] = {
	    {"1,2,3", "1,2,3", "1", "1 2 3 ", "0 1 2 ", "0 1 2 "},
	    {"1.4,2.4,3.4", "1,2,3", "1", "1 2 3 ", "0 1 2 ", "0 1 2 "},
	    {"0.6,1.6", "1,2", "1", "1 2 ", "0 1 ", "0 1 "},
	    /* one side began later, ended earlier, or missed a sample */
	    {"2,3", "1,2,3", "1", "1 2 3 ", "- 0 1 ", "0 1 2 "},
	    {"1,2,3", "2,3", "1", "1 2 3 ", "0 1 2 ", "- 0 1 "},
	    {"1,3", "1,2,3", "1", "1 2 3 ", "0 - 1 ", "0 1 2 "},
	    {"1,2", "11,12", "1", "1 2 11 12 ", "0 1 - - ", "- - 0 1 "},
	    {"1,2,3,4", "2", "1", "1 2 3 4 ", "0 1 2 3 ", "- 0 - - "},
	    /* the nearer one is the partner */
	    {"1.5,2", "2,3", "1", "1.5 2 3 ", "0 1 - ", "- 0 1 "},
	    {"2", "1.6,2.1", "1", "1.6 2.1 ", "- 0 ", "0 1 "},
	    {"1,2", "1.6", "10", "1 1.6 ", "0 1 ", "- 0 "},
	    /* half an interval is near */
	    {"1", "1.04", "0.1", "1.04 ", "0 ", "0 "},
	    {"1", "1.06", "0.1", "1 1.06 ", "0 - ", "- 0 "},
	    /* one has no times */
	    {"null,null", "1,2", "1", "1 2 ", "0 1 ", "0 1 "},
	    {"1,null,3", "1,2,3", "1", "1 2 3 ", "0 1 2 ", "0 1 2 "},
	    {"1,2,3", "null", "1", "1 2 3 ", "0 1 2 ", "0 - - "},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[600], *csv;
		snprintf(
		    text, sizeof text,
		    "{\"metadata\": {\"interval\": %s}, \"process_metrics\": {\"timestamp\": [%s], "
		    "\"children\": [0,1,2,3]}, \"system_metrics\": {\"timestamp\": [%s], "
		    "\"processes\": [0,1,2,3]}}",
		    cases[i].interval, cases[i].process, cases[i].system);
		/* as many cells as there are times */
		for (int side = 0; side < 2; side++) {
			const char *times = side ? cases[i].system : cases[i].process;
			char *cells = strstr(text, side ? "\"processes\": [" : "\"children\": [");
			size_t n = 1;
			for (const char *p = times; *p; p++)
				n += *p == ',';
			cells = strchr(cells, '[') + 2 * n;
			memmove(cells, strchr(cells, ']'), strlen(strchr(cells, ']')) + 1);
		}
		csv = csv_of(t, text, (struct csv_table_options){0});
		expect(csv, "timestamp", cases[i].time);
		expect(csv, "process_children", cases[i].children);
		expect(csv, "system_processes", cases[i].processes);
		free(csv);
	}
}

#define BOTH                                                                                       \
	"{\"process_metrics\": {\"timestamp\": [1], \"memory\": [100], \"cpu_usage\": [0.12345], " \
	"\"gpu_vram\": [2.5], \"swap\": [7]}, \"system_metrics\": {\"timestamp\": [1], "           \
	"\"memory_used\": [3], \"disk_space_used_gb\": [1.5], \"disk_read_bytes\": "               \
	"[123456789012], "                                                                         \
	"\"psi_io_full\": [null]}}"

TEST_WITH(units, recordings_begin, recordings_end)
{
	static const struct {
		const char *name, *plain, *bytes;
	} cases[] = {
	    {"process_memory", "100 ", "102400 "},
	    {"process_gpu_vram", "2.5 ", "2621440 "},
	    {"process_swap", "7 ", "7168 "},
	    {"process_cpu_usage", "0.1235 ", "0.1235 "},
	    {"system_memory_used", "3 ", "3072 "},
	    {"system_disk_space_used_gb", "1.5 ", "1610612736 "},
	    {"system_disk_read_bytes", "123456789012 ", "123456789012 "},
	    {"system_psi_io_full", "- ", "- "},
	    {"system_net_recv_bytes", "- ", "- "}, /* documented: there, if not measured */
	    {"process_rss", "", ""},               /* ours, and not there */
	};
	struct recordings *t = *state;
	char *plain = csv_of(t, BOTH, (struct csv_table_options){0});
	char *bytes = csv_of(t, BOTH, (struct csv_table_options){.bytes = true});

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		expect(plain, cases[i].name, cases[i].plain);
		expect(bytes, cases[i].name, cases[i].bytes);
	}
	assert_memory_equal(plain, bytes, strcspn(plain, "\n"));
	free(plain);
	free(bytes);
}

/* The head of resource-tracker's get_combined_metrics(): the machine first, one time stamp. */
TEST_WITH(head, recordings_begin, recordings_end)
{
	static const char want[] =
	    "\"timestamp\",\"system_processes\",\"system_utime\",\"system_stime\",\"system_cpu_"
	    "usage\",\"system_memory_free\",\"system_memory_used\",\"system_memory_buffers\","
	    "\"system_memory_cached\",\"system_memory_active\",\"system_memory_inactive\","
	    "\"system_disk_read_bytes\",\"system_disk_write_bytes\",\"system_disk_space_total_gb\","
	    "\"system_disk_space_used_gb\",\"system_disk_space_free_gb\",\"system_net_recv_bytes\","
	    "\"system_net_sent_bytes\",\"system_gpu_usage\",\"system_gpu_vram\","
	    "\"system_gpu_utilized\",\"process_pid\",\"process_children\",\"process_utime\","
	    "\"process_stime\",\"process_cpu_usage\",\"process_memory\",\"process_read_bytes\","
	    "\"process_write_bytes\",\"process_gpu_usage\",\"process_gpu_vram\","
	    "\"process_gpu_utilized\"\n";
	static const char recording[] =
	    "{\"process_metrics\": {\"timestamp\": [1], \"cpu_usage\": [1]}, "
	    "\"system_metrics\": {\"timestamp\": [1], \"cpu_usage\": [1]}}";
	struct recordings *t = *state;
	char *csv = csv_of(t, recording, (struct csv_table_options){0});

	assert_memory_equal(csv, want, strlen(want));
	free(csv);
	/* a side without rows has no columns */
	csv = csv_of(t, "{\"process_metrics\": {\"timestamp\": [1.5], \"cpu_usage\": [1]}}",
	             (struct csv_table_options){0});
	assert_null(strstr(csv, "system_"));
	assert_string_equal(strchr(csv, '\n'), "\n1.5,,,,,1,,,,,,\n");
	free(csv);
}

/* Prefixes, as in get_combined_metrics(): any text, also none, and in the names for people. */
TEST_WITH(prefixes, recordings_begin, recordings_end)
{
	static const struct {
		struct csv_table_options o;
		const char *machine, *job; /* the names of their CPU usage */
	} cases[] = {
	    {{.prefix = {NULL, "m."}}, "\"m.cpu_usage\"", "\"process_cpu_usage\""},
	    {{.prefix = {"", NULL}}, "\"system_cpu_usage\"", "\"cpu_usage\""},
	    {{.human_names = true, .prefix = {"Job ", NULL}},
	     "\"System CPU usage\"",
	     "\"Job CPU usage\""},
	    {{.prefix = {"a\"b,\n", "=1+"}}, "\"=1+cpu_usage\"", "\"a\"\"b,\ncpu_usage\""},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *csv = csv_of(t, BOTH, cases[i].o);
		assert_non_null(strstr(csv, cases[i].machine));
		assert_non_null(strstr(csv, cases[i].job));
		free(csv);
	}
}

/* One name twice: the job's column takes the machine's place, as in get_combined_metrics(). */
TEST_WITH(same_name_twice, recordings_begin, recordings_end)
{
	static const char recording[] =
	    "{\"process_metrics\": {\"timestamp\": [1], \"cpu_usage\": [2], \"memory\": [3]}, "
	    "\"system_metrics\": {\"timestamp\": [1], \"cpu_usage\": [5], \"memory_used\": [7]}}";
	static const char head[] = "\"timestamp\",\"processes\",\"utime\",\"stime\",\"cpu_usage\",";
	struct recordings *t = *state;
	char *csv = csv_of(t, recording, (struct csv_table_options){.prefix = {"", ""}});

	assert_memory_equal(csv, head, strlen(head));
	assert_null(strstr(strstr(csv, "\"cpu_usage\"") + 1, "\"cpu_usage\""));
	assert_non_null(strstr(csv, "\n1,,,,2,,7,"));
	expect(csv, "memory", "3 ");
	free(csv);
}

/* The names of the documented columns, word for word as resource-tracker's
 * get_combined_metrics(human_names=True) has them. */
TEST_WITH(upstream_names, recordings_begin, recordings_end)
{
	static const char want[] =
	    "\"Timestamp\",\"System processes\",\"System CPU time (user)\",\"System CPU time "
	    "(system)\",\"System CPU usage\",\"System free memory\",\"System used "
	    "memory\",\"System "
	    "memory buffers\",\"System memory page/file cached\",\"System active memory\",\"System "
	    "inactive memory\",\"System disk read\",\"System disk write\",\"System disk space "
	    "total\",\"System disk space used\",\"System disk space free\",\"System inbound "
	    "network "
	    "traffic\",\"System outbound network traffic\",\"System GPU usage\",\"System VRAM "
	    "used\",\"System GPUs in use\",\"Process PID\",\"Process children\",\"Process CPU time "
	    "(user)\",\"Process CPU time (system)\",\"Process CPU usage\",\"Process memory "
	    "usage\",\"Process disk read\",\"Process disk write\",\"Process GPU usage\",\"Process "
	    "VRAM used\",\"Process GPUs in use\"\n";
	static const char recording[] =
	    "{\"process_metrics\": {\"timestamp\": [1], \"%s\": [1]}, "
	    "\"system_metrics\": {\"timestamp\": [1], \"cpu_usage\": [1]}}";
	struct recordings *t = *state;

	for (int schema = SCHEMA_1; schema <= SCHEMA_2; schema++) {
		char text[256], *csv;
		snprintf(text, sizeof text, recording,
		         schema == SCHEMA_1 ? "memory" : "memory_mib");
		csv = csv_of(t, text, (struct csv_table_options){.human_names = true});
		assert_true(strlen(csv) > strlen(want));
		csv[strlen(want)] = '\0';
		assert_string_equal(csv, want);
		free(csv);
	}
}

/* A recording keeps its own names and units; --schema chooses others. */
TEST_WITH(schemas, recordings_begin, recordings_end)
{
	static const struct {
		enum schema schema;
		const char *memory, *cells, *read, *space;
	} cases[] = {
	    {0, "process_memory_mib", "1.5 ", "process_disk_read_bytes", "20 "},
	    {SCHEMA_1, "process_memory", "1536 ", "process_read_bytes", "18.63 "},
	    {SCHEMA_2, "process_memory_mib", "1.5 ", "process_disk_read_bytes", "20 "},
	};
	static const char recording[] =
	    "{\"process_metrics\": {\"timestamp\": [1], \"memory_mib\": [1.5], "
	    "\"disk_read_bytes\": [7]}, \"system_metrics\": {\"timestamp\": [1], "
	    "\"disk_space_used_gb\": [20]}}";
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *csv =
		    csv_of(t, recording, (struct csv_table_options){.schema = cases[i].schema});
		expect(csv, cases[i].memory, cases[i].cells);
		expect(csv, cases[i].read, "7 ");
		expect(csv, "system_disk_space_used_gb", cases[i].space);
		free(csv);
	}
}

/* Names for people: each with its side before it, none twice, those of rtrack's own columns too. */
TEST_WITH(human_names, recordings_begin, recordings_end)
{
	static const char *const some[] = {"\"Process Swap\"", "\"System All waiting for I/O\""};
	struct recordings *t = *state;
	char *csv = csv_of(t, BOTH, (struct csv_table_options){.human_names = true});
	char *names[128];
	size_t n = 0;

	for (size_t i = 0; i < sizeof some / sizeof *some; i++)
		assert_non_null(strstr(csv, some[i]));
	*strchr(csv, '\n') = '\0';
	/* a name may hold a comma: between quotes */
	for (char *p = strtok(csv, "\""); p; p = strtok(NULL, "\"")) {
		if (strcmp(p, ",") == 0)
			continue;
		for (size_t i = 0; i < n; i++)
			assert_string_not_equal(names[i], p);
		assert_true(n < 128);
		names[n++] = p;
	}
	assert_true(n > 30);
	free(csv);
}

/* All goes out in parts, in order; a sink that fails is not called again. */
static int count(void *ctx, const char *p, size_t n, struct err *e)
{
	size_t *calls = ctx;

	(void)p;
	assert_true(n < 100000);
	return ++*calls == 3 ? err_set(e, "no more") : 0;
}

TEST_WITH(parts, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	const struct csv_table_options o = {0};
	struct buf text = {0}, out = {0};
	struct run *run;
	size_t calls = 0, lines = 0;

	buf_str(&text, "{\"process_metrics\": {\"timestamp\": [0");
	for (int i = 1; i < 20000; i++)
		buf_printf(&text, ",%d", i);
	buf_str(&text, "]}}");
	run = recordings_load(t, "long.json", buf_cstr(&text));
	assert_non_null(run);
	assert_int_equal(csv_table_write(run, &o, take, &out, &t->e), 0);
	for (const char *p = out.s; *p; p++)
		lines += *p == '\n';
	assert_int_equal(lines, 20001);
	assert_int_equal(csv_table_write(run, &o, count, &calls, &t->e), -1);
	assert_int_equal(calls, 3);
	assert_string_equal(t->e.msg, "no more");
	buf_free(&text);
	buf_free(&out);
}
