/* model_processes: who used it: the model's processes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc_failed.h"
#include "report/model/model.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

#define TOP          ((size_t)25)  /* shown by CPU time, and again by memory */
#define COMMANDS_MAX ((size_t)30)  /* names; the rest is one row */
#define COMMAND_MAX  ((size_t)256) /* bytes: the recorder keeps less than that */
#define BAR_MIN      0.5           /* of 100: what is shorter could not be seen */
#define TICKS        3             /* steps of the timeline's axis, at most */
#define ALL_MAX      ((size_t)2 * SNAPSHOT_PROCESSES_MAX)

/* A row of the table, or of the sums by name. */
struct entry {
	struct snapshot_process p;
	size_t order; /* in the recording: decides where two are equal */
	bool shown, top_cpu, top_memory;
};

static double or_0(double v)
{
	return isnan(v) ? 0 : v;
}

/* a + b, where what is not known adds nothing. */
static double plus(double a, double b)
{
	return isnan(a) ? b : a + or_0(b);
}

static double larger(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

/* PSS, which does not count shared pages again; RSS where it may not be read. */
static double memory_of(const struct snapshot_process *p)
{
	return isnan(p->peak_pss_b) ? p->peak_rss_b : p->peak_pss_b;
}

static int descending(double x, double y, const struct entry *a, const struct entry *b)
{
	if (or_0(x) != or_0(y))
		return or_0(x) < or_0(y) ? 1 : -1;
	return (a->order > b->order) - (a->order < b->order);
}

static int by_cpu(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return descending(x->p.cpu_s, y->p.cpu_s, x, y);
}

static int by_memory(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return descending(memory_of(&x->p), memory_of(&y->p), x, y);
}

static int by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int names = strcmp(x->p.name, y->p.name);

	return names ? names : (x->order > y->order) - (x->order < y->order);
}

/* -- one row ----------------------------------------------------------------------------------- */

/* What the shares are shares of: the tree's CPU time. */
static double cpu_of(const struct snapshot *s)
{
	double sum = plus(s->processes.seen_cpu_s, s->processes.unseen_cpu_s);

	return larger(sum, s->totals.exact_cpu_s);
}

/* Where a process stands in the run, which is 100 wide; null where its times do not tell. */
static void add_bar(cJSON *row, const struct run *run, const struct snapshot_process *p)
{
	double length = run->stop - run->start, from = p->start - run->start, x, width;
	double to = isnan(p->end) ? length : p->end - run->start;
	char since[UNITS_SIZE], until[UNITS_SIZE], text[128];
	cJSON *bar;

	if (!(length > 0 && to >= from && to >= 0 && from <= length)) {
		cJSON_AddNullToObject(row, "bar");
		return;
	}
	from = from > 0 ? from : 0;
	to = to < length ? to : length;
	width = fmax(stats_round((to - from) / length * 100, 2), BAR_MIN);
	x = fmin(stats_round(from / length * 100, 2), 100 - width);
	bar = cJSON_AddObjectToObject(row, "bar");
	model_json_number(bar, "x", x);
	model_json_number(bar, "width", width);
	snprintf(text, sizeof text, "from %s to %s%s", units_seconds(from, since),
	         isnan(p->end) ? "the end, " : "", units_seconds(to, until));
	cJSON_AddStringToObject(bar, "text", text);
}

/* "0", or "KILL"; and the same in words. */
static void add_exit(cJSON *row, const struct snapshot_process *p)
{
	char code[UNITS_SIZE] = "";
	struct buf ended = {0};

	if (!isnan(p->exit_code))
		snprintf(code, sizeof code, "%.0f", p->exit_code);
	model_json_cut(row, "exit", *p->signal ? p->signal : code, MODEL_JSON_NAME_MAX);
	if (*p->signal || *code)
		buf_printf(&ended, "%s %s", *p->signal ? "signal" : "exit",
		           *p->signal ? p->signal : code);
	model_json_cut(row, "ended", buf_cstr(&ended), MODEL_JSON_NAME_MAX);
	buf_free(&ended);
}

static void add_amounts(cJSON *row, const struct snapshot_process *p, double tree_cpu)
{
	double share = p->cpu_s / tree_cpu;

	model_json_quantity(row, "cpu", UNIT_SECONDS, stats_round(p->cpu_s, 6));
	model_json_quantity(row, "cpu_share", UNIT_PERCENT,
	                    share > 1 ? 100 : stats_round(share * 100, 1));
	model_json_quantity(row, "memory", UNIT_BYTES, memory_of(p));
	model_json_quantity(row, "read", UNIT_BYTES, p->read_b);
	model_json_quantity(row, "write", UNIT_BYTES, p->write_b);
}

/* A process that still lived at the end of the run has no end: it lasted as long. */
static void add_row(cJSON *rows, const struct run *run, const struct entry *e)
{
	const struct snapshot_process *p = &e->p;
	double length = (isnan(p->end) ? run->stop : p->end) - p->start;
	cJSON *row = cJSON_CreateObject();

	cJSON_AddNumberToObject(row, "rank", cJSON_GetArraySize(rows) + 1);
	cJSON_AddItemToArray(rows, row);
	model_json_number(row, "pid", p->pid);
	model_json_number(row, "ppid", p->ppid);
	model_json_cut(row, "name", *p->name ? p->name : "(no name)", MODEL_JSON_NAME_MAX);
	model_json_cut(row, "command", p->command, COMMAND_MAX);
	model_json_time(row, "start", p->start);
	model_json_time(row, "end", p->end);
	model_json_quantity(row, "duration", UNIT_SECONDS,
	                    length >= 0 ? stats_round(length, 3) : (double)NAN);
	add_amounts(row, p, cpu_of(&run->snapshot));
	add_exit(row, p);
	cJSON_AddBoolToObject(row, "top_cpu", e->top_cpu);
	cJSON_AddBoolToObject(row, "top_memory", e->top_memory);
	add_bar(row, run, p);
}

/* -- the table --------------------------------------------------------------------------------- */

static size_t take(struct entry *all, const struct snapshot_process *p, size_t n, size_t at)
{
	for (size_t i = 0; i < n; i++)
		all[at + i] = (struct entry){.p = p[i], .order = at + i};
	return at + n;
}

/* Marks the first ones, and the first of them where there is something to be first in. */
static void mark(struct entry *all, size_t n)
{
	qsort(all, n, sizeof *all, by_memory);
	for (size_t i = 0; i < n && i < TOP; i++)
		all[i].shown = true;
	if (n > 1)
		all[0].top_memory = memory_of(&all[0].p) > 0;
	qsort(all, n, sizeof *all, by_cpu);
	for (size_t i = 0; i < n && i < TOP; i++)
		all[i].shown = true;
	if (n > 1)
		all[0].top_cpu = all[0].p.cpu_s > 0;
}

static void add_rows(cJSON *processes, const struct run *run, struct entry *all)
{
	const struct snapshot_processes *p = &run->snapshot.processes;
	cJSON *rows = cJSON_AddArrayToObject(processes, "rows");
	size_t n = take(all, p->top, p->n_top, 0);

	mark(all, n);
	for (size_t i = 0; i < n; i++)
		if (all[i].shown)
			add_row(rows, run, &all[i]);
}

/* -- sums by name ------------------------------------------------------------------------------ */

/* Memory is that of the largest: they did not all live at a time. */
static void sum_up(struct snapshot_process *sum, const struct snapshot_process *p)
{
	sum->count = plus(sum->count, p->count);
	sum->cpu_s = plus(sum->cpu_s, p->cpu_s);
	sum->peak_rss_b = larger(sum->peak_rss_b, p->peak_rss_b);
	sum->peak_pss_b = larger(sum->peak_pss_b, p->peak_pss_b);
	sum->read_b = plus(sum->read_b, p->read_b);
	sum->write_b = plus(sum->write_b, p->write_b);
}

/* Puts those of one name into one. */
static size_t merge(struct entry *all, size_t n)
{
	size_t kept = 0;

	qsort(all, n, sizeof *all, by_name);
	for (size_t i = 0; i < n; i++)
		if (kept && strcmp(all[kept - 1].p.name, all[i].p.name) == 0)
			sum_up(&all[kept - 1].p, &all[i].p);
		else
			all[kept++] = all[i];
	return kept;
}

static void add_command(cJSON *rows, const struct snapshot_process *p, const char *name, bool rest,
                        double tree_cpu)
{
	cJSON *row = cJSON_CreateObject();

	cJSON_AddItemToArray(rows, row);
	model_json_cut(row, "name", name, MODEL_JSON_NAME_MAX);
	cJSON_AddBoolToObject(row, "rest", rest);
	model_json_quantity(row, "count", UNIT_COUNT, p->count);
	add_amounts(row, p, tree_cpu);
}

static void add_commands(cJSON *processes, const struct snapshot *s, struct entry *all)
{
	const struct snapshot_processes *p = &s->processes;
	cJSON *rows = cJSON_AddArrayToObject(processes, "commands");
	size_t n = take(all, p->top, p->n_top, 0), shown = 0;
	struct snapshot_process rest = {.count = NAN,
	                                .cpu_s = NAN,
	                                .peak_rss_b = NAN,
	                                .peak_pss_b = NAN,
	                                .read_b = NAN,
	                                .write_b = NAN};
	bool grouped = false, more = false;

	for (size_t i = 0; i < n; i++)
		all[i].p.count = 1;
	n = merge(all, take(all, p->others, p->n_others, n));
	qsort(all, n, sizeof *all, by_cpu);
	for (size_t i = 0; i < n; i++) {
		grouped = grouped || all[i].p.count > 1;
		if (*all[i].p.name && shown++ < COMMANDS_MAX) {
			add_command(rows, &all[i].p, all[i].p.name, false, cpu_of(s));
			continue;
		}
		sum_up(&rest, &all[i].p);
		more = true;
	}
	if (more)
		add_command(rows, &rest, "all others", true, cpu_of(s));
	cJSON_AddBoolToObject(processes, "grouped", grouped);
}

/* -- the timeline's axis ----------------------------------------------------------------------- */

/* A step that people count in, so that at most TICKS of them fill the run. */
static double step_of(double length)
{
	static const double steps[] = {1,    2,    3,     5,     10,    15,    20,    30,
	                               60,   120,  180,   300,   600,   900,   1200,  1800,
	                               3600, 7200, 10800, 14400, 21600, 28800, 43200, 86400};
	static const double factors[] = {2, 2.5, 2}; /* 1, 2, 5, 10 */
	size_t n = sizeof steps / sizeof *steps;
	double step;

	if (length < TICKS) {
		step = 1;
		for (size_t i = 0; i < 24 && step / factors[i % 3] * TICKS >= length; i++)
			step /= factors[i % 3];
		return step;
	}
	for (size_t i = 0; i < n; i++)
		if (steps[i] * TICKS >= length)
			return steps[i];
	step = steps[n - 1];
	for (size_t i = 0; step * TICKS < length; i++)
		step *= factors[i % 3];
	return step;
}

static void add_tick(cJSON *axis, double at, double x)
{
	cJSON *tick = cJSON_CreateObject();
	char text[UNITS_SIZE];

	cJSON_AddItemToArray(axis, tick);
	model_json_number(tick, "x", stats_round(x, 2));
	if (at < 60)
		snprintf(text, sizeof text, "%g s", stats_round(at, 6));
	else
		units_seconds(at, text);
	cJSON_AddStringToObject(tick, "text", text);
	/* Which side of the text is at x: none may stick out. */
	cJSON_AddStringToObject(tick, "anchor", x < 10 ? "start" : x > 85 ? "end" : "middle");
}

static void add_axis(cJSON *processes, const struct run *run)
{
	cJSON *axis = cJSON_AddArrayToObject(processes, "axis");
	double length = run->stop - run->start, step;

	if (!(length > 0))
		return;
	step = step_of(length);
	for (int i = 0; i <= TICKS && i * step <= length * (1 + 1e-9); i++)
		add_tick(axis, i * step, i * step / length * 100);
}

/* -- the sentence ------------------------------------------------------------------------------ */

static void add_unseen(struct buf *b, const struct snapshot *s)
{
	double unseen = s->processes.unseen_cpu_s, share = unseen / cpu_of(s);
	char time[UNITS_SIZE], percent[UNITS_SIZE];

	if (!(unseen > 0))
		return;
	buf_printf(b,
	           " Another %s (%s) went to processes that began and ended between two readings.",
	           units_seconds(unseen, time),
	           units_percent(share > 1 ? 100 : stats_round(share * 100, 1), percent));
}

static void add_summary(cJSON *processes, const struct snapshot *s)
{
	const struct snapshot_processes *p = &s->processes;
	double seen = isnan(p->seen) ? (double)p->n_top : p->seen;
	size_t rows =
	    (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(processes, "rows"));
	char count[UNITS_SIZE], time[UNITS_SIZE];
	struct buf b = {0};

	buf_printf(&b, "%s process%s seen", units_count(seen, count),
	           seen == 1 ? " was" : "es were");
	if (!isnan(p->seen_cpu_s))
		buf_printf(&b, ", which used %s of CPU time", units_seconds(p->seen_cpu_s, time));
	buf_char(&b, '.');
	add_unseen(&b, s);
	if (seen > (double)rows)
		buf_printf(&b,
		           " Listed are those that used the most CPU time, and those that had "
		           "the most memory: %zu in all.",
		           rows);
	model_json_cut(processes, "summary", buf_cstr(&b), MODEL_JSON_TEXT_MAX);
	buf_free(&b);
}

void model_add_processes(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	const struct snapshot_processes *p = &run->snapshot.processes;
	cJSON *processes = cJSON_AddObjectToObject(model, "processes");
	struct entry *all = alloc_failed_note(calloc(ALL_MAX, sizeof *all));

	cJSON_AddBoolToObject(processes, "known", all && p->known && p->n_top + p->n_others);
	if (all && p->known) {
		add_rows(processes, run, all);
		add_commands(processes, &run->snapshot, all);
		add_axis(processes, run);
		add_summary(processes, &run->snapshot);
	}
	free(all);
}
