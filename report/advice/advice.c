/* advice: resources to request for the next run, each with its formula. */
#include "report/advice/advice.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/head/cpu_demand.h"
#include "core/numbers/stats.h"

#define LONGER    1.5             /* × the longest run */
#define MIB_MAX   1099511627776.0 /* of a step: 2^40 MiB */
#define COUNT_MAX 1e6             /* of CPUs and GPUs */
#define TIME_MAX  5256000.0       /* minutes: ten years */

static bool is_measured(double v)
{
	return isfinite(v) && v >= 0;
}

static long whole_count(double v)
{
	double n = stats_round(v, 0);

	if (n < 1)
		return 1;
	return n > COUNT_MAX ? (long)COUNT_MAX : (long)n;
}

long advice_step(double mib)
{
	for (long step = 128; step <= 2048; step *= 2)
		if (!(mib > (double)step))
			return step;
	return mib > MIB_MAX ? (long)MIB_MAX : (long)ceil(mib / 1024) * 1024;
}

int advice_known(const char *formula)
{
	return *formula && strcmp(formula, ADVICE_NOT_MEASURED) != 0;
}

/* %.2f of a huge number would be 300 digits long. */
static void number_text(double v, char out[32])
{
	snprintf(out, 32, v < 1e15 ? "%.2f" : "%.3g", v);
}

static long step_with_formula(double mib, const char *what, double times, char *out, size_t size)
{
	long step = advice_step(mib * times);
	char peak[32], more[32];

	number_text(mib, peak);
	number_text(mib * times, more);
	snprintf(out, size, "step(%s MiB %s × %g = %s MiB) = %ld MiB", peak, what, times, more,
	         step);
	return step;
}

static void advise_memory(const struct advice_input *in, struct advice *out)
{
	bool died = is_measured(in->memory_died_mib) && in->memory_died_mib > 0;
	char peak[160] = "", had[160];
	long step;

	if (is_measured(in->memory_max_mib))
		out->peak_mib = step_with_formula(in->memory_max_mib, "peak", ADVICE_HEADROOM, peak,
		                                  sizeof peak);
	if (*peak)
		snprintf(out->memory_formula, sizeof out->memory_formula, "%s", peak);
	out->memory_mib = out->peak_mib;
	if (in->memory_how && is_measured(in->memory_ask_mib)) {
		out->memory_mib = (long)in->memory_ask_mib;
		snprintf(out->memory_formula, sizeof out->memory_formula, "%s", in->memory_how);
	}
	if (!died)
		return;
	step = step_with_formula(in->memory_died_mib, "that were too little", ADVICE_KILLED, had,
	                         sizeof had);
	if (step < out->memory_mib || step <= out->peak_mib)
		return;
	out->memory_mib = step;
	snprintf(out->memory_formula, sizeof out->memory_formula, "%s%s%s", had,
	         *peak ? ", more than " : "", peak);
}

static long whole_with_formula(double v, const char *what, const char *unit, char *out, size_t size)
{
	long n = whole_count(v);
	char text[32];

	number_text(v, text);
	snprintf(out, size, "max(1, round(%s %s)) = %ld %s%s", text, what, n, unit,
	         n == 1 ? "" : "s");
	return n;
}

static void advise_cpus(const struct advice_input *in, struct advice *out)
{
	char mean[96], cores[32], rest[sizeof out->cpu_formula];
	double needed;

	if (!is_measured(in->cpu_mean))
		return;
	out->cpu_mean = whole_with_formula(in->cpu_mean, "mean cores", "CPU", mean, sizeof mean);
	out->cpu = out->cpu_mean;
	snprintf(out->cpu_formula, sizeof out->cpu_formula, "%s", mean);
	if (in->by_time.known) {
		out->by_time = in->by_time;
		out->cpu = (long)fmin(in->by_time.cpus, COUNT_MAX);
		cpu_rule_formula(&in->by_time, out->cpu_formula, sizeof out->cpu_formula);
	}
	needed = is_measured(in->cpu_needed) ? cpu_demand_cpus(in->cpu_needed) : 0;
	if (needed <= (double)out->cpu)
		return;
	out->cpu = (long)fmin(needed, COUNT_MAX);
	number_text(in->cpu_needed, cores);
	memcpy(rest, out->cpu_formula, sizeof rest);
	snprintf(out->cpu_formula, sizeof out->cpu_formula,
	         "%s cores without its waits for a CPU, rounded up = %ld CPUs, more than %.240s",
	         cores, out->cpu, rest);
}

static void advise_gpus(const struct advice_input *in, struct advice *out)
{
	if (!is_measured(in->gpu_mean) || !is_measured(in->gpu_max))
		return;
	if (in->gpu_mean > 0)
		out->gpu = whole_with_formula(in->gpu_max, "GPUs at the peak", "GPU",
		                              out->gpu_formula, sizeof out->gpu_formula);
	else
		snprintf(out->gpu_formula, sizeof out->gpu_formula, "mean GPU usage is 0: 0 GPUs");
}

static void advise_vram(const struct advice_input *in, struct advice *out)
{
	if (!is_measured(in->vram_max_mib))
		return;
	if (in->vram_max_mib > 0)
		out->vram_mib = step_with_formula(in->vram_max_mib, "peak", ADVICE_HEADROOM,
		                                  out->vram_formula, sizeof out->vram_formula);
	else
		snprintf(out->vram_formula, sizeof out->vram_formula, "peak is 0: 0 MiB");
}

static void advise_time(const struct advice_input *in, struct advice *out)
{
	bool fitted = is_measured(in->time_most_s) && in->time_most_s > 0;
	double most_s = fitted ? in->time_most_s : in->longest_s;
	double minutes = ceil(most_s * LONGER / 60);
	char most[32], more[32], runs[48];

	if (in->finished < ADVICE_TIME_RUNS || !is_measured(in->longest_s))
		return;
	out->time_min = minutes < 1 ? 1 : (long)fmin(minutes, TIME_MAX);
	out->time_s = most_s * LONGER;
	number_text(most_s, most);
	number_text(out->time_s, more);
	snprintf(runs, sizeof runs, "the longest of %zu runs", in->finished);
	snprintf(out->time_formula, sizeof out->time_formula,
	         "whole minutes of (%s s, %s, × %g = %s s) = %ld min", most,
	         fitted ? "by the input at most" : runs, LONGER, more, out->time_min);
}

void advice_take_longer(struct advice *a, double longer)
{
	size_t n = strlen(a->time_formula);
	double minutes = fmin(ceil(a->time_s * longer / 60), TIME_MAX);

	if (!(longer > 1) || !a->time_min || !(minutes > (double)a->time_min))
		return;
	a->time_min = (long)minutes;
	snprintf(a->time_formula + n, sizeof a->time_formula - n,
	         ", × %.2f with %ld CPU%s = %ld min", longer, a->cpu, a->cpu == 1 ? "" : "s",
	         a->time_min);
}

/* With the CPUs that are proposed, against how long the runs took. */
static double times_as_long(const struct advice *a)
{
	const struct cpu_rule *c = &a->by_time;

	return c->known && (double)a->cpu < c->asked
	           ? time_at_free_cpus(&c->sums, (double)a->cpu).s / c->sums.wall_s
	           : (double)NAN;
}

void advice_make(const struct advice_input *in, struct advice *out)
{
	*out = (struct advice){
	    .cpu_formula = ADVICE_NOT_MEASURED,
	    .memory_formula = ADVICE_NOT_MEASURED,
	    .gpu_formula = ADVICE_NOT_MEASURED,
	    .vram_formula = ADVICE_NOT_MEASURED,
	    .time_formula = ADVICE_NOT_MEASURED,
	};
	advise_cpus(in, out);
	advise_memory(in, out);
	advise_gpus(in, out);
	advise_vram(in, out);
	advise_time(in, out);
	advice_take_longer(out, times_as_long(out));
}
