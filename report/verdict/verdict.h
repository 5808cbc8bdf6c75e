/*
 * verdict: the plain sentences at the top of a report.
 *
 * A rule writes one sentence or two with their numbers and returns their level, or NULL where the
 * facts are missing: the verdict says nothing about what was not measured. The facts and their
 * thresholds are in report/stats (bottleneck.h, allowance.h, memory_peak.h); when a change against
 * earlier runs is news is in report/history/history_changes.h.
 */
#ifndef REPORT_VERDICT_VERDICT_H
#define REPORT_VERDICT_VERDICT_H

#include <cjson/cJSON.h>

#include "core/base/buf.h"
#include "report/stats/asked.h"
#include "report/verdict/model_input.h"

/* Adds "verdict" to the model. */
void verdict_add(cJSON *model, const struct model_input *in);

typedef const char *verdict_level; /* "good", "info", "warn", "bad" */

/* text is empty before the call, and counts only where a level is returned. */
typedef verdict_level (*verdict_rule)(const struct model_input *in, struct buf *text);

/* A machine of this part of the size or less would do: the run had too much. */
#define VERDICT_TOO_BIG 0.5

/* -- rules outside of verdict.c ---------------------------------------------------------------- */

/* The ask, against what was used of it; and what to ask for next time. */
verdict_level verdict_asked_say(const struct model_input *in, struct buf *text);
verdict_level verdict_asked_advice(const struct model_input *in, struct buf *text);

/* The bytes that the next run may need beyond the memory that is proposed, which is from the lower
 * bound of the peak; else NAN. Of several nodes, nobody knows whose bound it is. */
double verdict_asked_may_need(const struct run *run, const struct advice *a);

/* Whether somebody asked for the resource, so that verdict_asked_say says what was used of it. */
bool verdict_asked_known(const struct run *run, enum asked_resource of);

/* The process that the end of the run waited for. */
verdict_level verdict_path_say(const struct model_input *in, struct buf *text);

/* Parts of a run of several nodes or tasks that were not recorded, or were unevenly used; whether
 * the nodes' clocks may differ; and how the elements of its job array ended. */
verdict_level verdict_parts_missing(const struct model_input *in, struct buf *text);
verdict_level verdict_parts_uneven(const struct model_input *in, struct buf *text);
verdict_level verdict_parts_clocks(const struct model_input *in, struct buf *text);
verdict_level verdict_parts_array(const struct model_input *in, struct buf *text);

#endif
