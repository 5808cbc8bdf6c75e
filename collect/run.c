/* run: the event loop of a recording. */
#include "collect/run.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/command/command.h"
#include "collect/output/stdout_output.h"
#include "collect/procfs/proc_pid.h"
#include "collect/redact/redact.h"
#include "collect/run_begin.h"
#include "collect/run_end.h"
#include "collect/run_progress.h"
#include "collect/run_sample.h"
#include "collect/run_upload.h"

#define SIGNALS_AT_ONCE 256

/* Reports failures of the last sample, each once. The command goes on. */
static void say_failures(struct run *r)
{
	struct err stops = r->rows.journal_error;

	if (r->rows.journal_failed && !r->said_journal) {
		err_wrap(&stops, "the recording stops here%s",
		         r->o->mode == COLLECT_OPTIONS_COMMAND ? ", the command goes on" : "");
		run_progress_say(r, stops.msg);
		r->said_journal = true;
		/* Without a command there is nothing to wait for. */
		r->done = r->done || r->o->mode != COLLECT_OPTIONS_COMMAND;
	}
	if (r->rows.csv_failed && !r->said_csv) {
		run_progress_say(r, r->rows.csv_error.msg);
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
	rss_b = (double)end->usage.ru_maxrss * 1024;
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
	/* What a shell prints next begins a line. */
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
	if (fds[10].fd < 0 || fds[10].revents)
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
	progress_line_close(&r->progress.line);
	/* Also a line without an end, whose writer still runs. */
	take_end_line(r);
	cgroup_outside_read(&r->outside);
	begin_with_tasks(r);
	run_sample(r);
	/* What an ended job has left there is not what it had in this interval. */
	if (r->command.ended)
		r->sample.values[METRIC_SYSTEM_CGROUP_MEMORY] = NAN;
	end_deaths_read(&r->end.deaths);
	if (r->command.ended)
		end_look(&r->end, &r->root, r->command.pid);
	if (r->command.ended && command_reap_command(&r->command, &r->command_end) == 0) {
		count_usage(r, &r->command_end);
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

/* Called after the snapshot is written, which gave the reader of the CSV more time. */
static void end_csv(struct run *r, struct run_result *result)
{
	struct pollfd terminal = {.fd = STDERR_FILENO, .events = POLLOUT};
	struct err e = {0};
	size_t lost;

	if (csv_stream_close(&r->csv, r->rows.csv_failed ? 0 : CSV_STREAM_WAIT_MS, &e) &&
	    !r->said_csv)
		run_progress_say(r, e.msg);
	lost = csv_stream_lost(&r->csv);
	if (lost == 0 || r->said_csv)
		return;
	/* If the same stalled reader has standard error too, printing would block. */
	result->stderr_stalled = poll(&terminal, 1, 0) == 0;
	err_set(&e, "%s: %zu row%s of the CSV %s lost: the reader did not keep up", r->csv.name,
	        lost, lost == 1 ? "" : "s", lost == 1 ? "was" : "were");
	if (!result->stderr_stalled)
		run_progress_say(r, e.msg);
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
	if (r->pidfd >= 0)
		close(r->pidfd);
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
	r.pidfd = r.signals.fd = r.csv.out.fd = r.command.go = r.command.failure =
	    r.progress.line.fd = r.command.self_io = r.phase_fifo.fd = r.tasks.events.fd =
		r.end.deaths.events.fd = -1;
	failed = run_begin(&r, result, e);
	if (!failed) {
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
