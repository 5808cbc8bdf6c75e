/* tree: what a process and all its descendants use together. */
#include "collect/process/tree.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "collect/cgroup/cgroup_text.h"
#include "collect/machine/clocks.h"
#include "collect/process/cpu_wait.h"
#include "collect/process/family.h"
#include "collect/process/own_account.h"
#include "collect/process/process_table.h"
#include "collect/process/pss.h"
#include "collect/process/top_processes.h"
#include "collect/process/unseen_bound.h"
#include "collect/procfs/fd_limit.h"
#include "collect/procfs/root.h"
#include "core/base/larger.h"
#include "core/base/quantity.h"
#include "core/recording/snapshot.h"

#define REPEATS    8 /* readings of a parent whose children are being reaped */
#define PLACES_MIN 64
#define OTHERS_B   ((size_t)6 << 20) /* memory that the rest of a recording needs */
#define WAKE_S     5.0               /* an idle process is read again after so long */
/* An upper bound of the peak beyond so many times the lower one, and so much, says nothing. */
#define MOST   4.0
#define MOST_B 67108864.0

/* -- the memory, threads and context switches of all ------------------------------------------- */

/* The gauges at one moment, how large each process has been, and what all of them together held
 * between two readings, at least and at most (memory_mark.h). {0}: no reading yet. */
struct tree_gauges_state {
	struct tree_gauges all, main;
	size_t alive;      /* processes now, without zombies */
	size_t children;   /* the same without the root */
	bool has_root;     /* the root was there, alive or as a zombie */
	double main_cpu_s; /* of the root process, without its children; stays when it has ended */
	/* Sums since the beginning, of the first thread of each process whose status was read. */
	double ctx_voluntary, ctx_involuntary;
	double peak_rss_b; /* of the largest process so far */
	/* Address space of all at this reading, and the largest of a reading, or of one process if
	 * that was larger between two. 0: not measured. */
	double virtual_b, peak_virtual_b;
	bool has_marks; /* VmHWM of a process was read */
	/* Bounds of the memory of all since the last reading, and since the first. 0: not
	 * measured. */
	double least_b, most_b, peak_least_b, peak_most_b;
	double sure_b, peak_sure_b;  /* as .least_b, without estimates */
	double most_now_b;           /* of the last reading, at most */
	double file_most_b, shmem_b; /* PSS in files, at most; in shared memory */
	double file_largest_b;       /* RSS in files of the process that has most */
	/* Their part of the machine's pool of huge pages, at least: now, and the most so far. */
	double hugetlb_now_b, hugetlb_b;
	/* Processes that lived unseen, or on after the last reading that saw them: in the interval
	 * since the last reading, in the one before, and since the first. */
	struct unseen_interval unseen, unseen_before;
	struct unseen_bounds unseen_bounds;
	/* Marks that processes reached after the last reading, before they ended: the largest and
	 * the sum since that reading, and the largest of the run. */
	double reaped_mark_b, reaped_marks_b, peak_reaped_mark_b;

	struct pss_budget budget;
	size_t turn;        /* which postponed process is asked first */
	uint64_t postponed; /* PSS readings that were postponed for their cost */
	/* Processes whose files could not be read: the most in one reading. */
	size_t pss_denied, io_denied, stat_failed;
	bool ignores_children; /* a process ignores SIGCHLD … */
	bool child_loss;       /* … and had children */
};

static bool lives_at(const struct process_table *t, int place)
{
	return t->processes[place].used && !tracked_process_ended(&t->processes[place]);
}

/* -- memory: PSS ------------------------------------------------------------------------------- */

static size_t list_due_pss(struct process_table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		int place = t->order[i];
		const struct tracked_process *p = &t->processes[place];
		struct pss_activity now = pss_activity(&p->stat);
		if (family_holds_memory(t, place) &&
		    pss_is_due(&p->pss, &now, family_kin(t, place)))
			t->scratch[n++] = place;
	}
	return n;
}

/* *from is the thread's CPU time before, and is set to that after: one clock read per process. */
static void read_pss(struct tree_gauges_state *s, struct process_table *t, int place, int64_t *from)
{
	struct tracked_process *p = &t->processes[place];
	struct pss_activity now = pss_activity(&p->stat);
	struct proc_pid_smaps smaps;
	int64_t begin = *from;
	bool known = tracked_process_smaps(p, t->r, &smaps) == 0;

	*from = clocks_now(CLOCK_THREAD_CPUTIME_ID);
	family_was_read(t, place, &smaps);
	if (known)
		pss_was_read(&s->budget, &p->pss, &smaps, &now, family_kin(t, place), &p->rss,
		             (double)(*from - begin) / 1e9);
	else
		p->pss = (struct pss){.known = false};
}

/* How much of its memory is not known. */
static double unknown_b(const struct process_table *t, int place)
{
	const struct tracked_process *p = &t->processes[place];
	struct pss_memory now;

	pss_memory(&p->pss, &p->rss, &now);
	return p->pss.known
	           ? now.grown_b + now.unsure_b + pss_mapped_unsure_b(&p->pss, family_kin(t, place))
	           : now.rss_b;
}

/* Puts the one of n places first whose memory is least known. */
static void put_least_known_first(struct process_table *t, size_t n)
{
	double most = -1;
	size_t first = 0;
	int place;

	for (size_t i = 0; i < n; i++) {
		double b = unknown_b(t, t->scratch[i]);
		if (b > most) {
			most = b;
			first = i;
		}
	}
	if (n == 0)
		return;
	place = t->scratch[first];
	t->scratch[first] = t->scratch[0];
	t->scratch[0] = place;
}

/* Two passes: first each due process whose own savings suffice; then the postponed ones, while some
 * of the budget is left over: first the one whose memory is least known. The others begin one
 * process further each time, so that the same process does not take what is left over in every
 * sample. */
static void read_due_pss(struct tree_gauges_state *s, struct process_table *t, int64_t at)
{
	size_t n = list_due_pss(t), postponed = 0;
	int64_t from = n ? clocks_now(CLOCK_THREAD_CPUTIME_ID) : 0;

	s->budget.unlimited = t->r->replayed;
	pss_budget_deal(&s->budget, at, n);
	for (size_t i = 0; i < n; i++) {
		int place = t->scratch[i];
		struct tracked_process *p = &t->processes[place];
		if (pss_may_read(&s->budget, &p->pss, p->rss.all_b))
			read_pss(s, t, place, &from);
		else
			t->scratch[postponed++] = place;
	}
	put_least_known_first(t, postponed);
	s->turn = postponed > 1 ? (s->turn + 1) % (postponed - 1) : 0;
	for (size_t i = 0; i < postponed; i++) {
		int place = t->scratch[i ? (i - 1 + s->turn) % (postponed - 1) + 1 : 0];
		struct tracked_process *p = &t->processes[place];
		family_set_changing(t, place); /* others were read before it */
		if (pss_may_read_late(&s->budget, &p->pss, p->rss.all_b))
			read_pss(s, t, place, &from);
		else
			s->postponed++;
	}
}

static void look_again(struct process_table *t)
{
	double page_b = (double)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; t->n > 1 && i < t->n; i++) {
		const struct tracked_process *p = &t->processes[t->order[i]];
		double was_b = (double)p->stat.rss_pages * page_b;
		if (was_b >= FAMILY_GAVE_B && family_holds_memory(t, t->order[i]))
			family_look(t, t->order[i], was_b,
			            (double)tracked_process_rss_now(p, t->r) * page_b);
	}
}

/* -- memory: all gauges ------------------------------------------------------------------------ */

/* Whether it was read. */
static bool read_status(struct tree_gauges_state *s, const struct process_table *t,
                        struct tracked_process *p)
{
	struct proc_pid_status before;

	if (!tracked_process_status(p, t->r, &before))
		return false;
	if (p->ctx_voluntary > before.ctx_voluntary)
		s->ctx_voluntary += (double)(p->ctx_voluntary - before.ctx_voluntary);
	if (p->ctx_involuntary > before.ctx_involuntary)
		s->ctx_involuntary += (double)(p->ctx_involuntary - before.ctx_involuntary);
	return true;
}

static void note_peaks(struct tree_gauges_state *s, struct tracked_process *p,
                       const struct pss_memory *now)
{
	double rss = p->hwm_b > now->rss_b ? p->hwm_b : now->rss_b;
	double pss = lesser(now->pss_b, now->rss_b);

	if (rss > p->peak_rss_b)
		p->peak_rss_b = rss;
	if (p->pss.known && pss > p->peak_pss_b)
		p->peak_pss_b = pss;
	if (p->peak_rss_b > s->peak_rss_b)
		s->peak_rss_b = p->peak_rss_b;
}

/* The most that it has now: as far as it is known, with all that it mapped since. A process that
 * was not read yet may have as many of its parent's pages as its page faults can have copied. */
static double most_now(const struct tracked_process *p, const struct pss_memory *now,
                       double steady_b)
{
	double faults = (double)(p->stat.minflt + p->stat.majflt);

	if (!p->pss.known)
		steady_b = larger(steady_b, lesser(now->pss_b, faults * memory_mark_fault_b()));
	return steady_b + now->grown_b + now->reduced_b;
}

/* Keeps what the reading says, and what it says with the reading before. A new mark was a peak of
 * its own memory: what it shared then is what it shares at a reading. A mark that a process had
 * before the recording does not count. */
static void note_mark(struct tree_gauges_state *s, const struct process_table *t, int place,
                      const struct pss_memory *now, double steady_b, bool holds)
{
	struct tracked_process *p = &t->processes[place];
	struct memory_mark before = p->mark;
	double own = now->private_b - (double)p->pss.last.pss_mapped_b, most;

	p->mark = (struct memory_mark){.known = holds,
	                               .mark_b = larger(p->hwm_b, now->rss_b),
	                               .rss_b = now->rss_b,
	                               .pss_b = most_now(p, now, steady_b),
	                               .own_b = own > 0 ? own : 0,
	                               .faults = p->stat.minflt + p->stat.majflt,
	                               .stack = p->stat.stack};
	if (holds)
		family_mark(t, place, before.own_b, &p->mark);
	if (!before.known && p->predates_run)
		before = p->mark;
	most = memory_mark_most(&before, &p->mark);
	p->was_marked = before.known;
	p->own_b = p->mark.shares ? p->mark.own_b : larger(own, 0);
	s->unseen.copied_b += memory_mark_written(&before, &p->mark);
	p->rose = memory_mark_rose(&before, &p->mark);
	p->kept_b = memory_mark_kept(&before, &p->mark);
	p->added_b = most - (t->reading > 1 ? before.pss_b : 0);
	if (p->pss.known && p->rose && memory_mark_same_program(&before, &p->mark))
		p->peak_pss_b = larger(p->peak_pss_b, most);
}

static void add_gauges(struct tree_gauges *sum, const struct pss_memory *memory, double threads)
{
	sum->memory_b += memory->pss_b;
	sum->rss_b += memory->rss_b;
	sum->private_b += memory->private_b;
	sum->shared_b += memory->shared_b;
	sum->swap_b += memory->swap_b;
	sum->threads += threads;
}

/* Sets *memory to the process's part, and *steady_b to its part in the bounds between two
 * readings. */
static void take_process_part(struct tree_gauges_state *s, const struct process_table *t, int place,
                              struct pss_memory *memory, double *steady_b)
{
	const struct tracked_process *p = &t->processes[place];

	family_memory(t, place, memory);
	*steady_b = family_steady_part_b(t, place, memory);
	s->sure_b += family_sure_b(t, place, memory);
	s->file_most_b += memory->file_most_b;
	s->file_largest_b = larger(s->file_largest_b, memory->mapped_b - p->rss.shmem_b);
	s->shmem_b += lesser((double)p->pss.last.pss_shmem_b, memory->pss_mapped_b);
	memory->pss_b = family_part_b(t, place, memory);
}

static void add_live_process(struct tree_gauges_state *s, const struct process_table *t, int place)
{
	struct tracked_process *p = &t->processes[place];
	struct pss_memory memory = {0};
	double steady_b = 0;
	bool holds = family_holds_memory(t, place);

	if (holds) {
		take_process_part(s, t, place, &memory, &steady_b);
		s->hugetlb_now_b += family_hugetlb_b(t, place);
	}
	if (tracked_process_left(p)) {
		p->rose = false;
		p->kept_b = p->added_b = 0;
	} else {
		note_mark(s, t, place, &memory, steady_b, holds);
		p->lived = true;
		p->kept_b = larger(p->kept_b - p->family.gave_b, 0);
		s->most_now_b += p->mark.pss_b - steady_b;
	}
	s->most_now_b += memory.pss_b;
	if (holds) {
		note_peaks(s, p, &memory);
		s->virtual_b += (double)p->stat.vsize;
		if (p->vm_peak_b > s->peak_virtual_b)
			s->peak_virtual_b = p->vm_peak_b;
		family_left(t, place, &memory);
	}
	s->has_marks |= p->hwm_b > 0;
	add_gauges(&s->all, &memory, (double)p->stat.num_threads);
	s->alive++;
	if (p->pid == t->root)
		add_gauges(&s->main, &memory, (double)p->stat.num_threads);
	else
		s->children++;
}

static void add_to_families(struct process_table *t)
{
	struct pss_memory memory;

	for (size_t i = 0; i < t->n; i++) {
		if (!family_holds_memory(t, t->order[i]))
			continue;
		family_memory(t, t->order[i], &memory);
		family_add(t, t->order[i], &memory);
	}
}

/* -- memory: between two readings -------------------------------------------------------------- */

/* The memory kept by those ancestors whose pages it may have inherited: those of its own program.
 * INFINITY if they are not known. */
static double kept_by_ancestors(const struct process_table *t, int place)
{
	const struct tracked_process *p = &t->processes[place], *above;
	double kept = 0;
	int at = t->accounts[place].parent;

	if (p->was_marked || p->pid == t->root)
		return 0;
	if (at < 0 || !p->mark.stack)
		return (double)INFINITY;
	for (; at >= 0; at = t->accounts[at].parent) {
		above = &t->processes[at];
		if (above->stat.stack && above->stat.stack != p->mark.stack)
			break;
		kept += above->kept_b;
	}
	return kept;
}

/* Widens the bounds of the last interval by the mark of a process that ended in it. */
static void close_bounds(struct tree_gauges_state *s)
{
	s->least_b = larger(s->least_b, s->reaped_mark_b);
	s->sure_b = larger(s->sure_b, s->reaped_mark_b);
	s->most_b = larger(s->most_b + s->reaped_marks_b, s->least_b);
	s->peak_least_b = larger(s->peak_least_b, s->least_b);
	s->peak_sure_b = larger(s->peak_sure_b, s->sure_b);
	s->peak_most_b = larger(s->peak_most_b, s->most_b);
	s->reaped_mark_b = s->reaped_marks_b = 0;
	if (s->unseen.told.known && s->unseen.told.at_once > 0)
		s->child_loss |= s->ignores_children;
	s->unseen.most_b = s->most_b;
	unseen_bounds_add(&s->unseen_bounds, &s->unseen_before);
	s->unseen_before = s->unseen;
	s->unseen = (struct unseen_interval){.faults = lesser(s->unseen_before.faults, 0),
	                                     .other_faults = larger(s->unseen_before.faults, 0),
	                                     .told = s->unseen_before.told};
}

/* Sets the bounds of the memory of all since the last reading. before_b: what all had then. */
static void read_bounds(struct tree_gauges_state *s, const struct process_table *t, double before_b)
{
	double kept = 0;

	s->least_b = s->all.memory_b;
	s->most_b = before_b;
	for (size_t i = 0; i < t->n; i++) {
		const struct tracked_process *p = &t->processes[t->order[i]];
		if (!lives_at(t, t->order[i]))
			continue;
		kept += p->kept_b;
		s->most_b += p->added_b + family_surplus_rise_b(t, t->order[i]);
	}
	for (size_t i = 0; i < t->n; i++) {
		const struct tracked_process *p = &t->processes[t->order[i]];
		double others;
		if (!lives_at(t, t->order[i]) || !p->rose)
			continue;
		others = kept - p->kept_b - kept_by_ancestors(t, t->order[i]);
		others = p->mark.mark_b + (others > 0 ? others : 0);
		s->least_b = larger(s->least_b, others);
		s->sure_b = larger(s->sure_b, others);
	}
	close_bounds(s);
}

/* A process that lived at the last reading has ended. */
static void tree_gauges_went(struct tree_gauges_state *s, struct tracked_process *p)
{
	if (!p->lived)
		return;
	p->lived = false;
	s->unseen.went++;
	s->unseen.own_b += p->own_b;
	s->unseen.went_shares |= p->mark.shares;
}

/* A process that had no children was reaped, with a larger mark than any reading had seen of it: it
 * counts in the interval since the last reading. */
static void tree_gauges_reaped(struct tree_gauges_state *s, double mark_b)
{
	s->reaped_mark_b = larger(s->reaped_mark_b, mark_b);
	s->reaped_marks_b += mark_b;
	s->peak_reaped_mark_b = larger(s->peak_reaped_mark_b, mark_b);
}

/* Counts it in the last interval, since no reading follows. */
static void tree_gauges_settle(struct tree_gauges_state *s)
{
	s->unseen.went += s->unseen_before.went;
	s->unseen.own_b += s->unseen_before.own_b;
	s->unseen.grown_b += s->unseen_before.grown_b;
	s->unseen.faults += larger(s->unseen_before.faults, 0);
	s->unseen.huge_faults += s->unseen_before.huge_faults;
	s->unseen.copied_b += s->unseen_before.copied_b;
	s->unseen.went_shares |= s->unseen_before.went_shares;
	s->unseen.other_faults += s->unseen_before.other_faults;
	s->unseen_before = (struct unseen_interval){0};
	close_bounds(s);
}

/* Reads smaps_rollup and status where they can have changed. at: CLOCK_MONOTONIC, ns. Allocates
 * nothing, and uses the table's scratch places. */
static void tree_gauges_read(struct tree_gauges_state *s, struct process_table *t, int64_t at)
{
	size_t pss_denied = 0, io_denied = 0, stat_failed = 0;
	double before_b = larger(s->most_now_b, s->all.memory_b);
	uint64_t taken = s->budget.taken;
	bool any_read = false;

	s->all = s->main = (struct tree_gauges){0};
	s->alive = s->children = 0;
	s->virtual_b = s->sure_b = s->most_now_b = s->file_most_b = s->file_largest_b = s->shmem_b =
	    s->hugetlb_now_b = 0;
	s->has_root = false;
	for (size_t i = 0; i < t->n; i++)
		if (lives_at(t, t->order[i]))
			any_read |= read_status(s, t, &t->processes[t->order[i]]);
	family_find(t);
	read_due_pss(s, t, at);
	if (any_read || s->budget.taken > taken)
		look_again(t);
	add_to_families(t);
	for (size_t i = 0; i < t->n; i++) {
		struct tracked_process *p = &t->processes[t->order[i]];
		if (p->used && p->pid == t->root) {
			s->has_root = true;
			s->main_cpu_s = larger(s->main_cpu_s, p->reported_s);
			if (tracked_process_ended(p))
				s->ignores_children |= tracked_process_ignores_children(p, t->r);
		}
		if (!lives_at(t, t->order[i]))
			continue;
		add_live_process(s, t, t->order[i]);
		s->ignores_children |= p->ignores_children;
		s->child_loss |= p->ignores_children && p->child_events > 0;
		stat_failed += p->failed_reads > 0;
		pss_denied += p->pss_denied;
		io_denied += p->io_denied;
	}
	s->all.memory_b += family_grown_b(t);
	s->file_most_b = larger(s->file_most_b, s->file_largest_b);
	read_bounds(s, t, before_b);
	s->hugetlb_b = larger(s->hugetlb_b, s->hugetlb_now_b);
	if (s->virtual_b > s->peak_virtual_b)
		s->peak_virtual_b = s->virtual_b;
	s->pss_denied = pss_denied > s->pss_denied ? pss_denied : s->pss_denied;
	s->stat_failed = stat_failed > s->stat_failed ? stat_failed : s->stat_failed;
	s->io_denied = io_denied > s->io_denied ? io_denied : s->io_denied;
}

/* Where the usage is that the kernel added to no process. */
static const char *child_loss_is_in(const struct snapshot_totals *cgroup)
{
	if (isnan(cgroup->cgroup_cpu_s) && cgroup->counted_cpu_s > 0)
		return "is missing, but for the CPU time, which the kernel's events counted";
	if (isnan(cgroup->cgroup_cpu_s))
		return "is missing";
	if (isnan(cgroup->cgroup_read_b))
		return "is missing, but for the CPU time, which is in the total of the command's "
		       "cgroup";
	return "is only in the totals of the command's cgroup";
}

/* Notes in the snapshot what could not be measured, and why. cgroup: the command's own. */
static void tree_gauges_notes(const struct tree_gauges_state *s,
                              const struct snapshot_totals *cgroup, struct snapshot *snapshot)
{
	if (s->hugetlb_b > 0)
		snapshot_note(snapshot,
		              "The job had at least %.0f MiB of the machine's pool of huge pages "
		              "(HugetlbPages): a server must have them, but no memory limit counts "
		              "them, and they are not in the peak.",
		              s->hugetlb_b / QUANTITY_MIB);
	if (s->pss_denied)
		snapshot_note(
		    snapshot,
		    "PSS of %zu process%s could not be read (another user's, or none in this "
		    "kernel); RSS is counted instead.",
		    s->pss_denied, s->pss_denied == 1 ? "" : "es");
	if (s->io_denied)
		snapshot_note(snapshot,
		              "Disk reads and writes of %zu process%s could not be read (another "
		              "user's); they are missing.",
		              s->io_denied, s->io_denied == 1 ? "" : "es");
	if (s->stat_failed)
		snapshot_note(snapshot,
		              "The stat of %zu process%s could not be read at times; later samples "
		              "contain what was missed.",
		              s->stat_failed, s->stat_failed == 1 ? "" : "es");
	if (s->child_loss)
		snapshot_note(
		    snapshot,
		    "A process ignored SIGCHLD, so the kernel did not add its children's usage to "
		    "its own: what they used after the last sample that saw them, or between two "
		    "samples, %s.",
		    child_loss_is_in(cgroup));
	if (s->postponed)
		snapshot_note(
		    snapshot,
		    "PSS was read %llu of %llu times: reading it more often would take "
		    "more than 1 %% of a core. In between, anonymous memory follows RSS, and "
		    "files and shared memory that several processes map count once.",
		    (unsigned long long)s->budget.taken, (unsigned long long)s->budget.due);
}

/* -- memory: of processes that no reading saw -------------------------------------------------- */

/* Some processes were seen by no reading, or lived on after the last reading that saw them. How
 * much memory they had is known, at most.
 *
 * The kernel adds the page faults of a child to its parent's account when that reaps it. What is
 * there beyond the faults that readings saw is of such processes. A fault maps a page, or some
 * pages of a file, or a huge page. /proc/vmstat says how many huge pages there were on the machine;
 * it is read only after such faults. */

/* {0}: not open. */
struct unseen {
	struct root_file vmstat;
	double huge; /* page faults of the machine that brought a huge page, at the last look */
};

/* Since the last call; all of faults where the kernel does not count them. */
static double count_huge_faults(struct unseen *u, double faults)
{
	static const char *const keys[] = {"thp_fault_alloc", "thp_file_alloc", "thp_file_mapped"};
	char text[16384];
	long n = root_file_lines(&u->vmstat, text, sizeof text);
	double sum = n > 0 ? 0 : (double)NAN, before = u->huge;

	for (size_t i = 0; n > 0 && i < sizeof keys / sizeof *keys; i++)
		sum += cgroup_text_key(text, (size_t)n, keys[i]);
	u->huge = sum;
	return sum >= before ? sum - before : faults;
}

static void unseen_open(struct unseen *u, const struct root *r)
{
	(void)root_file_open(&u->vmstat, r, "proc/vmstat");
	(void)count_huge_faults(u, 0);
}

/* After a reading of the accounts, before those of processes that are gone are closed: notes those
 * that have ended, and their page faults, in g. Those that we reap are known by their rusage. */
static void unseen_read(struct unseen *u, struct process_table *t, struct tree_gauges_state *g)
{
	double faults = 0;

	for (size_t i = 0; i < t->high && !t->alone; i++) {
		struct tracked_process *p = &t->processes[i];
		const struct cpu_account *a = &t->accounts[i];
		uint64_t own = p->stat.minflt + p->stat.majflt;
		uint64_t reaped = p->stat.cminflt + p->stat.cmajflt;
		bool was_there =
		    t->reading == 1 && (!t->subreaper || process_table_is_launcher(t, (int)i));
		if (!p->used || a->reaped)
			continue;
		if (a->gone) {
			faults -= (double)(own + p->reaped_faults);
			tree_gauges_went(g, p);
			continue;
		}
		if (!was_there)
			faults += (double)reaped - (double)p->reaped_faults;
		p->reaped_faults = reaped;
		if (was_there || !tracked_process_left(p) || process_table_is_our_child(t, (int)i))
			continue;
		faults += (double)own - (double)p->mark.faults;
		p->mark.faults = own;
		tree_gauges_went(g, p);
	}
	g->unseen.faults += faults;
	if (faults > 0)
		g->unseen.huge_faults += count_huge_faults(u, faults);
}

/* We reaped a process: its children that it had reaped since the last reading are in its rusage. */
static void unseen_reaped(struct unseen *u, struct tracked_process *p, const struct rusage *usage,
                          struct tree_gauges_state *g)
{
	struct memory_mark end = p->mark;
	double faults = (double)(usage->ru_minflt + usage->ru_majflt) -
	                (double)(p->mark.faults + p->reaped_faults);
	double own = faults, grown_b = (double)usage->ru_maxrss * QUANTITY_KIB - p->own_b, huge;

	if (!p->lived)
		return;
	p->lived = false;
	if (tracked_process_ended(p))
		own = (double)(p->stat.minflt + p->stat.majflt) - (double)p->mark.faults;
	end.faults += (uint64_t)larger(own, 0);
	end.mark_b = larger(end.mark_b, (double)usage->ru_maxrss * QUANTITY_KIB);
	g->unseen.copied_b += memory_mark_written(&p->mark, &end);
	g->unseen.went_shares |= p->mark.shares;
	/* Without children, its mark says how large it became. */
	if (tracked_process_reap_stamp(p) == 0)
		return;
	huge = faults > 0 ? count_huge_faults(u, faults) : 0;
	grown_b =
	    lesser(grown_b, own * UNSEEN_BOUND_FAULT_B + lesser(own, huge) * memory_mark_fault_b());
	g->unseen.grown_b += larger(grown_b, 0);
	g->unseen.faults += larger(faults - own, 0);
	g->unseen.huge_faults += huge;
}

/* Widens the upper bound to that with those. False if it is wider now. */
static bool widen_by_unseen(const struct tree_gauges_state *g, double unseen_b,
                            struct snapshot_memory *out)
{
	double was_b = out->peak_most_b;

	out->peak_most_b = larger(was_b, unseen_b);
	if (out->peak_most_b > MOST * out->peak_b + MOST_B || g->child_loss)
		out->peak_most_b = INFINITY;
	return out->peak_most_b <= was_b;
}

/* Fills the peak, at least and at most, as tree_memory. reaped_b: the largest RSS of those that we
 * reaped, and of what these had reaped; subreaper: that is all. */
static bool unseen_peak(const struct tree_gauges_state *g, double reaped_b, bool subreaper,
                        struct snapshot_memory *out)
{
	bool unseen = reaped_b > larger(g->peak_rss_b, g->peak_reaped_mark_b), whole;
	/* All are among those that we reaped, or what these had reaped. */
	bool all_reaped = subreaper && reaped_b > 0;
	double largest_b = all_reaped ? larger(reaped_b, g->peak_rss_b) : (double)INFINITY;
	struct unseen_bounds bounds = g->unseen_bounds;
	double unseen_b;

	unseen_bounds_add(&bounds, &g->unseen_before);
	unseen_b = unseen_bounds_most(&bounds, largest_b);
	out->peak_b = larger(g->peak_least_b, reaped_b);
	out->peak_most_b = larger(g->peak_most_b, g->peak_least_b);
	/* If no reading saw the largest process so large, only its mark is known: it may have come
	 * on top of all others. */
	if (unseen && !(unseen_b > 0))
		out->peak_most_b += reaped_b;
	whole = widen_by_unseen(g, unseen_b, out);
	if (!g->has_marks && !(reaped_b > 0))
		out->peak_most_b = NAN;
	if (!(out->peak_b > 0))
		out->peak_b = out->peak_most_b = NAN;
	return whole && !unseen;
}

static void unseen_close(struct unseen *u)
{
	root_file_close(&u->vmstat);
}

/* -- the tree ---------------------------------------------------------------------------------- */

struct tree {
	const struct root *r;
	double tick_s;
	double boot_s;  /* Unix time of the boot; NAN for a captured machine */
	bool has_main;  /* a root was named */
	double clock_s; /* the same, fixed at the start: setting the clock does not move .now_s */
	double now_s;   /* Unix time of this reading */
	double woken_s; /* Unix time of the last reading that skipped no process as idle */
	int64_t at;     /* CLOCK_MONOTONIC of the accounts, ns */
	struct process_table table;
	double sum[CPU_ACCOUNTING_COUNT];
	double first[CPU_ACCOUNTING_COUNT];    /* what the launcher had inherited before */
	double reported[CPU_ACCOUNTING_COUNT]; /* and since, as it reported */
	bool has_ended;
	double utime_s, stime_s;  /* as last returned */
	double inherited_first_s; /* CPU seconds that were inherited before the first reading */
	struct cpu_wait *wait;
	struct tree_gauges_state gauges;
	struct unseen unseen;
	struct tree_states states;
	struct top_processes *top;
	struct snapshot_totals reaped;
	struct own_account own; /* of the root process, if it is recorded alone */
};

/* Takes as many places as there is memory for, and leaves what the rest of the recording needs:
 * RLIMIT_AS counts untouched pages too, although they never become resident. */
static int open_tables(struct tree *t, struct err *e)
{
	void *rest = malloc(OTHERS_B);

	for (size_t n = rest ? TREE_MAX : 0; n >= PLACES_MIN && !t->top; n /= 4)
		t->top = process_table_reserve(&t->table, n) == 0 ? top_processes_open(n, e) : NULL;
	free(rest);
	return t->top ? 0 : -1;
}

struct tree *tree_open(const struct root *r, bool subreaper, struct err *e)
{
	struct tree *t = calloc(1, sizeof *t);

	if (!t)
		goto fail;
	t->r = r;
	t->tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
	t->clock_s = (double)(clocks_now(CLOCK_REALTIME) - clocks_now(CLOCK_BOOTTIME)) / 1e9;
	t->boot_s = r->replayed ? NAN : t->clock_s;
	t->wait = cpu_wait_open();
	unseen_open(&t->unseen, r);
	if (process_table_open(&t->table, r, subreaper) == 0 && t->wait &&
	    tree_states_open(&t->states, r, &t->table, t->wait) == 0 && open_tables(t, e) == 0) {
		t->table.kept_max = r->scarce ? 0 : fd_limit_most() / 2 / TRACKED_PROCESS_FILES;
		return t;
	}
fail:
	tree_close(t);
	err_set(e, "no memory for the table of processes");
	return NULL;
}

int tree_set_root(struct tree *t, int pid, struct err *e)
{
	t->table.root = pid;
	t->has_main = true;
	return proc_pid_check(t->r, pid, e);
}

void tree_set_alone(struct tree *t)
{
	t->table.alone = true;
}

int tree_set_launcher(struct tree *t, int pid, struct err *e)
{
	t->table.launcher = pid;
	return proc_pid_check(t->r, pid, e);
}

void tree_launcher_tells(struct tree *t)
{
	t->table.launcher_stays = true;
}

void tree_launcher_ended(struct tree *t, const double total[CPU_ACCOUNTING_COUNT])
{
	int place = process_table_find(&t->table, t->table.launcher);

	for (int k = 0; k < CPU_ACCOUNTING_COUNT; k++)
		if (place < 0 && total[k] > 0)
			t->sum[k] += total[k]; /* no reading ever saw it: all of it is new */
	memcpy(t->reported, total, sizeof t->reported);
	t->has_ended = place >= 0;
}

void tree_exclude_instead(struct tree *t, int other, int pid)
{
	for (size_t i = 0; i < PROCESS_TABLE_EXCLUDED; i++)
		if (t->table.excluded[i] == other) {
			t->table.excluded[i] = pid;
			return;
		}
}

void tree_exclude(struct tree *t, int pid)
{
	tree_exclude_instead(t, 0, pid);
}

bool tree_is_excluded(const struct tree *t, int session)
{
	for (size_t i = 0; i < PROCESS_TABLE_EXCLUDED; i++)
		if (session > 0 && t->table.excluded[i] == session)
			return true;
	return false;
}

/* -- accounts ---------------------------------------------------------------------------------- */

/* PID/io comes before PID/stat: if a child is reaped between the two reads, the stat shows it, and
 * read_parent reads both again. In the other order nothing would show it. */
static int read_account(struct tree *t, int place)
{
	struct tracked_process *p = &t->table.processes[place];
	struct cpu_account *account = &t->table.accounts[place];
	bool is_launcher = process_table_is_launcher(&t->table, place);

	if (is_launcher && t->has_ended) {
		/* In place of what its files say. */
		for (int k = 0; k < CPU_ACCOUNTING_COUNT; k++)
			if (t->reported[k] >= 0)
				account->inherited[k] = t->first[k] + t->reported[k];
		return 0;
	}
	if (!is_launcher &&
	    (t->table.alone ? own_account_io(&t->own, p, t->r) : tracked_process_io(p, t->r)) == 0)
		own_account_bytes(&p->io, account->inherited);
	if (p->reread && tracked_process_read(p, t->r) &&
	    !process_table_is_our_child(&t->table, place)) {
		/* All that the launcher inherits from now on is a debt until it is reported. */
		account->maybe_double = process_table_stays(&t->table, place);
		return account->maybe_double ? 0 : -1;
	}
	if (!is_launcher) {
		tracked_process_cpu(p, t->r, t->tick_s);
		account->own[CPU_ACCOUNTING_UTIME] = (double)p->stat.utime * t->tick_s;
		account->own[CPU_ACCOUNTING_STIME] = (double)p->stat.stime * t->tick_s;
		account->own[CPU_ACCOUNTING_MAJOR] = (double)p->stat.majflt;
	}
	if (t->table.alone)
		return 0;
	account->inherited[CPU_ACCOUNTING_UTIME] = (double)p->stat.cutime * t->tick_s;
	account->inherited[CPU_ACCOUNTING_STIME] = (double)p->stat.cstime * t->tick_s;
	account->inherited[CPU_ACCOUNTING_CPU] =
	    account->inherited[CPU_ACCOUNTING_UTIME] + account->inherited[CPU_ACCOUNTING_STIME];
	account->inherited[CPU_ACCOUNTING_MAJOR] = (double)p->stat.cmajflt;
	return 0;
}

/* order[i] has reaped some of its descendants, which were read before it. Their usage is in its
 * account now: mark those that no longer exist as gone, so that their own accounts do not count
 * too. A descendant further down can have been handed up only if all between have gone. */
static void drop_reaped(struct tree *t, size_t i)
{
	struct process_table *table = &t->table;
	int above = table->order[i];

	for (size_t k = i + 1; k < table->n; k++) {
		int place = table->order[k], parent = table->accounts[place].parent;
		bool suspect = parent == above || (parent >= 0 && table->accounts[parent].gone);
		if (suspect && !table->accounts[place].gone &&
		    !tracked_process_alive(&table->processes[place], t->r))
			process_table_set_gone(table, place);
	}
}

/* Reads the account of order[i] until no child was reaped during the reading. */
static void read_parent(struct tree *t, size_t i)
{
	int place = t->table.order[i];
	struct tracked_process *p = &t->table.processes[place];
	struct cpu_account *account = &t->table.accounts[place];

	for (int repeat = 0; !account->gone; repeat++) {
		uint64_t before = tracked_process_reap_stamp(p);
		if (read_account(t, place))
			process_table_set_gone(&t->table, place);
		else if (!p->reread || tracked_process_reap_stamp(p) == before)
			return;
		/* It reaps faster than we can read (a make -j of tiny commands). Nothing is lost;
		 * what counts twice now becomes a debt. */
		account->maybe_double = repeat == REPEATS;
		if (repeat == REPEATS)
			return;
		drop_reaped(t, i);
	}
}

/* The time of a reading is the middle of this loop. Discovery, which comes first, can take long on
 * a busy machine, and a row must divide CPU time by the time between the accounts, not between the
 * beginnings of two samples. */
static void read_accounts(struct tree *t)
{
	struct process_table *table = &t->table;
	int64_t begin = clocks_now(CLOCK_MONOTONIC), before = t->at;
	double elapsed_s;

	/* Backwards: the order has parents before children. */
	for (size_t i = table->n; i-- > 0;)
		if (!table->accounts[table->order[i]].gone)
			read_parent(t, i);
	t->at = begin + (clocks_now(CLOCK_MONOTONIC) - begin) / 2;
	elapsed_s = table->reading > 1 ? (double)(t->at - before) / 1e9 : (double)INFINITY;
	for (size_t i = 0; i < table->n; i++) {
		struct tracked_process *p = &table->processes[table->order[i]];
		tracked_process_report_cpu(p, elapsed_s);
		table->accounts[table->order[i]].own[CPU_ACCOUNTING_CPU] = p->reported_s;
	}
}

/* The launcher has handed over what it inherited. Nothing else of it is the job's. */
static void leave_launcher_out(struct tree *t)
{
	struct process_table *table = &t->table;
	struct cpu_account *account;

	if (table->n == 0 || !process_table_is_launcher(table, table->order[0]))
		return;
	account = &table->accounts[table->order[0]];
	if (table->reading == 1) {
		memcpy(account->last_inherited, account->inherited, sizeof account->inherited);
		memcpy(t->first, account->inherited, sizeof t->first);
	}
	memmove(table->order, table->order + 1, --table->n * sizeof *table->order);
}

/* -- a reading --------------------------------------------------------------------------------- */

/* Frees the places whose accounts cpu_accounting_close has closed. */
static void free_closed_places(struct tree *t)
{
	for (size_t i = 0; i < t->table.high; i++)
		if (t->table.processes[i].used && !t->table.accounts[i].used) {
			tree_states_ended(&t->states, (int)i);
			top_processes_states(t->top, i, &t->table.processes[i]);
			top_processes_end(t->top, i);
			process_table_free_place(&t->table, (int)i);
		}
}

/* Processes that are older than the run had inherited CPU time before it. It is in the sums,
 * although no process that was seen has used it. */
static void note_inherited_first(struct tree *t)
{
	const struct process_table *table = &t->table;

	for (size_t i = 0; table->reading == 1 && !table->subreaper && i < table->n; i++)
		t->inherited_first_s +=
		    table->accounts[table->order[i]].inherited[CPU_ACCOUNTING_CPU];
}

void tree_read(struct tree *t, struct tree_counters *out)
{
	struct process_table *table = &t->table;
	const struct tree_gauges_state *g = &t->gauges;
	const struct tree_gauges unknown = {NAN, NAN, NAN, NAN, NAN, NAN};
	const struct cpu_wait_visitor visitor = {tree_states_visit, &t->states};

	t->now_s = t->clock_s + (double)clocks_now(CLOCK_BOOTTIME) / 1e9;
	table->wakes = t->now_s >= t->woken_s + WAKE_S;
	if (table->wakes)
		t->woken_s = t->now_s;
	process_table_discover(table);
	read_accounts(t);
	leave_launcher_out(t);
	tree_states_begin(&t->states, t->at, t->now_s, t->boot_s, t->tick_s);
	cpu_wait_read(t->wait, t->r, table->processes, table->order, table->n, t->at, &visitor);
	tree_states_read(&t->states);
	note_inherited_first(t);
	unseen_read(&t->unseen, table, &t->gauges);
	cpu_accounting_close(table->accounts, table->high, t->sum);
	free_closed_places(t);
	tree_states_close(&t->states, t->sum[CPU_ACCOUNTING_CPU]);
	tree_gauges_read(&t->gauges, table, t->at);
	for (size_t i = 0; i < t->table.n; i++) {
		int place = t->table.order[i];
		const struct tracked_process *p = &t->table.processes[place];
		double start = t->boot_s + (double)p->stat.starttime * t->tick_s;
		if (p->used)
			top_processes_note(t->top, (size_t)place, p, start, t->r);
	}
	*out = (struct tree_counters){.at = t->at,
	                              .all = g->all,
	                              .main = t->has_main ? g->main : unknown,
	                              .main_cpu_s = t->has_main ? g->main_cpu_s : NAN,
	                              .memory_least_b = g->least_b,
	                              .memory_most_b = g->most_b,
	                              .file_most_b = g->file_most_b,
	                              .shmem_b = g->shmem_b,
	                              .cpu_wait_s = cpu_wait_s(t->wait),
	                              .ctx_voluntary = g->ctx_voluntary,
	                              .ctx_involuntary = g->ctx_involuntary,
	                              .alive = g->alive,
	                              .children = g->children};
	tree_states_sums(&t->states, out->state_s, &out->busiest_s);
	cpu_accounting_split(t->sum, &t->utime_s, &t->stime_s, out->sum);
}

struct tree_states *tree_states_of(struct tree *t)
{
	return &t->states;
}

void tree_set_unseen(struct tree *t, const struct unseen_told *told)
{
	t->gauges.unseen.told = *told;
}

bool tree_has_root(const struct tree *t)
{
	return t->has_main ? t->gauges.has_root : t->table.launcher != 0;
}

bool tree_saw_any(const struct tree *t)
{
	return t->table.high > 0;
}

bool tree_has(const struct tree *t, int pid)
{
	int place = process_table_find(&t->table, pid);

	return place >= 0 && t->table.processes[place].used;
}

const struct top_process *tree_top(const struct tree *t, int place)
{
	return top_processes_at(t->top, (size_t)place);
}

const struct process_table *tree_table(const struct tree *t)
{
	return &t->table;
}

/* -- processes that we reaped ------------------------------------------------------------------ */

/* Its largest RSS was above all that readings saw: it came after the last one. */
static void note_last_peak(struct tracked_process *p, struct top_process *top, double rss_b)
{
	if (p->pss.known && p->mark.known)
		p->peak_pss_b = larger(p->peak_pss_b, p->mark.pss_b + rss_b - p->mark.rss_b);
	p->peak_rss_b = rss_b;
	top->peak_rss_b = p->peak_rss_b;
	top->peak_pss_b = p->peak_pss_b;
}

void tree_reaped(struct tree *t, int pid, int status, const struct rusage *usage,
                 const double total[CPU_ACCOUNTING_COUNT])
{
	double final[CPU_ACCOUNTING_COUNT], rss_b = (double)usage->ru_maxrss * QUANTITY_KIB;
	int place = process_table_find(&t->table, pid);
	struct tracked_process *p = place < 0 ? NULL : &t->table.processes[place];
	struct top_process *top;

	reaped_totals_account(usage, total, final);
	reaped_totals_add(&t->reaped, usage);
	/* The rusage has the largest mark of its children too, which was reached at any time. */
	if (!p || (tracked_process_reap_stamp(p) == 0 && rss_b > p->peak_rss_b))
		tree_gauges_reaped(&t->gauges, rss_b);
	if (!p || !p->lived)
		t->gauges.unseen.other_faults += (double)(usage->ru_minflt + usage->ru_majflt);
	/* No reading ever saw it: all of it is new. */
	if (!p) {
		for (int k = 0; k < CPU_ACCOUNTING_COUNT; k++)
			t->sum[k] += final[k];
		return;
	}
	unseen_reaped(&t->unseen, p, usage, &t->gauges);
	t->table.accounts[place].reaped = true;
	memcpy(t->table.accounts[place].final, final, sizeof final);
	top = top_processes_at(t->top, (size_t)place);
	if (tracked_process_reap_stamp(p) == 0 && rss_b > p->peak_rss_b)
		note_last_peak(p, top, rss_b);
	top->reaped = true;
	top->status = status;
	process_table_forget_pid(&t->table, place);
}

bool tree_keep_own(struct tree *t, int pid, struct rusage *usage,
                   double total[CPU_ACCOUNTING_COUNT])
{
	int place = process_table_find(&t->table, pid);

	if (!t->table.alone)
		return true;
	if (pid != t->table.root)
		return false;
	own_account_end(&t->own, place < 0 ? NULL : &t->table.processes[place], t->tick_s, usage,
	                total);
	return true;
}

void tree_settle(struct tree *t, struct tree_counters *out)
{
	double before = out->sum[CPU_ACCOUNTING_CPU];

	cpu_accounting_close(t->table.accounts, t->table.high, t->sum);
	free_closed_places(t);
	cpu_accounting_split(t->sum, &t->utime_s, &t->stime_s, out->sum);
	tree_gauges_settle(&t->gauges);
	out->memory_least_b = t->gauges.least_b;
	out->memory_most_b = t->gauges.most_b;
	out->late_s = out->sum[CPU_ACCOUNTING_CPU] - before;
}

/* -- the end ----------------------------------------------------------------------------------- */

void tree_totals(const struct tree *t, struct snapshot_totals *out)
{
	*out = t->reaped;
	out->read_b = t->sum[CPU_ACCOUNTING_READ];
	out->write_b =
	    cpu_accounting_written(t->sum[CPU_ACCOUNTING_WRITE], t->sum[CPU_ACCOUNTING_CANCELLED]);
	out->rchar_b = t->sum[CPU_ACCOUNTING_RCHAR];
	out->wchar_b = t->sum[CPU_ACCOUNTING_WCHAR];
	out->cpu_wait_s = cpu_wait_s(t->wait);
	if (t->gauges.peak_rss_b > out->peak_rss_b)
		out->peak_rss_b = t->gauges.peak_rss_b;
	/* The kernel keeps the largest RSS of a process that has ended, but not its VmPeak. */
	out->peak_virtual_b = t->gauges.peak_virtual_b > 0
	                          ? larger(t->gauges.peak_virtual_b, out->peak_rss_b)
	                          : (double)NAN;
	own_account_totals(&t->own, out);
}

bool tree_memory(const struct tree *t, struct snapshot_memory *out)
{
	return unseen_peak(&t->gauges, t->reaped.peak_rss_b, t->table.subreaper, out);
}

double tree_memory_sure(const struct tree *t)
{
	return larger(t->gauges.peak_sure_b, t->reaped.peak_rss_b);
}

void tree_write_states(struct tree *t, struct json_write *j)
{
	for (size_t i = 0; i < t->table.high; i++)
		if (t->table.processes[i].used)
			top_processes_states(t->top, i, &t->table.processes[i]);
	tree_states_write(&t->states, j);
	top_processes_choose(t->top);
}

bool tree_sampled(const struct tree *t, size_t row, int pid, double start,
                  struct snapshot_process *out, struct snapshot_wait waits[WAIT_NAMES_TOP])
{
	const struct top_process *top = top_processes_find(t->top, row, pid, start);

	if (!top)
		return false;
	*out = top_processes_known(top);
	out->waits = waits;
	if (t->states.names)
		out->n_waits = wait_names_largest(t->states.names, &top->waits, waits);
	return true;
}

void tree_notes(const struct tree *t, const struct snapshot_totals *cgroup, struct snapshot *s)
{
	tree_gauges_notes(&t->gauges, cgroup, s);
	cpu_wait_notes(t->wait, s);
	own_account_notes(&t->own, s);
	if (t->table.beyond)
		snapshot_note(
		    s,
		    "There were more than %zu processes at a time; of the others only CPU time and "
		    "storage are counted, once their parents have waited for them.",
		    t->table.places);
}

void tree_close(struct tree *t)
{
	if (!t)
		return;
	process_table_close(&t->table);
	unseen_close(&t->unseen);
	top_processes_close(t->top);
	cpu_wait_close(t->wait);
	tree_states_free(&t->states);
	free(t);
}
