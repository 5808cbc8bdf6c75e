/* verdict: the table of the sentences at the top of a report, and those on how the job ended. */
#include "report/verdict/verdict.h"
#include "report/verdict/verdict_end.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/prices/offer.h"
#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/time_left.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"

/* -- how it ended ------------------------------------------------------------------------------ */

/* What exit statuses and signals mean by convention. */
static const struct {
	int code;
	const char *words;
} code_words[] = {
    {124, "timeout(1) uses it when the time is up"},
    {126, "in a shell, the command could not be run"},
    {127, "in a shell, the command was not found"},
    {130, "in a shell, Ctrl-C (signal INT) ended the command"},
    {134, "in a shell, the command aborted (signal ABRT)"},
    {137, "in a shell, signal KILL ended the command"},
    {139, "in a shell, the command crashed (signal SEGV)"},
    {143, "in a shell, signal TERM asked the command to end"},
};

static const struct {
	const char *signal, *words;
} signal_words[] = {
    {"ABRT", "it aborted itself"},
    {"BUS", "it crashed: the memory at an address was gone"},
    {"FPE", "it crashed: an arithmetic error, such as a division by zero"},
    {"HUP", "its terminal or session was closed"},
    {"ILL", "it crashed: an instruction that this CPU does not have"},
    {"INT", "Ctrl-C was pressed, or a program sent the same signal"},
    {"KILL", "a user or a scheduler ended it without warning"},
    {"PIPE", "nothing read its output any more"},
    {"SEGV", "it crashed: invalid memory access"},
    {"TERM", "a user or a scheduler asked it to end"},
    {"XCPU", "it used up the CPU time that a limit gave it"},
    {"XFSZ", "a file became larger than a limit allows"},
};

static const char *exit_meaning(const struct snapshot *s)
{
	const char *name = snapshot_signal_name(s->exit.signal);

	/* Whoever ends a job ends all of its tasks: one alone may have ended for any reason. */
	if (s->exit.signal && s->tasks.known && s->tasks.failed < s->tasks.n &&
	    (strcmp(name, "KILL") == 0 || strcmp(name, "TERM") == 0))
		return NULL;
	for (size_t i = 0; s->exit.signal && i < sizeof signal_words / sizeof *signal_words; i++)
		if (strcmp(signal_words[i].signal, name) == 0)
			return signal_words[i].words;
	for (size_t i = 0; !s->exit.signal && i < sizeof code_words / sizeof *code_words; i++)
		if (code_words[i].code == s->exit.code)
			return code_words[i].words;
	return NULL;
}

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
	words = s->exit.known && !why ? exit_meaning(s) : NULL;
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
	/* A short run has samples at its beginning alone, which come faster. */
	if (!isnan(run->interval) && !(run->duration < run->interval))
		buf_printf(text, ", one every %s", UNITS_TEXT(UNIT_SECONDS, run->interval));
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

/* What the recording left out: --no-children, --no-process. */
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

static void say_cheapest(const struct keeper_result *k, double duration, double nodes,
                         struct buf *text)
{
	const struct keeper_server *s = &k->server[0];
	struct offer_pair pair = offer_pair(k);
	struct cost_savings saved =
	    cost_saved(cost_run(pair.here, duration), cost_run(pair.there, duration));
	const char *price = UNITS_MONEY(UNIT_MONEY_HOUR, s->price_hour, k->currency);
	const char *cost =
	    UNITS_MONEY(UNIT_MONEY, cost_run(s->price_hour, duration) * nodes, k->currency);
	const char *alone =
	    UNITS_MONEY(UNIT_MONEY, offer_alone(s, s->price_hour, duration) * nodes, k->currency);

	if (offer_is_present(k)) {
		buf_str(text, " It is the cheapest that fits");
		if (k->spot)
			buf_printf(text, ", at a spot price of %s", price);
		buf_char(text, '.');
		return;
	}
	buf_printf(
	    text, "%sThe cheapest server that fits %sis %s %s at %s%s: this run would cost %s %s",
	    text->len ? " " : "", nodes > 1 ? "a node " : "", offer_vendor(s), offer_server(s),
	    k->spot ? "a spot price of " : "", price, cost, nodes > 1 ? "on as many" : "there");
	if (saved.known)
		buf_printf(text, ", %s %s%s, if it takes as long",
		           UNITS_PERCENT(fabs(stats_round(saved.percent, 0))),
		           saved.extra ? "more" : "less", pair.end);
	/* A run alone on a server may be billed for far more than its duration. */
	if (strcmp(alone, cost) != 0)
		buf_printf(text, "; alone on %s, %s",
		           nodes > 1 ? "fresh servers" : "a fresh server", alone);
	buf_str(text, k->age_s > 0 ? " (the prices are out of date)." : ".");
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
		say_cheapest(k, duration, nodes, text);
	return text->len ? "info" : NULL;
}

/* -- all of them ------------------------------------------------------------------------------- */

/* The head comes first, in this order; then the others: bad ones, warnings, the rest. */
static const struct {
	const char *id;
	verdict_rule say;
	bool head;
} rules[] = {
    {"status", say_status, true},
    {"impossible", say_impossible, true},
    {"parts_missing", verdict_parts_missing, true},
    {"compare", verdict_compare_say, true},
    {"duration", say_duration, true},
    {"time_left", say_time_left, true},
    {"left_out", say_not_recorded, true},
    {"parts_uneven", verdict_parts_uneven, false},
    {"parts_clocks", verdict_parts_clocks, false},
    {"oom", say_victims, false},
    {"array", verdict_parts_array, false},
    {"asked", verdict_asked_say, false},
    {"memory", verdict_usage_memory, false},
    {"cpu", verdict_usage_cpu, false},
    {"gpu", verdict_usage_gpu, false},
    {"states", verdict_states_say, false},
    {"path", verdict_path_say, false},
    {"bottleneck", verdict_bottleneck_say, false},
    {"file_systems", verdict_usage_file_systems, false},
    {"advice", verdict_asked_advice, false},
    {"cost", say_cost, false},
    {"history", verdict_compare_history, false},
};

#define RULES (sizeof rules / sizeof *rules)

static void add_sentence(cJSON *verdict, const char *id, verdict_level level,
                         const struct buf *text)
{
	cJSON *one = model_json_row(verdict);

	cJSON_AddStringToObject(one, "id", id);
	cJSON_AddStringToObject(one, "level", level);
	model_json_cut(one, "text", buf_cstr(text), MODEL_JSON_TEXT_MAX);
}

/* Rounds: the head, bad ones, warnings, the rest. */
static bool is_of_round(size_t rule, verdict_level level, int round)
{
	int rank = rules[rule].head             ? 0
	           : strcmp(level, "bad") == 0  ? 1
	           : strcmp(level, "warn") == 0 ? 2
	                                        : 3;

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
				add_sentence(verdict, rules[i].id, level[i], &text[i]);
	for (size_t i = 0; i < RULES; i++)
		buf_free(&text[i]);
}
