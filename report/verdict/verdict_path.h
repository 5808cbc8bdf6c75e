/*
 * verdict_path: the critical path of a run in words.
 */
#ifndef REPORT_VERDICT_VERDICT_PATH_H
#define REPORT_VERDICT_VERDICT_PATH_H

#include "core/base/buf.h"
#include "report/runs/load.h"
#include "report/stats/critical_path.h"

/* The run that its tree is of. False: it has none, or none that says more than its root process. */
bool verdict_path_job(const struct run *run, struct critical_path_job *out);

/* Appends "The last 41 s were one process alone, ld, on one core.", or nothing where that is not
 * so, or not worth a sentence. */
void verdict_path_last(const struct run *run, const struct critical_path *path, struct buf *out);

#endif
