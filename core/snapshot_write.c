/* snapshot_write: the file format, writer. docs/snapshot.md describes it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/gaps.h"
#include "core/gz.h"
#include "core/json_write.h"
#include "core/snapshot.h"
#include "core/stats_stream.h"

#define CHUNK 512

static const char *or_else(const char *s, const char *otherwise)
{
	return s && *s ? s : otherwise;
}

static void write_meta(struct json_write *j, const struct snapshot *s)
{
	json_write_object(j, "metadata");
	json_write_num(j, "version", 1);
	json_write_object(j, "resource_tracker");
	json_write_str(j, "version", or_else(s->meta.version, ""));
	json_write_str(j, "implementation", or_else(s->meta.implementation, "procfs"));
	json_write_object_end(j);
	json_write_num(j, "pid", s->meta.pid);
	json_write_bool(j, "children", s->meta.children);
	json_write_num(j, "interval", s->meta.interval);
	json_write_null(j, "method");
	json_write_bool(j, "autostart", s->meta.autostart);
	json_write_bool(j, "track_processes", s->meta.track_processes);
	json_write_bool(j, "track_system", s->meta.track_system);
	json_write_bool(j, "discover_server", s->meta.discover_server);
	json_write_bool(j, "discover_cloud", s->meta.discover_cloud);
	json_write_num(j, "start_time", s->meta.start_time);
	json_write_num(j, "stop_time", s->meta.stop_time);
	json_write_num(j, "duration", stats_round(s->meta.stop_time - s->meta.start_time, 2));
	json_write_object_end(j);
}

/* Upstream's readers want numbers here: 0 stands for "not known". */
static double known_or_0(double v)
{
	return isfinite(v) ? v : 0;
}

static void write_server(struct json_write *j, const struct snapshot *s, enum schema schema)
{
	const char *memory = schema == SCHEMA_1 ? "memory_mb" : "memory_mib";
	const char *gpu_memory = schema == SCHEMA_1 ? "gpu_memory_mb" : "gpu_memory_mib";

	json_write_object(j, "server_info");
	json_write_str(j, "os", or_else(s->server.os, ""));
	json_write_num(j, "vcpus", known_or_0(s->server.vcpus));
	json_write_num(j, memory, stats_round(known_or_0(s->server.memory_b) / 1048576, 2));
	json_write_num(j, "gpu_count", known_or_0(s->server.gpu_count));
	json_write_array(j, "gpu_names");
	for (size_t i = 0; i < s->server.gpu_names.n; i++)
		json_write_str(j, NULL, s->server.gpu_names.v[i]);
	json_write_array_end(j);
	json_write_str(j, "gpu_name", or_else(s->server.gpu_name, ""));
	json_write_num(j, gpu_memory, stats_round(known_or_0(s->server.gpu_memory_b) / 1048576, 2));
	json_write_str(j, "allocation", or_else(s->server.allocation, "unknown"));
	json_write_object_end(j);
}

static void write_cloud(struct json_write *j, const struct snapshot *s)
{
	json_write_object(j, "cloud_info");
	json_write_str(j, "vendor", or_else(s->cloud.vendor, "unknown"));
	json_write_str(j, "instance_type", or_else(s->cloud.instance_type, "unknown"));
	json_write_str(j, "region", or_else(s->cloud.region, "unknown"));
	json_write_num(j, "discovery_time", known_or_0(s->cloud.discovery_time));
	json_write_object_end(j);
}

/* The block must stay within what a reader takes (4 MiB), and a character may need six bytes: the
 * user's strings are cut to so many bytes each, and a command line to so many in all. */
#define TEXT_MAX  4096
#define WORDS_MAX 262144
#define TAG_MAX   1024

/* text, cut to max bytes where it is longer, and ended in "…" then. */
static void write_text(struct json_write *j, const char *key, const char *text, size_t max)
{
	size_t n = max;
	char cut[TEXT_MAX + sizeof "…"];

	text = or_else(text, "");
	if (strlen(text) <= max || max > TEXT_MAX) {
		json_write_str(j, key, text);
		return;
	}
	while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	memcpy(cut, text, n);
	memcpy(cut + n, "…", sizeof "…");
	json_write_str(j, key, cut);
}

static void write_pairs(struct json_write *j, const char *key, const struct snapshot_pairs *p)
{
	json_write_object(j, key);
	for (size_t i = 0; i < p->n; i++) {
		const char *name = or_else(p->v[i].key, "");
		if (strlen(name) <= TAG_MAX)
			write_text(j, name, p->v[i].value, TAG_MAX);
	}
	json_write_object_end(j);
}

static void write_argv(struct json_write *j, const struct snapshot *s)
{
	size_t left = WORDS_MAX;

	if (!s->job.argv) {
		json_write_null(j, "argv");
		return;
	}
	json_write_array(j, "argv");
	for (size_t i = 0; i < s->job.argc; i++) {
		const char *word = or_else(s->job.argv[i], "");
		size_t n = strlen(word);
		if (n > left || i == SNAPSHOT_ARGS_MAX - 1) {
			write_text(j, NULL, word, left < TEXT_MAX ? left : TEXT_MAX);
			break;
		}
		json_write_str(j, NULL, word);
		left -= n;
	}
	json_write_array_end(j);
}

static void write_job(struct json_write *j, const struct snapshot *s)
{
	json_write_object(j, "job");
	write_text(j, "name", s->job.name, TEXT_MAX);
	write_argv(j, s);
	write_text(j, "cwd", s->job.cwd, TEXT_MAX);
	write_text(j, "host", s->job.host, TEXT_MAX);
	write_text(j, "user", s->job.user, TEXT_MAX);
	write_text(j, "arch", s->job.arch, TEXT_MAX);
	write_pairs(j, "tags", &s->job.tags);
	write_pairs(j, "labels", &s->job.labels);
	json_write_object_end(j);
}

static void write_exit(struct json_write *j, const struct snapshot *s)
{
	char number[16];
	const char *name = s->exit.signal ? snapshot_signal_name(s->exit.signal) : NULL;

	snprintf(number, sizeof number, "%d", s->exit.signal);
	json_write_object(j, "exit");
	json_write_num(j, "code",
	               s->exit.known && !s->exit.signal ? (double)s->exit.code : (double)NAN);
	json_write_str(j, "signal", name && !*name ? number : name);
	json_write_str(j, "cause", or_else(s->exit.cause, ""));
	json_write_object_end(j);
}

static void write_totals(struct json_write *j, const struct snapshot *s)
{
	if (!s->totals.known) {
		json_write_null(j, "totals");
		return;
	}
	json_write_object(j, "totals");
	json_write_num(j, "wall_s", s->totals.wall_s);
	json_write_num(j, "utime_s", s->totals.utime_s);
	json_write_num(j, "stime_s", s->totals.stime_s);
	json_write_num(j, "max_rss_bytes", s->totals.max_rss_b);
	if (s->more.totals)
		s->more.totals(s->more.ctx, j);
	json_write_object_end(j);
}

static bool tracked(const struct snapshot *s, enum metric_scope scope)
{
	return scope == METRIC_SCOPE_PROCESS ? s->meta.track_processes : s->meta.track_system;
}

static void write_summary(struct json_write *j, const struct metric *m, const struct stats *v)
{
	char name[64];
	double scale = metric_scale(m->unit, SCHEMA_1);
	const struct {
		const char *name;
		double value;
	} parts[] = {{"min", v->min}, {"max", v->max}, {"mean", v->mean}, {"sum", v->sum},
	             {"sd", v->sd},   {"p50", v->p50}, {"p95", v->p95}};

	snprintf(name, sizeof name, "%s_%s", metric_scope_name(m->scope), m->name[SCHEMA_1]);
	json_write_object(j, name);
	json_write_num(j, "n", (double)v->n);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		json_write_num(j, parts[i].name, stats_round(parts[i].value / scale, 6));
	json_write_object_end(j);
}

static bool has_statistics(const struct metric *m)
{
	return m->unit != METRIC_UNIT_TIME && m->id != METRIC_PROCESS_PID;
}

/* How many samples there are, and when the first and the last one were taken. */
static int write_samples(struct json_write *j, const struct snapshot *s,
                         const struct snapshot_source *rows, struct err *e)
{
	static const enum metric_id times[] = {METRIC_PROCESS_TIMESTAMP, METRIC_SYSTEM_TIMESTAMP};
	const struct elapsed rule = elapsed_written(s);

	json_write_object(j, "samples");
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		struct stats v;
		if (!tracked(s, (enum metric_scope)scope))
			continue;
		if (stats_stream_of(rows, &rule, times[scope], &v, e))
			return -1;
		json_write_object(j, metric_scope_name((enum metric_scope)scope));
		json_write_num(j, "n", (double)(v.n - gaps_rows(s)));
		json_write_num(j, "first", stats_round(v.min, 3));
		json_write_num(j, "last", stats_round(v.max, 3));
		json_write_object_end(j);
	}
	json_write_object_end(j);
	return 0;
}

/* Which columns to write, and their statistics. A documented column without a value somewhere is
 * noted, since upstream's readers need a number there. */
static int write_statistics(struct json_write *j, struct snapshot *s,
                            const struct snapshot_source *rows, bool *write, struct err *e)
{
	const struct elapsed rule = elapsed_written(s);

	json_write_object(j, "statistics");
	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		struct stats v;
		write[id] = tracked(s, m->scope);
		if (!write[id])
			continue;
		if (stats_stream_of(rows, &rule, m->id, &v, e))
			return -1;
		write[id] = m->documented || v.n;
		if (m->documented && v.left > gaps_rows(s))
			snapshot_note(
			    s, "%s_%s was not measured in %zu of %zu samples; %s stands there.",
			    metric_scope_name(m->scope), m->name[SCHEMA_1], v.left - gaps_rows(s),
			    rows->rows - gaps_rows(s),
			    v.n && m->kind == METRIC_KIND_GAUGE ? "the nearest measurement" : "0");
		if (write[id] && has_statistics(m))
			write_summary(j, m, &v);
	}
	json_write_object_end(j);
	return 0;
}

static int write_own(struct json_write *j, struct snapshot *s, const struct snapshot_source *rows,
                     bool *write, struct err *e)
{
	json_write_object(j, "rtrack");
	json_write_num(j, "format", SNAPSHOT_FORMAT);
	write_job(j, s);
	write_exit(j, s);
	write_totals(j, s);
	if (rows && (write_samples(j, s, rows, e) || write_statistics(j, s, rows, write, e)))
		return -1;
	phases_write(s->phases, j);
	gaps_write(s, j);
	if (rows && s->more.members)
		s->more.members(s->more.ctx, j);
	json_write_array(j, "notes");
	for (size_t i = 0; i < s->notes.n; i++)
		write_text(j, NULL, s->notes.v[i], TAG_MAX);
	json_write_array_end(j);
	json_write_object_end(j);
	return 0;
}

/* What a documented column has where nothing was measured: readers of other tools need a number,
 * and take means over all rows. A state is taken to be as it was at the measurement before, or,
 * ahead of the first, as it was then (*held); of an amount, nothing was counted. */
static double stand_in(const struct metric *m, double v, double *held)
{
	if (isfinite(v) && m->kind == METRIC_KIND_GAUGE)
		*held = v;
	return isfinite(v) || !m->documented ? v : *held;
}

static int first_measured(const struct metric *m, const struct snapshot_source *rows, double *out,
                          struct err *e)
{
	double cells[CHUNK];

	*out = 0;
	if (!m->documented || m->kind != METRIC_KIND_GAUGE)
		return 0;
	for (size_t from = 0; from < rows->rows; from += CHUNK) {
		size_t n = rows->rows - from < CHUNK ? rows->rows - from : CHUNK;
		if (rows->fetch(rows->ctx, m->id, from, n, cells, e))
			return -1;
		for (size_t i = 0; i < n; i++)
			if (isfinite(cells[i])) {
				*out = cells[i];
				return 0;
			}
	}
	return 0;
}

static int write_column(struct json_write *j, const struct snapshot *s, const struct metric *m,
                        enum schema schema, const struct snapshot_source *rows, struct err *e)
{
	double cells[CHUNK], held;

	if (first_measured(m, rows, &held, e))
		return -1;
	json_write_array(j, m->name[schema]);
	for (size_t from = 0; from < rows->rows; from += CHUNK) {
		size_t n = rows->rows - from < CHUNK ? rows->rows - from : CHUNK;
		if (j->failed || rows->fetch(rows->ctx, m->id, from, n, cells, e))
			return -1;
		for (size_t i = 0; i < n; i++) {
			double v;
			if (gaps_has(s, from + i))
				continue;
			v = metric_spell(m, schema, stand_in(m, cells[i], &held));
			json_write_num(j, NULL, m->documented && !isfinite(v) ? 0 : v);
		}
	}
	json_write_array_end(j);
	return 0;
}

static int write_rows(struct json_write *j, const struct snapshot *s, enum metric_scope scope,
                      enum schema schema, const struct snapshot_source *rows, const bool *write,
                      struct err *e)
{
	json_write_object(j, scope == METRIC_SCOPE_PROCESS ? "process_metrics" : "system_metrics");
	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].scope == scope && write[id] &&
		    write_column(j, s, &metrics[id], schema, rows, e))
			return -1;
	json_write_object_end(j);
	return 0;
}

void snapshot_write_head(struct snapshot *s, struct json_write *j, enum schema schema)
{
	write_meta(j, s);
	write_server(j, s, schema);
	write_cloud(j, s);
	write_own(j, s, NULL, NULL, NULL);
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
	struct sink sink = {gz_out_new(fd, e), e};
	struct json_write j = {.sink = to_gz, .ctx = &sink};
	bool write[METRIC_COUNT] = {false};
	int r = -1;

	if (!sink.gz)
		return -1;
	json_write_object(&j, NULL);
	write_meta(&j, s);
	write_server(&j, s, schema);
	write_cloud(&j, s);
	if (write_own(&j, s, rows, write, e) ||
	    write_rows(&j, s, METRIC_SCOPE_PROCESS, schema, rows, write, e) ||
	    write_rows(&j, s, METRIC_SCOPE_SYSTEM, schema, rows, write, e))
		goto out;
	json_write_object_end(&j);
	if (json_write_finish(&j))
		r = gz_finish(sink.gz, e);
out:
	/* The sink tells of itself, what has no sentence yet is the text. */
	if (r && !*e->msg)
		err_set(e, "no memory for the text");
	json_write_free(&j);
	gz_out_free(sink.gz);
	return r;
}
