/* model: everything that a report shows, as one JSON tree; what is of the run as a whole. */
#include "report/model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/base64.h"
#include "core/base/gz.h"
#include "core/base/shell_word.h"
#include "core/files/snapshot_write.h"
#include "core/head/detail_file.h"
#include "core/head/overview.h"
#include "core/head/overview_make.h"
#include "core/head/overview_write.h"
#include "core/json/json_write.h"
#include "core/processes/process_tree.h"
#include "core/processes/process_tree_write.h"
#include "core/recording/gaps.h"
#include "core/recording/snapshot_fields.h"
#include "report/chart/chart.h"
#include "report/chart/chart_devices.h"
#include "report/model/gpu_brand.h"
#include "report/model/model_sections.h"
#include "report/prices/keeper_saved.h"
#include "report/runs/job_key.h"
#include "report/runs/parts.h"
#include "report/runs/run_row.h"
#include "report/stats/time_at_run.h"
#include "report/units/model_json.h"
#include "report/units/others_text.h"
#include "report/units/units.h"
#include "report/verdict/verdict.h"
#include "report/verdict/verdict_end.h"

/* -- the run, its status and its server -------------------------------------------------------- */

#define COMMAND_MAX ((size_t)2048) /* bytes of the command line */

/* Writes the command line with quotes, ready to paste into a shell. */
static void add_command_line(cJSON *run, const struct snapshot *s)
{
	struct buf b = {0};

	for (size_t i = 0; i < s->job.argc && b.len <= COMMAND_MAX; i++) {
		buf_str(&b, i ? " " : "");
		shell_word_add(&b, s->job.argv[i]);
	}
	model_json_cut_or_null(run, "command", buf_cstr(&b), COMMAND_MAX);
	buf_free(&b);
}

static const char *mode_of(const struct snapshot *s)
{
	if (!s->meta.track_processes)
		return "system";
	/* rtrack-collect knows no exit status of a process that it follows; "": the command's, or a
	 * task's, is not known. */
	return s->job.known && !s->exit.known && *s->exit.cause && !s->unfinished ? "process"
	                                                                          : "command";
}

static void add_recorder_name(cJSON *run, const struct snapshot *s)
{
	char text[128] = "unknown";

	if (s->job.known || *s->meta.version)
		snprintf(text, sizeof text, "%s %.64s",
		         s->job.known ? "rtrack-collect" : "resource-tracker", s->meta.version);
	model_json_cut(run, "recorder", text, MODEL_JSON_NAME_MAX);
}

static const char *label_value(const struct snapshot *s, const char *key)
{
	for (size_t i = 0; i < s->job.labels.n; i++)
		if (strcmp(s->job.labels.v[i].key, key) == 0)
			return s->job.labels.v[i].value;
	return "";
}

#define COMMIT_SHOWN 10 /* digits */

static void add_commit_digits(cJSON *run, const struct snapshot *s)
{
	const char *commit = label_value(s, "git.commit");
	char text[COMMIT_SHOWN + 1];

	snprintf(text, sizeof text, "%s", *commit ? commit : label_value(s, "ci.commit"));
	model_json_cut_or_null(run, "commit", text, MODEL_JSON_NAME_MAX);
}

static void add_run_facts(cJSON *model, const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	cJSON *r = cJSON_AddObjectToObject(model, "run"), *tags;

	model_json_cut(r, "name", job_key_name(run), MODEL_JSON_NAME_MAX);
	add_command_line(r, s);
	model_json_cut_or_null(r, "host", s->job.host, MODEL_JSON_NAME_MAX);
	model_json_cut_or_null(r, "user", s->job.user, MODEL_JSON_NAME_MAX);
	model_json_cut_or_null(r, "directory", s->job.cwd, MODEL_JSON_TEXT_MAX);
	add_commit_digits(r, s);
	model_json_cut_or_null(r, "url", label_value(s, "ci.run_url"), MODEL_JSON_TEXT_MAX);
	model_json_number(r, "pid", s->meta.pid);
	cJSON_AddStringToObject(r, "mode", mode_of(s));
	model_json_time(r, "start", run->start);
	model_json_time(r, "stop", run->stop);
	model_json_quantity(r, "duration", UNIT_SECONDS, run->duration);
	model_json_quantity(r, "interval", UNIT_SECONDS, run->interval);
	cJSON_AddNumberToObject(r, "samples", (double)run->samples);
	add_recorder_name(r, s);
	model_json_cut(r, "file", input_file_name(run->file), MODEL_JSON_NAME_MAX);
	tags = cJSON_AddArrayToObject(r, "tags");
	for (size_t i = 0; i < s->job.tags.n; i++) {
		cJSON *tag = model_json_row(tags);
		model_json_cut(tag, "key", s->job.tags.v[i].key, MODEL_JSON_NAME_MAX);
		model_json_cut(tag, "value", s->job.tags.v[i].value, MODEL_JSON_TEXT_MAX);
	}
}

static void add_run_status(cJSON *model, const struct run *run)
{
	static const char *const levels[RUN_STATUSES] = {"good", "bad",  "bad",
	                                                 "warn", "info", "info"};
	cJSON *s = cJSON_AddObjectToObject(model, "status");
	const struct snapshot *snap = &run->snapshot;
	char text[VERDICT_END_MAX], name[16];

	cJSON_AddStringToObject(s, "word", load_status_word(run->status));
	cJSON_AddStringToObject(s, "level", levels[run->status]);
	model_json_number(s, "code",
	                  snap->exit.known && !snap->exit.signal ? (double)snap->exit.code
	                                                         : (double)NAN);
	model_json_cut_or_null(s, "signal", verdict_end_signal(snap->exit.signal, name),
	                       MODEL_JSON_NAME_MAX);
	model_json_cut(s, "text", verdict_end_sentence(run, text), MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(s, "cause", snap->end.known ? snap->end.cause : NULL,
	                       MODEL_JSON_NAME_MAX);
}

static void add_gpu_fact(cJSON *facts, const struct snapshot *s)
{
	char text[256], all[80] = "", number[64];

	if (s->server.gpu_memory_b > 0)
		snprintf(all, sizeof all, ", %s in all",
		         units_text(UNIT_BYTES, s->server.gpu_memory_b, NULL, number));
	if (!(s->server.gpu_count > 0))
		snprintf(text, sizeof text, "none found");
	else
		snprintf(text, sizeof text, "%.0f × %.128s%s", s->server.gpu_count,
		         *s->server.gpu_name ? s->server.gpu_name : "GPU", all);
	model_json_fact(facts, "gpus", "GPUs", text);
}

static void add_fact_if_known(cJSON *facts, const char *id, const char *label, const char *value)
{
	if (value && *value)
		model_json_fact(facts, id, label, value);
}

/* On several nodes, the other facts are sums. */
static void add_server_facts(cJSON *model, const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double storage_b = run->stats[METRIC_SYSTEM_DISK_SPACE_TOTAL].max;
	cJSON *server = cJSON_AddObjectToObject(model, "server");
	cJSON *facts;
	char text[64];

	cJSON_AddBoolToObject(server, "known", s->server.known);
	facts = cJSON_AddArrayToObject(server, "facts");
	if (!s->server.known)
		return;
	if (parts_nodes(run) > 1) {
		snprintf(text, sizeof text, "%zu; CPUs, memory and GPUs of all", parts_nodes(run));
		model_json_fact(facts, "nodes", "Nodes", text);
	}
	model_json_fact(facts, "os", "Operating system", *s->server.os ? s->server.os : "unknown");
	model_json_fact(facts, "cpus", "CPUs", units_text(UNIT_COUNT, s->server.vcpus, NULL, text));
	add_fact_if_known(facts, "cpu_model", "CPU model", s->machine.cpu_model);
	model_json_fact(facts, "memory", "Memory",
	                units_text(UNIT_BYTES, s->server.memory_b, NULL, text));
	add_gpu_fact(facts, s);
	if (storage_b > 0 && parts_nodes(run) <= 1)
		model_json_fact(facts, "storage", "Storage",
		                units_text(UNIT_BYTES, storage_b, NULL, text));
	model_json_fact(facts, "allocation", "Allocation", s->server.allocation);
	add_fact_if_known(facts, "ip", "IP address", s->machine.ip);
	add_fact_if_known(facts, "host_id", "Host ID", s->machine.host_id);
}

static void add_cloud_facts(cJSON *model, const struct snapshot *s)
{
	cJSON *cloud = cJSON_AddObjectToObject(model, "cloud"), *facts;
	const char *why = "";

	cJSON_AddBoolToObject(cloud, "known", s->cloud.known);
	facts = cJSON_AddArrayToObject(cloud, "facts");
	if (s->cloud.known) {
		model_json_fact(facts, "vendor", "Vendor", s->cloud.vendor);
		model_json_fact(facts, "instance", "Instance type", s->cloud.instance_type);
		model_json_fact(facts, "region", "Region", s->cloud.region);
		add_fact_if_known(facts, "zone", "Zone", s->machine.zone);
		add_fact_if_known(facts, "account", "Account", s->machine.account);
	}
	if (!s->cloud.known)
		why = s->meta.discover_cloud ? "No cloud vendor was recognised."
		                             : "The recording did not look for a cloud.";
	cJSON_AddStringToObject(cloud, "why", why);
}

static void add_run_section(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];

	add_run_facts(model, run);
	add_run_status(model, run);
	add_server_facts(model, run);
	add_cloud_facts(model, &run->snapshot);
}

/* -- limits ------------------------------------------------------------------------------------ */

/* A limit with its source: "2 (cpu.max)". */
static void add_limit_with_source(cJSON *facts, const char *id, const char *label, const char *text,
                                  const char *from)
{
	struct buf all = {0};

	buf_str(&all, text);
	if (*from)
		buf_printf(&all, " (%s)", from);
	model_json_fact(facts, id, label, buf_cstr(&all));
	buf_free(&all);
}

static void add_bytes_limit(cJSON *facts, const char *id, const char *label, double b,
                            const char *from)
{
	if (!isnan(b))
		add_limit_with_source(facts, id, label, UNITS_TEXT(UNIT_BYTES, b), from);
}

static void add_cpu_limit(cJSON *facts, const struct snapshot_limits *l)
{
	if (!isnan(l->cpus))
		add_limit_with_source(facts, "cpus", "CPUs", UNITS_COUNT(l->cpus), l->cpus_from);
}

static void add_memory_limits(cJSON *facts, const struct snapshot_limits *l)
{
	if (isnan(l->memory_b))
		model_json_fact(facts, "memory", "Memory", "no limit found");
	else
		add_bytes_limit(facts, "memory", "Memory", l->memory_b, l->memory_from);
	add_bytes_limit(facts, "memory_high", "Throttled above", l->memory_high_b, "memory.high");
	add_bytes_limit(facts, "swap", "Swap", l->swap_b, "");
	add_bytes_limit(facts, "address_space", "Address space", l->address_space_b,
	                "per process, RLIMIT_AS");
}

static void add_limit_facts(cJSON *model, const struct snapshot_limits *l)
{
	cJSON *limits = cJSON_AddObjectToObject(model, "limits"), *facts;

	cJSON_AddBoolToObject(limits, "known", l->known);
	facts = cJSON_AddArrayToObject(limits, "facts");
	model_json_quantity(limits, "cpus", UNIT_CORES, l->cpus);
	model_json_quantity(limits, "memory", UNIT_BYTES, l->memory_b);
	if (!l->known)
		return;
	add_cpu_limit(facts, l);
	add_memory_limits(facts, l);
	if (l->hidden)
		model_json_fact(facts, "hidden_cgroups", "Not visible",
		                "outer cgroups, whose limits may be lower");
}

/* In percent with one decimal, at most 100; NAN stays NAN. */
static double percent_of_share(double share)
{
	return share > 1 ? 100 : stats_round(share * 100, 1);
}

/* The length of a bar in percent, null if unknown. A string, because 0 is false in a template. */
static void add_bar_percent(cJSON *row, const char *key, double share)
{
	char text[32];

	snprintf(text, sizeof text, "%g", percent_of_share(share));
	model_json_cut_or_null(row, key, isnan(share) ? "" : text, sizeof text);
}

static void add_gpu_row(cJSON *rows, const struct snapshot_gpu *g, size_t index)
{
	cJSON *row = model_json_row(rows);

	model_json_number(row, "index", (double)index);
	model_json_cut(row, "name", *g->name ? g->name : "GPU", MODEL_JSON_NAME_MAX);
	model_json_cut(row, "uuid", g->uuid, MODEL_JSON_NAME_MAX);
	model_json_cut_or_null(row, "brand", gpu_brand(g), MODEL_JSON_NAME_MAX);
	model_json_quantity(row, "memory", UNIT_BYTES, g->memory_b);
	model_json_quantity(row, "memory_max", UNIT_BYTES, g->memory_max_b);
	add_bar_percent(row, "memory_bar", g->memory_max_b / g->memory_b);
	add_bar_percent(row, "utilisation_bar", g->utilisation_mean);
	model_json_quantity(row, "utilisation_mean", UNIT_PERCENT,
	                    percent_of_share(g->utilisation_mean));
	model_json_quantity(row, "utilisation_max", UNIT_PERCENT,
	                    percent_of_share(g->utilisation_max));
	model_json_quantity(row, "power_mean", UNIT_WATTS, g->power_mean_w);
	model_json_quantity(row, "power_max", UNIT_WATTS, g->power_max_w);
	model_json_quantity(row, "temperature_max", UNIT_CELSIUS, g->temperature_max_c);
}

static void add_gpu_rows(cJSON *model, const struct snapshot *s)
{
	cJSON *gpus = cJSON_AddObjectToObject(model, "gpus"), *rows;

	cJSON_AddBoolToObject(gpus, "known", s->n_gpus > 0);
	rows = cJSON_AddArrayToObject(gpus, "rows");
	for (size_t i = 0; i < s->n_gpus; i++)
		add_gpu_row(rows, &s->gpus[i], i);
}

static void add_limits_section(cJSON *model, const struct model_input *in)
{
	const struct snapshot *s = &in->runs->v[0].snapshot;

	add_limit_facts(model, &s->limits);
	add_gpu_rows(model, s);
}

/* -- the recording in the page ----------------------------------------------------------------- */

#define LEVEL     9
#define ROWS_MAX  BUCKETS_MAX    /* rows of a run that has no more take less than its overview */
#define ROWS_MOST OVERVIEW_LEAST /* where no overview can be made */
#define TREE_MOST 300 /* processes: of more the path, which needs all, is left out, … */
#define TREE_LARGEST                                                                               \
	100 /* … and so many with most CPU time and memory stay, those that samples know, … */
#define TREE_FAILED 12  /* … some that failed, … */
#define TREE_NAMES  256 /* … and names of the others' sums */

/* A run as it is written. */
struct carried {
	struct snapshot s; /* borrows from the run's */
	struct snapshot_columns columns;
	const struct overview *overview; /* NULL: the rows are written */
	struct snapshot own;             /* its arena has an overview that was made here */
	struct time_at time_at;          /* where the rows are left out */
};

/* -- recording: the head ----------------------------------------------------------------------- */

static void write_all_totals(void *ctx, struct json_write *j)
{
	const struct snapshot *s = ctx;

	snapshot_fields_write(j, SNAPSHOT_TOTALS_TREE, SCHEMA_1, &s->totals);
	snapshot_fields_object(j, SNAPSHOT_TOTALS_CGROUP, SCHEMA_1, &s->totals);
}

static void write_all_members(void *ctx, struct json_write *j)
{
	const struct snapshot *s = ctx;

	if (s->limits.known)
		snapshot_fields_object(j, SNAPSHOT_LIMITS, SCHEMA_1, &s->limits);
	json_write_array(j, snapshot_fields_key(SNAPSHOT_GPU));
	for (size_t i = 0; i < s->n_gpus; i++)
		snapshot_fields_element(j, SNAPSHOT_GPU, &s->gpus[i]);
	json_write_array_end(j);
	snapshot_fields_states(j, &s->states, NULL, NULL);
}

/* -- recording: the rows ----------------------------------------------------------------------- */

/* As a recorder spells it, but for a cell that was finer: other tools round less. */
static double cell_in_file(const struct metric *m, double v)
{
	double scale = metric_scale(m->unit, SCHEMA_1), spelled = metric_spell(m, SCHEMA_1, v);

	return fabs(spelled * scale - v) > 1e-9 * fabs(v) ? v / scale : spelled;
}

/* A cell that was not measured is null. */
static void write_carried_rows(struct json_write *j, const struct carried *c,
                               enum metric_scope scope)
{
	const struct frame *f = &c->s.rows[scope];

	json_write_object(j, scope == METRIC_SCOPE_PROCESS ? SNAPSHOT_KEY_PROCESS
	                                                   : SNAPSHOT_KEY_SYSTEM);
	for (int id = 0; id < METRIC_COUNT && !c->overview; id++) {
		const double *col = frame_col(f, (enum metric_id)id);
		if (metrics[id].scope != scope || !col)
			continue;
		json_write_array(j, metrics[id].name[SCHEMA_1]);
		for (size_t i = 0; i < f->rows; i++)
			if (!gaps_has(&c->s, i))
				json_write_num(j, NULL, cell_in_file(&metrics[id], col[i]));
		json_write_array_end(j);
	}
	json_write_object_end(j);
}

/* -- recording: the whole ---------------------------------------------------------------------- */

static bool has_rows_to_carry(const struct snapshot *s, size_t most)
{
	size_t process = s->rows[METRIC_SCOPE_PROCESS].rows;
	size_t system = s->rows[METRIC_SCOPE_SYSTEM].rows;

	return (process || system) && process <= most && system <= most;
}

/* As the recorder would have written it. NULL: there can be none. */
static const struct overview *overview_of_rows(struct carried *c, struct err *e)
{
	struct snapshot_source source = snapshot_source_of(&c->s);
	const struct written rows = {&c->s, &source, SCHEMA_1, c->columns.stats, c->columns.write};
	const struct overview *o;

	return overview_make(&c->own, &rows, &o, e) == 0 && o && overview_is_sound(o) ? o : NULL;
}

/* False: neither the rows nor an overview can be carried. */
static bool choose_form(struct carried *c, const struct run *run, struct err *e)
{
	struct stats *memory = &c->columns.stats[METRIC_PROCESS_MEMORY];

	c->s = run->snapshot;
	c->s.more = (struct snapshot_more){
	    .totals = write_all_totals, .members = write_all_members, .ctx = &c->s};
	c->s.meta.start_time = run->start;
	if (isnan(c->s.meta.stop_time))
		c->s.meta.stop_time = run->start + run->duration;
	c->s.meta.interval = run->interval;
	if (run->snapshot.unfinished)
		c->s.exit.cause = "unfinished";
	load_stats_of_head(run, c->columns.stats);
	if (!run->snapshot.summary && memory->n)
		memory->max = run->memory_sampled_b;
	for (int id = 0; id < METRIC_COUNT; id++)
		c->columns.write[id] = c->columns.stats[id].n > 0;
	if (has_rows_to_carry(&c->s, ROWS_MAX))
		return true;
	if (time_at_run(run, &c->time_at))
		c->s.time_at = &c->time_at;
	c->overview = c->s.overview ? c->s.overview : overview_of_rows(c, e);
	return c->overview || has_rows_to_carry(&c->s, ROWS_MOST);
}

struct by_reason {
	const struct process_tree_node *row;
	bool stays;
};

static int most_first(double x, double y, const struct by_reason *a, const struct by_reason *b)
{
	double p = x > 0 ? x : 0, q = y > 0 ? y : 0;

	if (p != q)
		return p > q ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static int most_cpu_first(const void *a, const void *b)
{
	const struct by_reason *x = a, *y = b;

	return most_first(x->row->cpu_s, y->row->cpu_s, x, y);
}

static int most_memory_first(const void *a, const void *b)
{
	const struct by_reason *x = a, *y = b;

	return most_first(process_tree_memory(x->row), process_tree_memory(y->row), x, y);
}

static int same_names_first(const void *a, const void *b)
{
	const struct process_tree_group *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int sums_by_cpu(const void *a, const void *b)
{
	const struct process_tree_group *x = a, *y = b;

	if (x->cpu_s != y->cpu_s)
		return x->cpu_s > y->cpu_s ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void add_sum(struct process_tree_group *to, const struct process_tree_group *g)
{
	to->n += g->n;
	to->cpu_s += g->cpu_s;
	to->cpu_exact = to->cpu_exact > 0 && g->cpu_exact > 0;
	to->memory_b =
	    isnan(to->memory_b) || g->memory_b > to->memory_b ? g->memory_b : to->memory_b;
}

/* Adds up the groups of equal names, and those beyond TREE_NAMES. */
static void merge_sums(struct process_tree *t)
{
	size_t n = 0;

	qsort(t->groups, t->n_groups, sizeof *t->groups, same_names_first);
	for (size_t i = 0; i < t->n_groups; i++)
		if (n && strcmp(t->groups[n - 1].name, t->groups[i].name) == 0)
			add_sum(&t->groups[n - 1], &t->groups[i]);
		else
			t->groups[n++] = t->groups[i];
	qsort(t->groups, n, sizeof *t->groups, sums_by_cpu);
	for (; n > TREE_NAMES; n--) {
		t->groups[TREE_NAMES - 1].name = "";
		add_sum(&t->groups[TREE_NAMES - 1], &t->groups[n - 1]);
	}
	t->n_groups = n;
}

/* The rows that the table of a page shows: of many processes the largest, and the others as sums by
 * name. v and groups: room for all of them. */
static void cut_tree(struct process_tree *t, const struct process_tree *all, struct by_reason *v)
{
	size_t failed = 0;

	for (size_t i = 0; i < all->kept; i++)
		v[i].row = &all->of[i];
	qsort(v, all->kept, sizeof *v, most_memory_first);
	for (size_t i = 0; i < all->kept && i < TREE_LARGEST; i++)
		v[i].stays = true;
	qsort(v, all->kept, sizeof *v, most_cpu_first);
	memcpy(t->groups, all->groups, all->n_groups * sizeof *t->groups);
	for (size_t i = 0; i < all->kept; i++) {
		const struct process_tree_node *p = v[i].row;
		bool ill = p->status != 0 && p->status != PROCESS_TREE_NO_STATUS;
		if (v[i].stays || i < TREE_LARGEST || p->sampled ||
		    (ill && failed++ < TREE_FAILED)) {
			t->of[t->kept] = *p;
			t->of[t->kept++].parent = -1;
			continue;
		}
		t->groups[t->n_groups++] =
		    (struct process_tree_group){.name = p->name,
		                                .parent = -1,
		                                .n = 1,
		                                .cpu_s = p->cpu_s > 0 ? p->cpu_s : 0,
		                                .cpu_exact = p->cpu_exact > 0,
		                                .memory_b = process_tree_memory(p)};
	}
	for (size_t i = 0; i < t->n_groups; i++)
		t->groups[i].parent = -1;
	merge_sums(t);
	t->largest = true;
}

static void write_carried_tree(struct json_write *j, const struct process_tree *tree)
{
	struct process_tree t = *tree;
	struct by_reason *v = NULL;
	struct process_tree_rows rows;
	struct err e = {{0}};

	if (t.kept > TREE_MOST || t.n_groups) {
		v = calloc(tree->kept + 1, sizeof *v);
		t.of = calloc(tree->kept + 1, sizeof *t.of);
		t.groups = calloc(tree->kept + tree->n_groups + 1, sizeof *t.groups);
		t.kept = 0;
		if (v && t.of && t.groups)
			cut_tree(&t, tree, v);
		else
			alloc_failed_note(NULL);
	}
	rows = process_tree_rows_of(&t);
	if (process_tree_write(j, &rows, &e))
		alloc_failed_note(NULL);
	free(v);
	if (t.of != tree->of)
		free(t.of);
	if (t.groups != tree->groups)
		free(t.groups);
}

static void write_carried(struct json_write *j, struct carried *c)
{
	json_write_object(j, NULL);
	snapshot_write_head(&c->s, j, SCHEMA_1, &c->columns);
	if (c->overview)
		overview_write(j, c->overview, SCHEMA_1, true);
	if (c->s.detail)
		detail_file_write_read(j, c->s.detail);
	if (c->s.tree)
		write_carried_tree(j, c->s.tree);
	json_write_object_end(j);
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		write_carried_rows(j, c, (enum metric_scope)scope);
	json_write_object_end(j);
}

/* Packs a text as an element of the page has it. NULL without memory. */
static cJSON *packed_text(struct json_write *j)
{
	struct buf zipped = {0}, text = {0};
	struct err e = {{0}};
	cJSON *out = NULL;

	if (json_write_finish(j) && gz_pack(&zipped, buf_cstr(&j->b), j->b.len, LEVEL, &e) == 0) {
		base64_add(&text, zipped.s, zipped.len);
		out = text.failed ? NULL : cJSON_CreateString(buf_cstr(&text));
	}
	alloc_failed_note(out);
	json_write_free(j);
	buf_free(&zipped);
	buf_free(&text);
	return out;
}

static void add_prices(cJSON *recording, const struct keeper_result *k)
{
	struct json_write j = {.sink = NULL};

	if (!k->known && !k->present_known)
		return;
	keeper_saved_write(&j, k);
	cJSON_AddItemToObject(recording, "packed_prices", packed_text(&j));
}

static void add_carried(cJSON *recording, const struct run *run)
{
	struct carried *c = alloc_failed_note(calloc(1, sizeof *c));
	struct json_write j = {.exponents = true};
	struct err e = {{0}};

	if (c && choose_form(c, run, &e)) {
		write_carried(&j, c);
		cJSON_AddBoolToObject(recording, "overview", c->overview != NULL);
		cJSON_AddItemToObject(recording, "packed", packed_text(&j));
	}
	if (c)
		snapshot_free(&c->own);
	free(c);
}

/* A catalog counts the nodes of a run by its recordings, so the page of a run of several recordings
 * has no row. If the run is not whole, it cannot stand for its recordings. */
static void add_recording_section(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	bool several = run->parts && run->parts->n > 1;
	struct json_write j = {.sink = NULL};
	cJSON *recording = NULL;

	if (!parts_missing(run->parts)) {
		json_write_object(&j, NULL);
		if (several)
			json_write_null(&j, RTRACK_ROW_KEY);
		else
			run_row_write(run, &j);
		json_write_object_end(&j);
		if (json_write_finish(&j))
			recording = alloc_failed_note(cJSON_Parse(buf_cstr(&j.b)));
		json_write_free(&j);
	}
	if (recording && !in->no_recording)
		add_carried(recording, run);
	if (recording && !in->no_recording && !several)
		add_prices(recording, in->keeper);
	cJSON_AddItemToObject(model, "recording", recording ? recording : cJSON_CreateNull());
}

/* -- detail ------------------------------------------------------------------------------------ */

#define SHOWN_MAX ((size_t)8) /* rows of a table; the others are counted */
#define CELLS     4

static double part_in_percent(double share)
{
	return 100 * share;
}

static double value_of(const struct device_use *d, size_t measure, size_t at)
{
	return d->of[measure] ? *(const double *)((const char *)d->of[measure] + at) : (double)NAN;
}

/* A cell of the table: a number of one of the device's series, or one of the device itself. */
struct detail_cell {
	const char *label;
	enum unit unit;
	size_t measure, at;
	bool share; /* of the series: 0 to 1 */
};
#define OF(member) offsetof(struct detail_series, member)
#define FULL       ((size_t)-1)

static const struct {
	const char *id, *title, *head, *rule, *none;
	struct detail_cell cell[CELLS]; /* up to the first without a label */
} kinds[DETAIL_KINDS] = {
    [DETAIL_CPU] =
	{"cpus",
         "CPUs",
         "CPU",
         "The picture has the mean and the range of all CPUs, the busiest CPU, and, where "
         "all together were less than 70% busy, each that was at 90% or more for 30% "
         "of the time.",
         "",
         {{"Mean", UNIT_PERCENT, 0, OF(mean), true},
          {"Peak", UNIT_PERCENT, 0, OF(max), true},
          {"Time at 90% or more", UNIT_PERCENT, 0, OF(busy), true}}},
    [DETAIL_INTERFACE] = {"interfaces",
                          "Network interfaces",
                          "Interface",
                          "The picture has what is 10% of all bytes or more.",
                          "Nothing was received or sent.",
                          {{"Received", UNIT_BYTES, 0, OF(sum), false},
                           {"Sent", UNIT_BYTES, 1, OF(sum), false},
                           {"Received, peak", UNIT_RATE, 0, OF(max), false},
                           {"Sent, peak", UNIT_RATE, 1, OF(max), false}}},
    [DETAIL_FILE_SYSTEM] = {"file_systems",
                            "File systems",
                            "Mounted on",
                            "The picture has those that grew by 1% of their size or more, or were "
                            "90% full.",
                            "None grew by 1% of its size, and none was 90% full.",
                            {{"Full, peak", UNIT_PERCENT, 0, FULL, true},
                             {"Used at the start", UNIT_BYTES, 0, OF(first), false},
                             {"Used, peak", UNIT_BYTES, 0, OF(max), false},
                             {"Used at the end", UNIT_BYTES, 0, OF(last), false}}},
    [DETAIL_DISK] = {"disks",
                     "Disks",
                     "Disk",
                     "The picture has what is 10% of all bytes or more.",
                     "Nothing was read or written.",
                     {{"Read", UNIT_BYTES, 0, OF(sum), false},
                      {"Written", UNIT_BYTES, 1, OF(sum), false},
                      {"Read, peak", UNIT_RATE, 0, OF(max), false},
                      {"Written, peak", UNIT_RATE, 1, OF(max), false}}},
};

static void add_device_row(cJSON *rows, const struct device_use *d, const struct detail_cell *cell)
{
	cJSON *one = model_json_row(rows), *cells;

	model_json_cut(one, "name", d->name, MODEL_JSON_NAME_MAX);
	cJSON_AddBoolToObject(one, "stands_out", d->stands[0] || d->stands[1]);
	cells = cJSON_AddArrayToObject(one, "cells");
	for (size_t i = 0; i < CELLS && cell[i].label; i++) {
		double v = cell[i].at == FULL ? d->full : value_of(d, cell[i].measure, cell[i].at);
		cJSON *c = model_json_quantity(cells, NULL, cell[i].unit,
		                               cell[i].share ? part_in_percent(v) : v);
		cJSON_AddStringToObject(c, "label", cell[i].label);
	}
}

static void add_rest_of_devices(cJSON *one, const struct device_uses *u)
{
	char text[64] = "";

	if (u->n > SHOWN_MAX)
		snprintf(text, sizeof text, "%zu others that were used less.", u->n - SHOWN_MAX);
	cJSON_AddStringToObject(one, "rest", text);
}

static void add_kind(cJSON *all, const struct run *run, const struct device_uses *u)
{
	cJSON *one = model_json_row(all), *head, *rows;
	const struct detail_cell *cell = kinds[u->kind].cell;
	size_t out = 0;

	for (size_t i = 0; i < u->n; i++)
		out += u->v[i].stands[0] || u->v[i].stands[1];
	cJSON_AddStringToObject(one, "id", kinds[u->kind].id);
	cJSON_AddStringToObject(one, "title", kinds[u->kind].title);
	model_json_number(one, "devices", (double)u->n);
	model_json_number(one, "stand_out", (double)out);
	cJSON_AddStringToObject(one, "rule", out ? kinds[u->kind].rule : kinds[u->kind].none);
	cJSON_AddStringToObject(one, "head", kinds[u->kind].head);
	head = cJSON_AddArrayToObject(one, "labels");
	for (size_t i = 0; i < CELLS && cell[i].label; i++)
		cJSON_AddItemToArray(head, cJSON_CreateString(cell[i].label));
	rows = cJSON_AddArrayToObject(one, "rows");
	for (size_t i = 0; i < u->n && i < SHOWN_MAX; i++)
		add_device_row(rows, &u->v[i], cell);
	add_rest_of_devices(one, u);
	chart_devices_add(one, run, u);
}

static void add_detail_section(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	cJSON *detail = cJSON_AddObjectToObject(model, "detail"), *all;

	cJSON_AddBoolToObject(detail, "known", device_use_known(run));
	if (!device_use_known(run))
		return;
	all = cJSON_AddArrayToObject(detail, "kinds");
	for (int kind = 0; kind < DETAIL_KINDS; kind++) {
		struct device_uses u;
		struct err e;
		/* Without memory alloc_failed() is true. */
		if (device_use_make(&u, run, (enum detail_kind)kind, &e) == 0 && u.n)
			add_kind(all, run, &u);
		free(u.v);
	}
}

/* -- the whole --------------------------------------------------------------------------------- */

static void add_inputs(cJSON *model, const struct runs *r)
{
	cJSON *inputs = cJSON_AddArrayToObject(model, "inputs");
	struct buf others = {0};

	for (size_t i = 0; i < r->n_failed; i++) {
		cJSON *one = model_json_row(inputs);
		model_json_cut(one, "file", r->failed[i].file, MODEL_JSON_TEXT_MAX);
		cJSON_AddStringToObject(one, "error", r->failed[i].err.msg);
	}
	others_text(&r->others, &others);
	if (others.len) {
		cJSON *one = model_json_row(inputs);
		cJSON_AddStringToObject(one, "file", "");
		model_json_take(one, "error", &others);
	}
	cJSON_AddBoolToObject(model, "has_inputs_left_out", cJSON_GetArraySize(inputs) > 0);
}

/* For a page that is an input: it has only their number (add_recording_section). */
static const char left_out_of_page[] =
    "The time line of the processes is not here: they are too many for the page that was read. The "
    "recording has them.";

/* Whether it is of a run that was joined from several recordings, which has no time line. */
static bool has_nodes(const struct process_tree *t)
{
	for (size_t i = 0; i < t->kept; i++)
		if (t->of[i].sampled && t->of[i].sampled->node && *t->of[i].sampled->node)
			return true;
	return false;
}

static void add_recording_notes(cJSON *model, const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	cJSON *notes = cJSON_AddArrayToObject(model, "notes");

	for (size_t i = 0; i < s->notes.n; i++)
		model_json_cut(notes, NULL, s->notes.v[i], MODEL_JSON_TEXT_MAX);
	if (run->page && s->tree && s->tree->largest && !has_nodes(s->tree))
		cJSON_AddItemToArray(notes, cJSON_CreateString(left_out_of_page));
	cJSON_AddBoolToObject(model, "has_notes", cJSON_GetArraySize(notes) > 0);
}

/* -- the headline ------------------------------------------------------------------------------ */

static const cJSON *model_member(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

static int level_rank(const char *level)
{
	static const char *const levels[] = {"good", "info", "warn", "bad"};
	int rank = 0;

	for (int i = 0; level && i < 4; i++)
		rank = strcmp(levels[i], level) == 0 ? i : rank;
	return rank;
}

/* Whether a change for the worse is news (docs/history.md). */
static bool got_worse(const cJSON *model)
{
	const cJSON *one;
	bool worse = false;

	cJSON_ArrayForEach (one, model_member(model_member(model, "trend"), "changes"))
		worse |= cJSON_IsTrue(model_member(one, "news")) &&
		         level_rank(cJSON_GetStringValue(model_member(one, "level"))) >=
		             level_rank("warn");
	return worse;
}

/* "finished, gate failed": the job, its gates and its changes, and the worst level of the three. */
static void add_headline(cJSON *model, const struct model_input *in)
{
	cJSON *status = cJSON_GetObjectItemCaseSensitive(model, "status");
	const char *worst = cJSON_GetStringValue(model_member(status, "level"));
	const char *gates =
	    cJSON_GetStringValue(model_member(model_member(model, "gates"), "level"));
	size_t failed = in->gates ? in->gates->count[GATE_HOLDS] : 0;
	size_t not_judged = in->gates ? in->gates->count[GATE_NOT_JUDGED] : 0;
	bool worse = got_worse(model);
	struct buf text = {0};

	buf_str(&text, load_status_word(in->runs->v[0].status));
	if (failed > 1)
		buf_printf(&text, ", %zu gates failed", failed);
	else if (failed)
		buf_str(&text, ", gate failed");
	else if (not_judged)
		buf_str(&text, ", gate not judged");
	if (worse)
		buf_str(&text, ", worse than before");
	if (level_rank(gates) > level_rank(worst))
		worst = gates;
	if (worse && level_rank(worst) < level_rank("warn"))
		worst = "warn";
	model_json_take(status, "headline", &text);
	cJSON_AddStringToObject(status, "worst", worst ? worst : "info");
}

cJSON *model_build(const struct model_input *in)
{
	cJSON *model = cJSON_CreateObject(), *charts;
	const struct run *run = &in->runs->v[0];

	if (!model)
		return NULL;
	model_json_head(model, "rtrack-model", in->integration, in->now,
	                in->title ? in->title : job_key_name(run));
	model_json_number(model, "every_s", in->every_s > 0 ? in->every_s : (double)NAN);
	add_run_section(model, in);
	add_limits_section(model, in);
	model_processes_add(model, in);
	model_states_add(model, in);
	model_usage_tiles(model, in);
	verdict_add(model, in);
	model_asked_add(model, in);
	model_usage_add(model, in);
	model_history_add(model, in);
	add_recording_section(model, in);
	model_parts_add(model, in);
	model_history_compare(model, in);
	model_advice_add(model, in);
	model_prices_add(model, in);
	model_gates_add(model, in);
	add_headline(model, in);
	add_detail_section(model, in);
	charts = alloc_failed() ? NULL : chart_all(run);
	if (!charts || !cJSON_AddItemToObject(model, "charts", charts)) {
		cJSON_Delete(charts);
		cJSON_Delete(model);
		return NULL;
	}
	model_usage_sparks(model);
	add_inputs(model, in->runs);
	add_recording_notes(model, run);
	return model;
}
