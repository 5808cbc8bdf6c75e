/* chart_route: the critical path as lines below the bars of processes. */
#include "report/chart/chart_route.h"

#include <math.h>

/* The bar that has most of the path between two times; -1: none. *at: the first step that ends
 * after from_s. tally: 0 for each bar, and again after it. */
static long bar_of_column(const struct chart_lanes *l, const struct critical_path *path, size_t *at,
                          double from_s, double to_s, double *tally)
{
	long best = -1;

	while (*at < path->n && path->v[*at].to_s <= from_s)
		++*at;
	for (int clear = 0; clear < 2; clear++)
		for (size_t i = *at; i < path->n && path->v[i].from_s < to_s; i++) {
			const struct critical_path_step *step = &path->v[i];
			long bar = step->at >= 0 ? l->bar_of[step->at] : -1;
			if (bar < 0)
				continue;
			if (clear) {
				tally[bar] = 0;
				continue;
			}
			tally[bar] += fmin(step->to_s, to_s) - fmax(step->from_s, from_s);
			if (best < 0 || tally[bar] > tally[best])
				best = bar;
		}
	return best;
}

void chart_route_path(const struct chart_lanes *l, const struct critical_path *path, double from_s,
                      double span_s, double each, double below, struct buf *out)
{
	double tally[CHART_LANES_BARS + CHART_LANES_GROUPS] = {0};
	double last_y = -1;
	size_t at = 0;

	for (int x = 0; x <= CHART_LANES_PX; x++) {
		double now_s = from_s + span_s * x / CHART_LANES_PX;
		long bar =
		    x < CHART_LANES_PX
			? bar_of_column(l, path, &at, now_s, now_s + span_s / CHART_LANES_PX, tally)
			: -1;
		double y = bar < 0 ? -1 : (double)l->bar[bar].lane * each + below;
		if (y == last_y)
			continue;
		if (last_y >= 0)
			buf_printf(out, "H%d", x);
		if (y >= 0)
			buf_printf(out, "M%d %g", x, y);
		last_y = y;
	}
}
