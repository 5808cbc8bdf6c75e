/* end_cause: why a run ended: from what is known, one word and one sentence. */
#include "core/end/end_cause.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "core/base/larger.h"
#include "core/base/quantity.h"

/* -- parts of the sentence --------------------------------------------------------------------- */

/* Each is appended to the text; a part whose facts are not known appends nothing. */

#define LATELY_S  5  /* an OOM kill so long before the end may be the end */
#define FOLLOWS_S 60 /* an end so long after a signal follows it */

#define NEAR_LIMIT 0.9 /* of its time: worth saying */
#define INSTANT_S  0.05
#define GROWS_BS   QUANTITY_MIB
#define MOST       0.8 /* of the job's memory: its largest process stands for it */

/* The latest signal that asks a process to end, FOLLOWS_S before the end at most; with a signal,
 * only that one. NULL: none. */
static const struct snapshot_end_signal *phrase_last_signal(const struct snapshot_evidence *e,
                                                            int signal)
{
	static const int asks[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};

	for (size_t i = e->n_signals; i-- > 0;) {
		int got = snapshot_signal_number(e->signals[i].signal);
		bool fits = signal && got == signal;
		for (size_t k = 0; !signal && k < sizeof asks / sizeof *asks; k++)
			fits |= asks[k] == got;
		if (fits && e->signals[i].before_s <= FOLLOWS_S)
			return &e->signals[i];
	}
	return NULL;
}

/* "7.6 GiB" */
static void phrase_bytes(struct buf *b, double bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
	size_t unit = 0;

	while (bytes >= 1023.5 && unit + 1 < sizeof units / sizeof *units) {
		bytes /= 1024;
		unit++;
	}
	/* Without a decimal where that says the same. */
	if (bytes < 9.95 && unit && (bytes - (double)(int)bytes >= 0.05))
		buf_printf(b, "%.1f %s", bytes, units[unit]);
	else
		buf_printf(b, "%.0f %s", bytes, units[unit]);
}

/* "3 s", "55 min" */
static void phrase_span(struct buf *b, double s)
{
	if (s < 9.95 && s - (double)(int)s >= 0.05)
		buf_printf(b, "%.1f s", s);
	else if (s < 119.5)
		buf_printf(b, "%.0f s", s);
	else if (s < 7200)
		buf_printf(b, "%.0f min", s / QUANTITY_MINUTE_S);
	else
		buf_printf(b, "%.1f h", s / QUANTITY_HOUR_S);
}

/* "SIGTERM" */
static void phrase_signal(struct buf *b, int signal)
{
	const char *name = snapshot_signal_name(signal);

	if (*name)
		buf_printf(b, "SIG%s", name);
	else
		buf_printf(b, "signal %d", signal);
}

/* " because its container's memory, 8 GiB, ran out" */
static void phrase_memory_out(struct buf *b, const struct snapshot_evidence *e)
{
	bool limited = e->oom_limit_b > 0 && *e->oom_of;

	buf_str(b, " because ");
	if (!*e->oom_of)
		buf_str(b, "memory");
	else if (strcmp(e->oom_of, SNAPSHOT_OOM_CONTAINER) == 0)
		buf_str(b, "its container's memory");
	else if (strcmp(e->oom_of, SNAPSHOT_OOM_STEP) == 0)
		buf_str(b, "the memory of its Slurm step");
	else if (strcmp(e->oom_of, SNAPSHOT_OOM_JOB) == 0)
		buf_str(b, "the memory of its Slurm job");
	else if (strcmp(e->oom_of, SNAPSHOT_OOM_MACHINE) == 0)
		buf_str(b, "the machine's memory");
	else if (*e->oom_cgroup)
		buf_printf(b, "the memory of its cgroup %s", e->oom_cgroup);
	else
		buf_str(b, "the memory of its cgroup");
	if (limited) {
		buf_str(b, ", ");
		phrase_bytes(b, e->oom_limit_b);
		buf_char(b, ',');
	}
	buf_str(b, " ran out");
}

/* ": python had 7.6 GiB and grew by 210 MiB a second" */
static void phrase_largest(struct buf *b, const struct snapshot_evidence *e)
{
	bool named = *e->largest && e->largest_b > 0;
	bool alone = named && !(e->largest_b < MOST * e->memory_b);

	if (!named && !(e->memory_b > 0))
		return;
	buf_printf(b, ": %s had ", alone ? e->largest : "the job");
	phrase_bytes(b, alone ? e->largest_b : e->memory_b);
	if (named && !alone) {
		buf_printf(b, ", of which %s ", e->largest);
		phrase_bytes(b, e->largest_b);
	}
	if (e->growth_bs >= GROWS_BS) {
		buf_str(b, named && !alone ? ", and grew by " : " and grew by ");
		phrase_bytes(b, e->growth_bs);
		buf_str(b, " a second");
	}
}

static void phrase_process(struct buf *b, const struct snapshot_end_death *d)
{
	if (*d->name)
		buf_printf(b, "its process %s (pid %.0f)", d->name, d->pid);
	else
		buf_printf(b, "its process %.0f", d->pid);
}

/* Whether the death that was seen last is that of the one victim. */
static bool knows_victim(const struct snapshot_evidence *e)
{
	return e->oom_kills == 1 && e->killed_others == 1 && e->death.known && *e->death.name &&
	       strcmp(e->oom_victim, SNAPSHOT_VICTIM_OTHER) == 0 &&
	       strcmp(e->death.signal, "KILL") == 0;
}

/* "2 of its processes"; "its process sort (pid 77)"; "2 processes in its cgroup", which others use
 * as well; "2 processes of the machine" */
static void phrase_victims(struct buf *b, const struct snapshot_evidence *e)
{
	bool shared = e->oom_kills_shared >= 1;
	double n = shared ? e->oom_kills_shared : e->oom_kills_machine;

	if (knows_victim(e)) {
		phrase_process(b, &e->death);
		return;
	}
	if (e->oom_kills >= 1) {
		buf_printf(b, "%.0f of its processes", e->oom_kills);
		return;
	}
	buf_printf(b, "%.0f process%s %s", n, n == 1 ? "" : "es",
	           shared ? "in its cgroup" : "of the machine");
}

/* ". Slurm calls that OUT_OF_MEMORY", if the job is a step of Slurm's */
static void phrase_slurm(struct buf *b, const struct snapshot_evidence *e)
{
	if (e->slurm_step)
		buf_str(b, ". Slurm calls that OUT_OF_MEMORY");
}

/* ", at 100 % of its time limit of 60 min", where it was near */
static void phrase_time(struct buf *b, const struct snapshot_evidence *e)
{
	if (!(e->time_limit_s > 0) || !(e->time_used_s >= NEAR_LIMIT * e->time_limit_s))
		return;
	buf_printf(b, ", at %.0f %% of %s", 100 * e->time_used_s / e->time_limit_s,
	           e->time_enforced ? "its time limit of " : "the ");
	phrase_span(b, e->time_limit_s);
	buf_str(b, e->time_enforced ? "" : " that were asked for");
}

/* " from slurmstepd (pid 42)" */
static void phrase_sender(struct buf *b, const struct snapshot_end_signal *s)
{
	if (*s->from && s->pid > 0)
		buf_printf(b, " from %s (pid %.0f)", s->from, s->pid);
	else if (*s->from)
		buf_printf(b, " from %s", s->from);
	else if (s->pid > 0)
		buf_printf(b, " from process %.0f", s->pid);
	else
		buf_str(b, " from a process that cannot be seen here");
}

/* "; 3 s earlier it got SIGTERM from slurmstepd (pid 42)", after by, and phrase_time */
static void phrase_warned(struct buf *b, const struct snapshot_evidence *e, const char *by)
{
	const struct snapshot_end_signal *s = phrase_last_signal(e, 0);

	if (s) {
		buf_str(b, by);
		phrase_span(b, s->before_s);
		buf_printf(b, " earlier it got SIG%s", s->signal);
		phrase_sender(b, s);
	}
	phrase_time(b, e);
}

/* Says that a SIGKILL was not an OOM kill, as far as the counters know. */
static void phrase_no_oom(struct buf *b, const struct snapshot_evidence *e)
{
	bool cgroup = e->oom_kills == 0 || e->oom_kills_shared == 0;

	if (e->oom_kills_machine == 0)
		buf_printf(b, ", and not by the kernel for lack of memory: %s counted an OOM kill",
		           cgroup ? "no cgroup of the job and not the machine"
		                  : "not even the machine");
	else if (cgroup && e->oom_kills_machine > 0)
		buf_str(b, "; no cgroup of the job counted an OOM kill, though the machine did");
	else if (cgroup)
		buf_str(b, "; no cgroup of the job counted an OOM kill");
	else
		buf_str(b, "; who sent it is not known");
}

/* Says that a SIGKILL may have been an OOM kill. */
static void phrase_oom_maybe(struct buf *b, const struct snapshot_evidence *e)
{
	bool counted = e->oom_kills >= 1 || e->oom_kills_shared >= 1;

	buf_str(b, " while the kernel killed ");
	phrase_victims(b, e);
	if (counted)
		phrase_memory_out(b, e);
	else
		buf_str(b, " for lack of memory");
	buf_str(b, "; whether this one was among them is not known");
}

/* Whether a disk is full that was not when the job began. */
static bool phrase_has_filled(const struct snapshot_evidence *e)
{
	for (size_t i = 0; i < e->n_full; i++)
		if (!e->full[i].at_start)
			return true;
	return false;
}

static void phrase_disk(struct buf *b, const struct snapshot_end_disk *d)
{
	buf_printf(b, "%s had ", d->path);
	if (d->inodes == 0)
		buf_str(b, "no inodes");
	else
		phrase_bytes(b, d->bytes);
	buf_str(b, " left");
}

/* ": /scratch had 0 B left" */
static void phrase_disks(struct buf *b, const struct snapshot_evidence *e)
{
	const char *by = ": ";

	for (size_t i = 0; i < e->n_full; i++) {
		if (e->full[i].at_start)
			continue;
		buf_str(b, by);
		phrase_disk(b, &e->full[i]);
		by = ", and ";
	}
}

/* A job that begins on a full disk may have room enough in its files. */
static void phrase_full_before(struct buf *b, const struct snapshot_evidence *e)
{
	for (size_t i = 0; i < e->n_full; i++) {
		if (!e->full[i].at_start)
			continue;
		buf_str(b, ". ");
		phrase_disk(b, &e->full[i]);
		buf_str(b, ", and was full when it began");
	}
}

/* ": 0.1 s earlier, SIGSEGV had ended its process sort (pid 77)", after by */
static void phrase_death(struct buf *b, const struct snapshot_end_death *d, const char *by)
{
	buf_str(b, by);
	if (d->before_s >= INSTANT_S) {
		phrase_span(b, d->before_s);
		buf_str(b, " earlier, ");
	}
	buf_printf(b, "SIG%s had ended ", d->signal);
	phrase_process(b, d);
}

/* The same as a sentence of its own, begun by a full stop, for a death that is not the cause. */
static void phrase_death_before(struct buf *b, const struct snapshot_end_death *d)
{
	if (!d->known || !*d->signal)
		return;
	buf_str(b, ". ");
	if (d->before_s >= INSTANT_S)
		phrase_span(b, d->before_s);
	else
		buf_str(b, "Just");
	buf_printf(b, " before that, SIG%s had ended ", d->signal);
	phrase_process(b, d);
}

/* "; no OOM kill and no killed process was seen; the disks of …, had 12 GiB left or more" */
static void phrase_nothing(struct buf *b, const struct snapshot_evidence *e)
{
	bool memory = e->oom_kills_machine == 0, process = e->killed_others == 0;

	if (!memory && !process)
		return;
	buf_printf(b, "; no %s%s%s was seen", memory ? "OOM kill" : "",
	           memory && process ? " and no " : "", process ? "killed process" : "");
	/* Alone it would say too little. */
	if (e->n_full || isnan(e->disk_left_b))
		return;
	buf_str(b, "; the disks of its working directory, TMPDIR and output had ");
	phrase_bytes(b, e->disk_left_b);
	buf_str(b, " left or more");
}

/* ". Each process could use 1 s of CPU time (ulimit -t), …", if this signal may come from that */
static void phrase_cpu(struct buf *b, const struct snapshot_evidence *e, int signal)
{
	if ((signal == SIGKILL || signal == SIGXCPU) && e->cpu_limit_s > 0)
		buf_printf(b,
		           ". Each process could use %.0f s of CPU time (ulimit -t), and those "
		           "that ended had used %.1f s together",
		           e->cpu_limit_s, e->cpu_used_s);
}

/* "; a file could have 10 KiB (ulimit -f)", after by */
static void phrase_file(struct buf *b, const struct snapshot_evidence *e, const char *by)
{
	if (!(e->file_limit_b >= 0))
		return;
	buf_str(b, by);
	phrase_bytes(b, e->file_limit_b);
	buf_str(b, " (ulimit -f)");
}

/* Limits that it had: sentences of their own, each begun by a full stop. */
static void phrase_hints(struct buf *b, const struct snapshot_evidence *e)
{
	phrase_full_before(b, e);
	if (e->address_limit_b > 0) {
		buf_str(b, ". A process of it could have ");
		phrase_bytes(b, e->address_limit_b);
		buf_str(b, " of address space at most (ulimit -v)");
		if (e->address_used_b > 0) {
			buf_str(b, ", and had ");
			phrase_bytes(b, e->address_used_b);
		}
	}
	if (e->forks_refused >= 1 && e->forks_limit > 0)
		buf_printf(
		    b,
		    ". %.0f time%s it got no new process or thread: its cgroup may have %.0f "
		    "(pids.max)",
		    e->forks_refused, e->forks_refused == 1 ? "" : "s", e->forks_limit);
	if (e->processes_limit > 0 && e->processes_most >= e->processes_limit / 2)
		buf_printf(b,
		           ". Its user could have %.0f processes and threads (ulimit -u), and the "
		           "job had %.0f",
		           e->processes_limit, e->processes_most);
}

/* A counter of a cgroup does not say whose process it was. */
static void phrase_shared_oom(struct buf *b, const struct snapshot_evidence *e)
{
	if (!(e->oom_kills_shared >= 1) || e->oom_before_s > LATELY_S)
		return;
	buf_str(b, ". The kernel killed ");
	phrase_victims(b, e);
	buf_str(b, " for lack of memory");
	if (e->killed_others == 0)
		buf_str(b, ", and none of the job's");
	else
		buf_str(b, "; whether that was one of the job's is not known");
}

/* OOM kills before the end, and those in a cgroup that others use as well: sentences of their
 * own. */
static void phrase_earlier_oom(struct buf *b, const struct snapshot_evidence *e)
{
	phrase_shared_oom(b, e);
	if (!(e->oom_kills >= 1))
		return;
	buf_str(b, ". ");
	if (e->oom_before_s > LATELY_S) {
		phrase_span(b, e->oom_before_s);
		buf_str(b, " or more earlier, the kernel had killed ");
	} else {
		buf_str(b, "The kernel had killed ");
	}
	buf_printf(b, "%.0f of its processes", e->oom_kills);
	phrase_memory_out(b, e);
}

/* -- words ------------------------------------------------------------------------------------- */

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
	    .file_written_b = NAN,
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
	    .death = {.name = "",
	              .signal = "",
	              .pid = NAN,
	              .before_s = NAN,
	              .cpu_limit_s = NAN,
	              .file_limit_b = NAN},
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
	return e->oom_kills >= 1 && !(e->oom_before_s > LATELY_S);
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
	return (e->oom_kills_shared >= 1 && !(e->oom_before_s > LATELY_S)) ||
	       (unknown && e->oom_kills_machine >= 1);
}

/* -- ended by SIGKILL -------------------------------------------------------------------------- */

static enum end_cause killed(const struct snapshot_evidence *e, struct buf *b)
{
	if (e->launcher_limit_b > 0) {
		buf_str(b, "Killed by its launcher because it used more than its ");
		phrase_bytes(b, e->launcher_limit_b);
		buf_str(b, " of memory");
		phrase_largest(b, e);
		return END_CAUSE_MEMORY_LIMIT;
	}
	if (lost_memory(e) && victim_is(e, SNAPSHOT_VICTIM_COMMAND)) {
		buf_str(b, "Killed by the kernel");
		phrase_memory_out(b, e);
		phrase_largest(b, e);
		return END_CAUSE_OOM;
	}
	buf_str(b, "Killed by SIGKILL");
	if (e->slurm_step && lost_memory(e) && !victim_is(e, SNAPSHOT_VICTIM_OTHER)) {
		buf_str(b, " after the kernel killed ");
		phrase_victims(b, e);
		phrase_memory_out(b, e);
		phrase_largest(b, e);
		phrase_slurm(b, e);
		return END_CAUSE_OOM;
	}
	if (may_have_lost_memory(e) && !victim_is(e, SNAPSHOT_VICTIM_OTHER)) {
		phrase_oom_maybe(b, e);
		return END_CAUSE_OOM_MAYBE;
	}
	if (e->cpu_used_s >= e->cpu_hard_s) {
		buf_printf(b, " at its limit of %.0f s of CPU time (ulimit -t)", e->cpu_hard_s);
		return END_CAUSE_CPU_LIMIT;
	}
	if (!(e->oom_kills >= 1))
		phrase_no_oom(b, e);
	phrase_warned(b, e, ". ");
	phrase_earlier_oom(b, e);
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
	const struct snapshot_end_signal *s = phrase_last_signal(e, signal);
	const char *crash = crash_words(signal);

	buf_str(b, "Ended by ");
	phrase_signal(b, signal);
	if (s) {
		phrase_sender(b, s);
		phrase_time(b, e);
		phrase_earlier_oom(b, e);
		return out_of_time(e) ? END_CAUSE_TIME_LIMIT : END_CAUSE_SENT;
	}
	if (signal == SIGXCPU && e->cpu_used_s >= e->cpu_limit_s) {
		buf_printf(b, " at its limit of %.0f s of CPU time (ulimit -t)", e->cpu_limit_s);
		return END_CAUSE_CPU_LIMIT;
	}
	if (signal == SIGXFSZ && e->file_written_b >= e->file_limit_b) {
		buf_str(b, " because a file reached the limit of ");
		phrase_bytes(b, e->file_limit_b);
		buf_str(b, " (ulimit -f)");
		return END_CAUSE_FILE_LIMIT;
	}
	if (crash) {
		buf_printf(b, ", %s%s", crash, e->core_dumped ? "; core dumped" : "");
		if (phrase_has_filled(e)) {
			buf_str(b, ". A disk was full then");
			phrase_disks(b, e);
		}
		phrase_earlier_oom(b, e);
		phrase_hints(b, e);
		return END_CAUSE_CRASH;
	}
	if (signal == SIGPIPE)
		buf_str(b, ", which stands for output that nothing reads any more");
	else
		buf_str(b, "; who sent it is not known");
	if (signal == SIGXFSZ)
		phrase_file(b, e, ". A file could have ");
	phrase_time(b, e);
	phrase_earlier_oom(b, e);
	return out_of_time(e) ? END_CAUSE_TIME_LIMIT : END_CAUSE_SIGNALED;
}

/* -- ended with a status ----------------------------------------------------------------------- */

/* The signal that a shell reports by its own status; 0: none. */
static int reported_signal(int code)
{
	return code > SHELL_S && code < SHELL_S + 65 ? code - SHELL_S : 0;
}

/* Says what a status of a shell or of timeout(1) means by convention. */
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
		phrase_signal(b, signal);
		buf_str(b, " has ended a command");
	}
	if (signal == SIGXFSZ)
		phrase_file(b, e, "; a file could have ");
	if (signal == SIGKILL && e->oom_kills_machine == 0)
		buf_str(b, "; the machine counted no OOM kill");
	phrase_cpu(b, e, signal);
	return END_CAUSE_EXITED;
}

/* Whether a limit of CPU time ended the process: it had reached its own or, where that is not
 * known, processes have used as much as the limit that they have from the command. SIGXCPU may be
 * sent by anybody. */
static bool death_by_cpu_limit(const struct snapshot_evidence *e, int signal)
{
	if (signal != SIGXCPU && signal != SIGKILL)
		return false;
	if (!isnan(e->death.cpu_limit_s))
		return e->death.cpu_limit_s > 0;
	return signal == SIGXCPU && e->cpu_used_s >= e->cpu_limit_s;
}

/* Whether the command ended with this status because a process of the job had died: it ended at
 * once, and it reports that signal, or the kernel had sent it. A SIGKILL may be the job's own. */
static bool death_is_cause(const struct snapshot_evidence *e, int code)
{
	int signal = e->death.known ? snapshot_signal_number(e->death.signal) : 0;

	return signal && e->death.before_s <= DEATH_S &&
	       (signal == reported_signal(code) || signal != SIGKILL ||
	        death_by_cpu_limit(e, signal));
}

static enum end_cause say_death(const struct snapshot_evidence *e, struct buf *b)
{
	int signal = snapshot_signal_number(e->death.signal);
	double file_b = e->death.file_limit_b;

	/* It has the command's limit, if nothing else is known. */
	if (isnan(file_b) && e->file_written_b >= e->file_limit_b)
		file_b = e->file_limit_b;
	phrase_death(b, &e->death, ": ");
	if (signal == SIGXFSZ && file_b > 0) {
		buf_str(b, " because a file reached the limit of ");
		phrase_bytes(b, file_b);
		buf_str(b, " (ulimit -f)");
		return END_CAUSE_FILE_LIMIT;
	}
	if (signal == SIGXFSZ && isnan(file_b))
		buf_str(b, ", which stands for a file that reached its limit (ulimit -f)");
	if (!death_by_cpu_limit(e, signal)) {
		phrase_cpu(b, e, signal);
		return END_CAUSE_PROCESS;
	}
	if (e->death.cpu_limit_s > 0) {
		buf_printf(b, " at its limit of %.0f s of CPU time (ulimit -t)",
		           e->death.cpu_limit_s);
	} else {
		buf_str(b, " at its limit of CPU time (ulimit -t)");
		phrase_cpu(b, e, signal);
	}
	return END_CAUSE_CPU_LIMIT;
}

static enum end_cause exited(const struct end_cause_facts *f, struct buf *b)
{
	const struct snapshot_evidence *e = f->evidence;
	const struct snapshot_end_signal *s = phrase_last_signal(e, 0);
	int signal = reported_signal(f->code);
	enum end_cause cause = END_CAUSE_EXITED;

	buf_printf(b, "Ended with status %d", f->code);
	if (e->launcher_limit_b > 0 && signal == SIGKILL) {
		buf_str(b, ": its launcher ended it because it used more than its ");
		phrase_bytes(b, e->launcher_limit_b);
		buf_str(b, " of memory");
		return END_CAUSE_MEMORY_LIMIT;
	}
	if (lost_memory(e)) {
		buf_str(b, " after the kernel killed ");
		phrase_victims(b, e);
		phrase_memory_out(b, e);
		phrase_largest(b, e);
		phrase_slurm(b, e);
		return signal == SIGKILL ? END_CAUSE_OOM : END_CAUSE_OOM_PROCESS;
	}
	if (s) {
		buf_char(b, ' ');
		phrase_span(b, s->before_s);
		buf_printf(b, " after SIG%s", s->signal);
		phrase_sender(b, s);
		phrase_time(b, e);
		return out_of_time(e) ? END_CAUSE_TIME_LIMIT : END_CAUSE_SENT;
	}
	if (signal == SIGKILL && may_have_lost_memory(e) && !(e->killed_others == 0)) {
		phrase_oom_maybe(b, e);
		return END_CAUSE_OOM_MAYBE;
	}
	if (phrase_has_filled(e)) {
		buf_str(b, " after its disk was full");
		phrase_disks(b, e);
		phrase_death_before(b, &e->death);
		cause = END_CAUSE_DISK_FULL;
	} else if (death_is_cause(e, f->code)) {
		cause = say_death(e, b);
	} else {
		cause = say_convention(f, b);
		if (cause == END_CAUSE_EXITED && !signal)
			phrase_nothing(b, e);
		if (cause == END_CAUSE_EXITED)
			phrase_death_before(b, &e->death);
		/* Else the convention has said it. */
		if (!signal)
			phrase_cpu(b, e, snapshot_signal_number(e->death.signal));
	}
	phrase_earlier_oom(b, e);
	phrase_hints(b, e);
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
	phrase_victims(b, e);
	phrase_memory_out(b, e);
	phrase_slurm(b, e);
	return END_CAUSE_OOM_PROCESS;
}

static enum end_cause not_known(const struct snapshot_evidence *e, struct buf *b)
{
	if (e->launcher_limit_b > 0 || !(larger(e->oom_kills, e->oom_kills_shared) >= 1))
		return END_CAUSE_UNKNOWN;
	buf_str(b, "How it ended is not known; the kernel killed ");
	phrase_victims(b, e);
	phrase_memory_out(b, e);
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
