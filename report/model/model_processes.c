/* model_processes: the model's "processes": a table of processes, and their sums by name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "report/model/model.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

#define TOP          ((size_t)25)  /* processes shown for CPU time, and as many for memory */
#define COMMANDS_MAX ((size_t)30)  /* names; the others become one row */
#define COMMAND_MAX  ((size_t)256) /* bytes: more than the recorder keeps */
#define BAR_MIN      0.5           /* of 100: a shorter bar would be invisible */
#define TICKS        3             /* most steps on the timeline's axis */
#define ALL_MAX      ((size_t)2 * SNAPSHOT_PROCESSES_MAX)

/* A row of the table, or of the sums by name. */
struct process_entry {
	struct snapshot_process p;
	size_t order; /* in the recording: breaks ties when sorting */
	bool shown, top_cpu, top_memory;
};

static double or_0(double v)
{
	return isnan(v) ? 0 : v;
}

/* a + b, where NAN (unknown) counts as 0; NAN if both are. */
static double add_known(double a, double b)
{
	return isnan(a) ? b : a + or_0(b);
}

static double larger_known(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

/* PSS, which divides shared pages among their processes; RSS if PSS could not be read. */
static double peak_memory_b(const struct snapshot_process *p)
{
	return isnan(p->peak_pss_b) ? p->peak_rss_b : p->peak_pss_b;
}

static int order_descending(double x, double y, const struct process_entry *a,
                            const struct process_entry *b)
{
	if (or_0(x) != or_0(y))
		return or_0(x) < or_0(y) ? 1 : -1;
	return (a->order > b->order) - (a->order < b->order);
}

static int order_by_cpu(const void *a, const void *b)
{
	const struct process_entry *x = a, *y = b;

	return order_descending(x->p.cpu_s, y->p.cpu_s, x, y);
}

static int order_by_memory(const void *a, const void *b)
{
	const struct process_entry *x = a, *y = b;

	return order_descending(peak_memory_b(&x->p), peak_memory_b(&y->p), x, y);
}

static int order_by_name(const void *a, const void *b)
{
	const struct process_entry *x = a, *y = b;
	int names = strcmp(x->p.name, y->p.name);

	return names ? names : (x->order > y->order) - (x->order < y->order);
}

/* -- one row ----------------------------------------------------------------------------------- */

/* The CPU time of the job, of which cpu_share is a share. */
static double job_cpu_s(const struct snapshot *s)
{
	double sum = add_known(s->processes.seen_cpu_s, s->processes.unseen_cpu_s);

	return larger_known(sum, s->totals.exact_cpu_s);
}

/* The process's bar in a run that is 100 wide; null if its times are unknown or outside the run. */
static void add_timeline_bar(cJSON *row, const struct run *run, const struct snapshot_process *p)
{
	double length = run->stop - run->start, from = p->start - run->start, x, width;
	double to = isnan(p->end) ? length : p->end - run->start;
	cJSON *bar;

	bar =
	    model_json_object_if(length > 0 && to >= from && to >= 0 && from <= length, row, "bar");
	if (!bar)
		return;
	from = from > 0 ? from : 0;
	to = to < length ? to : length;
	width = fmax(stats_round((to - from) / length * 100, 2), BAR_MIN);
	x = fmin(stats_round(from / length * 100, 2), 100 - width);
	model_json_number(bar, "x", x);
	model_json_number(bar, "width", width);
	model_json_printf(bar, "text", "from %s to %s%s", UNITS_SECONDS(from),
	                  isnan(p->end) ? "the end, " : "", UNITS_SECONDS(to));
}

/* "exit" is "0" or "KILL", and "ended" is "exit 0" or "signal KILL". */
static void add_exit_status(cJSON *row, const struct snapshot_process *p)
{
	char code[UNITS_SIZE] = "";
	struct buf ended = {0};

	if (!isnan(p->exit_code))
		snprintf(code, sizeof code, "%.0f", p->exit_code);
	model_json_cut(row, "exit", *p->signal ? p->signal : code, MODEL_JSON_NAME_MAX);
	if (*p->signal || *code)
		buf_printf(&ended, "%s %s", *p->signal ? "signal" : "exit",
		           *p->signal ? p->signal : code);
	model_json_take_cut(row, "ended", &ended, MODEL_JSON_NAME_MAX);
}

static void add_amounts(cJSON *row, const struct snapshot_process *p, double tree_cpu)
{
	double share = p->cpu_s / tree_cpu;

	model_json_quantity(row, "cpu", UNIT_SECONDS, stats_round(p->cpu_s, 6));
	model_json_quantity(row, "cpu_share", UNIT_PERCENT,
	                    share > 1 ? 100 : stats_round(share * 100, 1));
	model_json_quantity(row, "memory", UNIT_BYTES, peak_memory_b(p));
	model_json_quantity(row, "read", UNIT_BYTES, p->read_b);
	model_json_quantity(row, "write", UNIT_BYTES, p->write_b);
}

/* A process that was still alive at the end of the run has no end; its duration ends with the
 * run. */
static void add_process_row(cJSON *rows, const struct run *run, const struct process_entry *e)
{
	const struct snapshot_process *p = &e->p;
	double length = (isnan(p->end) ? run->stop : p->end) - p->start;
	cJSON *row = cJSON_CreateObject();
	struct state_use states;

	cJSON_AddNumberToObject(row, "rank", cJSON_GetArraySize(rows) + 1);
	cJSON_AddItemToArray(rows, row);
	model_json_number(row, "pid", p->pid);
	model_json_number(row, "ppid", p->ppid);
	model_json_cut(row, "name", *p->name ? p->name : "(no name)", MODEL_JSON_NAME_MAX);
	model_json_cut(row, "command", p->command, COMMAND_MAX);
	model_json_cut(row, "node", p->node ? p->node : "", MODEL_JSON_NAME_MAX);
	model_json_time(row, "start", p->start);
	model_json_time(row, "end", p->end);
	model_json_quantity(row, "duration", UNIT_SECONDS,
	                    length >= 0 ? stats_round(length, 3) : (double)NAN);
	add_amounts(row, p, job_cpu_s(&run->snapshot));
	add_exit_status(row, p);
	cJSON_AddBoolToObject(row, "top_cpu", e->top_cpu);
	cJSON_AddBoolToObject(row, "top_memory", e->top_memory);
	add_timeline_bar(row, run, p);
	states = state_use_of_seconds(p->states_s);
	model_states_bar(row, &states, p->n_waits ? &p->waits[0] : NULL);
}

/* -- the table --------------------------------------------------------------------------------- */

static size_t fill_entries(struct process_entry *all, const struct snapshot_process *p, size_t n,
                           size_t at)
{
	for (size_t i = 0; i < n; i++)
		all[at + i] = (struct process_entry){.p = p[i], .order = at + i};
	return at + n;
}

/* Marks the TOP processes by memory and by CPU time to be shown, and the first of each if there is
 * more than one process. Leaves the entries sorted by CPU time. */
static void mark_top(struct process_entry *all, size_t n)
{
	qsort(all, n, sizeof *all, order_by_memory);
	for (size_t i = 0; i < n && i < TOP; i++)
		all[i].shown = true;
	if (n > 1)
		all[0].top_memory = peak_memory_b(&all[0].p) > 0;
	qsort(all, n, sizeof *all, order_by_cpu);
	for (size_t i = 0; i < n && i < TOP; i++)
		all[i].shown = true;
	if (n > 1)
		all[0].top_cpu = all[0].p.cpu_s > 0;
}

static void add_process_rows(cJSON *processes, const struct run *run, struct process_entry *all)
{
	const struct snapshot_processes *p = &run->snapshot.processes;
	cJSON *rows = cJSON_AddArrayToObject(processes, "rows");
	size_t n = fill_entries(all, p->top, p->n_top, 0);
	bool states = false;

	mark_top(all, n);
	for (size_t i = 0; i < n; i++) {
		if (!all[i].shown)
			continue;
		add_process_row(rows, run, &all[i]);
		states |= state_use_of_seconds(all[i].p.states_s).known;
	}
	cJSON_AddBoolToObject(processes, "has_states", states);
}

/* -- sums by name ------------------------------------------------------------------------------ */

/* Memory is the largest single peak: the processes may not have lived at the same time. */
static void add_to_sum(struct snapshot_process *sum, const struct snapshot_process *p)
{
	sum->count = add_known(sum->count, p->count);
	sum->cpu_s = add_known(sum->cpu_s, p->cpu_s);
	sum->peak_rss_b = larger_known(sum->peak_rss_b, p->peak_rss_b);
	sum->peak_pss_b = larger_known(sum->peak_pss_b, p->peak_pss_b);
	sum->read_b = add_known(sum->read_b, p->read_b);
	sum->write_b = add_known(sum->write_b, p->write_b);
}

/* Merges entries with the same name. Returns how many are left. */
static size_t merge_same_name(struct process_entry *all, size_t n)
{
	size_t kept = 0;

	qsort(all, n, sizeof *all, order_by_name);
	for (size_t i = 0; i < n; i++)
		if (kept && strcmp(all[kept - 1].p.name, all[i].p.name) == 0)
			add_to_sum(&all[kept - 1].p, &all[i].p);
		else
			all[kept++] = all[i];
	return kept;
}

static void add_command_row(cJSON *rows, const struct snapshot_process *p, const char *name,
                            bool rest, double tree_cpu)
{
	cJSON *row = model_json_row(rows);

	model_json_cut(row, "name", name, MODEL_JSON_NAME_MAX);
	cJSON_AddBoolToObject(row, "rest", rest);
	model_json_quantity(row, "count", UNIT_COUNT, p->count);
	add_amounts(row, p, tree_cpu);
}

static void add_command_rows(cJSON *processes, const struct snapshot *s, struct process_entry *all)
{
	const struct snapshot_processes *p = &s->processes;
	cJSON *rows = cJSON_AddArrayToObject(processes, "commands");
	size_t n = fill_entries(all, p->top, p->n_top, 0), shown = 0;
	struct snapshot_process rest = {.count = NAN,
	                                .cpu_s = NAN,
	                                .peak_rss_b = NAN,
	                                .peak_pss_b = NAN,
	                                .read_b = NAN,
	                                .write_b = NAN};
	bool grouped = false, more = false;

	for (size_t i = 0; i < n; i++)
		all[i].p.count = 1;
	n = merge_same_name(all, fill_entries(all, p->others, p->n_others, n));
	qsort(all, n, sizeof *all, order_by_cpu);
	for (size_t i = 0; i < n; i++) {
		grouped = grouped || all[i].p.count > 1;
		if (*all[i].p.name && shown++ < COMMANDS_MAX) {
			add_command_row(rows, &all[i].p, all[i].p.name, false, job_cpu_s(s));
			continue;
		}
		add_to_sum(&rest, &all[i].p);
		more = true;
	}
	if (more)
		add_command_row(rows, &rest, "all others", true, job_cpu_s(s));
	cJSON_AddBoolToObject(processes, "grouped", grouped);
}

/* -- the timeline's axis ----------------------------------------------------------------------- */

/* A round step of the time axis such that at most TICKS steps fill the run. */
static double axis_step(double length)
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

static void add_timeline_tick(cJSON *axis, double at, double x)
{
	cJSON *tick = model_json_row(axis);
	char text[UNITS_SIZE];

	model_json_number(tick, "x", stats_round(x, 2));
	if (at < 60)
		snprintf(text, sizeof text, "%g s", stats_round(at, 6));
	else
		units_seconds(at, text);
	cJSON_AddStringToObject(tick, "text", text);
	/* Which side of the text is at x, so that no text extends beyond the axis. */
	cJSON_AddStringToObject(tick, "anchor", x < 10 ? "start" : x > 85 ? "end" : "middle");
}

static void add_timeline_axis(cJSON *processes, const struct run *run)
{
	cJSON *axis = cJSON_AddArrayToObject(processes, "axis");
	double length = run->stop - run->start, step;

	if (!(length > 0))
		return;
	step = axis_step(length);
	for (int i = 0; i <= TICKS && i * step <= length * (1 + 1e-9); i++)
		add_timeline_tick(axis, i * step, i * step / length * 100);
}

/* -- the sentence ------------------------------------------------------------------------------ */

static void add_unseen_cpu(struct buf *b, const struct snapshot *s)
{
	double unseen = s->processes.unseen_cpu_s, share = unseen / job_cpu_s(s);

	if (!(unseen > 0))
		return;
	buf_printf(
	    b, " Another %s (%s) was used by processes that began and ended between two samples.",
	    UNITS_SECONDS(unseen), UNITS_PERCENT(share > 1 ? 100 : stats_round(share * 100, 1)));
}

static void add_process_summary(cJSON *processes, const struct snapshot *s)
{
	const struct snapshot_processes *p = &s->processes;
	double seen = isnan(p->seen) ? (double)p->n_top : p->seen;
	size_t rows =
	    (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(processes, "rows"));
	struct buf b = {0};

	buf_printf(&b, "%s process%s seen", UNITS_COUNT(seen), seen == 1 ? " was" : "es were");
	if (!isnan(p->seen_cpu_s))
		buf_printf(&b, ", which used %s of CPU time", UNITS_SECONDS(p->seen_cpu_s));
	buf_char(&b, '.');
	add_unseen_cpu(&b, s);
	if (seen > (double)rows)
		buf_printf(&b,
		           " The table lists the %zu processes with the most CPU time or the "
		           "most memory.",
		           rows);
	model_json_take_cut(processes, "summary", &b, MODEL_JSON_TEXT_MAX);
}

void model_processes_add(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	const struct snapshot_processes *p = &run->snapshot.processes;
	cJSON *processes = cJSON_AddObjectToObject(model, "processes");
	struct process_entry *all = alloc_failed_note(calloc(ALL_MAX, sizeof *all));

	cJSON_AddBoolToObject(processes, "known", all && p->known && p->n_top + p->n_others);
	if (all && p->known) {
		add_process_rows(processes, run, all);
		add_command_rows(processes, &run->snapshot, all);
		add_timeline_axis(processes, run);
		add_process_summary(processes, &run->snapshot);
	}
	free(all);
}
