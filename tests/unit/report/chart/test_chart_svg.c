/* chart_svg: the picture for readers without scripts: peaks, gaps, limits, phases, labels. */
#include "report/chart/chart_lines.h"
#include "report/render/assets.h"
#include "report/render/mustache.h"
#include "tests/unit/report/chart_made.h"
#include "tests/unit/unit.h"

#define WEEK 604800

static struct made_path path;

static double noise(size_t i)
{
	return (double)(i * 2654435761u % 1000) / 1000;
}

/* -- peaks ------------------------------------------------------------------------------------- */
static const size_t peaks[] = {0, 5, 86399, 200001, 302400, 555555, WEEK - 1};
#define PEAKS (sizeof peaks / sizeof *peaks)

static double spiky(size_t i)
{
	for (size_t k = 0; k < PEAKS; k++)
		if (peaks[k] == i)
			return 7 - (double)k / 2;
	return 1 + noise(i) / 10;
}

/* Whether the area has a corner at this time (within a point's width) and height (to a pixel). */
static bool reaches(const cJSON *svg, double share, double v)
{
	double w = CHART_SVG_PLOT_W / CHART_SVG_UNIT, h = CHART_SVG_PLOT_H / CHART_SVG_UNIT;
	double y = h * (1 - v / made_number(svg, "peak"));

	for (size_t i = 0; i < path.n; i++)
		if (fabs(path.v[i].x - share * w) <= w / (CHART_SVG_POINTS / 2.0) &&
		    fabs(path.v[i].y - y) <= 1 / CHART_SVG_UNIT)
			return true;
	return false;
}

TEST(week)
{
	struct run *run = made_run(1);
	const cJSON *svg, *data, *max;
	cJSON *all;

	made_times(run, WEEK);
	made_column(run, METRIC_PROCESS_CPU_USAGE, WEEK, spiky);
	all = chart_all(run);
	assert_non_null(all);
	svg = made_get(made_chart(all, "cpu"), "svg");
	data = made_get(made_chart(all, "cpu"), "data");
	max = cJSON_GetArrayItem(made_get(data, "max"), 0);
	assert_true(
	    made_path(&path, made_text(cJSON_GetArrayItem(made_get(svg, "series"), 0), "band")));
	for (size_t k = 0; k < PEAKS; k++) {
		double share = (double)peaks[k] / (WEEK - 1);
		size_t bucket = (size_t)((double)peaks[k] / made_number(data, "step"));
		double v = spiky(peaks[k]);
		bucket = bucket < CHART_POINTS_MAX ? bucket : CHART_POINTS_MAX - 1;
		/* the first two share a bucket */
		if (k != 1)
			assert_true(cJSON_GetArrayItem(max, (int)bucket)->valuedouble == v);
		if (k != 1)
			assert_true(reaches(svg, share, v));
		assert_false(reaches(svg, share, v + 0.3));
	}
	cJSON_Delete(all);
	made_free(run);
}

/* -- gaps -------------------------------------------------------------------------------------- */
static double holed(size_t i)
{
	return i >= 400 && i < 600 ? NAN : 1 + noise(i);
}

TEST(gaps)
{
	static const char *const keys[] = {"line", "band"};
	struct run *run = made_run(1);
	double w = CHART_SVG_PLOT_W / CHART_SVG_UNIT;
	cJSON *all;

	made_times(run, 1000);
	made_column(run, METRIC_PROCESS_CPU_USAGE, 1000, holed);
	all = chart_all(run);
	for (size_t k = 0; k < 2; k++) {
		const cJSON *svg = made_get(made_chart(all, "cpu"), "svg");
		const char *d = made_text(cJSON_GetArrayItem(made_get(svg, "series"), 0), keys[k]);
		assert_true(made_path(&path, d));
		assert_int_equal(path.parts, 2);
		for (size_t i = 0; i < path.n; i++)
			assert_true(path.v[i].part == 0 ? path.v[i].x < 0.41 * w
			                                : path.v[i].x > 0.59 * w);
	}
	cJSON_Delete(all);
	made_free(run);
}

static double missed(size_t i)
{
	return i == 101 ? NAN : 1;
}

/* A missing sample is a gap even if two samples make a point. */
TEST(small_gap)
{
	struct run *run = made_run(1);
	const cJSON *svg;
	cJSON *all;

	made_times(run, CHART_SVG_POINTS + 40);
	made_column(run, METRIC_PROCESS_CPU_USAGE, CHART_SVG_POINTS + 40, missed);
	all = chart_all(run);
	svg = made_get(made_chart(all, "cpu"), "svg");
	assert_true(
	    made_path(&path, made_text(cJSON_GetArrayItem(made_get(svg, "series"), 0), "line")));
	assert_int_equal(path.parts, 2);
	cJSON_Delete(all);
	made_free(run);
}

static double one(size_t i)
{
	return i == 0 ? 1.5 : 0;
}

/* A single sample is a dash somewhere in the plot. */
TEST(single)
{
	struct run *run = made_run(1);
	const cJSON *svg;
	cJSON *all;

	made_times(run, 1);
	made_column(run, METRIC_PROCESS_CPU_USAGE, 1, one);
	all = chart_all(run);
	svg = made_get(made_chart(all, "cpu"), "svg");
	assert_true(
	    made_path(&path, made_text(cJSON_GetArrayItem(made_get(svg, "series"), 0), "line")));
	assert_int_equal(path.n, 2);
	assert_true(path.v[1].x - path.v[0].x >= 2);
	assert_true(cJSON_GetArraySize(made_get(made_get(svg, "times"), "ticks")) >= 1);
	assert_null(made_get(made_chart(all, "memory"), "svg")->child);
	cJSON_Delete(all);
	made_free(run);
}

/* -- labels and limits ------------------------------------------------------------------------- */
static double steady(size_t i)
{
	return 1 + 0 * (double)i;
}

static double tiny(size_t i)
{
	return 0.011 + 0 * (double)i;
}

/* Labels never overlap, and stay next to the plot. */
TEST(labels)
{
	static double (*const ends[])(size_t) = {steady, tiny};
	static const enum metric_id ids[] = {METRIC_PROCESS_CPU_USAGE,
	                                     METRIC_PROCESS_MAIN_CPU_USAGE, METRIC_SYSTEM_CPU_USAGE,
	                                     METRIC_SYSTEM_CPU_IOWAIT, METRIC_SYSTEM_CPU_STEAL};

	for (unsigned mix = 0; mix < 32; mix++) {
		struct run *run = made_run(1);
		const cJSON *all_labels, *label;
		double last = -INFINITY;
		cJSON *all;
		made_times(run, 10);
		run->snapshot.limits.cpus = mix % 3 ? 1 : NAN;
		for (size_t i = 0; i < 5; i++)
			made_column(run, ids[i], 10, ends[mix >> i & 1]);
		made_column(run, METRIC_PROCESS_CHILDREN, 10, steady);
		all = chart_all(run);
		all_labels = made_get(made_get(made_chart(all, "cpu"), "svg"), "labels");
		assert_true(cJSON_GetArraySize(all_labels) >= 2); /* the machine may stand apart */
		cJSON_ArrayForEach (label, all_labels) {
			double y = made_number(label, "y");
			assert_true(y - last >= 13.99);
			assert_in_range((int)y, 12, CHART_SVG_TOP + CHART_SVG_PLOT_H + 6);
			last = y;
		}
		cJSON_Delete(all);
		made_free(run);
	}
}

static double gibs(size_t i)
{
	return 3e9 + (double)i;
}

TEST(limits)
{
	static const struct {
		double cpus, vcpus, memory, machine;
		const char *cpu, *memory_text, *remark;
	} cases[] = {
	    {NAN, NAN, NAN, NAN, NULL, NULL, ""},
	    {2, 64, NAN, NAN, "2 CPUs allowed", NULL, ""},
	    {1, 64, NAN, NAN, "1 CPU allowed", NULL, ""},
	    {NAN, 1.5, NAN, NAN, "1.5 CPUs", NULL, ""},
	    {NAN, 64, NAN, NAN, NULL, NULL, "Not drawn, far above the data: 64 CPUs."},
	    {2.1, NAN, NAN, NAN, NULL, NULL, "Not drawn, far above the data: 2.1 CPUs allowed."},
	    {NAN, NAN, 4294967296, 1e12, NULL, "Memory limit 4.00 GiB", ""},
	    {NAN, NAN, NAN, 4294967296, NULL, "Machine memory 4.00 GiB", ""},
	    {-1, 0, 0, -5, NULL, NULL, ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run *run = made_run(1);
		const cJSON *cpu, *memory;
		cJSON *all;
		made_times(run, 10);
		made_column(run, METRIC_PROCESS_CPU_USAGE, 10, steady);
		made_column(run, METRIC_PROCESS_MEMORY, 10, gibs);
		run->snapshot.limits.cpus = cases[i].cpus;
		run->snapshot.server.vcpus = cases[i].vcpus;
		run->snapshot.limits.memory_b = cases[i].memory;
		run->snapshot.server.memory_b = cases[i].machine;
		all = chart_all(run);
		cpu = made_chart(all, "cpu");
		memory = made_chart(all, "memory");
		const cJSON *drawn[] = {cJSON_GetArrayItem(made_get(cpu, "limits"), 0),
		                        cJSON_GetArrayItem(made_get(memory, "limits"), 0)};
		const char *texts[] = {cases[i].cpu, cases[i].memory_text};
		for (int k = 0; k < 2; k++) {
			assert_int_equal(drawn[k] != NULL, texts[k] != NULL);
			if (texts[k])
				assert_string_equal(made_text(drawn[k], "text"), texts[k]);
		}
		assert_string_equal(made_text(cpu, "remark"), cases[i].remark);
		if (texts[0])
			assert_non_null(strstr(made_text(cpu, "summary"), texts[0]));
		/* drawn within the plot, and in the data */
		drawn[0] = cJSON_GetArrayItem(made_get(made_get(cpu, "svg"), "limits"), 0);
		if (texts[0]) {
			assert_in_range((int)made_number(drawn[0], "y"), CHART_SVG_TOP,
			                CHART_SVG_TOP + CHART_SVG_PLOT_H);
			/* its text is in the picture and does not touch the line */
			assert_in_range((int)made_number(drawn[0], "label"), CHART_SVG_TOP + 10,
			                CHART_SVG_TOP + CHART_SVG_PLOT_H);
			assert_true(
			    fabs(made_number(drawn[0], "label") - made_number(drawn[0], "y")) >= 4);
		}
		assert_int_equal(cJSON_GetArraySize(made_get(made_get(cpu, "data"), "limits")),
		                 texts[0] != NULL);
		cJSON_Delete(all);
		made_free(run);
	}
}

/* -- phases ------------------------------------------------------------------------------------ */
static const cJSON *with_phases(struct run *run, cJSON **all)
{
	made_times(run, 100);
	made_column(run, METRIC_PROCESS_CPU_USAGE, 100, steady);
	made_column(run, METRIC_PROCESS_MEMORY, 100, steady);
	*all = chart_all(run);
	assert_true(cJSON_IsNull(made_get(made_get(made_chart(*all, "memory"), "svg"), "times")));
	return made_get(made_get(made_chart(*all, "cpu"), "svg"), "times");
}

TEST(phases)
{
	struct run *run = made_run(1);
	struct phases *p = calloc(1, sizeof *p);
	const char *hostile = "</text></svg><script>alert(1)</script>";
	struct buf html = {0};
	struct err e = {0};
	const cJSON *times, *names;
	size_t length;
	const char *template = assets_find(NULL, "charts.html", &length);
	cJSON *all, *model;

	assert_non_null(p);
	run->snapshot.phases = p;
	phases_add(p, "before", MADE_START - 50, MADE_START - 20); /* before the run: not shown */
	phases_add(p, "first", MADE_START, MADE_START + 30);
	phases_add(p, "x", MADE_START + 30, MADE_START + 30.1); /* too narrow */
	phases_add(p, hostile, MADE_START + 31, NAN);           /* lasts to the end */
	times = with_phases(run, &all);
	names = made_get(times, "phases");
	assert_int_equal(cJSON_GetArraySize(names), 2);
	assert_string_equal(made_text(cJSON_GetArrayItem(names, 0), "text"), "first");
	assert_string_equal(made_text(cJSON_GetArrayItem(names, 1), "text"), hostile);
	assert_non_null(strstr(made_text(times, "shade"), "M76 22h174.5v174h-174.5z"));
	assert_true(made_number(cJSON_GetArrayItem(names, 0), "share") == 0);
	assert_true(fabs(made_number(cJSON_GetArrayItem(names, 1), "share") - 31 / 0.99) < 0.02);
	model = cJSON_CreateObject();
	cJSON_AddItemToObject(model, "charts", all);
	assert_int_equal(
	    mustache_render(template, length, "charts.html", model, ESCAPE_HTML, NULL, &html, &e),
	    0);
	assert_null(strstr(buf_cstr(&html), "<script>"));
	assert_non_null(strstr(buf_cstr(&html), "&lt;/text&gt;&lt;/svg&gt;&lt;script&gt;"));
	buf_free(&html);
	cJSON_Delete(model);
	made_free(run);
	free(p);
}

/* Thousands of phases: a few are shown, and only names that fit. */
TEST(many_phases)
{
	struct run *run = made_run(1);
	struct phases *p = calloc(1, sizeof *p);
	const cJSON *times;
	size_t bands = 0;
	cJSON *all;

	assert_non_null(p);
	run->snapshot.phases = p;
	for (int i = 0; i < PHASES_MAX; i++)
		phases_add(p, "a rather long name", MADE_START + i, MADE_START + i + 0.9);
	times = with_phases(run, &all);
	for (const char *d = made_text(times, "shade"); (d = strchr(d, 'M')); d++)
		bands++;
	assert_in_range(bands, 10, CHART_SVG_PHASES);
	assert_int_equal(cJSON_GetArraySize(made_get(times, "phases")), 0);
	cJSON_Delete(all);
	made_free(run);
	free(p);
}

/* -- size -------------------------------------------------------------------------------------- */
static double rough(size_t i)
{
	return ((double)(i / 600 % 3) + 0.2) * (0.5 + noise(i));
}

static double rough_bytes(size_t i)
{
	return rough(i) * 1e9;
}

static double rough_share(size_t i)
{
	return rough(i) / 4;
}

/* An hour of a sample per second, with every measure changing. */
TEST(size)
{
	struct run *run = made_run(1);
	size_t svg = 0, packed = 0, series = 0;
	const cJSON *c;
	cJSON *all;

	made_times(run, 3600);
	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].chart != METRIC_CHART_NONE)
			made_column(run, (enum metric_id)id, 3600,
			            metrics[id].unit == METRIC_UNIT_SHARE    ? rough_share
			            : metrics[id].unit == METRIC_UNIT_MEMORY ? rough_bytes
			                                                     : rough);
	all = chart_all(run);
	cJSON_ArrayForEach (c, all) {
		char *text = cJSON_PrintUnformatted(made_get(c, "svg"));
		svg += strlen(text);
		free(text);
		text = cJSON_PrintUnformatted(made_get(c, "packed"));
		packed += strlen(text);
		free(text);
		series += (size_t)cJSON_GetArraySize(made_get(c, "series"));
	}
	assert_true(series >= 20);
	assert_in_range(svg, 10000, 45 * 1024 * series / 20);
	assert_in_range(packed, 10000, 1600 * series);
	cJSON_Delete(all);
	made_free(run);
}
