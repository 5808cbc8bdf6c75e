/* scan_worker: a process that reads recordings for scan. */
#include "fleet/scan/scan_worker.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "core/base/alloc_failed.h"

#define SHARED (SCAN_WORKER_SLOTS * sizeof(struct scan_slot))

struct scan_serving {
	struct scan_worker *v;
	size_t n;
	scan_worker_drop *drop;
	const void *ctx;
};

/* -- in the worker ----------------------------------------------------------------------------- */

void scan_worker_strip(struct scan_answer *a, const char *path)
{
	struct err begin = {0};
	size_t n;

	err_set(&begin, "%s: ", path);
	n = strlen(begin.msg);
	if (strncmp(a->why.msg, begin.msg, n) == 0)
		memmove(a->why.msg, a->why.msg + n, strlen(a->why.msg + n) + 1);
}

double scan_worker_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void scan_worker_answer(struct scan_head *h, const char *path, uint64_t at, struct scan_answer *out)
{
	double begin = scan_worker_now();

	*out->why.msg = '\0';
	out->failed = scan_head_read(h, path, at, &out->row, &out->why);
	out->bytes = (double)scan_head_bytes(h);
	out->seconds = scan_worker_now() - begin;
	if (out->failed)
		scan_worker_strip(out, path);
}

static void answer_slot(struct scan_head *h, struct scan_slot *slot)
{
	const char *path = slot->paths;

	for (unsigned i = 0; i < slot->n; i++, path += strlen(path) + 1) {
		scan_worker_answer(h, path, slot->at[i], &slot->answer[i]);
		slot->done = i + 1;
	}
}

/* The slots that earlier workers share with the parent are not for this one. */
static void serve_scan(int fd, const void *ctx)
{
	const struct scan_serving *s = ctx;
	struct scan_slot *slot = s->v[s->n].slot;
	struct scan_head *h = scan_head_new(NULL);

	for (size_t i = 0; i < s->n; i++)
		munmap(s->v[i].slot, SHARED);
	s->drop(s->ctx);
	for (unsigned i = 0; h && worker_receive(fd, NULL, 0, NULL, 0, NULL, NULL); i++) {
		answer_slot(h, &slot[i % SCAN_WORKER_SLOTS]);
		if (!worker_send(fd, NULL, 0, NULL, 0, NULL))
			break;
	}
	scan_head_free(h);
}

/* -- in this process --------------------------------------------------------------------------- */

int scan_worker_start(struct scan_worker *v, size_t n, scan_worker_drop *drop, const void *ctx)
{
	struct scan_serving s = {v, n, drop, ctx};
	struct scan_worker *w = &v[n];
	void *shared =
	    mmap(NULL, SHARED, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	*w = (struct scan_worker){.slot = shared};
	if (shared == MAP_FAILED)
		w->slot = NULL;
	else if (worker_start(&w->process, serve_scan, &s, NULL) == 0)
		return 0;
	scan_worker_stop(w);
	return -1;
}

static void forget_slots(struct scan_worker *w)
{
	if (w->slot)
		munmap(w->slot, SHARED);
	*w = (struct scan_worker){0};
}

void scan_worker_stop(struct scan_worker *w)
{
	worker_stop(&w->process);
	forget_slots(w);
}

void scan_worker_abandon(struct scan_worker *w)
{
	worker_abandon(&w->process);
	forget_slots(w);
}

static unsigned next_slot(const struct scan_worker *w)
{
	return (w->first + w->asked) % SCAN_WORKER_SLOTS;
}

bool scan_worker_has_room(const struct scan_worker *w)
{
	return w->process.pid && w->asked < SCAN_WORKER_SLOTS;
}

bool scan_worker_add(struct scan_worker *w, struct scan_job *job, const char *path, uint64_t at)
{
	unsigned k = next_slot(w);
	size_t n = strlen(path) + 1;

	if (w->n[k] == SCAN_WORKER_GROUP || n > SCAN_WORKER_PATHS - w->used[k])
		return false;
	memcpy(w->slot[k].paths + w->used[k], path, n);
	w->used[k] += n;
	w->slot[k].at[w->n[k]] = at;
	w->job[k][w->n[k]++] = job;
	return true;
}

bool scan_worker_ask(struct scan_worker *w)
{
	unsigned k = next_slot(w);

	w->slot[k].n = w->n[k];
	w->slot[k].done = 0;
	w->asked++;
	return worker_send(w->process.fd, NULL, 0, NULL, 0, NULL);
}

bool scan_worker_wait(struct scan_worker *w)
{
	unsigned done;

	return worker_receive(w->process.fd, NULL, 0, NULL, 0, NULL, NULL) &&
	       scan_worker_oldest(w, &done) == done;
}

double scan_worker_waited(struct scan_worker *w, double s)
{
	unsigned done;

	scan_worker_oldest(w, &done);
	if (done > w->seen) {
		w->seen = done;
		w->waited_s = 0;
	}
	w->waited_s += s;
	return w->waited_s;
}

unsigned scan_worker_oldest(const struct scan_worker *w, unsigned *done)
{
	const volatile unsigned *there = &w->slot[w->first].done;

	*done = *there;
	if (*done > w->n[w->first])
		*done = w->n[w->first];
	return w->asked ? w->n[w->first] : 0;
}

struct scan_job *scan_worker_take(const struct scan_worker *w, unsigned i, struct scan_answer *out)
{
	const volatile struct scan_answer *there = &w->slot[w->first].answer[i];

	*out = *there;
	return w->job[w->first][i];
}

void scan_worker_next(struct scan_worker *w)
{
	w->n[w->first] = 0;
	w->used[w->first] = 0;
	w->seen = 0;
	w->waited_s = 0;
	w->first = (w->first + 1) % SCAN_WORKER_SLOTS;
	w->asked--;
}

int scan_worker_row(const struct scan_answer *a, const char *path, struct rtrack_row *row,
                    struct err *e)
{
	if (a->failed)
		return err_set(e, "%s: %.*s", path, (int)sizeof a->why.msg - 1, a->why.msg);
	if (a->row.n > RTRACK_ROW_TEXT + 1 || rtrack_row_read(a->row.text, a->row.n, row))
		return err_set(e, "%s: cannot be read: %s", path,
		               alloc_failed() ? "no memory"
		                              : "the process that reads it gave no row");
	return 0;
}
