/* rtrack-collect: records what a job and its machine use. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/limits.h"
#include "collect/cloud/discover_cloud.h"
#include "collect/collect_options.h"
#include "collect/command/command.h"
#include "collect/command/per_node.h"
#include "collect/command/phase_fifo.h"
#include "collect/discover_asked.h"
#include "collect/end/termination_log.h"
#include "collect/events/process_sources.h"
#include "collect/gpu/gpu.h"
#include "collect/job/discover_job.h"
#include "collect/job/part.h"
#include "collect/job_info.h"
#include "collect/machine/clocks.h"
#include "collect/machine/discover_server.h"
#include "collect/machine/machine.h"
#include "collect/now.h"
#include "collect/output/recover.h"
#include "collect/output/remote_output.h"
#include "collect/output/report_program.h"
#include "collect/output/snapshot_file.h"
#include "collect/output/stdout_output.h"
#include "collect/process/tree.h"
#include "collect/run.h"
#include "collect/sample.h"
#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/quantity.h"
#include "core/base/shell_word.h"
#include "core/base/version.h"
#include "core/files/journal.h"
#include "core/files/snapshot_read.h"
#include "core/json/json_write.h"
#include "core/numbers/metric.h"
#include "core/recording/gaps.h"
#include "core/recording/snapshot.h"
#include "core/recording/snapshot_fields.h"
#include "core/recording/snapshot_source.h"

#define SENTENCE_MAX   8192
#define STACK_B        1048576 /* what the recorder uses at most, and more */
#define GPU_WAIT_S     3       /* for the first reading of GPUs */
#define ANSWERS_WAIT_S 3       /* --info: for all answers together */
#define NS_PER_S       INT64_C(1000000000)
#define INFO_LABEL     "18" /* columns */

/* -- --recover of a recording in an object store ----------------------------------------------- */

struct remote_recovery {
	struct remote_output to;
	struct snapshot_file file;
	char program[PATH_MAX];
	char journal[PATH_MAX];
};

/* Whether --recover or its --output names an object in a store. */
static bool recover_remote_is_asked(const struct collect_options *o)
{
	return remote_output_kind_of(o->recover) == REMOTE_OUTPUT_S3 ||
	       (o->output && remote_output_kind_of(o->output) == REMOTE_OUTPUT_S3);
}

static int run_report(const struct remote_recovery *w, const char *option, const char *file,
                      struct err *e)
{
	const char *const argv[] = {w->program, option, file, w->to.address, NULL};
	struct report_program p;
	struct err said = {0};
	int status;

	if (report_program_start(&p, argv, REPORT_PROGRAM_ENDS, NULL, e))
		return -1;
	status = report_program_wait(&p, &said);
	report_program_close(&p, false);
	if (status == 0)
		return 0;
	return err_set(e, "%s", *said.msg ? said.msg : "rtrack-report failed");
}

/* Where the key has an object, that is downloaded. */
static int check_unfinished(const struct remote_recovery *w, struct err *e)
{
	const size_t magic = strlen(JOURNAL_MAGIC);
	char begin[sizeof JOURNAL_MAGIC];
	int fd = open(w->journal, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, begin, magic);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return err_set(e, "%s: %s", w->journal, strerror(errno));
	if ((size_t)n == magic && memcmp(begin, JOURNAL_MAGIC, magic) == 0)
		return 0;
	unlink(w->journal);
	return err_set(e, "%s exists, so there is nothing to recover", w->to.address);
}

/* Chooses local names that no file has, and downloads the pieces. */
static int fetch_pieces(struct remote_recovery *w, const struct collect_options *o, struct err *e)
{
	struct snapshot_file journal = {.path = ""};

	if (remote_output_open(&w->to, o->recover, e) ||
	    remote_output_name(&w->to, o->recover, NULL, &w->file, e))
		return -1;
	if (snprintf(w->journal, sizeof w->journal, "%s.partial", w->to.local) >=
	    (int)sizeof w->journal)
		return err_set(e, "%s: the name is too long", w->to.local);
	if (snapshot_file_free_name(&journal, w->journal, e))
		return -1;
	memcpy(w->journal, journal.path, sizeof w->journal);
	if (run_report(w, "--get", w->journal, e))
		return -1;
	return check_unfinished(w, e);
}

static int name_upload(struct remote_recovery *w, const struct collect_options *o, struct err *e)
{
	if (strlen(o->recover) >= sizeof w->journal)
		return err_set(e, "%s: the name is too long", o->recover);
	memcpy(w->journal, o->recover, strlen(o->recover) + 1);
	if (remote_output_open(&w->to, o->output, e))
		return -1;
	return remote_output_name(&w->to, o->output, NULL, &w->file, e);
}

static int upload_recovered(struct remote_recovery *w, struct err *e)
{
	struct buf command = {0};
	int failed = run_report(w, "--put", w->file.path, e);

	remote_output_command(&w->to, w->file.path, &command);
	if (failed)
		err_wrap(e, "the recording was recovered, but not uploaded; this uploads it: %s",
		         buf_cstr(&command));
	else
		unlink(w->file.path);
	buf_free(&command);
	return failed;
}

/* Downloads the pieces of the key, if the journal is not a file; recovers the journal; uploads the
 * snapshot, which deletes the pieces; removes the local files. *where: what has the snapshot.
 * *lost: as above. -1 with a sentence, which names the files that stay. */
static int recover_remote(const struct collect_options *o, struct buf *where, size_t *rows,
                          struct err *lost, struct err *e)
{
	struct remote_recovery *w = calloc(1, sizeof *w);
	bool download = remote_output_kind_of(o->recover) == REMOTE_OUTPUT_S3;
	char path[PATH_MAX];
	int failed = -1;

	if (!w)
		return err_set(e, "no memory");
	if (report_program_find(w->program, e))
		goto out;
	if (download ? fetch_pieces(w, o, e) : name_upload(w, o, e))
		goto out;
	/* Named, because its name was chosen, and no file has it. */
	memcpy(path, w->file.path, sizeof path);
	if (recover(w->journal, path, o->schema, &w->file, rows, lost, e)) {
		if (download)
			err_wrap(e, "what was downloaded is in %s", w->journal);
		goto out;
	}
	failed = upload_recovered(w, e);
	if (failed)
		goto out;
	remote_output_show(&w->to, where);
	if (*lost->msg)
		err_wrap(lost, "%s is kept", w->journal);
out:
	free(w);
	return failed;
}

/* -- --info: what is known of the machine, without a recording (docs/info.md) ------------------ */

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
	struct process_sources sources;
};

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
	discover_asked_open(&w->asked, w->o, &env, true, &w->s, &warning);
	discover_asked_machine(&w->asked, w->o, &w->limits, &w->s);
	discover_asked_start(&w->asked);
}

static int find_all_info(struct info *w, struct err *e)
{
	const struct collect_options *o = w->o;
	int64_t deadline = clocks_now(CLOCK_MONOTONIC) + ANSWERS_WAIT_S * NS_PER_S;
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
	process_sources_try(&w->root, &w->sources);
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
	json_write_str(&j, "version", rtrack_version);
	write_info_server(w, &j);
	gpu_write(w->gpu, &j);
	write_info_cloud(w, &j);
	limits_write(&w->limits, &j);
	snapshot_fields_asked(&j, &s->asked);
	snapshot_fields_part(&j, &s->part);
	process_sources_write(&w->sources, &j);
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
	buf_printf(out, "  %-" INFO_LABEL "s%s%s\n", name.msg, strlen(name.msg) < 18 ? "" : " ",
	           safe.msg);
}

static const char *plain_amount_text(double v, char out[32])
{
	snprintf(out, 32, "%.6g", v);
	return isnan(v) ? "unknown" : out;
}

static void put_gpus_row(struct buf *out, const struct snapshot *s)
{
	char text[256], memory[32];

	if (!(s->server.gpu_count > 0)) {
		put_info_row(out, "GPUs", s->server.gpu_count >= 0 ? "none found" : NULL);
		return;
	}
	snprintf(text, sizeof text, "%.0f × %.128s, %s in all", s->server.gpu_count,
	         s->server.gpu_name, quantity_size_text(s->server.gpu_memory_b, memory));
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
	put_info_row(out, "Memory", quantity_size_text(s->server.memory_b, number));
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
		put_limit_row(out, "Memory", quantity_size_text(l->memory_b, number),
		              l->memory_from);
	if (!isnan(l->memory_high_b))
		put_limit_row(out, "Memory, soft", quantity_size_text(l->memory_high_b, number),
		              NULL);
	if (!isnan(l->swap_b))
		put_limit_row(out, "Swap", quantity_size_text(l->swap_b, number), NULL);
	if (!isnan(l->address_space_b))
		put_limit_row(out, "Address space", quantity_size_text(l->address_space_b, number),
		              "RLIMIT_AS");
}

static void put_asked_rows(struct buf *out, const struct snapshot *s)
{
	static const struct {
		enum snapshot_asked_id id;
		const char *label;
		const char *(*text)(double v, char out[32]);
	} rows[] = {{SNAPSHOT_ASKED_CPUS, "CPUs", plain_amount_text},
	            {SNAPSHOT_ASKED_MEMORY, "Memory", quantity_size_text},
	            {SNAPSHOT_ASKED_GPUS, "GPUs", plain_amount_text},
	            {SNAPSHOT_ASKED_TIME, "Time", quantity_clock_text},
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

static void put_processes_rows(struct buf *out, const struct info *w)
{
	const struct process_sources *s = &w->sources;
	char text[512];

	if (s->captured && !*s->perf.msg)
		return;
	put_info_title(out, "Processes");
	if (!s->captured)
		put_info_row(out, "Source", process_sources_usual(s));
	snprintf(text, sizeof text, "%s%.200s%s%s", *s->perf.msg ? "refused: " : "works",
	         s->perf.msg, s->change_perf ? "; " : "", s->change_perf ? s->change_perf : "");
	put_info_row(out, "Software events", text);
	if (s->captured)
		return;
	snprintf(text, sizeof text, "%s%.200s", *s->connector.msg ? "refused: " : "works",
	         s->connector.msg);
	put_info_row(out, "Connector", text);
}

/* Control characters in what was found out are written as \x1b. */
static void write_info_text(const struct info *w, struct buf *out)
{
	const struct collect_options *o = w->o;
	const struct snapshot *s = &w->s;

	buf_printf(out, "rtrack-collect %s\n", rtrack_version);
	if (o->discover_server)
		put_server_rows(out, s);
	if (o->discover_cloud)
		put_cloud_rows(out, s);
	put_limit_rows(out, &w->limits.of);
	put_processes_rows(out, w);
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

/* Appends the text, or one line of JSON. Waits for the answers of metadata services, schedulers and
 * GPU drivers, 3 s at most, with --gpu 30 s. -1 with a sentence. */
static int machine_info(const struct collect_options *o, struct buf *out, struct err *e)
{
	struct info w = {.o = o};
	int failed = find_all_info(&w, e);

	if (failed)
		goto out;
	if (strcmp(o->info, "json") == 0)
		failed = write_info(&w, out, e);
	else
		write_info_text(&w, out);
	if (!failed && (out->failed || alloc_failed())) /* what found no room is not unknown */
		failed = err_set(e, "no memory");
out:
	discover_cloud_close(&w.cloud);
	discover_asked_close(&w.asked);
	gpu_close(w.gpu);
	snapshot_free(&w.s);
	root_close(&w.root);
	return failed;
}

/* -- --once: the accounts of now, without a recording (docs/info.md) --------------------------- */

struct once {
	const struct collect_options *o;
	struct root root;
	struct tree *tree;
	struct machine *machine;
	struct gpu *gpu;
	struct sample now;
};

static int open_once(struct once *w, struct err *e)
{
	const struct collect_options *o = w->o;

	if (root_open(&w->root, o->root, e))
		return -1;
	if (o->pid && !(w->tree = tree_open(&w->root, false, e)))
		return -1;
	if (w->tree && tree_set_root(w->tree, (int)o->pid, e))
		return -1;
	if (w->tree && !o->children)
		tree_set_alone(w->tree);
	w->machine = machine_open(&w->root, o->schema, e);
	if (!w->machine)
		return -1;
	machine_since_boot(w->machine);
	machine_keep_devices(w->machine);
	if (!(w->gpu = gpu_open_list(&w->root, o->gpus, 1, e)))
		return -1;
	gpu_find(w->gpu);
	if (w->tree)
		tree_exclude(w->tree, gpu_pid(w->gpu));
	return 0;
}

/* Its first reading comes from another process. */
static void await_gpus(struct once *w)
{
	const struct timespec pause = {0, 10000000};
	const struct gpu_tree tree = sample_gpu_tree(w->tree, (int)w->o->pid);
	int64_t deadline = w->now.at + GPU_WAIT_S * NS_PER_S;

	if (gpu_any(w->gpu)) {
		gpu_wait(w->gpu, deadline);
		gpu_start(w->gpu, clocks_now(CLOCK_MONOTONIC));
	}
	do {
		gpu_read(w->gpu, w->tree ? &tree : NULL, &w->now.gpu);
	} while (isnan(w->now.gpu.system_vram_b) && clocks_now(CLOCK_MONOTONIC) < deadline &&
	         nanosleep(&pause, NULL) == 0);
}

/* Each device of a kind, in bytes. */
static void write_devices(const struct once *w, struct json_write *j, enum detail_kind kind,
                          const char *key, const char *first, const char *second)
{
	const struct devices *d = machine_devices(w->machine);

	json_write_object(j, key);
	for (size_t i = 0; i < d->n; i++) {
		const struct devices_entry *e = &d->v[i];
		if (e->kind != kind || e->seen != d->reading)
			continue;
		json_write_object(j, e->name);
		json_write_num(j, first, d->value[e->cell]);
		json_write_num(j, second, d->value[e->cell + 1]);
		json_write_object_end(j);
	}
	json_write_object_end(j);
}

/* The documented columns; null is not measured. Amounts are since the beginning of the process and
 * of the machine, so that there is no mean of them over a time. */
static void write_scope(const struct once *w, struct json_write *j, enum metric_scope scope,
                        const double *row)
{
	json_write_object(j, metric_scope_name(scope));
	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].scope == scope && metrics[id].documented &&
		    id != METRIC_PROCESS_CPU_USAGE && id != METRIC_SYSTEM_CPU_USAGE)
			json_write_num(j, metrics[id].name[w->o->schema],
			               metric_spell(&metrics[id], w->o->schema, row[id]));
	if (scope == METRIC_SCOPE_SYSTEM) {
		write_devices(w, j, DETAIL_DISK, "disk_stats", "read_bytes", "write_bytes");
		write_devices(w, j, DETAIL_FILE_SYSTEM, "disk_spaces", "used", "free");
	}
	json_write_object_end(j);
}

static int write_accounts(const struct once *w, struct buf *out, struct err *e)
{
	const struct sample nothing = {.at = w->now.at};
	const struct sample_shape shape = {(int)w->o->pid, NAN, w->tree, NULL};
	struct sample_carry carry = {0};
	struct json_write j = {0};
	double row[METRIC_COUNT];
	bool ok;

	sample_row(&nothing, &w->now, &shape, &carry, row);
	if (w->tree && !w->o->children)
		row[METRIC_PROCESS_CHILDREN] = NAN;
	json_write_object(&j, NULL);
	if (w->tree)
		write_scope(w, &j, METRIC_SCOPE_PROCESS, row);
	else
		json_write_null(&j, metric_scope_name(METRIC_SCOPE_PROCESS));
	write_scope(w, &j, METRIC_SCOPE_SYSTEM, row);
	json_write_object_end(&j);
	ok = json_write_finish(&j);
	if (ok)
		buf_printf(out, "%s\n", buf_cstr(&j.b));
	json_write_free(&j);
	return ok && !out->failed && !alloc_failed() ? 0 : err_set(e, "no memory");
}

/* Appends one line of JSON. Waits for the first reading of GPUs, 3 s at most. -1 with a sentence:
 * there is no such process, no such GPU, or no memory. */
static int once_print(const struct collect_options *o, struct buf *out, struct err *e)
{
	struct once w = {.o = o};
	int failed = open_once(&w, e);

	if (!failed) {
		w.now.at = clocks_now(CLOCK_MONOTONIC);
		w.now.time = (double)clocks_now(CLOCK_REALTIME) / 1e9;
		sample_take(&w.now, w.tree, w.machine, NULL);
		await_gpus(&w);
		failed = write_accounts(&w, out, e);
	}
	gpu_close(w.gpu);
	machine_close(w.machine);
	tree_close(w.tree);
	root_close(&w.root);
	return failed;
}

/* -- what is printed --------------------------------------------------------------------------- */

/* A single write(2), so that lines of the command do not mix with this one. */
static void print_sentence(const char *sentence)
{
	char line[SENTENCE_MAX];
	int n = snprintf(line, sizeof line, "rtrack-collect: %s\n", sentence);

	if (n >= (int)sizeof line)
		n = (int)sizeof line - 1;
	if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
		return; /* nowhere to report this */
}

/* If standard input, output or error is closed, our own files must not take its number: the command
 * would get them. */
static void fill_standard_fds(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static int print_buf(struct buf *b)
{
	struct err e = {0};
	size_t done = 0;

	while (!b->failed && done < b->len) {
		ssize_t n = write(STDOUT_FILENO, b->s + done, b->len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	if (b->failed || done < b->len) {
		err_set(&e, "standard output: %s", b->failed ? "no memory" : strerror(errno));
		print_sentence(e.msg);
		buf_free(b);
		return 1;
	}
	buf_free(b);
	return 0;
}

/* Goes through err_set(), which replaces control characters: a file name may contain escape
 * sequences for the terminal. */
static void print_sanitized(struct buf *b)
{
	struct err safe = {0};

	err_set(&safe, "%s", b->failed ? "no memory for the summary" : buf_cstr(b));
	print_sentence(safe.msg);
	buf_clear(b);
}

/* Not inlined, nor is recover_journal: the arrays of both would be on the stack of a recording,
 * where -fstack-clash-protection touches each page. */
__attribute__((noinline)) static int print_information(const struct collect_options *o)
{
	struct buf b = {0};
	struct err e = {0};
	int failed;

	if (o->info || o->once || o->now) {
		if (o->now)
			failed = now_print(o->json, o->keep_command, &b, &e);
		else
			failed = o->info ? machine_info(o, &b, &e) : once_print(o, &b, &e);
		if (failed) {
			print_sentence(e.msg);
			buf_free(&b);
			return 1;
		}
		return print_buf(&b);
	}
	if (o->help)
		collect_options_help(&b);
	else if (o->version)
		buf_printf(&b, "rtrack-collect %s\n", rtrack_version);
	else
		metric_list(&b);
	return print_buf(&b);
}

static void append_memory(struct buf *b, double bytes)
{
	double mib = bytes / 1048576;

	if (mib < 10)
		buf_printf(b, "%.1f MiB", mib);
	else if (mib < 10240)
		buf_printf(b, "%.0f MiB", mib);
	else
		buf_printf(b, "%.1f GiB", mib / 1024);
}

/* As a report shows it. */
static void append_peak_memory(struct buf *b, const struct run_result *r)
{
	double most_b = r->memory.peak_most_b;

	buf_str(b, r->memory.known && isnan(most_b) ? ", peak memory at least " : ", peak memory ");
	append_memory(b, r->peak_b);
	if (snapshot_memory_apart(most_b, r->peak_b)) {
		buf_str(b, " to ");
		append_memory(b, most_b);
	}
}

static void append_ending(struct buf *b, const struct collect_options *o,
                          const struct run_result *r)
{
	if (o->mode == COLLECT_OPTIONS_SYSTEM)
		buf_str(b, "stopped after ");
	else if (o->mode == COLLECT_OPTIONS_PROCESS)
		buf_printf(b, "process %ld %s after ", o->pid,
		           r->detached ? "is no longer followed" : "ended");
	else if (r->signal && *snapshot_signal_name(r->signal))
		buf_printf(b, "killed by SIG%s after ", snapshot_signal_name(r->signal));
	else if (r->signal)
		buf_printf(b, "killed by signal %d after ", r->signal);
	else if (r->code)
		buf_printf(b, "ended with status %d after ", r->code);
	else
		buf_str(b, "finished in ");
	if (r->wall_s < 0.1)
		buf_printf(b, "%.3f s", r->wall_s);
	else
		buf_printf(b, r->wall_s < 100 ? "%.1f s" : "%.0f s", r->wall_s);
}

/* For people, who may not know the other command yet. */
static void print_next_step(const struct collect_options *o, const struct run_result *r)
{
	struct buf b = {0};

	if (!r->written || stdout_output_is(o->output) || !isatty(STDERR_FILENO))
		return;
	buf_str(&b, "next: rtrack-report -o report.html ");
	if (*r->output == '-')
		buf_str(&b, "./");
	shell_word_add(&b, r->output);
	print_sanitized(&b);
	buf_free(&b);
}

static void print_summary(const struct collect_options *o, const struct run_result *r)
{
	struct buf b = {0};

	append_ending(&b, o, r);
	if (r->tasks.known && r->tasks.failed > 0)
		buf_printf(&b, ", %.0f of %.0f tasks failed", r->tasks.failed, r->tasks.n);
	else if (r->tasks.known && r->tasks.unknown > 0)
		buf_printf(&b, ", how %.0f of %.0f tasks ended is not known", r->tasks.unknown,
		           r->tasks.n);
	buf_printf(&b, ", %s%.2f cores on average", o->record_job ? "" : "the machine used ",
	           r->cores);
	if (r->peak_b > 0)
		append_peak_memory(&b, r);
	if (r->written && !stdout_output_is(o->output))
		buf_printf(&b, "; snapshot: %s", r->output);
	print_sanitized(&b);
	buf_printf(&b, "%llu row%s, %llu skipped; recording took %.3f s of CPU time",
	           (unsigned long long)r->rows, r->rows == 1 ? "" : "s",
	           (unsigned long long)r->skipped, r->cpu_s);
	if (o->verbose)
		print_sanitized(&b);
	buf_free(&b);
}

/* As the other lines: without a capital and a full stop. */
static void print_why(const char *why)
{
	size_t n = strlen(why);
	struct buf b = {0};

	if (n < 2)
		return;
	buf_char(&b, (char)tolower((unsigned char)*why));
	buf_add(&b, why + 1, n - 1 - (why[n - 1] == '.'));
	print_sanitized(&b);
	buf_free(&b);
}

static int check_stdout(const struct collect_options *o, struct err *e)
{
	if (!stdout_output_is(o->output) || !isatty(STDOUT_FILENO))
		return 0;
	return err_set(e, "--output -: standard output is a terminal; redirect it, or name a file");
}

static int mark_phase(const char *name)
{
	struct err e = {0};

	if (phase_fifo_send(name, &e) == 0)
		return 0;
	print_sentence(e.msg);
	return 1;
}

/* --output -: 0, or the status of a failure. */
static int print_snapshot(const char *path)
{
	struct err e = {0};

	if (stdout_output_copy(path, STDOUT_FILENO, &e) == 0)
		return 0;
	print_sentence(e.msg);
	return 1;
}

static int name_printed(struct snapshot_file *file, struct err *e)
{
	const struct part none = part_none();
	time_t now = (time_t)(clocks_now(CLOCK_REALTIME) / 1000000000);
	const struct snapshot_file_values v = {
	    .host = "recovered", .pid = getpid(), .now = now, .part = &none, .name = ""};

	return stdout_output_name(file, &v, e);
}

static int bring_spool(const struct collect_options *o)
{
	struct recover_counts n = {0};
	struct buf b = {0};
	struct err e = {0};

	if (recover_spool(o->recover, o->append_to, o->schema, print_sentence, &n, &e)) {
		print_sentence(e.msg);
		return 1;
	}
	buf_printf(&b, "brought %zu recording%s to %s", n.brought, n.brought == 1 ? "" : "s",
	           o->append_to);
	if (n.left)
		buf_printf(&b, "; %zu stay%s", n.left, n.left == 1 ? "s" : "");
	if (n.unfinished)
		buf_str(&b, "; more may stay");
	if (!o->quiet && (n.brought || n.left || n.unfinished))
		print_sanitized(&b);
	buf_free(&b);
	return n.left || n.unfinished;
}

__attribute__((noinline)) static int recover_journal(const struct collect_options *o)
{
	struct snapshot_file output = {.path = ""}, printed = {.path = ""};
	bool prints = stdout_output_is(o->output);
	const char *to = prints ? printed.path : o->output;
	struct err e = {0}, lost = {0};
	struct buf b = {0}, where = {0};
	bool remote = recover_remote_is_asked(o);
	size_t rows;
	int failed;

	if (check_stdout(o, &e)) {
		print_sentence(e.msg);
		return COMMAND_NOT_STARTED;
	}
	if (prints && name_printed(&printed, &e)) {
		print_sentence(e.msg);
		return 1;
	}
	if (remote)
		failed = recover_remote(o, &where, &rows, &lost, &e);
	else
		failed = recover(o->recover, to, o->schema, &output, &rows, &lost, &e);
	if (prints)
		stdout_output_clean(printed.path);

	if (failed) {
		print_sentence(e.msg);
		buf_free(&where);
		return 1;
	}
	if (*lost.msg) {
		if (!remote)
			err_wrap(&lost, "%s is kept", o->recover);
		print_sentence(lost.msg);
	}
	if (prints)
		failed = print_snapshot(output.path);
	buf_printf(&b, "recovered %zu sample%s", rows, rows == 1 ? "" : "s");
	if (!prints)
		buf_printf(&b, "; snapshot: %s", remote ? buf_cstr(&where) : output.path);
	if (!o->quiet)
		print_sanitized(&b);
	buf_free(&b);
	buf_free(&where);
	return failed;
}

/* Another task of this node records this one too. Nothing was opened or changed yet. */
static int exec_task(char *const *command)
{
	int why = command_exec(command);
	struct err e = {0};

	command_explain(command[0], why, &e);
	print_sentence(e.msg);
	return command_status_of(why);
}

/* All that rtrack-collect does. Returns the status. */
static int collect(int argc, char **argv)
{
	struct collect_options o;
	struct run_result result;
	struct command_before before;
	struct err e = {0};

	/* Started by Slurm's plugin (spank/), outside of the job's cgroup: no process of the job's
	 * user may attach to us. The kernel sees to that already, unless fs.suid_dumpable is 1. */
	if (getgid() != getegid())
		(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	alloc_failed_watch();
#ifdef M_MMAP_THRESHOLD
	/* glibc raises it with each large block that is freed. Later ones would then take its
	 * place, and be cleared: pages of tables that are never used would become resident. */
	(void)mallopt(M_MMAP_THRESHOLD, 65536);
#endif
	fill_standard_fds();
	if (collect_options_parse(&o, argc, argv, &e)) {
		print_sentence(e.msg);
		return COMMAND_NOT_STARTED;
	}
	if (o.help || o.version || o.list_metrics || o.info || o.once || o.now)
		return print_information(&o);
	if (o.mark)
		return mark_phase(o.mark);
	if (o.recover)
		return o.append_to ? bring_spool(&o) : recover_journal(&o);
	if (o.per_node && o.command && per_node_is_other())
		return exec_task(o.command);
	if (check_stdout(&o, &e)) {
		print_sentence(e.msg);
		return COMMAND_NOT_STARTED;
	}
	command_save(&before);
	if (run(&o, print_sentence, &result, &e)) {
		if (result.cannot_record)
			err_wrap(&e, "the command runs without a recording");
		print_sentence(e.msg);
		if (!result.cannot_record)
			return result.status;
		result.status = command_run_unrecorded(&before, o.command, &e);
		print_sentence(e.msg);
		return result.status;
	}
	if (result.written && stdout_output_is(o.output) && print_snapshot(result.output))
		result.status = 1;
	termination_log_write(result.why);
	if (!o.quiet && !result.stderr_stalled) {
		print_summary(&o, &result);
		print_why(result.why);
		print_next_step(&o, &result);
	}
	return result.status;
}

/* -- the stack --------------------------------------------------------------------------------- */

struct stack_call {
	ucontext_t before, own;
	int argc, status;
	char **argv;
};

/* makecontext(3) passes numbers of 32 bits. */
static void make_call(unsigned high, unsigned low)
{
	struct stack_call *c = (struct stack_call *)((uintptr_t)high << 16 << 16 | low);

	c->status = collect(c->argc, c->argv);
}

/* NULL: the stack is large enough, or no other can be had. The lowest page catches an overflow. */
static void *make_stack(void)
{
	struct rlimit limit;
	char *stack;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= STACK_B)
		return NULL;
	stack = mmap(NULL, STACK_B, PROT_READ | PROT_WRITE,
	             MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
	if (stack == MAP_FAILED)
		return NULL;
	(void)mprotect(stack, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE);
	return stack;
}

/* A limit on the stack (ulimit -s) is meant for the command. Under one that is too small for the
 * recorder, it runs on a stack of its own, and the command has the limit as it is. */
int main(int argc, char **argv)
{
	void *stack = make_stack();
	struct stack_call c = {.argc = argc, .argv = argv};
	uintptr_t here = (uintptr_t)&c;

	if (!stack || getcontext(&c.own))
		return collect(argc, argv);
	c.own.uc_stack.ss_sp = stack;
	c.own.uc_stack.ss_size = STACK_B;
	c.own.uc_link = &c.before;
	makecontext(&c.own, (void (*)(void))make_call, 2, (unsigned)(here >> 16 >> 16),
	            (unsigned)here);
	if (swapcontext(&c.before, &c.own))
		return collect(argc, argv);
	return c.status;
}
