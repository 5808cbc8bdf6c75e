/* family: the processes that descend from one by fork(2) alone. */
#include "collect/process/family.h"

#include <math.h>
#include <unistd.h>

#include "core/base/larger.h"

/* Between vfork(2) and exec a child runs in its parent's address space, and its memory is already
 * counted. The kernel keeps the parent in state D meanwhile. */
static bool borrows_memory(const struct process_table *t, int place)
{
	int above = t->accounts[place].parent;
	const struct proc_pid_stat *child = &t->processes[place].stat, *parent;

	if (above < 0)
		return false;
	parent = &t->processes[above].stat;
	return parent->state == 'D' && parent->vsize == child->vsize &&
	       parent->rss_pages == child->rss_pages;
}

bool family_holds_memory(const struct process_table *t, int place)
{
	const struct tracked_process *p = &t->processes[place];

	return p->used && !tracked_process_ended(p) && !borrows_memory(t, place);
}

static struct family *of(const struct process_table *t, int place)
{
	return &t->processes[t->processes[place].family.head].family;
}

/* exec(3) moves the stack, fork(2) does not. */
static int find_head(const struct process_table *t, int place)
{
	int above = t->accounts[place].parent;
	const struct proc_pid_stat *stat = &t->processes[place].stat;

	if (above < 0 || !stat->stack || t->processes[above].stat.stack != stat->stack ||
	    !family_holds_memory(t, above))
		return place;
	return t->processes[above].family.head;
}

void family_find(struct process_table *t)
{
	t->mapped = (struct process_table_mapped){0};
	for (size_t i = 0; i < t->n; i++)
		if (family_holds_memory(t, t->order[i]))
			t->mapped.all_b += larger(t->processes[t->order[i]].rss.mapped_b, 0);
	for (size_t i = 0; i < t->n; i++) {
		int place = t->order[i];
		struct tracked_process *p = &t->processes[place];
		struct family *f = &p->family;
		if (!family_holds_memory(t, place))
			continue;
		*f = (struct family){.head = find_head(t, place), .surplus_before_b = f->surplus_b};
		f = of(t, place);
		f->members++;
		f->kin.events += p->child_events + tracked_process_reap_stamp(p) + 1;
		f->kin.faults += p->stat.minflt + p->stat.majflt;
		f->kin.rss_pages += p->stat.rss_pages;
		f->hugetlb_b = larger(f->hugetlb_b, p->hugetlb_b);
	}
	for (size_t i = 0; i < t->n; i++) {
		int place = t->order[i];
		const struct pss *pss = &t->processes[place].pss;
		if (!family_holds_memory(t, place))
			continue;
		/* One that is alone may share memory with processes outside of the job. */
		of(t, place)->came |= pss->known ? pss->kin.events != family_kin(t, place)->events
		                                 : of(t, place)->members > 1;
		of(t, place)->changing = of(t, place)->came;
		of(t, place)->active |= pss_kin_is_active(pss, family_kin(t, place));
	}
}

const struct pss_kin *family_kin(const struct process_table *t, int place)
{
	struct pss_kin *kin = &of(t, place)->kin;

	kin->mapped_b = t->mapped.all_b;
	return kin;
}

/* Its status came before. What it mapped since then is what others may have, as well. */
void family_was_read(struct process_table *t, int place, const struct proc_pid_smaps *smaps)
{
	double more_b =
	    (double)smaps->rss_b - (double)smaps->anonymous_b - t->processes[place].rss.mapped_b;

	t->mapped.was_read = t->processes[place].family.was_read = true;
	if (more_b > PSS_LAG_B)
		t->mapped.all_b += more_b;
}

void family_look(struct process_table *t, int place, double was_b, double now_b)
{
	struct pss_memory memory;

	if (was_b - now_b < FAMILY_GAVE_B)
		return;
	of(t, place)->given_b += was_b - now_b;
	/* Its PSS may have been read when it had given up some already. */
	family_memory(t, place, &memory);
	was_b = larger(lesser(was_b, memory.rss_b), now_b);
	t->processes[place].family.gave_b = now_b > 0 ? was_b - now_b : (double)INFINITY;
	of(t, place)->changing |= of(t, place)->members > 1;
}

void family_memory(const struct process_table *t, int place, struct pss_memory *memory)
{
	const struct tracked_process *p = &t->processes[place];

	pss_memory(&p->pss, &p->rss, memory);
	if (!pss_maps_changed(&p->pss, family_kin(t, place)))
		return;
	memory->reduced_b =
	    lesser(memory->pss_mapped_b, pss_mapped_unsure_b(&p->pss, family_kin(t, place)));
	memory->pss_mapped_b -= memory->reduced_b;
	memory->pss_b -= memory->reduced_b;
}

void family_set_changing(struct process_table *t, int place)
{
	of(t, place)->changing = true;
}

/* Anonymous memory that it shares with its family; 0 if it has none. */
static double shared_b(const struct process_table *t, int place)
{
	const struct pss *pss = &t->processes[place].pss;

	return of(t, place)->members > 1 && pss->known ? pss_shared_anonymous_b(pss) : 0;
}

/* Its own pages. If smaps_rollup was not read yet, at most as many anonymous ones as it had page
 * faults that mapped nothing else: it has its parent's from the beginning. */
static double own_pages_b(const struct tracked_process *p, const struct pss_memory *memory)
{
	double brought = (double)(p->stat.minflt + p->stat.majflt) * (double)sysconf(_SC_PAGESIZE);
	const struct proc_pid_smaps *last = &p->pss.last;
	double mapped = (double)last->pss_mapped_b, own;

	/* Private pages may be mapped, too. But a shared page counts half in PSS at most. */
	if (p->pss.known && mapped > 0) {
		own = 2 * ((double)last->pss_b - mapped) - (double)last->anonymous_b +
		      memory->private_b - (double)last->private_b;
		return larger(larger(memory->private_b - mapped, own), 0) + memory->pss_mapped_b;
	}
	if (p->pss.known)
		return memory->private_b;
	return lesser(larger(brought - memory->mapped_b, 0), memory->pss_b);
}

/* PSS, with all of the anonymous memory that it shares. */
static double full_b(const struct tracked_process *p, const struct pss_memory *memory)
{
	double counted = (double)p->pss.last.pss_b - (double)p->pss.last.pss_mapped_b;

	if (!p->pss.known)
		return memory->pss_b;
	return lesser(memory->pss_b + larger((double)p->pss.last.anonymous_b - counted, 0),
	              memory->rss_b);
}

double family_steady_part_b(const struct process_table *t, int place,
                            const struct pss_memory *memory)
{
	const struct tracked_process *p = &t->processes[place];

	if (of(t, place)->members == 1 && !of(t, place)->changing)
		return memory->pss_b;
	return p->family.head == place ? full_b(p, memory) : own_pages_b(p, memory);
}

/* The part of b that is left after family_look. */
static double left_b(const struct process_table *t, int place, double b, double rss_b)
{
	double gave_b = t->processes[place].family.gave_b;

	return gave_b > 0 ? lesser(b, larger(rss_b - gave_b, 0)) : b;
}

/* Whether the sum of PSS holds: nothing happened since the last reading, or only page faults. */
static bool adds_up(const struct family *f)
{
	return !f->changing && (!f->active || f->pss_b >= f->steady_b + f->beyond_b);
}

void family_add(struct process_table *t, int place, const struct pss_memory *memory)
{
	struct process_table_mapped *m = &t->mapped;
	struct family *f = of(t, place);
	struct tracked_process *p = &t->processes[place];
	const struct pss *head = &t->processes[p->family.head].pss;
	double head_b = (double)head->last.anonymous_b;
	double left_head_b = left_b(t, p->family.head, head_b, (double)head->last.rss_b);
	double left_shared_b = left_b(t, place, shared_b(t, place), memory->rss_b);
	double left_pss_b = left_b(t, place, memory->pss_mapped_b, memory->rss_b);
	double mapped_b = left_b(t, place, memory->mapped_b, memory->rss_b);

	f->pss_b += memory->pss_b;
	f->steady_b += family_steady_part_b(t, place, memory);
	f->beyond_b = larger(f->beyond_b, shared_b(t, place) - head_b);
	f->left_beyond_b = larger(f->left_beyond_b, left_shared_b - left_head_b);
	f->surplus_b = adds_up(f) ? larger(f->pss_b - f->steady_b, 0) : f->beyond_b;
	if (m->was_read)
		p->mapped_before_b = mapped_b;
	m->pss_b += left_pss_b;
	m->reduced_b += memory->reduced_b + memory->pss_mapped_b - left_pss_b;
	m->most_b = larger(m->most_b, mapped_b);
	m->own_grown_b = larger(m->own_grown_b, lesser(memory->grown_b, mapped_b));
	m->grown_b = larger(m->grown_b, mapped_b - p->mapped_before_b);
}

/* A reading of one process may already have its part of pages that another one mapped since its
 * own: so growth counts since the last of them, or as far as one process alone has more. */
double family_grown_b(const struct process_table *t)
{
	const struct process_table_mapped *m = &t->mapped;

	return lesser(m->own_grown_b + m->reduced_b, larger(m->most_b - m->pss_b, m->grown_b));
}

double family_hugetlb_b(const struct process_table *t, int place)
{
	return t->processes[place].family.head == place ? of(t, place)->hugetlb_b : 0;
}

double family_part_b(const struct process_table *t, int place, const struct pss_memory *memory)
{
	const struct family *f = of(t, place);

	if (adds_up(f))
		return memory->pss_b;
	return family_steady_part_b(t, place, memory) +
	       (t->processes[place].family.head == place ? f->beyond_b : 0);
}

void family_left(const struct process_table *t, int place, struct pss_memory *memory)
{
	const struct family *f = of(t, place);
	bool has_beyond = t->processes[place].family.head == place && !adds_up(f);
	double beyond_b = has_beyond ? f->beyond_b : 0;

	memory->pss_b = left_b(t, place, memory->pss_b - beyond_b, memory->rss_b);
	if (has_beyond)
		memory->pss_b += f->left_beyond_b;
	memory->rss_b = left_b(t, place, memory->rss_b, memory->rss_b);
	if (memory->private_b > memory->rss_b)
		memory->private_b = memory->rss_b;
	memory->shared_b = memory->rss_b - memory->private_b;
}

double family_sure_b(const struct process_table *t, int place, const struct pss_memory *memory)
{
	const struct tracked_process *p = &t->processes[place];
	struct pss_memory left = *memory;

	left.pss_b = family_part_b(t, place, memory);
	family_left(t, place, &left);
	if (!p->pss.known)
		return p->family.head == place ? left.pss_b : 0;
	return larger(
	    left.pss_b - memory->unsure_b -
		larger(pss_mapped_unsure_b(&p->pss, family_kin(t, place)) - memory->reduced_b, 0),
	    0);
}

void family_mark(const struct process_table *t, int place, double before_b,
                 struct memory_mark *mark)
{
	const struct pss *pss = &t->processes[place].pss;
	const struct pss_kin *kin = family_kin(t, place);
	double missed = (double)kin->faults - (double)pss->kin.faults;

	/* A child that came since then shares what was private. */
	if (kin->events != pss->kin.events)
		mark->own_b = 0;
	/* It may have shared what others gave up before it was read, at the moment of their marks,
	 * but not what was private before they came. */
	if (t->processes[place].family.was_read)
		mark->own_b = larger(mark->own_b - of(t, place)->given_b,
		                     of(t, place)->came ? 0 : lesser(mark->own_b, before_b));
	mark->inherited = t->processes[place].family.head != place;
	mark->shares = of(t, place)->members > 1;
	mark->kin_faults = kin->faults;
	mark->shared_b = shared_b(t, place);
	mark->unsure_b = lesser(mark->shared_b, larger(missed, 0) * (double)sysconf(_SC_PAGESIZE));
}

double family_surplus_rise_b(const struct process_table *t, int place)
{
	const struct family *f = &t->processes[place].family;

	return larger(f->surplus_b - f->surplus_before_b, 0);
}
