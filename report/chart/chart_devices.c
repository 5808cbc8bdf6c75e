/* chart_devices: the devices of a kind that stand out, as lines. */
#include "report/chart/chart_devices.h"

#include <math.h>
#include <stdio.h>

#include "report/chart/chart_axis.h"
#include "report/chart/chart_lines.h"
#include "report/units/units.h"

#define W         (CHART_SVG_PLOT_W / CHART_SVG_UNIT)
#define H         (CHART_SVG_PLOT_H / CHART_SVG_UNIT)
#define LABEL_MAX 64 /* bytes of a name in the key */

static const struct {
	const char *id, *title, *ways[2];
	enum unit unit;
} shown[DETAIL_KINDS] = {
    [DETAIL_CPU] = {"cpus", "CPUs: busy", {"", ""}, UNIT_PERCENT},
    [DETAIL_INTERFACE] = {"interfaces", "Network by interface", {"received", "sent"}, UNIT_RATE},
    [DETAIL_FILE_SYSTEM] = {"file_systems", "File systems: used", {"", ""}, UNIT_PERCENT},
    [DETAIL_DISK] = {"disks", "Disk I/O by disk", {"read", "written"}, UNIT_RATE},
};

/* A line that is drawn. */
struct device_line {
	const struct device_use *device;
	size_t way;
	double most;
};

struct devices_chart {
	const struct run *run;
	const struct device_uses *u;
	struct device_line line[CHART_DEVICES_MAX];
	size_t n, left_out;
	double top;
	struct chart_lines lines;
	cJSON *key;
	struct buf summary;
};

static double device_value(const struct devices_chart *c, const struct device_use *d, size_t way,
                           size_t point)
{
	if (c->u->kind == DETAIL_FILE_SYSTEM)
		return 100 * device_use_full(d, point);
	if (!d->of[way])
		return NAN;
	return d->of[way]->points[point] * (c->u->kind == DETAIL_CPU ? 100 : 1);
}

static void choose_lines(struct devices_chart *c)
{
	for (size_t i = 0; i < c->u->n; i++)
		for (size_t way = 0; way < 2; way++) {
			struct device_line line = {&c->u->v[i], way, NAN};
			if (!line.device->stands[way])
				continue;
			if (c->n == CHART_DEVICES_MAX) {
				c->left_out++;
				continue;
			}
			for (size_t k = 0; k < c->u->detail->buckets; k++)
				line.most = fmax(line.most, device_value(c, line.device, way, k));
			c->line[c->n++] = line;
		}
}

/* The points' place follows from their time: a recording's first sample is an interval after its
 * start. */
static struct chart_point place_point(const struct devices_chart *c, size_t i, double least,
                                      double v, double most)
{
	const struct detail *d = c->u->detail;
	double span = c->run->stop - c->run->start;
	double at = d->from + ((double)i + 0.5) * d->step - c->run->start;

	return (struct chart_point){.x = W * chart_lines_share(at, span),
	                            .y = H * (1 - chart_lines_share(v, c->top)),
	                            .top = H * (1 - chart_lines_share(most, c->top)),
	                            .bottom = H * (1 - chart_lines_share(least, c->top)),
	                            .known = !isnan(v),
	                            .broken = isnan(v)};
}

static void add_device_key(struct devices_chart *c, const char *label, size_t look)
{
	cJSON *one = cJSON_CreateObject();

	cJSON_AddItemToArray(c->key, one);
	model_json_cut(one, "label", label, LABEL_MAX);
	cJSON_AddStringToObject(one, "colour", chart_lines_looks[look].colour);
	cJSON_AddStringToObject(one, "dash", chart_lines_looks[look].dash);
}

static void draw_device(struct devices_chart *c, const struct device_line *line, size_t look)
{
	struct chart_point points[CHART_PATH_POINTS_MAX];
	size_t n = c->u->detail->buckets;
	const char *way = shown[c->u->kind].ways[line->way];
	struct buf label = {0};
	char most[64];

	buf_printf(&label, "%s%s%s%s", c->u->kind == DETAIL_CPU ? "CPU " : "", line->device->name,
	           *way ? " " : "", way);
	for (size_t i = 0; i < n; i++) {
		double v = device_value(c, line->device, line->way, i);
		points[i] = place_point(c, i, v, v, v);
	}
	chart_lines_add(&c->lines, buf_cstr(&label), look, points, n, 0);
	add_device_key(c, buf_cstr(&label), look);
	buf_printf(&c->summary, "%s%s %s", c->summary.len ? ", " : "", buf_cstr(&label),
	           units_text(shown[c->u->kind].unit, line->most, NULL, most));
	buf_free(&label);
}

/* The mean of all CPUs, and their range. */
static void draw_all_cpus(struct devices_chart *c)
{
	struct chart_point points[CHART_PATH_POINTS_MAX];
	size_t n = c->u->detail->buckets;

	for (size_t i = 0; i < n; i++) {
		double sum = 0, least = NAN, most = NAN;
		size_t known = 0;
		for (size_t k = 0; k < c->u->n; k++) {
			double v = device_value(c, &c->u->v[k], 0, i);
			if (isnan(v))
				continue;
			least = fmin(least, v);
			most = fmax(most, v);
			sum += v;
			known++;
		}
		points[i] =
		    place_point(c, i, least, known ? sum / (double)known : (double)NAN, most);
	}
	chart_lines_add(&c->lines, "mean", 0, points, n, W / (double)n / 2);
	add_device_key(c, "Mean of all CPUs, and their range", 0);
}

static void draw(struct devices_chart *c, cJSON *chart)
{
	bool cpus = c->u->kind == DETAIL_CPU;
	double span = c->run->stop - c->run->start;

	c->key = cJSON_AddArrayToObject(chart, "key");
	chart_lines_begin(&c->lines, chart, shown[c->u->kind].unit, c->top);
	chart_lines_times(cJSON_AddArrayToObject(c->lines.svg, "ticks_x"), span);
	if (cpus)
		draw_all_cpus(c);
	for (size_t i = 0; i < c->n; i++)
		draw_device(c, &c->line[i], i + cpus);
	chart_lines_end(&c->lines);
}

void chart_devices_add(cJSON *parent, const struct run *run, const struct device_uses *u)
{
	struct devices_chart c = {.run = run, .u = u};
	cJSON *charts = cJSON_AddArrayToObject(parent, "charts"), *one;
	enum unit unit = shown[u->kind].unit;
	double peak = 0;
	struct buf text = {0};

	choose_lines(&c);
	for (size_t i = 0; i < c.n; i++)
		peak = fmax(peak, c.line[i].most);
	if (!c.n || !(run->stop > run->start))
		return;
	c.top = unit == UNIT_PERCENT ? 100 : chart_axis_top(unit, peak);
	one = cJSON_CreateObject();
	cJSON_AddItemToArray(charts, one);
	cJSON_AddStringToObject(one, "id", shown[u->kind].id);
	cJSON_AddStringToObject(one, "title", shown[u->kind].title);
	cJSON_AddStringToObject(one, "unit", units_name(unit));
	draw(&c, one);
	buf_printf(&text, "%s, over time since the start; highest point of each line: %s.",
	           shown[u->kind].title, buf_cstr(&c.summary));
	model_json_cut(one, "summary", buf_cstr(&text), 4 * MODEL_JSON_TEXT_MAX);
	model_json_number(one, "left_out", (double)c.left_out);
	buf_free(&text);
	buf_free(&c.summary);
}
