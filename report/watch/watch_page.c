/* watch_page: which recording the page of --watch is about. */
#include "report/watch/watch_page.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"

static bool runs(const struct watch_jobs *j, const char *journal)
{
	for (size_t i = 0; i < j->n; i++)
		if (strcmp(j->v[i].in.name, journal) == 0)
			return true;
	return false;
}

/* The recording that has taken the journal's place; the journal itself where the recorder was
 * killed. In a store, KEY stands for its pieces, too. */
static void add_ended(const char *journal, bool stored, struct buf *current)
{
	buf_add(current, journal, watch_jobs_output(journal));
	if (stored || access(buf_cstr(current), R_OK) == 0)
		return;
	buf_clear(current);
	buf_str(current, journal);
}

int watch_page_choose(struct watch_page *p, const struct store *s, const struct input *source,
                      size_t n, struct buf *current, struct err *e)
{
	struct watch_jobs jobs;
	bool stored = false;
	int rc = -1;

	for (size_t i = 0; i < n; i++)
		stored = stored || source[i].place == INPUT_S3;
	p->every_s = stored ? WATCH_PAGE_STORE_S : WATCH_PAGE_S;
	if (watch_jobs_find(&jobs, s, source, n, e))
		goto out;
	if (!*p->journal && jobs.n)
		snprintf(p->journal, sizeof p->journal, "%s", jobs.v[0].in.name);
	if (!*p->journal) {
		p->state = WATCH_PAGE_NONE;
	} else if ((p->running = runs(&jobs, p->journal))) {
		p->state = p->stop ? WATCH_PAGE_LAST : WATCH_PAGE_RUNS;
		buf_str(current, p->journal);
	} else {
		p->state = WATCH_PAGE_LAST;
		add_ended(p->journal, input_of(p->journal).place == INPUT_S3, current);
	}
	rc = 0;
out:
	watch_jobs_free(&jobs);
	return rc;
}
