/* process_tree_read, critical_path_of, chart_lanes_make: of any tree a path without gaps, and bars that stay in the picture. */
#include <math.h>
#include <stdlib.h>

#include "report/chart/chart_route.h"
#include "tests/fuzz/fuzz.h"

static void check_path(const struct critical_path *p, const struct critical_path_job *job)
{
	double sum = p->none_s;

	for (size_t i = 0; i < p->n; i++) {
		must(p->v[i].from_s < p->v[i].to_s && p->v[i].from_s >= 0);
		must(p->v[i].to_s <= job->duration_s);
		must(i == 0 || p->v[i].from_s == p->v[i - 1].to_s);
		sum += p->v[i].at >= 0 ? p->v[i].to_s - p->v[i].from_s : 0;
	}
	must(sum <= job->duration_s * 1.0001);
	must(p->last.at < 0 || p->last.to_s >= p->last.from_s);
}

static void check_lanes(const struct chart_lanes *l, const struct critical_path *p,
                        const struct critical_path_job *job)
{
	struct buf route = {0};

	must(l->lanes <= CHART_LANES_MAX && l->n <= CHART_LANES_BARS + CHART_LANES_GROUPS);
	for (size_t i = 0; i < l->n; i++) {
		const struct chart_lanes_bar *b = &l->bar[i];
		must(b->lane < l->lanes && b->n >= 0 && isfinite(b->n));
		must(b->from_s >= 0 && b->from_s <= b->to_s && b->to_s <= job->duration_s);
		must(b->parent < (long)i && (b->parent < 0 || l->bar[b->parent].lane < b->lane));
	}
	chart_route_path(l, p, 0, job->duration_s, 18, 16, &route);
	must(!route.failed && route.len < 65536);
	buf_free(&route);
}

/* A first byte that is not a brace chooses the run. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct snapshot s = {0};
	struct json_read *in = malloc(sizeof *in);
	struct critical_path_job job = {.pid = 7, .duration_s = 100, .interval_s = 1};
	struct critical_path path;
	struct chart_lanes lanes;

	if (size && *data != '{') {
		job = (struct critical_path_job){
		    .pid = *data, .duration_s = 1e-3 * (1 + *data), .interval_s = NAN};
		data++;
		size--;
	}
	json_read_init_text(in, (const char *)data, size);
	process_tree_read(&s, in);
	if (s.tree) {
		must(critical_path_of(s.tree, &job, &path) == 0);
		check_path(&path, &job);
		must(chart_lanes_make(s.tree, &job, &path, &lanes) == 0);
		check_lanes(&lanes, &path, &job);
		chart_lanes_free(&lanes);
		critical_path_free(&path);
	}
	snapshot_free(&s);
	free(in);
	return 0;
}
