/* verdict_compare: sentences on how other runs of --compare differ from this run, and how this run
 * differs from earlier ones. */
#include <math.h>

#include "report/stats/history.h"
#include "report/stats/state_use.h"
#include "report/stats/trend.h"
#include "report/units/difference_text.h"
#include "report/verdict/verdict.h"

#define SENTENCES_MAX 3    /* runs that get a sentence */
#define STATE_CHANGED 0.05 /* of the longer run's time: a smaller change of a state is not felt */

/* -- with --compare ---------------------------------------------------------------------------- */

static const char *compared_label(const struct model_input *in, size_t i)
{
	return buf_cstr(&in->compare->v[i].label);
}

static double compared_value(const struct model_input *in, enum trend_id id, size_t i)
{
	return trend_value(id, in->runs, in->compare->v[i].run, NAN);
}

static bool ended_well(const struct model_input *in, size_t i)
{
	return trend_ended(&in->runs->v[in->compare->v[i].run]);
}

/* ", 18 min more waiting for the disk": the state whose time differs most from the base's, where
 * that was felt. */
static void say_state_change(struct buf *text, const struct run *run, const struct run *base)
{
	struct state_use a = state_use_of(run), b = state_use_of(base);
	double most = 0, by = 0;
	int state = 0;

	for (int k = 0; a.known && b.known && k < STATES_N; k++)
		if (fabs(a.of[k].s - b.of[k].s) > fabs(by)) {
			by = a.of[k].s - b.of[k].s;
			state = k;
		}
	most = fmax(a.total_s, b.total_s);
	if (by != 0 && fabs(by) >= STATE_CHANGED * most)
		buf_printf(text, ", %s %s %s", UNITS_TEXT(UNIT_SECONDS, fabs(by)),
		           by > 0 ? "more" : "less", state_words[state].is);
}

/* " duration −10.0 s (−50%), …": run i against this run, which is the base of the table, too. */
static void add_differences(struct buf *text, const struct model_input *in, size_t i)
{
	char difference[96], percent[UNITS_SIZE + 8];
	const char *comma = "";

	for (int m = 0; m < TREND_MEASURES; m++) {
		double base = compared_value(in, (enum trend_id)m, 0);
		double v = compared_value(in, (enum trend_id)m, i);
		if (!trend_measures[m].spoken || !isfinite(v - base))
			continue;
		buf_printf(text, "%s %s %s", comma, trend_measures[m].name,
		           difference_text(trend_measures[m].unit, v - base, difference));
		if (*difference_percent_text(difference_percent(v, base), percent))
			buf_printf(text, " (%s)", percent);
		comma = ",";
	}
	if (!*comma)
		buf_str(text, " nothing that both measured");
	else
		say_state_change(text, &in->runs->v[in->compare->v[i].run],
		                 &in->runs->v[in->compare->v[0].run]);
}

/* Only runs that ended well count: a failed run that ended soon is not better. */
static void add_lowest(struct buf *text, const struct model_input *in, enum trend_id id,
                       const char *word)
{
	size_t best = in->compare->n, well = 0;

	for (size_t i = 0; i < in->compare->n; i++) {
		double v = compared_value(in, id, i);
		if (!ended_well(in, i) || !isfinite(v))
			continue;
		well++;
		if (best == in->compare->n || v < compared_value(in, id, best))
			best = i;
	}
	if (well > 1)
		buf_printf(text, " %s: %s (%s).", word, compared_label(in, best),
		           UNITS_TEXT(trend_measures[id].unit, compared_value(in, id, best)));
}

verdict_level verdict_compare_say(const struct model_input *in, struct buf *text)
{
	size_t n = in->compare ? in->compare->n : 0;

	for (size_t i = 1; i < n && i <= SENTENCES_MAX; i++) {
		if (i == 1)
			buf_printf(text, "Against %s (this run),", compared_label(in, 0));
		buf_printf(text, " %s%s:", compared_label(in, i),
		           ended_well(in, i) ? "" : ", which did not end well");
		add_differences(text, in, i);
		buf_str(text, ".");
	}
	if (n > 2) {
		add_lowest(text, in, TREND_DURATION, "Shortest");
		add_lowest(text, in, TREND_MEMORY, "Least memory");
	}
	return text->len ? "info" : NULL;
}

/* -- earlier runs ------------------------------------------------------------------------------ */

/* " duration +12%", with the number of runs if not all used ones have the measure. */
static bool add_change(struct buf *text, const char *name, double now,
                       const struct trend_noise *past, size_t used)
{
	double percent = stats_round((now / past->mean - 1) * 100, 0);

	if (!isfinite(percent))
		return false;
	buf_printf(text, "%s %s %s%s", text->len ? "," : "", name, percent >= 0 ? "+" : "\u2212",
	           UNITS_PERCENT(fabs(percent)));
	if (past->n < used)
		buf_printf(text, " (of %zu)", past->n);
	return true;
}

/* " 62% of the time it waited for the disk; in earlier runs it was 30%.", of each state beyond the
 * noise. */
static void say_states_beyond(struct buf *text, const struct runs *r)
{
	for (int k = 0; k < STATES_N; k++) {
		struct trend_noise past;
		double now = state_use_sampled(&r->v[0], (enum states_id)k);
		if (trend_noise_of_state((enum states_id)k, r, &past) ||
		    !trend_beyond(&past, now) || fabs(now - past.median) < STATE_CHANGED)
			continue;
		buf_printf(text, " %s of the time it %s; in earlier runs it was %s.",
		           UNITS_SHARE(now), state_words[k].was, UNITS_SHARE(past.median));
	}
}

verdict_level verdict_compare_history(const struct model_input *in, struct buf *text)
{
	size_t used = history_used(in->runs);
	struct buf changes = {0}, outliers = {0};
	char runs[HISTORY_TEXT];
	bool worse = false;

	if (in->compare)
		return NULL; /* verdict_compare_say says how this run differs */
	for (int i = 0; i < TREND_MEASURES; i++) {
		const struct trend_measure *m = &trend_measures[i];
		double now = trend_value((enum trend_id)i, in->runs, 0, NAN);
		struct trend_noise past;
		/* How long a running job took is not known yet (say_time_left). */
		if (i == TREND_DURATION && in->runs->v[0].status == RUN_RUNNING)
			continue;
		if (!m->spoken || trend_noise((enum trend_id)i, in->runs, NAN, &past))
			continue;
		if (!add_change(&changes, m->name, now, &past, used) ||
		    !trend_ended(&in->runs->v[0]) || !trend_beyond(&past, now))
			continue;
		buf_printf(&outliers, "%s%s", outliers.len ? " and " : "", m->name);
		worse |= m->less_is_good && now > past.median;
	}
	if (changes.len) {
		history_used_text(in->runs, runs);
		buf_printf(text, "Against the average of %s:%s.", runs, buf_cstr(&changes));
		if (outliers.len)
			buf_printf(text, " Beyond their usual spread: %s.", buf_cstr(&outliers));
		if (trend_ended(&in->runs->v[0]))
			say_states_beyond(text, in->runs);
	}
	buf_free(&changes);
	buf_free(&outliers);
	return !text->len ? NULL : worse ? "warn" : "info";
}
