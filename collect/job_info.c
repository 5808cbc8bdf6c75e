/* job_info: describes the job and the recording for the snapshot. */
#include "collect/job_info.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"
#include "collect/procfs/scan.h"
#include "collect/redact/redact.h"
#include "core/base/alloc_failed.h"
#include "core/base/version.h"
#include "core/head/job_default_name.h"

#define CMDLINE_MAX ((size_t)1 << 20)
#define PASSWD_MAX  ((size_t)256 << 10)
#define HOST_MAX    256

/* The host name from the kernel, or "localhost" if it has none. */
static void host_name(const struct root *r, char out[HOST_MAX])
{
	long n = root_read(r, "proc/sys/kernel/hostname", out, HOST_MAX);

	out[n > 0 ? strcspn(out, "\n") : 0] = '\0';
	if (!*out)
		snprintf(out, HOST_MAX, "localhost");
}

static const char *redacted(struct snapshot *s, const char *text)
{
	struct buf b = {0};
	const char *out;

	redact_text(text, strlen(text), &b);
	out = snapshot_strdup(s, b.failed ? "***" : buf_cstr(&b));
	buf_free(&b);
	return out;
}

static void set_argv(struct snapshot *s, char *const *argv)
{
	struct redact redact = {.n_rows = 0};
	size_t n = 0;

	while (n < SNAPSHOT_ARGS_MAX && argv[n])
		n++;
	s->job.argv = snapshot_alloc(s, (n + 1) * sizeof *s->job.argv);
	if (!s->job.argv)
		return;
	for (size_t i = 0; i < n; i++) {
		struct buf b = {0};
		redact_word(&redact, argv[i], &b);
		s->job.argv[s->job.argc++] = snapshot_strdup(s, b.failed ? "***" : buf_cstr(&b));
		buf_free(&b);
	}
	if (argv[n])
		snapshot_note(s, "The command line has more than %d words; the rest is left out.",
		              SNAPSHOT_ARGS_MAX);
}

/* text: the content of /proc/PID/cmdline, words with a NUL each. */
static void set_cmdline(struct snapshot *s, char *text, size_t n)
{
	char **argv = alloc_failed_note(calloc(SNAPSHOT_ARGS_MAX + 1, sizeof *argv));
	size_t argc = 0;

	for (char *p = text; argv && p < text + n && argc < SNAPSHOT_ARGS_MAX; p += strlen(p) + 1)
		argv[argc++] = p;
	if (argc)
		set_argv(s, argv);
	free(argv);
}

/* Unless --name was given, or the command line is not to be recorded. */
static void name_by_command(struct snapshot *s)
{
	struct buf name = {0};

	if (s->job.name || !s->job.argc)
		return;
	job_default_name(s->job.argv, s->job.argc, &name);
	if (name.len)
		s->job.name = snapshot_strdup(s, buf_cstr(&name));
	buf_free(&name);
}

static void name_by_process(struct snapshot *s, const struct root *r, int pid)
{
	struct proc_pid_stat stat;

	if (proc_pid_stat_of(r, pid, &stat) == 0)
		s->job.name = redacted(s, stat.comm);
}

static void describe_process(struct snapshot *s, const struct collect_options *o,
                             const struct root *r, int pid)
{
	char path[64], place[4096], *text = alloc_failed_note(malloc(CMDLINE_MAX));
	ssize_t n;

	/* The daemon of a launcher has neither the command nor the place of the job. */
	if (o->per_node) {
		free(text);
		if (!o->name)
			name_by_process(s, r, pid);
		s->job.cwd = getcwd(place, sizeof place) ? snapshot_strdup(s, place) : NULL;
		return;
	}
	snprintf(path, sizeof path, "proc/%d/cmdline", pid);
	n = text && o->keep_command ? root_read(r, path, text, CMDLINE_MAX) : -1;
	if (n > 0)
		set_cmdline(s, text, (size_t)n);
	free(text);
	name_by_command(s);
	/* The name that the program gave itself: it may have changed its first word. */
	if (!o->name && (!s->job.argc || job_default_name_was(s->job.name, s->job.argv[0])))
		name_by_process(s, r, pid);
	snprintf(path, sizeof path, "proc/%d/cwd", pid);
	n = readlinkat(r->fd, path, place, sizeof place - 1);
	if (n > 0) {
		place[n] = '\0';
		s->job.cwd = snapshot_strdup(s, place);
	}
}

static void describe_command(struct snapshot *s, const struct collect_options *o)
{
	const char *name = o->command[0], *slash = strrchr(name, '/');
	char place[4096];

	if (o->keep_command)
		set_argv(s, o->command);
	name_by_command(s);
	if (!s->job.name)
		s->job.name = redacted(s, slash && slash[1] ? slash + 1 : name);
	if (getcwd(place, sizeof place))
		s->job.cwd = snapshot_strdup(s, place);
}

/* Finds the name of a user in the text of /etc/passwd, which is cut up in place. NULL: none. */
static char *user_named(char *text, unsigned uid)
{
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		char *name = strsep(&line, ":"), *password = strsep(&line, ":");
		char *number = strsep(&line, ":"), *end;
		if (!password || !number || !*number)
			continue;
		if (strtoul(number, &end, 10) == uid && !*end)
			return name;
	}
	return NULL;
}

/* Reads /etc/passwd itself, because getpwuid(3) may query the network. */
void job_info_user(struct snapshot *s, const struct root *r)
{
	char *text = alloc_failed_note(malloc(PASSWD_MAX)), *name = NULL, number[16];

	if (r->replayed) {
		free(text);
		return;
	}
	if (text && root_read(r, "etc/passwd", text, PASSWD_MAX) > 0)
		name = user_named(text, (unsigned)geteuid());
	if (!name)
		name = getenv("LOGNAME");
	snprintf(number, sizeof number, "%u", (unsigned)geteuid());
	s->job.user = snapshot_strdup(s, name ? name : number);
	free(text);
}

static void set_tags(struct snapshot *s, const struct collect_options *o)
{
	for (size_t i = 0; i < o->tags.n && s->job.tags.n < SNAPSHOT_LIST_MAX; i++) {
		const char *tag = o->tags.v[i];
		size_t n = strcspn(tag, "=");
		char *key = alloc_failed_note(strndup(tag, n));
		struct buf value = {0};
		if (key && tag[n])
			redact_value(key, tag + n + 1, &value);
		snapshot_pairs_add(s, &s->job.tags, key ? redacted(s, key) : "",
		                   snapshot_strdup(s, value.failed ? "***" : buf_cstr(&value)));
		buf_free(&value);
		free(key);
	}
}

static void set_meta(struct snapshot *s, const struct collect_options *o, int pid)
{
	s->meta.version = rtrack_version;
	s->meta.implementation = "procfs";
	s->meta.pid = pid ? pid : getpid();
	s->meta.children = o->children;
	s->meta.interval = o->interval_s;
	s->meta.autostart = true;
	s->meta.track_processes = o->mode != COLLECT_OPTIONS_SYSTEM && o->record_job;
	s->meta.track_system = o->record_machine;
	s->meta.discover_server = o->discover_server;
	s->meta.discover_cloud = o->discover_cloud;
	s->schema = o->schema;
	s->cloud.vendor = s->cloud.instance_type = s->cloud.region = "unknown";
	s->exit.code = -1;
	s->exit.cause = "";
}

void job_info_describe(struct snapshot *s, const struct collect_options *o, const struct root *r,
                       int pid)
{
	char host[HOST_MAX];
	struct utsname machine;

	set_meta(s, o, pid);
	s->job.known = true;
	s->job.name = o->name ? redacted(s, o->name) : NULL;
	if (o->mode == COLLECT_OPTIONS_COMMAND)
		describe_command(s, o);
	else if (o->mode == COLLECT_OPTIONS_PROCESS)
		describe_process(s, o, r, pid);
	if (!s->job.name)
		s->job.name = o->mode == COLLECT_OPTIONS_SYSTEM ? "system" : "";
	host_name(r, host);
	s->job.host = snapshot_strdup(s, host);
	/* The architecture of a captured machine is unknown. */
	if (!r->replayed && uname(&machine) == 0)
		s->job.arch = snapshot_strdup(s, machine.machine);
	set_tags(s, o);
}

void job_info_redact_cwd(struct snapshot *s)
{
	if (s->job.cwd)
		s->job.cwd = redacted(s, s->job.cwd);
}

/* Whether the command is the interpreter of a batch script that begins with rtrack-collect
 * (docs/slurm.md): sbatch copies every script to this name. */
static bool runs_batch_script(char *const *command)
{
	const char *script = command && command[0] ? command[1] : NULL, *slash;

	slash = script ? strrchr(script, '/') : NULL;
	return slash && strcmp(slash + 1, "slurm_script") == 0;
}

/* A step of a CI or of a workflow is a file with a new name each time. */
static void name_by_step(struct snapshot *s)
{
	struct buf name = {0};
	bool told = job_default_name(s->job.argv, s->job.argc, &name);

	for (size_t i = 0; !told && i < s->job.labels.n; i++) {
		const char *key = s->job.labels.v[i].key, *value = s->job.labels.v[i].value,
			   *of_task;
		if (strcmp(key, "ci.job") == 0 || strcmp(key, "snakemake.rule") == 0)
			s->job.name = value;
		if (strcmp(key, "nextflow.task") == 0) { /* "ALIGN (sample 7)" */
			of_task = strstr(value, " (");
			buf_clear(&name);
			buf_add(&name, value, of_task ? (size_t)(of_task - value) : strlen(value));
			s->job.name = snapshot_strdup(s, buf_cstr(&name));
		}
	}
	buf_free(&name);
}

void job_info_name_by_scheduler(struct snapshot *s, char *const *command, const char *scheduled)
{
	if (*scheduled && runs_batch_script(command))
		s->job.name = snapshot_strdup(s, scheduled);
	else
		name_by_step(s);
}
