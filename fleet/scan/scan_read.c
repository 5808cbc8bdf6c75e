/* scan_read: files are read, by workers or by this process. */
#include "fleet/scan/scan_read.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "report/units/units.h"

/* Whether a worker waits for a file that may never come, as on a server that does not answer. */
static bool is_overdue(const struct scan_work *w, const struct scan_worker *worker)
{
	return w->in->limits.seconds > 0 && worker->waited_s >= w->in->limits.seconds;
}

/* Says that the worker does not answer about a file. */
static void note_lost(struct scan_work *w, const struct scan_job *job,
                      const struct scan_worker *worker)
{
	struct scan_answer *a = &w->answer;
	char limit[UNITS_SIZE];

	a->failed = -1;
	a->bytes = 0;
	a->seconds = worker->waited_s;
	if (!is_overdue(w, worker))
		err_set(&a->why, "the process that read it has ended");
	else
		err_set(&a->why, "left out: reading it took more than %s (--user-time)%s%s",
		        units_seconds(w->in->limits.seconds, limit),
		        *job->owner ? "; it is in the folder of user " : "", job->owner);
}

/* The files of the oldest question, of which `done` have answers. The first without one is what
 * ended its worker, if that is not known yet; the others are asked again. */
static int take_answers(struct scan_work *w, struct scan_worker *worker, bool *known, struct err *e)
{
	unsigned done, n = scan_worker_oldest(worker, &done);
	int failed = 0;

	for (unsigned i = 0; i < n && !failed; i++) {
		struct scan_job *job = scan_worker_take(worker, i, &w->answer);
		size_t at = (size_t)(job - job->batch->job);
		if (i >= done && *known) {
			job->state = SCAN_WAITING;
			job->again = true;
			if (job->batch->next[0] > at)
				job->batch->next[0] = at;
			continue;
		}
		if (i >= done) {
			*known = true;
			note_lost(w, job, worker);
		}
		failed = scan_work_take(w, job, e);
	}
	scan_worker_next(worker);
	return failed;
}

/* A spare one takes its place, or the others go on without it. */
static int drop_worker(struct scan_work *w, struct scan_worker *worker, struct err *e)
{
	bool overdue = is_overdue(w, worker), known;
	unsigned done;
	int failed = 0;

	known = overdue && scan_worker_oldest(worker, &done) == done; /* it waits for none */
	w->waits = w->waits || overdue;
	while (worker->asked && !failed)
		failed = take_answers(w, worker, &known, e);
	(overdue ? scan_worker_abandon : scan_worker_stop)(worker);
	if (w->s->spare) {
		struct scan_worker *spare = &w->s->worker[w->s->n + --w->s->spare];
		*worker = *spare;
		*spare = (struct scan_worker){.slot = NULL};
	}
	return failed;
}

#define QUESTION_BYTES (4 << 20) /* of the files of one question, but for the last */

/* So few files for each that the last ones are shared by all. */
static unsigned question_size(const struct scan_work *w, size_t asked)
{
	size_t left = w->batch[0]->left + w->batch[1]->left, n;

	n = (left - (asked < left ? asked : left)) / (SCAN_WORKER_SLOTS * w->s->n);
	if (n > SCAN_WORKER_GROUP)
		n = SCAN_WORKER_GROUP;
	return n ? (unsigned)n : 1;
}

static size_t count_asked(const struct scan *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		for (unsigned k = 0; k < SCAN_WORKER_SLOTS; k++)
			n += s->worker[i].n[k];
	return n;
}

/* The next file to read, or NULL. Those of users whose budget is spent are passed over; but not one
 * that was asked for before: the first recording of its file may have been read meanwhile, and says
 * in the catalog that the others are there. */
static struct scan_job *next_to_read(struct scan_work *w)
{
	struct scan_job *job;

	while ((job = scan_work_waiting(w, false)) && !job->again &&
	       scan_budget_is_spent(&w->budget, scan_work_user(job), false)) {
		scan_list_keep_open(&w->list, job->entry);
		job->state = SCAN_GONE;
		job->batch->left--;
		w->done++;
	}
	return job;
}

/* Reads one file in this process. */
static int read_here(struct scan_work *w, struct err *e)
{
	struct scan_job *job = next_to_read(w);

	if (!w->own && !(w->own = scan_head_new(e)))
		return -1;
	if (!job)
		return 0;
	scan_worker_answer(w->own, job->path, job->at, &w->answer);
	job->state = SCAN_ASKED;
	return scan_work_take(w, job, e);
}

/* Leaves one file out if there is no worker any more. */
static int leave_next(struct scan_work *w, struct err *e)
{
	struct scan_job *job = next_to_read(w);
	struct err why = {0};

	for (size_t i = 0; i < w->s->n; i++)
		if (w->s->worker[i].process.pid)
			return 0;
	if (!job)
		return 0;
	job->batch->left--;
	w->done++;
	err_set(&why, "%s: left out: all processes that read wait for other files", job->path);
	return scan_work_leave_out(job, why.msg, e);
}

/* The next file for a worker, or NULL. They do not have standard input, which is read here. */
static int next_to_ask(struct scan_work *w, struct scan_job **job, struct err *e)
{
	while ((*job = next_to_read(w)) && (*job)->place == INPUT_STANDARD)
		if (read_here(w, e))
			return -1;
	return 0;
}

/* Asks one worker, which has room, for as many files as it may take. */
static int ask_worker(struct scan_work *w, struct scan_worker *worker, struct err *e)
{
	unsigned max = question_size(w, count_asked(w->s));
	struct scan_job *job;
	int64_t bytes = 0;

	/* Few large files: whether their user's budget is spent shows soon. */
	for (unsigned n = 0; n < max && bytes < QUESTION_BYTES; n++) {
		if (next_to_ask(w, &job, e))
			return -1;
		if (!job || !scan_worker_add(worker, job, job->path, job->at))
			break;
		job->state = SCAN_ASKED;
		bytes += job->size;
	}
	return !scan_worker_ask(worker) ? drop_worker(w, worker, e) : 0;
}

/* Asks what there is room for. */
int scan_read_ask(struct scan_work *w, struct err *e)
{
	struct scan_job *job;

	for (unsigned round = 0; round < SCAN_WORKER_SLOTS; round++)
		for (size_t i = 0; i < w->s->n; i++) {
			if (next_to_ask(w, &job, e))
				return -1;
			if (job && scan_worker_has_room(&w->s->worker[i]) &&
			    ask_worker(w, &w->s->worker[i], e))
				return -1;
		}
	return 0;
}

#define TICK_S 0.1 /* of waiting for workers, of which no more counts: all may have been stopped */

/* Waits until a worker has answers, and takes them. Without workers, reads a file itself. */
int scan_read_some(struct scan_work *w, struct err *e)
{
	struct pollfd fd[SCAN_WORKERS_MAX];
	struct scan_worker *asked[SCAN_WORKERS_MAX];
	nfds_t n = 0;
	bool known = false;
	double s;

	for (size_t i = 0; i < w->s->n; i++)
		if (w->s->worker[i].asked) {
			asked[n] = &w->s->worker[i];
			fd[n] = (struct pollfd){.fd = asked[n]->process.fd, .events = POLLIN};
			n++;
		}
	if (!n)
		return w->waits ? leave_next(w, e) : read_here(w, e);
	s = scan_worker_now();
	if (poll(fd, n, (int)(TICK_S * 1000)) < 0)
		return errno == EINTR ? 0 : err_set(e, "poll: %s", strerror(errno));
	s = scan_worker_now() - s;
	for (nfds_t i = 0; i < n; i++) {
		scan_worker_waited(asked[i], s < TICK_S ? s : TICK_S);
		if (!fd[i].revents && !is_overdue(w, asked[i]))
			continue;
		if (fd[i].revents && scan_worker_wait(asked[i])
		        ? take_answers(w, asked[i], &known, e)
		        : drop_worker(w, asked[i], e))
			return -1;
	}
	return 0;
}
