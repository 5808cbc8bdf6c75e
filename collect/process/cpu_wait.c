/* cpu_wait: how long the threads of a tree waited for a CPU while they could have run. */
#include "collect/process/cpu_wait.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"
#include "collect/procfs/scan.h"

#define CHAINS      1024
#define PER_S       1000 /* threads read per second: about 0.4 % of a core */
#define ASLEEP_READ 17   /* threads per reading, of processes that used no CPU time */
#define READ_LEAST  16   /* threads per reading, however short the interval */

/* A thread other than the first of its process. {0} is a free node. */
struct waiting_thread {
	int tid, pid, place; /* pid and place: its process */
	int next;            /* in the chain of the hash table; -1: the last */
	unsigned seen;       /* the last reading that listed it */
	struct proc_pid_schedstat last;
	uint64_t clock; /* its process's .clock_ns when .last was read */
	struct wait_thread state;
};

/* Where a reading stopped. */
struct wait_turn {
	int pid;     /* of the process; 0: none */
	size_t skip; /* threads of it that were read */
};

struct cpu_wait {
	struct waiting_thread *threads; /* CPU_WAIT_THREADS nodes of a hash table by tid */
	int heads[CHAINS];              /* -1: empty */
	size_t high, free_from;         /* nodes ever used; no node below free_from is free */
	unsigned reading;
	uint64_t ns; /* the sum so far */
	bool known;  /* the kernel gave a number for at least one thread */
	int64_t at;
	size_t left;                   /* threads that may still be read in this reading */
	struct wait_turn busy, asleep; /* processes that used CPU time, and the others */
	const struct cpu_wait_visitor *visitor;
	uint64_t cut_short; /* readings that had to stop */
	bool full;          /* a thread found no free node */
	bool many;          /* a process has more than CPU_WAIT_LISTED */
};

struct cpu_wait *cpu_wait_open(void)
{
	struct cpu_wait *w = calloc(1, sizeof *w);

	if (!w)
		return NULL;
	for (size_t i = 0; i < CHAINS; i++)
		w->heads[i] = -1;
	/* Untouched nodes never become resident. */
	w->threads = calloc(CPU_WAIT_THREADS, sizeof *w->threads);
	if (w->threads)
		return w;
	free(w);
	return NULL;
}

void cpu_wait_close(struct cpu_wait *w)
{
	if (w)
		free(w->threads);
	free(w);
}

/* -- the table of threads ---------------------------------------------------------------------- */

static int *chain_of(struct cpu_wait *w, int tid)
{
	return &w->heads[(unsigned)tid % CHAINS];
}

static struct waiting_thread *find_thread(struct cpu_wait *w, int tid)
{
	for (int i = *chain_of(w, tid); i >= 0; i = w->threads[i].next)
		if (w->threads[i].tid == tid)
			return &w->threads[i];
	return NULL;
}

static struct waiting_thread *enter_thread(struct cpu_wait *w, int tid)
{
	struct waiting_thread *t;

	while (w->free_from < w->high && w->threads[w->free_from].tid)
		w->free_from++;
	if (w->free_from == CPU_WAIT_THREADS)
		return NULL;
	t = &w->threads[w->free_from];
	w->high += w->free_from == w->high;
	*t = (struct waiting_thread){.tid = tid, .next = *chain_of(w, tid)};
	*chain_of(w, tid) = (int)w->free_from;
	return t;
}

static void remove_thread(struct cpu_wait *w, size_t node)
{
	int *link = chain_of(w, w->threads[node].tid);

	while (*link != (int)node)
		link = &w->threads[*link].next;
	*link = w->threads[node].next;
	w->threads[node] = (struct waiting_thread){0};
	if (node < w->free_from)
		w->free_from = node;
}

/* Its process, or NULL: the place may be empty, or another process's by now. */
static struct tracked_process *thread_owner(struct tracked_process *processes,
                                            const struct waiting_thread *t)
{
	struct tracked_process *p = &processes[t->place];

	return p->used && p->pid == t->pid ? p : NULL;
}

static void visit(const struct cpu_wait *w, struct tracked_process *p, struct wait_thread *t,
                  int tid, const struct proc_pid_schedstat *now, enum cpu_wait_visit what)
{
	if (w->visitor)
		w->visitor->visit(w->visitor->ctx, p, t, tid, now, what);
}

/* One that was not read in this reading: if its process has slept since it was, its numbers are the
 * same. clock: of that time. */
static void visit_unread(const struct cpu_wait *w, struct tracked_process *p, struct wait_thread *t,
                         int tid, const struct proc_pid_schedstat *last, uint64_t clock)
{
	bool same = tracked_process_slept(p, clock);

	visit(w, p, t, tid, same ? last : NULL, same ? CPU_WAIT_READ_NOW : CPU_WAIT_LEFT_OUT);
}

/* Forgets threads that have ended: their process was listed in this reading, and they were not in
 * the list. */
static void forget_ended_threads(struct cpu_wait *w, struct tracked_process *processes)
{
	for (size_t i = 0; i < w->high; i++) {
		struct waiting_thread *t = &w->threads[i];
		struct tracked_process *p = t->tid ? thread_owner(processes, t) : NULL;
		if (!t->tid)
			continue;
		if (p && (p->threads_listed != w->reading || t->seen == w->reading)) {
			visit_unread(w, p, &t->state, t->tid, &t->last, t->clock);
			continue;
		}
		visit(w, p, &t->state, t->tid, NULL, CPU_WAIT_ENDED);
		if (p)
			p->other_threads--;
		remove_thread(w, i);
	}
}

/* -- a process of several threads -------------------------------------------------------------- */

struct thread_listing {
	struct cpu_wait *w;
	const struct root *r;
	struct tracked_process *processes, *process;
	size_t before;     /* other threads of it that were known before */
	size_t found;      /* how many of those are still there */
	size_t nth, skip;  /* threads listed so far; how many of them were read last time */
	size_t unread_nth; /* the first that must wait for the next reading */
	bool cut;          /* the budget ended: some must wait */
	bool missed;       /* some were not read, for whatever reason */
};

static bool read_thread(const struct thread_listing *l, int tid, struct proc_pid_schedstat *now)
{
	char file[48];
	int fd, failed;

	snprintf(file, sizeof file, "task/%d/schedstat", tid);
	fd = proc_pid_open(l->r, l->process->pid, file);
	if (fd < 0)
		return false;
	failed = proc_pid_schedstat_read(fd, now);
	close(fd);
	return !failed && now->slices > 0;
}

/* A tid may have been given to a new thread, which begins at 0: then one of the numbers is less
 * than before. */
static bool is_same_thread(const struct proc_pid_schedstat *now,
                           const struct proc_pid_schedstat *last)
{
	return now->run_ns >= last->run_ns && now->wait_ns >= last->wait_ns &&
	       now->slices >= last->slices;
}

/* Makes t a thread of this process. A tid can have been given to a thread of another one. */
static void adopt_thread(struct thread_listing *l, struct waiting_thread *t)
{
	struct tracked_process *before = t->pid ? thread_owner(l->processes, t) : NULL;

	if (before)
		before->other_threads--;
	t->pid = l->process->pid;
	t->place = (int)(l->process - l->processes);
	l->process->other_threads++;
}

/* Takes a thread's numbers. t: the node of its tid, or NULL; ours: t was a thread of this process.
 * What a new thread waited before it was seen counts if it cannot have been there before the
 * recording: its process was not, or once all threads that existed had been read. */
static void take_thread(struct thread_listing *l, struct waiting_thread *t, bool ours, int tid,
                        const struct proc_pid_schedstat *now)
{
	struct cpu_wait *w = l->w;

	if (!t)
		t = enter_thread(w, tid);
	if (!t) {
		l->missed = w->full = true;
		return;
	}
	if (ours && is_same_thread(now, &t->last))
		w->ns += now->wait_ns - t->last.wait_ns;
	else if (!l->process->predates_run || l->process->all_threads_read)
		w->ns += now->wait_ns;
	if (!ours || !is_same_thread(now, &t->last))
		t->state = (struct wait_thread){.at = 0};
	if (!ours)
		adopt_thread(l, t);
	t->seen = w->reading;
	t->last = *now;
	t->clock = l->process->clock_ns;
	w->known = true;
	visit(w, l->process, &t->state, tid, now, CPU_WAIT_READ_NOW);
}

/* Notes each thread as listed, and reads it if the budget allows. One read of the budget stays for
 * the first thread, which comes last: see take_first_thread. */
static int list_thread(void *ctx, const char *name, bool is_dir)
{
	struct thread_listing *l = ctx;
	struct scan s = scan_text(name, strlen(name));
	struct proc_pid_schedstat now;
	struct waiting_thread *t;
	bool ours;
	int tid;

	if (!is_dir || !scan_int(&s, &tid) || tid <= 0 || tid == l->process->pid)
		return 0;
	t = find_thread(l->w, tid);
	ours = t && thread_owner(l->processes, t) == l->process;
	if (ours) {
		t->seen = l->w->reading;
		l->found++;
	}
	if (l->nth == CPU_WAIT_LISTED) {
		l->missed = l->w->many = true;
		return 1;
	}
	if (l->nth++ < l->skip) {
		l->missed = true;
	} else if (ours && tracked_process_slept(l->process, t->clock)) {
		/* forget_ended_threads() visits it. */
	} else if (l->w->left <= 1) {
		l->unread_nth = l->cut ? l->unread_nth : l->nth - 1;
		l->cut = l->missed = true;
	} else {
		l->w->left--;
		if (read_thread(l, tid, &now))
			take_thread(l, t, ours, tid, &now);
	}
	return 0;
}

/*
 * When a thread other than the first calls exec, it takes the tid of the first, and all others end.
 * What that thread waited was already counted under its old tid. So the first thread's wait counts
 * only if other threads that were there before are still there, which excludes an exec.
 */
static void take_first_thread(struct thread_listing *l)
{
	struct proc_pid_schedstat now;

	if (l->w->left > 0)
		l->w->left--;
	if (!read_thread(l, l->process->pid, &now))
		return;
	l->process->first_read_clock = l->process->clock_ns;
	tracked_process_add_wait(l->process, &now, l->before == 0 || l->found > 0);
	visit(l->w, l->process, &l->process->state, l->process->pid, &now, CPU_WAIT_READ_NOW);
}

/* As exactly as it is known, in ns or in ticks. */
static uint64_t cpu_time_of(const struct tracked_process *p)
{
	return p->clock_ns ? p->clock_ns : p->stat.utime + p->stat.stime;
}

static void list_threads(struct cpu_wait *w, const struct root *r,
                         struct tracked_process *processes, int place, struct wait_turn *turn)
{
	struct tracked_process *p = &processes[place];
	struct thread_listing l = {
	    .w = w, .r = r, .processes = processes, .process = p, .before = p->other_threads};
	char path[32];

	l.skip = turn->pid == p->pid ? turn->skip : 0;
	snprintf(path, sizeof path, "proc/%d/task", p->pid);
	root_list(r, path, list_thread, &l);
	take_first_thread(&l);
	p->threads_listed = w->reading;
	p->all_threads_read |= !l.missed;
	turn->pid = l.cut ? p->pid : 0;
	turn->skip = l.cut ? l.unread_nth : 0;
	if (!l.cut)
		p->threads_listed_at = cpu_time_of(p);
}

/* Whether it has, or had, several threads, and used CPU time since they were read: other threads
 * have hardly a new wait for a CPU that is over. */
static bool is_wait_due(const struct tracked_process *p, bool busy)
{
	bool used_cpu = cpu_time_of(p) != p->threads_listed_at;

	/* They are as they were. */
	if (p->clock_ns && !used_cpu)
		return false;

	return p->used && p->ticks_only && used_cpu == busy && (busy || !tracked_process_ended(p));
}

/* -- a reading --------------------------------------------------------------------------------- */

static size_t first_turn(const struct wait_turn *turn, const struct tracked_process *processes,
                         const int *order, size_t n)
{
	for (size_t i = 0; turn->pid && i < n; i++)
		if (processes[order[i]].pid == turn->pid)
			return i;
	return 0;
}

/* Reads the processes in order, from where the last reading stopped, while the budget lasts.
 * Returns whether it did. */
static bool read_threads(struct cpu_wait *w, const struct root *r,
                         struct tracked_process *processes, const int *order, size_t n, bool busy)
{
	struct wait_turn *turn = busy ? &w->busy : &w->asleep;
	size_t from = first_turn(turn, processes, order, n);

	if (n && processes[order[from]].pid != turn->pid)
		turn->pid = 0;
	for (size_t i = 0; i < n; i++) {
		int place = order[(from + i) % n];
		if (!is_wait_due(&processes[place], busy) ||
		    processes[place].threads_listed == w->reading)
			continue;
		if (w->left > 1)
			list_threads(w, r, processes, place, turn);
		else
			*turn = (struct wait_turn){.pid = processes[place].pid};
		if (turn->pid)
			return false;
	}
	turn->pid = 0;
	return true;
}

/* The budget of a reading, in threads. */
static size_t threads_to_read(const struct cpu_wait *w, int64_t at)
{
	double n = w->at ? (double)(at - w->at) / 1e9 * PER_S : CPU_WAIT_READ;

	if (n < READ_LEAST)
		return READ_LEAST;
	return n < CPU_WAIT_READ ? (size_t)n : CPU_WAIT_READ;
}

void cpu_wait_read(struct cpu_wait *w, const struct root *r, struct tracked_process *processes,
                   const int *order, size_t n, int64_t at, const struct cpu_wait_visitor *v)
{
	w->visitor = v;
	w->reading++;
	w->left = threads_to_read(w, at);
	w->at = at;
	if (!read_threads(w, r, processes, order, n, true))
		w->cut_short++;
	w->left = w->left < ASLEEP_READ ? w->left : ASLEEP_READ;
	if (v)
		(void)read_threads(w, r, processes, order, n, false);
	for (size_t i = 0; i < n; i++) {
		struct tracked_process *p = &processes[order[i]];
		w->known |= p->used && p->wait_known;
		if (p->used && p->ticks_only && p->threads_listed != w->reading)
			visit_unread(w, p, &p->state, p->pid, &p->schedstat, p->first_read_clock);
		w->ns += p->waited_ns;
		p->waited_ns = 0;
	}
	forget_ended_threads(w, processes);
}

struct wait_thread *cpu_wait_thread(struct cpu_wait *w, int place, int pid, int tid)
{
	struct waiting_thread *t = find_thread(w, tid);

	return t && t->place == place && t->pid == pid ? &t->state : NULL;
}

void cpu_wait_each(struct cpu_wait *w, struct tracked_process *processes,
                   const struct cpu_wait_visitor *v)
{
	for (size_t i = 0; i < w->high; i++) {
		struct waiting_thread *t = &w->threads[i];
		struct tracked_process *p = t->tid ? thread_owner(processes, t) : NULL;
		if (p)
			v->visit(v->ctx, p, &t->state, t->tid, NULL, CPU_WAIT_LEFT_OUT);
	}
}

double cpu_wait_s(const struct cpu_wait *w)
{
	return w->known ? (double)w->ns / 1e9 : NAN;
}

void cpu_wait_notes(const struct cpu_wait *w, struct snapshot *s)
{
	if (w->cut_short)
		snapshot_note(
		    s,
		    "cpu_wait: in %llu sample%s there were more busy threads than are read "
		    "at a time (%d); threads that ended before they were read are missing.",
		    (unsigned long long)w->cut_short, w->cut_short == 1 ? "" : "s", CPU_WAIT_READ);
	if (w->many)
		snapshot_note(
		    s, "cpu_wait: a process had more than %d threads; its others are missing.",
		    CPU_WAIT_LISTED);
	if (w->full)
		snapshot_note(s,
		              "cpu_wait: there were more than %d threads; the others are missing.",
		              CPU_WAIT_THREADS);
}
