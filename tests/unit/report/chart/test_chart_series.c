/* chart_series: the measures of a chart, their names and looks; and the table of chart. */
#include "report/chart/chart.h"
#include "report/chart/chart_series.h"
#include "report/chart/chart_spark.h"
#include "tests/unit/report/chart_made.h"
#include "tests/unit/unit.h"

static double zero(size_t i)
{
	return 0 * (double)i;
}

static double some(size_t i)
{
	return i == 3 ? 0.5 : 0.25;
}

static double few(size_t i)
{
	return (double)(i % 3 + 1);
}

static double hundreds(size_t i)
{
	return 200 + (double)i;
}

static double thousands(size_t i)
{
	return 5000 + (double)i;
}

/* The ids of a chart's series, or "none". */
static void ids_of(const cJSON *all, const char *chart, char out[512])
{
	const cJSON *s;

	snprintf(out, 512, "%s", made_chart(all, chart) ? "" : "none");
	cJSON_ArrayForEach (s, made_get(made_chart(all, chart), "series"))
		snprintf(out + strlen(out), 512 - strlen(out), "%s%s", *out ? " " : "",
		         made_text(s, "id"));
}

TEST(which)
{
	static const struct {
		struct {
			enum metric_id id;
			double (*of)(size_t);
		} columns[5];
		const char *chart, *ids;
	} cases[] = {
	    {{{METRIC_PROCESS_CPU_USAGE, some}}, "cpu", "process_cpu_usage"},
	    /* the main process, if it had descendants */
	    {{{METRIC_PROCESS_CPU_USAGE, some}, {METRIC_PROCESS_MAIN_CPU_USAGE, some}},
	     "cpu",
	     "process_cpu_usage"},
	    {{{METRIC_PROCESS_CPU_USAGE, some},
	      {METRIC_PROCESS_MAIN_CPU_USAGE, some},
	      {METRIC_PROCESS_CHILDREN, few}},
	     "cpu",
	     "process_cpu_usage process_main_cpu_usage"},
	    {{{METRIC_PROCESS_MAIN_MEMORY, few}, {METRIC_PROCESS_CHILDREN, zero}}, "memory", ""},
	    {{{METRIC_PROCESS_MAIN_MEMORY, few}, {METRIC_PROCESS_CHILDREN, few}},
	     "memory",
	     "process_main_memory"},
	    {{{METRIC_SYSTEM_CGROUP_MEMORY, few}}, "memory", "system_cgroup_memory"},
	    /* I/O wait and steal, if any */
	    {{{METRIC_SYSTEM_CPU_USAGE, some},
	      {METRIC_SYSTEM_CPU_IOWAIT, zero},
	      {METRIC_SYSTEM_CPU_STEAL, some}},
	     "cpu",
	     "system_cpu_usage system_cpu_steal"},
	    /* pressure, if measured */
	    {{{METRIC_SYSTEM_CPU_USAGE, some}}, "pressure", "none"},
	    {{{METRIC_SYSTEM_PSI_CPU_SOME, zero},
	      {METRIC_SYSTEM_PSI_IO_SOME, some},
	      {METRIC_SYSTEM_PSI_IO_FULL, zero},
	      {METRIC_SYSTEM_PSI_MEMORY_FULL, some}},
	     "pressure",
	     "system_psi_cpu_some system_psi_memory_full system_psi_io_some"},
	    /* the machine's processes */
	    {{{METRIC_PROCESS_CHILDREN, few},
	      {METRIC_PROCESS_THREADS, few},
	      {METRIC_SYSTEM_PROCESSES, few}},
	     "tasks",
	     "process_children process_threads system_processes"},
	    {{{METRIC_PROCESS_CHILDREN, few}, {METRIC_SYSTEM_PROCESSES, hundreds}},
	     "tasks",
	     "process_children system_processes"},
	    {{{METRIC_PROCESS_THREADS, hundreds}, {METRIC_SYSTEM_PROCESSES, hundreds}},
	     "tasks",
	     "process_threads system_processes"},
	    {{{METRIC_SYSTEM_PROCESSES, hundreds}}, "tasks", "system_processes"},
	    {{{METRIC_SYSTEM_CPU_USAGE, some}}, "tasks", "none"},
	    /* each GPU, if several */
	    {{{METRIC_SYSTEM_GPU0_USAGE, some}}, "gpu_each", "none"},
	    {{{METRIC_SYSTEM_GPU0_VRAM, some}}, "vram_each", "none"},
	    {{{METRIC_SYSTEM_GPU0_USAGE, some},
	      {METRIC_SYSTEM_GPU0_VRAM, few},
	      {METRIC_SYSTEM_GPU1_USAGE, zero},
	      {METRIC_SYSTEM_GPU1_VRAM, zero}},
	     "gpu_each",
	     "system_gpu0_usage system_gpu1_usage"},
	    {{{METRIC_SYSTEM_GPU0_USAGE, some},
	      {METRIC_SYSTEM_GPU0_VRAM, few},
	      {METRIC_SYSTEM_GPU7_VRAM, zero}},
	     "vram_each",
	     "system_gpu0_vram system_gpu7_vram"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run *run = made_run(1);
		char ids[512];
		cJSON *all;
		made_times(run, 10);
		for (size_t k = 0; k < 5 && cases[i].columns[k].of; k++)
			made_column(run, cases[i].columns[k].id, 10, cases[i].columns[k].of);
		all = chart_all(run);
		ids_of(all, cases[i].chart, ids);
		assert_string_equal(ids, cases[i].ids);
		cJSON_Delete(all);
		made_free(run);
	}
}

/* With all measures: no two lines of a chart look alike, and names fit next to the plot. */
TEST(looks)
{
	static const char *const same[] = {"look", "colour", "dash"};
	struct run *run = made_run(1);
	const cJSON *chart, *a, *b;
	cJSON *all;

	made_times(run, 10);
	run->snapshot.server.gpu_count = 2;
	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].chart != METRIC_CHART_NONE)
			made_column(run, (enum metric_id)id, 10, few);
	all = chart_all(run);
	assert_int_equal(cJSON_GetArraySize(all), METRIC_CHARTS - 1);
	cJSON_ArrayForEach (chart, all) {
		const cJSON *svg = made_get(chart, "svg");
		assert_true(cJSON_IsTrue(made_get(chart, "known")));
		/* The legend and the picture have the same look. */
		b = made_get(svg, "series")->child;
		cJSON_ArrayForEach (a, made_get(chart, "series")) {
			for (size_t k = 0; k < sizeof same / sizeof *same; k++)
				assert_string_equal(made_text(a, same[k]), made_text(b, same[k]));
			assert_in_range(strlen(made_text(a, "mark")), 2, 16);
			b = b->next;
		}
		cJSON_ArrayForEach (a, made_get(svg, "series"))
			for (b = a->next; b; b = b->next) {
				assert_string_not_equal(made_text(a, "look"), made_text(b, "look"));
				assert_string_not_equal(made_text(a, "dash"), made_text(b, "dash"));
			}
		cJSON_ArrayForEach (a, made_get(svg, "labels")) {
			assert_in_range(strlen(made_text(a, "text")), 2, 16);
			for (b = a->next; b; b = b->next)
				assert_string_not_equal(made_text(a, "text"), made_text(b, "text"));
		}
	}
	cJSON_Delete(all);
	made_free(run);
}

/* A chart has the job's scale: what the machine has far above it is in the table and in the data,
 * and not in the picture. A chart without the job, or with a job that did nothing, has all. */
TEST(scale)
{
	static const struct {
		enum metric_id job, machine;
		const char *chart;
		double (*of_job)(size_t), (*of_machine)(size_t);
		bool apart;
	} cases[] = {
	    {METRIC_PROCESS_CPU_USAGE, METRIC_SYSTEM_CPU_USAGE, "cpu", few, thousands, true},
	    {METRIC_PROCESS_CPU_USAGE, METRIC_SYSTEM_CPU_USAGE, "cpu", few, few, false},
	    {METRIC_PROCESS_CPU_USAGE, METRIC_SYSTEM_CPU_USAGE, "cpu", zero, thousands, false},
	    {METRIC_PROCESS_MEMORY, METRIC_SYSTEM_MEMORY_USED, "memory", few, thousands, true},
	    {METRIC_PROCESS_WRITE_BYTES, METRIC_SYSTEM_DISK_WRITE_BYTES, "disk_io", few, thousands,
	     true},
	    {METRIC_PROCESS_CHILDREN, METRIC_SYSTEM_PROCESSES, "tasks", few, thousands, true},
	    {METRIC_SYSTEM_NET_SENT_BYTES, METRIC_SYSTEM_NET_RECV_BYTES, "network", few, thousands,
	     false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run *run = made_run(1);
		const cJSON *chart, *series;
		cJSON *all;
		made_times(run, 4);
		made_column(run, cases[i].job, 4, cases[i].of_job);
		made_column(run, cases[i].machine, 4, cases[i].of_machine);
		all = chart_all(run);
		chart = made_chart(all, cases[i].chart);
		series = made_get(chart, "series");
		assert_int_equal(cJSON_GetArraySize(series), 2);
		assert_int_equal(cJSON_GetArraySize(made_get(made_get(chart, "data"), "mean")), 2);
		assert_int_equal(cJSON_GetArraySize(made_get(made_get(chart, "svg"), "series")),
		                 cases[i].apart ? 1 : 2);
		assert_int_equal(cJSON_IsTrue(made_get(series->child, "apart")) +
		                     cJSON_IsTrue(made_get(series->child->next, "apart")),
		                 cases[i].apart);
		assert_true((made_number(made_get(chart, "svg"), "peak") > 5000) ==
		            (cases[i].of_machine == thousands && !cases[i].apart));
		cJSON_Delete(all);
		made_free(run);
	}
}

/* Shares are percent; a series that is too large to draw is mentioned. */
TEST(words)
{
	struct run *run = made_run(1);
	cJSON *all;

	made_times(run, 4);
	made_column(run, METRIC_SYSTEM_PSI_IO_SOME, 4, some);
	made_column(run, METRIC_PROCESS_CHILDREN, 4, few);
	made_column(run, METRIC_SYSTEM_PROCESSES, 4, hundreds);
	all = chart_all(run);
	assert_string_equal(made_text(made_chart(all, "pressure"), "summary"),
	                    "Machine: Waiting for I/O: mean 31.25%, peak 50%.");
	assert_string_equal(made_text(made_chart(all, "pressure"), "unit"), "%");
	assert_string_equal(made_text(made_chart(all, "tasks"), "remark"),
	                    "Not drawn, far above the job: Machine.");
	cJSON_Delete(all);
	made_free(run);
}

/* One line for each GPU, and the limit of one GPU. */
TEST(each_gpu)
{
	struct snapshot_gpu gpus[2] = {{.memory_b = 4}, {.memory_b = 4}};
	struct run *run = made_run(1);
	cJSON *all;
	const cJSON *chart, *labels;

	made_times(run, 4);
	run->snapshot.gpus = gpus;
	run->snapshot.n_gpus = 2;
	made_column(run, METRIC_SYSTEM_GPU0_USAGE, 4, some);
	made_column(run, METRIC_SYSTEM_GPU1_USAGE, 4, zero);
	made_column(run, METRIC_SYSTEM_GPU0_VRAM, 4, few);
	made_column(run, METRIC_SYSTEM_GPU1_VRAM, 4, zero);
	all = chart_all(run);
	chart = made_chart(all, "gpu_each");
	assert_string_equal(made_text(chart, "unit"), "%");
	assert_string_equal(made_text(chart, "summary"),
	                    "GPU 0 usage: mean 31.25%, peak 50%. GPU 1 usage: mean 0%, peak 0%. "
	                    "100% of a GPU.");
	labels = made_get(made_get(chart, "svg"), "labels");
	assert_int_equal(cJSON_GetArraySize(labels), 3);
	assert_string_equal(made_text(cJSON_GetArrayItem(labels, 1), "text"), "GPU 0");
	assert_string_equal(made_text(cJSON_GetArrayItem(labels, 2), "text"), "GPU 1");
	chart = made_chart(all, "vram_each");
	assert_string_equal(made_text(cJSON_GetArrayItem(made_get(chart, "limits"), 0), "text"),
	                    "Memory of one GPU 4 B");
	cJSON_Delete(all);
	gpus[1].memory_b = 5; /* different limits: no line */
	all = chart_all(run);
	chart = made_chart(all, "vram_each");
	assert_int_equal(cJSON_GetArraySize(made_get(chart, "limits")), 0);
	cJSON_Delete(all);
	run->snapshot.gpus = NULL;
	made_free(run);
}

/* A chart of its own has how many GPUs are in use only where the usage of each does not show it. */
TEST(gpus_in_use)
{
	static const struct {
		double gpus, each;
		bool shown;
	} cases[] = {{1, 0, false}, {2, 0, true},  {2, 1, true},
	             {2, 2, false}, {8, 8, false}, {9, 8, true}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run *run = made_run(1);
		cJSON *all;
		made_times(run, 4);
		run->snapshot.server.gpu_count = cases[i].gpus;
		for (size_t gpu = 0; gpu < (size_t)cases[i].each; gpu++)
			made_column(run, metric_gpu_usage(gpu), 4, some);
		all = chart_all(run);
		assert_int_equal(made_chart(all, "gpus") != NULL, cases[i].shown);
		assert_non_null(made_chart(all, "gpu"));
		cJSON_Delete(all);
		made_free(run);
	}
}

/* -- tables and sparks ------------------------------------------------------------------------- */
static double rising(size_t i)
{
	return i / 10 == 3 ? NAN : (double)(i + 1) / 100;
}

TEST(table)
{
	static const struct {
		size_t n;
		double step;
		int rows;
		const char *first, *second;
	} cases[] = {
	    {1, 1, 1, "04:11:40", NULL},
	    {7, 0.25, 7, "04:11:40.00", "04:11:40.25"},
	    {100, 1, 10, "04:11:40", "04:11:50"},
	    {1000, 1, 10, "04:11:40", "04:13:19"},
	    {1000, 900, 10, "11-21 04:11", "11-22 05:10"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run *run = made_run(cases[i].step);
		const cJSON *rows;
		cJSON *all;
		made_times(run, cases[i].n);
		made_column(run, METRIC_PROCESS_CPU_USAGE, cases[i].n, rising);
		all = chart_all(run);
		rows = made_get(made_chart(all, "cpu"), "table");
		assert_int_equal(cJSON_GetArraySize(rows), cases[i].rows);
		assert_string_equal(made_text(cJSON_GetArrayItem(rows, 0), "time"), cases[i].first);
		if (cases[i].second)
			assert_string_equal(made_text(cJSON_GetArrayItem(rows, 1), "time"),
			                    cases[i].second);
		if (cases[i].n == 100) { /* means of ten rows, "–" in gaps */
			const cJSON *v = made_get(cJSON_GetArrayItem(rows, 1), "values");
			assert_string_equal(made_text(cJSON_GetArrayItem(v, 0), "text"), "0.16");
			assert_string_equal(made_text(made_chart(all, "cpu"), "table_unit"),
			                    "cores");
			v = made_get(cJSON_GetArrayItem(rows, 3), "values");
			assert_string_equal(made_text(cJSON_GetArrayItem(v, 0), "text"), "–");
		}
		cJSON_Delete(all);
		made_free(run);
	}
}

static double lone_peak(size_t i)
{
	return i == 5555 ? 8 : i < 2000 ? NAN : 0.1;
}

TEST(sparks)
{
	static const struct {
		size_t n;
		double (*of)(size_t);
		const char *text, *area, *peak; /* NULL: no picture */
	} cases[] = {
	    {8, rising, "▁▂▃▄▅▆▇█", "M0 21l17-3 52-8 34-5 17-2 0 21-120 0z", "M120 3h0"},
	    {1, few, "█", "M0 3l120 0 0 21-120 0z", "M60 3h0"},
	    {4, zero, "▁▁▁▁", NULL, NULL},
	    {9000, lone_peak, "      ▁▁▁▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁▁▁",
	     "M25 23l46 0 3-20 3 20 43 0 0 1-95 0z", "M73.85 3h0"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run *run = made_run(1);
		const cJSON *s;
		cJSON *all;
		made_times(run, cases[i].n);
		made_column(run, METRIC_PROCESS_CPU_USAGE, cases[i].n, cases[i].of);
		all = chart_all(run);
		s = cJSON_GetArrayItem(made_get(made_chart(all, "cpu"), "series"), 0);
		assert_string_equal(made_text(s, "spark"), cases[i].text);
		s = made_get(s, "sparkline");
		assert_int_equal(cJSON_IsObject(s), cases[i].area != NULL);
		if (cases[i].area) {
			assert_string_equal(made_text(s, "area"), cases[i].area);
			assert_string_equal(made_text(s, "peak"), cases[i].peak);
		}
		cJSON_Delete(all);
		made_free(run);
	}
}
