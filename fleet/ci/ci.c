/* ci: the runs of CI jobs, and which runner each job should have. */
#include "fleet/ci/ci.h"

#include <stdlib.h>

double ci_monthly(const struct ci *c, double v)
{
	return v * CI_MONTH_S / c->period_s;
}

void ci_free_job(struct ci_job *j)
{
	for (size_t i = 0; i < j->n_steps; i++)
		free(j->step[i].name);
	free(j->provider);
	free(j->repository);
	free(j->workflow);
	free(j->name);
	free(j->run);
	*j = (struct ci_job){.n = 0};
}

void ci_free(struct ci *c)
{
	for (size_t i = 0; c->v && i < c->n; i++)
		ci_free_job(&c->v[i]);
	free(c->v);
	*c = (struct ci){.n = 0};
}
