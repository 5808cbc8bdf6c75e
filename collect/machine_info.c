/* machine_info: --info. */
#include "collect/machine_info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/limits.h"
#include "collect/cloud/discover_cloud.h"
#include "collect/discover_asked.h"
#include "collect/gpu/gpu.h"
#include "collect/job/discover_job.h"
#include "collect/job/part.h"
#include "collect/job_info.h"
#include "collect/machine/clocks.h"
#include "collect/machine/discover_server.h"
#include "collect/machine_info_text.h"
#include "core/base/alloc_failed.h"
#include "core/json/json_write.h"
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

static int find_info_gpus(struct info *w, int64_t deadline, struct err *e)
{
	w->gpu = gpu_open_list(&w->root, w->o->gpus, 1, e);
	if (!w->gpu)
		return -1;
	gpu_wait(w->gpu, deadline);
	if (w->o->discover_server)
		gpu_describe(w->gpu, &w->s);
	return 0;
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
	if (find_info_gpus(w, deadline, e))
		return -1;
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
	snapshot_fields_write(&j, SNAPSHOT_NOTES, SCHEMA_1, s);
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

/* -- all --------------------------------------------------------------------------------------- */

int machine_info(const struct collect_options *o, struct buf *out, struct err *e)
{
	struct info w = {.o = o};
	int failed = find_all_info(&w, e);

	if (!failed && strcmp(o->info, "json") == 0)
		failed = write_info(&w, out, e);
	else if (!failed)
		machine_info_text(o, &w.s, &w.limits, out);
	if (!failed && (out->failed || alloc_failed())) /* what found no room is not unknown */
		failed = err_set(e, "no memory");
	discover_cloud_close(&w.cloud);
	discover_asked_close(&w.asked);
	gpu_close(w.gpu);
	snapshot_free(&w.s);
	root_close(&w.root);
	return failed;
}
