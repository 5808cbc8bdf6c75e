/* verdict_end: how a run ended, in words. */
#include "report/verdict/verdict_end.h"

#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/utf8.h"
#include "core/end/end_cause.h"
#include "report/runs/parts.h"

const char *verdict_end_signal(int signal, char out[16])
{
	const char *name = snapshot_signal_name(signal);

	snprintf(out, 16, "%d", signal);
	if (!signal)
		return "";
	return *name ? name : out;
}

/* Where it ended so: " on n2 (rank 3)"; "" for a run without parts. */
static void say_worst_place(const struct run *run, struct buf *out)
{
	if (!run->parts)
		return;
	buf_str(out, " on ");
	parts_place_text(run->parts->worst->node, run->parts->worst->task, out);
}

/* The part whose exit the recording has: among several tasks, the first that failed. */
static void say_who_failed(const struct run *run, char out[64])
{
	const struct snapshot_tasks *t = &run->snapshot.tasks;

	snprintf(out, 64, "The job");
	if (t->known && t->n > 1 && t->failed > 0 && t->failed_rank >= 0)
		snprintf(out, 64, "The task with local rank %.0f", t->failed_rank);
	else if (t->known && t->n > 1 && t->failed > 0)
		snprintf(out, 64, "A task");
}

/* "; 2 of 8 tasks failed, this one first", where that is known, or "; 2 more parts did not
 * succeed". */
static void say_others_failed(const struct run *run, char out[64])
{
	size_t n = run->parts && run->parts->failed ? run->parts->failed - 1 : 0;
	const struct snapshot_tasks *t = &run->snapshot.tasks;

	*out = '\0';
	if (t->known && t->failed > 0)
		snprintf(out, 64, "; %.0f of %.0f tasks failed%s", t->failed, t->n,
		         t->failed > 1 && t->failed_rank >= 0 ? ", this one first" : "");
	else if (n)
		snprintf(out, 64, "; %zu more part%s did not succeed", n, n == 1 ? "" : "s");
}

const char *verdict_end_why(const struct run *run)
{
	const struct snapshot_end *end = &run->snapshot.end;

	return end->known && end->sentence && *end->sentence ? end->sentence : NULL;
}

/* Whether the sentence on why is all there is to say: of one process. */
static bool is_of_one(const struct run *run)
{
	const struct snapshot_tasks *t = &run->snapshot.tasks;

	return !run->parts && !(t->known && t->n > 1);
}

static void say_unknown_end(const struct run *run, char out[256])
{
	const struct snapshot_tasks *tasks = &run->snapshot.tasks;

	if (parts_missing(run->parts) && run->parts->worst->ended)
		snprintf(out, 256,
		         "All recorded parts finished with exit status 0; how the others ended is "
		         "not known.");
	else if (tasks->known && tasks->unknown > 0)
		snprintf(out, 256,
		         "%.0f of %.0f tasks succeeded; how the others ended is not known.",
		         tasks->succeeded, tasks->n);
	else
		snprintf(out, 256, "The recording does not say how the job ended.");
}

static const char *end_of_status(const struct run *run, char out[256])
{
	const struct snapshot *s = &run->snapshot;
	struct buf place = {.max = 100};
	const struct snapshot_tasks *tasks = &s->tasks;
	char name[16], others[64], who[64];

	say_worst_place(run, &place);
	say_who_failed(run, who);
	say_others_failed(run, others);
	if (s->exit.cause && strcmp(s->exit.cause, "oom") == 0) {
		snprintf(
		    out, 256, "The kernel's OOM killer ended %sthe job%s: it was out of memory.",
		    !s->exit.known || s->exit.code == 0 ? "processes of " : "", buf_cstr(&place));
		buf_free(&place);
		return out;
	}
	switch (run->status) {
	case RUN_FINISHED:
		if (s->exit.known && tasks->known && tasks->unknown > 0)
			snprintf(out, 256,
			         "The recorded command finished with exit status 0; how %.0f of "
			         "%.0f tasks ended is not known.",
			         tasks->unknown, tasks->n);
		else
			snprintf(out, 256, "%s",
			         s->exit.known ? "The job finished with exit status 0."
			                       : "The recording is complete.");
		break;
	case RUN_FAILED:
		if (s->exit.known)
			snprintf(out, 256, "%s failed%s with exit status %d%s.", who,
			         buf_cstr(&place), s->exit.code, others);
		else
			snprintf(out, 256, "The job failed.");
		break;
	case RUN_KILLED:
		snprintf(out, 256, "%s was ended%s by signal %s (exit status %d)%s.", who,
		         buf_cstr(&place), verdict_end_signal(s->exit.signal, name),
		         128 + s->exit.signal, others);
		break;
	case RUN_UNFINISHED:
		snprintf(out, 256,
		         "The recording%s is incomplete: the recorder was killed, or "
		         "this is a copy from while it ran.",
		         buf_cstr(&place));
		break;
	case RUN_RUNNING:
		snprintf(out, 256, "The job is still running: this is what it used so far.");
		break;
	case RUN_UNKNOWN:
		say_unknown_end(run, out);
		break;
	}
	buf_free(&place);
	return out;
}

const char *verdict_end_sentence(const struct run *run, char out[VERDICT_END_MAX])
{
	const char *why = verdict_end_why(run);
	char status[256];

	if (why && is_of_one(run))
		snprintf(out, VERDICT_END_MAX, "%s", why);
	else
		snprintf(out, VERDICT_END_MAX, "%s%s%s", end_of_status(run, status), why ? " " : "",
		         why ? why : "");
	return out;
}

/* Causes that say more than the status. */
static const char *known_cause(const struct run *run)
{
	const struct snapshot_end *end = &run->snapshot.end;
	enum end_cause cause = end->known ? end_cause_find(end->cause) : END_CAUSE_UNKNOWN;

	switch (cause) {
	case END_CAUSE_UNKNOWN:
	case END_CAUSE_FINISHED:
	case END_CAUSE_SENT:
	case END_CAUSE_KILLED:
	case END_CAUSE_CRASH:
	case END_CAUSE_PROCESS:
	case END_CAUSE_SIGNALED:
	case END_CAUSE_EXITED:
	case END_CAUSE_COUNT:
		return NULL;
	default:
		return end_cause_means(cause);
	}
}

const char *verdict_end_words(const struct run *run, char out[64])
{
	static const char *const words[RUN_STATUSES] = {"finished", "failed",
	                                                "killed",   "the recording is not finished",
	                                                "unknown",  "still running"};
	const struct snapshot *s = &run->snapshot;
	const char *name = snapshot_signal_name(s->exit.signal);

	if (run->status != RUN_FINISHED && known_cause(run))
		snprintf(out, 64, "%s", known_cause(run));
	else if (load_is_oom(run))
		snprintf(out, 64, "killed because memory ran out");
	else if (run->status == RUN_FAILED && s->exit.known)
		snprintf(out, 64, "exit status %d", s->exit.code);
	else if (run->status == RUN_KILLED && *name)
		snprintf(out, 64, "signal %s", name);
	else if (run->status == RUN_KILLED)
		snprintf(out, 64, "signal %d", s->exit.signal);
	else
		snprintf(out, 64, "%s", words[run->status]);
	return out;
}

/* The meaning of exit statuses and signals, by convention. */
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

const char *verdict_end_meaning(const struct snapshot *s)
{
	const char *name = snapshot_signal_name(s->exit.signal);

	/* A scheduler ends all tasks of a job: one alone may have ended for any reason. */
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
