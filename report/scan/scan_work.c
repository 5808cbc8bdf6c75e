/* scan_work: a scan, and how far it is. */
#include "report/scan/scan_work.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* Sets w->owner to the name of a user, or "". From the file: getpwuid(3) may ask the network. */
static void find_owner(struct scan_work *w, uid_t id)
{
	const struct passwd *user;
	FILE *f;

	if (w->owner_known && w->owner_id == id)
		return;
	w->owner_known = true;
	w->owner_id = id;
	w->owner[0] = '\0';
	f = fopen("/etc/passwd", "re");
	while (f && !*w->owner && (user = fgetpwent(f)))
		if (user->pw_uid == id && strlen(user->pw_name) < sizeof w->owner)
			memcpy(w->owner, user->pw_name, strlen(user->pw_name) + 1);
	if (f)
		fclose(f);
}

void scan_work_own(struct scan_work *w, struct scan_job *job, uid_t owner)
{
	const char *end = strrchr(job->path, '/'), *name = end;
	char id[32];
	size_t n = (size_t)snprintf(id, sizeof id, "%u", (unsigned)owner);

	while (name && name > job->path && name[-1] != '/')
		name--;
	if (!name || (size_t)(end - name) != n || strncmp(name, id, n) != 0)
		return;
	find_owner(w, owner);
	memcpy(job->owner, w->owner, sizeof job->owner);
}

/* The owner's name in place of what the recording says. */
static void take_owner(const struct scan_work *w, const struct scan_job *job,
                       struct rtrack_row *row)
{
	const char *said = row->of[RTRACK_ROW_USER].text;
	struct err line = {0};

	if (!*job->owner || strcmp(said, job->owner) == 0)
		return;
	err_set(&line, "%s: the file belongs to %s, but says that its user is \"%s\"; %s counts",
	        job->path, job->owner, said, job->owner);
	if (*said && w->in->remark)
		w->in->remark(w->in->ctx, &line);
	row->of[RTRACK_ROW_USER].text = job->owner;
}

void scan_work_progress(const struct scan_work *w)
{
	if (w->in->progress)
		w->in->progress(w->in->ctx, w->done, w->list.n);
}

int scan_work_take(struct scan_work *w, struct scan_job *job, struct err *e)
{
	struct rtrack_row *row = &job->batch->row[job - job->batch->job];
	const struct scan_answer *a = &w->answer;
	struct err why = {0};

	job->batch->left--;
	w->done++;
	if (a->failed == SCAN_HEAD_NO_RUN) {
		job->state = SCAN_GONE;
		w->out->listed--;
		return 0;
	}
	if (scan_worker_row(a, job->path, row, &why))
		return scan_work_leave_out(job, why.msg, e);
	take_owner(w, job, row);
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
