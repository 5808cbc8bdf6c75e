/*
 * job_report: the recordings of one job, found in SOURCEs or in a catalog.
 *
 * Recordings and catalogs are the work of strangers, so they are searched by a process of its own,
 * which can only read what the command line names, and answers with paths. These are read as if the
 * command line had named them: by a process that has dropped its rights.
 */
#ifndef FLEET_JOB_REPORT_H
#define FLEET_JOB_REPORT_H

#include "fleet/fleet_report.h"
#include "report/runs/load.h"
#include "report/store/store.h"

/* Valid when zero. */
struct job_report {
	char **path; /* owned, as each of them */
	size_t n;
	char *note; /* what the report is not of; "": of all of the job. Owned */
};

/* How the process that searches reaches object stores. */
typedef int job_report_store(struct store *s, const struct report_options *o, struct err *e);

/* Finds the recordings of the job o->job: of the last start of the longest step, or of each element
 * of an array. Says which others there are. -1 with a sentence: the job has none, or the ID is that
 * of several jobs. Free *out either way. */
int job_report_find(const struct fleet_options *o, job_report_store *store,
                    const struct fleet_report_watch *watch, struct job_report *out, struct err *e);
void job_report_free(struct job_report *r);

/* Becomes rtrack-report, with the options that it shares and the recordings. Returns only if that
 * fails: -1 with a sentence. */
int job_report_exec(const struct fleet_options *o, const struct job_report *r, struct err *e);

#endif
