/* tree_gauges: what the processes of a tree hold at one moment. */
#include "collect/process/tree_gauges.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

#include "collect/machine/clocks.h"
#include "collect/process/family.h"
#include "core/base/larger.h"

#define MIB 1048576.0

/* A page fault maps at most so much of a file that is in memory (the kernel's fault_around_bytes),
 * or one page; or a huge page. */
#define FAULT_B 65536

/* A process that forks and ends at once has 17 page faults. */
#define PROCESS_FAULTS 16

static bool lives_at(const struct process_table *t, int place)
{
	return t->processes[place].used && !tracked_process_ended(&t->processes[place]);
}

/* -- PSS --------------------------------------------------------------------------------------- */

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
	if (known)
		pss_was_read(&s->budget, &p->pss, &smaps, &now, family_kin(t, place), &p->rss,
		             (double)(*from - begin) / 1e9);
	else
		p->pss = (struct pss){.known = false};
	family_was_read(t);
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

/* -- all gauges -------------------------------------------------------------------------------- */

static void read_status(struct tree_gauges_state *s, const struct process_table *t,
                        struct tracked_process *p)
{
	struct proc_pid_status before;

	if (!tracked_process_status(p, t->r, &before))
		return;
	if (p->ctx_voluntary > before.ctx_voluntary)
		s->ctx_voluntary += (double)(p->ctx_voluntary - before.ctx_voluntary);
	if (p->ctx_involuntary > before.ctx_involuntary)
		s->ctx_involuntary += (double)(p->ctx_involuntary - before.ctx_involuntary);
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
static void note_mark(const struct process_table *t, int place, const struct pss_memory *now,
                      double steady_b, bool holds)
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
		family_mark(t, place, &p->mark);
	if (!before.known && p->predates_run)
		before = p->mark;
	most = memory_mark_most(&before, &p->mark);
	p->was_marked = before.known;
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
	note_mark(t, place, &memory, steady_b, holds);
	s->most_now_b += memory.pss_b + p->mark.pss_b - steady_b;
	if (holds) {
		note_peaks(s, p, &memory);
		s->virtual_b += (double)p->stat.vsize;
		if (p->vm_peak_b > s->peak_virtual_b)
			s->peak_virtual_b = p->vm_peak_b;
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

/* -- between two readings ---------------------------------------------------------------------- */

/* What the ancestors of a process kept whose pages it may have inherited: those of its own program.
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
	if (!(s->reaped_faults > 0))
		return;
	s->unseen = larger(s->unseen, ceil(s->reaped_faults / PROCESS_FAULTS));
	s->peak_unseen_b = larger(s->peak_unseen_b, s->most_b + s->reaped_faults * FAULT_B +
	                                                s->huge_faults * memory_mark_fault_b());
	s->reaped_faults = s->huge_faults = 0;
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

void tree_gauges_reaped_faults(struct tree_gauges_state *s, double faults, double huge)
{
	s->reaped_faults += faults;
	s->huge_faults += huge;
}

void tree_gauges_reaped(struct tree_gauges_state *s, double mark_b)
{
	s->reaped_mark_b = larger(s->reaped_mark_b, mark_b);
	s->reaped_marks_b += mark_b;
	s->peak_reaped_mark_b = larger(s->peak_reaped_mark_b, mark_b);
}

void tree_gauges_settle(struct tree_gauges_state *s)
{
	close_bounds(s);
}

void tree_gauges_read(struct tree_gauges_state *s, struct process_table *t, int64_t at)
{
	size_t pss_denied = 0, io_denied = 0, stat_failed = 0;
	double before_b = larger(s->most_now_b, s->all.memory_b);

	s->all = s->main = (struct tree_gauges){0};
	s->alive = s->children = 0;
	s->virtual_b = s->sure_b = s->most_now_b = s->file_most_b = s->file_largest_b = s->shmem_b =
	    s->hugetlb_now_b = 0;
	s->has_root = false;
	for (size_t i = 0; i < t->n; i++)
		if (lives_at(t, t->order[i]))
			read_status(s, t, &t->processes[t->order[i]]);
	family_find(t);
	read_due_pss(s, t, at);
	add_to_families(t);
	for (size_t i = 0; i < t->n; i++) {
		struct tracked_process *p = &t->processes[t->order[i]];
		if (p->used && p->pid == t->root) {
			s->has_root = true;
			s->main_cpu_s = larger(s->main_cpu_s, p->reported_s);
		}
		if (!lives_at(t, t->order[i]))
			continue;
		add_live_process(s, t, t->order[i]);
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
	if (isnan(cgroup->cgroup_cpu_s))
		return "is missing";
	if (isnan(cgroup->cgroup_read_b))
		return "is missing, but for the CPU time, which is in the total of the command's "
		       "cgroup";
	return "is only in the totals of the command's cgroup";
}

void tree_gauges_notes(const struct tree_gauges_state *s, const struct snapshot_totals *cgroup,
                       struct snapshot *snapshot)
{
	if (s->hugetlb_b > 0)
		snapshot_note(snapshot,
		              "The job had at least %.0f MiB of the machine's pool of huge pages "
		              "(HugetlbPages): a server must have them, but no memory limit counts "
		              "them, and they are not in the peak.",
		              s->hugetlb_b / MIB);
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
