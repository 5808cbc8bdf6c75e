/* run_progress: --progress, one line on the terminal about the recording that runs. */
#include "collect/run_progress.h"

#include <math.h>
#include <unistd.h>

#define EVERY (SCHEDULE_SECOND / 4) /* at least, between two lines */

void run_progress_open(struct run *r)
{
	const double machine_b = r->machine ? r->snapshot.server.memory_b : (double)NAN;
	const double limit_b = r->limits.of.memory_b, cpus = r->limits.of.cpus;

	if (!r->o->progress)
		return;
	progress_line_open(&r->progress.line, STDERR_FILENO);
	r->progress.of = (struct progress_line_of){.job = r->tree != NULL,
	                                           .cpus = r->tree && cpus > 0 ? cpus : r->cpus,
	                                           .memory_b = machine_b};
	if (r->tree && limit_b > 0 && !(limit_b > machine_b))
		r->progress.of.memory_b = limit_b;
	r->progress.before = r->rows.first;
	r->progress.before.devices = NULL;
}

static const char *phase_now(const struct phases *p)
{
	return p && p->n && isnan(p->v[p->n - 1].end) ? p->v[p->n - 1].name : NULL;
}

void run_progress_show(struct run *r)
{
	struct run_progress *p = &r->progress;
	struct sample_shape shape = r->rows.shape;
	const int64_t lasted = r->sample.at - p->before.at;
	double row[METRIC_COUNT];

	if (p->line.fd < 0 || lasted < EVERY)
		return;
	shape.devices = NULL;
	sample_row(&p->before, &r->sample, &shape, &p->carry, row);
	sample_copy(&p->before, &r->sample);
	progress_line_show(
	    &p->line, &p->of,
	    &(struct progress_line_now){.elapsed_s = schedule_lasted(&r->schedule, r->sample.at),
	                                .row = row,
	                                .lasted_s = (double)lasted / 1e9,
	                                .phase = phase_now(r->phases)});
}

void run_progress_say(struct run *r, const char *sentence)
{
	progress_line_clear(&r->progress.line);
	r->say(sentence);
}
