/* memory_input: which number the memory of a job is fitted over. */
#include "report/advice/memory_input.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/quantity.h"
#include "report/advice/advice.h"

#define PLACES_MAX 8 /* places on the command line that are tried */

double memory_input_bytes(const struct memory_input *in, const struct memory_run *run)
{
	const char *text = run->sizes;
	struct job_inputs_size one;
	double found = NAN;

	if (in->of == MEMORY_INPUT_ALL)
		return run->need.input_b;
	if (in->of == MEMORY_INPUT_LARGEST && !job_inputs_sizes_whole(text))
		return NAN;
	while (in->of != MEMORY_INPUT_NONE && job_inputs_sizes_next(&text, &one)) {
		if (in->of == MEMORY_INPUT_LARGEST)
			found = fmax(found, one.bytes);
		else if (strcmp(one.at, in->at) == 0)
			found = isnan(found) ? one.bytes : found + one.bytes;
	}
	return found;
}

/* The line over this input; the trial has no runs without a usable one. */
static void try_input(const struct memory_input *in, const struct memory_run *v, size_t n,
                      struct memory_point *point, struct memory_fit *fit,
                      struct memory_trial *trial)
{
	for (size_t i = 0; i < n; i++) {
		const struct memory_need *need = &v[i].need;
		point[i].x = memory_input_bytes(in, &v[i]);
		point[i].y = need->killed ? need->limit_b : need->need_b;
		point[i].more = need->killed;
	}
	memory_fit_make(point, n, fit);
	*trial = (struct memory_trial){0};
	if (fit->usable)
		memory_fit_try(point, n, trial);
}

/* Whether all runs whose inputs are known have one there. */
static bool all_have(const struct memory_input *in, const struct memory_run *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isnan(v[i].need.input_b) && isnan(memory_input_bytes(in, &v[i])))
			return false;
	return true;
}

/* All, the largest, and places of the last run with inputs. */
static size_t tried_inputs(const struct memory_run *v, size_t n,
                           struct memory_input out[2 + PLACES_MAX])
{
	size_t many = 0, k = 2, last = n;
	struct job_inputs_size one;

	out[0] = (struct memory_input){.of = MEMORY_INPUT_ALL};
	out[1] = (struct memory_input){.of = MEMORY_INPUT_LARGEST};
	while (last > 0 && isnan(v[last - 1].need.input_b))
		last--;
	if (!last)
		return 0;
	for (const char *at = v[last - 1].sizes; job_inputs_sizes_next(&at, &one); many++) {
		if (k == 2 + PLACES_MAX)
			continue;
		out[k].of = MEMORY_INPUT_AT;
		memcpy(out[k].at, one.at, sizeof one.at);
		k += all_have(&out[k], v, n);
	}
	/* If a job has a single input, all measures of its size are the same. */
	for (size_t i = 0; many < 2 && i < n; i++) {
		const char *at = v[i].sizes;
		if (job_inputs_sizes_next(&at, &one) && *at)
			many = 2;
	}
	return many < 2 ? 1 : k;
}

struct memory_input memory_input_choose(const struct memory_run *v, size_t n,
                                        struct memory_point *point, struct memory_fit *fit,
                                        struct memory_trial *trial)
{
	struct memory_input all[2 + PLACES_MAX], best = {MEMORY_INPUT_NONE, ""};
	size_t count = tried_inputs(v, n, all);
	double least = INFINITY;

	for (size_t i = 0; i < count; i++) {
		double wasted;
		try_input(&all[i], v, n, point, fit, trial);
		/* Inputs that fewer runs have are compared by the mean. */
		wasted = trial->wasted / (double)trial->runs;
		if (trial->runs && wasted < least) {
			least = wasted;
			best = all[i];
		}
	}
	try_input(&best, v, n, point, fit, trial);
	return best;
}

void memory_input_name(const struct memory_input *in, char out[64])
{
	if (in->of != MEMORY_INPUT_AT)
		snprintf(out, 64, "%s",
		         in->of == MEMORY_INPUT_LARGEST ? "the largest input" : "the input");
	else if (isdigit((unsigned char)*in->at))
		snprintf(out, 64, "the input given as argument %s", in->at);
	else
		snprintf(out, 64, "the input of %s", in->at);
}

/* The chord of a convex function is above it. */
void memory_input_line(const struct memory_fit *fit, struct advice_line *out)
{
	double from = fit->least_x, to = fit->most_x * MEMORY_FIT_FAR;
	double low = memory_fit_ask_convex(fit, from) / QUANTITY_MIB;
	double high = memory_fit_ask_convex(fit, to) / QUANTITY_MIB;

	*out = (struct advice_line){.of = ADVICE_LINE_ALL, .name = "the input"};
	out->mib_per_byte = (high - low) / (to - from);
	out->constant_mib = low - out->mib_per_byte * from;
	out->least_mib = low;
}
