/* snapshot_csv: the dialects of a recording that are CSV. */
#include "core/files/snapshot_csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/base/quantity.h"
#include "core/files/csv_read.h"
#include "core/numbers/metric.h"
#include "core/recording/gaps.h"
#include "core/recording/snapshot_rows.h"

/* -- the header -------------------------------------------------------------------------------- */

struct csv_column {
	enum metric_id id[2]; /* METRIC_COUNT: none. The time is that of both scopes */
	double scale;         /* to the unit that the header has for the column */
};

struct csv_header {
	struct csv_column column[CSV_READ_CELLS_MAX];
	size_t n;
	enum metric_id id[METRIC_COUNT]; /* those that have a column */
	size_t used;
	size_t columns[METRIC_SCOPES]; /* without the time */
	int spelled[METRIC_COUNT];     /* schema of the column's name; 0: the same in both */
	bool prefixed;                 /* columns of both scopes have a place in it */
	bool human;                    /* in the names for people, which have no unit */
	bool base;                     /* in base units */
};

struct snapshot;

#define TIME         "timestamp"
#define HUMAN_TIME   "Timestamp"
#define GPU_TRACKER  "ram_unit"        /* begins its tracking files */
#define SUB_TRACKING "code_block_name" /* and its sub-tracking files */
#define UNITLESS     "combined_ram"    /* its older tracking files */
#define PREFIX_MAX   256
#define NO_PREFIX    SIZE_MAX
#define NUMBER_OF(v) (sizeof(v) / sizeof *(v))

/* Whether the first record with this cell can be the beginning of a recording. */
static bool snapshot_csv_header_is_one(const struct csv_read *cell)
{
	return csv_read_is(cell, TIME) || csv_read_is(cell, HUMAN_TIME) ||
	       csv_read_is(cell, GPU_TRACKER);
}

static void use_metric(struct csv_header *h, enum metric_id id)
{
	h->id[h->used++] = id;
	h->columns[metrics[id].scope] += metrics[id].unit != METRIC_UNIT_TIME;
}

static bool is_used(const struct csv_header *h, enum metric_id id)
{
	for (size_t i = 0; i < h->used; i++)
		if (h->id[i] == id)
			return true;
	return false;
}

/* -- the names --------------------------------------------------------------------------------- */

struct csv_names {
	char *name[CSV_READ_CELLS_MAX];
	size_t n;
};

static void free_names(struct csv_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->name[i]);
	names->n = 0;
}

/* One record as texts. */
static int read_names(struct csv_names *names, struct csv_read *in)
{
	int more;

	while ((more = csv_read_cell(in)) > 0) {
		char *name = strndup(in->cell, in->n);
		if (!name)
			return csv_read_fail(in, "no memory to read it");
		names->name[names->n++] = name;
	}
	return more;
}

static bool ends_in_word(const char *s, const char *word)
{
	size_t n = strlen(s), m = strlen(word);

	return n >= m && strcmp(s + n - m, word) == 0;
}

static size_t keep_prefix(char prefix[PREFIX_MAX], const char *text, size_t n)
{
	memcpy(prefix, text, n);
	prefix[n] = '\0';
	return n;
}

/* Finds the prefix of a scope's columns: that of its first column, which every program writes; else
 * the usual one. Its length, or NO_PREFIX. */
static size_t find_prefix(const struct csv_names *names, enum metric_scope scope,
                          char prefix[PREFIX_MAX])
{
	static const char *const first[METRIC_SCOPES][2] = {{"pid", "PID"},
	                                                    {"processes", "processes"}};
	static const char *const usual[METRIC_SCOPES][2] = {{"process_", "Process "},
	                                                    {"system_", "System "}};

	for (size_t i = 0; i < names->n; i++)
		for (size_t k = 0; k < 2; k++) {
			size_t n = strlen(names->name[i]), m = strlen(first[scope][k]);
			if (n - m < PREFIX_MAX && ends_in_word(names->name[i], first[scope][k]))
				return keep_prefix(prefix, names->name[i], n - m);
		}
	for (size_t i = 0; i < names->n; i++)
		for (size_t k = 0; k < 2; k++) {
			size_t n = strlen(usual[scope][k]);
			if (strncmp(names->name[i], usual[scope][k], n) == 0)
				return keep_prefix(prefix, usual[scope][k], n);
		}
	return NO_PREFIX;
}

static const struct metric *find_human(enum metric_scope scope, const char *name)
{
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (metrics[i].scope == scope &&
		    strcmp(metrics[i].human ? metrics[i].human : metrics[i].label, name) == 0)
			return &metrics[i];
	return NULL;
}

/* The columns of memory as resource-tracker 0.1 called them. */
static const struct metric *find_old(const struct csv_header *h, enum metric_scope scope,
                                     const char *name, int *schema)
{
	if (scope != METRIC_SCOPE_PROCESS || strcmp(name, "pss") != 0 ||
	    is_used(h, METRIC_PROCESS_MEMORY))
		return NULL;
	return metric_find(scope, "memory", schema);
}

/* The metric of a column: of the job's, if both scopes have one of the name, because the CSV then
 * has the job's (csv_table.h). */
static const struct metric *metric_of_name(const struct csv_header *h, const char *name,
                                           char prefix[METRIC_SCOPES][PREFIX_MAX],
                                           const size_t len[METRIC_SCOPES], int *schema)
{
	*schema = 0;
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		const struct metric *m = NULL;
		if (len[scope] == NO_PREFIX || strncmp(name, prefix[scope], len[scope]) != 0)
			continue;
		m = h->human ? find_human((enum metric_scope)scope, name + len[scope])
		             : metric_find((enum metric_scope)scope, name + len[scope], schema);
		if (!m && !h->human)
			m = find_old(h, (enum metric_scope)scope, name + len[scope], schema);
		if (m && m->unit != METRIC_UNIT_TIME)
			return m;
	}
	return NULL;
}

static int add_csv_name(struct csv_header *h, struct csv_read *in, struct snapshot *s,
                        const struct metric *m, int schema)
{
	struct csv_column *column = &h->column[h->n];

	if (!m)
		return 0;
	if (is_used(h, m->id))
		return csv_read_fail(in, "two columns of the same name");
	column->id[0] = m->id;
	h->spelled[m->id] = schema;
	if (schema == SCHEMA_2)
		s->schema = SCHEMA_2;
	use_metric(h, m->id);
	return 0;
}

#define PASSED_OVER_MAX 5

/* Says which columns nobody reads: their numbers may have been expected. */
static void note_passed_over(const struct csv_header *h, const struct csv_names *names, size_t time,
                             struct snapshot *s)
{
	struct buf text = {0};
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++)
		if (h->column[i].id[0] == METRIC_COUNT && i != time && n++ < PASSED_OVER_MAX)
			buf_printf(&text, "%s%.40s", n > 1 ? ", " : "", names->name[i]);
	if (n > PASSED_OVER_MAX)
		buf_printf(&text, " and %zu more", n - PASSED_OVER_MAX);
	if (n)
		snapshot_note(s, "Columns of the CSV file that are not known are left out: %s.",
		              buf_cstr(&text));
	buf_free(&text);
}

/* The time is that of each scope that has other columns. */
static void add_csv_time(struct csv_header *h, size_t time)
{
	size_t n = 0;

	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		if (h->columns[scope]) {
			h->column[time].id[n++] = metric_time_of((enum metric_scope)scope);
			use_metric(h, metric_time_of((enum metric_scope)scope));
		}
}

static int read_tracker_names(struct csv_header *h, const struct csv_names *names,
                              struct csv_read *in, struct snapshot *s)
{
	char prefix[METRIC_SCOPES][PREFIX_MAX];
	size_t len[METRIC_SCOPES], time = 0;
	bool timed = false;

	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		len[scope] = find_prefix(names, (enum metric_scope)scope, prefix[scope]);
	for (size_t i = 0; i < names->n; i++)
		h->human = h->human || strcmp(names->name[i], HUMAN_TIME) == 0;
	for (h->n = 0; h->n < names->n; h->n++) {
		const char *name = names->name[h->n];
		bool is_time = strcmp(name, h->human ? HUMAN_TIME : TIME) == 0;
		int schema;
		const struct metric *m = metric_of_name(h, name, prefix, len, &schema);
		if (is_time && timed)
			return csv_read_fail(in, "two columns of the same name");
		if (!is_time && add_csv_name(h, in, s, m, schema))
			return -1;
		time = is_time ? h->n : time;
		timed = timed || is_time;
	}
	h->prefixed = (len[0] != NO_PREFIX && len[0]) || (len[1] != NO_PREFIX && len[1]);
	if (!h->columns[0] && !h->columns[1])
		return csv_read_fail(in, "no column of a job or a machine: a recording in CSV has "
		                         "the columns of resource-tracker or of --csv");
	add_csv_time(h, time);
	note_passed_over(h, names, time, s);
	return 0;
}

/* -- gpu_tracker ------------------------------------------------------------------------------- */

enum gpu_tracker_unit { IN_RAM, IN_GPU_RAM, IN_PERCENT, IN_ONE };

/* Its RSS counts a page that several processes share once, as PSS does. */
static const struct {
	const char *name;
	enum gpu_tracker_unit unit;
	enum metric_id id[2];
	bool gpu;
} gpu_tracker[] = {
    {"timestamp", IN_ONE, {METRIC_PROCESS_TIMESTAMP, METRIC_SYSTEM_TIMESTAMP}, false},
    {"main_ram", IN_RAM, {METRIC_PROCESS_MAIN_MEMORY, METRIC_PROCESS_MAIN_RSS}, false},
    {"combined_ram", IN_RAM, {METRIC_PROCESS_MEMORY, METRIC_PROCESS_RSS}, false},
    {"system_ram", IN_RAM, {METRIC_SYSTEM_MEMORY_USED, METRIC_COUNT}, false},
    {"main_gpu_ram", IN_GPU_RAM, {METRIC_PROCESS_MAIN_GPU_VRAM, METRIC_COUNT}, true},
    {"combined_gpu_ram", IN_GPU_RAM, {METRIC_PROCESS_GPU_VRAM, METRIC_COUNT}, true},
    {"system_gpu_ram", IN_GPU_RAM, {METRIC_SYSTEM_GPU_VRAM, METRIC_COUNT}, true},
    {"gpu_sum_utilization_percent", IN_PERCENT, {METRIC_SYSTEM_GPU_USAGE, METRIC_COUNT}, true},
    {"main_n_threads", IN_ONE, {METRIC_PROCESS_MAIN_THREADS, METRIC_COUNT}, false},
    {"combined_n_threads", IN_ONE, {METRIC_PROCESS_THREADS, METRIC_COUNT}, false},
    {"cpu_system_sum_utilization_percent",
     IN_PERCENT,
     {METRIC_SYSTEM_CPU_USAGE, METRIC_COUNT},
     false},
    {"cpu_main_sum_utilization_percent",
     IN_PERCENT,
     {METRIC_PROCESS_MAIN_CPU_USAGE, METRIC_COUNT},
     false},
    {"cpu_combined_sum_utilization_percent",
     IN_PERCENT,
     {METRIC_PROCESS_CPU_USAGE, METRIC_COUNT},
     false},
};

static double size_of_unit(const char *name)
{
	static const struct {
		const char *name;
		double bytes;
	} units[] = {{"bytes", 1},
	             {"kilobytes", 1e3},
	             {"megabytes", 1e6},
	             {"gigabytes", 1e9},
	             {"terabytes", 1e12}};

	for (size_t i = 0; i < NUMBER_OF(units); i++)
		if (strcmp(units[i].name, name) == 0)
			return units[i].bytes;
	return NAN;
}

static const char *value_named(const struct csv_names *names, const struct csv_names *values,
                               const char *name)
{
	for (size_t i = 0; i < names->n && i < values->n; i++)
		if (strcmp(names->name[i], name) == 0)
			return values->name[i];
	return "";
}

static double number_named(const struct csv_names *names, const struct csv_names *values,
                           const char *name)
{
	const char *text = value_named(names, values, name);
	struct csv_read cell = {.cell = text, .n = strlen(text)};
	double v;

	return csv_read_number(&cell, &v) && v >= 0 ? v : NAN;
}

static void add_gpu_tracker_name(struct csv_header *h, const char *name, bool gpus,
                                 const double scale[])
{
	struct csv_column *column = &h->column[h->n];

	for (size_t i = 0; i < NUMBER_OF(gpu_tracker); i++) {
		if (strcmp(gpu_tracker[i].name, name) != 0 || (gpu_tracker[i].gpu && !gpus) ||
		    is_used(h, gpu_tracker[i].id[0]))
			continue;
		column->scale = scale[gpu_tracker[i].unit];
		for (size_t k = 0; k < 2; k++) {
			column->id[k] = gpu_tracker[i].id[k];
			if (column->id[k] != METRIC_COUNT)
				use_metric(h, column->id[k]);
		}
	}
}

/* Two lines with the units and the machine, and then the header. What gpu_tracker calls a megabyte
 * of GPU memory is what nvidia-smi and amd-smi call a MiB. */
static int read_gpu_tracker_names(struct csv_header *h, const struct csv_names *names,
                                  const struct csv_names *values, struct csv_names *header,
                                  struct csv_read *in, struct snapshot *s)
{
	double scale[] = {
	    [IN_RAM] = size_of_unit(value_named(names, values, "ram_unit")),
	    [IN_GPU_RAM] =
		size_of_unit(value_named(names, values, "gpu_ram_unit")) / 1e6 * QUANTITY_MIB,
	    [IN_PERCENT] = 0.01,
	    [IN_ONE] = 1,
	};
	double gpus = number_named(names, values, "system_gpu_count");

	if (isnan(scale[IN_RAM]) || isnan(scale[IN_GPU_RAM]))
		return csv_read_fail(in, "gpu_tracker's units of memory are not known");
	h->base = true;
	s->server.known = true;
	s->server.vcpus = number_named(names, values, "system_core_count");
	s->server.memory_b = number_named(names, values, "ram_system_capacity") * scale[IN_RAM];
	s->server.gpu_count = gpus;
	if (gpus > 0)
		s->server.gpu_memory_b =
		    number_named(names, values, "gpu_ram_system_capacity") * scale[IN_GPU_RAM];
	for (h->n = 0; h->n < header->n; h->n++)
		add_gpu_tracker_name(h, header->name[h->n], gpus > 0, scale);
	if (!is_used(h, METRIC_PROCESS_TIMESTAMP) || !h->columns[METRIC_SCOPE_PROCESS])
		return csv_read_fail(in, "not the columns of a tracking file of gpu_tracker");
	return 0;
}

static int read_gpu_tracker(struct csv_header *h, const struct csv_names *names,
                            struct csv_read *in, struct snapshot *s)
{
	struct csv_names values = {.n = 0}, header = {.n = 0};
	int failed = 0;

	if (csv_read_record(in) > 0 && read_names(&values, in) == 0 && csv_read_record(in) > 0 &&
	    read_names(&header, in) == 0)
		failed = read_gpu_tracker_names(h, names, &values, &header, in, s);
	else
		failed = csv_read_fail(in, "the tracking file of gpu_tracker ends in its header");
	free_names(&values);
	free_names(&header);
	return failed;
}

/* -- all of them ------------------------------------------------------------------------------- */

static bool has_name(const struct csv_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->name[i], name) == 0)
			return true;
	return false;
}

static int read_header_names(struct csv_header *h, const struct csv_names *names,
                             struct csv_read *in, struct snapshot *s)
{
	if (has_name(names, GPU_TRACKER))
		return read_gpu_tracker(h, names, in, s);
	if (has_name(names, SUB_TRACKING))
		return csv_read_fail(in, "a sub-tracking file of gpu_tracker, which has no "
		                         "samples: give the tracking file");
	if (has_name(names, UNITLESS))
		return csv_read_fail(in, "a tracking file of gpu_tracker without the two lines "
		                         "with its units, as its older versions wrote it");
	return read_tracker_names(h, names, in, s);
}

/* Reads the header. Sets s->schema, and what else it says. 0, or -1 with a sentence. */
static int snapshot_csv_header_read(struct csv_header *h, struct csv_read *in, struct snapshot *s)
{
	struct csv_names names = {.n = 0};
	int failed;

	for (size_t i = 0; i < NUMBER_OF(h->column); i++)
		h->column[i] = (struct csv_column){{METRIC_COUNT, METRIC_COUNT}, 1};
	failed =
	    csv_read_record(in) > 0 ? read_names(&names, in) : csv_read_fail(in, "an empty file");
	if (!failed)
		failed = read_header_names(h, &names, in, s);
	free_names(&names);
	return failed ? -1 : 0;
}

/* The file without one line, if the program that wrote it was killed. */
#define CUT_NOTE "The last line of the CSV file is cut off and left out."

static const char ticks_note[] = "The CPU times of the CSV file are not in seconds (the first "
				 "versions of resource-tracker wrote clock ticks), and are left "
				 "out.";

#define TICKS_LEAST 10 /* times as much as the CPU usage says; there are 100 ticks in a second */

struct csv_snapshot {
	struct csv_read in;
	struct csv_header header;
	struct snapshot *s;
	struct err *e;
	double v[METRIC_COUNT];  /* of a line; NAN: nothing there */
	bool has[METRIC_SCOPES]; /* whether the line has a row of the scope */
	bool one;                /* only one scope has columns */
	size_t lines;
};

/* -- lines ------------------------------------------------------------------------------------- */

static int wrong_cells(struct csv_snapshot *c)
{
	char text[128];

	snprintf(text, sizeof text, "%zu cell%s, but %zu column%s in the header", c->in.cells,
	         c->in.cells == 1 ? "" : "s", c->header.n, c->header.n == 1 ? "" : "s");
	return csv_read_fail(&c->in, text);
}

static int take_csv_cell(struct csv_snapshot *c, const struct csv_column *column)
{
	double v;

	if (column->id[0] == METRIC_COUNT)
		return 0;
	if (!csv_read_number(&c->in, &v)) {
		char text[160];
		snprintf(text, sizeof text, "\"%.*s\" in column %zu is not a number",
		         c->in.n > 64 ? 64 : (int)c->in.n, c->in.cell, c->in.cells);
		return csv_read_fail(&c->in, text);
	}
	for (size_t i = 0; i < 2 && column->id[i] != METRIC_COUNT; i++) {
		const struct metric *m = &metrics[column->id[i]];
		c->v[m->id] = v * column->scale;
		if (!isnan(v) && m->unit != METRIC_UNIT_TIME)
			c->has[m->scope] = true;
	}
	return 0;
}

/* 1: a line was read into v; 0: the last one is cut off; -1. */
static int read_csv_line(struct csv_snapshot *c)
{
	int more;

	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		c->has[scope] = c->one && c->header.columns[scope];
	for (size_t i = 0; i < METRIC_COUNT; i++)
		c->v[i] = NAN;
	while ((more = csv_read_cell(&c->in)) > 0)
		if (c->in.cells <= c->header.n &&
		    take_csv_cell(c, &c->header.column[c->in.cells - 1]))
			return -1;
	if (more < 0 || c->in.cells == c->header.n)
		return more < 0 ? -1 : 1;
	return c->in.unterminated && c->in.cells < c->header.n ? 0 : wrong_cells(c);
}

/* Both scopes of a line have its time. A scope without any number in a line has no row there. */
static int push_csv_line(struct csv_snapshot *c)
{
	for (size_t i = 0; i < c->header.used; i++) {
		enum metric_id id = c->header.id[i];
		if (c->has[metrics[id].scope] &&
		    frame_push(&c->s->rows[metrics[id].scope], id, c->v[id], c->e))
			return err_wrap(c->e, "%s", c->in.name);
	}
	c->lines++;
	return 0;
}

static int read_csv_lines(struct csv_snapshot *c)
{
	int more, whole = 1;

	while ((more = csv_read_record(&c->in)) > 0 && (whole = read_csv_line(c)) > 0)
		if (push_csv_line(c))
			return -1;
	if (more < 0 || whole < 0)
		return -1;
	if (!whole)
		snapshot_note(c->s, CUT_NOTE);
	return 0;
}

/* -- units and time ---------------------------------------------------------------------------- */

/* The largest of a column, and whether all are multiples of 1024, with at least three values. */
static double largest_of(const struct frame *f, enum metric_id id, bool *kilo)
{
	const double *col = frame_col(f, id);
	double most = NAN, seen[3];
	size_t different = 0;

	*kilo = col;
	for (size_t i = 0; col && i < f->rows; i++) {
		bool known = isnan(col[i]);
		if (!known && !(col[i] <= most))
			most = col[i];
		*kilo = *kilo && (known || col[i] / 1024 == floor(col[i] / 1024));
		for (size_t k = 0; k < different; k++)
			known = known || seen[k] == col[i];
		if (!known && different < 3)
			seen[different++] = col[i];
	}
	frame_rest(f);
	*kilo = *kilo && different == 3;
	return most;
}

/* rtrack-report --bytes keeps the names, as upstream does, so only the values show it: no disks
 * hold 10^9 GiB, and memory in kB is not always a whole number of MiB. */
static bool is_in_bytes(const struct csv_snapshot *c)
{
	static const enum metric_id memory[] = {METRIC_PROCESS_MEMORY, METRIC_SYSTEM_MEMORY_USED};
	bool kilo;
	double disks =
	    largest_of(&c->s->rows[METRIC_SCOPE_SYSTEM], METRIC_SYSTEM_DISK_SPACE_TOTAL, &kilo);

	if (!c->header.prefixed)
		return false;
	if (disks > 0)
		return disks >= 1e9;
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
		if (largest_of(&c->s->rows[metrics[memory[i]].scope], memory[i], &kilo) > 0)
			return kilo;
	return false;
}

static int csv_to_base(struct csv_snapshot *c)
{
	static const int as_is[METRIC_COUNT];
	enum schema schema = c->s->schema;
	bool bytes = c->header.base || is_in_bytes(c);
	int failed;

	if (c->header.human && !bytes)
		return err_set(c->e,
		               "%s: the names of the columns do not say the units: write it with "
		               "--bytes, or without --human-names",
		               c->in.name);
	if (bytes)
		c->s->schema = 0; /* base units */
	failed = snapshot_rows_to_base(c->s, bytes ? as_is : c->header.spelled, c->e) ||
	         gaps_fill(c->s, c->e);
	c->s->schema = schema;
	return failed ? err_wrap(c->e, "%s", c->in.name) : 0;
}

/* CPU usage has four decimals. A cell that is not measured says nothing. */
static bool is_in_ticks(const double *u, const double *sys, const double *usage, const double *at,
                        size_t rows)
{
	double said = 0, used = 0;

	for (size_t i = 1; i < rows; i++) {
		double step = at[i] - at[i - 1];
		if (!(step > 0) || isnan(u[i] + sys[i] + usage[i]))
			continue;
		said += u[i] + sys[i];
		used += (usage[i] + 1e-4) * step;
	}
	return said > TICKS_LEAST * used;
}

static double forget_cell(double v, const void *ctx)
{
	(void)v, (void)ctx;
	return NAN;
}

static int forget_ticks(struct snapshot *s, struct err *e)
{
	static const enum metric_id of[METRIC_SCOPES][4] = {
	    [METRIC_SCOPE_PROCESS] = {METRIC_PROCESS_UTIME, METRIC_PROCESS_STIME,
	                              METRIC_PROCESS_CPU_USAGE, METRIC_PROCESS_TIMESTAMP},
	    [METRIC_SCOPE_SYSTEM] = {METRIC_SYSTEM_UTIME, METRIC_SYSTEM_STIME,
	                             METRIC_SYSTEM_CPU_USAGE, METRIC_SYSTEM_TIMESTAMP},
	};
	bool found = false;

	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		struct frame *f = &s->rows[scope];
		const double *col[4];
		for (size_t i = 0; i < 4; i++)
			col[i] = frame_col(f, of[scope][i]);
		if (!col[0] || !col[1] || !col[2] || !col[3] ||
		    !is_in_ticks(col[0], col[1], col[2], col[3], f->rows))
			continue;
		if (frame_change(f, of[scope][0], forget_cell, NULL, e) ||
		    frame_change(f, of[scope][1], forget_cell, NULL, e))
			return -1;
		frame_rest(f);
		found = true;
	}
	if (found)
		snapshot_note(s, "%s", ticks_note);
	return 0;
}

static int compare_steps(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median step between two samples; NAN without two. */
static double median_step(const struct snapshot *s, enum metric_scope scope)
{
	const struct frame *f = &s->rows[scope];
	const double *col = frame_col(f, metric_time_of(scope));
	double *step = col && f->rows > 1 ? alloc_failed_note(calloc(f->rows, sizeof *step)) : NULL;
	double median = NAN;
	size_t n = 0;

	for (size_t i = 1; step && i < f->rows; i++)
		if (col[i] > col[i - 1])
			step[n++] = col[i] - col[i - 1];
	if (n) {
		qsort(step, n, sizeof *step, compare_steps);
		median = stats_round(step[n / 2], 3);
	}
	free(step);
	return median;
}

static void set_csv_meta(struct snapshot *s)
{
	const double *pid = frame_col(&s->rows[METRIC_SCOPE_PROCESS], METRIC_PROCESS_PID);
	double step = median_step(s, METRIC_SCOPE_PROCESS);

	if (isnan(step))
		step = median_step(s, METRIC_SCOPE_SYSTEM);
	s->meta.interval = step;
	s->meta.pid = pid && s->rows[METRIC_SCOPE_PROCESS].rows ? pid[0] : NAN;
	s->meta.track_processes = s->rows[METRIC_SCOPE_PROCESS].rows;
	s->meta.track_system = s->rows[METRIC_SCOPE_SYSTEM].rows;
}

/* -- the whole file ---------------------------------------------------------------------------- */

static int read_csv(struct csv_snapshot *c)
{
	if (snapshot_csv_header_read(&c->header, &c->in, c->s))
		return -1;
	c->one = !c->header.columns[0] || !c->header.columns[1];
	if (read_csv_lines(c))
		return -1;
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		if (frame_square(&c->s->rows[scope], c->e))
			return err_wrap(c->e, "%s", c->in.name);
	if (csv_to_base(c))
		return -1;
	if (forget_ticks(c->s, c->e))
		return err_wrap(c->e, "%s", c->in.name);
	set_csv_meta(c->s);
	return 0;
}

int snapshot_csv_read(struct snapshot *s, struct gz_in *g, const char *begun, size_t n,
                      const char *name, struct err *e)
{
	struct csv_snapshot *c = calloc(1, sizeof *c);
	int failed;

	if (!c)
		return err_set(e, "%s: no memory to read it", name);
	c->s = s;
	c->e = e;
	s->from_csv = true;
	csv_read_init(&c->in, g, begun, n, name, e);
	failed = read_csv(c);
	csv_read_free(&c->in);
	free(c);
	return failed;
}

/* JSON has commas and quoted words too, so its first character decides. */
bool snapshot_csv_recognise(const char *begun, size_t n)
{
	struct csv_read *in;
	bool found = false;
	size_t at = 0;

	while (at < n && strchr(" \t\r\n", begun[at]))
		at++;
	if (at == n || strchr("{[<", begun[at]))
		return false;
	in = alloc_failed_note(calloc(1, sizeof *in));
	if (!in)
		return false;
	csv_read_init(in, NULL, begun, n, "", NULL);
	if (csv_read_record(in) > 0)
		while (!found && csv_read_cell(in) > 0)
			found = snapshot_csv_header_is_one(in);
	csv_read_free(in);
	free(in);
	return found;
}
