/* machine_info_text: --info as text for people. */
#include "collect/machine_info_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LABEL "18" /* columns */

static void add_title(struct buf *out, const char *title)
{
	buf_printf(out, "\n%s\n", title);
}

/* err_set() replaces control characters: names come from files and the network. */
static void add_row(struct buf *out, const char *label, const char *text)
{
	struct err safe = {0}, name = {0};

	err_set(&safe, "%s", text && *text ? text : "unknown");
	err_set(&name, "%s", label);
	buf_printf(out, "  %-" LABEL "s%s%s\n", name.msg, strlen(name.msg) < 18 ? "" : " ",
	           safe.msg);
}

static const char *amount_text(double v, char out[32])
{
	snprintf(out, 32, "%.6g", v);
	return isnan(v) ? "unknown" : out;
}

static const char *bytes_text(double b, char out[32])
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

static const char *time_text(double s, char out[32])
{
	if (isnan(s) || s < 0 || s > 1e12)
		return "unknown";
	snprintf(out, 32, "%.0f:%02.0f:%02.0f", floor(s / 3600), floor(fmod(s, 3600) / 60),
	         floor(fmod(s, 60)));
	return out;
}

static void add_gpus(struct buf *out, const struct snapshot *s)
{
	char text[256], memory[32];

	if (!(s->server.gpu_count > 0)) {
		add_row(out, "GPUs", s->server.gpu_count >= 0 ? "none found" : NULL);
		return;
	}
	snprintf(text, sizeof text, "%.0f × %.128s, %s in all", s->server.gpu_count,
	         s->server.gpu_name, bytes_text(s->server.gpu_memory_b, memory));
	add_row(out, "GPUs", text);
}

static void add_server(struct buf *out, const struct snapshot *s)
{
	char text[128], number[32];

	add_title(out, "Server");
	add_row(out, "Host", s->job.host);
	snprintf(text, sizeof text, "%.64s%s%.32s", s->server.os ? s->server.os : "",
	         s->job.arch && *s->job.arch ? ", " : "", s->job.arch ? s->job.arch : "");
	add_row(out, "Operating system", text);
	add_row(out, "CPUs", amount_text(s->server.vcpus, number));
	add_row(out, "CPU model", s->machine.cpu_model);
	add_row(out, "Memory", bytes_text(s->server.memory_b, number));
	add_gpus(out, s);
	add_row(out, "IP address", s->machine.ip);
	add_row(out, "Host ID", s->machine.host_id);
}

static void add_cloud(struct buf *out, const struct snapshot *s)
{
	add_title(out, "Cloud");
	add_row(out, "Vendor", s->cloud.vendor);
	add_row(out, "Instance type", s->cloud.instance_type);
	add_row(out, "Region", s->cloud.region);
	add_row(out, "Zone", s->machine.zone);
	add_row(out, "Account", s->machine.account);
}

static void add_limit(struct buf *out, const char *label, const char *value, const char *from)
{
	char text[128];

	snprintf(text, sizeof text, from ? "%s (%s)" : "%s", value, from);
	add_row(out, label, text);
}

static void add_limits(struct buf *out, const struct limits *l)
{
	char number[32];

	add_title(out, "Limits");
	add_limit(out, "CPUs", amount_text(l->cpus, number), l->cpu_from);
	if (isnan(l->memory_b))
		add_row(out, "Memory", "no limit found");
	else
		add_limit(out, "Memory", bytes_text(l->memory_b, number), l->memory_from);
	if (!isnan(l->memory_high_b))
		add_limit(out, "Memory, soft", bytes_text(l->memory_high_b, number), NULL);
	if (!isnan(l->swap_b))
		add_limit(out, "Swap", bytes_text(l->swap_b, number), NULL);
	if (!isnan(l->as_b))
		add_limit(out, "Address space", bytes_text(l->as_b, number), "RLIMIT_AS");
}

static void add_asked(struct buf *out, const struct snapshot *s)
{
	static const struct {
		enum snapshot_asked_id id;
		const char *label;
		const char *(*text)(double v, char out[32]);
	} rows[] = {{SNAPSHOT_ASKED_CPUS, "CPUs", amount_text},
	            {SNAPSHOT_ASKED_MEMORY, "Memory", bytes_text},
	            {SNAPSHOT_ASKED_GPUS, "GPUs", amount_text},
	            {SNAPSHOT_ASKED_TIME, "Time", time_text},
	            {SNAPSHOT_ASKED_NODES, "Nodes", amount_text},
	            {SNAPSHOT_ASKED_TASKS, "Tasks", amount_text}};
	char number[32], from[96];

	add_title(out, "Asked for");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct snapshot_ask *a = &s->asked.of[rows[i].id];
		if (!s->asked.known || isnan(a->value)) {
			add_row(out, rows[i].label, NULL);
			continue;
		}
		snprintf(from, sizeof from, "%.16s: %.64s", a->source, a->detail ? a->detail : "");
		add_limit(out, rows[i].label, rows[i].text(a->value, number), from);
	}
}

static void add_job(struct buf *out, const struct snapshot *s)
{
	char number[32];

	if (!s->part.known && !s->job.labels.n)
		return;
	add_title(out, "Job");
	if (s->part.known) {
		add_row(out, "Key", s->part.job);
		add_row(out, "Node", s->part.node);
		add_row(out, "Task", amount_text(s->part.task, number));
	}
	for (size_t i = 0; i < s->job.labels.n; i++)
		add_row(out, s->job.labels.v[i].key, s->job.labels.v[i].value);
}

void machine_info_text(const struct collect_options *o, const struct snapshot *s,
                       const struct limits *l, struct buf *out)
{
	buf_str(out, "rtrack-collect " RTRACK_VERSION "\n");
	if (o->discover_server)
		add_server(out, s);
	if (o->discover_cloud)
		add_cloud(out, s);
	add_limits(out, l);
	add_asked(out, s);
	add_job(out, s);
	if (s->notes.n)
		add_title(out, "Notes");
	for (size_t i = 0; i < s->notes.n; i++) {
		struct err safe = {0};
		err_set(&safe, "%s", s->notes.v[i]);
		buf_printf(out, "  %s\n", safe.msg);
	}
}
