/* chart_devices: the devices of a kind that stand out, as lines. */
#include "report/chart/chart_devices.h"

#include <math.h>

#include "report/chart/chart_axis.h"
#include "report/chart/chart_lines.h"
#include "report/units/units.h"

#define LABEL_MAX 64 /* bytes of a name in the key */

static const struct {
	struct chart_lines_kind kind;
	const char *ways[2];
} shown[DETAIL_KINDS] = {
    [DETAIL_CPU] = {{"cpus", "CPUs: busy", UNIT_PERCENT}, {"", ""}},
    [DETAIL_INTERFACE] = {{"interfaces", "Network by interface", UNIT_RATE}, {"received", "sent"}},
    [DETAIL_FILE_SYSTEM] = {{"file_systems", "File systems: used", UNIT_PERCENT}, {"", ""}},
    [DETAIL_DISK] = {{"disks", "Disk I/O by disk", UNIT_RATE}, {"read", "written"}},
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
	struct chart_lines lines;
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

	return chart_lines_point(&c->lines, chart_lines_share(at, span), least, v, most);
}

static void draw_device(struct devices_chart *c, const struct device_line *line, size_t look)
{
	struct chart_point points[CHART_PATH_POINTS_MAX];
	size_t n = c->u->detail->buckets;
	const char *way = shown[c->u->kind].ways[line->way];
	struct buf label = {0};

	buf_printf(&label, "%s%s%s%s", c->u->kind == DETAIL_CPU ? "CPU " : "", line->device->name,
	           *way ? " " : "", way);
	for (size_t i = 0; i < n; i++) {
		double v = device_value(c, line->device, line->way, i);
		points[i] = place_point(c, i, v, v, v);
	}
	chart_lines_add(&c->lines, buf_cstr(&label), look, points, n, 0);
	chart_lines_key(c->lines.key, buf_cstr(&label), LABEL_MAX, look);
	chart_lines_say(&c->lines, buf_cstr(&label), line->most);
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
	chart_lines_add(&c->lines, "mean", 0, points, n,
	                CHART_SVG_PLOT_W / CHART_SVG_UNIT / (double)n / 2);
	chart_lines_key(c->lines.key, "Mean of all CPUs, and their range", LABEL_MAX, 0);
}

void chart_devices_add(cJSON *parent, const struct run *run, const struct device_uses *u)
{
	const struct chart_lines_kind *kind = &shown[u->kind].kind;
	struct devices_chart c = {.run = run, .u = u};
	cJSON *charts = cJSON_AddArrayToObject(parent, "charts"), *one;
	bool cpus = u->kind == DETAIL_CPU;
	struct buf text = {0};
	double top = 0;

	choose_lines(&c);
	if (!c.n || !(run->stop > run->start))
		return;
	for (size_t i = 0; i < c.n; i++)
		top = fmax(top, c.line[i].most);
	top = kind->unit == UNIT_PERCENT ? 100 : chart_axis_top(kind->unit, top);
	one = chart_lines_chart(&c.lines, charts, kind, top, run->stop - run->start);
	if (cpus)
		draw_all_cpus(&c);
	for (size_t i = 0; i < c.n; i++)
		draw_device(&c, &c.line[i], i + cpus);
	chart_lines_end(&c.lines);
	buf_printf(&text, "%s, over time since the start; highest point of each line: %s.",
	           kind->title, buf_cstr(&c.lines.summary));
	model_json_take_cut(one, "summary", &text, 4 * MODEL_JSON_TEXT_MAX);
	model_json_number(one, "left_out", (double)c.left_out);
	buf_free(&c.lines.summary);
}
