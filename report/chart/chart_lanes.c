/* chart_lanes: the processes of a run as bars in lanes. */
#include "report/chart/chart_lanes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"

#define CLOSE      0.01 /* of the run: members of a group are no further apart, at first */
#define NAMES      6    /* groups of one parent have names of their own, at most so many */
#define NARROWER   1.5  /* the picture is too large: bars must be so much longer */
#define HUGE_COUNT 1e15

const char *const chart_lanes_colours[CHART_LANES_COLOURS + 1] = {"#0b62b5", "#b9500a", "#1b7447",
                                                                  "#7a3fa0", "#0f6e78", "#a3246f",
                                                                  "#6b6400", "#8a4b2a", "#5d6975"};

/* A process, or a recorded sum of some, that is drawn in a group. */
struct member {
	long up; /* index of the nearest ancestor that has a bar */
	const char *name;
	size_t rank; /* of its name among those of its parent, by time */
	double n, failed, cpu_s, from_s, to_s;
	long at;
};

struct lanes_work {
	const struct process_tree *t;
	const struct critical_path_job *job;
	struct chart_lanes *out;
	double *length;   /* of each process */
	struct member *m; /* room for all processes and recorded sums */
	size_t members;
};

/* -- groups ------------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int names;

	if (x->up != y->up)
		return x->up < y->up ? -1 : 1;
	names = strcmp(x->name, y->name);
	if (names)
		return names;
	if (x->from_s != y->from_s)
		return x->from_s < y->from_s ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static int by_member_rank(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->up != y->up)
		return x->up < y->up ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->from_s != y->from_s)
		return x->from_s < y->from_s ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* The nearest ancestor with a bar. */
static long nearest_bar(const struct lanes_work *w, long at)
{
	while (at >= 0 && w->out->bar_of[at] < 0)
		at = w->t->of[at].parent;
	return at;
}

static struct member member_of_sum(const struct lanes_work *w, const struct process_tree_group *g)
{
	const struct process_tree_node as = {.start_s = g->start_s, .end_s = g->end_s};

	return (struct member){.up = nearest_bar(w, g->parent),
	                       .name = g->name,
	                       .n = fmin(g->n, HUGE_COUNT),
	                       .cpu_s = fmin(g->cpu_s, HUGE_COUNT),
	                       .from_s = critical_path_start_s(&as, w->job),
	                       .to_s = critical_path_end_s(&as, w->job),
	                       .at = -1};
}

static void collect_members(struct lanes_work *w)
{
	const struct process_tree *t = w->t;

	w->members = 0;
	for (size_t i = 0; i < t->kept; i++) {
		const struct process_tree_node *p = &t->of[i];
		double from_s = critical_path_start_s(p, w->job);
		if (w->out->bar_of[i] >= 0 || w->out->wrapper[i])
			continue;
		w->m[w->members++] = (struct member){.up = nearest_bar(w, p->parent),
		                                     .name = p->name,
		                                     .n = 1,
		                                     .failed = critical_path_failed(p),
		                                     .cpu_s = p->cpu_s > 0 ? p->cpu_s : 0,
		                                     .from_s = from_s,
		                                     .to_s = from_s + w->length[i],
		                                     .at = (long)i};
	}
	for (size_t i = 0; i < t->n_groups; i++)
		if (t->groups[i].n > 0)
			w->m[w->members++] = member_of_sum(w, &t->groups[i]);
}

/* The time of the name to which a member belongs; *end: the first member of the next name. */
static double time_of_name(const struct member *m, size_t n, size_t from, size_t *end)
{
	double s = 0;

	for (*end = from;
	     *end < n && m[*end].up == m[from].up && strcmp(m[*end].name, m[from].name) == 0;
	     ++*end)
		s += m[*end].to_s - m[*end].from_s;
	return s;
}

/* Ranks the names of each parent by their order; where there are too many, those with the least
 * time are one. */
static void rank_names(struct lanes_work *w)
{
	qsort(w->m, w->members, sizeof *w->m, by_name);
	for (size_t i = 0, end; i < w->members; i = end) {
		double best[NAMES] = {0}, s;
		size_t names = 0, next;
		for (end = i; end < w->members && w->m[end].up == w->m[i].up; end = next, names++) {
			s = time_of_name(w->m, w->members, end, &next);
			for (size_t k = 0; k < NAMES; k++)
				if (s > best[k]) {
					double other = best[k];
					best[k] = s;
					s = other;
				}
		}
		for (size_t k = i, number = 0; k < end; k = next, number++) {
			s = time_of_name(w->m, w->members, k, &next);
			for (size_t j = k; j < next; j++)
				w->m[j].rank =
				    names <= NAMES || s > best[NAMES - 1] ? number : SIZE_MAX;
		}
	}
	qsort(w->m, w->members, sizeof *w->m, by_member_rank);
}

static void take_member(struct chart_lanes_bar *b, const struct member *m)
{
	b->n += m->n;
	b->failed += m->failed;
	b->cpu_s += m->cpu_s;
	b->to_s = fmax(b->to_s, m->to_s);
	if (strcmp(b->name, m->name) != 0)
		b->name = "";
	if (b->n > 1)
		b->at = -1;
}

/* Makes groups of the members; false: too many. */
static bool make_groups(struct lanes_work *w, double close_s)
{
	struct chart_lanes *out = w->out;
	size_t before = out->n;
	struct chart_lanes_bar *b = NULL;
	const struct member *last = NULL;

	for (size_t i = 0; i < w->members; i++) {
		const struct member *m = &w->m[i];
		bool joins = b && m->up == last->up && m->rank == last->rank &&
		             m->from_s <= b->to_s + close_s;
		if (!joins) {
			if (out->n - before == CHART_LANES_GROUPS) {
				out->n = before;
				return false;
			}
			b = &out->bar[out->n++];
			*b = (struct chart_lanes_bar){.at = m->at,
			                              .name = m->name,
			                              .from_s = m->from_s,
			                              .to_s = m->to_s,
			                              .parent =
			                                  m->up >= 0 ? out->bar_of[m->up] : -1};
		}
		take_member(b, m);
		if (m->at >= 0)
			out->bar_of[m->at] = (long)(b - out->bar);
		last = m;
	}
	return true;
}

/* -- lanes ------------------------------------------------------------------------------------- */

/* A bar with what is below it. */
struct block {
	size_t bar, height;
	double from_s, to_s;
	size_t below_parent; /* lanes between its parent and it, less 1 */
};

static int by_block_start(const void *a, const void *b)
{
	const struct block *x = *(struct block *const *)a, *y = *(struct block *const *)b;

	if (x->from_s != y->from_s)
		return x->from_s < y->from_s ? -1 : 1;
	if (x->to_s != y->to_s)
		return x->to_s > y->to_s ? -1 : 1;
	return (x->bar > y->bar) - (x->bar < y->bar);
}

/* The first lane from which on a block has room. */
static size_t first_free(const double *busy_to, size_t lanes, const struct block *one)
{
	size_t free_lanes = 0;

	for (size_t lane = 0; lane < lanes; lane++) {
		free_lanes = busy_to[lane] <= one->from_s ? free_lanes + 1 : 0;
		if (free_lanes == one->height)
			return lane + 1 - free_lanes;
	}
	return lanes - free_lanes;
}

/* Puts blocks into lanes; returns how many there are. busy_to: room for all their heights. */
static size_t pack_blocks(struct block **v, size_t n, double *busy_to)
{
	size_t lanes = 0;

	qsort(v, n, sizeof(struct block *), by_block_start);
	for (size_t i = 0; i < n; i++) {
		struct block *one = v[i];
		one->below_parent = first_free(busy_to, lanes, one);
		for (size_t k = 0; k < one->height; k++)
			busy_to[one->below_parent + k] = one->to_s;
		if (one->below_parent + one->height > lanes)
			lanes = one->below_parent + one->height;
	}
	return lanes;
}

/* The lanes of all bars, from below: a bar stands before its children. */
static void place_bars(struct chart_lanes *l, struct block *block, struct block **list,
                       double *busy_to)
{
	for (size_t i = 0; i < l->n; i++)
		block[i] = (struct block){
		    .bar = i, .height = 1, .from_s = l->bar[i].from_s, .to_s = l->bar[i].to_s};
	for (long at = (long)l->n; at-- >= 0;) {
		size_t n = 0, lanes;
		for (size_t k = (size_t)(at + 1); k < l->n; k++)
			if (l->bar[k].parent == at)
				list[n++] = &block[k];
		lanes = pack_blocks(list, n, busy_to);
		if (at < 0) {
			l->lanes = lanes;
			break;
		}
		block[at].height = 1 + lanes;
		for (size_t k = 0; k < n; k++) {
			block[at].from_s = fmin(block[at].from_s, list[k]->from_s);
			block[at].to_s = fmax(block[at].to_s, list[k]->to_s);
		}
	}
	for (size_t i = 0; i < l->n; i++)
		l->bar[i].lane = block[i].below_parent +
		                 (l->bar[i].parent < 0 ? 0 : l->bar[l->bar[i].parent].lane + 1);
}

/* -- bars -------------------------------------------------------------------------------------- */

static void add_single(struct lanes_work *w, size_t i)
{
	const struct process_tree_node *p = &w->t->of[i];
	double from_s = critical_path_start_s(p, w->job);
	long up = nearest_bar(w, p->parent);

	w->out->bar[w->out->n] = (struct chart_lanes_bar){
	    .at = (long)i,
	    .name = p->name,
	    .n = 1,
	    .failed = critical_path_failed(p),
	    .cpu_s = p->cpu_s,
	    .from_s = from_s,
	    .to_s = from_s + w->length[i],
	    .parent = up >= 0 ? w->out->bar_of[up] : -1,
	};
	w->out->bar_of[i] = (long)w->out->n++;
}

/* A process whose ancestors of that length have bars: they come first. */
static void add_from_above(struct lanes_work *w, size_t i, double least_s, long *way)
{
	size_t n = 0;

	for (long at = (long)i; at >= 0 && w->out->bar_of[at] < 0; at = w->t->of[at].parent)
		if (w->length[at] >= least_s && !w->out->wrapper[at])
			way[n++] = at;
	while (n)
		add_single(w, (size_t)way[--n]);
}

static int longest_first(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* From which length on processes have bars of their own. */
static double least_length(const struct lanes_work *w, double *sorted)
{
	double pixel = w->job->duration_s / CHART_LANES_PX;

	if (w->t->kept <= CHART_LANES_BARS)
		return pixel;
	memcpy(sorted, w->length, w->t->kept * sizeof *sorted);
	qsort(sorted, w->t->kept, sizeof *sorted, longest_first);
	/* Processes as long as the first one without a bar have none either. */
	return fmax(pixel, sorted[CHART_LANES_BARS] * (1 + 1e-9));
}

/* One picture; false: it is too large. busy_to: room for all bars. */
static bool draw_once(struct lanes_work *w, double least_s, long *way, struct block *block,
                      struct block **list, double *busy_to)
{
	double close_s = w->job->duration_s * CLOSE;

	w->out->n = 0;
	for (size_t i = 0; i < w->t->kept; i++)
		w->out->bar_of[i] = -1;
	for (size_t i = w->t->kept; i--;)
		if (w->length[i] >= least_s)
			add_from_above(w, i, least_s, way);
	collect_members(w);
	rank_names(w);
	while (!make_groups(w, close_s)) {
		if (close_s > w->job->duration_s)
			return false;
		close_s *= 2;
	}
	place_bars(w->out, block, list, busy_to);
	return w->out->lanes <= CHART_LANES_MAX;
}

/* Nothing is longer than the run: in the end all are in groups, which are few. */
static int draw_lanes(struct lanes_work *w)
{
	size_t kept = w->t->kept, room = CHART_LANES_BARS + CHART_LANES_GROUPS;
	double *sorted = calloc(kept + room + 1, sizeof *sorted), least_s;
	long *way = calloc(kept + 1, sizeof *way);
	struct block *block = calloc(room + 1, sizeof *block);
	struct block **list = calloc(room + 1, sizeof(struct block *));
	int rc = -1;

	if (!sorted || !way || !block || !list)
		goto out;
	least_s = least_length(w, sorted);
	while (!draw_once(w, least_s, way, block, list, sorted))
		least_s *= NARROWER;
	rc = 0;
out:
	free(sorted);
	free(way);
	free(block);
	free(list);
	return rc;
}

/* -- programs ---------------------------------------------------------------------------------- */

static int by_program_name(const void *a, const void *b)
{
	const struct chart_lanes_program *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int by_importance(const void *a, const void *b)
{
	const struct chart_lanes_program *x = a, *y = b;

	if (!*x->name != !*y->name)
		return *x->name ? -1 : 1;
	if (x->on_s != y->on_s)
		return x->on_s > y->on_s ? -1 : 1;
	if (x->s != y->s)
		return x->s > y->s ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void name_programs(struct lanes_work *w, const struct critical_path *path)
{
	const struct process_tree *t = w->t;
	struct chart_lanes *out = w->out;
	size_t n = 0, all = 0;

	for (size_t i = 0; i < t->kept; i++)
		out->program[n++] = (struct chart_lanes_program){
		    .name = t->of[i].name, .n = 1, .on_s = path->on_s[i], .s = w->length[i]};
	for (size_t i = 0; i < t->n_groups; i++) {
		struct member m = member_of_sum(w, &t->groups[i]);
		out->program[n++] =
		    (struct chart_lanes_program){.name = m.name, .n = m.n, .s = m.to_s - m.from_s};
	}
	qsort(out->program, n, sizeof *out->program, by_program_name);
	for (size_t i = 0; i < n; i++) {
		struct chart_lanes_program *last = all ? &out->program[all - 1] : NULL;
		const struct chart_lanes_program *one = &out->program[i];
		if (!last || strcmp(last->name, one->name) != 0) {
			out->program[all++] = *one;
			continue;
		}
		last->n += one->n;
		last->on_s += one->on_s;
		last->s += one->s;
	}
	out->programs = all;
	qsort(out->program, all, sizeof *out->program, by_importance);
	for (size_t i = 0; i < out->n; i++) {
		size_t c = 0;
		while (
		    c < all && c < CHART_LANES_COLOURS &&
		    (!*out->program[c].name || strcmp(out->program[c].name, out->bar[i].name) != 0))
			c++;
		out->bar[i].colour = c < all ? c : CHART_LANES_COLOURS;
	}
}

/* -- the whole --------------------------------------------------------------------------------- */

int chart_lanes_make(const struct process_tree *t, const struct critical_path_job *job,
                     const struct critical_path *path, struct chart_lanes *out)
{
	struct lanes_work w = {.t = t, .job = job, .out = out};
	size_t all = t->kept + t->n_groups + 1;
	int failed = -1;

	*out = (struct chart_lanes){
	    .bar = calloc(CHART_LANES_BARS + CHART_LANES_GROUPS + 1, sizeof *out->bar),
	    .bar_of = calloc(t->kept + 1, sizeof *out->bar_of),
	    .wrapper = calloc(t->kept + 1, sizeof *out->wrapper),
	    .program = calloc(all, sizeof *out->program)};
	w.length = calloc(t->kept + 1, sizeof *w.length);
	w.m = calloc(all, sizeof *w.m);
	if (out->bar && out->bar_of && out->wrapper && out->program && w.length && w.m &&
	    wrappers_find(t, job, out->wrapper) == 0) {
		for (size_t i = 0; i < t->kept; i++)
			w.length[i] = critical_path_end_s(&t->of[i], job) -
			              critical_path_start_s(&t->of[i], job);
		failed = draw_lanes(&w);
	}
	if (failed) {
		alloc_failed_note(NULL);
		chart_lanes_free(out);
	} else {
		for (size_t i = t->kept; i--;) {
			long at = nearest_bar(&w, (long)i);
			out->bar_of[i] = at >= 0 ? out->bar_of[at] : -1;
		}
		name_programs(&w, path);
	}
	free(w.length);
	free(w.m);
	return failed;
}

void chart_lanes_free(struct chart_lanes *l)
{
	free(l->bar);
	free(l->bar_of);
	free(l->wrapper);
	free(l->program);
	*l = (struct chart_lanes){0};
}
