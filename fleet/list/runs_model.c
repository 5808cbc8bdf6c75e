/* runs_model: the list of runs as one JSON tree. */
#include "fleet/list/runs_model.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/base/quantity.h"
#include "core/end/end_cause.h"
#include "core/recording/snapshot.h"
#include "fleet/catalog/catalog_list.h"
#include "fleet/catalog/job_name.h"
#include "fleet/groups/fleet.h"
#include "fleet/groups/fleet_group.h"
#include "fleet/groups/report_link.h"
#include "fleet/page/fleet_table.h"
#include "report/render/output_formats.h"
#include "report/units/model_json.h"
#include "report/units/nextflow.h"
#include "report/units/units.h"

/* -- the columns of the table of runs ---------------------------------------------------------- */

enum runs_column {
#define COLUMN(id, ...) RUNS_COLUMN_##id,
#include "fleet/catalog/listed_columns.def"
#undef COLUMN
	RUNS_COLUMNS
};

/* A run: of several recordings, CPUs and hours are sums, and memory that of the node or task with
 * the most. NAN and "": unknown. Texts are borrowed from the row, or in `made`. */
struct runs_values {
	const char *id, *job_id, *name, *user, *account, *host, *signal, *origin;
	const char *source, *report;
	const char *end;   /* "finished", "its time was up" … */
	const char *level; /* "", "warn", "bad" */
	double start, submit, wall_s, asked_time_s, code, recordings, class;
	double asked_cpus, cpus, cpu_efficiency;
	double asked_memory_b, memory_b, memory_efficiency;
	bool memory_bound; /* it used at least memory_b, by accounting */
	double asked_gpus, gpus, gpu_efficiency;
	double unused_core_h, unused_gib_h, unused_gpu_h, cost;
	struct buf made[3]; /* id, end, report */
};

#define GZIP_LEVEL 6

static const struct fleet_table_column runs_columns[RUNS_COLUMNS] = {
#define COLUMN(id, key, label, head, unit, kind, pack, column, over, value)                        \
	{key, label, UNIT_##unit, FLEET_TABLE_##kind, head},
#include "fleet/catalog/listed_columns.def"
#undef COLUMN
};

/* Whether the page's script has it. */
static const bool runs_packed[RUNS_COLUMNS] = {
#define COLUMN(id, key, label, head, unit, kind, pack, column, over, value) pack,
#include "fleet/catalog/listed_columns.def"
#undef COLUMN
};

static struct fleet_table_cell runs_number_cell(double v)
{
	return (struct fleet_table_cell){v, ""};
}

static struct fleet_table_cell runs_text_cell(const char *v)
{
	return (struct fleet_table_cell){NAN, v};
}

static struct fleet_table_cell runs_row_cell(struct catalog_result v)
{
	return (struct fleet_table_cell){v.number, v.text};
}

static void runs_columns_fill(const struct runs_values *r, const struct catalog_result *v,
                              struct fleet_table_cell out[RUNS_COLUMNS])
{
#define COLUMN(id, key, label, head, unit, kind, pack, column, over, value)                        \
	out[RUNS_COLUMN_##id] =                                                                    \
	    _Generic(value, const char *: runs_text_cell, double: runs_number_cell,                \
	             struct catalog_result: runs_row_cell)(value);
#include "fleet/catalog/listed_columns.def"
#undef COLUMN
}

/* Appends the values that the page's script has, to the digits that are shown, to those of their
 * columns. Returns how many bytes that are. */
static size_t runs_columns_pack(const struct fleet_table_cell *cell,
                                struct buf packed[RUNS_COLUMNS])
{
	static const struct fleet_table_form form = {
	    .digits = 4, .share_digits = 4, .exact = 1e4, .text_max = 64};
	size_t taken = 0;

	for (size_t c = 0; c < RUNS_COLUMNS; c++) {
		size_t before = packed[c].len;
		if (runs_packed[c])
			fleet_table_add(&packed[c], &runs_columns[c], cell[c], &form);
		taken += packed[c].len - before;
	}
	return taken;
}

/* -- the columns: the order -------------------------------------------------------------------- */

/* "sort". sort: NULL: the newest first. */
static void runs_columns_add_sort(cJSON *runs, const char *sort)
{
	cJSON *one = cJSON_AddObjectToObject(runs, "sort");
	const char *word = sort ? sort + (*sort == '-') : "start";
	const char *label = word;
	bool up = sort && *sort != '-';

	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		if (strcmp(runs_columns[c].id, word) == 0)
			label = runs_columns[c].label;
	cJSON_AddStringToObject(one, "id", word);
	cJSON_AddBoolToObject(one, "up", up);
	if (strcmp(word, "start") == 0)
		cJSON_AddStringToObject(one, "text", up ? "the oldest first" : "the newest first");
	else
		model_json_printf(one, "text", "by “%s”, %s", label,
		                  up ? "ascending" : "descending");
}

/* -- a run, from its row in the catalog -------------------------------------------------------- */

static void fill_run_id(struct runs_values *r, const struct catalog_result *v)
{
	const struct job_name_row job = {
	    .id = v[RTRACK_ROW_ID].text,
	    .job_id = v[RTRACK_ROW_JOB_ID].text,
	    .job = v[RTRACK_ROW_JOB].text,
	    .array_job = v[RTRACK_ROW_ARRAY].text,
	    .labels = v[RTRACK_ROW_LABELS].text,
	    .array_index = v[RTRACK_ROW_INDEX].number,
	};

	job_name_text(&job, &r->made[0]);
	r->id = r->made[0].len ? buf_cstr(&r->made[0]) : job.id;
	r->job_id = job.job_id;
}

/* -- a run: how it ended ----------------------------------------------------------------------- */

/* Statuses of a recording that do not say how the run ended: its code may. */
static bool is_status_alone(const char *status)
{
	static const char *const good[] = {"", "exited", "finished", "stopped", "detached"};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		if (strcmp(status, good[i]) == 0)
			return true;
	return false;
}

static const char *end_words(const struct catalog_result *v, struct runs_values *r)
{
	double cause = v[CATALOG_COLUMN_END_CODE].number;
	const char *status = v[RTRACK_ROW_STATUS].text;

	if (r->class == CATALOG_UNFINISHED)
		return "unfinished";
	if (cause > END_CAUSE_FINISHED && cause < END_CAUSE_COUNT)
		return end_cause_means((enum end_cause)cause);
	if (v[CATALOG_COLUMN_OOM].number == 1)
		return end_cause_means(END_CAUSE_OOM);
	if (*r->signal)
		return end_cause_means(END_CAUSE_SIGNALED);
	if (!is_status_alone(status))
		return status;
	if (r->code != 0 && isfinite(r->code))
		return end_cause_means(END_CAUSE_EXITED);
	if (r->code == 0 || strcmp(status, "finished") == 0)
		return "finished";
	/* Only the parent of a process that was followed learns its code. */
	return *status && strcmp(status, "exited") != 0 ? "recording stopped" : "unknown";
}

/* "failed (code 2)", "its time was up (SIGTERM)". */
static void fill_end(struct runs_values *r, const struct catalog_result *v)
{
	struct buf *out = &r->made[1];
	bool unfinished = r->class == CATALOG_UNFINISHED;
	bool failed = r->class == CATALOG_FAILED || v[CATALOG_COLUMN_OOM].number == 1;

	buf_str(out, end_words(v, r));
	if (*r->signal && !unfinished)
		buf_printf(out, " (SIG%s)", r->signal);
	else if (r->code != 0 && isfinite(r->code) && !unfinished)
		buf_printf(out, " (code %.0f)", r->code);
	r->end = buf_cstr(out);
	r->level = unfinished ? "warn" : "";
	if (failed)
		r->level = "bad";
}

/* -- a run: amounts ---------------------------------------------------------------------------- */

static double first_known(double a, double b)
{
	return isnan(a) ? b : a;
}

static double ratio_of(double part, double of)
{
	return of > 0 ? part / of : (double)NAN;
}

/* An ask that is 0 is unknown. */
static double ask_of(double v)
{
	return v > 0 ? v : (double)NAN;
}

/* Also a job on several nodes of which accounting has one row. */
static bool is_several(const struct runs_values *r, const struct catalog_result *v)
{
	return r->recordings > 1 || v[CATALOG_COLUMN_RECORDINGS].number > 1;
}

/* The CPUs of a run of several recordings are those of all: core-seconds over the time of the
 * run. */
static void fill_cpus(struct runs_values *r, const struct catalog_result *v)
{
	double asked = ratio_of(v[CATALOG_COLUMN_ASKED_CORE_S].number, r->wall_s);
	double used = ratio_of(v[CATALOG_COLUMN_USED_CORE_S].number, r->wall_s);
	double cpu = ratio_of(v[RTRACK_ROW_CPU].number, r->wall_s);
	bool several = is_several(r, v);

	r->asked_cpus = several ? asked : ask_of(v[RTRACK_ROW_ASKED_CPUS].number);
	if (several)
		r->cpus = used;
	else
		r->cpus = first_known(used, first_known(cpu, v[RTRACK_ROW_CORES_MEAN].number));
	r->cpu_efficiency =
	    ratio_of(v[CATALOG_COLUMN_USED_CORE_S].number, v[CATALOG_COLUMN_ASKED_CORE_S].number);
}

static void fill_gpus(struct runs_values *r, const struct catalog_result *v)
{
	bool several = is_several(r, v);

	r->asked_gpus = several ? ratio_of(v[CATALOG_COLUMN_ASKED_GPU_S].number, r->wall_s)
	                        : v[RTRACK_ROW_ASKED_GPUS].number;
	r->gpus = several ? ratio_of(v[CATALOG_COLUMN_USED_GPU_S].number, r->wall_s)
	                  : v[RTRACK_ROW_GPUS_MEAN].number;
	r->gpu_efficiency =
	    ratio_of(v[CATALOG_COLUMN_USED_GPU_S].number, v[CATALOG_COLUMN_ASKED_GPU_S].number);
}

static double run_cost(const struct catalog_result *v, const struct runs_values_input *in)
{
	double core_s = v[CATALOG_COLUMN_ASKED_CORE_S].number;
	double byte_s = v[CATALOG_COLUMN_ASKED_BYTE_S].number;
	double gpu_s = v[CATALOG_COLUMN_ASKED_GPU_S].number;
	struct catalog_machine machine;

	if (fleet_group_rates(&in->rates)) {
		if (isnan(core_s) && isnan(byte_s) && isnan(gpu_s))
			return NAN;
		return fleet_group_money_at_rates(&in->rates, first_known(core_s, 0),
		                                  first_known(byte_s, 0), first_known(gpu_s, 0));
	}
	if (!in->price || isnan(v[CATALOG_COLUMN_PAID_S].number) ||
	    catalog_machine_parse(v[CATALOG_COLUMN_MACHINE].text, &machine))
		return NAN;
	return in->price(in->price_ctx, &machine) * v[CATALOG_COLUMN_PAID_S].number /
	       QUANTITY_HOUR_S;
}

/* The report of one of its recordings. */
static void fill_report(struct runs_values *r, const struct catalog_result *source,
                        const char *page)
{
	for (size_t i = 0; i < source->n && !r->made[2].len; i++)
		report_link(source->list[i], page, &r->made[2]);
	r->report = buf_cstr(&r->made[2]);
}

static void runs_values_fill(struct runs_values *r, const struct catalog_result v[CATALOG_COLUMNS],
                             const struct runs_values_input *in)
{
	*r = (struct runs_values){
	    .name = v[RTRACK_ROW_NAME].text,
	    .user = v[RTRACK_ROW_USER].text,
	    .account = v[RTRACK_ROW_ACCOUNT].text,
	    .signal = v[RTRACK_ROW_SIGNAL].text,
	    .origin = v[CATALOG_COLUMN_ORIGIN].text,
	    .source = v[CATALOG_COLUMN_SOURCE].text,
	    .start = v[RTRACK_ROW_START].number,
	    .submit = v[CATALOG_COLUMN_SUBMIT].number,
	    .wall_s = v[RTRACK_ROW_WALL].number,
	    .asked_time_s = ask_of(v[RTRACK_ROW_ASKED_TIME].number),
	    .code = v[RTRACK_ROW_CODE].number,
	    .class = v[CATALOG_COLUMN_CLASS].number,
	    .recordings = fmax((double)v[CATALOG_COLUMN_SOURCE].n, 1),
	    .asked_memory_b = ask_of(v[RTRACK_ROW_ASKED_MEMORY].number),
	    .memory_b = v[RTRACK_ROW_MEMORY_PEAK].number,
	    .unused_core_h = v[CATALOG_COLUMN_UNUSED_CORE_S].number / QUANTITY_HOUR_S,
	    .unused_gib_h = v[CATALOG_COLUMN_UNUSED_BYTE_S].number / QUANTITY_HOUR_S / QUANTITY_GIB,
	    .unused_gpu_h = v[CATALOG_COLUMN_UNUSED_GPU_S].number / QUANTITY_HOUR_S,
	};
	r->host = r->recordings > 1 ? "" : v[RTRACK_ROW_HOST].text;
	r->memory_bound = v[CATALOG_COLUMN_ORIGIN_CODE].number >= CATALOG_BOUND * CATALOG_DIFFERS;
	r->memory_efficiency = ratio_of(r->memory_b, r->asked_memory_b);
	r->cost = run_cost(v, in);
	fill_run_id(r, v);
	fill_end(r, v);
	fill_cpus(r, v);
	fill_gpus(r, v);
	fill_report(r, &v[CATALOG_COLUMN_SOURCE], in->page);
}

static void runs_values_free(struct runs_values *r)
{
	for (size_t i = 0; i < sizeof r->made / sizeof *r->made; i++)
		buf_free(&r->made[i]);
}

/* -- runs as rows of the trace that Nextflow writes -------------------------------------------- */

static const char *trace_status(const struct runs_values *r)
{
	if (r->class == CATALOG_UNFINISHED)
		return "ABORTED";
	if (*r->level)
		return "FAILED";
	return isnan(r->code) ? NEXTFLOW_NOTHING : "COMPLETED";
}

static const char *trace_exit(const struct runs_values *r, char out[64])
{
	int signal = snapshot_signal_number(r->signal);

	if (signal > 0)
		snprintf(out, 64, "%d", 128 + signal);
	else if (isfinite(r->code))
		snprintf(out, 64, "%.0f", r->code);
	else
		return NEXTFLOW_NOTHING;
	return out;
}

/* Appends a row of "nextflow". A row has no resident sizes: the peak is that of the job's
 * memory, with shared memory once. */
static void runs_trace_add(cJSON *rows, const struct runs_values *r)
{
	double submit = isnan(r->submit) ? r->start : r->submit;
	cJSON *o = model_json_row(rows);
	char text[64];

	cJSON_AddStringToObject(o, "task_id", NEXTFLOW_NOTHING);
	cJSON_AddStringToObject(o, "hash", NEXTFLOW_NOTHING);
	model_json_cut(o, "native_id", *r->job_id ? r->id : NEXTFLOW_NOTHING, MODEL_JSON_NAME_MAX);
	model_json_cut(o, "name", *r->name ? r->name : NEXTFLOW_NOTHING, MODEL_JSON_NAME_MAX);
	cJSON_AddStringToObject(o, "status", trace_status(r));
	cJSON_AddStringToObject(o, "exit", trace_exit(r, text));
	cJSON_AddStringToObject(o, "submit", nextflow_date(submit, text));
	cJSON_AddStringToObject(o, "duration",
	                        nextflow_duration(r->start + r->wall_s - submit, text));
	cJSON_AddStringToObject(o, "realtime", nextflow_duration(r->wall_s, text));
	snprintf(text, sizeof text, "%.1f%%", 100 * r->cpus);
	cJSON_AddStringToObject(o, "cpu", isfinite(r->cpus) ? text : NEXTFLOW_NOTHING);
	cJSON_AddStringToObject(o, "peak_rss", nextflow_memory(r->memory_b, text));
	cJSON_AddStringToObject(o, "peak_vmem", NEXTFLOW_NOTHING);
	cJSON_AddStringToObject(o, "rchar", NEXTFLOW_NOTHING);
	cJSON_AddStringToObject(o, "wchar", NEXTFLOW_NOTHING);
}

#define NAME_MAX_SHOWN ((size_t)128)

/* The bytes that fit into the page, which has 1 MB in all: the markup of a row, and of the rows and
 * their data for the script. gzip and base64 make at most four thirds of the data. */
#define ROW_MARKUP ((size_t)520)
#define ROWS_BYTES ((size_t)880000)

struct runs_model {
	struct runs_model_input in;
	cJSON *tree, *rows, *table, *nextflow;
	size_t n, shown, left; /* left: bytes of the page */
	bool gpus, cost, accounts, origins;
	struct buf packed[RUNS_COLUMNS]; /* what the script has of each column: JSON */
	struct buf text;
};

/* -- the model: one run ------------------------------------------------------------------------ */

/* "8 → 1.00", "64.0 GiB → 3.20 GiB", "– → unknown". */
static void add_asked_and_used(cJSON *row, const char *key, const char *asked, const char *used)
{
	model_json_printf(row, key, "%s → %s", asked, used);
}

/* Adds the lines of a cell, one for each resource that is known. */
static void add_unused_lines(cJSON *row, const struct fleet_table_cell *cell)
{
	static const enum runs_column shown[] = {
	    RUNS_COLUMN_CORES_UNUSED, RUNS_COLUMN_MEMORY_UNUSED, RUNS_COLUMN_GPUS_UNUSED};
	cJSON *lines = cJSON_AddArrayToObject(row, "unused");
	char text[64];

	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		if (isfinite(cell[shown[i]].number))
			model_json_cut(lines, NULL,
			               units_text(runs_columns[shown[i]].unit,
			                          cell[shown[i]].number, NULL, text),
			               sizeof text);
	if (!cJSON_GetArraySize(lines))
		model_json_cut(lines, NULL, "unknown", sizeof text);
}

static void add_run_amounts(cJSON *row, const struct runs_values *r,
                            const struct fleet_table_cell *cell, const struct runs_model_input *in)
{
	static const enum runs_column shown[] = {
	    RUNS_COLUMN_WALL,          RUNS_COLUMN_TIME_ASKED,   RUNS_COLUMN_CPUS_ASKED,
	    RUNS_COLUMN_CPUS_USED,     RUNS_COLUMN_MEMORY_ASKED, RUNS_COLUMN_MEMORY_PEAK,
	    RUNS_COLUMN_GPUS_ASKED,    RUNS_COLUMN_GPUS_USED,    RUNS_COLUMN_CORES_UNUSED,
	    RUNS_COLUMN_MEMORY_UNUSED, RUNS_COLUMN_GPUS_UNUSED,  RUNS_COLUMN_COST};
	static const enum runs_column shares[] = {
	    RUNS_COLUMN_CPU_EFFICIENCY, RUNS_COLUMN_MEMORY_EFFICIENCY, RUNS_COLUMN_GPU_EFFICIENCY};
	char asked[64], used[64], bound[80];

	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		fleet_page_quantity(row, runs_columns[shown[i]].id, runs_columns[shown[i]].unit,
		                    cell[shown[i]].number, &in->page);
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		double share = cell[shares[i]].number;
		model_json_as_text(row, runs_columns[shares[i]].id, UNIT_PERCENT, 100 * share,
		                   isfinite(share) ? units_share(share, used) : "");
	}
	add_asked_and_used(row, "cpus_text",
	                   isnan(r->asked_cpus) ? "–" : units_count(r->asked_cpus, asked),
	                   isnan(r->cpus) ? "unknown" : units_cores(r->cpus, used));
	snprintf(bound, sizeof bound, "%s%s", r->memory_bound ? "≥ " : "",
	         isnan(r->memory_b) ? "unknown" : units_bytes(r->memory_b, used));
	add_asked_and_used(row, "memory_text",
	                   isnan(r->asked_memory_b) ? "–" : units_bytes(r->asked_memory_b, asked),
	                   bound);
	add_asked_and_used(row, "gpus_text",
	                   isnan(r->asked_gpus) ? "–" : units_count(r->asked_gpus, asked),
	                   isnan(r->gpus) ? "unknown" : units_cores(r->gpus, used));
	add_unused_lines(row, cell);
	cJSON_AddBoolToObject(row, "gpus_known", r->asked_gpus > 0 || r->gpus > 0);
}

static void add_words(cJSON *row, const struct runs_values *r)
{
	char start[UNITS_SIZE];
	cJSON *end;

	model_json_cut(row, "id", r->id, NAME_MAX_SHOWN);
	model_json_cut(row, "name", fleet_page_or_unknown(r->name), NAME_MAX_SHOWN);
	model_json_cut(row, "user", fleet_page_or_unknown(r->user), NAME_MAX_SHOWN / 2);
	model_json_cut_or_null(row, "account", r->account, NAME_MAX_SHOWN / 2);
	model_json_cut_or_null(row, "host", r->host, NAME_MAX_SHOWN / 2);
	model_json_time(row, "start", r->start);
	model_json_printf(row, "start_text", "%.16s",
	                  isnan(r->start) ? "unknown" : units_time_text(r->start, start));
	end = cJSON_AddObjectToObject(row, "end");
	model_json_cut(end, "text", r->end, NAME_MAX_SHOWN);
	cJSON_AddStringToObject(end, "level", r->level);
	model_json_cut(row, "origin", fleet_page_or_unknown(r->origin), NAME_MAX_SHOWN / 4);
	cJSON_AddBoolToObject(row, "elsewhere",
	                      strcmp(r->origin, import_origins[IMPORT_RECORDED]) != 0);
	cJSON_AddNumberToObject(row, "recordings", r->recordings);
	if (r->recordings > 1)
		model_json_printf(row, "recordings_text", "%s recordings",
		                  UNITS_COUNT(r->recordings));
	else
		cJSON_AddNullToObject(row, "recordings_text");
	model_json_cut(row, "source", fleet_page_or_unknown(r->source), MODEL_JSON_NAME_MAX);
	model_json_cut_or_null(row, "report", r->report, MODEL_JSON_TEXT_MAX);
}

/* -- the model: what the page's script has ----------------------------------------------------- */

/* Bytes of texts in the row, as escaped. */
static size_t row_length(const cJSON *row)
{
	static const char *const keys[] = {"id",   "name",   "user",   "account",
	                                   "host", "origin", "report", "recordings_text"};
	size_t n = ROW_MARKUP +
	           fleet_page_html_length(cJSON_GetObjectItemCaseSensitive(row, "end"), "text");

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		n += fleet_page_html_length(row, keys[i]);
	return n;
}

/* Whether the page has room for the row; then the script has it as well. */
static bool pack_row(struct runs_model *m, const cJSON *row, const struct fleet_table_cell *cell)
{
	size_t before[RUNS_COLUMNS], taken = row_length(row), packed;

	if (m->shown + 1 < m->n) /* an earlier row had no room: the order has no gaps */
		return false;
	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		before[c] = m->packed[c].len;
	packed = runs_columns_pack(cell, m->packed);
	taken += packed + packed / 3;
	if (taken <= m->left) {
		m->left -= taken;
		m->shown++;
		return true;
	}
	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		m->packed[c].len = before[c];
	return false;
}

int runs_model_add(void *model, const struct catalog_result v[CATALOG_COLUMNS], struct err *e)
{
	struct runs_model *m = model;
	struct fleet_table_cell cell[RUNS_COLUMNS];
	struct runs_values r;
	cJSON *row;

	runs_values_fill(&r, v, &m->in.of);
	runs_columns_fill(&r, v, cell);
	m->n++;
	m->gpus |= r.asked_gpus > 0 || r.gpus > 0;
	m->cost |= isfinite(r.cost);
	m->accounts |= *r.account != '\0';
	m->origins |= strcmp(r.origin, import_origins[IMPORT_RECORDED]) != 0;
	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		fleet_table_add(&m->text, &runs_columns[c], cell[c], &fleet_table_whole);
	fleet_table_take_row(m->table, &m->text);
	if (m->in.nextflow)
		runs_trace_add(m->nextflow, &r);
	if (m->n <= RUNS_MODEL_ROWS) {
		row = model_json_row(m->rows);
		add_words(row, &r);
		add_run_amounts(row, &r, cell, &m->in);
		cJSON_AddBoolToObject(row, "shown", pack_row(m, row, cell));
		cJSON_AddBoolToObject(row, "top",
		                      m->n <= (m->in.page.top ? m->in.page.top : RUNS_MODEL_TEXT));
	}
	runs_values_free(&r);
	return alloc_failed() ? err_set(e, "%s", strerror(ENOMEM)) : 0;
}

/* -- the model: the tree ----------------------------------------------------------------------- */

/* "12 runs", "1,000 of 12,345 runs". */
static void say_model_how_many(cJSON *runs, const char *key, size_t n, double all,
                               const char *order)
{
	if (!n)
		cJSON_AddStringToObject(runs, key, "No runs");
	else if ((double)n >= all)
		model_json_printf(runs, key, "%s run%s, %s",
		                  n == 1 ? "One" : UNITS_COUNT((double)n), n == 1 ? "" : "s",
		                  order);
	else
		model_json_printf(runs, key, "%s of %s runs, %s", UNITS_COUNT((double)n),
		                  UNITS_COUNT(all), order);
}

static void add_how_many(struct runs_model *m, cJSON *runs, const double count[CATALOG_CLASSES])
{
	const char *order = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	    cJSON_GetObjectItemCaseSensitive(runs, "sort"), "text"));
	double all = 0, impossible = count[CATALOG_IMPOSSIBLE];
	size_t top = m->in.page.top ? m->in.page.top : RUNS_MODEL_TEXT;
	struct buf left_out = {0};

	for (int k = 0; k < CATALOG_CLASSES; k++)
		all += k == CATALOG_IMPOSSIBLE ? 0 : count[k];
	/* Another process may add or remove runs meanwhile. */
	all = fmax(all, (double)m->n);
	top = top < m->n ? top : m->n;
	top = top < RUNS_MODEL_ROWS ? top : RUNS_MODEL_ROWS;
	cJSON_AddBoolToObject(runs, "known", m->n > 0);
	cJSON_AddNumberToObject(runs, "total", all);
	cJSON_AddNumberToObject(runs, "listed", (double)m->n);
	cJSON_AddNumberToObject(runs, "shown", (double)m->shown);
	say_model_how_many(runs, "text", m->shown, all, order ? order : "");
	say_model_how_many(runs, "top_text", top, all, order ? order : "");
	if (impossible > 0)
		buf_printf(&left_out, "%s run%s whose numbers cannot be true %s left out.",
		           UNITS_COUNT(impossible), impossible == 1 ? "" : "s",
		           impossible == 1 ? "is" : "are");
	model_json_take(runs, "left_out", &left_out);
}

struct runs_model *runs_model_begin(const struct runs_model_input *in)
{
	struct runs_model *m = alloc_failed_note(calloc(1, sizeof *m));
	cJSON *runs, *table;

	if (!m)
		return NULL;
	m->in = *in;
	m->left = ROWS_BYTES;
	m->tree = cJSON_CreateObject();
	fleet_page_head(m->tree, OUTPUT_RUNS_FORMAT, "Runs", &in->page);
	runs = cJSON_AddObjectToObject(m->tree, "runs");
	runs_columns_add_sort(runs, in->sort);
	m->rows = cJSON_AddArrayToObject(runs, "rows");
	table = cJSON_AddObjectToObject(runs, "table");
	fleet_table_heads(table, runs_columns, RUNS_COLUMNS, in->page.currency);
	m->table = cJSON_AddArrayToObject(table, "rows");
	if (in->nextflow)
		m->nextflow = cJSON_AddArrayToObject(m->tree, "nextflow");
	return m;
}

/* The page has costs and GPUs only where any are known. */
static bool is_shown_column(const struct runs_model *m, size_t column)
{
	enum unit unit = runs_columns[column].unit;

	if (unit == UNIT_GPUS || unit == UNIT_GPU_HOURS || column == RUNS_COLUMN_GPU_EFFICIENCY)
		return m->gpus;
	return unit != UNIT_MONEY || m->cost;
}

static void finish_tree(struct runs_model *m, const struct runs_model_sums *sums)
{
	cJSON *runs = cJSON_GetObjectItemCaseSensitive(m->tree, "runs");
	struct buf packed = {0};

	cJSON_AddBoolToObject(m->tree, "has_cost", m->cost);
	cJSON_AddBoolToObject(m->tree, "has_gpus", m->gpus);
	cJSON_AddBoolToObject(m->tree, "has_accounts", m->accounts);
	cJSON_AddBoolToObject(m->tree, "has_origins", m->origins);
	fleet_page_prices(m->tree, sums->money_basis, sums->attribution);
	add_how_many(m, runs, sums->count);
	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		if (!is_shown_column(m, c))
			buf_clear(&m->packed[c]);
	fleet_table_pack(&packed, runs_columns, m->packed, RUNS_COLUMNS, m->in.page.currency,
	                 GZIP_LEVEL);
	model_json_take(runs, "packed", &packed);
}

cJSON *runs_model_end(struct runs_model *m, const struct runs_model_sums *sums)
{
	cJSON *tree = m->tree;

	if (sums)
		finish_tree(m, sums);
	if (!sums || alloc_failed()) {
		cJSON_Delete(tree);
		tree = NULL;
	}
	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		buf_free(&m->packed[c]);
	buf_free(&m->text);
	free(m);
	return tree;
}
