/* run: the event loop of a recording. */
#include "collect/run.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/command/command.h"
#include "collect/end/end_file.h"
#include "collect/job/discover_job.h"
#include "collect/machine/discover_server.h"
#include "collect/output/stdout_output.h"
#include "collect/process/process_table.h"
#include "collect/procfs/proc_pid.h"
#include "collect/redact/redact.h"
#include "collect/run_begin.h"
#include "collect/run_state.h"
#include "collect/run_upload.h"
#include "core/base/alloc_failed.h"
#include "core/base/larger.h"
#include "core/base/quantity.h"
#include "core/recording/snapshot_source.h"

#define YOUNG_S         0.5 /* CPU seconds of tasks that have just begun */
#define SIGNALS_AT_ONCE 256
#define ANSWERS_WAIT_MS 40         /* for processes in the background, all together */
#define SAME_PEAK       1.01       /* bounds that are so near are one number */
#define TMPFS_B         16777216.0 /* what is worth a sentence */
#define UNSEEN_FILES_B  16777216.0 /* libraries, that one process has mapped alone */
#define NO_MEMORY                                                                                  \
	"There was not enough memory: parts of the description of the job and the machine may be " \
	"missing."
#define PROGRESS_EVERY (SCHEDULE_SECOND / 4) /* at least, between two lines */

/* -- a sample of everything that a recording reads --------------------------------------------- */

/* Notes the devices that are new, before a row has their values. */
static void note_devices(struct run *r, const struct devices *all)
{
	struct detail_devices *noted = r->snapshot.devices;
	struct err e;

	while (noted && noted->n < all->n) {
		const struct devices_entry *d = &all->v[noted->n];
		struct detail_device *one = &noted->v[noted->n++];
		struct buf name = {0};
		redact_text(d->name, sizeof d->name, &name);
		*one = (struct detail_device){
		    .kind = d->kind,
		    .cell = d->cell,
		    .name = snapshot_strdup(&r->snapshot, name.failed ? "" : buf_cstr(&name))};
		buf_free(&name);
		/* The next sample reports a full disk. */
		(void)journal_device(r->journal, one, &e);
	}
}

/* The root process, and in turn one of the others: they may have moved to another cgroup. */
static void follow_cgroup(struct run *r)
{
	const struct process_table *table = tree_table(r->tree);
	int pid = process_table_pid(table, r->followed++);

	if (pid == 0)
		r->followed = 0;
	cgroup_watch_follow(&r->watch, &r->root, pid > 0 ? pid : r->pid, &r->limits);
}

/* Takes a sample into r->sample. Allocates nothing. */
static void run_sample(struct run *r)
{
	struct gpu_tree tree = sample_gpu_tree(r->tree, r->pid);

	r->sample.at = clocks_now(CLOCK_MONOTONIC);
	cgroup_outside_look(&r->outside);
	process_log_read(r->log, r->sample.at);
	oom_look(&r->oom, r->sample.at);
	if (r->machine)
		machine_set_job(r->machine, r->pid);
	if (r->tree) {
		const struct unseen_told told = process_log_unseen(r->log, r->sample.at);
		tree_set_unseen(r->tree, &told);
	}
	sample_take(&r->sample, r->tree, r->machine, &r->watch);
	if (r->tree && r->o->mode == COLLECT_OPTIONS_COMMAND)
		follow_cgroup(r);
	if (r->tree)
		end_sample(&r->end, r->tree, &r->sample.tree);
	if (r->devices)
		note_devices(r, machine_devices(r->machine));
	process_log_sample(r->log, r->tree, r->sample.at);
	r->sample.time = schedule_unix(&r->schedule, r->sample.at);
	gpu_read(r->gpu, r->tree ? &tree : NULL, &r->sample.gpu);
}

/* -- --progress, one line on the terminal about the recording that runs ------------------------ */

/* Opens the terminal, if --progress is given; .progress.line.fd is -1 without. */
static void run_progress_open(struct run *r)
{
	const double machine_b = r->machine ? r->snapshot.server.memory_b : (double)NAN;
	const double limit_b = r->limits.of.memory_b, cpus = r->limits.of.cpus;

	if (!r->o->progress)
		return;
	progress_line_open(&r->progress.line, STDERR_FILENO, r->o->mode == COLLECT_OPTIONS_COMMAND);
	r->progress.of = (struct progress_line_of){.job = r->tree != NULL,
	                                           .cpus = r->tree && cpus > 0 ? cpus : r->cpus,
	                                           .memory_b = machine_b};
	if (r->tree && limit_b > 0 && !(limit_b > machine_b))
		r->progress.of.memory_b = limit_b;
	r->progress.before = r->rows.first;
	r->progress.before.devices = NULL;
}

static const char *phase_now(const struct phases *p)
{
	return p && p->n && isnan(p->v[p->n - 1].end) ? p->v[p->n - 1].name : NULL;
}

/* Shows what the job used since the last line; after a sample. Allocates nothing, never blocks. */
static void run_progress_show(struct run *r)
{
	struct run_progress *p = &r->progress;
	struct sample_shape shape = r->rows.shape;
	const int64_t lasted = r->sample.at - p->before.at;
	double row[METRIC_COUNT];

	if (p->line.fd < 0 || lasted < PROGRESS_EVERY)
		return;
	shape.devices = NULL;
	sample_row(&p->before, &r->sample, &shape, &p->carry, row);
	sample_copy(&p->before, &r->sample);
	progress_line_show(
	    &p->line, &p->of,
	    &(struct progress_line_now){.elapsed_s = schedule_lasted(&r->schedule, r->sample.at),
	                                .row = row,
	                                .lasted_s = (double)lasted / 1e9,
	                                .phase = phase_now(r->phases)});
}

/* -- the first sample -------------------------------------------------------------------------- */

/* Whether what was used before the first sample belongs to the run. Tasks that a launcher has just
 * started do; a task's script that has run other commands before does not. */
static bool begins_with_run(const struct run *r)
{
	if (r->per_node.daemon && !per_node_is_task(&r->per_node))
		return r->sample.tree.sum[CPU_ACCOUNTING_CPU] < YOUNG_S;
	return r->o->mode == COLLECT_OPTIONS_COMMAND;
}

/* For a command, the usage before the first sample counts as well, so the baseline is zero at its
 * start. A process that runs already is measured from the first sample on. */
static void take_first_sample(struct run *r)
{
	struct sample first;

	if (r->tree && r->o->mode == COLLECT_OPTIONS_COMMAND)
		tree_states_start(tree_states_of(r->tree), r->schedule.start);
	run_sample(r);
	r->now = process_now_open(r->tree, r->sample.at);
	first = r->sample;
	if (begins_with_run(r)) {
		first.at = r->schedule.start;
		memset(first.tree.sum, 0, sizeof first.tree.sum);
		memset(first.tree.state_s, 0, sizeof first.tree.state_s);
		first.tree.main_cpu_s = 0;
		first.tree.ctx_voluntary = first.tree.ctx_involuntary = 0;
	}
	r->rows.journal = r->journal;
	r->rows.csv = r->o->csv ? &r->csv : NULL;
	r->rows.interval = r->schedule.interval;
	r->rows.shape =
	    (struct sample_shape){.pid = r->pid,
	                          .cpus = r->cpus,
	                          .tree = r->tree != NULL,
	                          .devices = r->machine ? machine_devices(r->machine) : NULL};
	row_builder_start(&r->rows, &first);
}

/* -- the loop ---------------------------------------------------------------------------------- */

/* Reports failures of the last sample, each once. The command goes on. */
static void say_failures(struct run *r)
{
	struct err stops = r->rows.journal_error;

	if (r->rows.journal_failed && !r->said_journal) {
		err_wrap(&stops, "the recording stops here%s",
		         r->o->mode == COLLECT_OPTIONS_COMMAND ? ", the command goes on" : "");
		run_state_say(r, stops.msg);
		r->said_journal = true;
		/* Without a command there is nothing to wait for. */
		r->done = r->done || r->o->mode != COLLECT_OPTIONS_COMMAND;
	}
	if (r->rows.csv_failed && !r->said_csv) {
		run_state_say(r, r->rows.csv_error.msg);
		r->said_csv = true;
	}
}

static void count_usage(struct run *r, struct command_end *end)
{
	double rss_b;

	end_deaths_reaped(&r->end.deaths, end->pid, end->status, end->name,
	                  clocks_now(CLOCK_MONOTONIC));
	/* Excluded: what the uploader left behind when it was killed. */
	if (!r->tree || tree_is_excluded(r->tree, end->session) ||
	    !tree_keep_own(r->tree, end->pid, &end->usage, end->total))
		return;
	rss_b = (double)end->usage.ru_maxrss * QUANTITY_KIB;
	r->utime_s += end->total[CPU_ACCOUNTING_UTIME];
	r->stime_s += end->total[CPU_ACCOUNTING_STIME];
	r->max_rss_b = rss_b > r->max_rss_b ? rss_b : r->max_rss_b;
	tree_reaped(r->tree, end->pid, end->status, &end->usage, end->total);
	process_log_reaped(r->log, end->pid, end->status, &end->usage);
}

/* --per-node: waits for the end of a task that still runs; without one, for that of the process of
 * --pid. Returns whether there is a task. */
static bool await_task(struct run *r)
{
	int task = per_node_next(&r->per_node, &r->root);
	int pid = r->o->mode == COLLECT_OPTIONS_PROCESS ? r->pid : 0;

	if (task)
		pid = task;
	if (r->pidfd >= 0)
		close(r->pidfd);
	/* Without pidfd_open(2) (before Linux 5.3) every sample looks again. */
	r->pidfd = pid ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	r->awaits_task = task != 0;
	return r->awaits_task;
}

/* Whether to record on after the command, until the other tasks of the node have ended. A failure
 * is reported at once, so that the launcher can end the other tasks; and what a script does after
 * its command may be what they wait for. */
static bool records_on(const struct run *r)
{
	return WIFEXITED(r->command_end.status) && WEXITSTATUS(r->command_end.status) == 0 &&
	       per_node_is_task(&r->per_node);
}

/* Reaps all ended children. The end of the command ends the recording, unless --wait-all waits for
 * its descendants too, or --per-node for the other tasks. */
static void reap_ended(struct run *r)
{
	struct command_end end;
	int got = 1;

	while (got == 1) {
		got = command_reap(&r->command, &end);
		if (got == 1)
			count_usage(r, &end);
		if (got == 0 && r->command.ended && (r->o->wait_all || r->per_node.daemon)) {
			(void)command_reap_command(&r->command, &r->command_end);
			count_usage(r, &r->command_end);
			r->done = !(records_on(r) && await_task(r)) && !r->o->wait_all;
			got = 1;
		}
	}
	if ((got < 0 || r->command.ended) && !r->awaits_task)
		r->done = true;
}

/* The process that is awaited has ended. */
static void on_end(struct run *r)
{
	if (!r->awaits_task) {
		r->done = true;
		return;
	}
	/* The daemon may end before the next sample, and with it what it inherited. */
	if (r->o->mode == COLLECT_OPTIONS_PROCESS)
		run_sample(r);
	if (!await_task(r) && r->o->mode == COLLECT_OPTIONS_COMMAND && !r->o->wait_all)
		r->done = true;
}

static void on_signal(struct run *r, const struct signalfd_siginfo *info)
{
	if (r->o->mode != COLLECT_OPTIONS_COMMAND) {
		r->interrupted = r->done = true;
		return;
	}
	/* The shell that prints next has its own title. */
	if (info->ssi_signo == SIGTSTP)
		progress_line_clear(&r->progress.line);
	end_signals_add(&r->end.signals, &r->root, info, clocks_now(CLOCK_MONOTONIC));
	/* --wait-all: the command has ended, and only daemons are left. */
	if (r->command.pid == 0 && (info->ssi_signo == SIGINT || info->ssi_signo == SIGTERM ||
	                            info->ssi_signo == SIGHUP || info->ssi_signo == SIGQUIT))
		r->done = true;
	command_signal(&r->command, info);
}

/* The phase begins when its mark is read, which is immediately. */
static void on_mark(void *ctx, const char *line, size_t n)
{
	struct run *r = ctx;
	double t = schedule_unix(&r->schedule, clocks_now(CLOCK_MONOTONIC));
	struct buf text = {0};
	struct err e;

	redact_mark(line, n, &text);
	if (!text.failed) {
		if (r->phases)
			phases_mark(r->phases, t, buf_cstr(&text), text.len);
		/* The next sample reports a full disk. */
		(void)journal_mark(r->journal, t, buf_cstr(&text), text.len, &e);
	}
	buf_free(&text);
}

/* The line that --end-fd has brought is whole. */
static void take_end_line(struct run *r)
{
	const double *end = r->job_end.of;

	if (r->has_job_end || !job_end_read(r->end_text, r->end_n, &r->job_end))
		return;
	r->has_job_end = true;
	if (r->tree && r->o->per_node)
		tree_launcher_ended(
		    r->tree, (const double[CPU_ACCOUNTING_COUNT]){
				 [CPU_ACCOUNTING_UTIME] = end[JOB_END_UTIME],
				 [CPU_ACCOUNTING_STIME] = end[JOB_END_STIME],
				 [CPU_ACCOUNTING_CPU] = end[JOB_END_UTIME] + end[JOB_END_STIME],
				 [CPU_ACCOUNTING_READ] = end[JOB_END_READ],
				 [CPU_ACCOUNTING_WRITE] = end[JOB_END_WRITE],
				 [CPU_ACCOUNTING_MAJOR] = end[JOB_END_MAJOR_FAULTS],
				 [CPU_ACCOUNTING_RCHAR] = NAN,
				 [CPU_ACCOUNTING_WCHAR] = NAN,
				 [CPU_ACCOUNTING_CANCELLED] = NAN});
	if (end[JOB_END_MAX_RSS] > r->max_rss_b)
		r->max_rss_b = end[JOB_END_MAX_RSS];
}

/* Ready to read, so that this does not block. */
static void read_end_fd(struct run *r)
{
	size_t room = sizeof r->end_text - r->end_n;
	ssize_t n = read((int)r->o->end_fd, r->end_text + r->end_n, room);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n > 0)
		r->end_n += (size_t)n;
	/* A whole line is the end too: its writer may end later, or never. */
	r->done = n <= 0 || memchr(r->end_text, '\n', r->end_n) || (size_t)n == room;
	if (r->done)
		take_end_line(r);
}

/* Stops as long as the command is stopped. */
static void follow_stop(struct run *r)
{
	int64_t from = clocks_now(CLOCK_MONOTONIC), now;
	bool group = r->command.suspend.group;

	if (!command_follow_stop(&r->command))
		return;
	now = clocks_now(CLOCK_MONOTONIC);
	schedule_stopped(&r->schedule, now);
	if (r->tree)
		tree_states_stopped(tree_states_of(r->tree), (double)(now - from) / 1e9, group);
}

/* Sleeps until a sample is due or an event has come, and handles the events. */
static void wait_for_event(struct run *r, int64_t deadline)
{
	const int64_t now = clocks_now(CLOCK_MONOTONIC);
	struct pollfd fds[] = {
	    {.fd = r->signals.fd, .events = POLLIN},
	    {.fd = r->pidfd, .events = POLLIN},
	    {.fd = r->phase_fifo.fd, .events = POLLIN},
	    {.fd = background_fd(&r->cloud.process), .events = POLLIN},
	    {.fd = background_fd(&r->asked.process), .events = POLLIN},
	    {.fd = r->rows.csv ? line_writer_fd(&r->csv.out) : -1, .events = POLLOUT},
	    {.fd = (int)r->o->end_fd, .events = POLLIN},
	    {.fd = run_upload_fd(r), .events = POLLIN},
	    {.fd = node_tasks_fd(&r->tasks), .events = POLLIN},
	    {.fd = end_deaths_fd(&r->end.deaths), .events = POLLIN},
	    {.fd = process_log_fd(r->log, now, &deadline), .events = POLLIN}};
	int64_t left = deadline - now;
	struct timespec t = {.tv_sec = left / SCHEDULE_SECOND, .tv_nsec = left % SCHEDULE_SECOND};
	struct signalfd_siginfo info;
	int some;

	if (left < 0)
		t = (struct timespec){0};
	some = ppoll(fds, sizeof fds / sizeof *fds, &t, NULL);
	clocks_look(&r->clocks);
	schedule_slept(&r->schedule, r->clocks.asleep);
	process_log_asleep(r->log, r->clocks.asleep);
	/* Before its process is reaped. */
	if (fds[10].fd < 0 || fds[10].revents || some == 0)
		process_log_read(r->log, clocks_now(CLOCK_MONOTONIC));
	if (some <= 0)
		return;
	/* Before their parents are reaped, by which they are found. */
	if (fds[9].revents)
		end_deaths_read(&r->end.deaths);
	if (fds[2].revents)
		phase_fifo_read(&r->phase_fifo, on_mark, r);
	if (fds[3].revents)
		discover_cloud_collect(&r->cloud);
	if (fds[4].revents)
		discover_asked_collect(&r->asked);
	/* Bounded, so that a flood of signals cannot delay the samples. */
	for (int i = 0; i < SIGNALS_AT_ONCE && signals_next(&r->signals, &info); i++)
		on_signal(r, &info);
	/* After all signals: they are delivered by number, so SIGCHLD for a stop may come before
	 * the SIGTSTP that caused it. */
	if (r->o->mode == COLLECT_OPTIONS_COMMAND) {
		follow_stop(r);
		reap_ended(r);
	}
	/* First: the end of the process is that of its launcher, which says how the job ended. */
	if (fds[6].revents)
		read_end_fd(r);
	if (fds[1].revents)
		on_end(r);
	if (fds[5].revents)
		row_builder_flush_csv(&r->rows);
	if (fds[7].revents)
		run_upload_read(r);
	if (fds[8].revents)
		node_tasks_read(&r->tasks);
}

/* Ends the recording early if RLIMIT_CPU would kill rtrack-collect. It still waits for the
 * command. */
static void stop_in_time(struct run *r)
{
	if (r->rows.journal_failed || !cpu_rlimit_spent(&r->cpu_rlimit))
		return;
	err_set(&r->rows.journal_error,
	        "most of the allowed CPU time of a process (RLIMIT_CPU) is used");
	r->rows.journal_failed = true;
	r->rows.journal = NULL;
	r->rows.csv = NULL;
}

/* --per-node --pid */
static bool follows_launcher(const struct run *r)
{
	return r->o->mode == COLLECT_OPTIONS_PROCESS && r->per_node.daemon;
}

/* Whether the process of --pid is there, if its end cannot be awaited. */
static bool has_process(const struct run *r)
{
	struct err e;

	if (r->tree)
		return tree_has_root(r->tree);
	return r->pidfd >= 0 || proc_pid_check(&r->root, r->pid, &e) == 0;
}

static void record_due(struct run *r)
{
	enum schedule_due due;

	stop_in_time(r);
	due = schedule_wake(&r->schedule, clocks_now(CLOCK_MONOTONIC));

	run_upload_again(r);
	if (r->tree && due == SCHEDULE_NOTHING && !r->rows.journal_failed)
		tree_states_look(tree_states_of(r->tree), clocks_now(CLOCK_MONOTONIC));
	if (due == SCHEDULE_NOTHING || (r->rows.journal_failed && !r->rows.csv))
		return;
	run_sample(r);
	node_tasks_look(&r->tasks);
	row_builder_sample(&r->rows, &r->sample, due == SCHEDULE_REGULAR,
	                   schedule_grown(&r->schedule, r->sample.at));
	process_now_sample(r->now, r->tree, r->log, r->journal,
	                   &(struct process_now_time){r->sample.at,
	                                              schedule_lasted(&r->schedule, r->sample.at),
	                                              (double)r->schedule.real / 1e9});
	process_log_flush(r->log);
	run_progress_show(r);
	if (r->o->mode == COLLECT_OPTIONS_PROCESS && !has_process(r))
		r->done = true;
	if (r->awaits_task && r->pidfd < 0)
		on_end(r);
	else if (follows_launcher(r) && !r->awaits_task)
		(void)await_task(r); /* a launcher may start tasks at any time */
}

/* When to wake up next, for a sample or for a look at what waits. */
static int64_t next_deadline(const struct run *r)
{
	int64_t sample = schedule_deadline(&r->schedule);
	bool looks = r->tree && !r->rows.journal_failed;
	int64_t look = looks ? tree_states_of(r->tree)->next_look : INT64_MAX;

	return look < sample ? look : sample;
}

static void loop(struct run *r)
{
	if (follows_launcher(r))
		(void)await_task(r);
	/* Children that ended before their SIGCHLD was read. */
	if (r->o->mode == COLLECT_OPTIONS_COMMAND)
		reap_ended(r);
	say_failures(r);
	while (!r->done) {
		wait_for_event(r, next_deadline(r));
		if (!r->done)
			record_due(r);
		say_failures(r);
	}
}

/* A launcher's job that is too short for a row, or for a sample with one of its processes: it began
 * with the tasks, not with us. */
static void begin_with_tasks(struct run *r)
{
	double wall = r->has_job_end ? r->job_end.of[JOB_END_WALL] : NAN;
	bool no_row = !r->rows.regular.rows && !r->rows.early.rows;
	int64_t late;

	r->never_seen = r->tree && r->has_job_end && r->o->per_node && !(r->rows.peak_b > 0);
	if (!(wall > 0) || !(no_row || r->never_seen))
		return;
	late = (int64_t)(wall * 1e9) - (clocks_now(CLOCK_MONOTONIC) - r->schedule.start);
	if (late < 0 && !r->never_seen)
		return;
	/* Its processes began at times that were measured from another start. */
	process_log_close(r->log);
	r->log = NULL;
	r->schedule.start -= late;
	r->schedule.real -= late;
	r->rows.first.at -= late;
	if (no_row)
		r->rows.early.last.at = r->rows.regular.last.at = r->rows.first.at;
	r->snapshot.meta.start_time = (double)r->schedule.real / 1e9;
}

/* The last sample is taken before the command is reaped, because /proc shows a zombie but not a
 * reaped process. Its exact usage is added afterwards. */
static void take_last_sample(struct run *r)
{
	struct command_end orphan;

	progress_line_close(&r->progress.line);
	/* Also a line without an end, whose writer still runs. */
	take_end_line(r);
	cgroup_outside_read(&r->outside);
	begin_with_tasks(r);
	run_sample(r);
	/* The memory that an ended job has left in its cgroup is not what it had before. */
	if (r->command.ended)
		r->sample.values[METRIC_SYSTEM_CGROUP_MEMORY] = NAN;
	end_deaths_read(&r->end.deaths);
	if (r->command.ended)
		end_look(&r->end, &r->root, r->command.pid);
	if (r->command.ended && command_reap_command(&r->command, &r->command_end) == 0) {
		count_usage(r, &r->command_end);
		/* Children that it left as zombies. */
		while (command_reap(&r->command, &orphan) == 1)
			count_usage(r, &orphan);
		if (r->tree)
			tree_settle(r->tree, &r->sample.tree);
	}
	phase_fifo_read(&r->phase_fifo, on_mark, r);
	if (r->phases)
		phases_close(r->phases, r->sample.time);
	row_builder_end(&r->rows, &r->sample, schedule_grown(&r->schedule, r->sample.at),
	                r->max_rss_b);
	say_failures(r);
}

/* -- the rows of a recording that has ended ---------------------------------------------------- */

/* Whether no sample saw the command, so that only its rusage is known. */
static bool run_rows_unseen(const struct run *r)
{
	if (r->never_seen)
		return true;
	return r->tree && r->o->mode == COLLECT_OPTIONS_COMMAND && !tree_saw_any(r->tree);
}

static int fetch_whole(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
                       struct err *e)
{
	const double *row = ctx;

	(void)from;
	(void)e;
	for (size_t i = 0; i < n; i++)
		out[i] = row[id];
	return 0;
}

/* Clears the columns that rusage does not cover. */
static void forget_unseen(struct run *r)
{
	double *row = r->rows.whole;

	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].scope == METRIC_SCOPE_PROCESS &&
		    (!metrics[id].documented || id == METRIC_PROCESS_CHILDREN))
			row[id] = NAN;
	if (!r->has_job_end && r->command.self_io < 0)
		row[METRIC_PROCESS_READ_BYTES] = row[METRIC_PROCESS_WRITE_BYTES] = NAN;
}

/* The job may write to any file, this one too. Returns whether samples of this kind are missing. */
static bool lost_samples(struct run *r, bool early)
{
	struct journal_damage d = journal_verify(r->journal);
	size_t lost = early ? d.early : d.rows, left = journal_source(r->journal, early).rows;
	struct err what = {0};

	if (!lost && !d.others)
		return false;
	err_set(&what, "another process has changed the journal %s: %zu of %zu samples are lost%s",
	        r->file.journal, lost, lost + left,
	        d.others ? ", and processes may be missing" : "");
	r->say(what.msg);
	what.msg[0] = 'A';
	snapshot_note(&r->snapshot, "%s.", what.msg);
	return lost > 0;
}

/* Whether --recover can make a snapshot of the journal. If the job took it away, that is said. */
static bool keeps_samples(struct run *r)
{
	bool lost = r->journal && !journal_is_named(r->journal);
	struct err what = {0};

	err_set(&what, "another process has removed or replaced the journal %s", r->file.journal);
	if (lost)
		r->say(what.msg);
	return r->journal && !lost && journal_samples(r->journal);
}

/* A long run uses the regular rows, a short run the early ones. If the disk was full before the
 * first regular row, a long run has only early rows; if it was full before these, the whole run is
 * one row. Samples that another process has changed in the journal are left out, with a sentence.
 * Valid as long as the run. */
static struct snapshot_source run_rows_choose(struct run *r)
{
	const struct snapshot_source whole = {
	    .rows = 1, .fetch = fetch_whole, .ctx = r->rows.whole};
	bool early = !schedule_grown(&r->schedule, r->sample.at), lost;
	struct snapshot_source rows;

	if (run_rows_unseen(r)) {
		forget_unseen(r);
		return whole;
	}
	lost = lost_samples(r, early);
	rows = journal_source(r->journal, early);
	/* The first moments do not stand for the others. */
	if (rows.rows == 0 && !lost)
		rows = journal_source(r->journal, !early);
	return rows.rows ? rows : whole;
}

/* -- totals, notes, and the snapshot file ------------------------------------------------------ */

/* As of wait(2): the command's, or as a launcher reported it. -1: not known. */
static int wait_status(const struct run *r)
{
	double status = r->has_job_end ? r->job_end.of[JOB_END_STATUS] : NAN;

	if (r->o->mode == COLLECT_OPTIONS_COMMAND)
		return r->command_end.status;
	return status >= 0 ? (int)status : -1;
}

/* The launcher may have reported what the last reading of the job's cgroup missed. */
static void read_job_cgroup(struct run *r)
{
	static const struct {
		enum job_end_id id;
		size_t at;
	} facts[] = {{JOB_END_OOM_KILLS, offsetof(struct cgroup_outside, kills)},
	             {JOB_END_MEMORY_PEAK, offsetof(struct cgroup_outside, peak_b)},
	             {JOB_END_CPU_SOME, offsetof(struct cgroup_outside, some_s)}};

	oom_read(&r->oom);
	cgroup_own_read(r->own, &r->usage);
	if (!r->outside.open)
		return;
	for (size_t i = 0; r->has_job_end && i < sizeof facts / sizeof *facts; i++) {
		double *seen = (double *)((char *)&r->outside + facts[i].at);
		*seen = larger(*seen, r->job_end.of[facts[i].id]);
	}
	r->usage.oom_kills = r->outside.kills;
	r->usage.cgroup_memory_peak_b = r->outside.peak_b;
	r->usage.cgroup_cpu_some_s = r->outside.some_s;
	cgroup_watch_totals(&r->watch, &r->usage);
}

/* Whether memory ran out, whatever the status: Slurm calls a step OUT_OF_MEMORY after any OOM kill
 * in it, and may itself end a job that uses too much. */
static bool ran_out_of_memory(const struct run *r)
{
	return (r->outside.slurm && r->outside.kills > 0) ||
	       (r->has_job_end && job_end_over_memory(&r->job_end, r->rows.peak_b));
}

static const char *cause_of(const struct run *r, int status)
{
	if (ran_out_of_memory(r))
		return "oom";
	return WIFSIGNALED(status) ? "signaled" : "exited";
}

/* --per-node: the run ended as the first of its tasks that failed. If nothing but success is known,
 * and not of all, how it ended is unknown: but a script that goes on after its command cannot know
 * of the others, and its recording is of that command. */
static void set_exit_of_tasks(struct run *r)
{
	struct snapshot *s = &r->snapshot;
	int status = r->tasks.first.status;

	if (!r->tasks.first.pid && s->tasks.known && s->tasks.unknown > 0 &&
	    per_node_is_task(&r->per_node) && strcmp(s->exit.cause, "oom") != 0) {
		s->exit.known = false;
		s->exit.cause = "";
	}
	if (!r->tasks.first.pid || r->tasks.first.pid == r->command_end.pid)
		return;
	s->exit.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	s->exit.code = s->exit.signal ? -1 : WEXITSTATUS(status);
	s->exit.cause = cause_of(r, status);
}

static void set_exit(struct run *r, struct run_result *result)
{
	struct snapshot *s = &r->snapshot;
	int status = wait_status(r);

	if (status >= 0) {
		result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		result->code = result->signal ? -1 : WEXITSTATUS(status);
		if (r->o->mode == COLLECT_OPTIONS_COMMAND)
			result->status = result->signal ? 128 + result->signal : result->code;
		else
			result->status = 0;
		s->exit.known = true;
		s->exit.cause = cause_of(r, status);
	} else {
		result->code = -1;
		result->status = 0;
		result->detached = r->interrupted;
		s->exit.cause = "exited";
		if (r->o->mode == COLLECT_OPTIONS_SYSTEM)
			s->exit.cause = "stopped";
		else if (r->interrupted)
			s->exit.cause = "detached";
		if (!r->interrupted && ran_out_of_memory(r))
			s->exit.cause = "oom";
	}
	s->exit.code = result->code;
	s->exit.signal = result->signal;
	s->tasks = node_tasks_finish(&r->tasks, r->command_end.pid, r->command_end.status);
	result->tasks = s->tasks;
	if (r->o->mode == COLLECT_OPTIONS_COMMAND)
		set_exit_of_tasks(r);
}

/* When a job is ended, its processes are signalled one after the other: the recorder's turn may
 * come when the command has already ended. */
static void take_late_signals(struct run *r)
{
	struct signalfd_siginfo info;

	for (int i = 0; i < SNAPSHOT_END_SIGNALS && signals_next(&r->signals, &info); i++)
		end_signals_add(&r->end.signals, &r->root, &info, clocks_now(CLOCK_MONOTONIC));
}

/* Why it ended. Of the machine alone, and of a process that goes on, there is nothing to say. */
static void set_end(struct run *r, struct run_result *result)
{
	/* The status may be that of another task (set_exit_of_tasks). */
	bool other = r->tasks.first.pid && r->tasks.first.pid != r->command_end.pid;
	bool command = r->o->mode == COLLECT_OPTIONS_COMMAND && !other;
	const struct end_known known = {.oom = &r->oom,
	                                .outside = &r->outside,
	                                .job_end = r->has_job_end ? &r->job_end : NULL,
	                                .limits = &r->limits,
	                                .command = command ? r->o->command : NULL,
	                                .pid = command ? r->command_end.pid : 0,
	                                .output = command ? r->file.path : NULL,
	                                .status = other ? -1 : wait_status(r),
	                                .max_rss_b = r->max_rss_b,
	                                .peak_b = r->rows.peak_b,
	                                .all_cpu_s = r->utime_s + r->stime_s,
	                                .address_b = r->totals.peak_virtual_b,
	                                .wall_s = result->wall_s,
	                                .ran_s = r->asked.ran_s,
	                                .at = r->sample.at};

	if (other)
		r->end.has_limits = false;
	if (r->o->mode == COLLECT_OPTIONS_COMMAND)
		take_late_signals(r);
	if (r->o->mode != COLLECT_OPTIONS_SYSTEM && !r->interrupted)
		end_fill(&r->end, &known, &r->snapshot);
	if (end_is_oom(&r->snapshot))
		r->snapshot.exit.cause = "oom";
	if (r->snapshot.end.known)
		snprintf(result->why, sizeof result->why, "%s", r->snapshot.end.sentence);
}

static void write_run_totals(void *ctx, struct json_write *j)
{
	const struct run *r = ctx;

	reaped_totals_write(&r->totals, j);
	cgroup_usage_write(&r->usage, j);
}

static void write_run_members(void *ctx, struct json_write *j)
{
	struct run *r = ctx;

	limits_write(&r->limits, j);
	gpu_write(r->gpu, j);
	if (r->tree)
		tree_write_states(r->tree, j);
}

static int write_run_tree(void *ctx, struct json_write *j, struct err *e)
{
	struct run *r = ctx;

	return r->log ? process_log_write(r->log, r->tree, j, e) : 0;
}

/* We reap only our own task, and the launcher's daemon the others: its accounts have the CPU time
 * and the page faults of all, but not the rest, unless it reported what they used. */
static void set_node_totals(struct run *r, double utime_s, double stime_s)
{
	struct snapshot_totals *t = &r->totals;
	const struct job_end none = job_end_none();
	const double *end = r->has_job_end ? r->job_end.of : none.of;

	r->snapshot.totals.known = true;
	r->snapshot.totals.utime_s = t->utime_s = stats_round(utime_s, 6);
	r->snapshot.totals.stime_s = t->stime_s = stats_round(stime_s, 6);
	if (end[JOB_END_MAX_RSS] > t->peak_rss_b)
		t->peak_rss_b = end[JOB_END_MAX_RSS];
	r->snapshot.totals.max_rss_b = t->peak_rss_b;
	t->major_faults =
	    r->sample.tree.sum[CPU_ACCOUNTING_MAJOR] - r->rows.first.tree.sum[CPU_ACCOUNTING_MAJOR];
	t->rchar_b = t->wchar_b = NAN; /* no source has them */
	t->minor_faults = end[JOB_END_MINOR_FAULTS];
	t->ctx_voluntary = end[JOB_END_CTX_VOLUNTARY];
	t->ctx_involuntary = end[JOB_END_CTX_INVOLUNTARY];
	if (isnan(end[JOB_END_READ]))
		snapshot_note(
		    &r->snapshot,
		    "Tasks of this node that other processes started are seen from "
		    "outside: what they read and wrote after the last sample that saw them "
		    "is missing.");
}

/* No memory of the job was above its cgroup's peak, but for files that it mapped: what others had
 * read of them before is in other cgroups. Where one process was much larger than both, no sample
 * saw its files. NAN: unknown. */
static double cgroup_peak(const struct run *r)
{
	double peak = r->usage.cgroup_memory_peak_b, all = peak + larger(r->rows.file_b, 0);
	struct snapshot_totals t;

	tree_totals(r->tree, &t);
	if (t.peak_rss_b > all + UNSEEN_FILES_B)
		return peak + t.peak_rss_b;
	return all < t.peak_rss_b ? t.peak_rss_b : all;
}

/* The peak is the same number everywhere: the snapshot's, the row's, and that of the last line. */
static void set_memory(struct run *r, struct run_result *result)
{
	struct snapshot_memory *m = &r->snapshot.memory;
	double most_b, sure_b;
	bool seen;

	result->peak_b = r->rows.peak_b;
	if (!r->tree)
		return;
	m->known = true;
	seen = tree_memory(r->tree, m);
	m->peak_b = r->rows.peak_b > 0 ? larger(m->peak_b, r->rows.peak_b) : m->peak_b;
	m->peak_b = r->rows.held_b > 0 ? larger(m->peak_b, r->rows.held_b) : m->peak_b;
	m->peak_b = isnan(m->peak_b) ? m->peak_b : lesser(m->peak_b, cgroup_peak(r));
	sure_b = larger(tree_memory_sure(r->tree), r->rows.held_b);
	most_b = isnan(m->peak_most_b) ? (double)NAN : larger(m->peak_most_b, r->rows.most_b);
	most_b = lesser(most_b, cgroup_peak(r));
	most_b = most_b < m->peak_b ? m->peak_b : most_b;
	m->peak_most_b = isnan(m->peak_b) || most_b > DBL_MAX ? NAN : most_b;
	m->mean_most_b = lesser(r->rows.mean_most_b, m->peak_most_b);
	m->how = SNAPSHOT_MEMORY_BOUND;
	if (isnan(m->peak_b))
		m->how = "";
	else if (isnan(most_b))
		m->how = SNAPSHOT_MEMORY_SAMPLED;
	else if (m->peak_most_b <= lesser(sure_b, m->peak_b) * SAME_PEAK)
		m->how = SNAPSHOT_MEMORY_EXACT;
	if (isnan(m->peak_most_b) || !seen)
		m->mean_most_b = NAN;
	m->peak_b = stats_round(m->peak_b, 0);
	m->peak_most_b = stats_round(m->peak_most_b, 0);
	m->mean_most_b = stats_round(m->mean_most_b, 0);
	result->peak_b = m->peak_b;
	result->memory = *m;
	if (r->rows.tmpfs_b >= TMPFS_B)
		snapshot_note(&r->snapshot,
		              "%.0f MiB more in tmpfs or shared memory while it ran; whose is not "
		              "known, so they are only in the upper bound of the peak.",
		              r->rows.tmpfs_b / QUANTITY_MIB);
}

static void set_totals(struct run *r, struct run_result *result)
{
	struct snapshot *s = &r->snapshot;
	const double *sum = r->sample.tree.sum, *first = r->rows.first.tree.sum;
	const double *end = r->sample.values, *begin = r->rows.first.values;
	double awake_s = (double)(r->sample.at - r->schedule.start) / 1e9;
	double tree_u = sum[CPU_ACCOUNTING_UTIME] - first[CPU_ACCOUNTING_UTIME];
	double tree_s = sum[CPU_ACCOUNTING_STIME] - first[CPU_ACCOUNTING_STIME];
	double cpu = tree_u + tree_s;

	if (!r->tree)
		cpu = end[METRIC_SYSTEM_UTIME] + end[METRIC_SYSTEM_STIME] -
		      begin[METRIC_SYSTEM_UTIME] - begin[METRIC_SYSTEM_STIME];
	/* The command's cgroup counts processes that no sample saw and nobody reaped. */
	else if (r->o->mode == COLLECT_OPTIONS_COMMAND)
		cpu = larger(cpu, r->usage.cgroup_cpu_s);
	result->wall_s = schedule_lasted(&r->schedule, r->sample.at);
	result->cores = awake_s > 0 && cpu > 0 ? cpu / awake_s : 0;
	set_memory(r, result);
	s->meta.stop_time = s->meta.start_time + result->wall_s;
	s->meta.duration = result->wall_s;
	s->totals.known = r->tree && r->o->mode == COLLECT_OPTIONS_COMMAND;
	s->totals.wall_s = result->wall_s;
	s->totals.utime_s = r->utime_s;
	s->totals.stime_s = r->stime_s;
	s->totals.max_rss_b = r->max_rss_b > 0 ? r->max_rss_b : (double)NAN;
	if (r->tree)
		tree_totals(r->tree, &r->totals);
	if (r->tree && r->per_node.daemon)
		set_node_totals(r, tree_u, tree_s);
	r->totals.sampled_cpu_s = r->rows.cpu_s;
	if (run_rows_unseen(r))
		r->totals.sampled_cpu_s =
		    r->rows.whole[METRIC_PROCESS_UTIME] + r->rows.whole[METRIC_PROCESS_STIME];
	if (run_rows_unseen(r) && !r->has_job_end && r->command.self_io < 0)
		r->totals.read_b = r->totals.write_b = r->totals.rchar_b = r->totals.wchar_b = NAN;
	r->totals.cgroup_cpu_s = r->usage.cgroup_cpu_s;
	r->totals.counted_cpu_s = r->usage.counted_cpu_s = process_log_counted(r->log);
	s->totals.exact_cpu_s = stats_round(reaped_totals_exact(&r->totals), 6);
	s->totals.read_b = r->totals.read_b;
	s->totals.write_b = r->totals.write_b;
	s->totals.oom_kills = r->usage.oom_kills;
	s->totals.cpu_wait_s = r->totals.cpu_wait_s;
	s->totals.cgroup_cpu_some_s = r->usage.cgroup_cpu_some_s;
	s->totals.cgroup_cpu_full_s = r->usage.cgroup_cpu_full_s;
	s->limits.cpus = r->limits.of.cpus; /* for the overview */
	s->more = (struct snapshot_more){write_run_totals, write_run_members, write_run_tree, r};
}

static void note_phases(struct run *r)
{
	struct snapshot *s = &r->snapshot;

	s->phases = r->phases;
	if (!r->phases)
		return;
	if (r->phases->unmatched)
		snapshot_note(
		    s, "%zu mark%s a phase other than the current one, and changed nothing.",
		    r->phases->unmatched, r->phases->unmatched == 1 ? " ended" : "s ended");
	if (r->phases->left_out)
		snapshot_note(s, "%zu marks were dropped: a recording holds at most %d phases.",
		              r->phases->left_out, PHASES_MAX);
}

static void set_notes(struct run *r)
{
	struct snapshot *s = &r->snapshot;

	if (r->tree)
		tree_notes(r->tree, &r->usage, s);
	if (r->machine)
		machine_notes(r->machine, s);
	if (r->root.scarce)
		snapshot_note(
		    s,
		    "At most %zu files may be open: the cgroup was not watched, the command had "
		    "no cgroup of its own, and some data is missing.",
		    fd_limit_most());
	if (r->schedule.skipped)
		snapshot_note(s, "%llu sample%s skipped: rtrack-collect was woken too late.",
		              (unsigned long long)r->schedule.skipped,
		              r->schedule.skipped == 1 ? " was" : "s were");
	clocks_notes(&r->clocks, s);
	node_tasks_notes(&r->tasks, s);
	gpu_notes(r->gpu, s);
	limits_notes(&r->limits, s);
	cgroup_watch_notes(&r->watch, s);
	note_phases(r);
	if (r->o->mode == COLLECT_OPTIONS_COMMAND && r->command.orphans)
		snapshot_note(s,
		              "Processes that outlived their parent could not be adopted (%s): "
		              "their usage is missing unless a sample had seen them before.",
		              strerror(r->command.orphans));
	if (r->o->mode == COLLECT_OPTIONS_COMMAND) {
		suspend_notes(&r->command.suspend, s);
		cgroup_own_notes(r->own, s);
		if (r->tree)
			reaped_totals_notes(&r->totals, s);
	}
	end_notes(s);
	if (r->rows.journal_failed)
		snapshot_note(s, "The recording stopped early: %s.", r->rows.journal_error.msg);
	if (alloc_failed())
		snapshot_note(s, "%s", NO_MEMORY);
	if (run_rows_unseen(r))
		snapshot_note(
		    s,
		    "The %s could not be seen while it ran (%s): the recording has one row for the "
		    "whole run, and its memory is the peak RSS of the largest process.",
		    r->never_seen ? "job" : "command",
		    *r->unseen.msg ? r->unseen.msg : "it ended before the first sample");
	/* Without --no-children, the usage of its descendants is not that of other jobs. */
	else if (r->tree && r->machine && r->o->children && r->o->discover_server)
		s->server.allocation = host_sharing_word(&r->rows.allocation);
}

/* Tells where an earlier recording of this name is now. */
static void say_earlier(const struct run *r)
{
	struct err e = {0};

	if (!*r->file.kept || (r->o->quiet && !r->file.kept_as_is))
		return;
	err_set(&e, "%s was there; that recording is %s now%s%s", r->file.path, r->file.kept,
	        r->file.kept_as_is ? ": " : "",
	        r->file.kept_as_is ? strerror(r->file.kept_as_is) : "");
	r->say(e.msg);
}

/* Writes the snapshot and fills *result. A failure is reported through r->say. */
static void run_end(struct run *r, struct run_result *result)
{
	struct snapshot_source rows = run_rows_choose(r);
	int64_t answers_by = clocks_now(CLOCK_MONOTONIC) + ANSWERS_WAIT_MS * INT64_C(1000000);
	bool kept = keeps_samples(r);
	struct err e = {0}, moved, end_e;

	read_job_cgroup(r);
	discover_cloud_finish(&r->cloud, answers_by, &r->snapshot);
	if (r->o->discover_server)
		gpu_describe(r->gpu, &r->snapshot);
	discover_asked_finish(&r->asked, r->o, &r->limits, answers_by, &r->snapshot);
	set_exit(r, result);
	set_totals(r, result);
	set_end(r, result);
	input_files_end(&r->inputs, &r->snapshot);
	discover_job_commit_time(&r->snapshot);
	set_notes(r);
	result->rows = rows.rows;
	result->skipped = r->schedule.skipped;
	memcpy(result->output, r->file.path, sizeof result->output);
	result->written = snapshot_file_write(&r->file, &r->snapshot, &rows, &e) == 0;
	if (r->file.moved) {
		err_set(&moved, "another recorder has written %s; this recording is %s",
		        result->output, r->file.path);
		r->say(moved.msg);
		memcpy(result->output, r->file.path, sizeof result->output);
	}
	say_earlier(r);
	if (end_file_tell(r->end_file, r->o->oom_status, &r->snapshot, &result->status, &end_e))
		r->say(end_e.msg);
	if (!result->written) {
		err_wrap(&e, "the samples are %s %s", kept ? "kept in" : "lost with",
		         r->file.journal);
		r->say(e.msg);
		if (r->o->mode != COLLECT_OPTIONS_COMMAND)
			result->status = 1;
	}
	/* The last processes are written with the snapshot. */
	if (r->journal && !r->rows.journal_failed && journal_check(r->journal, &e)) {
		err_wrap(&e, "processes are missing in the recording");
		r->say(e.msg);
	}
	result->cpu_s = (double)clocks_now(CLOCK_PROCESS_CPUTIME_ID) / SCHEDULE_SECOND;
	if (alloc_failed() && result->written)
		r->say(NO_MEMORY);
	journal_close(r->journal, result->written || !kept);
	r->journal = NULL;
}

/* -- all --------------------------------------------------------------------------------------- */

/* Called after the snapshot is written, which gave the reader of the CSV more time. */
static void end_csv(struct run *r, struct run_result *result)
{
	struct pollfd terminal = {.fd = STDERR_FILENO, .events = POLLOUT};
	struct err e = {0};
	size_t lost;

	if (csv_stream_close(&r->csv, r->rows.csv_failed ? 0 : CSV_STREAM_WAIT_MS, &e) &&
	    !r->said_csv)
		run_state_say(r, e.msg);
	lost = csv_stream_lost(&r->csv);
	if (lost == 0 || r->said_csv)
		return;
	/* If the same stalled reader has standard error too, printing would block. */
	result->stderr_stalled = poll(&terminal, 1, 0) == 0;
	err_set(&e, "%s: %zu row%s of the CSV %s lost: the reader did not keep up", r->csv.name,
	        lost, lost == 1 ? "" : "s", lost == 1 ? "was" : "were");
	if (!result->stderr_stalled)
		run_state_say(r, e.msg);
}

static void release(struct run *r)
{
	command_cancel(&r->command);
	command_close(&r->command);
	signals_close(&r->signals);
	journal_close(r->journal, true);
	discover_cloud_close(&r->cloud);
	discover_asked_close(&r->asked);
	run_upload_close(r);
	gpu_close(r->gpu);
	oom_close(&r->oom);
	end_close(&r->end);
	cgroup_outside_close(&r->outside);
	cgroup_watch_close(&r->watch);
	cgroup_own_close(r->own);
	phase_fifo_close(&r->phase_fifo);
	node_tasks_close(&r->tasks);
	per_node_close(&r->per_node);
	free(r->phases);
	free(r->devices);
	process_log_close(r->log);
	process_now_close(r->now);
	tree_close(r->tree);
	machine_close(r->machine);
	snapshot_free(&r->snapshot);
	root_close(&r->root);
	(void)csv_stream_close(&r->csv, 0, NULL);
	(void)close(r->pidfd); /* -1: none */
	if (stdout_output_is(r->o->output))
		stdout_output_clean(r->file.path);
}

int run(const struct collect_options *o, run_say say, struct run_result *result, struct err *e)
{
	/* Static: on the stack all of it would be written to, and so be in memory. */
	static struct run r;
	int failed;

	r.o = o;
	r.say = say;
	*result = (struct run_result){.status = COMMAND_NOT_STARTED};
	r.pidfd = r.end_file = r.signals.fd = r.csv.out.fd = r.command.go = r.command.failure =
	    r.progress.line.fd = r.command.self_io = r.phase_fifo.fd = r.tasks.events.fd =
		r.end.deaths.events.fd = -1;
	failed = run_begin(&r, result, e);
	if (!failed) {
		take_first_sample(&r);
		if (o->discover_server)
			discover_server_cpu(&r.root, &r.snapshot);
		run_begin_say(&r);
		run_progress_open(&r);
		loop(&r);
		take_last_sample(&r);
		run_end(&r, result);
		end_csv(&r, result);
		run_upload_finish(&r, result);
	}
	release(&r);
	return failed ? -1 : 0;
}
