/* machine_info: --info. */
#include "collect/machine_info.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/limits.h"
#include "collect/cloud/discover_cloud.h"
#include "collect/collect_options.h"
#include "collect/discover_asked.h"
#include "collect/gpu/gpu.h"
#include "collect/job/discover_job.h"
#include "collect/job/part.h"
#include "collect/job_info.h"
#include "collect/machine/clocks.h"
#include "collect/machine/discover_server.h"
#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/json/json_write.h"
#include "core/recording/snapshot.h"
#include "core/recording/snapshot_fields.h"

#define WAIT_S 3 /* for all answers together */

struct info {
	const struct collect_options *o;
	struct root root;
	struct snapshot s;
	struct gpu *gpu;
	struct limits limits;
	struct cgroup cgroup;
	struct discover_cloud cloud;
	struct discover_asked asked;
	struct part part;
};

/* -- finding out ------------------------------------------------------------------------------- */

static void ask_environment(struct info *w)
{
	struct job_env env = {.text = NULL}; /* our own */
	struct err warning;

	w->part = part_none();
	if (w->root.replayed)
		return;
	part_read(&w->part, &env);
	discover_job_env(&w->root, &env, &w->s);
	w->s.part = part_describe(&w->part, w->s.job.host, false);
	discover_asked_open(&w->asked, w->o, &env, true, &w->limits, &w->s, &warning);
	discover_asked_start(&w->asked);
}

static int find_all_info(struct info *w, struct err *e)
{
	const struct collect_options *o = w->o;
	int64_t deadline = clocks_now(CLOCK_MONOTONIC) + WAIT_S * INT64_C(1000000000);
	const char *base = getenv("RTRACK_METADATA_BASE");

	if ((o->discover_cloud && discover_cloud_open(&w->cloud, base, e)) ||
	    root_open(&w->root, o->root, e))
		return -1;
	discover_cloud_start(&w->cloud, &w->root);
	job_info_describe(&w->s, o, &w->root, 0);
	if (o->discover_server) {
		(void)discover_server(&w->root, &w->s);
		discover_server_cpu(&w->root, &w->s);
	} else {
		w->s.server.vcpus = w->s.server.memory_b = w->s.server.gpu_count = NAN;
	}
	cgroup_find(&w->cgroup, &w->root, 0);
	limits_read(&w->limits, &w->root, &w->cgroup, 0);
	ask_environment(w);
	w->gpu = gpu_open_list(&w->root, o->gpus, 1, e);
	if (!w->gpu)
		return -1;
	gpu_wait(w->gpu, deadline);
	if (o->discover_server)
		gpu_describe(w->gpu, &w->s);
	discover_cloud_finish(&w->cloud, deadline, &w->s);
	discover_asked_finish(&w->asked, o, &w->limits, deadline, &w->s);
	gpu_notes_unread(w->gpu, &w->s);
	limits_notes(&w->limits, &w->s);
	return 0;
}

/* -- JSON -------------------------------------------------------------------------------------- */

static const char *known_text(const char *text)
{
	return text && *text && strcmp(text, "unknown") != 0 ? text : NULL;
}

static void write_info_server(const struct info *w, struct json_write *j)
{
	const struct snapshot *s = &w->s;

	if (!w->o->discover_server) {
		json_write_null(j, "server");
		return;
	}
	json_write_object(j, "server");
	json_write_str(j, "host", known_text(s->job.host));
	json_write_str(j, "os", known_text(s->server.os));
	json_write_str(j, "arch", known_text(s->job.arch));
	json_write_num(j, "cpus", s->server.vcpus);
	json_write_str(j, "cpu_model", known_text(s->machine.cpu_model));
	json_write_num(j, "memory_bytes", s->server.memory_b);
	json_write_str(j, "host_id", known_text(s->machine.host_id));
	json_write_str(j, "ip", known_text(s->machine.ip));
	json_write_object_end(j);
}

static void write_info_cloud(const struct info *w, struct json_write *j)
{
	const struct snapshot *s = &w->s;

	if (!w->o->discover_cloud) {
		json_write_null(j, "cloud");
		return;
	}
	json_write_object(j, "cloud");
	json_write_str(j, "vendor", known_text(s->cloud.vendor));
	json_write_str(j, "instance_type", known_text(s->cloud.instance_type));
	json_write_str(j, "region", known_text(s->cloud.region));
	json_write_str(j, "zone", known_text(s->machine.zone));
	json_write_str(j, "account", known_text(s->machine.account));
	json_write_object_end(j);
}

static int write_info(const struct info *w, struct buf *out, struct err *e)
{
	const struct snapshot *s = &w->s;
	struct json_write j = {.depth = 0};
	int failed = 0;

	json_write_object(&j, NULL);
	json_write_str(&j, "version", RTRACK_VERSION);
	write_info_server(w, &j);
	gpu_write(w->gpu, &j);
	write_info_cloud(w, &j);
	limits_write(&w->limits, &j);
	snapshot_fields_asked(&j, &s->asked);
	snapshot_fields_part(&j, &s->part);
	json_write_object(&j, "labels");
	for (size_t i = 0; i < s->job.labels.n; i++)
		json_write_str(&j, s->job.labels.v[i].key, s->job.labels.v[i].value);
	json_write_object_end(&j);
	snapshot_fields_write(&j, SNAPSHOT_RTRACK, SCHEMA_1, s);
	json_write_object_end(&j);
	if (json_write_finish(&j)) {
		buf_add(out, j.b.s, j.b.len);
		buf_char(out, '\n');
	} else {
		failed = err_set(e, "no memory for the text");
	}
	json_write_free(&j);
	return failed;
}

/* -- text -------------------------------------------------------------------------------------- */

#define LABEL "18" /* columns */

static void put_info_title(struct buf *out, const char *title)
{
	buf_printf(out, "\n%s\n", title);
}

/* err_set() replaces control characters: names come from files and the network. */
static void put_info_row(struct buf *out, const char *label, const char *text)
{
	struct err safe = {0}, name = {0};

	err_set(&safe, "%s", text && *text ? text : "unknown");
	err_set(&name, "%s", label);
	buf_printf(out, "  %-" LABEL "s%s%s\n", name.msg, strlen(name.msg) < 18 ? "" : " ",
	           safe.msg);
}

static const char *plain_amount_text(double v, char out[32])
{
	snprintf(out, 32, "%.6g", v);
	return isnan(v) ? "unknown" : out;
}

static const char *binary_bytes_text(double b, char out[32])
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
	size_t unit = 0;

	if (isnan(b))
		return "unknown";
	for (; b >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
		b /= 1024;
	snprintf(out, 32, unit ? "%.1f %s" : "%.0f %s", b, units[unit]);
	return out;
}

static const char *asked_hours_text(double s, char out[32])
{
	uint64_t whole;

	if (isnan(s) || s < 0 || s > 1e12)
		return "unknown";
	whole = (uint64_t)s;
	snprintf(out, 32, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, whole / 3600, whole / 60 % 60,
	         whole % 60);
	return out;
}

static void put_gpus_row(struct buf *out, const struct snapshot *s)
{
	char text[256], memory[32];

	if (!(s->server.gpu_count > 0)) {
		put_info_row(out, "GPUs", s->server.gpu_count >= 0 ? "none found" : NULL);
		return;
	}
	snprintf(text, sizeof text, "%.0f × %.128s, %s in all", s->server.gpu_count,
	         s->server.gpu_name, binary_bytes_text(s->server.gpu_memory_b, memory));
	put_info_row(out, "GPUs", text);
}

static void put_server_rows(struct buf *out, const struct snapshot *s)
{
	char text[128], number[32];

	put_info_title(out, "Server");
	put_info_row(out, "Host", s->job.host);
	snprintf(text, sizeof text, "%.64s%s%.32s", s->server.os ? s->server.os : "",
	         s->job.arch && *s->job.arch ? ", " : "", s->job.arch ? s->job.arch : "");
	put_info_row(out, "Operating system", text);
	put_info_row(out, "CPUs", plain_amount_text(s->server.vcpus, number));
	put_info_row(out, "CPU model", s->machine.cpu_model);
	put_info_row(out, "Memory", binary_bytes_text(s->server.memory_b, number));
	put_gpus_row(out, s);
	put_info_row(out, "IP address", s->machine.ip);
	put_info_row(out, "Host ID", s->machine.host_id);
}

static void put_cloud_rows(struct buf *out, const struct snapshot *s)
{
	put_info_title(out, "Cloud");
	put_info_row(out, "Vendor", s->cloud.vendor);
	put_info_row(out, "Instance type", s->cloud.instance_type);
	put_info_row(out, "Region", s->cloud.region);
	put_info_row(out, "Zone", s->machine.zone);
	put_info_row(out, "Account", s->machine.account);
}

static void put_limit_row(struct buf *out, const char *label, const char *value, const char *from)
{
	char text[128];

	snprintf(text, sizeof text, from ? "%s (%s)" : "%s", value, from);
	put_info_row(out, label, text);
}

static void put_limit_rows(struct buf *out, const struct snapshot_limits *l)
{
	char number[32];

	put_info_title(out, "Limits");
	put_limit_row(out, "CPUs", plain_amount_text(l->cpus, number), l->cpus_from);
	if (isnan(l->memory_b))
		put_info_row(out, "Memory", "no limit found");
	else
		put_limit_row(out, "Memory", binary_bytes_text(l->memory_b, number),
		              l->memory_from);
	if (!isnan(l->memory_high_b))
		put_limit_row(out, "Memory, soft", binary_bytes_text(l->memory_high_b, number),
		              NULL);
	if (!isnan(l->swap_b))
		put_limit_row(out, "Swap", binary_bytes_text(l->swap_b, number), NULL);
	if (!isnan(l->address_space_b))
		put_limit_row(out, "Address space", binary_bytes_text(l->address_space_b, number),
		              "RLIMIT_AS");
}

static void put_asked_rows(struct buf *out, const struct snapshot *s)
{
	static const struct {
		enum snapshot_asked_id id;
		const char *label;
		const char *(*text)(double v, char out[32]);
	} rows[] = {{SNAPSHOT_ASKED_CPUS, "CPUs", plain_amount_text},
	            {SNAPSHOT_ASKED_MEMORY, "Memory", binary_bytes_text},
	            {SNAPSHOT_ASKED_GPUS, "GPUs", plain_amount_text},
	            {SNAPSHOT_ASKED_TIME, "Time", asked_hours_text},
	            {SNAPSHOT_ASKED_NODES, "Nodes", plain_amount_text},
	            {SNAPSHOT_ASKED_TASKS, "Tasks", plain_amount_text}};
	char number[32], from[96];

	put_info_title(out, "Asked for");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct snapshot_ask *a = &s->asked.of[rows[i].id];
		if (!s->asked.known || isnan(a->value)) {
			put_info_row(out, rows[i].label, NULL);
			continue;
		}
		snprintf(from, sizeof from, "%.16s: %.64s", a->source, a->detail ? a->detail : "");
		put_limit_row(out, rows[i].label, rows[i].text(a->value, number), from);
	}
}

static void put_job_rows(struct buf *out, const struct snapshot *s)
{
	char number[32];

	if (!s->part.known && !s->job.labels.n)
		return;
	put_info_title(out, "Job");
	if (s->part.known) {
		put_info_row(out, "Key", s->part.job);
		put_info_row(out, "Node", s->part.node);
		put_info_row(out, "Task", plain_amount_text(s->part.task, number));
	}
	for (size_t i = 0; i < s->job.labels.n; i++)
		put_info_row(out, s->job.labels.v[i].key, s->job.labels.v[i].value);
}

/* Control characters in what was found out are written as \x1b. */
static void write_info_text(const struct collect_options *o, const struct snapshot *s,
                            const struct snapshot_limits *l, struct buf *out)
{
	buf_str(out, "rtrack-collect " RTRACK_VERSION "\n");
	if (o->discover_server)
		put_server_rows(out, s);
	if (o->discover_cloud)
		put_cloud_rows(out, s);
	put_limit_rows(out, l);
	put_asked_rows(out, s);
	put_job_rows(out, s);
	if (s->notes.n)
		put_info_title(out, "Notes");
	for (size_t i = 0; i < s->notes.n; i++) {
		struct err safe = {0};
		err_set(&safe, "%s", s->notes.v[i]);
		buf_printf(out, "  %s\n", safe.msg);
	}
}

/* -- all --------------------------------------------------------------------------------------- */

int machine_info(const struct collect_options *o, struct buf *out, struct err *e)
{
	struct info w = {.o = o};
	int failed = find_all_info(&w, e);

	if (!failed && strcmp(o->info, "json") == 0)
		failed = write_info(&w, out, e);
	else if (!failed)
		write_info_text(o, &w.s, &w.limits.of, out);
	if (!failed && (out->failed || alloc_failed())) /* what found no room is not unknown */
		failed = err_set(e, "no memory");
	discover_cloud_close(&w.cloud);
	discover_asked_close(&w.asked);
	gpu_close(w.gpu);
	snapshot_free(&w.s);
	root_close(&w.root);
	return failed;
}
