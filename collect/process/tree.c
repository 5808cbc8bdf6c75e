/* tree: which processes belong to the run. */
#include "collect/process/tree.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/machine/clocks.h"
#include "collect/process/tree_state.h"
#include "collect/procfs/fd_limit.h"
#include "collect/procfs/proc_pid.h"

#define REPEATS    8 /* readings of a parent whose children are being reaped */
#define PLACES_MIN 64
#define OTHERS_B   ((size_t)4 << 20) /* bytes that the rest of a recording needs */
#define RESTS_S    5.0 /* and what others change of a process that sleeps is read again */

/* As many places as there is memory for, but for what the rest of the recording needs: RLIMIT_AS
 * counts those too that are never used, and so never become resident. */
static int open_tables(struct tree *t, struct err *e)
{
	size_t place = sizeof *t->members + sizeof *t->items + sizeof *t->order + sizeof *t->due;
	void *rest = malloc(OTHERS_B);

	for (size_t n = rest ? TREE_MAX : 0; n >= PLACES_MIN && !t->processes; n /= 4) {
		free(t->members);
		t->members = calloc(t->places = n, place);
		t->processes = t->members ? top_processes_open(n, e) : NULL;
	}
	free(rest);
	if (!t->processes)
		return -1;
	t->items = (void *)(t->members + t->places);
	t->order = (void *)(t->items + t->places);
	t->due = t->order + t->places;
	return 0;
}

struct tree *tree_open(const struct root *r, bool adopted, struct err *e)
{
	struct tree *t = calloc(1, sizeof *t);

	if (!t)
		goto fail;
	t->r = r;
	t->adopted = adopted;
	t->self = getpid();
	t->tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
	t->clock_s = (double)(clocks_now(CLOCK_REALTIME) - clocks_now(CLOCK_BOOTTIME)) / 1e9;
	t->boot_s = r->replayed ? NAN : t->clock_s;
	pid_table_init(&t->pids);
	t->wait = cpu_wait_open();
	if (children_open(&t->children, r) == 0 && t->wait && open_tables(t, e) == 0)
		return t;
fail:
	tree_close(t);
	err_set(e, "no memory for the table of processes");
	return NULL;
}

int tree_root(struct tree *t, int pid, struct err *e)
{
	int fd = proc_pid_open(t->r, pid, "stat");

	t->root = pid;
	t->kept_max = t->r->scarce ? 0 : fd_limit_most() / 2 / TRACKED_PROCESS_FILES;
	if (fd < 0)
		return proc_pid_missing(t->r, pid, e);
	close(fd);
	return 0;
}

void tree_leave_out(struct tree *t, int pid)
{
	for (size_t i = 0; i < APART_MAX; i++)
		if (!t->apart[i]) {
			t->apart[i] = pid;
			return;
		}
}

/* -- what they used ---------------------------------------------------------------------------- */

/* Storage first: what is handed over between the two shows in the stat, and is looked at again. */
static int read_account(struct tree *t, int place)
{
	struct tracked_process *m = &t->members[place];
	struct cpu_accounting_item *item = &t->items[place];

	if (tracked_process_io(m, t->r) == 0) {
		item->waited[CPU_ACCOUNTING_READ] = (double)m->io.read_bytes;
		item->waited[CPU_ACCOUNTING_WRITE] = (double)m->io.write_bytes;
	}
	if (m->again && tracked_process_read(m, t->r) && !tree_is_ours(t, place))
		return -1;
	tracked_process_cpu(m, t->r, t->tick_s);
	item->own[CPU_ACCOUNTING_UTIME] = (double)m->stat.utime * t->tick_s;
	item->own[CPU_ACCOUNTING_STIME] = (double)m->stat.stime * t->tick_s;
	item->own[CPU_ACCOUNTING_MAJOR] = (double)m->stat.majflt;
	item->waited[CPU_ACCOUNTING_UTIME] = (double)m->stat.cutime * t->tick_s;
	item->waited[CPU_ACCOUNTING_STIME] = (double)m->stat.cstime * t->tick_s;
	item->waited[CPU_ACCOUNTING_CPU] =
	    item->waited[CPU_ACCOUNTING_UTIME] + item->waited[CPU_ACCOUNTING_STIME];
	item->waited[CPU_ACCOUNTING_MAJOR] = (double)m->stat.cmajflt;
	return 0;
}

/* Looks whether the descendants of order[i], read before it, are still there: those that it reaped
 * meanwhile stand in its account now, and must not be counted in theirs too. */
static void drop_reaped(struct tree *t, size_t i)
{
	int above = t->order[i];

	for (size_t k = i + 1; k < t->n; k++) {
		int place = t->order[k], parent = t->items[place].parent;
		bool suspect = parent == above || (parent >= 0 && t->items[parent].gone);
		if (suspect && !t->items[place].gone &&
		    !tracked_process_alive(&t->members[place], t->r))
			tree_set_gone(t, place);
	}
}

static void read_parent(struct tree *t, size_t i)
{
	int place = t->order[i];
	struct tracked_process *m = &t->members[place];

	for (int repeat = 0; !t->items[place].gone; repeat++) {
		uint64_t before = tracked_process_reaped(m);
		if (read_account(t, place))
			tree_set_gone(t, place);
		else if (!m->again || tracked_process_reaped(m) == before)
			return;
		/* It reaps faster than we look: nothing is missing, and what is double is paid. */
		t->items[place].unsure = repeat == REPEATS;
		if (repeat == REPEATS)
			return;
		drop_reaped(t, i);
	}
}

/* Who is found takes a while, in which we may be kept waiting: the rows divide by the time between
 * the accounts alone. */
static void read_accounts(struct tree *t)
{
	int64_t begin = clocks_now(CLOCK_MONOTONIC), before = t->at;
	double elapsed_s;

	for (size_t i = t->n; i-- > 0;)
		if (!t->items[t->order[i]].gone)
			read_parent(t, i);
	t->at = begin + (clocks_now(CLOCK_MONOTONIC) - begin) / 2;
	elapsed_s = t->stamp > 1 ? (double)(t->at - before) / 1e9 : (double)INFINITY;
	for (size_t i = 0; i < t->n; i++) {
		struct tracked_process *m = &t->members[t->order[i]];
		tracked_process_tell(m, elapsed_s);
		t->items[t->order[i]].own[CPU_ACCOUNTING_CPU] = m->told_s;
	}
}

/* Frees the places whose accounts the ledger has closed. */
static void sweep(struct tree *t)
{
	for (size_t i = 0; i < t->high; i++)
		if (t->members[i].used && !t->items[i].used) {
			struct process *p = top_processes_at(t->processes, i);
			p->end = t->now_s;
			top_processes_end(t->processes, i);
			pid_table_remove(&t->pids, t->members, (int)i);
			t->kept -= t->members[i].kept;
			tracked_process_close(&t->members[i]);
		}
}

static void note_processes(struct tree *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct tracked_process *m = &t->members[t->order[i]];
		double start = t->boot_s + (double)m->stat.starttime * t->tick_s;
		if (m->used)
			top_processes_note(t->processes, (size_t)t->order[i], m, start, t->r);
	}
}

static void read_states(struct tree *t)
{
	const struct tree_gauges_tree view = {.r = t->r,
	                                      .members = t->members,
	                                      .items = t->items,
	                                      .order = t->order,
	                                      .n = t->n,
	                                      .root = t->root,
	                                      .due = t->due,
	                                      .at = t->at};

	tree_gauges_read(&t->states, &view);
}

void tree_read(struct tree *t, struct tree_counters *out)
{
	const struct tree_gauges *s = &t->states;

	t->now_s = t->clock_s + (double)clocks_now(CLOCK_BOOTTIME) / 1e9;
	t->wakes = t->now_s >= t->woken_s + RESTS_S;
	if (t->wakes)
		t->woken_s = t->now_s;
	tree_discover(t);
	read_accounts(t);
	cpu_wait_read(t->wait, t->r, t->members, t->order, t->n, t->at);
	/* What processes that ran before us were handed before. */
	for (size_t i = 0; t->stamp == 1 && !t->adopted && i < t->n; i++)
		t->before_s += t->items[t->order[i]].waited[CPU_ACCOUNTING_CPU];
	cpu_accounting_close(t->items, t->high, t->sum);
	sweep(t);
	read_states(t);
	note_processes(t);
	*out = (struct tree_counters){.at = t->at,
	                              .all = s->all,
	                              .main = s->main,
	                              .main_cpu_s = s->main_cpu_s,
	                              .cpu_wait_s = cpu_wait_s(t->wait),
	                              .ctx_voluntary = s->ctx_voluntary,
	                              .ctx_involuntary = s->ctx_involuntary,
	                              .alive = s->alive,
	                              .children = s->children};
	cpu_accounting_split(t->sum, &t->utime_s, &t->stime_s, out->sum);
}

bool tree_has_root(const struct tree *t)
{
	return t->states.has_root;
}

bool tree_saw_any(const struct tree *t)
{
	return t->high > 0;
}

bool tree_has(const struct tree *t, int pid)
{
	int at = pid_table_find(&t->pids, t->members, pid);

	return at >= 0 && t->members[at].used;
}

int tree_pid(const struct tree *t, size_t i)
{
	const struct tracked_process *m = i < t->n ? &t->members[t->order[i]] : NULL;

	return !m ? 0 : m->used ? m->pid : -1;
}

/* -- the reaped -------------------------------------------------------------------------------- */

void tree_reaped(struct tree *t, int pid, int status, const struct rusage *usage,
                 const double total[CPU_ACCOUNTING_COUNT])
{
	double credit[CPU_ACCOUNTING_COUNT];
	int place = pid_table_find(&t->pids, t->members, pid);
	struct process *p;

	reaped_totals_credit(usage, total, credit);
	reaped_totals_add(&t->totals, usage);
	if (place < 0) {
		for (int k = 0; k < CPU_ACCOUNTING_COUNT; k++)
			t->sum[k] += credit[k];
		return;
	}
	if (pid == t->root)
		t->root = 0;
	t->items[place].reaped = true;
	memcpy(t->items[place].credit, credit, sizeof credit);
	p = top_processes_at(t->processes, (size_t)place);
	p->reaped = true;
	p->status = status;
	pid_table_remove(&t->pids, t->members, place);
}

void tree_settle(struct tree *t, struct tree_counters *out)
{
	double before = out->sum[CPU_ACCOUNTING_CPU];

	cpu_accounting_close(t->items, t->high, t->sum);
	sweep(t);
	cpu_accounting_split(t->sum, &t->utime_s, &t->stime_s, out->sum);
	out->late_s = out->sum[CPU_ACCOUNTING_CPU] - before;
}

void tree_totals(const struct tree *t, struct reaped_totals *out)
{
	*out = t->totals;
	out->read_b = t->sum[CPU_ACCOUNTING_READ];
	out->write_b = t->sum[CPU_ACCOUNTING_WRITE];
	out->cpu_wait_s = cpu_wait_s(t->wait);
	if (t->states.peak_rss_b > out->peak_rss_b)
		out->peak_rss_b = t->states.peak_rss_b;
}

void tree_write_processes(struct tree *t, struct json_write *j, bool commands)
{
	top_processes_write(t->processes, j, t->sum[CPU_ACCOUNTING_CPU] - t->before_s, commands);
}

void tree_notes(const struct tree *t, struct snapshot *s)
{
	tree_gauges_notes(&t->states, s);
	cpu_wait_notes(t->wait, s);
	if (t->beyond)
		snapshot_note(
		    s,
		    "There were more than %zu processes; of those beyond only CPU time and "
		    "storage count, once they have been waited for.",
		    t->places);
}

void tree_close(struct tree *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->members && i < t->high; i++)
		tracked_process_close(&t->members[i]);
	free(t->members);
	top_processes_close(t->processes);
	cpu_wait_close(t->wait);
	children_close(&t->children);
	free(t);
}
