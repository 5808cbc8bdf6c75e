/* confidence: judges the runs behind the advice in one sentence. */
#include "report/advice/confidence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/stats/fail_bound.h"
#include "report/stats/memory_peak.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"

static void count_run(const struct run *run, struct confidence_basis *b)
{
	double peak = usage_stats(USAGE_MEMORY, run)->max;

	b->runs++;
	b->open += memory_peak_is_open(run);
	b->killed += isnan(memory_peak_too_little(run)) ? 0 : 1;
	b->samples = run->samples > b->samples ? run->samples : b->samples;
	if (!(run->duration >= b->shortest_s))
		b->shortest_s = run->duration;
	if (!(run->duration <= b->longest_s)) {
		b->longest_s = run->duration;
		b->interval_s = run->interval;
	}
	b->memory_min_b = fmin(b->memory_min_b, peak > 0 ? peak : (double)NAN);
	b->memory_max_b = fmax(b->memory_max_b, peak > 0 ? peak : (double)NAN);
}

void confidence_basis_of(const struct runs *r, struct confidence_basis *out)
{
	enum run_status status = r->v[0].status;

	*out = (struct confidence_basis){
	    .shortest_s = NAN,
	    .longest_s = NAN,
	    .interval_s = NAN,
	    .memory_min_b = NAN,
	    .memory_max_b = NAN,
	    .whole = status == RUN_FINISHED || status == RUN_UNKNOWN,
	};
	for (size_t i = 0; i < r->n; i++)
		if (i == 0 || r->v[i].shows_need)
			count_run(&r->v[i], out);
}

static void say_length(const struct confidence_basis *b, struct buf *text)
{
	char shortest[64], longest[64];

	if (isnan(b->longest_s)) {
		buf_str(text, " of unknown length");
		return;
	}
	units_text(UNIT_SECONDS, b->shortest_s, NULL, shortest);
	units_text(UNIT_SECONDS, b->longest_s, NULL, longest);
	if (b->runs == 1)
		buf_printf(text, " of %s", longest);
	else if (strcmp(shortest, longest) == 0)
		buf_printf(text, " of %s each", longest);
	else
		buf_printf(text, " of %s to %s", shortest, longest);
}

static void say_runs(const struct confidence_basis *b, struct buf *text)
{
	if (b->runs == 1)
		buf_str(text, "From one run");
	else
		buf_printf(text, "From %zu runs", b->runs);
	say_length(b, text);
	buf_printf(text, " with %s%zu sample%s", b->runs > 1 ? "up to " : "", b->samples,
	           b->samples == 1 ? "" : "s");
	units_sample_interval(b->samples, b->longest_s, b->interval_s, text);
	if (b->killed && b->runs > 1)
		buf_printf(text, ", %zu of them killed for memory", b->killed);
	buf_str(text, ": ");
}

/* The chance that the next run needs more than any of these, at most. */
static double more_at_most(const struct confidence_basis *b)
{
	return fail_bound((double)b->killed, (double)b->runs);
}

static bool memory_differs(const struct confidence_basis *b)
{
	return b->memory_max_b > CONFIDENCE_SPREAD * b->memory_min_b;
}

/* The first that applies is said; NULL: none does. */
static const char *why_weak(const struct confidence_basis *b)
{
	if (isnan(b->longest_s))
		return "too little is known to rely on";
	if (b->longest_s < CONFIDENCE_SECONDS)
		return "too short to rely on";
	if (b->samples < CONFIDENCE_SAMPLES)
		return "too few samples to rely on; a shorter interval takes more";
	if (b->open > b->runs / 2)
		return "processes whose memory is not known lived between samples";
	if (b->runs == 1 && !b->whole)
		return "it did not finish, and a complete run may need more";
	return NULL;
}

static const char *why_fair(const struct confidence_basis *b)
{
	if (b->runs == 1)
		return "a first guess; another run may need more";
	if (b->runs < CONFIDENCE_RUNS_SOME)
		return "a guess; too few runs to show how they differ";
	if (memory_differs(b))
		return "runs differ much in memory, and a later one may need more";
	return more_at_most(b) > CONFIDENCE_GOOD ? "" : NULL;
}

void confidence_say(const struct confidence_basis *b, struct confidence *out)
{
	struct buf text = {.max = sizeof out->text};
	const char *why = why_weak(b);

	out->word = why ? "weak" : "fair";
	out->level = why ? "warn" : "info";
	if (!why)
		why = why_fair(b);
	if (!why) {
		out->word = out->level = "good";
		why = "enough to rely on";
	}
	say_runs(b, &text);
	buf_str(&text, why);
	if (b->runs >= CONFIDENCE_RUNS_SOME)
		buf_printf(&text, "%sat most %s of runs like these need more than any of them",
		           *why ? "; " : "", UNITS_SHARE(more_at_most(b)));
	buf_char(&text, '.');
	snprintf(out->text, sizeof out->text, "%s", buf_cstr(&text));
	buf_free(&text);
}
