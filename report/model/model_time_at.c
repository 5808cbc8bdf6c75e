/* model_time_at: the time that the run would take with other numbers of CPUs (docs/model.md). */
#include <math.h>
#include <string.h>

#include "core/numbers/stats.h"
#include "report/model/model.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

/* Pixels of the picture: on the right and above there is room for times, below for CPUs. */
#define PLOT_W 246
#define PLOT_H 84
#define EDGE   4
#define TOP    18
#define FOOT   18
#define APART  26 /* numbers of CPUs; closer ones cannot both be read */
#define ABOVE  6  /* from a dot up to its time */
#define MIDDLE 4  /* from the middle of a line of text down to its baseline */
#define LINE_H 14 /* of a line of text */
#define TIME_W 80 /* of a time, at most */

static double per_run(const struct cpu_rule *c, double s)
{
	return s / (double)(c->runs ? c->runs : 1);
}

static struct time_at_range rule_range(const struct cpu_rule *c, double cpus)
{
	struct time_at_range t = time_at_free_cpus(&c->sums, cpus);

	return (struct time_at_range){per_run(c, t.s), per_run(c, t.least), per_run(c, t.most)};
}

static const char *rule_mark(const struct cpu_rule *c, double cpus)
{
	if (cpus == c->cpus)
		return cpus == c->asked ? "as asked, proposed" : "proposed";
	return cpus == c->asked ? "as asked" : "";
}

static void add_rule_row(cJSON *rows, const struct cpu_rule *c, double cpus)
{
	struct time_at_range t = rule_range(c, cpus);
	char least[64], most[64], text[64];
	cJSON *row = model_json_row(rows);

	units_text(UNIT_SECONDS, t.least, NULL, least);
	units_text(UNIT_SECONDS, t.most, NULL, most);
	units_text(UNIT_SECONDS, t.s, NULL, text);
	model_json_number(row, "cpus", cpus);
	model_json_quantity(row, "time", UNIT_SECONDS, t.s);
	model_json_number(row, "least_s", t.least);
	model_json_number(row, "most_s", t.most);
	if (strcmp(least, most) != 0)
		model_json_printf(row, "range", "%s to %s", least, most);
	else
		cJSON_AddNullToObject(row, "range");
	model_json_number(row, "core_hours", stats_digits(cpus * t.s / 3600, 3));
	cJSON_AddBoolToObject(row, "many", cpus != 1);
	cJSON_AddBoolToObject(row, "marked", *rule_mark(c, cpus) != '\0');
	cJSON_AddStringToObject(row, "mark", rule_mark(c, cpus));
}

/* Numbers of CPUs that are powers of two apart are equally far apart. */
static double picture_x(double cpus, double most)
{
	return stats_round(EDGE + PLOT_W * (most > 1 ? log2(cpus) / log2(most) : 0.5), 0);
}

static double picture_y(double s, double most_s)
{
	return stats_round(TOP + PLOT_H - PLOT_H * s / most_s, 0);
}

/* The line of estimates, and the band from the most, forwards, to the least, backwards. */
static void add_rule_lines(cJSON *svg, const struct cpu_rule *c, const double *cpus, size_t n,
                           double top)
{
	struct buf line = {0}, band = {0};

	for (size_t i = 0; i < n; i++) {
		struct time_at_range t = rule_range(c, cpus[i]);
		double x = picture_x(cpus[i], cpus[n - 1]);
		buf_printf(&line, "%s%g,%g", i ? " " : "", x, picture_y(t.s, top));
		buf_printf(&band, "%s%g,%g", i ? " " : "", x, picture_y(t.most, top));
	}
	for (size_t i = n; i-- > 0;)
		buf_printf(&band, " %g,%g", picture_x(cpus[i], cpus[n - 1]),
		           picture_y(rule_range(c, cpus[i]).least, top));
	model_json_take(svg, "line", &line);
	model_json_take(svg, "band", &band);
}

/* Dots of the CPUs asked for and proposed, from the right, each with its time: above it, and above
 * that of the next one; beside it where the plot ends. */
static void add_rule_dots(cJSON *svg, const struct cpu_rule *c, const double *cpus, size_t n,
                          double top)
{
	cJSON *marks = cJSON_AddArrayToObject(svg, "marks");
	double next_x = INFINITY, next_label = 0;

	for (size_t i = n; i-- > 0;) {
		double s = rule_range(c, cpus[i]).s, x = picture_x(cpus[i], cpus[n - 1]);
		double y = picture_y(s, top), label = y - ABOVE;
		cJSON *mark;
		if (!*rule_mark(c, cpus[i]))
			continue;
		if (i == n - 1)
			label = y + MIDDLE;
		else if (next_x - x < TIME_W)
			label = fmin(label, next_label - LINE_H);
		next_x = x;
		next_label = label;
		mark = model_json_row(marks);
		model_json_number(mark, "x", x);
		model_json_number(mark, "y", y);
		model_json_number(mark, "text_x", i == n - 1 ? x + ABOVE : x);
		model_json_number(mark, "text_y", label);
		cJSON_AddStringToObject(mark, "text", UNITS_SECONDS(s));
	}
}

/* Below the plot; those of the dots come first. */
static void add_rule_ticks(cJSON *svg, const struct cpu_rule *c, const double *cpus, size_t n)
{
	cJSON *ticks = cJSON_AddArrayToObject(svg, "ticks");
	double taken[CPU_RULE_ROWS];
	size_t used = 0;

	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < n; i++) {
			double x = picture_x(cpus[i], cpus[n - 1]);
			bool free = (*rule_mark(c, cpus[i]) == '\0') == (pass == 1);
			cJSON *tick;
			for (size_t k = 0; k < used; k++)
				free = free && fabs(taken[k] - x) >= APART;
			if (!free)
				continue;
			taken[used++] = x;
			tick = model_json_row(ticks);
			model_json_number(tick, "x", x);
			model_json_number(tick, "cpus", cpus[i]);
		}
}

static void add_rule_picture(cJSON *o, const struct cpu_rule *c, const double *cpus, size_t n)
{
	double top = rule_range(c, cpus[0]).most;
	cJSON *svg = model_json_object_if(n > 1, o, "svg");

	if (!svg)
		return;
	model_json_number(svg, "height", TOP + PLOT_H + FOOT);
	model_json_number(svg, "bottom", TOP + PLOT_H);
	model_json_number(svg, "right", EDGE + PLOT_W);
	model_json_number(svg, "foot", TOP + PLOT_H + FOOT - EDGE);
	add_rule_lines(svg, c, cpus, n, top);
	add_rule_dots(svg, c, cpus, n, top);
	add_rule_ticks(svg, c, cpus, n);
}

void model_time_at_add(cJSON *model, const struct model_input *in)
{
	const struct cpu_rule *c = &in->advice->by_time;
	cJSON *o = model_json_object_if(c->known, model, "time_at"), *rows;
	double cpus[CPU_RULE_ROWS];
	struct buf text = {0};
	char formula[352];
	size_t n;

	if (!o)
		return;
	n = cpu_rule_list(c, cpus);
	cJSON_AddBoolToObject(o, "shown", cpu_rule_is_worth(c));
	model_json_number(o, "asked", c->asked);
	model_json_number(o, "proposed", c->cpus);
	model_json_number(o, "slowdown", c->slowdown);
	model_json_number(o, "widest", stats_digits(time_at_widest(&c->sums), 3));
	model_json_number(o, "runs", (double)c->runs);
	cpu_rule_sentence(c, &text);
	model_json_take(o, "text", &text);
	cpu_rule_formula(c, formula, sizeof formula);
	cJSON_AddStringToObject(o, "formula", formula);
	rows = cJSON_AddArrayToObject(o, "rows");
	for (size_t i = 0; i < n; i++)
		add_rule_row(rows, c, cpus[i]);
	add_rule_picture(o, c, cpus, n);
}
