/* end_cause: why a run ended: from what is known, one word and one sentence. */
#include "core/end/end_cause.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "core/base/larger.h"
#include "core/end/end_phrase.h"

#define SHELL_S     128 /* a shell adds a signal's number to this for its own status */
#define LIMIT_ODD_S 1   /* the scheduler's clock and ours */
#define DEATH_S     1   /* the command ends so soon after the process whose death is the cause */

static const struct {
	const char *word, *means;
} causes[END_CAUSE_COUNT] = {
    [END_CAUSE_UNKNOWN] = {"unknown", "not known"},
    [END_CAUSE_FINISHED] = {"finished", "finished"},
    [END_CAUSE_OOM] = {"oom", "killed because memory ran out"},
    [END_CAUSE_OOM_PROCESS] = {"oom_process", "failed after memory ran out"},
    [END_CAUSE_OOM_MAYBE] = {"oom_maybe", "killed, perhaps because memory ran out"},
    [END_CAUSE_MEMORY_LIMIT] = {"memory_limit", "ended for using too much memory"},
    [END_CAUSE_TIME_LIMIT] = {"time_limit", "its time was up"},
    [END_CAUSE_SENT] = {"sent", "ended after a signal"},
    [END_CAUSE_KILLED] = {"killed", "killed"},
    [END_CAUSE_CRASH] = {"crash", "crashed"},
    [END_CAUSE_CPU_LIMIT] = {"cpu_limit", "its CPU time was used up"},
    [END_CAUSE_FILE_LIMIT] = {"file_size_limit", "a file reached its limit"},
    [END_CAUSE_DISK_FULL] = {"disk_full", "failed after its disk was full"},
    [END_CAUSE_PROCESS] = {"process", "failed after a process of it was killed"},
    [END_CAUSE_SIGNALED] = {"signaled", "ended by a signal"},
    [END_CAUSE_EXITED] = {"exited", "failed"},
    [END_CAUSE_CANCELLED] = {"cancelled", "cancelled"},
    [END_CAUSE_NODE_FAILED] = {"node_failed", "ended because its node failed"},
    [END_CAUSE_PREEMPTED] = {"preempted", "ended to make room for another job"},
    [END_CAUSE_DEADLINE] = {"deadline", "ended at its deadline"},
    [END_CAUSE_REQUEUED] = {"requeued", "put back into the queue"},
};

static const struct {
	int signal;
	const char *words;
} crashes[] = {
    {SIGSEGV, "which stands for invalid memory access"},
    {SIGABRT, "which stands for a program that aborts itself"},
    {SIGBUS, "which stands for memory that is no longer there"},
    {SIGFPE, "which stands for an arithmetic error, such as a division by zero"},
    {SIGILL, "which stands for an instruction that the CPU does not have"},
    {SIGSYS, "which stands for a system call that is forbidden here"},
    {SIGTRAP, "which stands for a breakpoint"},
};

const char *end_cause_word(enum end_cause cause)
{
	return causes[cause].word;
}

const char *end_cause_means(enum end_cause cause)
{
	return causes[cause].means;
}

enum end_cause end_cause_find(const char *word)
{
	for (int i = 0; word && i < END_CAUSE_COUNT; i++)
		if (strcmp(causes[i].word, word) == 0)
			return (enum end_cause)i;
	return END_CAUSE_UNKNOWN;
}

struct snapshot_evidence end_cause_none(void)
{
	return (struct snapshot_evidence){
	    .oom_kills = NAN,
	    .oom_kills_shared = NAN,
	    .oom_kills_machine = NAN,
	    .oom_before_s = NAN,
	    .killed_others = NAN,
	    .oom_limit_b = NAN,
	    .launcher_limit_b = NAN,
	    .memory_b = NAN,
	    .growth_bs = NAN,
	    .largest_b = NAN,
	    .time_used_s = NAN,
	    .time_limit_s = NAN,
	    .cpu_used_s = NAN,
	    .cpu_limit_s = NAN,
	    .cpu_hard_s = NAN,
	    .file_limit_b = NAN,
	    .address_limit_b = NAN,
	    .address_used_b = NAN,
	    .processes_limit = NAN,
	    .processes_most = NAN,
	    .forks_refused = NAN,
	    .forks_limit = NAN,
	    .disk_left_b = NAN,
	    .oom_victim = "",
	    .oom_of = "",
	    .oom_cgroup = "",
	    .largest = "",
	    .death = {.name = "", .signal = "", .pid = NAN, .before_s = NAN},
	};
}

/* -- facts ------------------------------------------------------------------------------------- */

static bool out_of_time(const struct snapshot_evidence *e)
{
	return e->time_enforced && e->time_limit_s > 0 &&
	       e->time_used_s >= e->time_limit_s - LIMIT_ODD_S;
}

/* The kernel counted an OOM kill of the job just now. */
static bool lost_memory(const struct snapshot_evidence *e)
{
	return e->oom_kills >= 1 && !(e->oom_before_s > END_PHRASE_LATELY_S);
}

static bool victim_is(const struct snapshot_evidence *e, const char *who)
{
	return strcmp(e->oom_victim, who) == 0;
}

/* It counted one, which may be of the job. */
static bool may_have_lost_memory(const struct snapshot_evidence *e)
{
	bool unknown = isnan(e->oom_kills) && isnan(e->oom_kills_shared);

	if (lost_memory(e))
		return true;
	return (e->oom_kills_shared >= 1 && !(e->oom_before_s > END_PHRASE_LATELY_S)) ||
	       (unknown && e->oom_kills_machine >= 1);
}

/* -- ended by SIGKILL -------------------------------------------------------------------------- */

static enum end_cause killed(const struct snapshot_evidence *e, struct buf *b)
{
	if (e->launcher_limit_b > 0) {
		buf_str(b, "Killed by its launcher because it used more than its ");
		end_phrase_bytes(b, e->launcher_limit_b);
		buf_str(b, " of memory");
		end_phrase_largest(b, e);
		return END_CAUSE_MEMORY_LIMIT;
	}
	if (lost_memory(e) && victim_is(e, SNAPSHOT_VICTIM_COMMAND)) {
		buf_str(b, "Killed by the kernel");
		end_phrase_memory_out(b, e);
		end_phrase_largest(b, e);
		return END_CAUSE_OOM;
	}
	buf_str(b, "Killed by SIGKILL");
	if (e->slurm_step && lost_memory(e) && !victim_is(e, SNAPSHOT_VICTIM_OTHER)) {
		buf_str(b, " after the kernel killed ");
		end_phrase_victims(b, e);
		end_phrase_memory_out(b, e);
		end_phrase_largest(b, e);
		end_phrase_slurm(b, e);
		return END_CAUSE_OOM;
	}
	if (may_have_lost_memory(e) && !victim_is(e, SNAPSHOT_VICTIM_OTHER)) {
		end_phrase_oom_maybe(b, e);
		return END_CAUSE_OOM_MAYBE;
	}
	if (e->cpu_used_s >= e->cpu_hard_s) {
		buf_printf(b, " at its limit of %.0f s of CPU time (ulimit -t)", e->cpu_hard_s);
		return END_CAUSE_CPU_LIMIT;
	}
	if (!(e->oom_kills >= 1))
		end_phrase_no_oom(b, e);
	end_phrase_warned(b, e, ". ");
	end_phrase_earlier_oom(b, e);
	return out_of_time(e) ? END_CAUSE_TIME_LIMIT : END_CAUSE_KILLED;
}

/* -- ended by another signal ------------------------------------------------------------------- */

static const char *crash_words(int signal)
{
	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
		if (crashes[i].signal == signal)
			return crashes[i].words;
	return NULL;
}

static enum end_cause signaled(int signal, const struct snapshot_evidence *e, struct buf *b)
{
	const struct snapshot_end_signal *s = end_phrase_last_signal(e, signal);
	const char *crash = crash_words(signal);

	buf_str(b, "Ended by ");
	end_phrase_signal(b, signal);
	if (s) {
		end_phrase_sender(b, s);
		end_phrase_time(b, e);
		end_phrase_earlier_oom(b, e);
		return out_of_time(e) ? END_CAUSE_TIME_LIMIT : END_CAUSE_SENT;
	}
	if (signal == SIGXCPU && e->cpu_used_s >= e->cpu_limit_s) {
		buf_printf(b, " at its limit of %.0f s of CPU time (ulimit -t)", e->cpu_limit_s);
		return END_CAUSE_CPU_LIMIT;
	}
	if (signal == SIGXFSZ && e->file_limit_b >= 0) {
		buf_str(b, " because a file reached the limit of ");
		end_phrase_bytes(b, e->file_limit_b);
		buf_str(b, " (ulimit -f)");
		return END_CAUSE_FILE_LIMIT;
	}
	if (crash) {
		buf_printf(b, ", %s%s", crash, e->core_dumped ? "; core dumped" : "");
		if (end_phrase_has_filled(e)) {
			buf_str(b, ". A disk was full then");
			end_phrase_disks(b, e);
		}
		end_phrase_earlier_oom(b, e);
		end_phrase_hints(b, e);
		return END_CAUSE_CRASH;
	}
	if (signal == SIGPIPE)
		buf_str(b, ": nothing read its output any more");
	else
		buf_str(b, "; who sent it is not known");
	end_phrase_time(b, e);
	end_phrase_earlier_oom(b, e);
	return out_of_time(e) ? END_CAUSE_TIME_LIMIT : END_CAUSE_SIGNALED;
}

/* -- ended with a status ----------------------------------------------------------------------- */

/* The signal that a shell reports by its own status; 0: none. */
static int reported_signal(int code)
{
	return code > SHELL_S && code < SHELL_S + 65 ? code - SHELL_S : 0;
}

/* What a status of a shell or of timeout(1) means by convention. */
static enum end_cause say_convention(const struct end_cause_facts *f, struct buf *b)
{
	const struct snapshot_evidence *e = f->evidence;
	int signal = reported_signal(f->code);

	if (f->code == 124 && f->timed_out) {
		buf_str(b, ": timeout(1) ended it because its time was up");
		return END_CAUSE_TIME_LIMIT;
	}
	if (f->code == 126 || f->code == 127)
		buf_printf(b, ", as a shell does when a command %s",
		           f->code == 126 ? "cannot be run"
		                          : "or the interpreter of a script is not found");
	if (signal) {
		buf_str(b, ", as a shell does when ");
		end_phrase_signal(b, signal);
		buf_str(b, " has ended a command");
	}
	if (signal == SIGXFSZ && e->file_limit_b >= 0) {
		buf_str(b, "; a file may have ");
		end_phrase_bytes(b, e->file_limit_b);
		buf_str(b, " (ulimit -f)");
	}
	if (signal == SIGKILL && e->oom_kills_machine == 0)
		buf_str(b, "; the machine counted no OOM kill");
	end_phrase_cpu(b, e, signal);
	return END_CAUSE_EXITED;
}

/* Whether the command ended with this status because a process of the job had died: it ended at
 * once, and it reports that signal, or the kernel had sent it. A SIGKILL may be the job's own. */
static bool death_is_cause(const struct snapshot_evidence *e, int code)
{
	int signal = e->death.known ? snapshot_signal_number(e->death.signal) : 0;

	return signal && e->death.before_s <= DEATH_S &&
	       (signal == reported_signal(code) || signal != SIGKILL);
}

static enum end_cause say_death(const struct snapshot_evidence *e, struct buf *b)
{
	int signal = snapshot_signal_number(e->death.signal);

	end_phrase_death(b, &e->death, ": ");
	if (signal == SIGXFSZ) {
		buf_str(b, " because a file reached ");
		if (e->file_limit_b >= 0) {
			buf_str(b, "the limit of ");
			end_phrase_bytes(b, e->file_limit_b);
		} else {
			buf_str(b, "its limit");
		}
		buf_str(b, " (ulimit -f)");
		return END_CAUSE_FILE_LIMIT;
	}
	if (signal == SIGXCPU)
		buf_str(b, " at its limit of CPU time (ulimit -t)");
	end_phrase_cpu(b, e, signal);
	return signal == SIGXCPU ? END_CAUSE_CPU_LIMIT : END_CAUSE_PROCESS;
}

static enum end_cause exited(const struct end_cause_facts *f, struct buf *b)
{
	const struct snapshot_evidence *e = f->evidence;
	const struct snapshot_end_signal *s = end_phrase_last_signal(e, 0);
	int signal = reported_signal(f->code);
	enum end_cause cause = END_CAUSE_EXITED;

	buf_printf(b, "Ended with status %d", f->code);
	if (e->launcher_limit_b > 0 && signal == SIGKILL) {
		buf_str(b, ": its launcher ended it because it used more than its ");
		end_phrase_bytes(b, e->launcher_limit_b);
		buf_str(b, " of memory");
		return END_CAUSE_MEMORY_LIMIT;
	}
	if (lost_memory(e)) {
		buf_str(b, " after the kernel killed ");
		end_phrase_victims(b, e);
		end_phrase_memory_out(b, e);
		end_phrase_largest(b, e);
		end_phrase_slurm(b, e);
		return signal == SIGKILL ? END_CAUSE_OOM : END_CAUSE_OOM_PROCESS;
	}
	if (s) {
		buf_char(b, ' ');
		end_phrase_span(b, s->before_s);
		buf_printf(b, " after SIG%s", s->signal);
		end_phrase_sender(b, s);
		end_phrase_time(b, e);
		return out_of_time(e) ? END_CAUSE_TIME_LIMIT : END_CAUSE_SENT;
	}
	if (signal == SIGKILL && may_have_lost_memory(e) && !(e->killed_others == 0)) {
		end_phrase_oom_maybe(b, e);
		return END_CAUSE_OOM_MAYBE;
	}
	if (end_phrase_has_filled(e)) {
		buf_str(b, " after its disk was full");
		end_phrase_disks(b, e);
		end_phrase_death_before(b, &e->death);
		cause = END_CAUSE_DISK_FULL;
	} else if (death_is_cause(e, f->code)) {
		cause = say_death(e, b);
	} else {
		cause = say_convention(f, b);
		if (cause == END_CAUSE_EXITED && !signal)
			end_phrase_nothing(b, e);
		if (cause == END_CAUSE_EXITED)
			end_phrase_death_before(b, &e->death);
		/* Else the convention has said it. */
		if (!signal)
			end_phrase_cpu(b, e, snapshot_signal_number(e->death.signal));
	}
	end_phrase_earlier_oom(b, e);
	end_phrase_hints(b, e);
	return cause;
}

/* -- all --------------------------------------------------------------------------------------- */

/* Slurm calls a step OUT_OF_MEMORY after any OOM kill in it, whatever its status. */
static enum end_cause finished(const struct snapshot_evidence *e, struct buf *b)
{
	bool others = e->oom_kills_shared >= 1 && e->killed_others == 0;

	if (!e->slurm_step || others || !(larger(e->oom_kills, e->oom_kills_shared) >= 1))
		return END_CAUSE_FINISHED;
	buf_str(b, "Ended with status 0, but the kernel killed ");
	end_phrase_victims(b, e);
	end_phrase_memory_out(b, e);
	end_phrase_slurm(b, e);
	return END_CAUSE_OOM_PROCESS;
}

static enum end_cause not_known(const struct snapshot_evidence *e, struct buf *b)
{
	if (e->launcher_limit_b > 0 || !(larger(e->oom_kills, e->oom_kills_shared) >= 1))
		return END_CAUSE_UNKNOWN;
	buf_str(b, "How it ended is not known; the kernel killed ");
	end_phrase_victims(b, e);
	end_phrase_memory_out(b, e);
	return END_CAUSE_OOM_MAYBE;
}

enum end_cause end_cause_of(const struct end_cause_facts *f, struct buf *sentence)
{
	size_t before = sentence->len;
	enum end_cause cause;

	if (!f->known)
		cause = not_known(f->evidence, sentence);
	else if (f->signal == SIGKILL)
		cause = killed(f->evidence, sentence);
	else if (f->signal)
		cause = signaled(f->signal, f->evidence, sentence);
	else if (f->code)
		cause = exited(f, sentence);
	else
		cause = finished(f->evidence, sentence);
	if (sentence->len > before)
		buf_char(sentence, '.');
	return cause;
}
