/* verdict_history: the sentence that compares the run with earlier ones. */
#include <math.h>

#include "report/stats/history.h"
#include "report/stats/trend.h"
#include "report/verdict/verdict.h"

/* " duration +12%", with the number of runs if not all used ones have the measure. */
static bool add_change(struct buf *text, const char *name, double now,
                       const struct change_detect *past, size_t used)
{
	double percent = stats_round((now / past->mean - 1) * 100, 0);
	char number[UNITS_SIZE];

	if (!isfinite(percent))
		return false;
	buf_printf(text, "%s %s %s%s", text->len ? "," : "", name, percent >= 0 ? "+" : "\u2212",
	           units_percent(fabs(percent), number));
	if (past->n < used)
		buf_printf(text, " (of %zu)", past->n);
	return true;
}

verdict_level verdict_say_history(const struct model_input *in, struct buf *text)
{
	size_t used = history_used(in->runs);
	struct buf changes = {0}, outliers = {0};
	char runs[HISTORY_TEXT];
	bool worse = false;

	if (in->compare)
		return NULL; /* verdict_say_compare says how this run differs */
	for (int i = 0; i < TREND_MEASURES; i++) {
		const struct trend_measure *m = &trend_measures[i];
		double now = trend_value((enum trend_id)i, in->runs, 0, NAN);
		struct change_detect past;
		if (!m->spoken || trend_noise((enum trend_id)i, in->runs, NAN, &past))
			continue;
		if (!add_change(&changes, m->name, now, &past, used) ||
		    !trend_ended(&in->runs->v[0]) || !change_detect_beyond(&past, now))
			continue;
		buf_printf(&outliers, "%s%s", outliers.len ? " and " : "", m->name);
		worse |= m->less_is_good && now > past.median;
	}
	if (changes.len) {
		history_used_text(in->runs, runs);
		buf_printf(text, "Against the average of %s:%s.", runs, buf_cstr(&changes));
		if (outliers.len)
			buf_printf(text, " Beyond their usual spread: %s.", buf_cstr(&outliers));
	}
	buf_free(&changes);
	buf_free(&outliers);
	return !text->len ? NULL : worse ? "warn" : "info";
}
