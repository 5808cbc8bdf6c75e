/* verdict_compare: with --compare, the sentences on how this run differs from the others. */
#include <math.h>

#include "report/stats/trend.h"
#include "report/units/difference_text.h"
#include "report/verdict/verdict.h"

#define SENTENCES_MAX 3 /* runs that get a sentence */

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

/* " duration −10.0 s (−50%), …": this run against run i. */
static void add_differences(struct buf *text, const struct model_input *in, size_t i)
{
	char difference[96], percent[UNITS_SIZE + 8];
	const char *comma = "";

	for (int m = 0; m < TREND_MEASURES; m++) {
		double now = compared_value(in, (enum trend_id)m, 0);
		double then = compared_value(in, (enum trend_id)m, i);
		if (!trend_measures[m].spoken || !isfinite(now - then))
			continue;
		buf_printf(text, "%s %s %s", comma, trend_measures[m].name,
		           difference_text(trend_measures[m].unit, now - then, difference));
		if (*difference_percent_text(difference_percent(now, then), percent))
			buf_printf(text, " (%s)", percent);
		comma = ",";
	}
	if (!*comma)
		buf_str(text, " nothing that both measured");
}

/* Only runs that ended well count: a failed run that ended soon is no better. */
static void add_lowest(struct buf *text, const struct model_input *in, enum trend_id id,
                       const char *word)
{
	size_t best = in->compare->n, well = 0;
	char value[64];

	for (size_t i = 0; i < in->compare->n; i++) {
		double v = compared_value(in, id, i);
		if (!ended_well(in, i) || !isfinite(v))
			continue;
		well++;
		if (best == in->compare->n || v < compared_value(in, id, best))
			best = i;
	}
	if (well > 1)
		buf_printf(
		    text, " %s: %s (%s).", word, compared_label(in, best),
		    units_text(trend_measures[id].unit, compared_value(in, id, best), NULL, value));
}

verdict_level verdict_say_compare(const struct model_input *in, struct buf *text)
{
	size_t n = in->compare ? in->compare->n : 0;

	for (size_t i = 1; i < n && i <= SENTENCES_MAX; i++) {
		buf_printf(text, "%sAgainst %s%s:", i > 1 ? " " : "", compared_label(in, i),
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
