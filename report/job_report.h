/*
 * job_report: the recordings of one job, found in SOURCEs or in a catalog (--job).
 *
 * Recordings and catalogs are the work of strangers, so they are searched by a process of its own,
 * which can only read what the command line names, and answers with paths. These are read as if the
 * command line had named them: by a process that has dropped its rights.
 */
#ifndef REPORT_JOB_REPORT_H
#define REPORT_JOB_REPORT_H

#include "report/fleet_report.h"
#include "report/runs/load.h"
#include "report/store/store.h"

/* Valid when zero. */
struct job_report {
	char **path; /* owned, as each of them */
	size_t n;
};

/* How the process that searches reaches object stores: as main.c does. */
typedef int job_report_store(struct store *s, const struct report_options *o, struct err *e);

/* Finds the job o->job, and makes its recordings the inputs of *o; *out must live as long. Says
 * whether the job was started again. -1 with a
 * sentence: it has none, or the ID is that of several jobs. */
int job_report_find(struct report_options *o, job_report_store *store,
                    const struct fleet_report_watch *watch, struct job_report *out, struct err *e);
void job_report_free(struct job_report *r);

/* After loading: of several runs of the job (its steps, one command after the other), keeps that with
 * most CPU time, and the elements of its array. *said: which others there are; "" if there are
 * none. */
void job_report_choose(struct runs *r, struct err *said);

#endif
