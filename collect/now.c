/* now: what the heaviest jobs of this user use at this moment. */
#include "collect/now.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/machine/clocks.h"
#include "collect/process/top_processes.h"
#include "collect/process/user_trees.h"
#include "collect/procfs/proc_pid.h"
#include "collect/redact/redact.h"
#include "core/base/fnv1a.h"
#include "core/base/quantity.h"
#include "core/base/version.h"
#include "core/json/json_write.h"
#include "core/numbers/stats.h"

#define BETWEEN_NS    INT64_C(500000000)
#define PSS_NS        INT64_C(350000000)
#define PSS_NS_PER_B  4e-3 /* 4 ms per GiB, of 4 KiB pages (pss.h) */
#define PROCESSES_MAX 1000000
#define LISTED        10 /* trees by memory, and as many by CPU time */

struct look {
	struct user_process *v;
	size_t n, cap;
	bool full;
};

struct now {
	struct root root;
	struct look before, now;
	struct user_looks looks;
	struct user_tree *trees;
	size_t n_trees, n_listed;
	size_t refused,
	    late;    /* processes whose PSS may not be read, or for which no time was left */
	bool hidden; /* /proc does not show other users' processes */
	bool keep_command;
};

/* -- reading ----------------------------------------------------------------------------------- */

static int add_seen(void *ctx, const struct proc_pid_stat *s)
{
	struct look *l = ctx;
	double tick = (double)sysconf(_SC_CLK_TCK);
	struct user_process *p;

	/* A kernel's thread has no memory, and is no job; nor are we. */
	if (s->pid == getpid() || (s->vsize == 0 && !s->exiting))
		return 0;
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 512;
		struct user_process *v =
		    cap <= PROCESSES_MAX ? realloc(l->v, cap * sizeof *v) : NULL;
		l->full = !v;
		if (!v)
			return 1;
		l->v = v;
		l->cap = cap;
	}
	p = &l->v[l->n++];
	*p = (struct user_process){
	    .pid = s->pid,
	    .ppid = s->ppid,
	    .group = s->group,
	    .session = s->session,
	    .terminal = s->terminal,
	    .zombie = s->exiting,
	    .start = s->starttime,
	    .own_s = (double)(s->utime + s->stime) / tick,
	    .reaped_s = (double)(s->cutime + s->cstime) / tick,
	    .rss_b = s->rss_pages > 0 ? (double)s->rss_pages * (double)sysconf(_SC_PAGESIZE) : 0,
	    .pss_b = NAN,
	};
	snprintf(p->name, sizeof p->name, "%s", s->comm);
	return 0;
}

static int look_at_all(struct now *w, struct look *l, struct err *e)
{
	int rc = proc_pid_scan(&w->root, add_seen, l);

	if (l->full)
		return err_set(e, "no memory for the processes");
	if (rc < 0)
		return err_set(e, "/proc: %s", strerror(errno));
	user_trees_order(l->v, l->n);
	return 0;
}

/* Real users: a program with set-user-ID is its caller's. One that ended meanwhile is no user's. */
static void read_owner(struct now *w, struct user_process *p)
{
	struct proc_pid_status status;
	char text[4096], path[64];
	int fd = proc_pid_open(&w->root, p->pid, "status");

	p->uid = UINT_MAX;
	if (fd < 0)
		return;
	if (proc_pid_status_read(fd, &status) == 0)
		p->uid = status.uid;
	close(fd);
	snprintf(path, sizeof path, "proc/%d/cgroup", p->pid);
	if (p->uid == w->looks.uid && root_read(&w->root, path, text, sizeof text) > 0)
		p->cgroup = fnv1a_add(FNV1A_BEGIN, text);
}

/* Whether its PSS is known now, or it has ended. */
static bool take_pss(const struct now *w, struct user_process *p)
{
	struct proc_pid_smaps smaps;
	char path[64];
	int fd = proc_pid_open(&w->root, p->pid, "smaps_rollup"), failed = fd < 0;

	if (fd >= 0) {
		failed = proc_pid_smaps_read(fd, &smaps);
		close(fd);
	}
	if (!failed) {
		p->pss_b = (double)smaps.pss_b;
		p->rss_b = (double)smaps.rss_b;
		return true;
	}
	snprintf(path, sizeof path, "proc/%d/stat", p->pid);
	p->zombie = errno == ESRCH || !root_exists(&w->root, path);
	return p->zombie;
}

static int by_rss(const void *a, const void *b)
{
	const struct user_process *const *p = a, *const *q = b;

	return ((*p)->rss_b < (*q)->rss_b) - ((*p)->rss_b > (*q)->rss_b);
}

/* The largest first, so that where time is short, those that matter are known. */
static int read_each_pss(struct now *w, struct err *e)
{
	struct user_process **mine = calloc(w->now.n + 1, sizeof *mine);
	int64_t end;
	size_t n = 0;

	if (!mine)
		return err_set(e, "no memory for the processes");
	for (size_t i = 0; i < w->now.n; i++) {
		read_owner(w, &w->now.v[i]);
		if (w->now.v[i].uid == w->looks.uid && !w->now.v[i].zombie)
			mine[n++] = &w->now.v[i];
	}
	qsort(mine, n, sizeof(struct user_process *), by_rss);
	end = clocks_now(CLOCK_MONOTONIC) + PSS_NS;
	for (size_t i = 0; i < n; i++)
		if (clocks_now(CLOCK_MONOTONIC) + (int64_t)(mine[i]->rss_b * PSS_NS_PER_B) > end)
			w->late++;
		else
			w->refused += !take_pss(w, mine[i]);
	free(mine);
	return 0;
}

static int take_looks(struct now *w, struct err *e)
{
	struct timespec pause = {0, BETWEEN_NS};
	int64_t from, to;

	from = clocks_now(CLOCK_MONOTONIC);
	if (look_at_all(w, &w->before, e))
		return -1;
	while (nanosleep(&pause, &pause) && errno == EINTR)
		;
	to = clocks_now(CLOCK_MONOTONIC);
	if (look_at_all(w, &w->now, e))
		return -1;
	w->looks.uid = getuid();
	w->looks.seconds = (double)(to - from) / 1e9;
	w->looks.ticks_per_s = (double)sysconf(_SC_CLK_TCK);
	w->looks.ticks =
	    (uint64_t)((double)clocks_now(CLOCK_BOOTTIME) / 1e9 * w->looks.ticks_per_s);
	w->hidden = !root_exists(&w->root, "proc/1/stat");
	return read_each_pss(w, e);
}

static int find_trees(struct now *w, struct err *e)
{
	size_t *places = calloc(w->now.n + 1, sizeof *places);

	w->looks.before = w->before.v;
	w->looks.n_before = w->before.n;
	w->looks.now = w->now.v;
	w->looks.n_now = w->now.n;
	w->trees = calloc(w->now.n + 1, sizeof *w->trees);
	if (w->trees && places) {
		w->n_trees = user_trees_find(&w->looks, w->trees, places);
		w->n_listed = user_trees_choose(w->trees, w->n_trees, LISTED);
	}
	free(places);
	return w->trees && places ? 0 : err_set(e, "no memory for the processes");
}

/* -- writing ----------------------------------------------------------------------------------- */

/* Appends the redacted command line; false: there is none. */
static bool add_command(const struct now *w, const struct user_process *p, struct buf *out)
{
	struct top_process top = {.pid = p->pid};

	if (!w->keep_command)
		return false;
	top_processes_read_command(&top, &w->root);
	return top_processes_command(&top, out) != NULL;
}

static void add_notes(const struct now *w, void (*add)(void *ctx, const char *note), void *ctx)
{
	char note[256];

	if (w->refused) {
		snprintf(note, sizeof note,
		         "PSS of %zu process%s may not be read: its tree has RSS instead, which "
		         "counts shared pages for each process",
		         w->refused, w->refused == 1 ? "" : "es");
		add(ctx, note);
	}
	if (w->late) {
		snprintf(note, sizeof note,
		         "PSS of %zu process%s was not read, which would have taken too long: its "
		         "tree has RSS instead, which counts shared pages for each process",
		         w->late, w->late == 1 ? "" : "es");
		add(ctx, note);
	}
	if (w->hidden)
		add(ctx,
		    "/proc hides processes of other users (hidepid), and may hide some of this "
		    "user: where a tree begins may not be known");
}

static void write_pss_and_rss(struct json_write *j, double pss_b, double rss_b)
{
	json_write_num(j, "pss_bytes", pss_b);
	json_write_num(j, "rss_bytes", rss_b);
}

static void write_process(const struct now *w, struct json_write *j, const struct user_process *p)
{
	struct buf name = {0}, command = {0};

	redact_text(p->name, strlen(p->name), &name);
	json_write_num(j, "pid", p->pid);
	json_write_str(j, "name", buf_cstr(&name));
	json_write_str(j, "command", add_command(w, p, &command) ? buf_cstr(&command) : NULL);
	buf_free(&name);
	buf_free(&command);
}

static void write_sum(struct json_write *j, const struct user_tree *t)
{
	json_write_num(j, "processes", (double)t->n);
	write_pss_and_rss(j, t->pss_b, t->rss_b);
	json_write_num(j, "cores", stats_round(t->cores, 3));
}

static void write_user_tree(const struct now *w, struct json_write *j, const struct user_tree *t)
{
	const struct user_process *largest = &w->now.v[t->largest];

	json_write_object(j, NULL);
	write_process(w, j, &w->now.v[t->root]);
	json_write_num(j, "age_s", stats_round(t->age_s, 2));
	write_sum(j, t);
	json_write_object(j, "largest");
	write_process(w, j, largest);
	write_pss_and_rss(j, largest->pss_b, largest->rss_b);
	json_write_object_end(j);
	json_write_object_end(j);
}

static void write_note(void *ctx, const char *note)
{
	json_write_str(ctx, NULL, note);
}

static int write_now(const struct now *w, struct buf *out)
{
	const struct user_tree all = user_trees_sum(w->trees, w->n_trees);
	struct json_write j = {0};
	bool ok;

	json_write_object(&j, NULL);
	json_write_str(&j, "version", rtrack_version);
	json_write_num(&j, "uid", w->looks.uid);
	json_write_num(&j, "seconds", stats_round(w->looks.seconds, 3));
	json_write_num(&j, "trees", (double)w->n_trees);
	write_sum(&j, &all);
	json_write_array(&j, "heaviest");
	for (size_t i = 0; i < w->n_listed; i++)
		write_user_tree(w, &j, &w->trees[i]);
	json_write_array_end(&j);
	json_write_array(&j, "notes");
	add_notes(w, write_note, &j);
	json_write_array_end(&j);
	json_write_object_end(&j);
	ok = json_write_finish(&j);
	if (ok)
		buf_printf(out, "%s\n", buf_cstr(&j.b));
	json_write_free(&j);
	return ok ? 0 : -1;
}

/* err_set() replaces control characters: names are those of processes. */
static void put_safe(struct buf *out, const struct buf *text)
{
	struct err safe = {0};

	err_set(&safe, "%s", buf_cstr(text));
	buf_str(out, safe.msg);
}

static void put_pss_or_rss(struct buf *out, double pss_b, double rss_b, int width)
{
	char number[32];

	buf_printf(out, "%*s %s", width, quantity_size_text(isnan(pss_b) ? rss_b : pss_b, number),
	           isnan(pss_b) ? "RSS" : "PSS");
}

static void put_tree(const struct now *w, const struct user_tree *t, struct buf *out)
{
	const struct user_process *root = &w->now.v[t->root], *largest = &w->now.v[t->largest];
	struct buf text = {0};
	char age[32];

	buf_printf(out, "%-8d", root->pid);
	put_pss_or_rss(out, t->pss_b, t->rss_b, 11);
	buf_printf(out, "%7.2f%11s%11zu  ", t->cores, quantity_clock_text(t->age_s, age), t->n);
	if (!add_command(w, root, &text)) {
		buf_clear(&text);
		redact_text(root->name, strlen(root->name), &text);
	}
	put_safe(out, &text);
	buf_char(out, '\n');
	buf_clear(&text);
	if (largest != root) {
		buf_printf(out, "%54slargest: %d ", "", largest->pid);
		redact_text(largest->name, strlen(largest->name), &text);
		put_safe(out, &text);
		buf_str(out, ", ");
		put_pss_or_rss(out, largest->pss_b, largest->rss_b, 0);
		buf_char(out, '\n');
	}
	buf_free(&text);
}

static void put_sum(const struct user_tree *t, size_t n, const char *which, struct buf *out)
{
	buf_printf(out, "%zu process%s in %zu %stree%s: ", t->n, t->n == 1 ? "" : "es", n, which,
	           n == 1 ? "" : "s");
	put_pss_or_rss(out, t->pss_b, t->rss_b, 0);
	buf_printf(out, ", %.2f cores", t->cores);
}

static void put_note(void *ctx, const char *note)
{
	buf_printf(ctx, "note: %s\n", note);
}

static void put_look(const struct now *w, struct buf *out)
{
	const struct user_tree all = user_trees_sum(w->trees, w->n_trees);
	const size_t n_others = w->n_trees - w->n_listed;
	const struct user_tree others = user_trees_sum(w->trees + w->n_listed, n_others);

	buf_printf(out, "user %u: ", w->looks.uid);
	put_sum(&all, w->n_trees, "", out);
	buf_printf(out, " over %.2f s\n", w->looks.seconds);
	if (w->n_listed)
		buf_printf(out, "%-8s%15s%7s%11s%11s  %s\n", "PID", "MEMORY", "CORES", "AGE",
		           "PROCESSES", "COMMAND");
	for (size_t i = 0; i < w->n_listed; i++)
		put_tree(w, &w->trees[i], out);
	if (n_others) {
		put_sum(&others, n_others, "more ", out);
		buf_char(out, '\n');
	}
	add_notes(w, put_note, out);
}

int now_print(bool json, bool keep_command, struct buf *out, struct err *e)
{
	struct now w = {.keep_command = keep_command};
	int failed = root_open(&w.root, NULL, e);

	/* A /proc in which we are not is of no use: it has other processes, or none. */
	failed =
	    failed || proc_pid_check(&w.root, getpid(), e) || take_looks(&w, e) || find_trees(&w, e)
		? -1
		: 0;
	if (!failed && !json)
		put_look(&w, out);
	if (!failed && json && write_now(&w, out))
		failed = err_set(e, "no memory for the text");
	free(w.before.v);
	free(w.now.v);
	free(w.trees);
	root_close(&w.root);
	return failed;
}
