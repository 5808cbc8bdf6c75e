/* job_cut: recordings that stop before the end of their job. */
#include "fleet/scan/job_cut.h"

#include <math.h>

#include "core/recording/snapshot.h"

#define AFTER_S (12 * 3600) /* no run ends so much after its job */

static double cut_number(const struct job_row *r, enum rtrack_row_id id)
{
	return r->row->of[id].number;
}

/* The only recording of a job that stops early, and began late, stands for all of it. Its start
 * stays, by which a recording that is recovered later is known. */
static void cover_job(struct job_row *v, size_t n)
{
	struct job_row *only = NULL;
	double *wall, latest;

	for (size_t i = 0; i < n; i++) {
		if (!job_row_recorded(&v[i].run))
			continue;
		if (only)
			return;
		only = &v[i];
	}
	if (!only || !only->cut)
		return;
	wall = &only->row->of[RTRACK_ROW_WALL].number;
	latest = only->job_start + only->job_wall_s + AFTER_S;
	*wall = fmax(*wall, fmin(only->job_wall_s, latest - cut_number(only, RTRACK_ROW_START)));
}

/* Recordings that stop early lack what accounting has beyond all recordings. */
static void add_missing_cpu(struct job_row *v, size_t n)
{
	double recorded = 0, said = NAN;
	size_t cut = 0;

	for (size_t i = 0; i < n; i++) {
		if (!job_row_recorded(&v[i].run))
			continue;
		recorded += fmax(cut_number(&v[i], RTRACK_ROW_CPU), 0);
		said = v[i].cut ? v[i].run.accounted_cpu_s : said;
		cut += v[i].cut;
	}
	if (!(said > recorded))
		return;
	for (size_t i = 0; i < n; i++) {
		double cpu =
		    fmax(cut_number(&v[i], RTRACK_ROW_CPU), 0) + (said - recorded) / (double)cut;
		double most =
		    cut_number(&v[i], RTRACK_ROW_WALL) * cut_number(&v[i], RTRACK_ROW_VCPUS);
		if (v[i].cut && !(cpu > most)) /* else it is of steps on other nodes */
			v[i].row->of[RTRACK_ROW_CPU].number = cpu;
	}
}

/* The peak of a row, with that of the rows inside of it, is at least accounting's. */
void job_cut_raise_peaks(struct job_row *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct job_row *outer = &v[i];
		double *peak = &outer->row->of[RTRACK_ROW_MEMORY_PEAK].number;
		double said = outer->run.accounted_memory_b;
		bool cut = outer->cut;
		for (size_t k = 0; k < n; k++)
			cut = cut || (v[k].cut && v[k].outer == outer);
		if (said > cut_number(outer, RTRACK_ROW_MACHINE_MEMORY))
			continue;
		if (!cut || outer->run.inside || !(said > fmax(*peak, 0) + outer->run.inner.peak_b))
			continue;
		outer->row->of[RTRACK_ROW_MEMORY_KNOWN].text = SNAPSHOT_MEMORY_BOUND;
		if (outer->cut)
			*peak = said - outer->run.inner.peak_b;
		else
			outer->run.inner.peak_b = said - fmax(*peak, 0);
	}
}

void job_cut_complete(struct job_row *v, size_t n)
{
	cover_job(v, n);
	add_missing_cpu(v, n);
}
