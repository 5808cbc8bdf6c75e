/*
 * job_key: decides which runs are of the same job and may be compared.
 *
 * Keys are "name" (of the job: as given, else of its command), "command" (with its arguments),
 * "directory", "host", "user", "instance" (type of the cloud server), "tag:KEY" and "label:KEY". A
 * string may hold several, separated by commas. Runs are of one group if all keys have the same
 * value; two unknown values are the same.
 */
#ifndef REPORT_RUNS_JOB_KEY_H
#define REPORT_RUNS_JOB_KEY_H

#include "core/base/buf.h"
#include "core/base/opts.h"
#include "report/runs/load.h"

#define JOB_KEY_DEFAULT "name"

/* -1 with a sentence if one of them is not a key. */
int job_key_check(const struct opts_list *keys, struct err *e);

/* "" if a and b are of one group, else why not: static ("another job"). keys NULL or empty means
 * JOB_KEY_DEFAULT. */
const char *job_key_differs(const struct opts_list *keys, const struct run *a, const struct run *b);

/* Appends the group in words: "name train, tag:batch 32", "user (unknown)". */
void job_key_text(const struct opts_list *keys, const struct run *run, struct buf *out);

/* The name of a run's job: as recorded, else the command's, else the file's. Borrowed. */
const char *job_key_name(const struct run *run);

#endif
