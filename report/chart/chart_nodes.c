/* chart_nodes: the nodes of a run side by side. */
#include "report/chart/chart_nodes.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "report/chart/chart_axis.h"
#include "report/chart/chart_lines.h"
#include "report/units/units.h"

#define WORST_NODES 2

static const struct {
	struct chart_lines_kind kind;
	const char *what;
} shown[PARTS_LINES] = {
    [PARTS_CPU] = {{"cpu", "CPU usage by node", UNIT_CORES}, "mean"},
    [PARTS_MEMORY] = {{"memory", "Memory by node", UNIT_BYTES}, "peak"},
    [PARTS_GPU] = {{"gpu", "GPU usage by node", UNIT_GPUS}, "mean"},
    [PARTS_VRAM] = {{"vram", "GPU memory by node", UNIT_BYTES}, "peak"},
};

/* One chart that is being made. */
struct nodes_chart {
	const struct parts *p;
	enum parts_line line;
	struct chart_lines lines;
	float *column; /* of all nodes at one point */
};

static float value_at(const struct nodes_chart *c, size_t node, size_t point)
{
	return c->p->node[node].line[c->line][point];
}

static double line_peak(const struct parts *p, enum parts_line line)
{
	double peak = NAN;

	for (size_t i = 0; i < p->n_nodes; i++)
		for (size_t k = 0; p->node[i].line[line] && k < p->points; k++)
			peak = fmax(peak, (double)p->node[i].line[line][k]);
	return peak;
}

static struct chart_point point_at(const struct nodes_chart *c, size_t i, double least, double v,
                                   double most)
{
	return chart_lines_point(&c->lines, ((double)i + 0.5) / (double)c->p->points, least, v,
	                         most);
}

static void add_node_line(struct nodes_chart *c, size_t node, size_t look)
{
	struct chart_point points[PARTS_POINTS];
	const struct parts_node *n = &c->p->node[node];
	const char *name = *n->name ? n->name : "unknown";

	for (size_t i = 0; i < c->p->points; i++) {
		double v = (double)value_at(c, node, i);
		points[i] = point_at(c, i, v, v, v);
	}
	chart_lines_add(&c->lines, name, look, points, c->p->points, 0);
	chart_lines_key(c->lines.key, name, MODEL_JSON_NAME_MAX, look);
	chart_lines_say(&c->lines, name, parts_line_value(&n->used, c->line));
}

static int ascending_float(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* The median of the nodes that run at a point, and their range. */
static struct chart_point point_of_all(struct nodes_chart *c, size_t point)
{
	size_t n = 0;

	for (size_t i = 0; i < c->p->n_nodes; i++)
		if (!isnan(value_at(c, i, point)))
			c->column[n++] = value_at(c, i, point);
	if (!n)
		return point_at(c, point, NAN, NAN, NAN);
	qsort(c->column, n, sizeof *c->column, ascending_float);
	return point_at(c, point, (double)c->column[0],
	                ((double)c->column[(n - 1) / 2] + (double)c->column[n / 2]) / 2,
	                (double)c->column[n - 1]);
}

/* The node with the largest value below that of `above` (n_nodes: of all). */
static size_t next_worst(const struct nodes_chart *c, size_t above)
{
	size_t n = c->p->n_nodes, worst = n;

	for (size_t i = 0; i < n; i++) {
		double v = parts_line_value(&c->p->node[i].used, c->line);
		double most = worst < n ? parts_line_value(&c->p->node[worst].used, c->line) : -1;
		if (i != above && v > most)
			worst = i;
	}
	return worst;
}

static void add_many(struct nodes_chart *c)
{
	struct chart_point points[PARTS_POINTS];
	size_t n = c->p->n_nodes, before = n;

	for (size_t i = 0; i < c->p->points; i++)
		points[i] = point_of_all(c, i);
	chart_lines_add(&c->lines, "median", 0, points, c->p->points,
	                CHART_SVG_PLOT_W / CHART_SVG_UNIT / (double)c->p->points / 2);
	chart_lines_key(c->lines.key, "Median of the nodes, and their range", MODEL_JSON_NAME_MAX,
	                0);
	for (size_t k = 0; k < WORST_NODES; k++) {
		before = next_worst(c, before);
		if (before == n)
			break;
		add_node_line(c, before, k + 1);
	}
}

static int add_nodes_chart(cJSON *charts, const struct run *run, enum parts_line line, double peak)
{
	const struct chart_lines_kind *kind = &shown[line].kind;
	struct nodes_chart c = {
	    .p = run->parts,
	    .line = line,
	    .column = alloc_failed_note(malloc(run->parts->n_nodes * sizeof *c.column))};
	double span = run->stop - run->start;
	bool each = run->parts->n_nodes <= CHART_NODES_EACH;
	struct buf summary = {0};
	cJSON *one;

	if (!c.column)
		return -1;
	one = chart_lines_chart(&c.lines, charts, kind, chart_axis_top(kind->unit, peak),
	                        span > 0 ? span : 1);
	for (size_t i = 0; each && i < run->parts->n_nodes; i++)
		add_node_line(&c, i, i);
	if (!each)
		add_many(&c);
	chart_lines_end(&c.lines);
	buf_printf(&summary, "%s over time since the start, up to %s; %s of %s: %s.", kind->title,
	           UNITS_SECONDS(span), shown[line].what,
	           each ? "each node" : "the two highest nodes", buf_cstr(&c.lines.summary));
	model_json_take_cut(one, "summary", &summary, 4 * MODEL_JSON_TEXT_MAX);
	buf_free(&c.lines.summary);
	free(c.column);
	return 0;
}

int chart_nodes_add(cJSON *parent, const struct run *run)
{
	cJSON *charts = cJSON_AddArrayToObject(parent, "charts");
	const struct parts *p = run->parts;

	if (p->n_nodes < 2 || !p->points)
		return 0;
	for (int line = 0; line < PARTS_LINES; line++) {
		double peak = line_peak(p, (enum parts_line)line);
		bool gpu = line == PARTS_GPU || line == PARTS_VRAM, known = true;
		for (size_t i = 0; i < p->n_nodes; i++)
			known = known && p->node[i].line[line];
		if (!known || isnan(peak) || (gpu && !(peak > 0)))
			continue;
		if (add_nodes_chart(charts, run, (enum parts_line)line, peak))
			return -1;
	}
	return 0;
}
