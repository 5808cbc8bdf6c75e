/* snapshot_write: the file format, writer. docs/snapshot.md describes it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/gz.h"
#include "core/files/recordings.h"
#include "core/files/snapshot_write.h"
#include "core/head/detail_file.h"
#include "core/head/overview.h"
#include "core/head/overview_make.h"
#include "core/head/overview_write.h"
#include "core/head/rtrack_row.h"
#include "core/head/time_at_file.h"
#include "core/head/time_at_rows.h"
#include "core/json/json_write.h"
#include "core/processes/process_tree_write.h"
#include "core/recording/gaps.h"
#include "core/recording/snapshot_fields.h"
#include "core/recording/stats_stream.h"
#include "core/recording/written.h"

#define CHUNK 512

static void write_meta(struct json_write *j, const struct snapshot *s)
{
	struct snapshot_meta m = s->meta;

	if (!m.implementation || !*m.implementation)
		m.implementation = "procfs";
	m.duration = stats_round(m.stop_time - m.start_time, 2);
	json_write_object(j, SNAPSHOT_KEY_META);
	json_write_num(j, SNAPSHOT_KEY_VERSION, 1);
	snapshot_fields_object(j, SNAPSHOT_META_TOOL, SCHEMA_1, &m);
	snapshot_fields_write(j, SNAPSHOT_META, SCHEMA_1, &m);
	json_write_object_end(j);
}

static void write_exact_totals(struct json_write *j, const struct snapshot *s)
{
	const char *key = snapshot_fields_key(SNAPSHOT_TOTALS);

	if (!s->totals.known) {
		json_write_null(j, key);
		return;
	}
	json_write_object(j, key);
	snapshot_fields_write(j, SNAPSHOT_TOTALS, SCHEMA_1, &s->totals);
	if (s->more.totals)
		s->more.totals(s->more.ctx, j);
	json_write_object_end(j);
}

/* The statistics as a reader gets them from the file. */
static struct stats written_statistics(const struct metric *m, const struct stats *v)
{
	double scale = metric_scale(m->unit, SCHEMA_1);
	struct stats out = *v;
	size_t n;
	const struct snapshot_field *f = snapshot_fields_of(SNAPSHOT_STATISTICS, &n);

	for (size_t i = 0; i < n; i++) {
		double *value = (double *)((char *)&out + f[i].offset);
		*value = stats_round(*value / scale, 6) * scale;
	}
	return out;
}

static void write_column_statistics(struct json_write *j, const struct metric *m,
                                    const struct stats *v)
{
	char name[METRIC_NAME_MAX];
	double scale = metric_scale(m->unit, SCHEMA_1);
	size_t n;
	const struct snapshot_field *f = snapshot_fields_of(SNAPSHOT_STATISTICS, &n);

	json_write_object(j, metric_column_name(m->id, name));
	json_write_num(j, SNAPSHOT_KEY_N, (double)v->n);
	for (size_t i = 0; i < n; i++) {
		double value = *(const double *)((const char *)v + f[i].offset);
		json_write_num(j, f[i].key, stats_round(value / scale, 6));
	}
	json_write_object_end(j);
}

static bool has_statistics(const struct metric *m)
{
	return m->unit != METRIC_UNIT_TIME && m->id != METRIC_PROCESS_PID;
}

/* Most jobs are in few states: the column of another one would be zeros. */
static bool is_state_never_seen(int id, const struct stats *v)
{
	return id >= (int)states_metric(0) && id <= (int)states_metric(STATES_N - 1) &&
	       !(v->max > 0);
}

/* A recovered recording has the columns alone. */
static void write_states(struct json_write *j, const struct snapshot *s,
                         const struct snapshot_columns *c)
{
	struct snapshot_states states = s->states;

	if (states.known || snapshot_states_of_columns(c->stats, &states))
		snapshot_fields_states(j, &states, NULL, NULL);
}

/* Notes each documented column that has a cell without a value, because resource-tracker's readers
 * need a number there. */
static int compute_columns(struct snapshot *s, const struct snapshot_source *rows,
                           struct snapshot_columns *c, struct err *e)
{
	const struct elapsed rule = elapsed_written(s);

	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		struct stats *v = &c->stats[id];
		char name[METRIC_NAME_MAX];
		*v = stats_none();
		if (!snapshot_tracks(s, m->scope))
			continue;
		if (stats_stream_of(rows, &rule, m->id, v, e))
			return -1;
		c->write[id] = m->documented || (v->n && !is_state_never_seen(id, v));
		if (m->documented && v->left > gaps_rows(s))
			snapshot_note(
			    s, "%s was not measured in %zu of %zu samples; the file has %s there.",
			    metric_column_name(m->id, name), v->left - gaps_rows(s),
			    rows->rows - gaps_rows(s),
			    v->n && m->kind == METRIC_KIND_GAUGE ? "the nearest measurement" : "0");
	}
	return 0;
}

/* The number of samples of each scope, and when the first and the last were taken. */
static void write_samples(struct json_write *j, const struct snapshot *s,
                          const struct snapshot_columns *c)
{
	json_write_object(j, snapshot_fields_key(SNAPSHOT_SAMPLES));
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		const struct stats *v = &c->stats[metric_time_of((enum metric_scope)scope)];
		if (!snapshot_tracks(s, (enum metric_scope)scope))
			continue;
		json_write_object(j, metric_scope_name((enum metric_scope)scope));
		snapshot_fields_write(j, SNAPSHOT_SAMPLES, SCHEMA_1,
		                      &(struct snapshot_samples){.n = (double)(v->n - gaps_rows(s)),
		                                                 .first = stats_round(v->min, 3),
		                                                 .last = stats_round(v->max, 3)});
		json_write_object_end(j);
	}
	json_write_object_end(j);
}

static void write_statistics(struct json_write *j, const struct snapshot_columns *c)
{
	json_write_object(j, snapshot_fields_key(SNAPSHOT_STATISTICS));
	for (int id = 0; id < METRIC_COUNT; id++)
		if (c->write[id] && has_statistics(&metrics[id]))
			write_column_statistics(j, &metrics[id], &c->stats[id]);
	json_write_object_end(j);
}

/* Leaves the block open. c NULL: without what comes from the rows. */
static void write_own(struct json_write *j, struct snapshot *s, const struct snapshot_columns *c)
{
	json_write_object(j, SNAPSHOT_KEY_RTRACK);
	json_write_num(j, SNAPSHOT_KEY_FORMAT, SNAPSHOT_FORMAT);
	if (s->job.known)
		snapshot_fields_object(j, SNAPSHOT_JOB, SCHEMA_1, &s->job);
	else
		json_write_null(j, snapshot_fields_key(SNAPSHOT_JOB));
	snapshot_fields_object(j, SNAPSHOT_MACHINE, SCHEMA_1, &s->machine);
	snapshot_fields_asked(j, &s->asked);
	snapshot_fields_part(j, &s->part);
	snapshot_fields_exit(j, s);
	snapshot_fields_end(j, &s->end);
	if (s->tasks.known)
		snapshot_fields_object(j, SNAPSHOT_TASKS, SCHEMA_1, &s->tasks);
	snapshot_fields_inputs(j, &s->inputs);
	write_exact_totals(j, s);
	if (s->memory.known)
		snapshot_fields_object(j, SNAPSHOT_MEMORY, SCHEMA_1, &s->memory);
	if (c) {
		write_samples(j, s, c);
		write_statistics(j, c);
	}
	snapshot_fields_phases(j, s->phases);
	snapshot_fields_gaps(j, s);
	if (!(c && s->more.members) && s->limits.known)
		snapshot_fields_object(j, SNAPSHOT_LIMITS, SCHEMA_1, &s->limits);
	if (c && s->more.members)
		s->more.members(s->more.ctx, j);
	else if (c)
		write_states(j, s, c);
	snapshot_fields_write(j, SNAPSHOT_RTRACK, SCHEMA_1, s);
	if (c && s->time_at)
		time_at_file_write(j, s->time_at);
}

static void fill_row_of_run(struct rtrack_row *row, const struct snapshot *s,
                            const struct snapshot_columns *c)
{
	enum metric_id time =
	    metric_time_of(s->meta.track_processes ? METRIC_SCOPE_PROCESS : METRIC_SCOPE_SYSTEM);
	struct stats written[METRIC_COUNT];

	/* A page makes its row from the statistics in the head: both are to be the same. */
	for (int id = 0; id < METRIC_COUNT; id++)
		written[id] = written_statistics(&metrics[id], &c->stats[id]);
	rtrack_row_fill(row, s, written, c->stats[time].n - gaps_rows(s));
}

static void write_short(struct json_write *j, const struct snapshot *s,
                        const struct rtrack_row *row)
{
	json_write_object(j, RECORDINGS_SHORT_KEY);
	json_write_num(j, "n", 1);
	json_write_num(j, "cpu_s", row->of[RTRACK_ROW_CPU].number);
	json_write_num(j, "longest_s", row->of[RTRACK_ROW_WALL].number);
	json_write_num(j, "memory_peak_bytes", row->of[RTRACK_ROW_MEMORY_PEAK].number);
	json_write_num(j, "below_s", s->short_below_s);
	json_write_num(j, "pid", s->meta.pid);
	json_write_num(j, "start_time", s->meta.start_time);
	json_write_object_end(j);
}

static int write_column(struct json_write *j, const struct snapshot *s, const struct metric *m,
                        enum schema schema, const struct snapshot_source *rows, struct err *e)
{
	double cells[CHUNK];
	struct written_column c;

	if (written_column_open(&c, rows, m->id, schema, e))
		return -1;
	json_write_array(j, m->name[schema]);
	for (size_t from = 0; from < rows->rows; from += CHUNK) {
		size_t n = rows->rows - from < CHUNK ? rows->rows - from : CHUNK;
		if (j->failed || written_column_spell(&c, from, n, cells, e))
			return -1;
		for (size_t i = 0; i < n; i++)
			if (!gaps_has(s, from + i))
				json_write_num(j, NULL, cells[i]);
	}
	json_write_array_end(j);
	return 0;
}

static int write_rows(struct json_write *j, const struct snapshot *s, enum metric_scope scope,
                      enum schema schema, const struct snapshot_source *rows,
                      const struct snapshot_columns *c, struct err *e)
{
	json_write_object(j, scope == METRIC_SCOPE_PROCESS ? SNAPSHOT_KEY_PROCESS
	                                                   : SNAPSHOT_KEY_SYSTEM);
	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].scope == scope && c->write[id] &&
		    write_column(j, s, &metrics[id], schema, rows, e))
			return -1;
	json_write_object_end(j);
	return 0;
}

/* The rows of each device; nothing without --detail. */
static int write_detail(struct json_write *j, const struct written *all,
                        const struct detail_measured *measured, struct err *e)
{
	if (!all->s->devices || !snapshot_tracks(all->s, METRIC_SCOPE_SYSTEM))
		return 0;
	json_write_object(j, DETAIL_KEY_METRICS);
	if (write_column(j, all->s, &metrics[METRIC_SYSTEM_TIMESTAMP], all->schema, all->source,
	                 e) ||
	    detail_file_write_rows(j, all, measured, e))
		return -1;
	json_write_object_end(j);
	return 0;
}

void snapshot_write_head(struct snapshot *s, struct json_write *j, enum schema schema,
                         const struct snapshot_columns *c)
{
	write_meta(j, s);
	snapshot_fields_object(j, SNAPSHOT_SERVER, schema, &s->server);
	snapshot_fields_object(j, SNAPSHOT_CLOUD, schema, &s->cloud);
	write_own(j, s, c);
}

static int write_own_overview(struct json_write *j, const struct written *all, struct err *e)
{
	struct snapshot arena = {0};
	const struct overview *o;
	int failed = overview_make(&arena, all, &o, e);

	if (!failed && o)
		overview_write(j, o, all->schema, false);
	snapshot_free(&arena);
	return failed;
}

static int write_tree(struct json_write *j, struct snapshot *s, struct err *e)
{
	struct process_tree_rows rows;

	if (s->more.tree)
		return s->more.tree(s->more.ctx, j, e);
	if (!s->tree)
		return 0;
	rows = process_tree_rows_of(s->tree);
	return process_tree_write(j, &rows, e);
}

struct sink {
	struct gz_out *gz;
	struct err *e;
};

static int to_gz(void *ctx, const char *p, size_t n)
{
	struct sink *k = ctx;

	return gz_write(k->gz, p, n, k->e);
}

int snapshot_write(struct snapshot *s, const struct snapshot_source *rows, enum schema schema,
                   int fd, struct err *e)
{
	struct snapshot_columns c = {.write = {false}};
	const struct written all = {s, rows, schema, c.stats, c.write};
	struct detail_measured measured = {{false}};
	struct time_at time_at = {0};
	struct rtrack_row row;
	struct sink sink = {NULL, e};
	struct json_write j = {.sink = to_gz, .ctx = &sink};
	int r = -1;

	if (compute_columns(s, rows, &c, e) ||
	    (!gaps_rows(s) && time_at_rows_written(&all, &time_at, e)))
		return -1;
	time_at_file_round(&time_at);
	s->time_at = time_at_known(&time_at) ? &time_at : NULL;
	sink.gz = s->plain ? gz_out_plain(fd, e) : gz_out_new(fd, e);
	if (!sink.gz)
		return -1;
	json_write_object(&j, NULL);
	fill_row_of_run(&row, s, &c);
	if (s->short_below_s > 0) {
		write_short(&j, s, &row);
		goto end;
	}
	rtrack_row_write(&row, &j);
	snapshot_write_head(s, &j, schema, &c);
	/* The last members: a reader who does not want them need not read on. */
	if ((rows->rows > OVERVIEW_LEAST && write_own_overview(&j, &all, e)) ||
	    detail_file_write(&j, &all, &measured, e) || write_tree(&j, s, e))
		goto out;
	json_write_object_end(&j);
	if (write_rows(&j, s, METRIC_SCOPE_PROCESS, schema, rows, &c, e) ||
	    write_rows(&j, s, METRIC_SCOPE_SYSTEM, schema, rows, &c, e) ||
	    write_detail(&j, &all, &measured, e))
		goto out;
end:
	json_write_object_end(&j);
	if (json_write_finish(&j))
		r = gz_finish(sink.gz, e);
out:
	s->time_at = NULL;
	/* The sink sets its own sentence, so without one the text itself failed. */
	if (r && !*e->msg)
		err_set(e, "no memory for the text");
	json_write_free(&j);
	gz_out_free(sink.gz);
	return r;
}
