/* state_use: where the time of a run went. */
#include "report/stats/state_use.h"

#include <math.h>
#include <string.h>

#include "report/runs/parts.h"
#include "report/units/units.h"

const struct state_words state_words[STATES_N] = {
#define STATE(id, word, measure, name, is, was, now, colour, help) {name, is, was, colour},
#include "core/numbers/job_states.def"
#undef STATE
};

static double finite_or_0(double v)
{
	return isfinite(v) && v > 0 ? v : 0;
}

/* Shares, from seconds; *known is false where there are none. */
static void share_out(struct state_use *u)
{
	u->total_s = 0;
	for (int k = 0; k < STATES_N; k++)
		u->total_s += u->of[k].s;
	u->known = u->total_s > 0 && isfinite(u->total_s);
	for (int k = 0; k < STATES_N; k++)
		u->of[k].share = u->known ? u->of[k].s / u->total_s : (double)NAN;
}

struct state_use state_use_of_seconds(const double s[STATES_N])
{
	struct state_use u = {.exact = NAN, .sampled = NAN, .bound = NAN};

	for (int k = 0; k < STATES_N; k++)
		u.of[k] = (struct state_use_one){finite_or_0(s[k]), NAN, NAN, NAN};
	share_out(&u);
	return u;
}

struct state_use state_use_of(const struct run *run)
{
	struct state_use u = {.exact = NAN, .sampled = NAN, .bound = NAN};
	struct snapshot_states states = run->snapshot.states;
	struct stats own[METRIC_COUNT];

	if (!states.known && !snapshot_states_of_columns(load_all_stats(run, own), &states))
		return u;
	for (int k = 0; k < STATES_N; k++)
		u.of[k] = (struct state_use_one){finite_or_0(states.of[k].value),
		                                 states.of[k].least, states.of[k].most, NAN};
	share_out(&u);
	if (u.known && states.exact_s + states.sampled_s + states.bound_s > 0) {
		u.exact = states.exact_s / u.total_s;
		u.sampled = states.sampled_s / u.total_s;
		u.bound = states.bound_s / u.total_s;
	}
	u.waits = states.waits;
	u.n_waits = states.n_waits;
	return u;
}

bool state_use_has_range(const struct state_use *u, enum states_id state)
{
	const struct state_use_one *one = &u->of[state];

	return u->known && one->most_s - one->least_s > STATE_USE_RANGE * u->total_s;
}

size_t state_use_sorted(const struct state_use *u, enum states_id order[STATES_N])
{
	size_t n = 0;

	for (int k = 0; u->known && k < STATES_N; k++) {
		size_t at = n;
		if (!(u->of[k].s > 0))
			continue;
		for (; at && u->of[order[at - 1]].s < u->of[k].s; at--)
			order[at] = order[at - 1];
		order[at] = (enum states_id)k;
		n++;
	}
	return n;
}

const struct snapshot_wait *state_use_wait(const struct state_use *u, enum states_id state,
                                           bool *mostly)
{
	const struct snapshot_wait *most = NULL;
	double sum = 0;

	for (size_t i = 0; i < u->n_waits; i++) {
		const struct snapshot_wait *w = &u->waits[i];
		if (states_find(w->state) != state || !*w->name || !(w->s > 0))
			continue;
		sum += w->s;
		most = !most || w->s > most->s ? w : most;
	}
	*mostly = most && 2 * most->s >= sum && 2 * most->s >= u->of[state].s;
	return most;
}

void state_use_share(const struct state_use *u, enum states_id state, struct buf *out)
{
	const struct state_use_one *one = &u->of[state];

	if (state_use_has_range(u, state))
		buf_printf(out, "%s to %s", UNITS_SHARE(one->least_s / u->total_s),
		           UNITS_SHARE(fmin(one->most_s / u->total_s, 1)));
	else
		buf_str(out, UNITS_SHARE(one->share));
}

double state_use_of_run(const struct run *run, enum states_id state)
{
	struct state_use u = state_use_of(run);

	return u.known ? u.of[state].share : (double)NAN;
}

double state_use_sampled(const struct run *run, enum states_id state)
{
	struct snapshot_states states;
	struct stats own[METRIC_COUNT];
	double sum = 0;

	if (!snapshot_states_of_columns(load_all_stats(run, own), &states))
		return NAN;
	for (int k = 0; k < STATES_N; k++)
		sum += finite_or_0(states.of[k].value);
	return sum > 0 ? finite_or_0(states.of[state].value) / sum : (double)NAN;
}

const struct parts_node *state_use_most(const struct run *run, enum states_id state, double *share)
{
	const struct parts *p = run->parts;
	const struct parts_node *most = NULL;

	*share = NAN;
	for (size_t i = 0; p && p->n_nodes > 1 && i < p->n_nodes; i++) {
		struct state_use u = state_use_of_seconds(p->node[i].states_s);
		if (!u.known)
			return NULL;
		if (most && u.of[state].share <= *share)
			continue;
		most = &p->node[i];
		*share = u.of[state].share;
	}
	return most;
}
