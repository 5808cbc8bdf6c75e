/* verdict: the plain sentences at the top of a report, and the table of them. */
#include "report/verdict/verdict.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/numbers/contention.h"
#include "report/advice/recommend.h"
#include "report/history/history_changes.h"
#include "report/prices/offer.h"
#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/bottleneck.h"
#include "report/stats/contention_run.h"
#include "report/stats/device_use.h"
#include "report/stats/growth.h"
#include "report/stats/history.h"
#include "report/stats/memory_peak.h"
#include "report/stats/state_use.h"
#include "report/stats/time_left.h"
#include "report/stats/trend.h"
#include "report/stats/usage_column.h"
#include "report/units/difference_text.h"
#include "report/units/model_json.h"
#include "report/verdict/verdict_end.h"

/* -- what held it back ------------------------------------------------------------------------- */

static void say_quota(const struct run *run, double share, struct buf *text)
{
	double quota = run->snapshot.limits.known ? run->snapshot.limits.cpus_quota : (double)NAN;

	(void)share;
	buf_str(text, "A CPU limit held it back: ");
	if (quota > 0)
		buf_printf(text, "to keep it to %s, ", UNITS_CPUS(quota));
	buf_printf(text, "the kernel stopped it for %s (summed over CPUs) in a run of %s.",
	           UNITS_TEXT(UNIT_SECONDS, bottleneck_throttled_s(run)),
	           UNITS_TEXT(UNIT_SECONDS, run->duration));
}

static void say_memory(const struct run *run, double share, struct buf *text)
{
	bool waits = run->stats[METRIC_SYSTEM_PSI_MEMORY_SOME].n > 0;
	bool swapped = bottleneck_swapped(run) > 0;

	buf_str(text, "Memory was short: ");
	if (waits)
		buf_printf(text, "for %s of the time some task on the machine waited for it%s",
		           UNITS_SHARE(share), swapped ? ", and " : "");
	if (swapped)
		buf_printf(text, "up to %s of the job was swapped out to disk",
		           UNITS_TEXT(UNIT_BYTES, run->stats[METRIC_PROCESS_SWAP].max));
	buf_char(text, '.');
}

static void say_others_memory(const struct run *run, double share, struct buf *text)
{
	double used = run->stats[METRIC_PROCESS_MEMORY].max / allowance_memory(run).amount;

	buf_printf(
	    text,
	    "Other programs were short of memory: for %s of the time some task on the machine "
	    "waited "
	    "for it, but the job had at most %s of what it may use.",
	    UNITS_SHARE(share), UNITS_SHARE(used));
}

static void say_io_waits(const struct run *run, struct buf *text)
{
	const struct stats *some = &run->stats[METRIC_SYSTEM_PSI_IO_SOME];

	if (some->n)
		buf_printf(text, "for %s of the time some task on the machine waited for I/O",
		           UNITS_SHARE(some->mean));
	else
		buf_printf(text, "on average %s of the machine idled while a task waited for I/O",
		           UNITS_TEXT(UNIT_CORES, run->stats[METRIC_SYSTEM_CPU_IOWAIT].mean));
}

static void say_disks(const struct run *run, double share, struct buf *text)
{
	double bytes, own = bottleneck_own_io(run, &bytes);

	(void)share;
	buf_str(text, "Disks held it back: ");
	say_io_waits(run, text);
	if (usage_tracks_job(run) && own > 0)
		buf_printf(text,
		           ", and of the bytes that its disks transferred, %s (%s) were the job's",
		           UNITS_SHARE(own), UNITS_TEXT(UNIT_BYTES, bytes));
	buf_char(text, '.');
}

static void say_others_disks(const struct run *run, double share, struct buf *text)
{
	double bytes, own = bottleneck_own_io(run, &bytes);

	(void)share;
	buf_str(text, "Disks were busy: ");
	say_io_waits(run, text);
	buf_printf(text, ", but of the bytes that its disks transferred, only %s were the job's.",
	           UNITS_SHARE(own));
}

static void say_stolen(const struct run *run, double share, struct buf *text)
{
	double steal = run->stats[METRIC_SYSTEM_CPU_STEAL].mean;

	(void)share;
	buf_printf(text,
	           "The host took CPU time away: the hypervisor gave %s, %s of the machine's "
	           "CPUs, to others (steal).",
	           UNITS_TEXT(UNIT_CORES, steal), UNITS_SHARE(steal / allowance_machine_cpus(run)));
}

static void say_cpu_wait(const struct run *run, double share, struct buf *text)
{
	double others = bottleneck_others_cores(run), wanted = bottleneck_wanted_cores(run);

	buf_printf(text,
	           "It was short of CPU: its threads waited at least %s for a CPU, %s of the time "
	           "in which they could have run. Without that wait it would have used %s %s. ",
	           UNITS_TEXT(UNIT_SECONDS, bottleneck_waited_least_s(run)), UNITS_SHARE(share),
	           state_use_of(run).known ? "about" : "at most", UNITS_BUSY(wanted));
	if (others > 0)
		buf_printf(text,
		           "Other programs used %s of the machine's %s: ", UNITS_CORES(others),
		           UNITS_CPUS(allowance_machine_cpus(run)));
	if (others > 0 && wanted > allowance_cpus(run).amount)
		buf_str(text, "more CPUs, or a machine that is less busy, may make it faster.");
	else if (others > 0)
		buf_str(text, "a machine that is less busy may make it faster.");
	else
		buf_str(text, "More CPUs may make it faster, unless it ties its threads to some.");
}

static void say_others_cpu(const struct run *run, double share, struct buf *text)
{
	buf_printf(
	    text,
	    "Other programs were busy on the machine: they used %s of its %s, and for %s of the "
	    "time some task waited for a CPU.",
	    UNITS_CORES(bottleneck_others_cores(run)), UNITS_CPUS(allowance_machine_cpus(run)),
	    UNITS_SHARE(share));
}

static void say_one_core(const struct run *run, double share, struct buf *text)
{
	buf_printf(text,
	           "It used one core at a time: one of %s was busy for %s of the time, as by a "
	           "program with one thread, which more CPUs do not speed up.",
	           UNITS_CPUS(allowance_cpus(run).amount), UNITS_SHARE(share));
}

static void say_gpus(const struct run *run, double share, struct buf *text)
{
	buf_printf(text, "The %s the limit, busy for %s of the time.",
	           bottleneck_gpus(run).gpus == 1 ? "GPU was" : "GPUs were", UNITS_SHARE(share));
}

static void say_cpus(const struct run *run, double share, struct buf *text)
{
	struct allowance allowed = allowance_cpus(run);
	bool job = usage_tracks_job(run);

	const char *whose = job ? "the machine's" : "its";

	buf_printf(text, "The CPUs were the limit: %s kept %s %s busy for %s of the time",
	           job ? "it" : "the machine", allowed.from ? "the allowed" : whose,
	           UNITS_CPUS(allowed.amount), UNITS_SHARE(share));
	if (bottleneck_starved(run) > 0)
		buf_printf(text, ", and its threads waited at least %s for a CPU",
		           UNITS_TEXT(UNIT_SECONDS, bottleneck_waited_least_s(run)));
	buf_str(text, ". More of them may make it faster.");
}

static const struct {
	void (*say)(const struct run *run, double share, struct buf *text);
	verdict_level level;
} sentences[] = {
    [BOTTLENECK_QUOTA] = {say_quota, "warn"},
    [BOTTLENECK_MEMORY] = {say_memory, "warn"},
    [BOTTLENECK_DISKS] = {say_disks, "warn"},
    [BOTTLENECK_STOLEN] = {say_stolen, "warn"},
    [BOTTLENECK_CPU_WAIT] = {say_cpu_wait, "warn"},
    [BOTTLENECK_ONE_CORE] = {say_one_core, "warn"},
    [BOTTLENECK_GPUS] = {say_gpus, "info"},
    [BOTTLENECK_CPUS] = {say_cpus, "info"},
    [BOTTLENECK_OTHERS_CPU] = {say_others_cpu, "warn"},
    [BOTTLENECK_OTHERS_MEMORY] = {say_others_memory, "info"},
    [BOTTLENECK_OTHERS_DISKS] = {say_others_disks, "info"},
};

static verdict_level say_cause(enum bottleneck cause, const struct run *run, struct buf *text)
{
	if (cause == BOTTLENECK_NONE)
		return NULL;
	sentences[cause].say(run, bottleneck_share(cause, run), text);
	return sentences[cause].level;
}

/* Where the states of a job are known, another sentence says what it waited for. */
static void say_idle_waits(const struct run *run, const char *others, struct buf *text)
{
	buf_printf(text, "It was idle most of the time (%s busy)",
	           UNITS_BUSY(run->stats[METRIC_PROCESS_CPU_USAGE].mean));
	if (!state_use_of(run).known)
		buf_printf(text,
		           ", and waited for something other than %s (a timer, the network, "
		           "another program …)",
		           others);
}

/* Says why a job used next to no CPU and did not wait for one; NULL for other jobs. */
static verdict_level say_idle(const struct run *run, struct buf *text)
{
	if (!bottleneck_job_idle(run))
		return NULL;
	say_idle_waits(run, bottleneck_no_pressure(run) ? "CPU, memory or disks" : "a CPU", text);
	buf_char(text, '.');
	return "info";
}

/* Says that nothing held the job back; NULL where something did, or not all of it was measured. */
static verdict_level say_nothing(const struct run *run, struct buf *text)
{
	double busy = usage_stats(USAGE_CPU, run)->mean;
	bool idle = bottleneck_cpu_idle(run), job = usage_tracks_job(run);
	bool quota_known = run->stats[METRIC_SYSTEM_THROTTLED].n > 0;

	if (!bottleneck_nothing(run))
		return NULL;
	if (idle && job)
		say_idle_waits(run, "CPU, memory or disks", text);
	else if (idle)
		buf_printf(text, "The machine was mostly idle (%s busy)", UNITS_BUSY(busy));
	else
		buf_printf(text, "Nothing held %s back", job ? "it" : "the machine");
	buf_printf(text,
	           ": tasks on the machine waited for a CPU %s of the time, for memory %s, for I/O "
	           "%s",
	           UNITS_SHARE(run->stats[METRIC_SYSTEM_PSI_CPU_SOME].mean),
	           UNITS_SHARE(run->stats[METRIC_SYSTEM_PSI_MEMORY_SOME].mean),
	           UNITS_SHARE(run->stats[METRIC_SYSTEM_PSI_IO_SOME].mean));
	if (!quota_known)
		buf_str(text, " (whether a CPU limit stopped it is unknown)");
	buf_char(text, '.');
	return idle || !quota_known ? "info" : "good";
}

static verdict_level verdict_bottleneck_say(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	enum bottleneck of_job, of_machine;
	verdict_level level;

	/* If a job was recorded in part, nothing can be said of the whole. */
	if (run->samples < BOTTLENECK_SAMPLES || usage_is_partial(run))
		return NULL;
	of_job = bottleneck_largest(run, BOTTLENECK_QUOTA, BOTTLENECK_FIRST_OF_MACHINE);
	level = say_cause(of_job, run, text);
	if (!level)
		level = say_idle(run, text);
	if (level)
		return level;
	of_machine = bottleneck_largest(run, BOTTLENECK_FIRST_OF_MACHINE, BOTTLENECK_NONE);
	level = say_cause(of_machine, run, text);
	return level ? level : say_nothing(run, text);
}

/* -- how it differs from others, and from earlier runs ----------------------------------------- */

#define SENTENCES_MAX 3    /* runs that get a sentence */
#define STATE_CHANGED 0.05 /* of the longer run's time: a smaller change of a state is not felt */

/* -- how it differs: with --compare ------------------------------------------------------------ */

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

/* ", 18 min more waiting for the disk": the state whose time differs most from the base's, where
 * that was felt. */
static void say_state_change(struct buf *text, const struct run *run, const struct run *base)
{
	struct state_use a = state_use_of(run), b = state_use_of(base);
	double most = 0, by = 0;
	int state = 0;

	for (int k = 0; a.known && b.known && k < STATES_N; k++)
		if (fabs(a.of[k].s - b.of[k].s) > fabs(by)) {
			by = a.of[k].s - b.of[k].s;
			state = k;
		}
	most = fmax(a.total_s, b.total_s);
	if (by != 0 && fabs(by) >= STATE_CHANGED * most)
		buf_printf(text, ", %s %s %s", UNITS_TEXT(UNIT_SECONDS, fabs(by)),
		           by > 0 ? "more" : "less", state_words[state].is);
}

/* " duration −10.0 s (−50%), …": run i against this run, which is the base of the table, too. */
static void add_differences(struct buf *text, const struct model_input *in, size_t i)
{
	char difference[96], percent[UNITS_SIZE + 8];
	const char *comma = "";

	for (int m = 0; m < TREND_MEASURES; m++) {
		double base = compared_value(in, (enum trend_id)m, 0);
		double v = compared_value(in, (enum trend_id)m, i);
		if (!trend_measures[m].spoken || !isfinite(v - base))
			continue;
		buf_printf(text, "%s %s %s", comma, trend_measures[m].name,
		           difference_text(trend_measures[m].unit, v - base, difference));
		if (*difference_percent_text(difference_percent(trend_measures[m].unit, v, base),
		                             percent))
			buf_printf(text, " (%s)", percent);
		comma = ",";
	}
	if (!*comma)
		buf_str(text, " nothing that both measured");
	else
		say_state_change(text, &in->runs->v[in->compare->v[i].run],
		                 &in->runs->v[in->compare->v[0].run]);
}

/* Only runs that ended well count, which is said: a failed run that ended soon is not better. */
static void add_lowest(struct buf *text, const struct model_input *in, enum trend_id id,
                       const char *word)
{
	size_t best = in->compare->n, well = 0, measured = 0;

	for (size_t i = 0; i < in->compare->n; i++) {
		double v = compared_value(in, id, i);
		measured += isfinite(v);
		if (!ended_well(in, i) || !isfinite(v))
			continue;
		well++;
		if (best == in->compare->n || v < compared_value(in, id, best))
			best = i;
	}
	if (well > 1)
		buf_printf(text, " %s%s: %s (%s).", word,
		           well < measured ? " of those that ended well" : "",
		           compared_label(in, best),
		           UNITS_TEXT(trend_measures[id].unit, compared_value(in, id, best)));
}

/* " (earlier)": which of the two is before. */
static const char *say_order(const struct model_input *in, size_t i)
{
	double by =
	    in->runs->v[in->compare->v[i].run].start - in->runs->v[in->compare->v[0].run].start;

	if (!isfinite(by) || by == 0)
		return "";
	return by < 0 ? " (earlier)" : " (later)";
}

static verdict_level verdict_compare_say(const struct model_input *in, struct buf *text)
{
	size_t n = in->compare ? in->compare->n : 0;

	for (size_t i = 1; i < n && i <= SENTENCES_MAX; i++) {
		if (i == 1)
			buf_printf(text, "Against %s (this run),", compared_label(in, 0));
		buf_printf(text, " %s%s%s:", compared_label(in, i), say_order(in, i),
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

/* -- whether others kept it from the CPUs ------------------------------------------------------ */

#define AS_ALWAYS 0.1 /* of the median */

static bool cpu_as_always(const struct history_measure *cpu)
{
	return cpu->n && fabs(cpu->now / cpu->median - 1) <= AS_ALWAYS;
}

static verdict_level say_contended(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	struct snapshot_contention c = contention_run(run);

	if (!contention_run_is(run))
		return NULL;
	if (c.waited_s > CONTENTION_WAITED * run->duration)
		buf_printf(text, "Contended: other programs kept it waiting for %s of %s",
		           UNITS_SECONDS(c.waited_s), UNITS_SECONDS(run->duration));
	else
		buf_printf(text, "Contended: the hypervisor took %s of %s",
		           UNITS_SECONDS(c.stolen_s), UNITS_SECONDS(run->duration));
	if (in->history && cpu_as_always(&in->history->of[TREND_CPU_TIME]))
		buf_str(text, "; its CPU time was as always");
	buf_char(text, '.');
	if (!in->compare || in->runs->n < 2) /* which compares whatever it is given */
		buf_str(text,
		        " Its duration and mean CPU are not compared with those of other runs.");
	return "info";
}

/* -- how it differs: earlier runs -------------------------------------------------------------- */

/* " duration +12%", with the number of runs if not all used ones have the measure. */
static bool add_median_change(struct buf *text, const struct trend_measure *m,
                              const struct history_measure *h, size_t used)
{
	double percent = stats_round((h->now / h->median - 1) * 100, 0);

	if (!isfinite(percent) || difference_of_nothing(m->unit, h->median))
		return false;
	buf_printf(text, "%s %s %s%s", text->len ? "," : "", m->name, percent >= 0 ? "+" : "\u2212",
	           UNITS_PERCENT(fabs(percent)));
	if (h->n != used)
		buf_printf(text, " (of %zu)", h->n);
	return true;
}

struct state_of {
	const struct runs *r;
	enum states_id state;
};

static double state_of_run(const void *ctx, size_t i)
{
	const struct state_of *of = ctx;

	return state_use_sampled(&of->r->v[i], of->state);
}

/* " 62% of the time it waited for the disk; in earlier runs it was 30%.", of each state that
 * differs. It explains a duration that is changed or unusual, and says nothing without that. */
static void say_states_differ(struct buf *text, const struct runs *r)
{
	for (int k = 0; k < STATES_N; k++) {
		const struct state_of of = {r, (enum states_id)k};
		double now = state_of_run(&of, 0);
		double median = history_range(r, true, state_of_run, &of).median;
		if (!(fabs(now - median) >= STATE_CHANGED))
			continue;
		buf_printf(text, " %s of the time it %s; in earlier runs it was %s.",
		           UNITS_SHARE(now), state_words[k].was, UNITS_SHARE(median));
	}
}

#define CHANGES_SAID 3

/* " Since a1b2c3d (9 runs): …", and the rest in number. */
static bool say_history_changes(const struct model_input *in, struct buf *text)
{
	size_t n = 0;
	bool worse = false;

	for (int i = 0; i < TREND_JUDGED; i++) {
		const struct history_measure *h = &in->history->of[i];
		if (h->word != HISTORY_CHANGED)
			continue;
		worse |= trend_measures[i].less_is_good && h->change->step > 0;
		if (n++ >= CHANGES_SAID)
			continue;
		buf_str(text, text->len ? " " : "");
		history_change_text(in->runs, (enum trend_id)i, &h->series, h->change, text);
	}
	if (n > CHANGES_SAID)
		buf_printf(text, " %zu more measures changed.", n - CHANGES_SAID);
	return worse;
}

/* " Unusual: peak memory 3.10 GiB, outside of the range of 39 comparable runs for this input; 1 of
 * 20 runs looks like this without a cause." */
static void say_unusual(const struct model_input *in, struct buf *text)
{
	for (int i = 0; i < TREND_JUDGED; i++) {
		const struct history_measure *h = &in->history->of[i];
		if (h->word != HISTORY_UNUSUAL)
			continue;
		buf_printf(text,
		           "%sUnusual: %s %s, outside of the range of %zu comparable runs%s; 1 of "
		           "%.0f runs looks like this without a cause.",
		           text->len ? " " : "", trend_measures[i].name,
		           UNITS_TEXT(trend_measures[i].unit, h->now), h->usual.n,
		           h->series.same_input ? " for this input" : "", floor(h->usual.one_in));
	}
}

/* " Whether it changed cannot be told: 3 more comparable runs are needed." Only where that is so of
 * all measures. */
static void say_runs_missing(const struct model_input *in, struct buf *text)
{
	size_t least = 0;

	for (int i = 0; i < TREND_JUDGED; i++) {
		const struct history_measure *h = &in->history->of[i];
		if (!isfinite(h->now) || !h->series.n)
			continue;
		if (!h->missing)
			return;
		least = !least || h->missing < least ? h->missing : least;
	}
	if (least)
		buf_printf(text,
		           " Whether it changed cannot be told: %zu more comparable run%s needed.",
		           least, least == 1 ? " is" : "s are");
}

static void say_medians(const struct model_input *in, struct buf *text)
{
	size_t used = history_used(in->runs);
	struct buf changes = {0};
	char runs[HISTORY_TEXT];

	for (int i = 0; i < TREND_JUDGED; i++) {
		/* How long a running job took is not known yet (say_time_left). */
		if (i == TREND_DURATION && in->runs->v[0].status == RUN_RUNNING)
			continue;
		if (trend_measures[i].spoken && in->history->of[i].n)
			add_median_change(&changes, &trend_measures[i], &in->history->of[i], used);
	}
	if (changes.len) {
		history_used_text(in->runs, runs);
		buf_printf(text, "Against the median of %s:%s.", runs, buf_cstr(&changes));
	}
	buf_free(&changes);
}

static verdict_level verdict_compare_history(const struct model_input *in, struct buf *text)
{
	const struct history_measure *duration;
	bool worse;

	if (in->compare || !in->history)
		return NULL; /* verdict_compare_say says how this run differs */
	duration = &in->history->of[TREND_DURATION];
	say_medians(in, text);
	worse = say_history_changes(in, text);
	say_unusual(in, text);
	if (text->len && trend_ended(&in->runs->v[0]))
		say_runs_missing(in, text);
	if (duration->word == HISTORY_CHANGED || duration->word == HISTORY_UNUSUAL)
		say_states_differ(text, in->runs);
	if (!text->len)
		return NULL;
	return worse ? "warn" : "info";
}

/* -- where its time went ----------------------------------------------------------------------- */

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

static verdict_level verdict_states_say(const struct model_input *in, struct buf *text)
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

/* -- what was used of what there was ----------------------------------------------------------- */

#define NEARLY_FULL 0.95 /* of a file system */

static const char *whose_usage(const struct run *run)
{
	if (usage_is_partial(run))
		return "The main process";
	return usage_tracks_job(run) ? "The job" : "The machine";
}

/* -- used: memory ------------------------------------------------------------------------------ */

/* "50% of the machine's 1.82 GiB". */
static void say_of_memory(struct buf *text, const struct run *run, double share,
                          const struct allowance *allowed)
{
	bool origin_said = load_is_oom(run); /* another sentence names what sets the limit */
	char percent[UNITS_SIZE], bytes[64];

	units_text(UNIT_BYTES, allowed->amount, NULL, bytes);
	units_share(share, percent);
	if (parts_nodes(run) > 1)
		buf_printf(text, ", %s of the %s of its %zu nodes", percent, bytes,
		           parts_nodes(run));
	else if (allowed->from && origin_said)
		buf_printf(text, ", %s of its limit of %s", percent, bytes);
	else if (allowed->from)
		buf_printf(text, ", %s of its limit of %s (%s)", percent, bytes, allowed->from);
	else
		buf_printf(text, ", %s of the machine's %s", percent, bytes);
}

/* A peak that no sample saw. */
static void say_between(struct buf *text, const struct run *run)
{
	if (run->memory_sampled_b > 0)
		buf_printf(text, ", between two samples, of which none had more than %s",
		           UNITS_TEXT(UNIT_BYTES, run->memory_sampled_b));
}

static verdict_level verdict_usage_memory(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	enum metric_id column = usage_column(USAGE_MEMORY, run, USAGE_MEMORY);
	double peak = run->stats[column].max, more = memory_peak_cgroup(run);
	double most = memory_peak_most(run);
	struct allowance allowed = allowance_memory(run);
	bool asked = verdict_asked_known(run, ASKED_MEMORY), between = memory_peak_between(run);

	if (!(peak > 0))
		return NULL;
	if (column != METRIC_PROCESS_MEMORY)
		buf_str(text, "The machine");
	else
		buf_str(text, usage_is_partial(run) ? "The main process" : "The job");
	buf_printf(text, " used at %s %s of memory", memory_peak_word(run),
	           UNITS_TEXT(UNIT_BYTES, peak));
	if (allowed.amount > 0)
		say_of_memory(text, run, peak / allowed.amount, &allowed);
	if (!isnan(most))
		buf_printf(text, ", and at most %s", UNITS_TEXT(UNIT_BYTES, most));
	if (between)
		say_between(text, run);
	if (more > 0)
		buf_printf(text, "; its cgroup, page cache included, reached %s",
		           UNITS_TEXT(UNIT_BYTES, more));
	buf_char(text, '.');
	/* The sentence on what was asked has the peak. */
	if (asked && !(more > 0) && !between && !(peak >= MEMORY_PEAK_FULL * allowed.amount))
		return NULL;
	if (!(peak >= MEMORY_PEAK_FULL * allowed.amount))
		return "info";
	return load_is_oom(run) ? "bad" : "warn";
}

/* -- used: CPUs -------------------------------------------------------------------------------- */

static void say_of_cpus(struct buf *text, const struct run *run, double share,
                        const struct allowance *allowed)
{
	char percent[UNITS_SIZE], cpus[64];

	units_share(share, percent);
	units_cpus(allowed->amount, cpus);
	if (parts_nodes(run) > 1)
		buf_printf(text, ": %s of the %s of its %zu nodes", percent, cpus,
		           parts_nodes(run));
	else if (allowed->from)
		buf_printf(text, ": %s of the %s it may use (%s)", percent, cpus, allowed->from);
	else
		buf_printf(text, ": %s of the machine's %s", percent, cpus);
}

static verdict_level verdict_usage_cpu(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	const struct stats *busy = usage_stats(USAGE_CPU, run);
	struct allowance allowed = allowance_cpus(run);

	if (isnan(busy->mean) || verdict_asked_known(run, ASKED_CPUS))
		return NULL;
	buf_printf(text, "%s kept %s busy", whose_usage(run), UNITS_BUSY(busy->mean));
	if (busy->n > 1 && busy->max >= 0.005)
		buf_printf(text, " on average and %s at its peak", UNITS_CORES(busy->max));
	else if (isnan(busy->max))
		buf_str(text, " on average");
	if (allowed.amount > 0)
		say_of_cpus(text, run, busy->mean / allowed.amount, &allowed);
	buf_str(text, ".");
	if (!bottleneck_cpus_unused(run))
		return "info";
	buf_str(text, allowed.from ? " It left most of that unused." : " Most of them were idle.");
	return "warn";
}

/* -- used: GPUs -------------------------------------------------------------------------------- */

static verdict_level verdict_usage_gpu(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	struct bottleneck_gpus g = bottleneck_gpus(run);
	double held = run->stats[METRIC_PROCESS_GPU_VRAM].max;
	const struct stats *own = &run->stats[METRIC_PROCESS_GPU_USAGE];
	char all[UNITS_SIZE], job[UNITS_SIZE];

	if (!(g.gpus > 0))
		return NULL;
	if (g.gpus == 1)
		buf_printf(text, "The GPU was busy %s of the time", units_share(g.mean, all));
	else
		buf_printf(text, "The %s GPUs were busy %s of the time on average",
		           UNITS_COUNT(g.gpus), units_share(g.mean, all));
	if (usage_tracks_job(run) && own->n &&
	    strcmp(units_share(own->mean / g.gpus, job), all) != 0)
		buf_printf(text, " (the job alone: %s)", job);
	if (g.unused > 0 && g.unused < g.gpus)
		buf_printf(text, ", %s of them never", UNITS_COUNT(g.unused));
	if (held > 0)
		buf_printf(text, "; the job held up to %s of GPU memory",
		           UNITS_TEXT(UNIT_BYTES, held));
	buf_str(text, ".");
	if (!(g.mean < BOTTLENECK_GPUS_IDLE))
		return g.unused > 0 ? "warn" : "info";
	if (held > 0)
		buf_printf(text, " The GPU%s mostly waited for the job.", g.gpus == 1 ? "" : "s");
	else
		buf_printf(text, " The job hardly needed %s.", g.gpus == 1 ? "it" : "them");
	return "warn";
}

/* -- used: file systems ------------------------------------------------------------------------ */

/* The file systems that the run filled, of a recording with --detail. */
static verdict_level verdict_usage_file_systems(const struct model_input *in, struct buf *text)
{
	struct device_uses u;
	struct err e;
	size_t n = 0;

	if (device_use_make(&u, &in->runs->v[0], DETAIL_FILE_SYSTEM, &e))
		return NULL;
	/* The fullest come first. */
	for (size_t i = 0; i < u.n; i++) {
		const struct device_use *d = &u.v[i];
		if (!(d->full >= NEARLY_FULL && d->grown >= DEVICE_USE_GROWN) || n++)
			continue;
		buf_str(text, "The file system on ");
		model_json_cut_text(text, d->name, MODEL_JSON_NAME_MAX);
		buf_printf(text, " filled up to %s during the run: %s more was used on it",
		           UNITS_PERCENT(stats_round(100 * d->full, 1)),
		           UNITS_TEXT(UNIT_BYTES, d->of[0]->max - d->of[0]->first));
	}
	if (n > 1)
		buf_printf(text, "; so did %zu other%s", n - 1, n > 2 ? "s" : "");
	if (n)
		buf_char(text, '.');
	free(u.v);
	return n ? "warn" : NULL;
}

/* Memory that grew to the end. */
static verdict_level say_growth(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	struct growth g = growth_of_column(run, METRIC_PROCESS_MEMORY);
	struct allowance allowed = allowance_memory(run);
	double left_s = growth_reaches(&g, allowed.amount);

	if (g.kind < GROWTH_UNEVEN)
		return NULL;
	buf_str(text, "Its memory ");
	growth_say(&g, UNIT_BYTES, text);
	if (left_s > 0)
		buf_printf(text, ": %s %s %s reached in %s",
		           allowed.from ? "its limit of" : "the machine's",
		           UNITS_TEXT(UNIT_BYTES, allowed.amount), allowed.from ? "is" : "are",
		           UNITS_SECONDS(left_s));
	buf_char(text, '.');
	return g.kind == GROWTH_STRAIGHT ? "warn" : "info";
}

/* -- how it ended ------------------------------------------------------------------------------ */

/* Which memory ran out: the limit's; else the machine's, if no hidden limit is possible. */
static void say_oom(const struct run *run, struct buf *text)
{
	struct allowance allowed = allowance_memory(run);
	bool visible = run->snapshot.limits.known && !run->snapshot.limits.hidden;
	char bytes[64];

	buf_printf(text, "The kernel's OOM killer ended %sthe job",
	           !run->snapshot.exit.known || run->snapshot.exit.code == 0 ? "processes of "
	                                                                     : "");
	if (run->parts) {
		buf_str(text, " on ");
		parts_place_text(run->parts->worst->node, run->parts->worst->task, text);
		buf_str(text, ": it used all the memory that it was allowed to there.");
		return;
	}
	buf_str(text, ": ");
	units_text(UNIT_BYTES, allowed.amount, NULL, bytes);
	if (allowed.amount > 0 && allowed.from)
		buf_printf(text, "it needed more memory than its limit of %s (%s).", bytes,
		           allowed.from);
	else if (allowed.amount > 0 && visible)
		buf_printf(text, "the machine's %s of memory was used up.", bytes);
	else
		buf_str(text, "it used all the memory that it was allowed to.");
}

/* For recordings without an exit status: a process that was followed, or the machine. Else NULL. */
static const char *followed_end(const struct snapshot *s)
{
	static const struct {
		const char *cause, *words;
	} ends[] = {
	    {"exited", "The process that was followed ended; its exit status is unknown."},
	    {"detached", "The recording was stopped; the process that was followed went on."},
	};
	const char *cause = s->exit.cause ? s->exit.cause : "";

	for (size_t i = 0; !s->exit.known && i < sizeof ends / sizeof *ends; i++)
		if (strcmp(ends[i].cause, cause) == 0)
			return ends[i].words;
	return NULL;
}

static verdict_level say_status(const struct model_input *in, struct buf *text)
{
	static const verdict_level levels[RUN_STATUSES] = {"good", "bad",  "bad",
	                                                   "warn", "info", "info"};
	const struct run *run = &in->runs->v[0];
	const struct snapshot *s = &run->snapshot;
	const char *words = followed_end(s);
	bool why = verdict_end_why(run) != NULL;
	char sentence[VERDICT_END_MAX];

	if (load_is_oom(run) && !why) {
		say_oom(run, text);
		return "bad";
	}
	if (run->status == RUN_FINISHED && words) {
		buf_str(text, words);
		if (s->tasks.known && s->tasks.failed > 0)
			buf_printf(text, " %.0f of its %.0f children failed.", s->tasks.failed,
			           s->tasks.n);
		return s->tasks.known && s->tasks.failed > 0 ? "warn" : "info";
	}
	buf_str(text, verdict_end_sentence(run, sentence));
	words = s->exit.known && !why ? verdict_end_meaning(s) : NULL;
	if (words && text->len) {
		text->s[--text->len] = '\0'; /* drop the full stop */
		buf_printf(text, ": %s.", words);
	}
	return run->status == RUN_FINISHED && s->tasks.known && s->tasks.unknown > 0
	           ? "info"
	           : levels[run->status];
}

/* Processes that were killed though the job went on: a missing worker silently spoils a result. */
static verdict_level say_victims(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	double victims = run->snapshot.totals.known ? run->snapshot.totals.oom_kills : 0;

	if (!(victims >= 1) || load_is_oom(run))
		return NULL;
	buf_printf(text,
	           "During the run the kernel's OOM killer ended %s of its processes "
	           "because memory ran out.",
	           UNITS_COUNT(victims));
	return "bad";
}

/* Whether the recording has the run from its start to its end. The exit of a command may be unknown
 * though it was waited for: where some of several tasks are not known to have succeeded. */
static bool was_started(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;

	return (s->meta.track_processes || usage_lacks_job(run)) &&
	       (!s->job.known || s->exit.known || (s->totals.known && !parts_missing(run->parts)));
}

static verdict_level say_duration(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];

	if (isnan(run->duration))
		return NULL;
	buf_printf(text, "%s %s", was_started(run) ? "It ran for" : "The recording covers",
	           UNITS_TEXT(UNIT_SECONDS, run->duration));
	if (run->parts) {
		buf_str(text, " on ");
		parts_recorded_text(run->parts, text);
		if (run->parts->n > run->parts->n_nodes)
			buf_printf(text, " (%zu recordings)", run->parts->n);
	}
	buf_printf(text, "; %zu sample%s", run->samples, run->samples == 1 ? "" : "s");
	units_sample_interval(run->samples, run->duration, run->interval, text);
	buf_str(text, ".");
	return "info";
}

static verdict_level say_impossible(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];

	if (!run->impossible)
		return NULL;
	buf_printf(
	    text,
	    "What this recording says cannot be true: %s. How long the run took, what was asked "
	    "for it and what it cost are not shown.",
	    run->impossible);
	return "bad";
}

static verdict_level say_time_left(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	size_t n;
	double *took = run->status == RUN_RUNNING ? time_left_history(in->runs, &n) : NULL;
	struct time_left left = took ? time_left_of(took, n, run->duration) : (struct time_left){0};

	free(took);
	time_left_text(&left, text);
	if (!text->len)
		return NULL;
	text->s[0] = (char)toupper((unsigned char)text->s[0]);
	buf_str(text, ".");
	return "info";
}

/* The recording left something out: --no-children, --no-process. */
static verdict_level say_not_recorded(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];

	if (usage_is_partial(run))
		buf_str(text,
		        "Only the main process was recorded: what its descendants used is not "
		        "in these numbers.");
	else if (usage_lacks_job(run))
		buf_str(text, "Only the machine was recorded: what the job used is not known.");
	else
		return NULL;
	return "warn";
}

/* -- what it cost ------------------------------------------------------------------------------ */

static void say_present_cost(const struct keeper_result *k, double duration, double nodes,
                             struct buf *text)
{
	if (nodes > 1)
		buf_printf(text, "On these %.0f servers", nodes);
	else
		buf_str(text, "On this server");
	buf_printf(text, ", %s %s at %s%s, the run cost %s.", k->present.vendor_id,
	           offer_server(&k->present),
	           UNITS_MONEY(UNIT_MONEY_HOUR, k->present.price_hour, k->currency),
	           nodes > 1 ? " each" : "",
	           UNITS_MONEY(UNIT_MONEY, cost_run(k->present.price_hour, duration) * nodes,
	                       k->currency));
}

/* The run on the cheapest server, at the prices that are compared. */
static struct frontier_point predict_there(const struct model_input *in,
                                           const struct keeper_server *s)
{
	struct recommend_job *of = alloc_failed_note(calloc(1, sizeof *of));
	struct frontier_point p = {.server = s, .cost = {NAN, NAN, NAN}, .alone = NAN};

	if (of) {
		recommend_job(in->runs, in->keeper, of);
		frontier_point(&of->job, s, &p);
	}
	free(of);
	return p;
}

static void say_cheapest(const struct model_input *in, double duration, double nodes,
                         struct buf *text)
{
	const struct keeper_result *k = in->keeper;
	struct keeper_server s = k->server[0];
	struct offer_pair pair = offer_pair(k);
	struct frontier_point p = predict_there(in, &s);
	char price[64], cost[64], range[UNITS_RANGE_SIZE];
	double there = p.cost.s / s.price_hour * pair.there;
	struct cost_savings saved = cost_saved(cost_run(pair.here, duration) * nodes, there);

	units_text(UNIT_MONEY_HOUR, s.price_hour, k->currency, price);
	if (offer_is_present(k)) {
		buf_str(text, " It is the cheapest per hour that fits");
		if (k->spot)
			buf_printf(text, ", at a spot price of %s", price);
		buf_char(text, '.');
		return;
	}
	units_text(UNIT_MONEY, p.cost.s, k->currency, cost);
	units_range(UNIT_MONEY, p.cost.least, p.cost.most, k->currency, range);
	buf_printf(text, "%sThe cheapest server per hour that fits %sis %s %s at %s%s",
	           text->len ? " " : "", nodes > 1 ? "a node " : "", offer_vendor(&s),
	           offer_server(&s), k->spot ? "a spot price of " : "", price);
	if (isfinite(p.cost.s)) {
		buf_printf(text, ": this run would cost %s", cost);
		if (*range)
			buf_printf(text, " (%s)", range);
		buf_str(text, nodes > 1 ? " on as many" : " there");
	}
	if (saved.known)
		buf_printf(text, ", %s %s%s", UNITS_PERCENT(fabs(stats_round(saved.percent, 0))),
		           saved.extra ? "more" : "less", pair.end);
	/* A run alone on a server may be billed for far more than its duration. */
	if (isfinite(p.alone) && strcmp(UNITS_MONEY(UNIT_MONEY, p.alone, k->currency), cost) != 0)
		buf_printf(text, "; alone on %s, %s",
		           nodes > 1 ? "fresh servers" : "a fresh server",
		           UNITS_MONEY(UNIT_MONEY, p.alone, k->currency));
	buf_str(text, *k->age_why ? " (the prices are out of date)." : ".");
}

static verdict_level say_cost(const struct model_input *in, struct buf *text)
{
	const struct keeper_result *k = in->keeper;
	double duration = in->runs->v[0].duration;
	double nodes = (double)parts_all_nodes(&in->runs->v[0]);

	if (isnan(duration))
		return NULL;
	if (k->present_known)
		say_present_cost(k, duration, nodes, text);
	if (k->known)
		say_cheapest(in, duration, nodes, text);
	return text->len ? "info" : NULL;
}

/* -- all of them ------------------------------------------------------------------------------- */

/* The head comes first, in this order; then the others: bad ones, warnings, the rest. */
static const struct {
	const char *id;
	verdict_rule say;
	bool head;
	const char *card;  /* of the page, which says it there; "": only other outputs do */
	const char *quiet; /* at this level the page does not say it: its head or a table does */
} rules[] = {
    {"status", say_status, true, "head", "good"},
    {"impossible", say_impossible, true, "head", NULL},
    {"parts_missing", verdict_parts_missing, true, "head", NULL},
    {"compare", verdict_compare_say, true, "before", NULL},
    {"duration", say_duration, true, "", NULL},
    {"time_left", say_time_left, true, "head", NULL},
    {"left_out", say_not_recorded, true, "head", NULL},
    {"parts_uneven", verdict_parts_uneven, false, "why", NULL},
    {"parts_clocks", verdict_parts_clocks, false, "why", NULL},
    {"growth", say_growth, false, "ask", NULL},
    {"oom", say_victims, false, "head", NULL},
    {"array", verdict_parts_array, false, "ask", NULL},
    {"asked", verdict_asked_say, false, "", NULL},
    {"memory", verdict_usage_memory, false, "ask", "info"},
    {"cpu", verdict_usage_cpu, false, "", NULL},
    {"gpu", verdict_usage_gpu, false, "why", NULL},
    {"states", verdict_states_say, false, "why", NULL},
    {"path", verdict_path_say, false, "why", NULL},
    {"bottleneck", verdict_bottleneck_say, false, "why", NULL},
    {"file_systems", verdict_usage_file_systems, false, "why", NULL},
    {"advice", verdict_asked_advice, false, "", NULL},
    {"cost", say_cost, false, "", NULL},
    {"contended", say_contended, false, "before", NULL},
    {"history", verdict_compare_history, false, "before", NULL},
};

#define RULES (sizeof rules / sizeof *rules)

static void add_sentence(cJSON *verdict, size_t rule, verdict_level level, const struct buf *text)
{
	cJSON *one = model_json_row(verdict);
	bool quiet = rules[rule].quiet && strcmp(rules[rule].quiet, level) == 0;

	cJSON_AddStringToObject(one, "id", rules[rule].id);
	cJSON_AddStringToObject(one, "level", level);
	cJSON_AddStringToObject(one, "card", quiet ? "" : rules[rule].card);
	model_json_cut(one, "text", buf_cstr(text), MODEL_JSON_TEXT_MAX);
}

/* Rounds: the head, bad ones, warnings, the rest. */
static bool is_of_round(size_t rule, verdict_level level, int round)
{
	int rank = strcmp(level, "warn") == 0 ? 2 : 3;

	if (rules[rule].head)
		rank = 0;
	else if (strcmp(level, "bad") == 0)
		rank = 1;
	return rank == round;
}

void verdict_add(cJSON *model, const struct model_input *in)
{
	cJSON *verdict = cJSON_AddArrayToObject(model, "verdict");
	struct buf text[RULES] = {0};
	verdict_level level[RULES];

	for (size_t i = 0; i < RULES; i++)
		level[i] = rules[i].say(in, &text[i]);
	for (int round = 0; round < 4; round++)
		for (size_t i = 0; i < RULES; i++)
			if (level[i] && is_of_round(i, level[i], round))
				add_sentence(verdict, i, level[i], &text[i]);
	for (size_t i = 0; i < RULES; i++)
		buf_free(&text[i]);
}
