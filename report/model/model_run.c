/* model_run: the model's "run", "status", "server" and "cloud". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/model/model.h"
#include "report/runs/job_key.h"
#include "report/runs/parts.h"
#include "report/units/model_json.h"
#include "report/verdict/verdict_end.h"

#define COMMAND_MAX ((size_t)2048) /* bytes of the command line */

/* Whether a shell reads the word unchanged. */
static bool needs_no_quotes(const char *word)
{
	static const char ok[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				 "_-./:=,+@%*";

	return *word && word[strspn(word, ok)] == '\0';
}

/* Writes a word that contains line breaks as $'first\nsecond' (bash, POSIX.1-2024). */
static void add_multiline_word(struct buf *b, const char *word)
{
	buf_str(b, "$'");
	for (; *word; word++) {
		if (*word == '\'' || *word == '\\')
			buf_char(b, '\\');
		if (*word == '\n' || *word == '\r')
			buf_str(b, *word == '\n' ? "\\n" : "\\r");
		else
			buf_char(b, *word);
	}
	buf_char(b, '\'');
}

static void add_shell_word(struct buf *b, const char *word)
{
	if (b->len)
		buf_char(b, ' ');
	if (needs_no_quotes(word)) {
		buf_str(b, word);
		return;
	}
	if (word[strcspn(word, "\r\n")]) {
		add_multiline_word(b, word);
		return;
	}
	buf_char(b, '\'');
	for (const char *p = word; *p; p++)
		if (*p == '\'')
			buf_str(b, "'\\''");
		else
			buf_char(b, *p);
	buf_char(b, '\'');
}

/* Writes the command line with quotes, ready to paste into a shell. */
static void add_command_line(cJSON *run, const struct snapshot *s)
{
	struct buf b = {0};

	for (size_t i = 0; i < s->job.argc && b.len <= COMMAND_MAX; i++)
		add_shell_word(&b, s->job.argv[i]);
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

static void add_run_facts(cJSON *model, const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	cJSON *r = cJSON_AddObjectToObject(model, "run"), *tags;

	model_json_cut(r, "name", job_key_name(run), MODEL_JSON_NAME_MAX);
	add_command_line(r, s);
	model_json_cut_or_null(r, "host", s->job.host, MODEL_JSON_NAME_MAX);
	model_json_cut_or_null(r, "user", s->job.user, MODEL_JSON_NAME_MAX);
	model_json_cut_or_null(r, "directory", s->job.cwd, MODEL_JSON_TEXT_MAX);
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

/* Of several nodes, the other facts are sums. */
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

	cJSON_AddBoolToObject(cloud, "known", s->cloud.known);
	facts = cJSON_AddArrayToObject(cloud, "facts");
	if (s->cloud.known) {
		model_json_fact(facts, "vendor", "Vendor", s->cloud.vendor);
		model_json_fact(facts, "instance", "Instance type", s->cloud.instance_type);
		model_json_fact(facts, "region", "Region", s->cloud.region);
		add_fact_if_known(facts, "zone", "Zone", s->machine.zone);
		add_fact_if_known(facts, "account", "Account", s->machine.account);
	}
	cJSON_AddStringToObject(cloud, "why",
	                        s->cloud.known ? ""
	                        : s->meta.discover_cloud
	                            ? "No cloud vendor was recognised."
	                            : "The recording did not look for a cloud.");
}

void model_run_add(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];

	add_run_facts(model, run);
	add_run_status(model, run);
	add_server_facts(model, run);
	add_cloud_facts(model, &run->snapshot);
}
