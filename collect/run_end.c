/* run_end: ends a recording: totals, notes, and the snapshot file. */
#include "collect/run_end.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "collect/run_rows.h"
#include "core/base/alloc_failed.h"
#include "core/base/larger.h"
#include "core/recording/snapshot_source.h"

#define ANSWERS_WAIT_MS 40 /* for processes in the background, all together */

#define SAME_PEAK 1.01 /* bounds that are so near are one number */

#define TMPFS_B        16777216.0 /* what is worth a sentence */
#define UNSEEN_FILES_B 16777216.0 /* libraries, that one process has mapped alone */

#define NO_MEMORY                                                                                  \
	"There was not enough memory: parts of the description of the job and the machine may be " \
	"missing."

/* As of wait(2): the command's, or as a launcher reported it. -1: not known. */
static int wait_status(const struct run *r)
{
	double status = r->has_job_end ? r->job_end.of[JOB_END_STATUS] : NAN;

	if (r->o->mode == COLLECT_OPTIONS_COMMAND)
		return r->command_end.status;
	return status >= 0 ? (int)status : -1;
}

/* What the last reading of the job's cgroup missed, its launcher may have reported. */
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

/* Who ends a job signals its processes one after the other: the recorder, maybe, when the command
 * has already ended. */
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
		tree_write_processes(r->tree, j, r->o->keep_command);
}

static int write_run_tree(void *ctx, struct json_write *j, struct err *e)
{
	struct run *r = ctx;

	return r->log ? process_log_write(r->log, j, e) : 0;
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
	if (r->rows.tmpfs_b >= TMPFS_B)
		snapshot_note(&r->snapshot,
		              "%.0f MiB more in tmpfs or shared memory while it ran; whose is not "
		              "known, so they are only in the upper bound of the peak.",
		              r->rows.tmpfs_b / 1048576);
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
	/* For rtrack_row; the snapshot's totals are written by write_run_totals(). */
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
	/* What its descendants use is not the use of others. */
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

void run_end(struct run *r, struct run_result *result)
{
	struct snapshot_source rows = run_rows_choose(r);
	int64_t answers_by = clocks_now(CLOCK_MONOTONIC) + ANSWERS_WAIT_MS * INT64_C(1000000);
	struct rusage self;
	struct err e = {0};

	read_job_cgroup(r);
	discover_cloud_finish(&r->cloud, answers_by, &r->snapshot);
	if (r->o->discover_server)
		gpu_describe(r->gpu, &r->snapshot);
	discover_asked_finish(&r->asked, r->o, &r->limits, answers_by, &r->snapshot);
	set_exit(r, result);
	set_totals(r, result);
	set_end(r, result);
	input_files_end(&r->inputs, &r->snapshot);
	set_notes(r);
	result->rows = rows.rows;
	result->skipped = r->schedule.skipped;
	memcpy(result->output, r->file.path, sizeof result->output);
	result->written = snapshot_file_write(&r->file, &r->snapshot, &rows, &e) == 0;
	if (r->file.moved) {
		err_set(&e, "another recorder has written %s; this recording is %s", result->output,
		        r->file.path);
		r->say(e.msg);
		memcpy(result->output, r->file.path, sizeof result->output);
	}
	say_earlier(r);
	if (!result->written) {
		err_wrap(&e, "the samples are kept in %s", r->file.journal);
		r->say(e.msg);
		if (r->o->mode != COLLECT_OPTIONS_COMMAND)
			result->status = 1;
	}
	/* The last processes are written with the snapshot. */
	if (r->journal && !r->rows.journal_failed && journal_check(r->journal, &e)) {
		err_wrap(&e, "processes are missing in the recording");
		r->say(e.msg);
	}
	if (getrusage(RUSAGE_SELF, &self) == 0)
		result->cpu_s = (double)self.ru_utime.tv_sec + (double)self.ru_stime.tv_sec +
		                (double)(self.ru_utime.tv_usec + self.ru_stime.tv_usec) / 1e6;
	if (alloc_failed() && result->written)
		r->say(NO_MEMORY);
	journal_close(r->journal, result->written);
	r->journal = NULL;
}
