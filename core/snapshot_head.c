/* snapshot_head: the blocks of a snapshot before its metrics. */
#include "core/snapshot_head.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "core/alloc_failed.h"
#include "core/gaps.h"
#include "core/json_surrogates.h"

static const cJSON *get(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

static const char *text(struct snapshot *s, const cJSON *o, const char *key, const char *otherwise)
{
	const cJSON *v = get(o, key);

	return cJSON_IsString(v) && *v->valuestring ? snapshot_strdup(s, v->valuestring)
	                                            : otherwise;
}

/* Numbers may come as strings ("" for none). */
static double number(const cJSON *o, const char *key)
{
	const cJSON *v = get(o, key);
	char *end;
	double d;

	if (cJSON_IsNumber(v))
		return isfinite(v->valuedouble) ? v->valuedouble : NAN;
	if (!cJSON_IsString(v) || !*v->valuestring)
		return NAN;
	d = strtod(v->valuestring, &end);
	return *end || !isfinite(d) ? NAN : d;
}

/* What can't be negative, in bytes, from the spelling of either schema. */
static double mebibytes(const cJSON *o, const char *name1, const char *name2)
{
	double v = number(o, name1);

	if (isnan(v))
		v = number(o, name2);
	return v >= 0 && isfinite(v * 1048576) ? v * 1048576 : NAN;
}

/* For what no machine has 0 of, 0 stands for "not known". */
static double not_0(double v)
{
	return v > 0 ? v : NAN;
}

static void list(struct snapshot *s, const cJSON *array, struct snapshot_list *out)
{
	const cJSON *v;

	cJSON_ArrayForEach (v, array)
		if (cJSON_IsString(v) && out->n < SNAPSHOT_LIST_MAX)
			out->v[out->n++] = snapshot_strdup(s, v->valuestring);
}

static void pairs(struct snapshot *s, const cJSON *object, struct snapshot_pairs *out)
{
	const cJSON *v;

	cJSON_ArrayForEach (v, object)
		if (cJSON_IsString(v) && v->string && out->n < SNAPSHOT_LIST_MAX)
			out->v[out->n++] = (struct snapshot_pair){
			    snapshot_strdup(s, v->string), snapshot_strdup(s, v->valuestring)};
}

static void read_meta(struct snapshot *s, const cJSON *o)
{
	const cJSON *tool = get(o, "resource_tracker");

	s->meta.version = text(s, tool, "version", "");
	s->meta.implementation = text(s, tool, "implementation", "");
	s->meta.pid = number(o, "pid");
	s->meta.interval = number(o, "interval");
	s->meta.start_time = number(o, "start_time");
	s->meta.stop_time = number(o, "stop_time");
	s->meta.duration = number(o, "duration");
	s->meta.children = cJSON_IsTrue(get(o, "children"));
	s->meta.autostart = cJSON_IsTrue(get(o, "autostart"));
	s->meta.track_processes = !cJSON_IsFalse(get(o, "track_processes"));
	s->meta.track_system = !cJSON_IsFalse(get(o, "track_system"));
	s->meta.discover_server = cJSON_IsTrue(get(o, "discover_server"));
	s->meta.discover_cloud = cJSON_IsTrue(get(o, "discover_cloud"));
}

static void read_server(struct snapshot *s, const cJSON *o)
{
	s->server.known = true;
	s->server.os = text(s, o, "os", "");
	s->server.vcpus = not_0(number(o, "vcpus"));
	s->server.memory_b = not_0(mebibytes(o, "memory_mb", "memory_mib"));
	s->server.gpu_count = number(o, "gpu_count");
	s->server.gpu_memory_b = mebibytes(o, "gpu_memory_mb", "gpu_memory_mib");
	s->server.gpu_name = text(s, o, "gpu_name", "");
	s->server.allocation = text(s, o, "allocation", "unknown");
	list(s, get(o, "gpu_names"), &s->server.gpu_names);
	if (get(o, "memory_mib"))
		s->schema = SCHEMA_2;
}

static bool told(const char *s)
{
	return strcmp(s, "unknown") != 0;
}

static void read_cloud(struct snapshot *s, const cJSON *o)
{
	s->cloud.vendor = text(s, o, "vendor", "unknown");
	s->cloud.instance_type = text(s, o, "instance_type", "unknown");
	s->cloud.region = text(s, o, "region", "unknown");
	s->cloud.discovery_time = number(o, "discovery_time");
	s->cloud.known = told(s->cloud.vendor) || told(s->cloud.instance_type);
}

static void read_argv(struct snapshot *s, const cJSON *array)
{
	int n = cJSON_GetArraySize(array);
	const cJSON *v;

	if (n > SNAPSHOT_ARGS_MAX)
		n = SNAPSHOT_ARGS_MAX;

	if (!cJSON_IsArray(array) || n == 0)
		return;
	s->job.argv = snapshot_alloc(s, (size_t)n * sizeof *s->job.argv);
	s->job.argc = 0;
	if (!s->job.argv)
		return;
	cJSON_ArrayForEach (v, array)
		if (s->job.argc < SNAPSHOT_ARGS_MAX)
			s->job.argv[s->job.argc++] =
			    snapshot_strdup(s, cJSON_IsString(v) ? v->valuestring : "");
}

static void read_exit(struct snapshot *s, const cJSON *o)
{
	double code = number(o, "code");
	const char *name = text(s, o, "signal", "");

	s->exit.cause = text(s, o, "cause", "");
	s->exit.signal = snapshot_signal_number(name);
	s->exit.code = code >= 0 && code <= 255 ? (int)code : -1;
	s->exit.known = s->exit.code >= 0 || s->exit.signal;
	s->unfinished = strcmp(s->exit.cause, "unfinished") == 0;
}

static void read_phases(struct snapshot *s, const cJSON *o)
{
	const cJSON *array = get(o, "phases"), *one;
	double left_out = number(o, "phases_left_out");

	if (!cJSON_IsArray(array) || !array->child || s->phases)
		return;
	s->phases = snapshot_alloc(s, sizeof *s->phases);
	if (!s->phases)
		return;
	s->phases->left_out = left_out > 0 && left_out < 1e15 ? (size_t)left_out : 0;
	cJSON_ArrayForEach (one, array)
		phases_add(s->phases, text(s, one, "name", ""), number(one, "start"),
		           number(one, "end"));
}

/* "process_cpu_usage" → METRIC_PROCESS_CPU_USAGE */
static enum metric_id column_of(const char *name)
{
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		const char *prefix = metric_scope_name((enum metric_scope)scope);
		size_t n = strlen(prefix);
		const struct metric *m = NULL;
		int schema;
		if (strncmp(name, prefix, n) == 0 && name[n] == '_')
			m = metric_find((enum metric_scope)scope, name + n + 1, &schema);
		if (m)
			return m->id;
	}
	return METRIC_COUNT;
}

/* What can't be negative. */
static double amount(const cJSON *o, const char *key)
{
	double v = number(o, key);

	return v >= 0 ? v : NAN;
}

/* How many: a whole number that a frame can have. */
static double count(const cJSON *o, const char *key)
{
	double v = number(o, key);

	return v >= 0 && v <= FRAME_ROWS_MAX ? v : 0;
}

static void read_totals(struct snapshot *s, const cJSON *o)
{
	const cJSON *cgroup = get(o, "cgroup");

	s->totals.known = cJSON_IsObject(o);
	s->totals.wall_s = number(o, "wall_s");
	s->totals.utime_s = number(o, "utime_s");
	s->totals.stime_s = number(o, "stime_s");
	s->totals.max_rss_b = number(o, "max_rss_bytes");
	s->totals.peak_rss_b = amount(o, "peak_rss_bytes");
	s->totals.read_b = amount(o, "read_bytes");
	s->totals.write_b = amount(o, "write_bytes");
	s->totals.minor_faults = amount(o, "minor_faults");
	s->totals.major_faults = amount(o, "major_faults");
	s->totals.ctx_voluntary = amount(o, "ctx_voluntary");
	s->totals.ctx_involuntary = amount(o, "ctx_involuntary");
	s->totals.exact_cpu_s = amount(o, "exact_cpu_s");
	s->totals.cpu_wait_s = amount(o, "cpu_wait_s");
	s->totals.cgroup_cpu_some_s = amount(cgroup, "cpu_some_s");
	s->totals.cgroup_memory_peak_b = amount(cgroup, "memory_peak_bytes");
	s->totals.oom_kills = amount(cgroup, "oom_kills");
}

static void read_limits(struct snapshot *s, const cJSON *o)
{
	struct snapshot_limits *l = &s->limits;

	l->known = cJSON_IsObject(o);
	l->cpus = not_0(number(o, "cpus"));
	l->cpus_quota = not_0(number(o, "cpus_quota"));
	l->cpus_cpuset = not_0(number(o, "cpus_cpuset"));
	l->cpus_affinity = not_0(number(o, "cpus_affinity"));
	l->cpus_online = not_0(number(o, "cpus_online"));
	l->cpus_from = text(s, o, "cpus_from", "");
	l->memory_b = not_0(number(o, "memory_bytes"));
	l->memory_from = text(s, o, "memory_from", "");
	l->memory_high_b = amount(o, "memory_high_bytes");
	l->swap_b = amount(o, "swap_bytes");
	l->address_space_b = amount(o, "address_space_bytes");
	l->hidden = cJSON_IsTrue(get(o, "hidden"));
}

/* How many elements of an array are taken; *all gets room for them. */
static size_t room(struct snapshot *s, const cJSON *array, size_t max, size_t size, void **all)
{
	int n = cJSON_IsArray(array) ? cJSON_GetArraySize(array) : 0;
	size_t taken = n > 0 && (size_t)n < max ? (size_t)n : n > 0 ? max : 0;

	*all = taken ? snapshot_alloc(s, taken * size) : NULL;
	return *all ? taken : 0;
}

static void read_gpus(struct snapshot *s, const cJSON *array)
{
	const cJSON *o = cJSON_IsArray(array) ? array->child : NULL;
	void *all;

	s->n_gpus = room(s, array, SNAPSHOT_GPUS_MAX, sizeof *s->gpus, &all);
	s->gpus = all;
	/* clang-analyzer-core.NullDereference: room() has counted them */
	for (size_t i = 0; i < s->n_gpus; i++, o = o->next)
		s->gpus[i] = (struct snapshot_gpu){
		    .uuid = text(s, o, "uuid", ""),
		    .name = text(s, o, "name", ""),
		    .memory_b = not_0(number(o, "memory_bytes")),
		    .memory_max_b = amount(o, "memory_max_bytes"),
		    .utilisation_mean = amount(o, "utilisation_mean"),
		    .utilisation_max = amount(o, "utilisation_max"),
		    .power_mean_w = amount(o, "power_mean_w"),
		    .power_max_w = amount(o, "power_max_w"),
		    .temperature_max_c = number(o, "temperature_max_c"),
		};
}

static struct snapshot_process read_process(struct snapshot *s, const cJSON *o)
{
	return (struct snapshot_process){
	    .name = text(s, o, "name", ""),
	    .command = text(s, o, "command", ""),
	    .pid = number(o, "pid"),
	    .ppid = number(o, "ppid"),
	    .start = number(o, "start"),
	    .end = number(o, "end"),
	    .exit_code = number(o, "exit_code"),
	    .signal = text(s, o, "signal", ""),
	    .count = amount(o, "count"),
	    .cpu_s = amount(o, "cpu_s"),
	    .peak_rss_b = amount(o, "peak_rss_bytes"),
	    .peak_pss_b = amount(o, "peak_pss_bytes"),
	    .read_b = amount(o, "read_bytes"),
	    .write_b = amount(o, "write_bytes"),
	};
}

static size_t read_table(struct snapshot *s, const cJSON *array, struct snapshot_process **out)
{
	const cJSON *o = cJSON_IsArray(array) ? array->child : NULL;
	void *all;
	size_t n = room(s, array, SNAPSHOT_PROCESSES_MAX, sizeof **out, &all);

	*out = all;
	/* clang-analyzer-core.NullDereference: room() has counted them */
	for (size_t i = 0; i < n; i++, o = o->next)
		(*out)[i] = read_process(s, o);
	return n;
}

static void read_processes(struct snapshot *s, const cJSON *o)
{
	struct snapshot_processes *p = &s->processes;

	p->known = cJSON_IsObject(o);
	p->seen = amount(o, "seen");
	p->seen_cpu_s = amount(o, "seen_cpu_s");
	p->unseen_cpu_s = amount(o, "unseen_cpu_s");
	p->n_singly = read_table(s, get(o, "singly"), &p->singly);
	p->n_others = read_table(s, get(o, "others"), &p->others);
}

static double scaled(const cJSON *o, const char *key, double scale)
{
	double v = number(o, key) * scale;

	return isfinite(v) ? v : NAN;
}

/* When the samples were taken. */
static void read_span(struct snapshot *s, enum metric_id id, const cJSON *o)
{
	s->summary[id].n = (size_t)(count(o, "n"));
	s->summary[id].min = number(o, "first");
	s->summary[id].max = number(o, "last");
}

static void read_summary(struct snapshot *s, const cJSON *statistics, const cJSON *samples)
{
	const cJSON *o;

	if (!cJSON_IsObject(statistics) || !cJSON_IsObject(samples) || s->summary)
		return;
	s->summary = snapshot_alloc(s, METRIC_COUNT * sizeof *s->summary);
	if (!s->summary)
		return;
	for (int id = 0; id < METRIC_COUNT; id++)
		s->summary[id] = stats_none();
	read_span(s, METRIC_PROCESS_TIMESTAMP, get(samples, "process"));
	read_span(s, METRIC_SYSTEM_TIMESTAMP, get(samples, "system"));
	cJSON_ArrayForEach (o, statistics) {
		enum metric_id id = o->string ? column_of(o->string) : METRIC_COUNT;
		double scale = id < METRIC_COUNT ? metric_scale(metrics[id].unit, SCHEMA_1) : 1;
		if (id == METRIC_COUNT || metrics[id].unit == METRIC_UNIT_TIME)
			continue;
		s->summary[id] = (struct stats){
		    .n = (size_t)count(o, "n"),
		    .min = scaled(o, "min", scale),
		    .max = scaled(o, "max", scale),
		    .mean = scaled(o, "mean", scale),
		    .sum = scaled(o, "sum", scale),
		    .sd = scaled(o, "sd", scale),
		    .p50 = scaled(o, "p50", scale),
		    .p95 = scaled(o, "p95", scale),
		};
	}
}

/* Those that are in order. */
static void read_gaps(struct snapshot *s, const cJSON *gaps)
{
	double last = -INFINITY;
	const cJSON *o;

	cJSON_ArrayForEach (o, gaps) {
		double from = number(o, "from"), to = number(o, "to");
		if (from >= last && to >= from)
			gaps_add(s, from, last = to);
	}
}

static void read_own(struct snapshot *s, const cJSON *o)
{
	const cJSON *job = get(o, "job");

	s->job.known = true;
	s->job.name = text(s, job, "name", "");
	s->job.cwd = text(s, job, "cwd", "");
	s->job.host = text(s, job, "host", "");
	s->job.user = text(s, job, "user", "");
	s->job.arch = text(s, job, "arch", "");
	read_argv(s, get(job, "argv"));
	pairs(s, get(job, "tags"), &s->job.tags);
	pairs(s, get(job, "labels"), &s->job.labels);
	read_exit(s, get(o, "exit"));
	read_totals(s, get(o, "totals"));
	/* Before format 2, means were over rows: then the rows tell. */
	if (number(o, "format") >= SNAPSHOT_FORMAT)
		read_summary(s, get(o, "statistics"), get(o, "samples"));
	read_limits(s, get(o, "limits"));
	if (!s->head_only || !s->summary) {
		read_phases(s, o);
		read_gpus(s, get(o, "gpus"));
		read_processes(s, get(o, "processes"));
	}
	list(s, get(o, "notes"), &s->notes);
	read_gaps(s, get(o, "gaps"));
}

static const struct {
	const char *key;
	void (*read)(struct snapshot *s, const cJSON *o);
} blocks[] = {
    {"metadata", read_meta},
    {"server_info", read_server},
    {"cloud_info", read_cloud},
    {"rtrack", read_own},
};

static void read_block(struct snapshot *s, const char *key, const cJSON *o)
{
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		if (strcmp(key, blocks[i].key) == 0 && cJSON_IsObject(o))
			blocks[i].read(s, o);
}

/* As cJSON does, but lone surrogates are no reason to refuse it, and U+0000 ends no string. */
static cJSON *parse(const char *text, size_t n)
{
	bool nul = memmem(text, n, "\\u0000", 6);
	cJSON *o = nul ? NULL : cJSON_ParseWithLength(text, n);
	char *mended = o || alloc_failed() ? NULL : alloc_failed_note(malloc(n + 1));

	if (!mended)
		return o;
	memcpy(mended, text, n);
	json_surrogates_mend(mended, n);
	o = cJSON_ParseWithLength(mended, n);
	free(mended);
	return o;
}

int snapshot_head(struct snapshot *s, const char *key, const char *json, size_t n)
{
	cJSON *o = parse(json, n);

	if (!o)
		return -1;
	read_block(s, key, o);
	cJSON_Delete(o);
	return 0;
}

long snapshot_head_journal(struct snapshot *s, const char *text, size_t n, enum metric_id *columns,
                           size_t max)
{
	cJSON *o = parse(text, n);
	const cJSON *member, *name, *names = get(o, "columns");
	long count = cJSON_IsArray(names) ? 0 : -1;

	cJSON_ArrayForEach (member, o)
		if (count >= 0 && member->string)
			read_block(s, member->string, member);
	if (count == 0 && (size_t)cJSON_GetArraySize(names) > max)
		count = -1;
	cJSON_ArrayForEach (name, names)
		if (count >= 0 && (size_t)count < max)
			columns[count++] =
			    cJSON_IsString(name) ? column_of(name->valuestring) : METRIC_COUNT;
	cJSON_Delete(o);
	return count;
}

void snapshot_head_defaults(struct snapshot *s)
{
	s->meta.version = s->meta.implementation = "";
	s->meta.pid = s->meta.interval = s->meta.start_time = NAN;
	s->meta.stop_time = s->meta.duration = NAN;
	s->meta.track_processes = s->meta.track_system = true;
	s->server.os = s->server.gpu_name = "";
	s->server.allocation = "unknown";
	s->server.vcpus = s->server.memory_b = s->server.gpu_count = s->server.gpu_memory_b = NAN;
	s->cloud.vendor = s->cloud.instance_type = s->cloud.region = "unknown";
	s->cloud.discovery_time = NAN;
	s->job.name = s->job.cwd = s->job.host = s->job.user = s->job.arch = s->exit.cause = "";
	s->exit.code = -1;
	/* Of what is not there, nothing is known. */
	read_totals(s, NULL);
	read_limits(s, NULL);
	read_processes(s, NULL);
}
