/*
 * verdict: the plain sentences at the top of a report.
 *
 * A rule writes one sentence or two with their numbers and returns their level, or NULL where the
 * facts are missing: the verdict says nothing about what was not measured. The facts and their
 * thresholds are in report/stats (bottleneck.h, allowance.h, memory_peak.h, gpu_busy.h); when a
 * change against earlier runs is news is in change_detect.h.
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

/* verdict_usage.c: what was used of what there was, and what to ask for. */
verdict_level verdict_say_memory(const struct model_input *in, struct buf *text);
verdict_level verdict_say_cpu(const struct model_input *in, struct buf *text);
verdict_level verdict_say_gpu(const struct model_input *in, struct buf *text);
verdict_level verdict_say_advice(const struct model_input *in, struct buf *text);

/* What a run had, or was asked for, over all its nodes; NAN: unknown. */
struct verdict_size {
	double cpus, memory_b, gpus, nodes;
};

/* What it says of that size that the advice is for another: "half of the CPUs, or less, would have
 * been enough". NULL: nothing. */
const char *verdict_size_words(const struct model_input *in, const struct verdict_size *size);

/* verdict_asked.c: what was asked for, against what was used of it. */
verdict_level verdict_say_asked(const struct model_input *in, struct buf *text);

/* Whether somebody asked for the resource, so that verdict_say_asked says what was used of it. */
bool verdict_asked_known(const struct run *run, enum asked_resource of);

/* verdict_bottleneck.c: what held the job back. */
verdict_level verdict_say_bottleneck(const struct model_input *in, struct buf *text);

/* verdict_detail.c: a file system that the run filled. */
verdict_level verdict_say_file_systems(const struct model_input *in, struct buf *text);

/* verdict_parts.c: of a run of several nodes or tasks, what was not recorded, what was unevenly
 * used, and whether the nodes' clocks may differ. */
verdict_level verdict_say_parts_missing(const struct model_input *in, struct buf *text);
verdict_level verdict_say_parts_uneven(const struct model_input *in, struct buf *text);
verdict_level verdict_say_parts_clocks(const struct model_input *in, struct buf *text);

/* verdict_compare.c and verdict_history.c: how the run differs from others. */
verdict_level verdict_say_compare(const struct model_input *in, struct buf *text);
verdict_level verdict_say_history(const struct model_input *in, struct buf *text);

/* verdict_array.c: how the elements of its job array ended. */
verdict_level verdict_say_array(const struct model_input *in, struct buf *text);

/* -- parts of verdict_say_bottleneck, in verdict_idle.c ---------------------------------------- */

/* Of a job that used next to no CPU and did not wait for one; NULL of others. */
verdict_level verdict_say_idle(const struct run *run, struct buf *text);

/* That nothing held the job back; NULL where something did, or not all of it was measured. */
verdict_level verdict_say_nothing(const struct run *run, struct buf *text);

#endif
