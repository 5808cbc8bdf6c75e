/* verdict_parts: sentences on the nodes and tasks of a run. */
#include <math.h>
#include <string.h>

#include "report/runs/parts.h"
#include "report/units/units.h"
#include "report/verdict/verdict.h"

/* A batch script, or a step on one node, of a job that has more. */
static verdict_level say_one_node_of_job(const struct run *run, struct buf *text)
{
	const struct snapshot_ask *nodes = &run->snapshot.asked.of[SNAPSHOT_ASKED_NODES];
	char n[UNITS_SIZE];

	if (!run->snapshot.asked.known || !(nodes->value > 1) || run->snapshot.part.nodes > 1)
		return NULL;
	buf_printf(text,
	           "The job has %s nodes, and this is the recording of a command on one of them: "
	           "tasks that srun or another launcher started elsewhere are not in it.",
	           units_count(nodes->value, n));
	return "warn";
}

verdict_level verdict_say_parts_missing(const struct model_input *in, struct buf *text)
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
	char amount[64];

	if (!(b.ratio > PARTS_UNEVEN))
		return;
	row = parts_row(p, b.of, b.at);
	if (text->len)
		buf_str(text, "; ");
	parts_place_text(row.name, row.task, text);
	buf_printf(text, " %s, %s, %.2f times the mean of %zu %s", says[m].words,
	           units_text(says[m].unit, b.most, NULL, amount), b.ratio, parts_rows(p, b.of),
	           b.of == PARTS_OF_NODES ? "nodes" : "tasks");
}

verdict_level verdict_say_parts_uneven(const struct model_input *in, struct buf *text)
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

verdict_level verdict_say_parts_clocks(const struct model_input *in, struct buf *text)
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
