/* process_now: the processes of the job that matter now, in the journal, for who watches it. */
#include "collect/events/process_now.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/process/process_table.h"
#include "collect/process/top_processes.h"
#include "collect/redact/redact.h"
#include "core/base/alloc_failed.h"
#include "core/base/larger.h"

#define BYTES     (PROCESS_NOW_MAX * (PROCESS_ENTRY_FIXED + PROCESS_ENTRY_NAME_MAX))
#define USUAL     (PROCESS_ENTRY_FIXED + 15) /* an entry: the kernel's names are that long */
#define BY_MEMORY 3                          /* one entry in so many, at least */
#define SHORT_S   0.001                      /* too short to divide by */

/* A process when the record before was written. */
struct before {
	int pid; /* 0: it was not there */
	uint64_t starttime;
	double cpu_s;
};

struct process_now {
	int64_t at; /* of the record before */
	double page_b;
	struct buf text;
	size_t places;
	struct before before[]; /* by their place in the process_table */
};

/* The use of a process since the record before. */
struct use {
	int place;
	double cpu_s, rss_b, cores;
};

struct choice {
	bool by_memory;
	size_t n, max;
	struct use of[PROCESS_NOW_MAX]; /* the largest first */
};

static bool is_larger(const struct choice *c, const struct use *a, const struct use *b)
{
	return c->by_memory ? a->rss_b > b->rss_b : a->cpu_s > b->cpu_s;
}

static void rank_use(struct choice *c, const struct use *u)
{
	size_t i = c->n < c->max ? c->n++ : c->max;

	for (; i > 0 && is_larger(c, u, &c->of[i - 1]); i--)
		if (i < c->max)
			c->of[i] = c->of[i - 1];
	if (i < c->max)
		c->of[i] = *u;
}

static void note_before(struct before *b, const struct tracked_process *p)
{
	*b = (struct before){.pid = p->pid, .starttime = p->stat.starttime, .cpu_s = p->cpu_s};
}

/* age_s: since it began. */
static struct use use_of(const struct process_now *n, const struct tracked_process *p, int place,
                         double lasted_s, double age_s)
{
	const struct before *b = &n->before[place];
	bool same = b->pid == p->pid && b->starttime == p->stat.starttime;
	double rss_b = (double)p->stat.rss_pages * n->page_b;
	struct use u = {.place = place, .cpu_s = p->cpu_s, .rss_b = rss_b > 0 ? rss_b : 0};

	if (same)
		u.cpu_s = larger(p->cpu_s - b->cpu_s, 0);
	lasted_s = same ? lasted_s : age_s;
	u.cores = lasted_s > SHORT_S ? u.cpu_s / lasted_s : 0;
	/* Ticks come late: one thread uses no more than one core. */
	if (!p->ticks_only && u.cores > 1)
		u.cores = 1;
	return u;
}

/* Considers all processes that live, and notes what they have used. */
static void rank_uses(struct process_now *n, const struct tree *t,
                      const struct process_now_time *time, struct choice *by_cpu,
                      struct choice *by_memory)
{
	const struct process_table *table = tree_table(t);
	double lasted_s = (double)(time->at - n->at) / 1e9;

	for (size_t i = 0; i < table->n; i++) {
		int place = table->order[i];
		const struct tracked_process *p = &table->processes[place];
		struct use u;
		if (!p->used || tracked_process_ended(p) || (size_t)place >= n->places)
			continue;
		u = use_of(n, p, place, lasted_s,
		           time->since_start_s + time->start_unix - tree_top(t, place)->start);
		note_before(&n->before[place], p);
		if (u.cpu_s > 0)
			rank_use(by_cpu, &u);
		rank_use(by_memory, &u);
	}
	n->at = time->at;
}

static size_t put_now(struct process_now *n, const struct top_process *top, const struct use *u,
                      struct process_log *log, const struct process_now_time *time,
                      unsigned char *out, size_t room)
{
	struct process_entry e = {.kind = PROCESS_ENTRY_NOW,
	                          .n = (uint32_t)(u->cores * 1000 + 0.5),
	                          .pid = top->pid,
	                          .status = PROCESS_ENTRY_UNKNOWN,
	                          .start_s = top->start - time->start_unix,
	                          .end_s = time->since_start_s,
	                          .cpu_s = top->cpu_s,
	                          .memory_b = u->rss_b};

	if (!process_log_find(log, top, &e)) {
		buf_clear(&n->text);
		redact_text(top->name, sizeof top->name, &n->text);
		(void)snprintf(e.name, sizeof e.name, "%s",
		               n->text.failed ? "***" : buf_cstr(&n->text));
	}
	return process_entry_pack(&e, out, room);
}

static bool is_chosen(const struct choice *c, size_t n, int place)
{
	while (n-- > 0)
		if (c->of[n].place == place)
			return true;
	return false;
}

/* Adds those with the most memory that are not there, which there is room for. */
static void complete(struct choice *chosen, const struct choice *by_memory, size_t max)
{
	for (size_t i = 0; i < by_memory->n && chosen->n < max; i++)
		if (!is_chosen(chosen, chosen->n, by_memory->of[i].place))
			chosen->of[chosen->n++] = by_memory->of[i];
}

void process_now_sample(struct process_now *n, const struct tree *t, struct process_log *log,
                        struct journal *j, const struct process_now_time *time)
{
	unsigned char bytes[BYTES];
	size_t room, max, used = 0, one = 1;
	struct choice by_memory = {.by_memory = true}, chosen = {0};
	struct err e;

	if (!n || !journal_now_due(j))
		return;
	room = journal_processes_room(j) < BYTES ? journal_processes_room(j) : BYTES;
	max = room / USUAL < PROCESS_NOW_MAX ? room / USUAL : PROCESS_NOW_MAX;
	if (!max)
		return;
	by_memory.max = max;
	chosen.max = max - max / BY_MEMORY;
	rank_uses(n, t, time, &chosen, &by_memory);
	complete(&chosen, &by_memory, max);
	for (size_t i = 0; i < chosen.n && one; i++) {
		one = put_now(n, tree_top(t, chosen.of[i].place), &chosen.of[i], log, time,
		              bytes + used, room - used);
		used += one;
	}
	/* The next sample reports a full disk. */
	(void)journal_now(j, bytes, used, &e);
}

struct process_now *process_now_open(const struct tree *t, int64_t at)
{
	const struct process_table *table = t ? tree_table(t) : NULL;
	struct process_now *n;

	if (!table)
		return NULL;
	n = alloc_failed_note(calloc(1, sizeof *n + table->places * sizeof n->before[0]));
	if (!n)
		return NULL;
	n->at = at;
	n->page_b = (double)sysconf(_SC_PAGESIZE);
	n->places = table->places;
	n->text.max = 1024;
	for (size_t i = 0; i < table->n; i++)
		note_before(&n->before[table->order[i]], &table->processes[table->order[i]]);
	return n;
}

void process_now_close(struct process_now *n)
{
	if (n)
		buf_free(&n->text);
	free(n);
}
