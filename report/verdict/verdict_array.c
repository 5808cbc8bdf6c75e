/* verdict_array: the sentence on the elements of a job array. */
#include <math.h>

#include "report/stats/array_spread.h"
#include "report/stats/asked.h"
#include "report/verdict/verdict.h"
#include "report/verdict/verdict_end.h"

/* What several elements and what a single one did; a single one's exit status or signal follows. */
static const struct {
	const char *many, *one;
	bool detail;
	verdict_level level;
} ends[ARRAY_OUTCOMES] = {
    [ARRAY_FAILED] = {"failed", "failed", true, "bad"},
    [ARRAY_KILLED] = {"were ended by a signal", "was ended by", true, "bad"},
    [ARRAY_OOM] = {"were killed because memory ran out", "was killed because memory ran out", false,
                   "bad"},
    [ARRAY_UNFINISHED] = {"have recordings that are not finished",
                          "has a recording that is not finished", false, "warn"},
    [ARRAY_UNKNOWN] = {"have an unknown end", "has an unknown end", false, "info"},
};

static void say_end(struct buf *text, const struct array_spread *a, enum array_outcome outcome,
                    const struct runs *r)
{
	bool one = a->count[outcome] == 1;
	char ended[64];

	buf_printf(text, "element%s ", one ? "" : "s");
	array_spread_ranges(a, outcome, text);
	buf_printf(text, " %s", one ? ends[outcome].one : ends[outcome].many);
	for (size_t i = 0; one && ends[outcome].detail && i < a->n; i++)
		if (a->v[i].outcome == outcome)
			buf_printf(text, "%s %s", outcome == ARRAY_FAILED ? " with" : "",
			           verdict_end_words(&r->v[a->v[i].run], ended));
}

/* The array's ask is one for all elements, so the largest one counts. Where that is this run, the
 * sentences on this run say the same. */
static void say_largest(struct buf *text, const struct array_spread *a, const struct runs *r)
{
	double asked = asked_requested(&r->v[0], ASKED_MEMORY), largest = 0;
	double own = trend_value(TREND_MEMORY, r, 0, NAN);
	char bytes[64], of[64];

	for (size_t i = 0; i < a->n; i++)
		largest = fmax(largest, a->v[i].value[TREND_MEMORY]);
	if (largest > own && largest <= VERDICT_TOO_BIG * asked && a->count[ARRAY_FINISHED] &&
	    !a->count[ARRAY_OOM])
		buf_printf(text, " The largest element used %s of the %s asked for.",
		           units_text(UNIT_BYTES, largest, NULL, bytes),
		           units_text(UNIT_BYTES, asked, NULL, of));
}

verdict_level verdict_say_array(const struct model_input *in, struct buf *text)
{
	const struct runs *r = in->runs;
	struct array_spread a;
	verdict_level level = NULL;
	char n[UNITS_SIZE], finished[UNITS_SIZE];
	const char *between = "; ";

	if (array_spread_make(&a, r) || !a.n)
		return NULL;
	units_count((double)a.n, n);
	units_count((double)a.count[ARRAY_FINISHED], finished);
	if (a.count[ARRAY_FINISHED] == a.n)
		buf_printf(text, "All %s recorded elements of the array finished", n);
	else
		buf_printf(text, "Of %s recorded elements of the array, %s finished", n,
		           a.count[ARRAY_FINISHED] ? finished : "none");
	for (int k = ARRAY_FAILED; k < ARRAY_OUTCOMES; k++) {
		if (!a.count[k])
			continue;
		buf_str(text, between);
		say_end(text, &a, (enum array_outcome)k, r);
		between = ", ";
		level = level ? level : ends[k].level;
	}
	buf_char(text, '.');
	say_largest(text, &a, r);
	array_spread_free(&a);
	return level ? level : "info";
}
