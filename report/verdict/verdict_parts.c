/* verdict_parts: sentences on the nodes and tasks of a run, and on the elements of its array. */
#include <math.h>

#include "report/runs/parts.h"
#include "report/stats/array_spread.h"
#include "report/units/units.h"
#include "report/verdict/verdict.h"
#include "report/verdict/verdict_end.h"

/* A batch script, or a step on one node, of a job that has more. */
static verdict_level say_one_node_of_job(const struct run *run, struct buf *text)
{
	const struct snapshot_ask *nodes = &run->snapshot.asked.of[SNAPSHOT_ASKED_NODES];

	if (!run->snapshot.asked.known || !(nodes->value > 1) || run->snapshot.part.nodes > 1)
		return NULL;
	buf_printf(text,
	           "The job has %s nodes, and this is the recording of a command on one of them: "
	           "tasks that srun or another launcher started elsewhere are not in it.",
	           UNITS_COUNT(nodes->value));
	return "warn";
}

verdict_level verdict_parts_missing(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];

	if (!run->parts)
		return say_one_node_of_job(run, text);
	if (!parts_missing(run->parts))
		return NULL;
	buf_str(text, "Only ");
	parts_recorded_text(run->parts, text);
	buf_str(text, run->parts->n == 1 ? " was" : " were");
	buf_str(text, " recorded: all sums and recommendations are of these alone.");
	return "warn";
}

/* "n2 used the most CPU time, 2.0 s, 1.60 times the mean of 4 nodes". */
static void say_uneven(const struct parts *p, enum parts_measure m, struct buf *text)
{
	static const struct {
		const char *words;
		enum unit unit;
	} says[PARTS_MEASURES] = {
	    [PARTS_MEASURE_CPU] = {"used the most CPU time", UNIT_SECONDS},
	    [PARTS_MEASURE_MEMORY] = {"had the highest peak memory", UNIT_BYTES},
	    [PARTS_MEASURE_WALL] = {"was the slowest", UNIT_SECONDS},
	};
	struct parts_imbalance b = parts_imbalance(p, m);
	struct parts_row row;

	if (!(b.ratio > PARTS_UNEVEN))
		return;
	row = parts_row(p, b.of, b.at);
	if (text->len)
		buf_str(text, "; ");
	parts_place_text(row.name, row.task, text);
	buf_printf(text, " %s, %s, %.2f times the mean of %zu %s", says[m].words,
	           UNITS_TEXT(says[m].unit, b.most), b.ratio, parts_rows(p, b.of),
	           b.of == PARTS_OF_NODES ? "nodes" : "tasks");
}

verdict_level verdict_parts_uneven(const struct model_input *in, struct buf *text)
{
	const struct parts *p = in->runs->v[0].parts;

	if (!p)
		return NULL;
	say_uneven(p, PARTS_MEASURE_WALL, text);
	say_uneven(p, PARTS_MEASURE_CPU, text);
	say_uneven(p, PARTS_MEASURE_MEMORY, text);
	if (!text->len)
		return NULL;
	buf_char(text, '.');
	return "warn";
}

/* A clock that is ahead makes both ends of a recording later by the same time. */
static bool ends_as_late(const struct parts *p)
{
	double stop = INFINITY;

	for (size_t i = 0; i < p->n_nodes; i++)
		stop = fmin(stop, p->node[i].stop);
	return fabs(p->node[p->late].stop - stop - p->spread) < 0.1 * p->spread;
}

verdict_level verdict_parts_clocks(const struct model_input *in, struct buf *text)
{
	const struct parts *p = in->runs->v[0].parts;
	const struct parts_node *late = p ? &p->node[p->late] : NULL;
	char spread[64], interval[64];
	double longest = 0;

	for (size_t i = 0; p && i < p->n; i++)
		longest = fmax(longest, p->v[i].interval);
	if (!p || !(p->spread > longest) || p->n_nodes < 2)
		return NULL;
	units_text(UNIT_SECONDS, p->spread, NULL, spread);
	units_text(UNIT_SECONDS, longest, NULL, interval);
	buf_printf(text, "By its own clock, %s began %s after the first node",
	           *late->name ? late->name : "an unknown node", spread);
	if (ends_as_late(p))
		buf_str(text, " and ended as much later: its clock may be ahead of the others'");
	else
		buf_str(text, ": it began later, or its clock differs");
	buf_printf(text,
	           ". That is more than an interval (%s), so sums at one time may mix times "
	           "that far apart.",
	           interval);
	return "info";
}

/* -- a job array ------------------------------------------------------------------------------- */

/* The words for several elements and for a single one; a single one's exit status or signal
 * follows. */
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

	for (size_t i = 0; i < a->n; i++)
		largest = fmax(largest, a->v[i].value[TREND_MEMORY]);
	if (largest > own && largest <= VERDICT_TOO_BIG * asked && a->count[ARRAY_FINISHED] &&
	    !a->count[ARRAY_OOM])
		buf_printf(text, " The largest element used %s of the %s asked for.",
		           UNITS_TEXT(UNIT_BYTES, largest), UNITS_TEXT(UNIT_BYTES, asked));
}

verdict_level verdict_parts_array(const struct model_input *in, struct buf *text)
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
