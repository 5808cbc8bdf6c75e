/* snapshot_head: reads the blocks of a snapshot that stand before its metrics. */
#include "core/head/snapshot_head.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "core/base/alloc_failed.h"
#include "core/head/detail_file.h"
#include "core/head/job_default_name.h"
#include "core/head/job_inputs.h"
#include "core/head/overview.h"
#include "core/head/snapshot_values.h"
#include "core/json/json_tree.h"
#include "core/recording/gaps.h"
#include "core/recording/snapshot_fields.h"

static void read_meta(struct snapshot *s, const cJSON *o)
{
	snapshot_values_read(s, SNAPSHOT_META, o, &s->meta);
	snapshot_values_read(s, SNAPSHOT_META_TOOL, snapshot_values_block(o, SNAPSHOT_META_TOOL),
	                     &s->meta);
}

/* --no-discover-server: readers of other tools need numbers, so all of them are 0. */
static bool is_neutral_server(const struct snapshot *s, const cJSON *o)
{
	return snapshot_values_member(o, "vcpus") && !*s->server.os && !(s->server.vcpus > 0) &&
	       !(s->server.memory_b > 0) && !(s->server.gpu_count > 0);
}

static void read_server(struct snapshot *s, const cJSON *o)
{
	size_t n;
	const struct snapshot_field *f = snapshot_fields_of(SNAPSHOT_SERVER, &n);

	snapshot_values_read(s, SNAPSHOT_SERVER, o, &s->server);
	s->server.known = !is_neutral_server(s, o);
	if (!s->server.known)
		s->server.gpu_count = s->server.gpu_memory_b = NAN;
	for (size_t i = 0; i < n; i++)
		if (f[i].offset == offsetof(struct snapshot_server, memory_b) &&
		    snapshot_values_member(o, f[i].schema_2))
			s->schema = SCHEMA_2;
}

static bool is_not_unknown(const char *s)
{
	return strcmp(s, "unknown") != 0;
}

static void read_cloud(struct snapshot *s, const cJSON *o)
{
	snapshot_values_read(s, SNAPSHOT_CLOUD, o, &s->cloud);
	s->cloud.known = is_not_unknown(s->cloud.vendor) || is_not_unknown(s->cloud.instance_type);
}

static void read_asked(struct snapshot *s, const cJSON *o)
{
	s->asked.known = cJSON_IsObject(o);
	for (int i = 0; i < SNAPSHOT_ASKED_N; i++)
		snapshot_values_read(s, SNAPSHOT_ASK,
		                     snapshot_values_member(o, snapshot_asked_keys[i]),
		                     &s->asked.of[i]);
}

static void read_part(struct snapshot *s, const cJSON *o)
{
	s->part.known = cJSON_IsObject(o);
	snapshot_values_read(s, SNAPSHOT_PART, o, &s->part);
	snapshot_values_read(s, SNAPSHOT_PART_ARRAY, snapshot_values_block(o, SNAPSHOT_PART_ARRAY),
	                     &s->part);
}

static void read_inputs(struct snapshot *s, const cJSON *o)
{
	const cJSON *array = snapshot_values_block(o, SNAPSHOT_INPUT);
	struct snapshot_inputs *in = &s->inputs;
	void *all;

	*in = (struct snapshot_inputs){.known = cJSON_IsArray(array)};
	in->n = snapshot_values_alloc(s, array, SNAPSHOT_INPUTS_MAX, sizeof *in->v, &all);
	in->n = snapshot_values_array(s, array, SNAPSHOT_INPUT, all, sizeof *in->v, in->n);
	in->v = all;
	snapshot_values_read(s, SNAPSHOT_INPUTS_MORE,
	                     snapshot_values_block(o, SNAPSHOT_INPUTS_MORE), &in->more);
	job_inputs_settle(s);
}

static void read_tasks(struct snapshot *s, const cJSON *o)
{
	snapshot_values_read(s, SNAPSHOT_TASKS, o, &s->tasks);
	s->tasks.known = s->tasks.n >= 0 && s->tasks.succeeded >= 0 && s->tasks.failed >= 0 &&
	                 s->tasks.unknown >= 0;
}

static void read_exit(struct snapshot *s, const cJSON *o)
{
	struct snapshot_exit_text t;

	snapshot_values_read(s, SNAPSHOT_EXIT, o, &t);
	s->exit.cause = t.cause;
	s->exit.signal = snapshot_signal_number(t.signal);
	s->exit.code = t.code >= 0 && t.code <= 255 ? (int)t.code : -1;
	s->exit.known = s->exit.code >= 0 || s->exit.signal;
	s->unfinished = strcmp(s->exit.cause, "unfinished") == 0;
}

static void read_evidence(struct snapshot *s, const cJSON *o)
{
	struct snapshot_evidence *e = snapshot_alloc(s, sizeof *e);
	const cJSON *death = snapshot_values_block(o, SNAPSHOT_END_DEATH);

	s->end.evidence = e;
	if (!e)
		return;
	snapshot_values_read(s, SNAPSHOT_END_EVIDENCE, o, e);
	e->n_signals = snapshot_values_array(s, snapshot_values_block(o, SNAPSHOT_END_SIGNAL),
	                                     SNAPSHOT_END_SIGNAL, e->signals, sizeof *e->signals,
	                                     SNAPSHOT_END_SIGNALS);
	e->n_full =
	    snapshot_values_array(s, snapshot_values_block(o, SNAPSHOT_END_DISK), SNAPSHOT_END_DISK,
	                          e->full, sizeof *e->full, SNAPSHOT_END_DISKS);
	e->death.known = cJSON_IsObject(death);
	snapshot_values_read(s, SNAPSHOT_END_DEATH, death, &e->death);
}

static void read_end(struct snapshot *s, const cJSON *o)
{
	const cJSON *evidence = snapshot_values_block(o, SNAPSHOT_END_EVIDENCE);

	s->end.known = cJSON_IsObject(o);
	snapshot_values_read(s, SNAPSHOT_END, o, &s->end);
	s->end.evidence = NULL;
	if (cJSON_IsObject(evidence))
		read_evidence(s, evidence);
}

static void read_phases(struct snapshot *s, const cJSON *o)
{
	const cJSON *array = snapshot_values_block(o, SNAPSHOT_PHASE), *one;
	double left_out =
	    snapshot_values_number(snapshot_values_member(o, SNAPSHOT_KEY_PHASES_LEFT_OUT));

	if (!cJSON_IsArray(array) || !array->child || s->phases)
		return;
	s->phases = snapshot_alloc(s, sizeof *s->phases);
	if (!s->phases)
		return;
	s->phases->left_out = left_out > 0 && left_out < 1e15 ? (size_t)left_out : 0;
	cJSON_ArrayForEach (one, array) {
		struct phase p;
		snapshot_values_read(s, SNAPSHOT_PHASE, one, &p);
		phases_add(s->phases, p.name, p.start, p.end);
	}
}

/* A number of rows; 0 if no frame can have so many. */
static size_t row_count(double v)
{
	return v >= 0 && v <= FRAME_ROWS_MAX ? (size_t)v : 0;
}

static void read_totals(struct snapshot *s, const cJSON *o)
{
	s->totals.known = cJSON_IsObject(o);
	snapshot_values_read(s, SNAPSHOT_TOTALS, o, &s->totals);
	snapshot_values_read(s, SNAPSHOT_TOTALS_TREE, o, &s->totals);
	snapshot_values_read(s, SNAPSHOT_TOTALS_CGROUP,
	                     snapshot_values_block(o, SNAPSHOT_TOTALS_CGROUP), &s->totals);
}

static void read_memory(struct snapshot *s, const cJSON *o)
{
	s->memory.known = cJSON_IsObject(o);
	snapshot_values_read(s, SNAPSHOT_MEMORY, o, &s->memory);
}

static void read_limits(struct snapshot *s, const cJSON *o)
{
	s->limits.known = cJSON_IsObject(o);
	snapshot_values_read(s, SNAPSHOT_LIMITS, o, &s->limits);
}

static void read_gpus(struct snapshot *s, const cJSON *array)
{
	const cJSON *o = cJSON_IsArray(array) ? array->child : NULL;
	void *all;

	s->n_gpus = snapshot_values_alloc(s, array, SNAPSHOT_GPUS_MAX, sizeof *s->gpus, &all);
	s->gpus = all;
	/* clang-analyzer-core.NullDereference: snapshot_values_alloc() has counted the elements */
	for (size_t i = 0; i < s->n_gpus; i++, o = o->next)
		snapshot_values_read(s, SNAPSHOT_GPU, o, &s->gpus[i]);
}

static const struct snapshot_wait *read_waits(struct snapshot *s, const cJSON *o, size_t *n)
{
	const cJSON *array = snapshot_values_block(o, SNAPSHOT_WAIT);
	void *all;

	*n =
	    snapshot_values_alloc(s, array, SNAPSHOT_WAITS_MAX, sizeof(struct snapshot_wait), &all);
	*n = snapshot_values_array(s, array, SNAPSHOT_WAIT, all, sizeof(struct snapshot_wait), *n);
	return all;
}

static void read_process_states(struct snapshot *s, const cJSON *o, struct snapshot_process *p)
{
	const cJSON *states = snapshot_values_member(o, SNAPSHOT_KEY_STATES);

	for (int k = 0; k < STATES_N; k++) {
		double v = snapshot_values_number(
		    snapshot_values_member(states, states_word((enum states_id)k)));
		p->states_s[k] = v > 0 ? v : 0;
		if (!cJSON_IsObject(states))
			p->states_s[k] = NAN;
	}
	p->waits = read_waits(s, o, &p->n_waits);
}

static void read_states(struct snapshot *s, const cJSON *o)
{
	const cJSON *seconds = snapshot_values_block(o, SNAPSHOT_STATE);

	s->states.known = cJSON_IsObject(o);
	snapshot_values_read(s, SNAPSHOT_STATES, o, &s->states);
	for (int k = 0; k < STATES_N; k++) {
		const cJSON *of = snapshot_values_member(seconds, states_word((enum states_id)k));
		snapshot_values_read(s, SNAPSHOT_STATE, of, &s->states.of[k]);
		if (!of)
			s->states.of[k] = (struct snapshot_state){0, 0, 0};
	}
	s->states.waits = read_waits(s, o, &s->states.n_waits);
}

static size_t read_process_table(struct snapshot *s, const cJSON *array, enum snapshot_block block,
                                 struct snapshot_process **out)
{
	const cJSON *o = cJSON_IsArray(array) ? array->child : NULL;
	void *all;
	size_t n = snapshot_values_alloc(s, array, SNAPSHOT_PROCESSES_MAX, sizeof **out, &all);

	*out = all;
	/* clang-analyzer-core.NullDereference: snapshot_values_alloc() has counted them */
	for (size_t i = 0; i < n; i++, o = o->next) {
		/* One struct serves both tables: each leaves the other's fields unknown. */
		snapshot_values_read(s, SNAPSHOT_PROCESS, NULL, &(*out)[i]);
		snapshot_values_read(s, SNAPSHOT_PROCESS_GROUP, NULL, &(*out)[i]);
		snapshot_values_read(s, SNAPSHOT_SAMPLED, NULL, &(*out)[i]);
		(*out)[i].cpu_exact = NAN;
		snapshot_values_read(s, block, o, &(*out)[i]);
		read_process_states(s, o, &(*out)[i]);
	}
	return n;
}

static void read_processes_block(struct snapshot *s, const cJSON *o)
{
	struct snapshot_processes *p = &s->processes;

	p->known = cJSON_IsObject(o);
	snapshot_values_read(s, SNAPSHOT_PROCESSES, o, p);
	p->n_top = read_process_table(s, snapshot_values_block(o, SNAPSHOT_PROCESS),
	                              SNAPSHOT_PROCESS, &p->top);
	p->n_others = read_process_table(s, snapshot_values_block(o, SNAPSHOT_PROCESS_GROUP),
	                                 SNAPSHOT_PROCESS_GROUP, &p->others);
}

/* The number of samples of a scope, and when the first and the last were taken. */
static void read_samples(struct snapshot *s, enum metric_id id, const cJSON *o)
{
	struct snapshot_samples t;

	snapshot_values_read(s, SNAPSHOT_SAMPLES, o, &t);
	s->summary[id].n = row_count(t.n);
	s->summary[id].min = t.first;
	s->summary[id].max = t.last;
}

/* The statistics were read before (core/files/snapshot_read.c). Before format 2, means were over
 * rows and not over time: they are computed again. */
static void settle_statistics(struct snapshot *s, const cJSON *o)
{
	const cJSON *samples = snapshot_values_block(o, SNAPSHOT_SAMPLES);

	if (!cJSON_IsObject(samples) || !(snapshot_values_number(snapshot_values_member(
					      o, SNAPSHOT_KEY_FORMAT)) >= SNAPSHOT_FORMAT))
		s->summary = NULL;
	if (!s->summary)
		return;
	read_samples(s, METRIC_PROCESS_TIMESTAMP,
	             snapshot_values_member(samples, metric_scope_name(METRIC_SCOPE_PROCESS)));
	read_samples(s, METRIC_SYSTEM_TIMESTAMP,
	             snapshot_values_member(samples, metric_scope_name(METRIC_SCOPE_SYSTEM)));
}

/* Only gaps in order of time, without overlap, are taken. */
static void read_gaps(struct snapshot *s, const cJSON *gaps)
{
	double last = -INFINITY;
	const cJSON *o;

	cJSON_ArrayForEach (o, gaps) {
		struct gap g;
		snapshot_values_read(s, SNAPSHOT_GAP, o, &g);
		if (g.from >= last && g.to >= g.from)
			gaps_add(s, g.from, last = g.to);
	}
}

static const char *default_name(struct snapshot *s)
{
	struct buf b = {0};
	const char *name;

	job_default_name_anew(s->job.name, s->job.argv, s->job.argc, &b);
	name = snapshot_strdup(s, buf_cstr(&b));
	buf_free(&b);
	return name;
}

static void read_rtrack(struct snapshot *s, const cJSON *o)
{
	s->job.known = !cJSON_IsNull(snapshot_values_block(o, SNAPSHOT_JOB));
	snapshot_values_read(s, SNAPSHOT_JOB, snapshot_values_block(o, SNAPSHOT_JOB), &s->job);
	if (s->job.argc && s->job.name && *s->job.name)
		s->job.name = default_name(s);
	snapshot_values_read(s, SNAPSHOT_MACHINE, snapshot_values_block(o, SNAPSHOT_MACHINE),
	                     &s->machine);
	read_asked(s, snapshot_values_block(o, SNAPSHOT_ASK));
	read_part(s, snapshot_values_block(o, SNAPSHOT_PART));
	read_inputs(s, o);
	read_exit(s, snapshot_values_block(o, SNAPSHOT_EXIT));
	read_end(s, snapshot_values_block(o, SNAPSHOT_END));
	read_tasks(s, snapshot_values_block(o, SNAPSHOT_TASKS));
	read_totals(s, snapshot_values_block(o, SNAPSHOT_TOTALS));
	read_memory(s, snapshot_values_block(o, SNAPSHOT_MEMORY));
	settle_statistics(s, o);
	read_limits(s, snapshot_values_block(o, SNAPSHOT_LIMITS));
	if (!s->head_only || !s->summary) {
		read_phases(s, o);
		read_gpus(s, snapshot_values_block(o, SNAPSHOT_GPU));
		read_states(s, snapshot_values_block(o, SNAPSHOT_STATES));
		read_processes_block(s, snapshot_values_block(o, SNAPSHOT_PROCESSES));
	}
	snapshot_values_read(s, SNAPSHOT_RTRACK, o, s);
	read_gaps(s, snapshot_values_block(o, SNAPSHOT_GAP));
	s->overview = overview_read(s, snapshot_values_member(o, OVERVIEW_KEY));
	s->detail = detail_file_read(s, snapshot_values_member(o, DETAIL_KEY));
}

static const struct {
	const char *key;
	void (*read)(struct snapshot *s, const cJSON *o);
} blocks[] = {
    {SNAPSHOT_KEY_META, read_meta},
    {SNAPSHOT_KEY_SERVER, read_server},
    {SNAPSHOT_KEY_CLOUD, read_cloud},
    {SNAPSHOT_KEY_RTRACK, read_rtrack},
};

static void read_head_block(struct snapshot *s, const char *key, const cJSON *o)
{
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		if (strcmp(key, blocks[i].key) == 0 && cJSON_IsObject(o))
			blocks[i].read(s, o);
}

/* Parses text by cJSON, but accepts lone surrogates, and U+0000 does not cut a string. */
static cJSON *parse_json(const char *text, size_t n)
{
	bool nul = memmem(text, n, "\\u0000", 6);
	cJSON *o = nul ? NULL : cJSON_ParseWithLength(text, n);
	char *mended = o || alloc_failed() ? NULL : alloc_failed_note(malloc(n + 1));

	if (!mended)
		return o;
	memcpy(mended, text, n);
	json_tree_mend(mended, n);
	o = cJSON_ParseWithLength(mended, n);
	free(mended);
	return o;
}

int snapshot_head(struct snapshot *s, const char *key, const char *json, size_t n)
{
	cJSON *o = parse_json(json, n);

	if (!o)
		return -1;
	read_head_block(s, key, o);
	cJSON_Delete(o);
	return 0;
}

size_t snapshot_head_sampled(struct snapshot *s, const char *json, size_t n,
                             struct snapshot_process **out)
{
	cJSON *o = parse_json(json, n);
	size_t read = read_process_table(s, o, SNAPSHOT_SAMPLED, out);

	cJSON_Delete(o);
	return read;
}

static enum metric_id column_of_record(const cJSON *name)
{
	enum metric_id id =
	    cJSON_IsString(name) ? metric_of_column(name->valuestring) : METRIC_COUNT;

	return id == METRIC_COUNT && cJSON_IsString(name) ? detail_cell_parse(name->valuestring)
	                                                  : id;
}

long snapshot_head_journal(struct snapshot *s, const char *text, size_t n, enum metric_id *columns,
                           size_t max)
{
	cJSON *o = parse_json(text, n);
	const cJSON *member, *name, *names = snapshot_values_member(o, SNAPSHOT_KEY_COLUMNS);
	long count = cJSON_IsArray(names) ? 0 : -1;

	cJSON_ArrayForEach (member, o)
		if (count >= 0 && member->string)
			read_head_block(s, member->string, member);
	s->overview = NULL; /* a journal has none of these: its rows are there */
	s->detail = NULL;
	s->summary = NULL;
	if (count == 0 && (size_t)cJSON_GetArraySize(names) > max)
		count = -1;
	cJSON_ArrayForEach (name, names)
		if (count >= 0 && (size_t)count < max)
			columns[count++] = column_of_record(name);
	cJSON_Delete(o);
	return count;
}

void snapshot_head_defaults(struct snapshot *s)
{
	read_meta(s, NULL);
	snapshot_values_read(s, SNAPSHOT_SERVER, NULL, &s->server);
	read_cloud(s, NULL);
	snapshot_values_read(s, SNAPSHOT_JOB, NULL, &s->job);
	snapshot_values_read(s, SNAPSHOT_MACHINE, NULL, &s->machine);
	read_asked(s, NULL);
	read_part(s, NULL);
	read_inputs(s, NULL);
	read_exit(s, NULL);
	read_end(s, NULL);
	read_tasks(s, NULL);
	read_totals(s, NULL);
	read_memory(s, NULL);
	read_limits(s, NULL);
	read_states(s, NULL);
	read_processes_block(s, NULL);
}
