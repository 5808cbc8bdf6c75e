/* scan_work: a scan, and how far it is. */
#include "fleet/scan/scan_work.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/buf.h"
#include "fleet/scan/scan_users.h"

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

/* Calls take for each user of this machine until it is true; whether it was. From the file:
 * getpwuid(3) may ask the network. */
static bool any_user(bool (*take)(const struct passwd *user, void *ctx), void *ctx)
{
	const struct passwd *user;
	FILE *f = fopen("/etc/passwd", "re");
	bool taken = false;

	while (f && !taken && (user = fgetpwent(f)))
		taken = take(user, ctx);
	if (f)
		fclose(f);
	return taken;
}

static bool take_name(const struct passwd *user, void *ctx)
{
	struct scan_work *w = ctx;

	if (user->pw_uid != w->owner_id || strlen(user->pw_name) >= sizeof w->owner)
		return false;
	memcpy(w->owner, user->pw_name, strlen(user->pw_name) + 1);
	return true;
}

/* Sets w->owner to the name of a user, or to its number. */
static void find_owner(struct scan_work *w, uid_t id)
{
	if (w->owner_known && w->owner_id == id)
		return;
	w->owner_known = true;
	w->owner_id = id;
	w->owner_named = any_user(take_name, w);
	if (!w->owner_named)
		snprintf(w->owner, sizeof w->owner, "%u", (unsigned)id);
}

struct claim {
	const char *name;
	uid_t id;
};

/* Whether another user has the name. One that nobody has here may be the owner's elsewhere. */
static bool is_of_another(const struct passwd *user, void *ctx)
{
	const struct claim *c = ctx;

	return user->pw_uid != c->id && strcmp(user->pw_name, c->name) == 0;
}

const char *scan_work_own(struct scan_work *w, struct scan_job *job, uint32_t owner,
                          const struct stat *st)
{
	if (owner == SCAN_USERS_ANYONE)
		return NULL;
	if (st->st_uid != owner && !scan_users_trusts(st->st_uid))
		return "left out: the file belongs to another user than its folder";
	find_owner(w, owner);
	memcpy(job->owner, w->owner, sizeof job->owner);
	job->owner_named = w->owner_named;
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
static int take_owner(const struct scan_job *job, struct rtrack_row *row, struct err *why)
{
	const char *said = row->of[RTRACK_ROW_USER].text;

	if (!*job->owner)
		return 0;
	if (job->owner_named && strcmp(said, job->owner) != 0 &&
	    any_user(is_of_another, &(struct claim){said, (uid_t)job->owner_id}))
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
	if (scan_worker_row(a, job->path, row, &why) || take_owner(job, row, &why))
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
	struct err why = {0};

	for (size_t i = 0; i < w->budget.cap; i++) {
		const struct scan_budget_user *user = &w->budget.user[i];
		if (!user->used)
			continue;
		find_owner(w, user->id);
		if (!scan_budget_says(&w->budget, user, w->owner, &why))
			continue;
		w->in->failure(w->in->ctx, &why);
		w->out->failed++;
	}
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
