/* cpu_wait: how long the threads of a tree waited for a CPU. */
#include "collect/process/cpu_wait.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"
#include "collect/procfs/scan.h"

#define HEADS      1024
#define PER_S      1000 /* threads read per second: about 0.4 % of a core */
#define READ_LEAST 16   /* however short the interval is */

/* {0} is a free node. */
struct thread {
	int tid, pid, place; /* its process, and where that stands among the members */
	int next;            /* of the chain; -1: the last */
	unsigned seen;       /* the reading that saw it last */
	struct proc_pid_sched last;
};

struct cpu_wait {
	struct thread *threads; /* CPU_WAIT_THREADS */
	int heads[HEADS];       /* -1: empty */
	size_t high, free_from; /* nodes ever used; where to look for a free one */
	unsigned stamp;
	uint64_t ns;
	bool known;
	int64_t at;
	size_t left;      /* threads that may still be read */
	int turn;         /* the process that was cut short, whose turn is first; 0: none */
	size_t skip;      /* threads of it that were read */
	uint64_t put_off; /* readings that did not get through */
	bool full;        /* a thread found no room */
};

struct cpu_wait *cpu_wait_open(void)
{
	struct cpu_wait *w = calloc(1, sizeof *w);

	if (!w)
		return NULL;
	for (size_t i = 0; i < HEADS; i++)
		w->heads[i] = -1;
	/* Only the nodes that are used become resident. */
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

static int *head_of(struct cpu_wait *w, int tid)
{
	return &w->heads[(unsigned)tid % HEADS];
}

static struct thread *find(struct cpu_wait *w, int tid)
{
	for (int i = *head_of(w, tid); i >= 0; i = w->threads[i].next)
		if (w->threads[i].tid == tid)
			return &w->threads[i];
	return NULL;
}

static struct thread *enter(struct cpu_wait *w, int tid)
{
	struct thread *t;

	while (w->free_from < w->high && w->threads[w->free_from].tid)
		w->free_from++;
	if (w->free_from == CPU_WAIT_THREADS)
		return NULL;
	t = &w->threads[w->free_from];
	w->high += w->free_from == w->high;
	*t = (struct thread){.tid = tid, .next = *head_of(w, tid)};
	*head_of(w, tid) = (int)w->free_from;
	return t;
}

static void leave(struct cpu_wait *w, size_t node)
{
	int *link = head_of(w, w->threads[node].tid);

	while (*link != (int)node)
		link = &w->threads[*link].next;
	*link = w->threads[node].next;
	w->threads[node] = (struct thread){0};
	if (node < w->free_from)
		w->free_from = node;
}

static struct tracked_process *owner(struct tracked_process *members, const struct thread *t)
{
	struct tracked_process *m = &members[t->place];

	return m->used && m->pid == t->pid ? m : NULL;
}

/* Forgets threads that have ended: the listing of their process did not have them. */
static void sweep(struct cpu_wait *w, struct tracked_process *members)
{
	for (size_t i = 0; i < w->high; i++) {
		struct thread *t = &w->threads[i];
		struct tracked_process *m = t->tid ? owner(members, t) : NULL;
		if (!t->tid || (m && (m->listed != w->stamp || t->seen == w->stamp)))
			continue;
		if (m)
			m->others--;
		leave(w, i);
	}
}

/* -- a process of several threads -------------------------------------------------------------- */

struct listing {
	struct cpu_wait *w;
	const struct root *r;
	struct tracked_process *members, *m;
	size_t before;     /* other threads of it that were known */
	size_t found;      /* of them, that are there still */
	size_t nth, skip;  /* the next one; the first that is to be read */
	size_t unread_nth; /* the first that had to wait for the next reading */
	bool cut, missed;
};

static bool read_thread(const struct listing *l, int tid, struct proc_pid_sched *now)
{
	char file[48];
	int fd, failed;

	snprintf(file, sizeof file, "task/%d/schedstat", tid);
	fd = proc_pid_open(l->r, l->m->pid, file);
	if (fd < 0)
		return false;
	failed = proc_pid_sched_read(fd, now);
	close(fd);
	return !failed && now->slices > 0;
}

/* A number may have been given to a new thread: then one of the counts is less than before. */
static bool continues(const struct proc_pid_sched *now, const struct proc_pid_sched *last)
{
	return now->run_ns >= last->run_ns && now->wait_ns >= last->wait_ns &&
	       now->slices >= last->slices;
}

/* Makes t a thread of this process. */
static void adopt(struct listing *l, struct thread *t)
{
	struct tracked_process *before = t->pid ? owner(l->members, t) : NULL;

	if (before)
		before->others--;
	t->pid = l->m->pid;
	t->place = (int)(l->m - l->members);
	l->m->others++;
}

/* t is that thread if it is known. What a thread waited before it was seen counts if it cannot have
 * been there before the recording. */
static void take_thread(struct listing *l, struct thread *t, bool ours, int tid,
                        const struct proc_pid_sched *now)
{
	struct cpu_wait *w = l->w;

	if (!t)
		t = enter(w, tid);
	if (!t) {
		l->missed = w->full = true;
		return;
	}
	if (ours && continues(now, &t->last))
		w->ns += now->wait_ns - t->last.wait_ns;
	else if (!l->m->older || l->m->based)
		w->ns += now->wait_ns;
	if (!ours)
		adopt(l, t);
	t->seen = w->stamp;
	t->last = *now;
	w->known = true;
}

/* Each is listed, and as many are read as the share allows; one is kept for the first thread, which
 * comes last: see take_first. */
static int each_thread(void *ctx, const char *name, bool is_dir)
{
	struct listing *l = ctx;
	struct scan s = scan_text(name, strlen(name));
	struct proc_pid_sched now;
	struct thread *t;
	bool ours;
	int tid;

	if (!is_dir || !scan_int(&s, &tid) || tid <= 0 || tid == l->m->pid)
		return 0;
	t = find(l->w, tid);
	ours = t && owner(l->members, t) == l->m;
	if (ours) {
		t->seen = l->w->stamp;
		l->found++;
	}
	if (l->nth++ < l->skip) {
		l->missed = true;
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
 * When a thread other than the first calls exec, it takes the number of the first, and all others
 * end. What that thread waited was counted already, under its old number: so the first thread's
 * wait counts only if others that were there before are there still.
 */
static void take_first(struct listing *l)
{
	struct proc_pid_sched now;

	if (l->w->left > 0)
		l->w->left--;
	if (read_thread(l, l->m->pid, &now))
		tracked_process_waits(l->m, &now, l->before == 0 || l->found > 0);
}

static void list_threads(struct cpu_wait *w, const struct root *r, struct tracked_process *members,
                         int place)
{
	struct tracked_process *m = &members[place];
	struct listing l = {.w = w, .r = r, .members = members, .m = m, .before = m->others};
	char path[32];

	l.skip = w->turn == m->pid ? w->skip : 0;
	snprintf(path, sizeof path, "proc/%d/task", m->pid);
	root_list(r, path, each_thread, &l);
	take_first(&l);
	m->listed = w->stamp;
	m->based |= !l.missed;
	w->turn = l.cut ? m->pid : 0;
	w->skip = l.cut ? l.unread_nth : 0;
	if (!l.cut)
		m->listed_ticks = m->stat.utime + m->stat.stime;
}

/* Whether it has, or had, several threads, and used CPU time since they were read. */
static bool is_due(const struct tracked_process *m)
{
	return m->used && m->ticks && m->stat.utime + m->stat.stime != m->listed_ticks;
}

/* -- a reading --------------------------------------------------------------------------------- */

static size_t first_turn(const struct cpu_wait *w, const struct tracked_process *members,
                         const int *order, size_t n)
{
	for (size_t i = 0; w->turn && i < n; i++)
		if (members[order[i]].pid == w->turn)
			return i;
	return 0;
}

/* Each in its turn, as far as the reading's share reaches. */
static void read_threads(struct cpu_wait *w, const struct root *r, struct tracked_process *members,
                         const int *order, size_t n)
{
	size_t from = first_turn(w, members, order, n);

	if (n && members[order[from]].pid != w->turn)
		w->turn = 0;
	for (size_t i = 0; i < n; i++) {
		int place = order[(from + i) % n];
		if (!is_due(&members[place]))
			continue;
		if (w->left > 1) {
			list_threads(w, r, members, place);
		} else {
			w->turn = members[place].pid;
			w->skip = 0;
		}
		if (w->turn) {
			w->put_off++;
			return;
		}
	}
	w->turn = 0;
}

static size_t share_of(const struct cpu_wait *w, int64_t at)
{
	double n = w->at ? (double)(at - w->at) / 1e9 * PER_S : CPU_WAIT_READ;

	return n < READ_LEAST ? READ_LEAST : n < CPU_WAIT_READ ? (size_t)n : CPU_WAIT_READ;
}

void cpu_wait_read(struct cpu_wait *w, const struct root *r, struct tracked_process *members,
                   const int *order, size_t n, int64_t at)
{
	w->stamp++;
	w->left = share_of(w, at);
	w->at = at;
	read_threads(w, r, members, order, n);
	for (size_t i = 0; i < n; i++) {
		struct tracked_process *m = &members[order[i]];
		w->known |= m->used && m->waits;
		w->ns += m->waited_ns;
		m->waited_ns = 0;
	}
	sweep(w, members);
}

double cpu_wait_s(const struct cpu_wait *w)
{
	return w->known ? (double)w->ns / 1e9 : NAN;
}

void cpu_wait_notes(const struct cpu_wait *w, struct snapshot *s)
{
	if (w->put_off)
		snapshot_note(
		    s,
		    "cpu_wait: in %llu sample%s there were more busy threads than are read "
		    "at a time (%d); those that ended before their turn are missing.",
		    (unsigned long long)w->put_off, w->put_off == 1 ? "" : "s", CPU_WAIT_READ);
	if (w->full)
		snapshot_note(
		    s, "cpu_wait: there were more than %d threads; those beyond are missing.",
		    CPU_WAIT_THREADS);
}
