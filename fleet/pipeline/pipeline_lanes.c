/* pipeline_lanes: the first free lane for each attempt, in the order of their starts. */
#include "fleet/pipeline/pipeline_lanes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Lanes of one process, or of all (-1); returns how many. busy_to: room for all attempts. */
static size_t fill_lanes(const struct pipeline *p, long process, size_t first, double *busy_to,
                         size_t *lane)
{
	size_t lanes = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct pipeline_attempt *a = &p->attempt[i];
		size_t at = 0;
		if (!pipeline_dated(a) || (process >= 0 && a->of_process != (size_t)process))
			continue;
		while (at < lanes && busy_to[at] > a->start)
			at++;
		if (at == lanes)
			lanes++;
		busy_to[at] = a->end;
		lane[i] = first + at;
	}
	return lanes;
}

int pipeline_lanes_make(const struct pipeline *p, bool together, struct pipeline_lanes *out,
                        struct err *e)
{
	double *busy_to = calloc(p->n + 1, sizeof *busy_to);

	*out = (struct pipeline_lanes){.lane = calloc(p->n + 1, sizeof *out->lane),
	                               .first = calloc(p->n_processes + 2, sizeof *out->first)};
	if (!busy_to || !out->lane || !out->first) {
		free(busy_to);
		pipeline_lanes_free(out);
		return err_set(e, "%s", strerror(ENOMEM));
	}
	for (size_t k = 0; k < (together ? 1 : p->n_processes); k++) {
		out->first[k] = out->n;
		out->n += fill_lanes(p, together ? -1 : (long)k, out->n, busy_to, out->lane);
	}
	out->first[together ? 1 : p->n_processes] = out->n;
	free(busy_to);
	return 0;
}

void pipeline_lanes_free(struct pipeline_lanes *l)
{
	free(l->lane);
	free(l->first);
	*l = (struct pipeline_lanes){0};
}
