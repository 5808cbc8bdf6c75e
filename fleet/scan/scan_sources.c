/* scan_sources: files and folders → rows in a catalog. */
#include "fleet/scan/scan_sources.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fleet/scan/scan_imports.h"
#include "fleet/scan/scan_store.h"
#include "report/units/units.h"

/* -- the workers ------------------------------------------------------------------------------- */

static size_t allowed_cpus(void)
{
	cpu_set_t set;

	/* It fails for more CPUs than the set has room for. */
	return sched_getaffinity(0, sizeof set, &set) ? SCAN_WORKERS_MAX : (size_t)CPU_COUNT(&set);
}

void scan_start(struct scan *s, scan_worker_drop *drop, const void *ctx)
{
	size_t cpus = allowed_cpus();

	*s = (struct scan){.n = 0};
	while (s->n < cpus && s->n < SCAN_WORKERS_MAX &&
	       scan_worker_start(s->worker, s->n, drop, ctx) == 0)
		s->n++;
}

void scan_stop(struct scan *s)
{
	while (s->n)
		scan_worker_stop(&s->worker[--s->n]);
}

/* -- batches ----------------------------------------------------------------------------------- */

/* Seconds beyond what fits, before 1678 and after 2262, are compared as they are. */
static int64_t mtime_ns_of(const struct stat *st)
{
	int64_t ns;

	if (__builtin_mul_overflow((int64_t)st->st_mtim.tv_sec, 1000000000, &ns) ||
	    __builtin_add_overflow(ns, (int64_t)st->st_mtim.tv_nsec, &ns))
		return (int64_t)st->st_mtim.tv_sec;
	return ns;
}

static int64_t mtime_ns_of_object(const struct scan_list_object *o)
{
	return o->modified > 0 && o->modified < 9e9 ? (int64_t)(o->modified * 1e9) : 0;
}

/* Sets the path, size and time of a recording. Its state says whether it can be read. */
static int look_at_file(struct scan_work *w, size_t i, struct scan_job *job, struct err *e)
{
	char text[PATH_MAX];
	const struct scan_list_object *object = scan_list_object(&w->list, i);
	const char *path = scan_list_path(&w->list, i, text);
	bool shared = !object && scan_list_is_shared(&w->list, i);
	const char *refused = NULL;
	struct err why = {0};
	struct stat st;

	*job = (struct scan_job){
	    .path = strdup(path ? path : ""), .tag = "", .place = scan_list_place(&w->list, i)};
	if (!job->path)
		return err_set(e, "no memory to read the recordings");
	if (object) {
		job->tag = scan_list_tag(&w->list, object);
		job->pieces = object->pieces;
		job->size = (int64_t)(object->size & INT64_MAX);
		job->mtime_ns = mtime_ns_of_object(object);
		return 0;
	}
	if (job->place == INPUT_STANDARD)
		return 0; /* its size and time are those of no file */
	if (!path || (shared ? lstat : stat)(path, &st))
		err_set(&why, "%s: %s", job->path, strerror(path ? errno : ENAMETOOLONG));
	else if (!S_ISREG(st.st_mode))
		err_set(&why, "%s: is not a regular file", path);
	else if ((refused = scan_work_own(w, job, scan_list_owner(&w->list, i, &st), &st)))
		err_set(&why, "%s: %s", path, refused);
	if (*why.msg)
		return scan_work_leave_out(job, why.msg, e);
	job->size = st.st_size;
	job->mtime_ns = mtime_ns_of(&st);
	return 0;
}

static void clear_job(struct scan_job *job)
{
	free(job->path);
	free(job->why);
	*job = (struct scan_job){.path = NULL};
}

/* Keeps those of the last n jobs that the catalog does not have as they are. */
static void drop_known(struct scan_work *w, struct scan_batch *b, size_t n, const bool *missing)
{
	struct scan_job *job = b->job + b->n - n;
	size_t kept = 0, asked = 0;

	for (size_t i = 0; i < n; i++) {
		bool waiting = job[i].state == SCAN_WAITING;
		if (waiting && !missing[asked++]) {
			clear_job(&job[i]);
			continue;
		}
		b->left += waiting;
		w->done += !waiting;
		job[kept++] = job[i];
	}
	w->done += n - kept;
	b->n -= n - kept;
}

/* Adds the next n recordings of the list. */
static int add_from_list(struct scan_work *w, struct scan_batch *b, size_t n, struct err *e)
{
	struct catalog_source source[SCAN_BATCH];
	bool missing[SCAN_BATCH];
	size_t asked = 0;

	for (size_t i = 0; i < n; i++) {
		struct scan_job *job = &b->job[b->n++];
		if (look_at_file(w, w->at++, job, e))
			return -1;
		job->batch = b;
		if (job->state == SCAN_WAITING)
			source[asked++] =
			    (struct catalog_source){job->path, job->size, job->mtime_ns, job->tag};
	}
	if (asked && catalog_missing(w->c, source, asked, missing, e))
		return -1;
	drop_known(w, b, n, missing);
	return 0;
}

static int fill_batch(struct scan_work *w, struct scan_batch *b, struct err *e)
{
	while (b->n < SCAN_BATCH && w->at < w->list.n) {
		size_t room = SCAN_BATCH - b->n, rest = w->list.n - w->at;
		if (add_from_list(w, b, rest < room ? rest : room, e))
			return -1;
		scan_work_progress(w);
	}
	return 0;
}

static void empty_batch(struct scan_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		clear_job(&b->job[i]);
	b->n = b->next[0] = b->next[1] = b->left = 0;
}

/* Everything in it is read. */
static int put_batch(struct scan_work *w, struct scan_batch *b, struct err *e)
{
	struct catalog_run run[SCAN_BATCH];
	struct rtrack_row *row[SCAN_BATCH];
	bool put[SCAN_BATCH];
	struct err why = {0};
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct scan_job *job = &b->job[i];
		if (job->state != SCAN_READ)
			continue;
		row[n] = &b->row[i];
		run[n++] =
		    (struct catalog_run){.source = {job->path, job->size, job->mtime_ns, job->tag},
		                         .row = &b->row[i],
		                         .now = w->in->now};
	}
	if (n && scan_pages_choose(&w->pages, w->c, run, n, put, e))
		return -1;
	for (size_t i = 0; i < n; i++) {
		w->out->copies += !put[i] && input_kind_of(run[i].source.path) != INPUT_PAGE;
		if (!put[i])
			continue;
		row[kept] = row[i];
		run[kept++] = run[i];
	}
	if (kept && scan_jobs_put(&w->jobs, w->c, run, row, kept, e))
		return -1;
	w->out->added += kept;
	w->out->listed -= n - kept; /* pages of runs that are there, and copies */
	for (size_t i = 0; i < b->n; i++) {
		if (b->job[i].state != SCAN_LEFT_OUT)
			continue;
		if (b->job[i].place == INPUT_FILE &&
		    input_count_others(&w->out->others, b->job[i].path)) {
			w->out->listed--;
			continue;
		}
		err_set(&why, "%s", b->job[i].why);
		w->in->failure(w->in->ctx, &why);
		w->out->failed++;
	}
	empty_batch(b);
	return 0;
}

/* -- reading ----------------------------------------------------------------------------------- */

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
			if (job->batch->next[0] > at)
				job->batch->next[0] = at;
			continue;
		}
		if (i >= done) {
			*known = true;
			w->answer.failed = -1;
			err_set(&w->answer.why, "the process that read it has ended");
		}
		failed = scan_work_take(w, job, e);
	}
	scan_worker_next(worker);
	return failed;
}

/* The others go on without it. */
static int drop_worker(struct scan_work *w, struct scan_worker *worker, struct err *e)
{
	bool known = false;
	int failed = 0;

	while (worker->asked && !failed)
		failed = take_answers(w, worker, &known, e);
	scan_worker_stop(worker);
	return failed;
}

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

/* Reads one file in this process. */
static int read_here(struct scan_work *w, struct err *e)
{
	struct scan_job *job = scan_work_waiting(w, false);

	if (!w->own && !(w->own = scan_head_new(e)))
		return -1;
	scan_worker_answer(w->own, job->path, &w->answer);
	job->state = SCAN_ASKED;
	return scan_work_take(w, job, e);
}

/* The next file for a worker, or NULL. They do not have standard input, which is read here. */
static int next_to_ask(struct scan_work *w, struct scan_job **job, struct err *e)
{
	while ((*job = scan_work_waiting(w, false)) && (*job)->place == INPUT_STANDARD)
		if (read_here(w, e))
			return -1;
	return 0;
}

/* Asks one worker, which has room, for as many files as it may take. */
static int ask_worker(struct scan_work *w, struct scan_worker *worker, struct err *e)
{
	unsigned max = question_size(w, count_asked(w->s));
	struct scan_job *job;

	for (unsigned n = 0; n < max; n++) {
		if (next_to_ask(w, &job, e))
			return -1;
		if (!job || !scan_worker_add(worker, job, job->path))
			break;
		job->state = SCAN_ASKED;
	}
	return !scan_worker_ask(worker) ? drop_worker(w, worker, e) : 0;
}

/* Asks what there is room for. */
static int ask_workers(struct scan_work *w, struct err *e)
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

/* Waits until a worker has answers, and takes them. Without workers, reads a file itself. */
static int read_some(struct scan_work *w, struct err *e)
{
	struct pollfd fd[SCAN_WORKERS_MAX];
	struct scan_worker *asked[SCAN_WORKERS_MAX];
	nfds_t n = 0;
	bool known = false;

	for (size_t i = 0; i < w->s->n; i++)
		if (w->s->worker[i].asked) {
			asked[n] = &w->s->worker[i];
			fd[n] = (struct pollfd){.fd = asked[n]->process.fd, .events = POLLIN};
			n++;
		}
	if (!n)
		return read_here(w, e);
	if (poll(fd, n, -1) < 0)
		return errno == EINTR ? 0 : err_set(e, "poll: %s", strerror(errno));
	for (nfds_t i = 0; i < n; i++) {
		if (!fd[i].revents)
			continue;
		if (scan_worker_wait(asked[i]) ? take_answers(w, asked[i], &known, e)
		                               : drop_worker(w, asked[i], e))
			return -1;
	}
	return 0;
}

/* -- all of it --------------------------------------------------------------------------------- */

static int list_inputs(struct scan_work *w, struct err *e)
{
	for (size_t i = 0; i < w->in->n; i++)
		if (w->in->input[i].place == INPUT_S3
		        ? scan_store_list(w, w->in->input[i].name, e)
		        : scan_list_add(&w->list, w->in->input[i], w->in->failure, w->in->ctx,
		                        &w->out->failed, e))
			return -1;
	if ((w->in->n > 1 || w->list.links) && scan_list_unique(&w->list, e))
		return -1;
	w->pages.expected = scan_list_pages_last(&w->list);
	w->pages.once = w->in->once;
	w->out->listed = w->list.n;
	w->out->others = w->list.others;
	return 0;
}

static int turn_batches(struct scan_work *w, struct err *e)
{
	for (;;) {
		struct scan_batch *older = w->batch[0];
		for (int i = 0; i < SCAN_BATCHES; i++)
			if (!w->batch[i]->n && (fill_batch(w, w->batch[i], e) || ask_workers(w, e)))
				return -1;
		if (!older->n || older->left)
			return 0;
		if (put_batch(w, older, e))
			return -1;
		w->batch[0] = w->batch[1];
		w->batch[1] = older;
	}
}

static int read_listed(struct scan_work *w, struct err *e)
{
	for (;;) {
		if (turn_batches(w, e))
			return -1;
		if (!w->batch[0]->n)
			return 0;
		if (scan_store_has(w) ? scan_store_read(w, e)
		                      : ask_workers(w, e) || read_some(w, e))
			return -1;
		scan_work_progress(w);
	}
}

static void remark_refused(const struct scan_work *w)
{
	struct err line = {0};
	char n[UNITS_SIZE];

	if (!w->jobs.refused || !w->in->remark)
		return;
	err_set(&line, "%s job%s of several users: not joined; the first: %s",
	        units_count((double)w->jobs.refused, n),
	        w->jobs.refused == 1 ? " has rows" : "s have rows", w->jobs.example.msg);
	w->in->remark(w->in->ctx, &line);
}

int scan_run(struct scan *s, const struct scan_input *in, struct catalog *c,
             struct scan_result *out, struct err *e)
{
	struct scan_work w = {.s = s, .in = in, .c = c, .out = out, .turn = turn_batches};
	int failed = 0;

	*out = (struct scan_result){.listed = 0};
	for (int i = 0; i < SCAN_BATCHES; i++) {
		w.batch[i] = calloc(1, sizeof *w.batch[i]);
		if (!w.batch[i])
			failed = err_set(e, "no memory to read the recordings");
	}
	if (!failed)
		failed = list_inputs(&w, e);
	if (!failed)
		failed = read_listed(&w, e);
	if (!failed)
		failed = scan_imports_read(&w, e);
	if (!failed)
		remark_refused(&w);
	/* What was asked and is not taken would be taken for the answers of the next scan. */
	if (failed)
		scan_stop(s);
	for (int i = 0; i < SCAN_BATCHES; i++) {
		if (w.batch[i])
			empty_batch(w.batch[i]);
		free(w.batch[i]);
	}
	scan_list_free(&w.list);
	scan_pages_free(&w.pages);
	scan_head_free(w.own);
	return failed;
}
