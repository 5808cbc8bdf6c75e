/* tree_gauges: what the processes of a tree have at one moment. */
#include "collect/process/tree_gauges.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

static int64_t cpu_ns(void)
{
	struct timespec t = {0};

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t rss_of(const struct tracked_process *m)
{
	int64_t page = sysconf(_SC_PAGESIZE);

	return m->stat.rss_pages > 0 && m->stat.rss_pages < INT64_MAX / page
	           ? m->stat.rss_pages * page
	           : 0;
}

/* A child of vfork(2) that has not called exec yet lives in its parent's memory: that is counted
 * already. The parent sleeps meanwhile. */
static bool borrows_memory(const struct tree_gauges_tree *t, int place)
{
	int above = t->items[place].parent;
	const struct proc_pid_stat *child = &t->members[place].stat, *parent;

	if (above < 0)
		return false;
	parent = &t->members[above].stat;
	return parent->state == 'D' && parent->vsize == child->vsize &&
	       parent->rss_pages == child->rss_pages;
}

static bool lives(const struct tree_gauges_tree *t, int place)
{
	return t->members[place].used && !tracked_process_ended(&t->members[place]);
}

/* -- PSS --------------------------------------------------------------------------------------- */

/* Changes when a process that shares pages with it may have come or gone. */
static unsigned kin_of(const struct tree_gauges_tree *t, int place)
{
	int above = t->items[place].parent;

	return t->members[place].kin + (above >= 0 ? t->members[above].kin : 0);
}

static size_t list_due(const struct tree_gauges_tree *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		int place = t->order[i];
		struct pss_activity now = pss_activity(&t->members[place].stat);
		if (lives(t, place) && !borrows_memory(t, place) &&
		    pss_is_due(&t->members[place].pss, &now, kin_of(t, place)))
			t->due[n++] = place;
	}
	return n;
}

/* *from is the time at which it begins, and gets that at which it ends. */
static void read_pss(struct tree_gauges *s, const struct tree_gauges_tree *t, int place,
                     int64_t *from)
{
	struct tracked_process *m = &t->members[place];
	struct pss_activity now = pss_activity(&m->stat);
	struct proc_pid_smaps smaps;
	int64_t begin = *from;
	bool known = tracked_process_smaps(m, t->r, &smaps) == 0;

	*from = cpu_ns();
	if (known)
		pss_took(&s->budget, &m->pss, &smaps, &now, rss_of(m), kin_of(t, place),
		         (double)(*from - begin) / 1e9);
	else
		m->pss = (struct pss){.known = false};
}

/* Those that wait, each in its turn; then those that are too dear, as far as something is left. */
static void read_due(struct tree_gauges *s, const struct tree_gauges_tree *t)
{
	size_t n = list_due(t), put_off = 0;
	int64_t from = n ? cpu_ns() : 0;

	s->budget.free = t->r->replayed;
	pss_deal(&s->budget, t->at, n);
	for (size_t i = 0; i < n; i++) {
		int place = t->due[i];
		struct tracked_process *m = &t->members[place];
		if (pss_may(&s->budget, &m->pss, rss_of(m)))
			read_pss(s, t, place, &from);
		else
			t->due[put_off++] = place;
	}
	s->turn = put_off ? (s->turn + 1) % put_off : 0;
	for (size_t i = 0; i < put_off; i++) {
		int place = t->due[(i + s->turn) % put_off];
		struct tracked_process *m = &t->members[place];
		if (pss_may_late(&s->budget, &m->pss, rss_of(m)))
			read_pss(s, t, place, &from);
		else
			s->waited++;
	}
}

/* -- the rest ---------------------------------------------------------------------------------- */

static void look_at_status(struct tree_gauges *s, const struct tree_gauges_tree *t,
                           struct tracked_process *m)
{
	struct proc_pid_status before;

	if (!tracked_process_status(m, t->r, &before))
		return;
	if (m->ctx_voluntary > before.ctx_voluntary)
		s->ctx_voluntary += (double)(m->ctx_voluntary - before.ctx_voluntary);
	if (m->ctx_involuntary > before.ctx_involuntary)
		s->ctx_involuntary += (double)(m->ctx_involuntary - before.ctx_involuntary);
}

static void note_peaks(struct tree_gauges *s, struct tracked_process *m,
                       const struct pss_memory *now)
{
	double rss = m->hwm_b > now->rss_b ? m->hwm_b : now->rss_b;

	if (rss > m->peak_rss_b)
		m->peak_rss_b = rss;
	if (m->pss.known && now->pss_b > m->peak_pss_b)
		m->peak_pss_b = now->pss_b;
	if (m->peak_rss_b > s->peak_rss_b)
		s->peak_rss_b = m->peak_rss_b;
}

static void add_gauges(struct tree_gauges_sums *sum, const struct pss_memory *m, double threads)
{
	sum->memory_b += m->pss_b;
	sum->rss_b += m->rss_b;
	sum->private_b += m->private_b;
	sum->shared_b += m->shared_b;
	sum->swap_b += m->swap_b;
	sum->threads += threads;
}

static void add_member(struct tree_gauges *s, const struct tree_gauges_tree *t, int place)
{
	struct tracked_process *m = &t->members[place];
	struct pss_memory memory = {0};

	look_at_status(s, t, m);
	if (!borrows_memory(t, place)) {
		pss_memory(&m->pss, rss_of(m), &memory);
		note_peaks(s, m, &memory);
	}
	add_gauges(&s->all, &memory, (double)m->stat.num_threads);
	s->alive++;
	if (m->pid == t->root)
		add_gauges(&s->main, &memory, (double)m->stat.num_threads);
	else
		s->children++;
}

static void note_main(struct tree_gauges *s, const struct tracked_process *m)
{
	s->has_root = true;
	if (m->told_s > s->main_cpu_s)
		s->main_cpu_s = m->told_s;
}

void tree_gauges_read(struct tree_gauges *s, const struct tree_gauges_tree *t)
{
	size_t pss_denied = 0, io_denied = 0, unread = 0;

	s->all = s->main = (struct tree_gauges_sums){0};
	s->alive = s->children = 0;
	s->has_root = false;
	read_due(s, t);
	for (size_t i = 0; i < t->n; i++) {
		struct tracked_process *m = &t->members[t->order[i]];
		if (m->used && m->pid == t->root)
			note_main(s, m);
		if (!lives(t, t->order[i]))
			continue;
		add_member(s, t, t->order[i]);
		s->unwaited |= m->ignores_children && m->kin > 0;
		unread += m->unread > 0;
		pss_denied += m->pss_denied;
		io_denied += m->io_denied;
	}
	s->pss_denied = pss_denied > s->pss_denied ? pss_denied : s->pss_denied;
	s->unread = unread > s->unread ? unread : s->unread;
	s->io_denied = io_denied > s->io_denied ? io_denied : s->io_denied;
}

void tree_gauges_notes(const struct tree_gauges *s, struct snapshot *snapshot)
{
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
	if (s->unread)
		snapshot_note(snapshot,
		              "The stat of %zu process%s could not be read at times; what it would "
		              "have told came with later samples.",
		              s->unread, s->unread == 1 ? "" : "es");
	if (s->unwaited)
		snapshot_note(
		    snapshot,
		    "A process ignored the end of its children (SIGCHLD): what these used "
		    "after the last sample that saw them, or between two samples, is in no row, "
		    "and in no total but that of the command's cgroup.");
	if (s->waited)
		snapshot_note(snapshot,
		              "PSS was read %llu of %llu times: reading it more often would take "
		              "more than 1 %% of a core. In between it follows RSS.",
		              (unsigned long long)s->budget.taken,
		              (unsigned long long)s->budget.due);
}
