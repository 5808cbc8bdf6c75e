/* slurm_state: how a job ended, from Slurm's word for it. */
#include "fleet/import/slurm_state.h"

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "core/end/end_cause.h"
#include "core/recording/snapshot.h"

#define SIGNALS 31 /* of those above, Slurm uses some for itself: 53, 125 */

/* A word of two columns of sacct, State and squeue's %T. Without a cause the exit code decides. */
static const struct {
	const char *word;
	enum slurm_state_kind kind;
	enum end_cause cause;
} states[] = {
    {"COMPLETED", SLURM_STATE_ENDED, END_CAUSE_FINISHED},
    {"FAILED", SLURM_STATE_ENDED, END_CAUSE_EXITED},
    {"OUT_OF_MEMORY", SLURM_STATE_ENDED, END_CAUSE_OOM},
    {"TIMEOUT", SLURM_STATE_ENDED, END_CAUSE_TIME_LIMIT},
    {"CANCELLED", SLURM_STATE_ENDED, END_CAUSE_CANCELLED},
    {"NODE_FAIL", SLURM_STATE_ENDED, END_CAUSE_NODE_FAILED},
    {"BOOT_FAIL", SLURM_STATE_ENDED, END_CAUSE_NODE_FAILED},
    {"PREEMPTED", SLURM_STATE_ENDED, END_CAUSE_PREEMPTED},
    {"DEADLINE", SLURM_STATE_ENDED, END_CAUSE_DEADLINE},
    {"REQUEUED", SLURM_STATE_ENDED, END_CAUSE_REQUEUED},
    {"LAUNCH_FAILED", SLURM_STATE_ENDED, END_CAUSE_EXITED},
    {"SPECIAL_EXIT", SLURM_STATE_ENDED, END_CAUSE_EXITED},
    {"RUNNING", SLURM_STATE_RUNS, END_CAUSE_UNKNOWN},
    {"COMPLETING", SLURM_STATE_RUNS, END_CAUSE_UNKNOWN},
    {"SUSPENDED", SLURM_STATE_RUNS, END_CAUSE_UNKNOWN},
    {"STOPPED", SLURM_STATE_RUNS, END_CAUSE_UNKNOWN},
    {"SIGNALING", SLURM_STATE_RUNS, END_CAUSE_UNKNOWN},
    {"STAGE_OUT", SLURM_STATE_RUNS, END_CAUSE_UNKNOWN},
    {"RESIZING", SLURM_STATE_PART, END_CAUSE_UNKNOWN},
    {"PENDING", SLURM_STATE_WAITS, END_CAUSE_UNKNOWN},
    {"CONFIGURING", SLURM_STATE_WAITS, END_CAUSE_UNKNOWN},
    {"REQUEUE_FED", SLURM_STATE_WAITS, END_CAUSE_UNKNOWN},
    {"REQUEUE_HOLD", SLURM_STATE_WAITS, END_CAUSE_UNKNOWN},
    {"RESV_DEL_HOLD", SLURM_STATE_WAITS, END_CAUSE_UNKNOWN},
    {"REVOKED", SLURM_STATE_WAITS, END_CAUSE_UNKNOWN},
};

static enum end_cause cause_of_signal(int signal)
{
	static const int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};

	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
		if (signal == crashes[i])
			return END_CAUSE_CRASH;
	return signal == SIGKILL ? END_CAUSE_KILLED : END_CAUSE_SIGNALED;
}

/* Slurm says 0:0 of a job that it ended itself, and of all failures as JSON in 22.05. */
static void set_state_end(struct slurm_state *s, enum end_cause cause, double code, double signal)
{
	bool signaled = signal >= 1 && signal <= SIGNALS;

	s->status = "exited";
	if (cause == END_CAUSE_OOM) {
		s->status = "oom";
		signaled = false;
	} else if (cause == END_CAUSE_FINISHED) {
		s->code = 0;
		signaled = false;
	} else if (cause == END_CAUSE_EXITED && code >= 1) {
		s->code = code;
	}
	if (signaled) {
		s->status = "signaled";
		s->signal = snapshot_signal_name((int)signal);
		s->code = NAN;
		if (cause == END_CAUSE_EXITED)
			cause = cause_of_signal((int)signal);
	} else if (isnan(s->code) && cause != END_CAUSE_OOM) {
		s->status = "";
	}
	s->cause = end_cause_word(cause);
}

struct slurm_state slurm_state_of(const char *word, double code, double signal)
{
	struct slurm_state s = {.status = "", .cause = "", .signal = "", .code = NAN};
	size_t n = strcspn(word, " ");

	for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
		if (strlen(states[i].word) != n || memcmp(states[i].word, word, n) != 0)
			continue;
		s.kind = states[i].kind;
		if (s.kind == SLURM_STATE_RUNS)
			s.status = "unfinished";
		else if (s.kind == SLURM_STATE_ENDED)
			set_state_end(&s, states[i].cause, code, signal);
		break;
	}
	return s;
}

bool slurm_state_ran(const char *word)
{
	static const char *const words[] = {"COMPLETED", "FAILED", "OUT_OF_MEMORY", "TIMEOUT"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}
