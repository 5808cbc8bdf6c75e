/* verdict_path: the critical path of a run in words. */
#include "report/verdict/verdict_path.h"

#include <math.h>
#include <string.h>

#include "report/units/model_json.h"
#include "report/verdict/verdict.h"

#define LEAST_PROCESSES 3
#define LEAST_S         1.0
#define LEAST_SHARE     0.05 /* of the run */
#define MOST_SHARE      0.95 /* it was nearly all of the run */
#define HEAD_SHARE      0.1  /* worth a sentence of the verdict from here on, */
#define HEAD_BEFORE     1.5  /* if so many processes ran at once before */
#define ONE_CORE        0.9  /* as many cores, or more, */
#define ONE_CORE_MOST   1.05 /* are one */

bool verdict_path_job(const struct run *run, struct critical_path_job *out)
{
	const struct snapshot *s = &run->snapshot;

	*out = (struct critical_path_job){
	    .pid = s->meta.pid, .duration_s = run->duration, .interval_s = run->interval};
	return s->tree && s->tree->kept && !s->tree->largest && s->tree->n >= LEAST_PROCESSES &&
	       run->duration > 0 && isfinite(run->duration) && isfinite(run->start);
}

static bool last_is_worth(const struct run *run, const struct critical_path_last *last)
{
	double s = last->to_s - last->from_s, share = s / run->duration;

	return last->at >= 0 && s >= LEAST_S && share >= LEAST_SHARE && share <= MOST_SHARE;
}

void verdict_path_last(const struct run *run, const struct critical_path *path, struct buf *out)
{
	const struct critical_path_last *last = &path->last;
	const struct process_tree *t = run->snapshot.tree;

	if (!last_is_worth(run, last))
		return;
	buf_printf(out, "%s last %s were one process alone, ",
	           strcmp(t->source, PROCESS_TREE_EVENTS) == 0 ? "The"
	                                                       : "As far as samples show, the",
	           UNITS_SECONDS(last->to_s - last->from_s));
	model_json_cut_text(out, *t->of[last->at].name ? t->of[last->at].name : "unknown",
	                    MODEL_JSON_NAME_MAX);
	if (last->cores >= ONE_CORE && last->cores <= ONE_CORE_MOST)
		buf_str(out, ", on one core");
	else if (last->cores >= 0)
		buf_printf(out, ", using %s", UNITS_BUSY(last->cores));
	buf_char(out, '.');
}

verdict_level verdict_path_say(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	struct critical_path_job job;
	struct critical_path path;

	if (!verdict_path_job(run, &job) || critical_path_of(run->snapshot.tree, &job, &path))
		return NULL;
	if (last_is_worth(run, &path.last) && path.last.before >= HEAD_BEFORE &&
	    path.last.to_s - path.last.from_s >= HEAD_SHARE * run->duration)
		verdict_path_last(run, &path, text);
	critical_path_free(&path);
	return text->len ? "info" : NULL;
}
