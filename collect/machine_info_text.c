/* machine_info_text: --info as text for people. */
#include "collect/machine_info_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void put_limit_rows(struct buf *out, const struct limits *l)
{
	char number[32];

	put_info_title(out, "Limits");
	put_limit_row(out, "CPUs", plain_amount_text(l->cpus, number), l->cpu_from);
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
	if (!isnan(l->as_b))
		put_limit_row(out, "Address space", binary_bytes_text(l->as_b, number),
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

void machine_info_text(const struct collect_options *o, const struct snapshot *s,
                       const struct limits *l, struct buf *out)
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
