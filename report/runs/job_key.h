/*
 * job_key: which runs are of the same job, so that they may be held beside each other.
 *
 * Keys are "name" (of the job: as given, else of its command), "command" (with its arguments),
 * "directory", "host", "user", "instance" (type of the cloud server), "tag:KEY" and "label:KEY";
 * several may stand in one string, with commas between. Runs are of one group where all keys have
 * the same value; what no run tells is the same in all.
 */
#ifndef REPORT_RUNS_JOB_KEY_H
#define REPORT_RUNS_JOB_KEY_H

#include "core/buf.h"
#include "core/opts.h"
#include "report/runs/load.h"

#define JOB_KEY_DEFAULT "name"

/* Whether all are keys: -1 with a sentence. */
int job_key_check(const struct opts_list *keys, struct err *e);

/* "" where a and b are of one group, else why not: static ("another job"). keys may be NULL or
 * empty: then it is JOB_KEY_DEFAULT. */
const char *job_key_differs(const struct opts_list *keys, const struct run *a, const struct run *b);

/* What the group is, in words: "name train, tag:batch 32"; parts that are not told say so. */
void job_key_text(const struct opts_list *keys, const struct run *run, struct buf *out);

/* The name of a run's job: --name, else the command's, else the file's. Borrowed. */
const char *job_key_name(const struct run *run);

#endif
