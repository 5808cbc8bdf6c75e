/* tree: what a process and all its descendants use together. */
#include "collect/process/tree.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/machine/clocks.h"
#include "collect/process/cpu_wait.h"
#include "collect/process/own_account.h"
#include "collect/process/process_table.h"
#include "collect/process/top_processes.h"
#include "collect/process/unseen.h"
#include "collect/procfs/fd_limit.h"

#include "core/base/larger.h"

#define REPEATS    8 /* readings of a parent whose children are being reaped */
#define PLACES_MIN 64
#define OTHERS_B   ((size_t)4 << 20) /* memory that the rest of a recording needs */
#define WAKE_S     5.0               /* an idle process is read again after so long */

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
		/* What it inherits from now on is a debt until it is reported. */
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
			top_processes_at(t->top, i)->end = t->now_s;
			top_processes_states(t->top, i, &t->table.processes[i]);
			top_processes_end(t->top, i);
			process_table_free_place(&t->table, (int)i);
		}
}

/* What processes older than the run had inherited before it is in the sums, but was not used by any
 * process that was seen. */
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
	double final[CPU_ACCOUNTING_COUNT], rss_b = (double)usage->ru_maxrss * 1024;
	int place = process_table_find(&t->table, pid);
	struct tracked_process *p = place < 0 ? NULL : &t->table.processes[place];
	struct top_process *top;

	reaped_totals_account(usage, total, final);
	reaped_totals_add(&t->reaped, usage);
	/* The rusage has the largest mark of its children too, which was reached at any time. */
	if (!p || (tracked_process_reap_stamp(p) == 0 && rss_b > p->peak_rss_b))
		tree_gauges_reaped(&t->gauges, rss_b);
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

void tree_write_processes(struct tree *t, struct json_write *j, bool commands)
{
	for (size_t i = 0; i < t->table.high; i++)
		if (t->table.processes[i].used)
			top_processes_states(t->top, i, &t->table.processes[i]);
	tree_states_write(&t->states, j);
	top_processes_write(t->top, t->states.names, j,
	                    t->sum[CPU_ACCOUNTING_CPU] - t->inherited_first_s, commands);
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
