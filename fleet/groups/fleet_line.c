/* fleet_line: memory as a line over the input of a group's runs. */
#include "fleet/groups/fleet_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "report/advice/memory_input.h"

#define KNOWN 0.95 /* of the runs */

static double runs_with_input(const struct catalog_detail *v)
{
	double runs = 0;

	for (size_t i = 0; i < v->n_inputs; i++)
		runs += v->input[i].runs;
	return runs;
}

/* At most `max` points, in the order of the buckets; each stands for so many runs. */
static size_t fill_points(const struct catalog_detail *v, double runs, size_t max,
                          struct memory_point *out)
{
	double each = fmax(1, runs / (double)max), due = 0;
	size_t n = 0;

	for (size_t i = 0; i < v->n_inputs; i++) {
		const struct catalog_input *b = &v->input[i];
		double killed = b->oom;
		for (due += b->runs; due >= each && n < max; due -= each, killed -= each)
			out[n++] = (struct memory_point){b->input_b, b->memory_b, killed > 0};
	}
	return n;
}

/* GiB-hours that the same ask for each run wastes; a run that was killed fails. */
static double wasted_with(const struct memory_point *v, size_t n, double ask_b)
{
	double wasted = 0;

	for (size_t i = 0; i < n; i++)
		wasted += v[i].more || v[i].y > ask_b ? ask_b : ask_b - v[i].y;
	return wasted;
}

void fleet_line_make(const struct catalog_detail *v, double counted, double ask_b,
                     struct fleet_line *out)
{
	double runs = runs_with_input(v), fixed;
	struct memory_point *point;
	struct memory_fit fit;
	size_t n;

	*out = (struct fleet_line){.known = 0};
	if (!(runs >= MEMORY_FIT_RUNS) || !(runs >= KNOWN * counted))
		return;
	n = (size_t)fmin(runs, (double)FLEET_LINE_POINTS);
	if (!(point = alloc_failed_note(malloc(n * sizeof *point))))
		return;
	memory_fit_make(point, fill_points(v, runs, n, point), &fit);
	n = n < FLEET_LINE_TRIED ? n : FLEET_LINE_TRIED;
	n = fit.usable ? fill_points(v, runs, n, point) : 0;
	if (n) {
		out->fit = fit;
		memory_fit_try(point, n, &out->trial);
		fixed = wasted_with(point, n, ask_b);
		out->known = out->trial.runs && out->trial.wasted < fixed ? runs : 0;
		out->fixed_wasted_b = fixed;
	}
	free(point);
}

void fleet_line_advice(const struct fleet_line *line, struct advice_line *out)
{
	if (line->known > 0)
		memory_input_line(&line->fit, out);
}
