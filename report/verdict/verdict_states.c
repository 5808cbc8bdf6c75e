/* verdict_states: the sentence on where the time went. */
#include <math.h>

#include "report/runs/parts.h"
#include "report/stats/state_use.h"
#include "report/units/model_json.h"
#include "report/verdict/verdict.h"

#define ALSO      0.1 /* a state is mentioned as well from this share on */
#define ALSO_MAX  2
#define MORE_THAN 0.05 /* a node waited more than the mean, by so much */

/* The largest state besides that of running on a CPU. STATES_N: none is worth a sentence. */
static enum states_id largest_wait(const struct state_use *u)
{
	enum states_id most = STATES_N;

	for (int k = STATES_CPU + 1; u->known && k < STATES_N; k++)
		if (u->of[k].share >= STATE_USE_WORTH &&
		    (most == STATES_N || u->of[k].s > u->of[most].s))
			most = (enum states_id)k;
	return most;
}

/* ", mostly /data/x.bam"; ", longest /data/x.bam" where that is less than half of it. */
static void say_longest_wait(const struct state_use *u, enum states_id state, struct buf *text)
{
	bool mostly;
	const struct snapshot_wait *w = state_use_wait(u, state, &mostly);

	if (!w)
		return;
	buf_str(text, mostly ? ", mostly " : ", longest ");
	model_json_cut_text(text, w->name, MODEL_JSON_NAME_MAX);
}

static void say_waiting_node(const struct run *run, const struct state_use *u, enum states_id state,
                             struct buf *text)
{
	double share;
	const struct parts_node *node = state_use_most(run, state, &share);

	if (!node || !*node->name || !(share > u->of[state].share + MORE_THAN))
		return;
	buf_str(text, " Most of all nodes, ");
	model_json_cut_text(text, node->name, MODEL_JSON_NAME_MAX);
	buf_printf(text, " %s: %s of its time.", state_words[state].was, UNITS_SHARE(share));
}

verdict_level verdict_states_say(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	struct state_use u = state_use_of(run);
	enum states_id most = largest_wait(&u), order[STATES_N];
	size_t n = state_use_sorted(&u, order), also = 0;

	if (most == STATES_N)
		return NULL;
	state_use_share(&u, most, text);
	buf_printf(text, " of the time it %s", state_words[most].was);
	say_longest_wait(&u, most, text);
	for (size_t i = 0; i < n && also < ALSO_MAX; i++) {
		if (order[i] == most || u.of[order[i]].share < ALSO)
			continue;
		buf_str(text, also++ ? ", " : "; ");
		state_use_share(&u, order[i], text);
		buf_printf(text, " %s", state_words[order[i]].is);
	}
	buf_char(text, '.');
	say_waiting_node(run, &u, most, text);
	return "info";
}
