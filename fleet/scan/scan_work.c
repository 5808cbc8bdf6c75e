/* scan_work: a scan, how far it is, and reading its files. */
#include "fleet/scan/scan_work.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/buf.h"
#include "fleet/scan/scan_users.h"
#include "report/units/units.h"

/* A run that has ended since the folder was listed: its snapshot is added the next time. */
static bool is_ended_journal(const char *path)
{
	struct stat st;

	return input_kind_of(path) == INPUT_JOURNAL && stat(path, &st) && errno == ENOENT;
}

int scan_work_leave_out(struct scan_job *job, const char *why, struct err *e)
{
	if (job->place != INPUT_S3 && is_ended_journal(job->path)) {
		job->state = SCAN_GONE;
		return 0;
	}
	job->why = strdup(why);
	job->state = SCAN_LEFT_OUT;
	return job->why ? 0 : err_set(e, "no memory to read the recordings");
}

/* The name of a user, or its number, which *named says. */
static void find_owner(struct scan_work *w, uint32_t id, char owner[SCAN_OWNER], bool *named)
{
	const char *name;

	scan_names_read(&w->names, "/etc/passwd");
	name = scan_names_of(&w->names, id);
	*named = name != NULL;
	if (name)
		memcpy(owner, name, strlen(name) + 1);
	else
		snprintf(owner, SCAN_OWNER, "%u", (unsigned)id);
}

const char *scan_work_own(struct scan_work *w, struct scan_job *job, uint32_t owner,
                          const struct stat *st)
{
	if (owner == SCAN_USERS_ANYONE)
		return NULL;
	if (st->st_uid != owner && !scan_users_trusts(st->st_uid))
		return "left out: the file belongs to another user than its folder";
	find_owner(w, owner, job->owner, &job->owner_named);
	job->owner_id = owner;
	job->device = st->st_dev;
	job->inode = st->st_ino;
	return NULL;
}

/* Whether the file that was read is still the one whose owner was looked at. */
static bool is_unchanged_file(const struct scan_job *job)
{
	struct stat st;

	return lstat(job->path, &st) == 0 && st.st_dev == job->device && st.st_ino == job->inode;
}

/* The run of a file in a user's folder is that user's. -1: it says that it is another's. */
static int take_owner(const struct scan_names *names, const struct scan_job *job,
                      struct rtrack_row *row, struct err *why)
{
	const char *said = row->of[RTRACK_ROW_USER].text;

	if (!*job->owner)
		return 0;
	if (job->owner_named && strcmp(said, job->owner) != 0 &&
	    scan_names_of_another(names, said, job->owner_id))
		return err_set(
		    why,
		    "%s: left out: by owner and folder a run of %s, but it says that its user "
		    "is \"%s\"",
		    job->path, job->owner, said);
	if (!is_unchanged_file(job))
		return err_set(why, "%s: left out: it was replaced while it was read", job->path);
	row->of[RTRACK_ROW_USER].text = job->owner;
	return 0;
}

void scan_work_progress(const struct scan_work *w)
{
	if (w->in->progress)
		w->in->progress(w->in->ctx, w->done, w->list.n + w->more);
}

int scan_work_take(struct scan_work *w, struct scan_job *job, struct err *e)
{
	struct rtrack_row *row = &job->batch->row[job - job->batch->job];
	const struct scan_answer *a = &w->answer;
	struct err why = {0};

	job->batch->left--;
	w->done++;
	scan_budget_spend(&w->budget, scan_work_user(job), a->bytes, a->seconds);
	if (a->failed == SCAN_HEAD_NO_RUN) {
		job->state = SCAN_GONE;
		w->out->listed--;
		return 0;
	}
	if (scan_worker_row(a, job->path, row, &why) || take_owner(&w->names, job, row, &why))
		return scan_work_leave_out(job, why.msg, e);
	job->state = SCAN_READ;
	return 0;
}

struct scan_job *scan_work_waiting(const struct scan_work *w, bool object)
{
	for (size_t i = 0; i < SCAN_BATCHES; i++) {
		struct scan_batch *b = w->batch[i];
		size_t *next = &b->next[object];
		for (; *next < b->n; ++*next)
			if (b->job[*next].state == SCAN_WAITING &&
			    (b->job[*next].place == INPUT_S3) == object)
				return &b->job[*next];
	}
	return NULL;
}

/* -- budgets of users -------------------------------------------------------------------------- */

uint32_t scan_work_user(const struct scan_job *job)
{
	return *job->owner ? job->owner_id : SCAN_USERS_ANYONE;
}

void scan_work_say_budgets(struct scan_work *w)
{
	const struct scan_budget_user *user;
	char owner[SCAN_OWNER];
	struct err why = {0};
	bool named;

	for (size_t i = 0; (user = id_table_each(&w->budget.users, &i));) {
		find_owner(w, (uint32_t)(user->key - 1), owner, &named);
		if (!scan_budget_says(&w->budget, user, owner, &why))
			continue;
		w->in->failure(w->in->ctx, &why);
		w->out->failed++;
		w->out->over++;
	}
}

/* -- reading, by workers or by this process ---------------------------------------------------- */

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

int scan_work_ask(struct scan_work *w, struct err *e)
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

int scan_work_read(struct scan_work *w, struct err *e)
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

/* -- folders of days --------------------------------------------------------------------------- */

/* Folders of days that are closed in one transaction. */
struct closing {
	struct catalog *c;
	struct catalog_folder v[SCAN_BATCH];
	struct buf paths; /* each with its NUL */
	size_t n;
};

static int close_these(struct closing *of, struct err *e)
{
	const char *path = buf_cstr(&of->paths);
	int failed;

	if (of->paths.failed)
		return err_set(e, "no memory to list the recordings");
	for (size_t i = 0; i < of->n; i++, path += strlen(path) + 1)
		of->v[i].path = path;
	failed = catalog_close_folders(of->c, of->v, of->n, e);
	buf_clear(&of->paths);
	of->n = 0;
	return failed;
}

static int close_one(void *ctx, const char *path, int64_t changed_ns, struct err *e)
{
	struct closing *of = ctx;

	of->v[of->n++].changed_ns = changed_ns;
	buf_add(&of->paths, path, strlen(path) + 1);
	return of->n == SCAN_BATCH ? close_these(of, e) : 0;
}

int scan_work_close_days(const struct scan_work *w, struct err *e)
{
	struct closing *of = calloc(1, sizeof *of);
	int failed;

	if (!of)
		return err_set(e, "no memory to list the recordings");
	of->c = w->c;
	of->paths.max = SIZE_MAX;
	failed = scan_list_each_closable(&w->list, close_one, of, e);
	if (!failed)
		failed = close_these(of, e);
	buf_free(&of->paths);
	free(of);
	return failed;
}
