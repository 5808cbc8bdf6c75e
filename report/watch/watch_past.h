/*
 * watch_past: what the recordings beside a journal say: how long earlier runs of the job took, and,
 * once it has ended, how.
 */
#ifndef REPORT_WATCH_WATCH_PAST_H
#define REPORT_WATCH_WATCH_PAST_H

#include "report/runs/load.h"
#include "report/verdict/verdict_end.h"
#include "report/watch/watch_jobs.h"

/* Where to look, and by which rules. */
struct watch_past {
	const struct input *source; /* SOURCEs; of a name its folder is read */
	size_t n_sources;
	const struct store *store;
	const struct opts_list *group_by; /* job_key.h */
	long use;                         /* at most so many earlier runs: the last ones */
};

/* Seconds that the last finished runs of the same job took, to be freed, and their number. Files
 * that cannot be read do not count. running: journals that are not read. NULL with *n 0: none. */
double *watch_past_lengths(const struct watch_past *p, const struct run *run,
                           const struct watch_jobs *running, size_t *n);

/* How the run ended whose journal this was: by its recording, which has taken the journal's place.
 * False: there is none, so the recording broke off; out says that then. */
bool watch_past_end(const struct watch_past *p, struct input journal, const struct run *run,
                    char out[VERDICT_END_MAX]);

#endif
