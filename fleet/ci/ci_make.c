/* ci_make: rows of a catalog → CI jobs, each with its runner. */
#include "fleet/ci/ci_make.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "fleet/ci/ci_choose.h"
#include "fleet/ci/ci_gather.h"
#include "fleet/groups/fleet_ask.h"

/* What was asked for with --since, else from the first run to the last, as where older ones were
 * not read. */
static double period_of(const struct ci *c, const struct ci_input *in)
{
	bool since = in->query->since > 0 && !c->cut;
	double from = since ? in->query->since : c->first;
	double to = c->last;

	if (since)
		to =
		    in->query->until > 0 && in->query->until < in->now ? in->query->until : in->now;
	return to - from >= 86400 ? to - from : (double)NAN;
}

static int by_change(const void *a, const void *b)
{
	const struct ci_job *x = a, *y = b;
	double more = ci_choose_saves(y) - ci_choose_saves(x);
	int order;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (more < 0 || more > 0)
		return more < 0 ? -1 : 1;
	if ((order = strcmp(x->repository, y->repository)) != 0 ||
	    (order = strcmp(x->workflow, y->workflow)) != 0)
		return order;
	return strcmp(x->name, y->name);
}

int ci_make(struct ci *out, const struct ci_input *in, struct err *e)
{
	double slowdown =
	    in->policy.slowdown == 0 ? FLEET_TIME_SLOWDOWN : fmax(in->policy.slowdown, 0);
	size_t most = 0;
	double *scratch;

	if (ci_gather(out, in, e))
		return -1;
	for (size_t i = 0; i < out->n; i++)
		most = out->v[i].n > most ? out->v[i].n : most;
	scratch = alloc_failed_note(calloc(most + 1, sizeof *scratch));
	if (!scratch)
		return err_set(e, "no memory");
	for (size_t i = 0; i < out->n; i++)
		ci_choose(&out->v[i], in->prices, fleet_ask_lambda(&in->policy), slowdown, scratch);
	free(scratch);
	out->period_s = period_of(out, in);
	qsort(out->v, out->n, sizeof *out->v, by_change);
	return 0;
}
