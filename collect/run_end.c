/* run_end: what a recording comes to, and how it is written down. */
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "collect/run_state.h"
#include "core/alloc_failed.h"

#define NO_MEMORY                                                                                  \
	"There was not enough memory: some of what tells the job and its machine may be missing."

static void set_exit(struct run *r, struct run_result *result)
{
	struct snapshot *s = &r->snapshot;

	if (r->o->mode == COLLECT_OPTIONS_COMMAND) {
		int status = r->end.status;
		result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		result->code = result->signal ? -1 : WEXITSTATUS(status);
		result->status = result->signal ? 128 + result->signal : result->code;
		s->exit.known = true;
		s->exit.cause = oom_cause(&r->oom, status) == OOM_YES ? "oom"
		                : result->signal                      ? "signaled"
		                                                      : "exited";
	} else {
		result->code = -1;
		result->status = 0;
		result->detached = r->told;
		s->exit.cause = r->o->mode == COLLECT_OPTIONS_SYSTEM ? "stopped"
		                : r->told                            ? "detached"
		                                                     : "exited";
	}
	s->exit.code = result->code;
	s->exit.signal = result->signal;
}

static void write_totals(void *ctx, struct json_write *j)
{
	const struct run *r = ctx;

	reaped_totals_write(&r->totals, j);
	cgroup_usage_write(&r->usage, j);
}

static void write_members(void *ctx, struct json_write *j)
{
	struct run *r = ctx;

	limits_write(&r->limits, j);
	gpu_write(r->gpu, j);
	if (r->tree)
		tree_write_processes(r->tree, j, r->o->keep_command);
}

/* Whether nothing was seen of the tree while it ran, and only its end is known. */
static bool is_unseen(const struct run *r)
{
	return r->o->mode == COLLECT_OPTIONS_COMMAND && !tree_saw_any(r->tree);
}

static void set_totals(struct run *r, struct run_result *result)
{
	struct snapshot *s = &r->snapshot;
	const double *sum = r->sample.tree.sum, *first = r->record.first.tree.sum;
	const double *end = r->sample.values, *begin = r->record.first.values;
	double awake_s = (double)(r->sample.at - r->timing.start) / 1e9;
	double cpu = sum[CPU_ACCOUNTING_UTIME] + sum[CPU_ACCOUNTING_STIME] -
	             first[CPU_ACCOUNTING_UTIME] - first[CPU_ACCOUNTING_STIME];

	if (!r->tree)
		cpu = end[METRIC_SYSTEM_UTIME] + end[METRIC_SYSTEM_STIME] -
		      begin[METRIC_SYSTEM_UTIME] - begin[METRIC_SYSTEM_STIME];
	result->wall_s = schedule_lasted(&r->timing, r->sample.at);
	result->cores = awake_s > 0 && cpu > 0 ? cpu / awake_s : 0;
	/* The same number as the report's: what the rows say, not the largest process alone. */
	result->peak_b = r->record.peak_b > 0 ? r->record.peak_b : r->max_rss_b;
	s->meta.stop_time = s->meta.start_time + result->wall_s;
	s->meta.duration = result->wall_s;
	s->totals.known = r->o->mode == COLLECT_OPTIONS_COMMAND;
	s->totals.wall_s = result->wall_s;
	s->totals.utime_s = r->utime_s;
	s->totals.stime_s = r->stime_s;
	s->totals.max_rss_b = r->max_rss_b;
	if (r->tree)
		tree_totals(r->tree, &r->totals);
	r->totals.sampled_cpu_s = r->record.cpu_s;
	if (is_unseen(r))
		r->totals.sampled_cpu_s =
		    r->record.whole[METRIC_PROCESS_UTIME] + r->record.whole[METRIC_PROCESS_STIME];
	if (is_unseen(r) && r->child.self_io < 0)
		r->totals.read_b = r->totals.write_b = NAN;
	r->totals.cgroup_cpu_s = r->usage.cpu_s;
	result->totals = r->totals;
	s->more = (struct snapshot_more){write_totals, write_members, r};
}

static void note_phases(struct run *r)
{
	struct snapshot *s = &r->snapshot;

	s->phases = r->phases;
	if (!r->phases)
		return;
	if (r->phases->unmatched)
		snapshot_note(
		    s, "%zu mark%s a phase that was not the present one, and changed nothing.",
		    r->phases->unmatched, r->phases->unmatched == 1 ? " ended" : "s ended");
	if (r->phases->left_out)
		snapshot_note(s, "%zu marks found no room: a recording holds %d phases.",
		              r->phases->left_out, PHASES_MAX);
}

static void set_notes(struct run *r)
{
	struct snapshot *s = &r->snapshot;

	if (r->tree)
		tree_notes(r->tree, s);
	machine_notes(r->system, s);
	if (r->root.scarce)
		snapshot_note(
		    s,
		    "At most %zu files may be open: its cgroup is not watched, the command "
		    "had none of its own, and what found no room is missing.",
		    fd_limit_most());
	if (r->timing.skipped)
		snapshot_note(s, "%llu sample%s skipped: the collector was woken too late.",
		              (unsigned long long)r->timing.skipped,
		              r->timing.skipped == 1 ? " was" : "s were");
	clocks_notes(&r->clocks, s);
	gpu_notes(r->gpu, s);
	limits_notes(&r->limits, s);
	cgroup_watch_notes(&r->watch, s);
	note_phases(r);
	if (r->o->mode == COLLECT_OPTIONS_COMMAND && r->child.orphans)
		snapshot_note(s,
		              "Processes that outlive their parent could not be adopted (%s): what "
		              "they used is missing where no sample had seen them before.",
		              strerror(r->child.orphans));
	if (r->o->mode == COLLECT_OPTIONS_COMMAND) {
		suspend_notes(&r->child.suspend, s);
		cgroup_own_notes(r->own, s);
		oom_notes(&r->oom, r->end.status, s);
		reaped_totals_notes(&r->totals, s);
	}
	if (r->record.journal_failed)
		snapshot_note(s, "The recording stopped early: %s.", r->record.journal_error.msg);
	if (alloc_failed())
		snapshot_note(s, "%s", NO_MEMORY);
	if (is_unseen(r))
		snapshot_note(
		    s,
		    "The command could not be seen while it ran (%s): there is one row for "
		    "the whole run, whose memory is the peak RSS of the largest process.",
		    r->hidden.msg);
	else if (r->tree)
		s->server.allocation = host_sharing_word(&r->record.allocation);
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

/* What the end does not tell was not measured. */
static void forget_unseen(struct run *r)
{
	double *row = r->record.whole;

	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].scope == METRIC_SCOPE_PROCESS &&
		    (!metrics[id].documented || id == METRIC_PROCESS_CHILDREN))
			row[id] = NAN;
	if (r->child.self_io < 0)
		row[METRIC_PROCESS_READ_BYTES] = row[METRIC_PROCESS_WRITE_BYTES] = NAN;
}

/* A disk that was full before the first regular row leaves a long run with early ones alone; one
 * that was full before these, with none: then the whole run is one row. */
static struct snapshot_source choose_rows(struct run *r)
{
	const struct snapshot_source whole = {
	    .rows = 1, .fetch = fetch_whole, .ctx = r->record.whole};
	bool early = !schedule_grown(&r->timing, r->sample.at);
	struct snapshot_source rows;

	if (is_unseen(r)) {
		forget_unseen(r);
		return whole;
	}
	rows = journal_source(r->journal, early);
	if (rows.rows == 0)
		rows = journal_source(r->journal, !early);
	return rows.rows ? rows : whole;
}

void run_end(struct run *r, struct run_result *result)
{
	struct snapshot_source rows = choose_rows(r);
	struct rusage self;
	struct err e = {0};

	oom_read(&r->oom);
	cgroup_own_read(r->own, &r->usage);
	discover_cloud_finish(&r->cloud, &r->snapshot);
	gpu_describe(r->gpu, &r->snapshot);
	set_exit(r, result);
	set_totals(r, result);
	set_notes(r);
	result->rows = rows.rows;
	result->skipped = r->timing.skipped;
	memcpy(result->output, r->output.path, sizeof result->output);
	result->written = snapshot_file_write(&r->output, &r->snapshot, &rows, &e) == 0;
	if (!result->written) {
		err_wrap(&e, "the samples stay in %s", r->output.journal);
		r->say(e.msg);
		if (r->o->mode != COLLECT_OPTIONS_COMMAND)
			result->status = 1;
	}
	if (getrusage(RUSAGE_SELF, &self) == 0)
		result->cpu_s = (double)self.ru_utime.tv_sec + (double)self.ru_stime.tv_sec +
		                (double)(self.ru_utime.tv_usec + self.ru_stime.tv_usec) / 1e6;
	if (alloc_failed() && result->written)
		r->say(NO_MEMORY);
	journal_close(r->journal, result->written);
	r->journal = NULL;
}
