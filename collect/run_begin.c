/* run_begin: sets up a recording and starts the command. */
#include "collect/run_begin.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/command/command.h"
#include "collect/end/end_file.h"
#include "collect/job/asked_schedulers.h"
#include "collect/job/discover_job.h"
#include "collect/job_info.h"
#include "collect/machine/discover_server.h"
#include "collect/output/remote_output.h"
#include "collect/output/stdout_output.h"
#include "collect/procfs/proc_pid.h"
#include "collect/run_upload.h"
#include "core/base/alloc_failed.h"
#include "core/base/same_file.h"
#include "core/processes/process_tree.h"

/* Removes a file that was created for the CSV but has a name that the recording needs. */
static void remove_new(const char *name)
{
	char *file = realpath(name, NULL);

	if (file)
		unlink(file);
	free(file);
}

static int open_csv(struct run *r, struct err *e)
{
	const struct collect_options *o = r->o;
	struct stat st;
	bool is_new = o->csv_file && stat(o->csv_file, &st) && errno == ENOENT;

	if (!o->csv)
		return 0;
	r->csv.schema = o->schema;
	r->csv.all = o->all_columns;
	r->csv.scope = *o->csv == 'p' ? METRIC_SCOPE_PROCESS : METRIC_SCOPE_SYSTEM;
	if (csv_stream_open(&r->csv, o->csv_file, e))
		return -1;
	if (snapshot_file_apart(&r->file, o->csv_file, r->csv.out.fd, e)) {
		if (is_new)
			remove_new(o->csv_file);
		return -1;
	}
	return csv_stream_header(&r->csv, e);
}

/* Whether an error means too few resources: the command may run without them. */
static bool is_scarce(int err)
{
	return err == ENOMEM || err == EMFILE || err == ENFILE || alloc_failed();
}

/* --detail: what the samples and the head of the journal need for it. */
static int keep_devices(struct run *r, struct err *e)
{
	struct snapshot *s = &r->snapshot;
	size_t cells;

	machine_keep_devices(r->machine);
	cells = machine_devices(r->machine)->room;
	r->devices =
	    alloc_failed_note(calloc((ROW_BUILDER_SAMPLES + 1) * cells, sizeof *r->devices));
	s->devices = snapshot_alloc(s, sizeof *s->devices);
	if (!r->devices || !s->devices)
		return err_set(e, "no memory for the devices");
	s->devices->cells = cells;
	r->sample.devices = r->devices;
	r->sample.n_devices = cells;
	row_builder_devices(&r->rows, r->devices + cells, cells);
	return 0;
}

/* Where processes are known from, first. perf_events.h follows one command from its exec on. */
static const char *first_source(const struct collect_options *o)
{
	bool follows_others = o->mode != COLLECT_OPTIONS_COMMAND || o->per_node;

	if (!o->children)
		return PROCESS_TREE_SAMPLES;
	return follows_others && strcmp(o->events, PROCESS_TREE_PERF) == 0 ? PROCESS_TREE_CONNECTOR
	                                                                   : o->events;
}

/* The tree is opened first, because it sizes itself by the available memory and leaves room for the
 * others. *refused: --gpu names a GPU that does not exist. */
static int open_sources(struct run *r, bool *refused, struct err *e)
{
	const struct collect_options *o = r->o;

	if (root_open(&r->root, o->root, e))
		return -1;
	if (o->mode != COLLECT_OPTIONS_SYSTEM && o->record_job &&
	    !(r->tree = tree_open(&r->root, o->mode == COLLECT_OPTIONS_COMMAND, e)))
		return -1;
	if (r->tree && !o->children)
		tree_set_alone(r->tree);
	/* In a captured machine it is not known when a process began. */
	if (r->tree && !r->root.replayed)
		r->log = process_log_open(&r->root, o->keep_command, first_source(o),
		                          o->children ? "--events samples was given"
		                                      : "--no-children was given");
	if (o->record_machine && !(r->machine = machine_open(&r->root, o->schema, e)))
		return -1;
	if (o->detail && keep_devices(r, e))
		return -1;
	errno = 0;
	if (!(r->gpu = gpu_open_list(&r->root, r->o->gpus, r->o->interval_s, e))) {
		*refused = !is_scarce(errno);
		return -1;
	}
	return 0;
}

/* --per-node: how the tasks end. With --end-fd, whoever started us says it. */
static int follow_ends(struct run *r, struct err *e)
{
	const struct job_env env = {.text = NULL}; /* our own */
	double n = asked_schedulers_tasks(&env);

	if (r->o->end_fd >= 0)
		return 0;
	return node_tasks_open(&r->tasks, &r->per_node, &r->root, n > 1 ? n : (double)NAN, e);
}

/* Adds the other tasks of this node to the tree. */
static int follow_launcher(struct run *r, struct err *e)
{
	if (per_node_find(&r->per_node, &r->root, e))
		return -1;
	if (!r->per_node.daemon)
		return 0;
	if ((!r->tree || tree_set_launcher(r->tree, r->per_node.daemon, e) == 0) &&
	    follow_ends(r, e) == 0)
		return 0;
	per_node_close(&r->per_node);
	return -1;
}

/* Its totals would lack the other tasks of the node, and would have the descendants of a command
 * that is recorded alone. */
static bool wants_own_cgroup(const struct run *r)
{
	return r->o->own_cgroup && r->o->children && r->o->record_job && !r->per_node.daemon &&
	       !r->root.scarce;
}

/* Not fatal: if the folder is not writable, open_output() reports it. */
static int open_phases(struct run *r, struct err *e)
{
	const struct remote_output *remote = run_upload_output(r);
	const char *output = r->o->output ? r->o->output : SNAPSHOT_FILE_DEFAULT;

	r->phases = alloc_failed_note(calloc(1, sizeof *r->phases));
	return phase_fifo_open(&r->phase_fifo, remote ? remote->folder : output, e);
}

/* Forks the command, which then waits for command_start(). */
static int fork_command(struct run *r, struct err *e)
{
	struct err why;

	if (open_phases(r, &why))
		snapshot_note(&r->snapshot, "Phases cannot be marked: %s.", why.msg);
	cgroup_find(&r->cgroup, &r->root, 0);
	if (r->o->per_node && follow_launcher(r, &why))
		snapshot_note(&r->snapshot, "Only this task is recorded, not all of its node: %s.",
		              why.msg);
	if (r->per_node.daemon)
		cgroup_outside_widen(&r->cgroup, &r->root);
	r->own = cgroup_own_open(&r->root, &r->cgroup, wants_own_cgroup(r), e);
	if (command_fork(&r->command, &r->root, r->o->command, &r->signals, &r->files, r->own, e))
		return -1;
	r->pid = r->command.pid;
	node_tasks_add_command(&r->tasks, r->pid);
	process_log_root(r->log, r->pid, false);
	/* Not fatal: the command runs, and a later sample may see it. */
	if (r->tree)
		(void)tree_set_root(r->tree, r->pid, &r->unseen);
	return 0;
}

static int follow_process(struct run *r, struct err *e)
{
	if (!r->tree)
		return proc_pid_check(&r->root, r->pid, e);
	if (!r->o->per_node)
		return tree_set_root(r->tree, r->pid, e);
	if (r->o->end_fd < 0)
		return tree_set_launcher(r->tree, r->pid, e);
	/* It may have ended already: what it says of its tasks is a recording too. */
	(void)tree_set_launcher(r->tree, r->pid, &r->unseen);
	tree_launcher_tells(r->tree);
	return 0;
}

/* Sets the root process: a forked command, the process of --pid, or none. */
static int find_process(struct run *r, struct run_result *result, struct err *e)
{
	const struct collect_options *o = r->o;

	if (o->mode == COLLECT_OPTIONS_COMMAND)
		return fork_command(r, e);
	cgroup_find(&r->cgroup, &r->root, (int)o->pid);
	if (o->per_node)
		cgroup_outside_widen(&r->cgroup, &r->root);
	if (o->mode == COLLECT_OPTIONS_SYSTEM)
		return 0;
	r->pid = (int)o->pid;
	if (follow_process(r, e)) {
		result->status = 1;
		return -1;
	}
	if (o->per_node && per_node_of(&r->per_node, r->pid))
		return err_set(e, "no memory");
	if (o->per_node && follow_ends(r, e))
		return -1;
	if (r->root.replayed)
		return 0;
	/* Only who started us knows the path, so nobody misses a FIFO that cannot be made. */
	(void)open_phases(r, e);
	/* Without pidfd_open(2) (before Linux 5.3) the next sample notices its end. */
	r->pidfd = (int)syscall(SYS_pidfd_open, r->pid, 0);
	return 0;
}

static void await_deaths(struct run *r)
{
	struct end_deaths *d = &r->end.deaths;
	const struct process_log_deaths of_log = {end_deaths_died, end_deaths_settle,
	                                          end_deaths_lost, d};
	const struct oom *oom = r->outside.open ? NULL : &r->oom;

	if (process_log_tell(r->log, &of_log))
		end_deaths_open_told(d, &r->root, r->tree, oom, r->pid);
	else
		end_deaths_open(d, &r->root, r->tree, oom, r->pid);
}

/* Whose limits are those of the job; 0: our own, which the command inherits. */
static int limited_pid(const struct run *r)
{
	return r->o->mode == COLLECT_OPTIONS_PROCESS ? r->pid : 0;
}

static void watch_usage(struct run *r)
{
	/* Which cgroup throttles the job. describe_machine() reads the other limits. */
	limits_read_quota(&r->limits, &r->root, &r->cgroup, limited_pid(r));
	if (!r->root.scarce && r->machine)
		cgroup_watch_open(&r->watch, &r->root, &r->cgroup, r->own, &r->limits);
}

/* Watches the usage of the cgroups that the process is in. */
static void watch_cgroup(struct run *r)
{
	if (!r->root.scarce && (r->o->mode == COLLECT_OPTIONS_PROCESS || r->per_node.daemon))
		cgroup_outside_open(&r->outside, &r->root, &r->cgroup);
	if (!cgroup_watch_can_wait(&r->cgroup, r->own))
		watch_usage(r);
	if (r->o->mode == COLLECT_OPTIONS_COMMAND)
		oom_open(&r->oom, &r->root, &r->cgroup, r->own);
	if (r->o->mode == COLLECT_OPTIONS_COMMAND)
		await_deaths(r);
	if (r->o->mode == COLLECT_OPTIONS_COMMAND && !r->root.scarce)
		pids_limit_open(&r->end.pids, &r->root, &r->cgroup, r->own);
}

/* Sets the name of the snapshot. The job is described, and its part was read. */
static int name_output(struct run *r, int64_t now, struct err *e)
{
	const struct collect_options *o = r->o;
	const struct snapshot_job *job = &r->snapshot.job;
	const char *scheduled = r->part.text[PART_JOB_NAME];
	const struct snapshot_file_values v = {.host = job->host,
	                                       .pid = r->pid ? r->pid : getpid(),
	                                       .now = (time_t)(now / SCHEDULE_SECOND),
	                                       .part = &r->part,
	                                       .name =
	                                           !o->name && *scheduled ? scheduled : job->name};

	r->file.min_s = o->min_s;
	if (stdout_output_is(o->output))
		return stdout_output_name(&r->file, &v, e);
	if (run_upload_output(r))
		return remote_output_name(run_upload_output(r), o->output, &v, &r->file, e);
	return snapshot_file_name(&r->file, o->output ? o->output : SNAPSHOT_FILE_DEFAULT, &v, e);
}

/* The job's labels, its part, and what was asked for, before the journal's head is written. A
 * recording of the machine alone has none of these, but the letters of --output. */
static void describe_by_environment(struct run *r, const struct job_env *env)
{
	const struct collect_options *o = r->o;
	struct snapshot *s = &r->snapshot;
	bool of_node = r->per_node.daemon != 0; /* all tasks of the node, not one */
	struct err warning;

	part_read(&r->part, env);
	if (o->mode == COLLECT_OPTIONS_SYSTEM)
		return;
	discover_job(&r->root, env, s);
	if (!o->name)
		job_info_name_by_scheduler(s, o->command, r->part.text[PART_JOB_NAME]);
	s->part = part_describe(&r->part, s->job.host, of_node);
	/* It would be compared with what the machine used, or with a part of the job. */
	if (!o->record_job || !o->children)
		return;
	discover_asked_open(&r->asked, o, env, !of_node, s, &warning);
	if (*warning.msg && !o->quiet)
		r->say(warning.msg);
}

static void read_environment(struct run *r)
{
	/* The daemon of a launcher has none of the job's variables: whoever follows one sets them
	 * for us. */
	int pid = r->o->mode == COLLECT_OPTIONS_PROCESS && !r->o->per_node ? (int)r->o->pid : 0;
	struct job_env env = {.text = NULL}; /* our own */
	char *text = NULL;

	if (r->root.replayed)
		return;
	if (pid) {
		text = alloc_failed_note(malloc(JOB_ENV_MAX));
		env.text = "";
	}
	if (pid && !(text && job_env_read(&env, &r->root, pid, text)))
		snapshot_note(&r->snapshot,
		              "The environment of process %d may not be read: its scheduler and "
		              "CI are unknown.",
		              pid);
	describe_by_environment(r, &env);
	free(text);
}

static const struct snapshot_server no_server = {
    .vcpus = NAN, .memory_b = NAN, .gpu_count = NAN, .gpu_memory_b = NAN};

/* The snapshot would replace the recordings that are to stand before it, by whichever name. Only if
 * the snapshot's name is taken is the other file looked at: its server need not answer. */
static int check_append_to(const struct run *r, struct err *e)
{
	const char *to = r->o->append_to;
	struct stat a, b;

	if (to && (strcmp(to, r->file.path) == 0 ||
	           (stat(r->file.path, &b) == 0 && stat(to, &a) == 0 && same_file(&a, &b))))
		return err_set(e, "--append-to and --output cannot name the same file");
	return 0;
}

static int open_output(struct run *r, struct err *e)
{
	const struct collect_options *o = r->o;
	int64_t real = clocks_now(CLOCK_REALTIME);
	struct snapshot *s = &r->snapshot;

	job_info_describe(s, o, &r->root, r->pid);
	s->server = no_server;
	r->part = part_none();
	read_environment(r);
	job_info_redact_cwd(s);
	if (o->mode == COLLECT_OPTIONS_COMMAND && o->record_job && o->find_inputs)
		input_files_find(&r->inputs, s, o->command, &o->input, o->keep_command);
	s->meta.start_time = (double)real / 1e9;
	s->meta.stop_time = s->meta.duration = NAN;
	if (name_output(r, real, e) || check_append_to(r, e) || snapshot_file_check(&r->file, e))
		return -1;
	r->journal = snapshot_file_journal(&r->file, s, e);
	return r->journal ? 0 : -1;
}

/* Does everything that can fail before the command runs. *refused: the failure is the user's
 * mistake, or a requested file cannot be written. After any other failure the command runs without
 * a recording. */
static int prepare(struct run *r, struct run_result *result, bool *refused, struct err *e)
{
	const char *base = getenv("RTRACK_METADATA_BASE");

	fd_limit_raise(&r->files);
	*refused = true;
	if (r->o->end_file && (r->end_file = end_file_open(r->o->end_file, e)) < 0)
		return -1;
	if (r->o->discover_cloud && discover_cloud_open(&r->cloud, base, e))
		return -1;
	if (run_upload_open(r, e)) {
		*refused = !alloc_failed();
		return -1;
	}
	*refused = false;
	if (open_sources(r, refused, e) ||
	    signals_open(&r->signals, r->o->mode == COLLECT_OPTIONS_COMMAND, e) ||
	    find_process(r, result, e))
		return -1;
	/* A failed write then returns an error. With a command both signals are blocked, and passed
	 * on if another process sent them. */
	if (r->o->mode != COLLECT_OPTIONS_COMMAND) {
		signal(SIGPIPE, SIG_IGN);
		signal(SIGXFSZ, SIG_IGN);
	}
	cpu_rlimit_open(&r->cpu_rlimit);
	watch_cgroup(r);
	errno = 0;
	/* The CSV last, because opening it truncates the file: nothing may fail after that. */
	if (open_output(r, e) == 0 && open_csv(r, e) == 0)
		return 0;
	*refused = !is_scarce(errno);
	return -1;
}

/* Describes what the job does not change: the machine, the limits, the user. The command runs and
 * need not wait for it; a recorder that is killed before has a recording without. */
static void describe_machine(struct run *r)
{
	struct snapshot *s = &r->snapshot;
	struct err e;

	job_info_user(s, &r->root);
	limits_read(&r->limits, &r->root, &r->cgroup, limited_pid(r));
	s->limits = r->limits.of;
	(void)discover_server(&r->root, s);
	r->cpus = s->server.vcpus;
	if (!r->o->discover_server)
		s->server = no_server;
	discover_asked_machine(&r->asked, r->o, &r->limits, s);
	/* The next sample reports a failure. */
	(void)journal_describe(r->journal, s, &e);
}

static int start_recording(struct run *r, struct run_result *result, struct err *e)
{
	int why;

	clocks_start(&r->clocks);
	schedule_start(&r->schedule, r->o->interval_s, clocks_now(CLOCK_MONOTONIC),
	               clocks_now(CLOCK_REALTIME));
	process_log_journal(r->log, r->journal, r->schedule.start, r->schedule.real);
	if (r->per_node.daemon)
		process_log_root(r->log, r->per_node.daemon, true);
	if (r->o->mode == COLLECT_OPTIONS_COMMAND) {
		end_space_begin(&r->end.space, r->file.path);
		why = command_start(&r->command);
		if (why) {
			result->status = command_status_of(why);
			return command_explain(r->o->command[0], why, e);
		}
		process_log_started(r->log);
	}
	/* Not earlier: lists of large folders take time. */
	if (r->phase_fifo.fd >= 0)
		phase_fifo_sweep(r->phase_fifo.path);
	cgroup_own_sweep(r->own);
	if (cgroup_watch_can_wait(&r->cgroup, r->own))
		watch_usage(r);
	gpu_start(r->gpu, r->schedule.start);
	if (r->tree)
		tree_exclude(r->tree, gpu_pid(r->gpu));
	r->snapshot.no_gpus = !gpu_any(r->gpu);
	r->snapshot.meta.start_time = schedule_unix(&r->schedule, r->schedule.start);
	describe_machine(r);
	discover_cloud_start(&r->cloud, &r->root);
	if (r->tree)
		tree_exclude(r->tree, r->cloud.process.pid);
	discover_asked_start(&r->asked);
	if (r->tree)
		tree_exclude(r->tree, r->asked.process.pid);
	run_upload_start(r);
	return 0;
}

int run_begin(struct run *r, struct run_result *result, struct err *e)
{
	bool refused;

	result->status = COMMAND_NOT_STARTED;
	if (prepare(r, result, &refused, e)) {
		result->cannot_record = r->o->mode == COLLECT_OPTIONS_COMMAND && !refused;
		return -1;
	}
	return start_recording(r, result, e);
}

void run_begin_say(struct run *r)
{
	const struct collect_options *o = r->o;
	const char *where = stdout_output_is(o->output) ? "standard output" : r->file.path;
	struct err what = {0};

	if (o->quiet || o->mode == COLLECT_OPTIONS_COMMAND || !isatty(STDERR_FILENO))
		return;
	if (run_upload_output(r))
		where = o->output;
	if (o->mode == COLLECT_OPTIONS_SYSTEM)
		err_set(&what, "recording the machine to %s; stop with Ctrl-C", where);
	else
		err_set(&what,
		        "recording %sprocess %ld to %s until it ends; Ctrl-C stops the recording, "
		        "not the process",
		        o->per_node ? "the children of " : "", o->pid, where);
	r->say(what.msg);
}
