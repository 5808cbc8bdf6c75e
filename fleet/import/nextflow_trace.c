/* nextflow_trace: the trace file of a Nextflow run. */
#include "fleet/import/nextflow_trace.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "core/base/quantity.h"
#include "core/end/end_cause.h"
#include "core/recording/snapshot.h"
#include "fleet/import/import_row.h"
#include "fleet/import/import_table.h"

#define NEXTFLOW "nextflow"
#define NO_CODE  2147483647 /* of Java's int: the status is not known */
#define RUN_MAX  112        /* bytes of the name of a run (rtrack_row.def) */
#define STEM_MAX 80         /* bytes of a file's name in that of a run */
#define DATE_MIN 8          /* digits of a date */
#define PERCENT  100

/* -- values ------------------------------------------------------------------------------------ */

int nextflow_trace_bytes(const char *text, double *out)
{
	static const char powers[] = "BKMGTPEZ";
	const char *power;

	if (import_row_number_of(&text, out))
		return -1;
	if (!*text)
		return 0;
	power = strchr(powers, toupper((unsigned char)*text));
	if (!power || (text[1] && (strcasecmp(text + 1, "B") != 0 || power == powers)))
		return -1;
	*out = ldexp(*out, 10 * (int)(power - powers));
	return 0;
}

int nextflow_trace_duration(const char *text, double *out)
{
	static const struct quantity_unit units[] = {
	    {"ms", 1e-3},    {"milli", 1e-3}, {"millis", 1e-3}, {"s", 1},        {"sec", 1},
	    {"second", 1},   {"seconds", 1},  {"m", 60},        {"min", 60},     {"minute", 60},
	    {"minutes", 60}, {"h", 3600},     {"hour", 3600},   {"hours", 3600}, {"d", 86400},
	    {"day", 86400},  {"days", 86400},
	};
	const struct quantity_unit *unit;
	double v;

	if (strchr(text, ':'))
		return quantity_duration(text, strlen(text), QUANTITY_WITH_UNIT, out);
	*out = 0;
	for (bool first = true; first || *text; first = false) {
		size_t n;
		if (import_row_number_of(&text, &v))
			return -1;
		if (!*text && first) {
			*out = v / 1000;
			return 0;
		}
		for (n = 0; isalpha((unsigned char)text[n]);)
			n++;
		unit = quantity_unit_of(units, sizeof units / sizeof *units, text, n);
		if (!unit)
			return -1;
		*out += v * unit->factor;
		text += n;
		text += strspn(text, " ");
	}
	return 0;
}

int nextflow_trace_percent(const char *text, double *out)
{
	if (import_row_number_of(&text, out))
		return -1;
	return strcmp(text + (*text == '%'), "") == 0 ? 0 : -1;
}

static int exit_code(const char *text, double *out)
{
	if (import_row_number(text, out))
		return -1;
	if (*out == NO_CODE)
		*out = NAN;
	return !isnan(*out) && (*out > 255 || *out != floor(*out)) ? -1 : 0;
}

/* -- columns ----------------------------------------------------------------------------------- */

enum column {
	ATTEMPT,
	TASK_ID,
	HASH,
	NATIVE_ID,
	QUEUE,
	CONTAINER,
	HOSTNAME,
	WORKDIR,
	PROCESS,
	NAME,
	TAG,
	STATUS,
	SUBMIT,
	START,
	COMPLETE,
	DURATION,
	REALTIME,
	CPU,
	CPUS,
	MEMORY,
	PEAK_RSS,
	READ_BYTES,
	WRITE_BYTES,
	TIME,
	EXIT,
	COLUMNS
};

#define BYTES   .number = nextflow_trace_bytes
#define SECONDS .number = nextflow_trace_duration
#define TIMES   .number = import_row_time_ms

/* An ask of 0 is none, and a process has memory. */
static const struct import_column columns[COLUMNS] = {
    [ATTEMPT] = {"attempt", .label = "nextflow.attempt"},
    [TASK_ID] = {"task_id", .label = "nextflow.task_id"},
    [HASH] = {"hash", .label = "nextflow.hash"},
    [NATIVE_ID] = {"native_id", .label = "nextflow.native_id"},
    [QUEUE] = {"queue", .label = "nextflow.queue"},
    [CONTAINER] = {"container", .label = "nextflow.container"},
    [HOSTNAME] = {"hostname", .to = IMPORT_TO(HOST), .max = 64},
    [WORKDIR] = {"workdir", .to = IMPORT_TO(DIRECTORY), .max = IMPORT_ROW_PATH},
    [PROCESS] = {"process"},
    [NAME] = {"name"},
    [TAG] = {"tag"},
    [STATUS] = {"status"},
    [SUBMIT] = {"submit", TIMES},
    [START] = {"start", .to = IMPORT_TO(START), TIMES},
    [COMPLETE] = {"complete", TIMES},
    [DURATION] = {"duration", SECONDS},
    [REALTIME] = {"realtime", .to = IMPORT_TO(WALL), SECONDS},
    [CPU] = {"%cpu", .number = nextflow_trace_percent},
    [CPUS] = {"cpus", .to = IMPORT_TO(ASKED_CPUS), .number = import_row_number, .positive = true},
    [MEMORY] = {"memory", .to = IMPORT_TO(ASKED_MEMORY), BYTES, .positive = true},
    [PEAK_RSS] = {"peak_rss", .to = IMPORT_TO(MEMORY_PEAK), BYTES, .positive = true},
    [READ_BYTES] = {"read_bytes", .to = IMPORT_TO(READ), BYTES},
    [WRITE_BYTES] = {"write_bytes", .to = IMPORT_TO(WRITTEN), BYTES},
    [TIME] = {"time", .to = IMPORT_TO(ASKED_TIME), SECONDS, .positive = true},
    [EXIT] = {"exit", .to = IMPORT_TO(CODE), .number = exit_code},
};

/* -- a task ------------------------------------------------------------------------------------ */

/* The state that the lines of one file share. */
struct trace {
	struct import_table t;
	struct import_row r;
	char run[RUN_MAX + 1]; /* "" until a task is seen that ran */
};

/* "nextflow/" and the name of the file, without what follows its last point. Where that has no
 * date, as trace.txt, when the first task of the run was submitted, or started, is put behind it:
 * runs of two folders are not one run. */
static void name_run(struct trace *c, double first)
{
	const char *name = strrchr(c->t.in->name, '/'), *dot;
	size_t n, digits = 0;
	char when[32] = "";
	struct tm tm;
	time_t t;

	name = name ? name + 1 : c->t.in->name;
	dot = strrchr(name, '.');
	n = dot && dot > name ? (size_t)(dot - name) : strlen(name);
	for (size_t i = 0; i < n; i++)
		digits += isdigit((unsigned char)name[i]) != 0;
	if (digits < DATE_MIN && isfinite(first)) {
		t = (time_t)first;
		if (gmtime_r(&t, &tm))
			strftime(when, sizeof when, "-%Y%m%dT%H%M%SZ", &tm);
	}
	snprintf(c->run, sizeof c->run, NEXTFLOW "/%.*s%s", (int)(n < STEM_MAX ? n : STEM_MAX),
	         name, when);
}

/* The process is what all its tasks share: "ALIGN" of the task "ALIGN (sample 1)". */
static void put_task(struct import_row *r, const char *const *cell)
{
	const char *name = cell[NAME], *tag = strstr(name, " (");
	char text[4 * IMPORT_ROW_NAME];

	snprintf(text, sizeof text, "%.*s",
	         (int)(tag && tag > name ? tag - name : (long)strlen(name)), name);
	import_row_text(r, RTRACK_ROW_NAME, *cell[PROCESS] ? cell[PROCESS] : text, IMPORT_ROW_NAME);
	if (import_row_absent(name) && !import_row_absent(cell[TAG]))
		snprintf(text, sizeof text, "%.200s (%.200s)", cell[PROCESS], cell[TAG]);
	else
		snprintf(text, sizeof text, "%s", *name ? name : cell[PROCESS]);
	import_row_label(r, "workflow", NEXTFLOW);
	import_row_label(r, "nextflow.task", text);
}

/* The duration is since the submission: it has the wait in the queue, so it says nothing of the
 * task's own time, but when the task ended. */
static void put_times(struct trace *c)
{
	double submit = c->t.number[SUBMIT], start = c->t.number[START];
	double complete = c->t.number[COMPLETE], wall = c->t.number[REALTIME];

	if (isnan(complete))
		complete = submit + c->t.number[DURATION];
	if (isnan(wall) && isfinite(complete - start))
		wall = import_reader_between(c->t.in, c->r.line, start, complete);
	if (isnan(start) && isfinite(complete - wall))
		start = fmax(complete - wall, submit);
	c->r.row.of[RTRACK_ROW_START].number = start;
	c->r.row.of[RTRACK_ROW_WALL].number = wall;
	c->r.submit = submit;
}

static void put_amounts(struct trace *c)
{
	struct rtrack_row *row = &c->r.row;
	const double *number = c->t.number;
	double cores = number[CPU] / PERCENT;
	double wall = row->of[RTRACK_ROW_WALL].number;
	double cpu_s = import_reader_cpu(c->t.in, c->r.line, cores * wall, wall, number[CPUS]);
	double peak = import_reader_peak(c->t.in, c->r.line, number[PEAK_RSS], NAN);

	row->of[RTRACK_ROW_CORES_MEAN].number = isnan(cpu_s) && isfinite(wall) ? NAN : cores;
	row->of[RTRACK_ROW_CPU].number = cpu_s;
	row->of[RTRACK_ROW_MEMORY_PEAK].number = peak;
	row->of[RTRACK_ROW_MEMORY_KNOWN].text = isnan(peak) ? "" : SNAPSHOT_MEMORY_SAMPLED;
	row->of[RTRACK_ROW_ASKED_CPUS_SOURCE].text = isnan(number[CPUS]) ? "" : NEXTFLOW;
	row->of[RTRACK_ROW_ASKED_MEMORY_SOURCE].text = isnan(number[MEMORY]) ? "" : NEXTFLOW;
}

/* A task can fail although its command did not: a file that it should have written is not there.
 * Then 0 is not how the task ended. */
static void put_status(struct trace *c)
{
	const char *status = c->t.cell[STATUS];
	bool completed = strcasecmp(status, "COMPLETED") == 0;
	bool failed = strcasecmp(status, "FAILED") == 0;
	double code = c->t.number[EXIT];
	struct rtrack_row *row = &c->r.row;

	if (failed && code == 0)
		row->of[RTRACK_ROW_CODE].number = NAN;
	if (strcasecmp(status, "ABORTED") == 0 || strcasecmp(status, "RUNNING") == 0)
		row->of[RTRACK_ROW_STATUS].text = "unfinished";
	else if (isfinite(code) || completed || failed)
		row->of[RTRACK_ROW_STATUS].text = "exited";
	else if (!import_row_absent(status))
		import_reader_unknown(c->t.in, c->t.line.number, columns[STATUS].name, status);
	if (completed || failed)
		row->of[RTRACK_ROW_END_CAUSE].text =
		    end_cause_word(completed ? END_CAUSE_FINISHED : END_CAUSE_EXITED);
}

/* A hash of eight digits may come again in years; with the time it does not. Without both the line
 * is a task of this file. */
static int give(struct trace *c, struct err *e)
{
	const char *const *cell = c->t.cell;
	double at = isnan(c->r.submit) ? c->r.row.of[RTRACK_ROW_START].number : c->r.submit;
	bool global = !import_row_absent(cell[HASH]) && isfinite(at);
	char key[IMPORT_ROW_KEY];

	if (global)
		snprintf(key, sizeof key, NEXTFLOW "/%.40s/%.20s/%.0f", cell[HASH], cell[TASK_ID],
		         at * 1000);
	else
		snprintf(key, sizeof key, "%zu", c->t.line.number);
	return import_row_give(&c->r, key, global, e);
}

/* A task that is cached, or waits, has not run. */
static bool ran(const char *status)
{
	static const char *const words[] = {"CACHED", "STORED", "NEW", "SUBMITTED", "PENDING"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(status, words[i]) == 0)
			return false;
	return true;
}

static int read_task(struct trace *c, struct err *e)
{
	struct import_row *r = &c->r;

	if (!ran(c->t.cell[STATUS]))
		return 0;
	import_row_begin(r, c->t.in, c->t.line.number);
	put_task(r, c->t.cell);
	if (!*r->row.of[RTRACK_ROW_NAME].text) {
		import_reader_left_out(c->t.in, c->t.line.number, "the task has no name");
		return 0;
	}
	import_table_fill(&c->t, r);
	put_times(c);
	put_amounts(c);
	put_status(c);
	if (!*c->run)
		name_run(c, isnan(r->submit) ? r->row.of[RTRACK_ROW_START].number : r->submit);
	import_row_text(r, RTRACK_ROW_WORKFLOW_RUN, c->run, RUN_MAX);
	return give(c, e);
}

/* -- the file ---------------------------------------------------------------------------------- */

bool nextflow_trace_recognise(const char *text, size_t n)
{
	return import_table_recognise(text, n, columns[TASK_ID].name, columns[HASH].name) &&
	       (import_table_has(text, n, columns[NAME].name) ||
	        import_table_has(text, n, columns[PROCESS].name));
}

int nextflow_trace_read(struct import *in, struct err *e)
{
	struct trace c = {.run = ""};
	int failed = import_table_open(&c.t, in, columns, COLUMNS, e);

	while (!failed && import_table_next(&c.t))
		failed = read_task(&c, e);
	import_table_free(&c.t);
	return failed;
}
