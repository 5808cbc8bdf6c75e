/* process_table: the processes of the tree, found again at every reading. */
#include "collect/process/process_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"
#include "collect/procfs/scan.h"

#define SCAN_MAX    65536 /* processes; further ones are not seen */
#define OTHERS_READ 128   /* lists of threads other than the first, in a reading */

struct process_table_pair {
	int pid, ppid;
};

int process_table_open(struct process_table *t, const struct root *r, bool subreaper)
{
	*t = (struct process_table){
	    .r = r, .self = getpid(), .own_children = -1, .subreaper = subreaper};
	for (int i = 0; i < PROCESS_TABLE_CHAINS; i++)
		t->first[i] = -1;
	(void)root_file_open(&t->loadavg, r, "proc/loadavg");
	/* Both are large, but untouched pages never become resident. */
	t->children = calloc(SCAN_MAX, sizeof *t->children);
	t->pairs = calloc(SCAN_MAX, sizeof *t->pairs);
	return t->children && t->pairs ? 0 : -1;
}

int process_table_reserve(struct process_table *t, size_t places)
{
	size_t each =
	    sizeof *t->processes + sizeof *t->accounts + sizeof *t->order + sizeof *t->scratch;

	free(t->processes);
	t->processes = calloc(places, each);
	if (!t->processes)
		return -1;
	t->places = places;
	t->accounts = (void *)(t->processes + places);
	t->order = (void *)(t->accounts + places);
	t->scratch = t->order + places;
	return 0;
}

int process_table_find(const struct process_table *t, int pid)
{
	int place = t->first[(unsigned)pid % PROCESS_TABLE_CHAINS];

	while (place >= 0 && t->processes[place].pid != pid)
		place = t->processes[place].next;
	return place;
}

int process_table_pid(const struct process_table *t, size_t i)
{
	const struct tracked_process *p = i < t->n ? &t->processes[t->order[i]] : NULL;

	if (!p)
		return 0;
	return p->used ? p->pid : -1;
}

bool process_table_is_our_child(const struct process_table *t, int place)
{
	return t->subreaper && t->processes[place].stat.ppid == t->self;
}

bool process_table_is_launcher(const struct process_table *t, int place)
{
	return t->launcher && t->processes[place].pid == t->launcher;
}

bool process_table_stays(const struct process_table *t, int place)
{
	return t->launcher_stays && process_table_is_launcher(t, place);
}

/* -- leaving ----------------------------------------------------------------------------------- */

/* Does nothing if the place is not in the index. */
static void remove_from_index(struct process_table *t, int place)
{
	int *at = &t->first[(unsigned)t->processes[place].pid % PROCESS_TABLE_CHAINS];

	while (*at >= 0 && *at != place)
		at = &t->processes[*at].next;
	if (*at == place)
		*at = t->processes[place].next;
}

void process_table_forget_pid(struct process_table *t, int place)
{
	if (t->processes[place].pid == t->root)
		t->root = 0;
	if (t->processes[place].pid == t->launcher)
		t->launcher = 0;
	remove_from_index(t, place);
}

void process_table_set_gone(struct process_table *t, int place)
{
	int parent = t->accounts[place].parent;

	t->accounts[place].gone = true;
	if (parent >= 0) {
		t->processes[parent].reread = true;
		t->processes[parent].child_events++;
	}
	process_table_forget_pid(t, place);
}

void process_table_free_place(struct process_table *t, int place)
{
	remove_from_index(t, place);
	t->kept -= t->processes[place].keeps_fds;
	tracked_process_close(&t->processes[place]);
}

/* -- children ---------------------------------------------------------------------------------- */

static int add_pair(void *ctx, const struct proc_pid_stat *stat)
{
	struct process_table *t = ctx;

	if (t->n_pairs == SCAN_MAX)
		return 1;
	t->pairs[t->n_pairs++] = (struct process_table_pair){stat->pid, stat->ppid};
	return 0;
}

static void scan_parents(struct process_table *t)
{
	t->scans = true;
	t->n_pairs = 0;
	proc_pid_scan(t->r, add_pair, t);
}

static size_t list_by_parent(struct process_table *t, int pid)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_pairs; i++)
		if (t->pairs[i].ppid == pid)
			t->children[n++] = t->pairs[i].pid;
	return n;
}

/* The last pid that a process or a thread was given (the last number of loadavg); -1: unknown. */
static int read_last_pid(struct process_table *t)
{
	char text[128];
	long n = root_file_head(&t->loadavg, text, sizeof text);
	const char *last = n > 0 ? strrchr(text, ' ') : NULL;
	struct scan digits = scan_text(last, last ? strlen(last) : 0);
	int pid;

	return scan_int(&digits, &pid) && pid > 0 ? pid : -1;
}

/* Lists the children of threads other than the first, where there may be new ones: of some hundred
 * threads not in every reading. */
static void list_of_others(struct process_table *t, struct tracked_process *p,
                           struct proc_pid_list *list)
{
	if (!t->last_pid)
		t->last_pid = read_last_pid(t);
	if (p->others_at == 0 && p->others_pid == t->last_pid && t->last_pid > 0)
		return;
	if (t->others_turn && t->others_turn != p->pid)
		return;
	t->others_turn = p->pid;
	if (!t->others_left)
		return;
	if (p->others_at == 0)
		p->pass_pid = t->last_pid;
	proc_pid_children_others(t->r, p->pid, &p->others_at, &t->others_left, list);
	if (p->others_at)
		return;
	p->others_pid = p->pass_pid;
	t->others_turn = 0;
}

/* Lists the children of a process in t->children, as far as they may be new; returns their
 * number. */
static size_t list_children(struct process_table *t, struct tracked_process *p)
{
	struct proc_pid_list list = {.pids = t->children, .max = SCAN_MAX};
	bool several = p->has_clock && p->stat.num_threads > 1;

	p->keeps_children = !t->scans && (p->idle || several);
	t->keeps_children |= p->keeps_children;
	if (!t->scans && p->idle)
		return 0;
	/* ENOSYS: the kernel has no such file. From here on this reading and all others scan. */
	if (!t->scans && tracked_process_children(p, t->r, &list) && errno == ENOSYS)
		scan_parents(t);
	if (!t->scans && several)
		list_of_others(t, p, &list);
	return t->scans ? list_by_parent(t, p->pid) : list.n;
}

/* The same for the collector itself. Orphans that it adopts are in the list of its first thread:
 * that is where the kernel puts them. */
static size_t list_own_children(struct process_table *t)
{
	struct proc_pid_list list = {.pids = t->children, .max = SCAN_MAX};
	char path[48];

	if (!t->scans && t->own_children < 0) {
		snprintf(path, sizeof path, "task/%d/children", t->self);
		t->own_children = proc_pid_open(t->r, t->self, path);
	}
	if (!t->scans && (t->own_children < 0 || proc_pid_children_read(t->own_children, &list)))
		scan_parents(t);
	return t->scans ? list_by_parent(t, t->self) : list.n;
}

/* -- entering ---------------------------------------------------------------------------------- */

static bool is_excluded(const struct process_table *t, int pid)
{
	for (size_t i = 0; i < PROCESS_TABLE_EXCLUDED; i++)
		if (t->excluded[i] == pid)
			return true;
	return false;
}

/* Whether our child was left behind by one that is excluded: these have sessions of their own. */
static bool is_left_by_excluded(const struct process_table *t, int pid, int parent)
{
	int session = parent < 0 && t->subreaper && !t->r->replayed ? (int)getsid(pid) : 0;

	return session > 0 && is_excluded(t, session);
}

/* The hint never has to go back during a reading: places become free only between readings. */
static int find_free_place(struct process_table *t)
{
	for (; t->hint < t->high; t->hint++)
		if (!t->processes[t->hint].used)
			break;
	return t->hint < t->places ? (int)t->hint : -1;
}

/* A pid that a children list named may have ended and been given to a stranger before its stat was
 * opened. So a process is taken only if the ppid in its own stat is the expected parent. */
static bool is_of_tree(const struct process_table *t, const struct tracked_process *p, int parent)
{
	if (p->pid == t->root || p->pid == t->launcher)
		return true;
	if (t->subreaper && p->stat.ppid == t->self)
		return true;
	return parent >= 0 && p->stat.ppid == t->processes[parent].pid;
}

static int enter_process(struct process_table *t, int pid, int parent)
{
	int place = find_free_place(t), *first;
	struct tracked_process *p;

	if (place < 0) {
		t->beyond++;
		return -1;
	}
	p = &t->processes[place];
	if (tracked_process_open(p, t->r, pid, t->kept < t->kept_max))
		return -1;
	if (!is_of_tree(t, p, parent)) {
		tracked_process_close(p);
		return -1;
	}
	/* A job that we start begins with the run; one that we attach to was there before. */
	p->has_clock = !t->r->replayed && !t->r->other_pids;
	p->predates_run = t->reading == 1 && !t->subreaper;
	t->kept += p->keeps_fds;
	t->high += (size_t)place == t->high;
	first = &t->first[(unsigned)pid % PROCESS_TABLE_CHAINS];
	p->next = *first;
	*first = place;
	t->accounts[place] = (struct cpu_account){.used = true, .parent = -1};
	if (parent >= 0)
		t->processes[parent].child_events++;
	return place;
}

/* Appends a process to the order, and enters it into the table if it is new. */
static void add_to_order(struct process_table *t, int pid, int parent)
{
	int place = process_table_find(t, pid);

	if ((pid == t->self && !t->r->replayed) || is_excluded(t, pid))
		return;
	if (place >= 0 && t->processes[place].seen == t->reading)
		return;
	if (place >= 0 && t->wakes)
		tracked_process_wake(&t->processes[place]);
	if (place >= 0 && tracked_process_read(&t->processes[place], t->r) &&
	    !process_table_is_our_child(t, place) && !process_table_stays(t, place)) {
		process_table_set_gone(t, place);
		place = -1;
	}
	if (place < 0 && !is_left_by_excluded(t, pid, parent))
		place = enter_process(t, pid, parent);
	if (place < 0)
		return;
	t->processes[place].seen = t->reading;
	t->accounts[place].parent = parent;
	if (parent >= 0)
		t->processes[parent].reread = true;
	t->order[t->n++] = place;
}

/* -- discovery --------------------------------------------------------------------------------- */

static void add_children(struct process_table *t, size_t n, int parent)
{
	for (size_t i = 0; i < n; i++)
		add_to_order(t, t->children[i], parent);
}

/* Breadth first: what is appended here is visited later in the same loop. */
static void add_descendants(struct process_table *t, size_t from)
{
	for (size_t i = from; i < t->n; i++) {
		struct tracked_process *p = &t->processes[t->order[i]];
		if (!tracked_process_ended(p))
			add_children(t, list_children(t, p), t->order[i]);
	}
}

/* Known children of processes whose lists were not, or not all, read. */
static void add_kept(struct process_table *t)
{
	size_t before = t->n;

	for (size_t i = 0; i < t->high; i++) {
		const struct cpu_account *account = &t->accounts[i];
		const struct tracked_process *p = &t->processes[i], *parent;
		if (account->parent < 0 || account->gone || account->reaped)
			continue;
		parent = &t->processes[account->parent];
		if (p->used && p->seen != t->reading && parent->seen == t->reading &&
		    parent->keeps_children && p->stat.ppid == parent->pid)
			add_to_order(t, p->pid, account->parent);
	}
	add_descendants(t, before);
	if (t->n > before)
		add_kept(t);
}

/* Known processes that no process of the tree lists as a child: each has ended, or its parent ended
 * and the kernel gave it to a parent outside the tree. It still belongs to the tree. */
static void add_orphans(struct process_table *t)
{
	for (size_t i = 0; i < t->high; i++) {
		struct tracked_process *p = &t->processes[i];
		const struct cpu_account *account = &t->accounts[i];
		if (p->used && p->seen != t->reading && !account->gone && !account->reaped) {
			int parent = process_table_find(t, p->stat.ppid);
			bool seen = parent >= 0 && t->processes[parent].seen == t->reading;
			tracked_process_wake(p);
			add_to_order(t, p->pid, seen ? parent : -1);
		}
	}
}

void process_table_discover(struct process_table *t)
{
	int turn = t->others_turn;
	size_t before;

	t->reading++;
	t->n = 0;
	t->hint = 0;
	t->last_pid = 0;
	/* At the first, whoever is missed would count as new later. */
	t->others_left = t->reading == 1 ? SIZE_MAX : OTHERS_READ;
	t->keeps_children = false;
	if (!t->alone && t->scans)
		scan_parents(t);
	if (t->launcher)
		add_to_order(t, t->launcher, -1);
	if (t->root)
		add_to_order(t, t->root, -1);
	if (t->alone)
		return;
	if (t->subreaper)
		add_children(t, list_own_children(t), -1);
	add_descendants(t, 0);
	if (t->keeps_children)
		add_kept(t);
	before = t->n;
	add_orphans(t);
	add_descendants(t, before);
	/* Its turn did not come: it sleeps, or has ended. */
	if (turn && t->others_left == OTHERS_READ)
		t->others_turn = 0;
}

void process_table_close(struct process_table *t)
{
	for (size_t i = 0; t->processes && i < t->high; i++)
		tracked_process_close(&t->processes[i]);
	free(t->processes);
	free(t->children);
	free(t->pairs);
	if (t->r && t->own_children >= 0)
		close(t->own_children);
	root_file_close(&t->loadavg);
	*t = (struct process_table){.r = NULL};
}
