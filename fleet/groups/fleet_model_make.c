/* fleet_model_make: everything that the fleet page shows, as one JSON tree. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"
#include "fleet/groups/fleet_model.h"
#include "fleet/groups/fleet_model_groups.h"
#include "fleet/groups/fleet_model_words.h"
#include "fleet/groups/fleet_round.h"
#include "report/chart/chart_axis.h"
#include "report/chart/chart_lines.h"
#include "report/model/model_gates.h"
#include "report/model/openmetrics_family.h"
#include "report/render/output_formats.h"
#include "report/units/model_json.h"
#include "report/units/others_text.h"
#include "report/units/units.h"

/* -- "left_out": the runs that are in no sum, and why ------------------------------------------ */

static double fleet_model_left_out_runs(const struct fleet *f)
{
	double runs = 0;

	for (int c = 0; c < CATALOG_CLASSES; c++)
		runs += c == CATALOG_COUNTED ? 0 : f->left_out[c].runs;
	return runs;
}

#define AS_TEXT(number) AS_TEXT_OF(number)
#define AS_TEXT_OF(n)   #n
#define FEW_SAMPLES     "fewer than " AS_TEXT(CATALOG_SAMPLES) " samples"

static const struct {
	const char *id, *label, *why;
} reasons[CATALOG_CLASSES] = {
    [CATALOG_NO_ASK] = {"no_ask", "No ask",
                        "It is unknown how many CPUs and how much memory they asked for."},
    [CATALOG_SHORT] = {"short", "Too short",
                       "They have " FEW_SAMPLES ", which say little about means and peaks: "
                       "rtrack-collect -i 0.2 takes five a second."},
    [CATALOG_FAILED] = {"failed", "Failed",
                        "They failed or were killed, not for memory: a whole run may need more."},
    [CATALOG_UNFINISHED] = {"unfinished", "Not finished",
                            "Their recordings have no end: they may still run, or the machine is "
                            "gone."},
    [CATALOG_UNMEASURED] = {"unmeasured", "Not measured",
                            "Their wall time or their peak memory is unknown."},
    [CATALOG_IMPOSSIBLE] =
	{"impossible", "Cannot be true",
         "They end in the future, used more CPU time or memory than their machine "
         "has, or asked for 100,000 CPUs or 1 PiB of memory or more: no number of theirs counts."},
};

/* Their asks are unknown: only their files have them. */
static void add_others(cJSON *rows, const struct fleet_model_input *in)
{
	double files = (double)in->others.files;
	struct buf why = {0};
	cJSON *one;

	others_text(&in->others, &why);
	if (why.len) {
		buf_char(&why, '.');
		one = model_json_row(rows);
		cJSON_AddStringToObject(one, "id", "others");
		cJSON_AddStringToObject(one, "label", "Of other people");
		model_json_take(one, "why", &why);
		fleet_page_quantity(one, "runs", UNIT_COUNT, fleet_model_ask(files), &in->page);
		fleet_page_quantity(one, "cores", UNIT_CORE_HOURS, NAN, &in->page);
		fleet_page_quantity(one, "memory", UNIT_GIB_HOURS, NAN, &in->page);
	}
	buf_free(&why);
}

static void fleet_model_left_out_add(cJSON *model, const struct fleet *f,
                                     const struct fleet_model_input *in)
{
	cJSON *left_out = cJSON_AddObjectToObject(model, "left_out"), *rows;
	double runs = fleet_model_left_out_runs(f);
	char count[UNITS_SIZE], all[UNITS_SIZE], share[UNITS_SIZE];
	struct buf text = {0};

	cJSON_AddBoolToObject(left_out, "known",
	                      runs > 0 || in->others.files + in->others.folders > 0);
	if (runs > 0)
		buf_printf(&text,
		           "%s of %s runs (%s) %s left out of all sums, histograms and proposed "
		           "asks.",
		           units_count(runs, count), units_count(f->runs, all),
		           fleet_model_share(runs, f->runs, share), runs == 1 ? "is" : "are");
	model_json_take(left_out, "text", &text);
	rows = cJSON_AddArrayToObject(left_out, "rows");
	for (int c = 0; c < CATALOG_CLASSES; c++) {
		const struct fleet_left_out *of = &f->left_out[c];
		cJSON *one;
		if (!reasons[c].id || !(of->runs > 0))
			continue;
		one = model_json_row(rows);
		cJSON_AddStringToObject(one, "id", reasons[c].id);
		cJSON_AddStringToObject(one, "label", reasons[c].label);
		cJSON_AddStringToObject(one, "why", reasons[c].why);
		fleet_page_quantity(one, "runs", UNIT_COUNT, of->runs, &in->page);
		fleet_page_quantity(one, "cores", UNIT_CORE_HOURS, fleet_model_ask(of->core_h),
		                    &in->page);
		fleet_page_quantity(one, "memory", UNIT_GIB_HOURS,
		                    fleet_model_ask(of->memory_gib_h), &in->page);
	}
	add_others(rows, in);
}

/* -- "origins": where the runs are from -------------------------------------------------------- */

static const char *const words[IMPORT_ORIGINS] = {
    [IMPORT_RECORDED] = "recorded",
    [IMPORT_OF_SACCT] = "from Slurm's accounting",
    [IMPORT_OF_SEFF] = "from seff",
    [IMPORT_OF_NEXTFLOW] = "from traces of Nextflow",
    [IMPORT_OF_SNAKEMAKE] = "from benchmarks of Snakemake",
    [IMPORT_OF_TIME] = "from GNU time",
    [IMPORT_OF_DUCT] = "from con/duct",
    [IMPORT_RECORDED_AND_SACCT] = "recorded and accounted",
};

struct origin_counts {
	double runs, differ, cpu, memory, end, bound;
};

static struct origin_counts counts_of(const struct fleet *f, int origin)
{
	struct origin_counts n = {0};

	for (int what = 0; what < CATALOG_ORIGINS / CATALOG_DIFFERS; what++) {
		double runs = f->origins[origin + CATALOG_DIFFERS * what];
		n.runs += runs;
		n.differ += what % CATALOG_BOUND ? runs : 0;
		n.bound += what & CATALOG_BOUND ? runs : 0;
		n.cpu += what & CATALOG_DIFFERS_CPU ? runs : 0;
		n.memory += what & CATALOG_DIFFERS_MEMORY ? runs : 0;
		n.end += what & CATALOG_DIFFERS_END ? runs : 0;
	}
	return n;
}

static bool has_imports(const struct fleet *f)
{
	for (int i = IMPORT_RECORDED + 1; i < IMPORT_ORIGINS; i++)
		if (counts_of(f, i).runs > 0)
			return true;
	return false;
}

/* "; in 3 of the latter, …" */
static void say_both_origins(const struct origin_counts *n, struct buf *out)
{
	char count[UNITS_SIZE], cpu[UNITS_SIZE], memory[UNITS_SIZE], end[UNITS_SIZE];

	if (!(n->runs > 0))
		return;
	buf_str(out, " What a recording has goes before accounting, but for the end, the ask and "
	             "the account.");
	if (!(n->differ > 0)) {
		buf_str(out, " The two differ nowhere by more than sampling explains.");
		return;
	}
	buf_printf(out,
	           " In %s run%s they differ by more than sampling explains (CPU time %s, memory "
	           "%s, end %s).",
	           units_count(n->differ, count), n->differ == 1 ? "" : "s",
	           units_count(n->cpu, cpu), units_count(n->memory, memory),
	           units_count(n->end, end));
}

static void fleet_model_origins_text(const struct fleet *f, struct buf *out)
{
	struct origin_counts both = counts_of(f, IMPORT_RECORDED_AND_SACCT);
	char count[UNITS_SIZE];
	double others = 0, bound = 0, slurm = both.runs + counts_of(f, IMPORT_OF_SACCT).runs;

	if (!has_imports(f))
		return;
	buf_str(out, "Of these runs, ");
	for (int i = 0, said = 0; i < IMPORT_ORIGINS; i++) {
		double runs = counts_of(f, i).runs;
		if (!(runs > 0))
			continue;
		bound += counts_of(f, i).bound;
		others += i != IMPORT_RECORDED && i != IMPORT_RECORDED_AND_SACCT ? runs : 0;
		buf_printf(out, "%s%s %s %s", said++ ? ", " : "", units_count(runs, count),
		           runs == 1 ? "is" : "are", words[i]);
	}
	buf_char(out, '.');
	if (others > 0)
		buf_str(out, " Other programs give peaks, not means: there, memory is used at its "
		             "peak for the whole run, so at least as much is unused as is said.");
	if (bound > 0)
		buf_printf(
		    out,
		    " Of %s run%s accounting does not say how many tasks or which steps shared a "
		    "node (the columns NTasks, NNodes, NodeList, Start, End): the peak of memory "
		    "is a lower bound, from which no memory is proposed.",
		    units_count(bound, count), bound == 1 ? "" : "s");
	if (slurm > 0)
		buf_str(out, " Slurm's jobs asked for what they requested, also where they were "
		             "given whole nodes (--exclusive); those that were added with "
		             "--allocated, for what they were given.");
	say_both_origins(&both, out);
}

static void fleet_model_origins_add(cJSON *model, const struct fleet *f)
{
	cJSON *origins = cJSON_AddObjectToObject(model, "origins"), *rows;
	struct buf text = {0};

	cJSON_AddBoolToObject(origins, "known", has_imports(f));
	fleet_model_origins_text(f, &text);
	model_json_take(origins, "text", &text);
	rows = cJSON_AddArrayToObject(origins, "rows");
	for (int i = 0; i < IMPORT_ORIGINS; i++) {
		struct origin_counts n = counts_of(f, i);
		cJSON *one;
		if (!(n.runs > 0))
			continue;
		one = model_json_row(rows);
		cJSON_AddStringToObject(one, "origin", import_origins[i]);
		cJSON_AddStringToObject(one, "label", words[i]);
		fleet_page_quantity(one, "runs", UNIT_COUNT, n.runs, NULL);
		fleet_page_quantity(one, "memory_bound", UNIT_COUNT, n.bound, NULL);
		fleet_page_quantity(one, "differ_cpu", UNIT_COUNT, n.cpu, NULL);
		fleet_page_quantity(one, "differ_memory", UNIT_COUNT, n.memory, NULL);
		fleet_page_quantity(one, "differ_end", UNIT_COUNT, n.end, NULL);
	}
}

/* -- "days" as charts -------------------------------------------------------------------------- */

#define SERIES_MAX 2
#define TICKS      7
#define ROWS       10 /* of a chart's table */

/* A series is a member of struct catalog_day, in parts of `per` seconds: the mean of the days of a
 * point, and of counts the sum. */
static const struct days_chart {
	const char *id, *title;
	enum unit unit;
	struct days_series {
		const char *label; /* NULL: none */
		size_t member;
		double per;
	} series[SERIES_MAX];
} charts[] = {
#define SERIES(label, member, per)                                                                 \
	{                                                                                          \
		label, offsetof(struct catalog_day, member), per                                   \
	}
    {"runs", "Runs by their start", UNIT_COUNT, {SERIES("started", started, 1)}},
    {"cores",
     "Cores",
     UNIT_CORES,
     {SERIES("asked", asked_core_s, QUANTITY_DAY_S), SERIES("used", used_core_s, QUANTITY_DAY_S)}},
    {"memory",
     "Memory",
     UNIT_BYTES,
     {SERIES("asked", asked_byte_s, QUANTITY_DAY_S), SERIES("used", used_byte_s, QUANTITY_DAY_S)}},
    {"gpus",
     "GPUs",
     UNIT_GPUS,
     {SERIES("asked", asked_gpu_s, QUANTITY_DAY_S), SERIES("used", used_gpu_s, QUANTITY_DAY_S)}},
    {"failures",
     "Runs that failed",
     UNIT_COUNT,
     {SERIES("failed", failed, 1), SERIES("out of memory", oom, 1)}},
};

/* The days from the first to the last, `each` of them in a point. */
struct days {
	const struct fleet *f;
	int64_t first;
	size_t n, each, points;
	double *v[SERIES_MAX]; /* of one chart, by point */
};

/* -- "days": words ----------------------------------------------------------------------------- */

static const char *day_date(const struct days *d, size_t day, enum fleet_date how, char out[64])
{
	return fleet_model_date(((double)d->first + (double)day) * QUANTITY_DAY_S, how, out);
}

static void add_days_ticks(cJSON *svg, const struct days *d)
{
	cJSON *ticks = cJSON_AddArrayToObject(svg, "ticks_x");
	size_t step = (d->n + TICKS - 1) / TICKS;
	char text[64];

	for (size_t day = 0; day < d->n; day += step) {
		double middle = fmin((double)day + 0.5, (double)d->n);
		double x = CHART_SVG_LEFT + CHART_SVG_PLOT_W * middle / (double)d->n;
		cJSON *one = model_json_row(ticks);
		model_json_number(one, "x", x);
		cJSON_AddStringToObject(
		    one, "text",
		    day_date(d, day, d->n > 366 ? FLEET_DATE_MONTH : FLEET_DATE_SHORT, text));
		chart_lines_tick_share(one, x);
	}
}

/* -- "days": a chart --------------------------------------------------------------------------- */

/* Days without runs are 0: nothing ran. */
static double fill_days_series(struct days *d, size_t k, const struct days_chart *c)
{
	const struct days_series *s = &c->series[k];
	double most = 0;

	memset(d->v[k], 0, d->points * sizeof *d->v[k]);
	for (size_t i = 0; i < d->f->n_days; i++) {
		const struct catalog_day *day = &d->f->day[i];
		size_t at = (size_t)(day->day - d->first) / d->each;
		size_t days = at + 1 < d->points ? d->each : d->n - at * d->each;
		double v = *(const double *)((const char *)day + s->member) / s->per;
		if (isfinite(v))
			d->v[k][at] += c->unit == UNIT_COUNT ? v : v / (double)days;
	}
	for (size_t i = 0; i < d->points; i++)
		most = fmax(most, d->v[k][i]);
	return most;
}

static void add_days_line(struct chart_lines *l, const struct days *d, size_t k, const char *label)
{
	struct chart_point p[CHART_SVG_POINTS] = {0};

	for (size_t i = 0; i < d->points; i++) {
		double from = (double)(i * d->each),
		       to = fmin(from + (double)d->each, (double)d->n);
		p[i] = chart_lines_point(l, (from + to) / 2 / (double)d->n, d->v[k][i], d->v[k][i],
		                         d->v[k][i]);
	}
	chart_lines_add(l, label, k, p, d->points, 0);
}

static void add_days_data(cJSON *chart, const struct days *d, size_t series)
{
	cJSON *data = cJSON_AddObjectToObject(chart, "data"), *all;

	model_json_number(data, "from", (double)d->first * QUANTITY_DAY_S);
	model_json_number(data, "step", (double)d->each * QUANTITY_DAY_S);
	all = cJSON_AddArrayToObject(data, "series");
	for (size_t k = 0; k < series; k++) {
		cJSON *one = cJSON_CreateArray();
		cJSON_AddItemToArray(all, one);
		for (size_t i = 0; i < d->points; i++)
			model_json_number(one, NULL, fleet_round(d->v[k][i], 4));
	}
}

static void add_days_table(cJSON *chart, const struct days_chart *c, const struct days *d,
                           size_t series)
{
	cJSON *rows = cJSON_AddArrayToObject(chart, "table");
	size_t each = (d->points + ROWS - 1) / ROWS;
	char text[64];

	for (size_t from = 0; from < d->points; from += each) {
		size_t to = from + each < d->points ? from + each : d->points;
		size_t day = from * d->each, end = to * d->each < d->n ? to * d->each : d->n;
		cJSON *row = model_json_row(rows), *values;
		struct buf time = {0};
		buf_str(&time, day_date(d, day, FLEET_DATE_WHOLE, text));
		if (end - day > 1)
			buf_printf(&time, " to %s", day_date(d, end - 1, FLEET_DATE_WHOLE, text));
		model_json_take(row, "time", &time);
		values = cJSON_AddArrayToObject(row, "values");
		for (size_t k = 0; k < series; k++) {
			double sum = 0;
			cJSON *one = model_json_row(values);
			for (size_t i = from; i < to; i++) {
				size_t last = (i + 1) * d->each < d->n ? (i + 1) * d->each : d->n;
				sum += c->unit == UNIT_COUNT
				           ? d->v[k][i]
				           : d->v[k][i] * (double)(last - i * d->each) /
				                 (double)(end - day);
			}
			cJSON_AddStringToObject(one, "text", units_text(c->unit, sum, NULL, text));
		}
	}
}

static void add_days_words(cJSON *chart, const struct days_chart *c, const struct days *d,
                           const double *most, size_t series)
{
	cJSON *key = cJSON_AddArrayToObject(chart, "key"), *head;
	struct buf text = {0};
	char value[64];

	buf_printf(&text, "%s, %s each %s; the most", c->title,
	           c->unit == UNIT_COUNT ? "in" : "mean of", d->each > 1 ? "period" : "day");
	for (size_t k = 0; k < series; k++) {
		chart_lines_key(key, c->series[k].label, FLEET_MODEL_NAME, k);
		buf_printf(&text, "%s%s %s", k ? ", " : ": ", c->series[k].label,
		           units_text(c->unit, most[k], NULL, value));
	}
	buf_char(&text, '.');
	model_json_take(chart, "summary", &text);
	head = cJSON_AddArrayToObject(chart, "head");
	for (size_t k = 0; k < series; k++)
		cJSON_AddItemToArray(head, cJSON_CreateString(c->series[k].label));
}

static void add_days_chart(cJSON *all, const struct days_chart *c, struct days *d)
{
	double most[SERIES_MAX] = {0}, top;
	struct chart_lines lines;
	size_t series = 0;
	cJSON *chart;

	for (; series < SERIES_MAX && c->series[series].label; series++)
		most[series] = fill_days_series(d, series, c);
	if (c->unit == UNIT_GPUS && !(most[0] > 0))
		return;
	top = chart_axis_top(c->unit, fmax(most[0], most[1]));
	chart = model_json_row(all);
	cJSON_AddStringToObject(chart, "id", c->id);
	cJSON_AddStringToObject(chart, "title", c->title);
	cJSON_AddStringToObject(chart, "unit", units_name(c->unit));
	cJSON_AddBoolToObject(chart, "count", c->unit == UNIT_COUNT);
	add_days_words(chart, c, d, most, series);
	chart_lines_begin(&lines, chart, c->unit, top);
	add_days_ticks(lines.svg, d);
	for (size_t k = 0; k < series; k++)
		add_days_line(&lines, d, k, c->series[k].label);
	chart_lines_end(&lines);
	add_days_table(chart, c, d, series);
	add_days_data(chart, d, series);
}

/* -- "days": the section ----------------------------------------------------------------------- */

static void add_days_text(cJSON *days, const struct days *d)
{
	char count[UNITS_SIZE], from[64], to[64];
	struct buf text = {0};

	buf_printf(&text, "%s day%s, ", units_count((double)d->n, count), d->n == 1 ? "" : "s");
	if (d->n > 1)
		buf_printf(&text, "from %s to %s", day_date(d, 0, FLEET_DATE_WHOLE, from),
		           day_date(d, d->n - 1, FLEET_DATE_WHOLE, to));
	else
		buf_str(&text, day_date(d, 0, FLEET_DATE_WHOLE, from));
	buf_str(&text, ", UTC; ");
	if (d->each > 1)
		buf_printf(&text, "each point is %zu days.", d->each);
	else
		buf_str(&text, "each point is a day.");
	model_json_take(days, "text", &text);
}

static void fleet_model_add_days(cJSON *model, const struct fleet *f)
{
	cJSON *days = cJSON_AddObjectToObject(model, "days"), *all;
	struct days d = {.f = f};
	double *v;

	cJSON_AddBoolToObject(days, "known", f->n_days > 0);
	if (!f->n_days)
		return;
	d.first = f->day[0].day;
	d.n = (size_t)(f->day[f->n_days - 1].day - d.first) + 1;
	d.each = (d.n + CHART_SVG_POINTS - 1) / CHART_SVG_POINTS;
	d.points = (d.n + d.each - 1) / d.each;
	v = alloc_failed_note(calloc(SERIES_MAX * d.points, sizeof *v));
	if (!v)
		return;
	for (size_t k = 0; k < SERIES_MAX; k++)
		d.v[k] = v + k * d.points;
	add_days_text(days, &d);
	all = cJSON_AddArrayToObject(days, "charts");
	for (size_t i = 0; i < sizeof charts / sizeof *charts; i++)
		add_days_chart(all, &charts[i], &d);
	free(v);
}

/* -- "openmetrics": metric families of OpenMetrics 1.0 ----------------------------------------- */

/* Names and units must stay: dashboards compare by them. Of the whole fleet the name begins with
 * rtrack_fleet_, of one group with rtrack_fleet_group_, so that no sum counts a run twice. */
static const struct fleet_family {
	const char *name, *unit, *help;
	size_t member; /* of struct fleet_group, a double */
	double factor; /* to its unit; 0: 1 */
	bool money;    /* in the currency */
	bool group;    /* of groups only */
	bool more;     /* 0 is unknown */
} families[] = {
#define AT(path) .member = offsetof(struct fleet_group, path)
    {"runs", NULL, "Runs, those that are left out of the other values too.", AT(runs)},
    {"counted_runs", NULL, "Runs that the other values are of.", AT(counted)},
    {"failed_runs", NULL, "Runs that failed or were killed, not for memory.", AT(failed)},
    {"oom_runs", NULL, "Runs that were killed because memory ran out.", AT(oom)},
    {"asked_cpu_seconds", "seconds", "CPUs asked for, times wall time.", AT(usage.cores.asked),
     .factor = QUANTITY_HOUR_S},
    {"unused_cpu_seconds", "seconds", "CPUs asked for and not used, times wall time.",
     AT(usage.cores.unused), .factor = QUANTITY_HOUR_S},
    {"asked_memory_byte_seconds", "byte_seconds", "Memory asked for, times wall time.",
     AT(usage.memory.asked), .factor = QUANTITY_HOUR_S * QUANTITY_GIB},
    {"unused_memory_byte_seconds", "byte_seconds",
     "Memory asked for and not used, times wall time.", AT(usage.memory.unused),
     .factor = QUANTITY_HOUR_S * QUANTITY_GIB},
    {"asked_gpu_seconds", "seconds", "GPUs asked for, times wall time.", AT(usage.gpus.asked),
     .factor = QUANTITY_HOUR_S},
    {"unused_gpu_seconds", "seconds", "GPUs asked for and not used, times wall time.",
     AT(usage.gpus.unused), .factor = QUANTITY_HOUR_S},
    {"cost", NULL, "Cost of what was asked for.", AT(usage.money), .money = true},
    {"recoverable_cost", NULL, "What the same runs would cost less with the proposed asks.",
     AT(usage.recoverable), .money = true},
    {"recommended_cpus", "cpus", "CPUs to ask for next time.", AT(proposed.cpus), .group = true,
     .more = true},
    {"recommended_memory_bytes", "bytes", "Memory to ask for next time.", AT(proposed.memory_b),
     .group = true, .more = true},
    {"recommended_gpus", "gpus", "GPUs to ask for next time.", AT(proposed.gpus), .group = true},
    {"recommended_time_seconds", "seconds", "Time to ask for next time.", AT(proposed.time_s),
     .group = true, .more = true},
    {"would_fail_runs", NULL, "Runs that would have failed with these.", AT(would_fail),
     .group = true},
    {"fail_at_most_ratio", "ratio",
     "The chance that the next run fails with these, at most (95 % confidence).", AT(fail_at_most),
     .group = true},
    {"backtest_runs", NULL,
     "Runs of the later half on which the rule for memory was tried, learnt on the earlier half.",
     AT(backtest.runs), .group = true},
    {"backtest_failed_runs", NULL, "Of these, runs that it would have failed.", AT(backtest.failed),
     .group = true},
};

static double family_value(const struct fleet_family *of, const struct fleet_group *g)
{
	double v = *(const double *)((const char *)g + of->member);

	if (of->more && !(v > 0))
		return NAN;
	return of->factor > 0 ? v * of->factor : v;
}

static struct openmetrics_family begin_of(cJSON *all, const struct fleet_family *of,
                                          const char *prefix, char name[96])
{
	snprintf(name, 96, "%s%s", prefix, of->name);
	return (struct openmetrics_family){
	    .all = all, .name = name, .type = "gauge", .unit = of->unit, .help = of->help};
}

static void add_fleet_value(struct openmetrics_family *f, const struct fleet_family *of,
                            const char *member, const struct fleet_group *g,
                            const struct fleet_model_input *in)
{
	const char *currency = in->page.currency && *in->page.currency ? in->page.currency : "USD";

	openmetrics_member(f, member, of->money ? "currency" : NULL, currency, family_value(of, g));
}

static void add_fleet_totals(cJSON *all, const struct fleet *f, const struct fleet_model_input *in)
{
	const struct fleet_group sum = {.runs = f->runs,
	                                .counted = f->counted,
	                                .failed = f->failed,
	                                .oom = f->oom,
	                                .usage = f->usage};
	struct openmetrics_family groups = {
	    .all = all, .name = "rtrack_fleet_groups", .type = "gauge", .help = "Groups of runs."};
	char name[96];

	openmetrics_member(&groups, NULL, NULL, NULL, f->all_groups);
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		struct openmetrics_family one = begin_of(all, &families[i], "rtrack_fleet_", name);
		if (!families[i].group)
			add_fleet_value(&one, &families[i], NULL, &sum, in);
	}
}

static void add_efficiency(cJSON *all, const struct fleet *f)
{
	const struct {
		const char *resource;
		const struct fleet_hours *hours;
	} of[] = {{"cpu", &f->usage.cores}, {"memory", &f->usage.memory}, {"gpu", &f->usage.gpus}};
	struct openmetrics_family one = {.all = all,
	                                 .name = "rtrack_fleet_efficiency_ratio",
	                                 .type = "gauge",
	                                 .unit = "ratio",
	                                 .help = "What was used, as a share of what was asked for.",
	                                 .label = "resource"};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		openmetrics_member(&one, of[i].resource, NULL, NULL,
		                   of[i].hours->used / of[i].hours->asked);
}

/* -- "openmetrics": groups --------------------------------------------------------------------- */

/* The names as labels, and of a name that an earlier group has, too, which one it is: OpenMetrics
 * allows no two samples with the same labels. Names that differ only in what an output replaces
 * count as the same. */
struct label {
	char *name, *plain;
	char same[32];
};

static void fill_label(struct label *v, size_t i, const struct fleet *f)
{
	struct buf whole = {0}, name = {0}, plain = {0};
	size_t same = 1;

	fleet_model_name(f, &f->group[i], &whole);
	model_json_cut_text(&name, buf_cstr(&whole), FLEET_MODEL_NAME);
	for (size_t k = 0; k < name.len; k++)
		buf_char(&plain, name.s[k] < 0x20 || name.s[k] > 0x7e ? '?' : name.s[k]);
	v[i].name = alloc_failed_note(buf_take(&name));
	v[i].plain = alloc_failed_note(buf_take(&plain));
	for (size_t k = 0; v[i].plain && k < i; k++)
		same += v[k].plain && strcmp(v[k].plain, v[i].plain) == 0;
	if (same > 1)
		snprintf(v[i].same, sizeof v[i].same, "%zu", same);
	buf_free(&whole);
}

static void add_group_families(cJSON *all, const struct fleet *f,
                               const struct fleet_model_input *in)
{
	size_t most = in->page.top ? in->page.top : FLEET_MODEL_TOP, n = f->n < most ? f->n : most;
	struct label *v = alloc_failed_note(calloc(n + 1, sizeof *v));
	char name[96];

	for (size_t i = 0; v && i < n; i++)
		fill_label(v, i, f);
	for (size_t k = 0; v && k < sizeof families / sizeof *families; k++) {
		struct openmetrics_family one =
		    begin_of(all, &families[k], "rtrack_fleet_group_", name);
		one.key = "group";
		one.label = "same_name";
		for (size_t i = 0; i < n; i++) {
			one.of = v[i].name;
			add_fleet_value(&one, &families[k], v[i].same, &f->group[i], in);
		}
	}
	for (size_t i = 0; v && i < n; i++) {
		free(v[i].name);
		free(v[i].plain);
	}
	free(v);
}

static void fleet_model_add_openmetrics(cJSON *model, const struct fleet *f,
                                        const struct fleet_model_input *in)
{
	cJSON *all = cJSON_AddArrayToObject(model, "openmetrics");
	struct openmetrics_family gates = {.all = all};

	add_fleet_totals(all, f, in);
	add_efficiency(all, f);
	add_group_families(all, f, in);
	openmetrics_gates(&gates, in->gates);
}

/* -- the top of the page: sums, sentences, what to change first -------------------------------- */

#define MUCH 0.1 /* of the money: what can be recovered deserves attention */
#define USED 0.5 /* of what was asked for: below, much is wasted */
#define SEEN 0.005

static const struct resource {
	const char *id, *label, *of;
	enum unit hours;
	size_t usage; /* struct fleet_hours in struct fleet_usage */
} resources[] = {
    {"cores", "Core-hours", "", UNIT_CORE_HOURS, offsetof(struct fleet_usage, cores)},
    {"memory", "GiB-hours", " of memory", UNIT_GIB_HOURS, offsetof(struct fleet_usage, memory)},
    {"gpus", "GPU-hours", "", UNIT_GPU_HOURS, offsetof(struct fleet_usage, gpus)},
};
#define RESOURCES (sizeof resources / sizeof *resources)

static const struct fleet_hours *hours_of(const struct fleet_usage *u, const struct resource *r)
{
	return (const struct fleet_hours *)((const char *)u + r->usage);
}

static bool is_asked(const struct fleet *f, const struct resource *r)
{
	return hours_of(&f->usage, r)->asked > 0;
}

/* -- the top of the page: tiles ---------------------------------------------------------------- */

/* No run that counts asked for anything: its whole machine stands for the ask. */
static bool is_unasked(const struct fleet *f, const struct fleet_model_input *in)
{
	return f->counted > 0 && in->unasked >= f->counted;
}

/* The label has the unit. Where not all runs count, the note says how many do. */
static void add_amount_tile(cJSON *tiles, const struct fleet *f, const char *id, const char *label,
                            enum unit u, double v, const char *note,
                            const struct fleet_model_input *in)
{
	char text[64];
	struct buf all = {0};

	buf_str(&all, note);
	if (f->counted < f->runs)
		buf_printf(&all, "%s%s run%s counted", *note ? "; " : "", UNITS_COUNT(f->counted),
		           fleet_page_plural(f->counted));
	fleet_page_tile(tiles, id, label,
	                units_is_money(u) ? units_money(v, in->page.currency, text)
	                                  : fleet_model_hours_text(v, text),
	                buf_cstr(&all));
	buf_free(&all);
}

/* "Core-hours asked" */
static const char *amount_label(const char *what, const struct fleet *f,
                                const struct fleet_model_input *in, char out[64])
{
	snprintf(out, 64, "%s%s", what, is_unasked(f, in) ? " of machines" : " asked");
	return out;
}

static void add_cost_tiles(cJSON *tiles, const struct fleet *f, const struct fleet_model_input *in)
{
	struct fleet_model_cost cost = fleet_model_cost(f, &f->usage);
	bool money = cost.unit == UNIT_MONEY;
	char share[UNITS_SIZE], number[UNITS_SIZE], label[64], note[96] = "";

	if (!isfinite(cost.asked))
		return;
	if (money && f->usage.unpriced > 0)
		snprintf(note, sizeof note, "without %s run%s of unknown price",
		         units_count(f->usage.unpriced, number), f->usage.unpriced == 1 ? "" : "s");
	add_amount_tile(tiles, f, money ? "money" : "machine_hours",
	                money ? "Cost" : amount_label("Machine-hours", f, in, label), cost.unit,
	                cost.asked, note, in);
	*note = '\0';
	if (*fleet_model_share(cost.recoverable, cost.asked, share))
		snprintf(note, sizeof note, "%s%s of %s", money ? "" : "machine-hours, ", share,
		         money ? "the cost" : "all");
	add_amount_tile(tiles, f, money ? "recoverable" : "machine_recoverable", "Recoverable",
	                cost.unit, cost.recoverable, note, in);
}

static void add_tiles(cJSON *model, const struct fleet *f, const struct fleet_model_input *in)
{
	cJSON *tiles = cJSON_AddArrayToObject(model, "tiles");
	char text[64], label[64], note[96], share[UNITS_SIZE], oom[UNITS_SIZE];

	if (!(f->runs > 0)) {
		fleet_page_tile(tiles, "runs", "Runs", "none", "");
		return;
	}
	snprintf(note, sizeof note, "%s failed, %s killed for memory", units_count(f->failed, text),
	         units_count(f->oom, oom));
	fleet_page_tile(tiles, "runs", "Runs", units_count(f->runs, text), note);
	fleet_page_tile(tiles, "groups", "Groups", units_count(f->all_groups, text), "");
	for (size_t i = 0; i < RESOURCES; i++) {
		const struct fleet_hours *h = hours_of(&f->usage, &resources[i]);
		if (!is_asked(f, &resources[i]))
			continue;
		*note = '\0';
		if (*fleet_model_share(h->used, h->asked, share))
			snprintf(note, sizeof note, "%s used", share);
		add_amount_tile(tiles, f, resources[i].id,
		                amount_label(resources[i].label, f, in, label), resources[i].hours,
		                h->asked, note, in);
	}
	if (f->counted > 0)
		add_cost_tiles(tiles, f, in);
}

/* -- the top of the page: sentences ------------------------------------------------------------ */

/* "2,000 runs in 120 groups asked for 12,345 core-hours (34% used), …" */
static void say_fleet_used(cJSON *verdict, const struct fleet *f,
                           const struct fleet_model_input *in)
{
	struct buf text = {0};
	char runs[UNITS_SIZE], groups[UNITS_SIZE], hours[64], share[UNITS_SIZE];
	double least = 1;
	size_t said = 0;

	if (!(f->counted > 0)) {
		if (f->runs > 0)
			buf_printf(&text, "It is not known what %s run%s wasted.",
			           units_count(f->runs, runs), f->runs == 1 ? "" : "s");
		else
			buf_str(&text, "There are no runs.");
		fleet_page_sentence(verdict, "used", "warn", &text);
		return;
	}
	buf_printf(&text, "%s run%s in %s group%s %s ", units_count(f->counted, runs),
	           fleet_page_plural(f->counted), units_count(f->all_groups, groups),
	           fleet_page_plural(f->all_groups),
	           is_unasked(f, in) ? "had machines of" : "asked for");
	for (size_t i = 0; i < RESOURCES; i++) {
		const struct fleet_hours *h = hours_of(&f->usage, &resources[i]);
		if (!is_asked(f, &resources[i]))
			continue;
		buf_printf(&text, "%s%s%s", said++ ? ", " : "",
		           units_text(resources[i].hours, h->asked, NULL, hours), resources[i].of);
		if (*fleet_model_share(h->used, h->asked, share))
			buf_printf(&text, " (%s used)", share);
		least = h->used / h->asked < least ? h->used / h->asked : least;
	}
	buf_str(&text, said ? "." : "amounts that are unknown.");
	fleet_page_sentence(verdict, "used", least < USED ? "warn" : "good", &text);
}

/* Where nothing was asked for, the size of the machine counts (docs/fleet.md). */
static void say_unasked(cJSON *verdict, const struct fleet *f, const struct fleet_model_input *in)
{
	struct buf text = {0};

	if (is_unasked(f, in))
		buf_str(&text, "Nothing was asked for: below, “asked” is the whole machine.");
	else if (in->unasked > 0)
		buf_printf(&text,
		           "%s of these runs asked for nothing: the whole machine counts "
		           "as what they asked for.",
		           UNITS_COUNT(in->unasked));
	fleet_page_sentence(verdict, "unasked", "info", &text);
}

static void say_fleet_origins(cJSON *verdict, const struct fleet *f)
{
	struct buf text = {0};

	fleet_model_origins_text(f, &text);
	fleet_page_sentence(verdict, "origins", "info", &text);
}

/* The trials of the rule for memory on runs that it was not learnt on, of all groups. */
static void say_fleet_backtest(cJSON *verdict, const struct fleet *f)
{
	const struct fleet_backtest *t = &f->backtest;
	struct buf text = {0};
	char runs[UNITS_SIZE], failed[UNITS_SIZE], wasted[64], asked[64], killed[UNITS_SIZE];

	if (!(t->runs > 0))
		return;
	buf_printf(&text,
	           "Tried on runs that it was not learnt on (of each group the later half), the "
	           "rule for memory would have failed %s of %s runs and wasted %s",
	           units_count(t->failed, failed), units_count(t->runs, runs),
	           units_text(UNIT_GIB_HOURS, t->wasted_gib_h, NULL, wasted));
	if (isfinite(t->asked_wasted_gib_h))
		buf_printf(&text, "; what was asked for wasted %s, and %s run%s killed for memory",
		           units_text(UNIT_GIB_HOURS, t->asked_wasted_gib_h, NULL, asked),
		           units_count(t->asked_failed, killed),
		           t->asked_failed == 1 ? " was" : "s were");
	buf_str(&text, ".");
	fleet_page_sentence(verdict, "backtest", "info", &text);
}

static void say_fleet_cost(cJSON *verdict, const struct fleet *f,
                           const struct fleet_model_input *in)
{
	bool unasked = is_unasked(f, in), one = f->counted == 1;
	struct buf text = {0};
	char money[64], runs[UNITS_SIZE];

	if (!(f->counted > 0))
		return;
	if (fleet_model_has_machine_hours(f)) {
		buf_str(&text, "What this cost is unknown, so it is counted in machine-hours: ");
		if (!unasked)
			buf_printf(&text,
			           "hours × the largest share of a machine that was asked for. %s "
			           "asked for ",
			           one ? "It" : "They");
		buf_printf(&text, "%s.",
		           units_text(UNIT_MACHINE_HOURS, f->usage.machine_h, NULL, money));
		fleet_page_sentence(verdict, "cost", "info", &text);
		return;
	}
	if (!fleet_model_has_money(f)) {
		buf_str(&text,
		        "What this cost and how large the machines were are unknown, and so is "
		        "what is recoverable.");
		fleet_page_sentence(verdict, "cost", "info", &text);
		return;
	}
	if (unasked)
		buf_printf(&text, "%s cost ", one ? "Its machine" : "Their machines");
	else
		buf_printf(&text, "What %s asked for cost ", one ? "it" : "they");
	buf_str(&text, units_text(UNIT_MONEY, f->usage.money, in->page.currency, money));
	if (f->usage.unpriced > 0)
		buf_printf(&text, ", without %s run%s on machines whose price is unknown",
		           units_count(f->usage.unpriced, runs), f->usage.unpriced == 1 ? "" : "s");
	buf_char(&text, '.');
	if (in->money_basis && *in->money_basis)
		buf_printf(&text, " %.*s", (int)MODEL_JSON_TEXT_MAX / 2, in->money_basis);
	fleet_page_sentence(verdict, "cost", "info", &text);
}

static void say_recoverable(cJSON *verdict, const struct fleet *f,
                            const struct fleet_model_input *in)
{
	struct fleet_model_cost cost = fleet_model_cost(f, &f->usage);
	struct buf text = {0};
	char amount[64], share[UNITS_SIZE];

	if (!(f->counted > 0) || !isfinite(cost.recoverable))
		return;
	if (cost.recoverable > 0)
		buf_printf(&text,
		           "%s of %s (%s) %s recoverable: so much less the same run%s would cost "
		           "with the proposed ask%s.",
		           units_text(cost.unit, cost.recoverable, in->page.currency, amount),
		           cost.unit == UNIT_MONEY ? "it" : "them",
		           fleet_model_share(cost.recoverable, cost.asked, share),
		           cost.unit == UNIT_MONEY ? "is" : "are", fleet_page_plural(f->counted),
		           fleet_page_plural(f->all_groups));
	else
		buf_str(&text, "Nothing of this is recoverable: no proposed ask costs less.");
	fleet_page_sentence(verdict, "recoverable",
	                    cost.recoverable >= MUCH * cost.asked ? "warn" : "good", &text);
}

static void say_fleet_left_out(cJSON *verdict, const struct fleet *f)
{
	struct buf text = {0};
	double runs = fleet_model_left_out_runs(f);
	char count[UNITS_SIZE], all[UNITS_SIZE], share[UNITS_SIZE];

	if (runs > 0)
		buf_printf(&text, "%s of %s runs (%s) %s left out, with the reasons below.",
		           units_count(runs, count), units_count(f->runs, all),
		           fleet_model_share(runs, f->runs, share), runs == 1 ? "is" : "are");
	if (f->left_out[CATALOG_SHORT].runs > runs / 2)
		buf_str(&text,
		        " Most have " FEW_SAMPLES ": rtrack-collect -i 0.2 takes five a second.");
	fleet_page_sentence(verdict, "left_out", "info", &text);
}

/* -- the top of the page: what to change first ------------------------------------------------- */

/* One resource of a group, as it is asked for and as it should be. */
struct difference {
	double asked, most, proposed;
	enum unit unit;
};

static const char *ask_words(enum unit u, double v, char out[64])
{
	if (u == UNIT_CORES)
		return units_cpus(v, out);
	return u == UNIT_GPUS ? units_gpus(v, out) : units_text(u, v, NULL, out);
}

/* "2 CPUs instead of 8": what is counted needs its unit once. */
static const char *asked_words(enum unit u, double v, char out[64])
{
	if (u == UNIT_BYTES)
		return units_text(u, v, NULL, out);
	return v == round(v) ? units_count(v, out) : units_cores(v, out);
}

/* The resources whose ask changes visibly, the largest saving first. Returns how many. */
static size_t differences_of(const struct fleet_group *g, struct difference out[3])
{
	const struct difference all[] = {
	    {g->asked.memory_b, g->most.memory_b, g->proposed.memory_b, UNIT_BYTES},
	    {g->asked.cpus, g->most.cpus, g->proposed.cpus, UNIT_CORES},
	    {g->asked.gpus, g->most.gpus, g->proposed.gpus, UNIT_GPUS},
	};
	size_t n = 0;

	for (size_t i = 0; i < 3; i++) {
		const struct difference *d = &all[i];
		size_t at = n;
		if (!(d->asked > 0) || !(d->proposed > 0 || (i == 2 && d->proposed >= 0)) ||
		    fabs(d->proposed - d->asked) < SEEN * d->asked)
			continue;
		for (; at && d->proposed / d->asked < out[at - 1].proposed / out[at - 1].asked;
		     at--)
			out[at] = out[at - 1];
		out[at] = *d;
		n++;
	}
	return n;
}

static void say_accounting(struct buf *text, const struct difference *d, size_t n)
{
	char proposed[64], asked[64];
	const char *before = "ask ";

	for (size_t i = 0; i < n; i++) {
		buf_printf(text, "%s%s instead of %s%s", before,
		           ask_words(d[i].unit, d[i].proposed, proposed),
		           asked_words(d[i].unit, d[i].asked, asked),
		           d[i].most > d[i].asked * (1 + SEEN) ? " on average" : "");
		before = i + 2 < n ? ", " : ", and ";
	}
}

static void add_fleet_change(cJSON *changes, const struct fleet *f, size_t i,
                             const struct difference *d, size_t n,
                             const struct fleet_model_input *in)
{
	const struct fleet_group *g = &f->group[i];
	struct fleet_model_cost cost = fleet_model_cost(f, &g->usage),
				all = fleet_model_cost(f, &f->usage);
	cJSON *one = model_json_row(changes);
	char share[UNITS_SIZE];
	struct buf text = {0};

	model_json_number(one, "rank", cJSON_GetArraySize(changes));
	fleet_model_name(f, g, &text);
	model_json_take_cut(one, "name", &text, FLEET_MODEL_NAME);
	model_json_printf(one, "anchor", "group-%zu", i + 1);
	buf_printf(&text,
	           "%s: ", cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "name")));
	say_accounting(&text, d, n);
	model_json_take_cut(one, "text", &text, 2 * MODEL_JSON_NAME_MAX);
	fleet_page_quantity(one, "saves", cost.unit, cost.recoverable, &in->page);
	model_json_printf(one, "share", "%s of what is recoverable",
	                  fleet_model_share(cost.recoverable, all.recoverable, share));
	fleet_model_say_trial(g, &text);
	model_json_take(one, "basis", &text);
}

/* "These 3 changes save $12 in 90 days (19% of the cost); all proposed asks together save $30
 * (48%)." */
static void say_changes(cJSON *model, const struct fleet *f, double saved, int n,
                        const struct fleet_model_input *in)
{
	struct fleet_model_cost all = fleet_model_cost(f, &f->usage);
	double days = fleet_model_period_days(f);
	char amount[64], share[UNITS_SIZE];
	struct buf text = {0};

	if (!n) {
		cJSON_AddStringToObject(model, "changes_text", "");
		return;
	}
	if (n > 1)
		buf_printf(&text, "These %d changes save", n);
	else
		buf_str(&text, "This change saves");
	buf_printf(&text, " %s", units_text(all.unit, saved, in->page.currency, amount));
	if (days > 1)
		buf_printf(&text, " in %s days", units_count(days, amount));
	buf_printf(&text, " (%s of %s)", fleet_model_share(saved, all.asked, share),
	           all.unit == UNIT_MONEY ? "the cost" : "all");
	if (all.recoverable > saved)
		buf_printf(&text, "; all proposed asks together save %s (%s)",
		           units_text(all.unit, all.recoverable, in->page.currency, amount),
		           fleet_model_share(all.recoverable, all.asked, share));
	buf_char(&text, '.');
	model_json_take(model, "changes_text", &text);
}

static void add_changes(cJSON *model, const struct fleet *f, const struct fleet_model_input *in)
{
	cJSON *changes = cJSON_AddArrayToObject(model, "changes");
	double saved = 0;

	for (size_t i = 0; i < f->n && cJSON_GetArraySize(changes) < (int)FLEET_CHANGES; i++) {
		struct difference d[3];
		size_t n = differences_of(&f->group[i], d);
		double saves = fleet_model_cost(f, &f->group[i].usage).recoverable;
		if (!n || !(saves > 0))
			continue;
		add_fleet_change(changes, f, i, d, n, in);
		saved += saves;
	}
	cJSON_AddBoolToObject(model, "has_changes", cJSON_GetArraySize(changes) > 0);
	say_changes(model, f, saved, cJSON_GetArraySize(changes), in);
}

static void fleet_model_add_verdict(cJSON *model, const struct fleet *f,
                                    const struct fleet_model_input *in)
{
	cJSON *verdict;

	add_tiles(model, f, in);
	verdict = cJSON_AddArrayToObject(model, "verdict");
	say_fleet_used(verdict, f, in);
	say_unasked(verdict, f, in);
	say_fleet_cost(verdict, f, in);
	say_recoverable(verdict, f, in);
	say_fleet_backtest(verdict, f);
	say_fleet_origins(verdict, f);
	say_fleet_left_out(verdict, f);
	add_changes(model, f, in);
}

/* -- the whole tree ---------------------------------------------------------------------------- */

/* "1 to 30 November 2026, 30 days", as short as it is unambiguous. */
static void add_period_text(cJSON *period, double first, double last, double days)
{
	char from[64], to[64], other[64], count[UNITS_SIZE];
	bool same_month = strcmp(fleet_model_date(first, FLEET_DATE_MONTH, from),
	                         fleet_model_date(last, FLEET_DATE_MONTH, other)) == 0;
	bool same_year = strcmp(from + strlen(from) - 4, other + strlen(other) - 4) == 0;
	enum fleet_date how = FLEET_DATE_WHOLE;
	struct buf text = {0};

	fleet_model_date(last, FLEET_DATE_WHOLE, to);
	if (same_month)
		how = FLEET_DATE_OF_MONTH;
	else if (same_year)
		how = FLEET_DATE_OF_YEAR;
	fleet_model_date(first, how, from);
	if (days > 1)
		buf_printf(&text, "%s to %s, %s days", from, to, units_count(days, count));
	else
		buf_str(&text, to);
	model_json_take(period, "text", &text);
}

static void add_period(cJSON *model, const struct fleet *f)
{
	cJSON *period = cJSON_AddObjectToObject(model, "period");
	bool known = isfinite(f->first) && isfinite(f->last);

	cJSON_AddBoolToObject(period, "known", known);
	if (!known) {
		cJSON_AddStringToObject(period, "text", f->runs > 0 ? "unknown time" : "no runs");
		return;
	}
	model_json_time(period, "first", f->first);
	model_json_time(period, "last", f->last);
	add_period_text(period, f->first, f->last, fleet_model_period_days(f));
}

/* "Job, user": the name of the job is the first word of the page's terms. */
static void add_group_by(cJSON *model, const struct fleet_model_input *in)
{
	cJSON *keys = cJSON_AddArrayToObject(model, "group_by");
	struct buf head = {0};
	size_t n = in->group_by ? in->group_by->n : 0;

	for (size_t i = 0; i < (n ? n : 1); i++) {
		const char *key = n ? in->group_by->v[i] : "name";
		model_json_cut(keys, NULL, key, MODEL_JSON_NAME_MAX);
		buf_printf(&head, "%s%.*s", i ? ", " : "", (int)MODEL_JSON_NAME_MAX,
		           strcmp(key, "name") == 0 ? "job" : key);
	}
	if (head.s && *head.s >= 'a' && *head.s <= 'z')
		*head.s = (char)(*head.s - 'a' + 'A');
	model_json_cut(model, "group_head", buf_cstr(&head), MODEL_JSON_NAME_MAX);
	buf_free(&head);
}

/* A gate is a test case; a fleet itself neither fails nor passes. */
static void add_gates_junit(cJSON *model, const struct fleet_model_input *in)
{
	static const struct gate_results none;
	const struct gate_results *g = in->gates ? in->gates : &none;
	cJSON *junit = cJSON_AddObjectToObject(model, "junit");

	cJSON_AddNumberToObject(junit, "tests", (double)g->n);
	cJSON_AddNumberToObject(junit, "failures", (double)g->count[GATE_HOLDS]);
	cJSON_AddNumberToObject(junit, "skipped", (double)g->count[GATE_NOT_JUDGED]);
}

cJSON *fleet_model(const struct fleet *f, const struct fleet_model_input *in)
{
	cJSON *model = cJSON_CreateObject();

	if (!model)
		return NULL;
	fleet_page_head(model, OUTPUT_FLEET_FORMAT, "Fleet", &in->page);
	add_period(model, f);
	add_group_by(model, in);
	cJSON_AddBoolToObject(model, "has_money", fleet_model_has_money(f));
	cJSON_AddBoolToObject(model, "has_machine_hours", fleet_model_has_machine_hours(f));
	fleet_page_prices(model, in->money_basis, in->attribution);
	fleet_model_add_verdict(model, f, in);
	fleet_model_groups_add(model, f, in);
	fleet_model_add_days(model, f);
	fleet_model_left_out_add(model, f, in);
	fleet_model_origins_add(model, f);
	model_gates_of(model, in->gates, "", "");
	fleet_model_add_openmetrics(model, f, in);
	add_gates_junit(model, in);
	if (alloc_failed()) {
		cJSON_Delete(model);
		return NULL;
	}
	return model;
}
