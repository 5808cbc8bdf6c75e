/* scan_work: a scan, and how far it is. */
#include "report/catalog/scan_work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/runs/load_name.h"

/* A run that has ended since the folder was listed: its snapshot is added the next time. */
static bool is_ended_journal(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct stat st;

	return load_is_journal_name(slash ? slash + 1 : path) && stat(path, &st) && errno == ENOENT;
}

int scan_work_leave_out(struct scan_job *job, const char *why, struct err *e)
{
	if (!job->object && is_ended_journal(job->path)) {
		job->state = SCAN_GONE;
		return 0;
	}
	job->why = strdup(why);
	job->state = SCAN_LEFT_OUT;
	return job->why ? 0 : err_set(e, "no memory to read the recordings");
}

void scan_work_tell(const struct scan_work *w)
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
	w->out->bytes +=
	    (double)(job->size < (int64_t)SCAN_HEAD || a->row.whole ? job->size
	                                                            : (int64_t)SCAN_HEAD);
	job->state = SCAN_READ;
	return 0;
}

struct scan_job *scan_work_waiting(const struct scan_work *w, bool object)
{
	for (size_t i = 0; i < SCAN_BATCHES; i++) {
		struct scan_batch *b = w->batch[i];
		size_t *next = &b->next[object];
		for (; *next < b->n; ++*next)
			if (b->job[*next].state == SCAN_WAITING && b->job[*next].object == object)
				return &b->job[*next];
	}
	return NULL;
}
