/* tree_discover: which processes belong to a tree. */
#include "collect/process/tree_state.h"

static bool is_apart(const struct tree *t, int pid)
{
	for (size_t i = 0; i < APART_MAX; i++)
		if (t->apart[i] == pid)
			return true;
	return false;
}

void tree_set_gone(struct tree *t, int place)
{
	int parent = t->items[place].parent;

	t->items[place].gone = true;
	if (parent >= 0) {
		t->members[parent].again = true;
		t->members[parent].kin++;
	}
	if (t->members[place].pid == t->root)
		t->root = 0;
	pid_table_remove(&t->pids, t->members, place);
}

/* Places become free only between readings. */
static int free_place(struct tree *t)
{
	for (; t->hint < t->high; t->hint++)
		if (!t->members[t->hint].used)
			break;
	return t->hint < t->places ? (int)t->hint : -1;
}

/* Whether a process that was listed as a child is one: it may have ended, and its number be
 * another's. */
static bool belongs(const struct tree *t, const struct tracked_process *m, int parent)
{
	if (m->pid == t->root)
		return true;
	if (t->adopted && m->stat.ppid == t->self)
		return true;
	return parent >= 0 && m->stat.ppid == t->members[parent].pid;
}

static int enter(struct tree *t, int pid, int parent)
{
	int place = free_place(t);
	struct tracked_process *m;

	if (place < 0) {
		t->beyond++;
		return -1;
	}
	m = &t->members[place];
	if (tracked_process_open(m, t->r, pid, t->kept < t->kept_max))
		return -1;
	if (!belongs(t, m, parent)) {
		tracked_process_close(m);
		return -1;
	}
	m->older = t->stamp == 1 && !t->adopted;
	t->kept += m->kept;
	t->high += (size_t)place == t->high;
	pid_table_add(&t->pids, t->members, place);
	t->items[place] = (struct cpu_accounting_item){.used = true, .parent = -1};
	if (parent >= 0)
		t->members[parent].kin++;
	return place;
}

bool tree_is_ours(const struct tree *t, int place)
{
	return t->adopted && t->members[place].stat.ppid == t->self;
}

/* Puts a process into the order, a new one into the table too. */
static void add(struct tree *t, int pid, int parent)
{
	int place = pid_table_find(&t->pids, t->members, pid);

	if ((pid == t->self && !t->r->replayed) || is_apart(t, pid))
		return;
	if (place >= 0 && t->members[place].seen == t->stamp)
		return;
	if (place >= 0 && t->wakes)
		tracked_process_wake(&t->members[place]);
	if (place >= 0 && tracked_process_read(&t->members[place], t->r) &&
	    !tree_is_ours(t, place)) {
		tree_set_gone(t, place);
		place = -1;
	}
	if (place < 0)
		place = enter(t, pid, parent);
	if (place < 0)
		return;
	t->members[place].seen = t->stamp;
	t->items[place].parent = parent;
	if (parent >= 0)
		t->members[parent].again = true;
	t->order[t->n++] = place;
}

/* -- who belongs to it ------------------------------------------------------------------------- */

static void add_listed(struct tree *t, size_t n, int parent)
{
	for (size_t i = 0; i < n; i++)
		add(t, t->children.pids[i], parent);
}

static void walk(struct tree *t, size_t from)
{
	for (size_t i = from; i < t->n; i++) {
		struct tracked_process *m = &t->members[t->order[i]];
		if (!tracked_process_ended(m))
			add_listed(t, children_of(&t->children, m), t->order[i]);
	}
}

/* Members that no parent of ours lists any more: ended, or adopted by a process outside. */
static void add_strays(struct tree *t)
{
	for (size_t i = 0; i < t->high; i++) {
		struct tracked_process *m = &t->members[i];
		if (m->used && m->seen != t->stamp && !t->items[i].gone && !t->items[i].reaped) {
			int parent = pid_table_find(&t->pids, t->members, m->stat.ppid);
			bool listed = parent >= 0 && t->members[parent].seen == t->stamp;
			tracked_process_wake(m);
			add(t, m->pid, listed ? parent : -1);
		}
	}
}

void tree_discover(struct tree *t)
{
	size_t before;

	t->stamp++;
	t->n = 0;
	children_begin(&t->children);
	t->hint = 0;
	if (t->root)
		add(t, t->root, -1);
	if (t->adopted)
		add_listed(t, children_own(&t->children), -1);
	walk(t, 0);
	before = t->n;
	add_strays(t);
	walk(t, before);
}
