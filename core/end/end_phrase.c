/* end_phrase: parts of the sentence on why a run ended. */
#include "core/end/end_phrase.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#define NEAR_LIMIT 0.9 /* of its time: worth saying */
#define INSTANT_S  0.05
#define GROWS_BS   1048576.0
#define MOST       0.8 /* of the job's memory: its largest process stands for it */

/* The latest signal that asks a process to end, END_PHRASE_FOLLOWS_S before the end at most; with
 * a signal, only that one. NULL: none. */
const struct snapshot_end_signal *end_phrase_last_signal(const struct snapshot_evidence *e,
                                                         int signal)
{
	static const int asks[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};

	for (size_t i = e->n_signals; i-- > 0;) {
		int got = snapshot_signal_number(e->signals[i].signal);
		bool fits = signal && got == signal;
		for (size_t k = 0; !signal && k < sizeof asks / sizeof *asks; k++)
			fits |= asks[k] == got;
		if (fits && e->signals[i].before_s <= END_PHRASE_FOLLOWS_S)
			return &e->signals[i];
	}
	return NULL;
}

void end_phrase_bytes(struct buf *b, double bytes)
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

void end_phrase_span(struct buf *b, double s)
{
	if (s < 9.95 && s - (double)(int)s >= 0.05)
		buf_printf(b, "%.1f s", s);
	else if (s < 119.5)
		buf_printf(b, "%.0f s", s);
	else if (s < 7200)
		buf_printf(b, "%.0f min", s / 60);
	else
		buf_printf(b, "%.1f h", s / 3600);
}

void end_phrase_signal(struct buf *b, int signal)
{
	const char *name = snapshot_signal_name(signal);

	if (*name)
		buf_printf(b, "SIG%s", name);
	else
		buf_printf(b, "signal %d", signal);
}

/* "because its container's memory, 8 GiB, ran out". */
void end_phrase_memory_out(struct buf *b, const struct snapshot_evidence *e)
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
		end_phrase_bytes(b, e->oom_limit_b);
		buf_char(b, ',');
	}
	buf_str(b, " ran out");
}

/* ": python had 7.6 GiB and grew by 210 MiB a second" */
void end_phrase_largest(struct buf *b, const struct snapshot_evidence *e)
{
	bool named = *e->largest && e->largest_b > 0;
	bool alone = named && !(e->largest_b < MOST * e->memory_b);

	if (!named && !(e->memory_b > 0))
		return;
	buf_printf(b, ": %s had ", alone ? e->largest : "the job");
	end_phrase_bytes(b, alone ? e->largest_b : e->memory_b);
	if (named && !alone) {
		buf_printf(b, ", of which %s ", e->largest);
		end_phrase_bytes(b, e->largest_b);
	}
	if (e->growth_bs >= GROWS_BS) {
		buf_str(b, named && !alone ? ", and grew by " : " and grew by ");
		end_phrase_bytes(b, e->growth_bs);
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

void end_phrase_victims(struct buf *b, const struct snapshot_evidence *e)
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

void end_phrase_slurm(struct buf *b, const struct snapshot_evidence *e)
{
	if (e->slurm_step)
		buf_str(b, ". Slurm calls that OUT_OF_MEMORY");
}

/* ", at 100 % of its time limit of 60 min", where it was near. */
void end_phrase_time(struct buf *b, const struct snapshot_evidence *e)
{
	if (!(e->time_limit_s > 0) || !(e->time_used_s >= NEAR_LIMIT * e->time_limit_s))
		return;
	buf_printf(b, ", at %.0f %% of %s", 100 * e->time_used_s / e->time_limit_s,
	           e->time_enforced ? "its time limit of " : "the ");
	end_phrase_span(b, e->time_limit_s);
	buf_str(b, e->time_enforced ? "" : " that were asked for");
}

void end_phrase_sender(struct buf *b, const struct snapshot_end_signal *s)
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

/* "; 3 s earlier it got SIGTERM from slurmstepd", and the share of its time */
void end_phrase_warned(struct buf *b, const struct snapshot_evidence *e, const char *by)
{
	const struct snapshot_end_signal *s = end_phrase_last_signal(e, 0);

	if (s) {
		buf_str(b, by);
		end_phrase_span(b, s->before_s);
		buf_printf(b, " earlier it got SIG%s", s->signal);
		end_phrase_sender(b, s);
	}
	end_phrase_time(b, e);
}

/* What the counters say of SIGKILL that is no OOM kill, by where else it was counted. */
void end_phrase_no_oom(struct buf *b, const struct snapshot_evidence *e)
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

void end_phrase_oom_maybe(struct buf *b, const struct snapshot_evidence *e)
{
	bool counted = e->oom_kills >= 1 || e->oom_kills_shared >= 1;

	buf_str(b, " while the kernel killed ");
	end_phrase_victims(b, e);
	if (counted)
		end_phrase_memory_out(b, e);
	else
		buf_str(b, " for lack of memory");
	buf_str(b, "; whether this one was among them is not known");
}

bool end_phrase_has_filled(const struct snapshot_evidence *e)
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
		end_phrase_bytes(b, d->bytes);
	buf_str(b, " left");
}

void end_phrase_disks(struct buf *b, const struct snapshot_evidence *e)
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

void end_phrase_death(struct buf *b, const struct snapshot_end_death *d, const char *by)
{
	buf_str(b, by);
	if (d->before_s >= INSTANT_S) {
		end_phrase_span(b, d->before_s);
		buf_str(b, " earlier, ");
	}
	buf_printf(b, "SIG%s had ended ", d->signal);
	phrase_process(b, d);
}

void end_phrase_death_before(struct buf *b, const struct snapshot_end_death *d)
{
	if (!d->known || !*d->signal)
		return;
	buf_str(b, ". ");
	if (d->before_s >= INSTANT_S)
		end_phrase_span(b, d->before_s);
	else
		buf_str(b, "Just");
	buf_printf(b, " before that, SIG%s had ended ", d->signal);
	phrase_process(b, d);
}

void end_phrase_nothing(struct buf *b, const struct snapshot_evidence *e)
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
	end_phrase_bytes(b, e->disk_left_b);
	buf_str(b, " left or more");
}

void end_phrase_cpu(struct buf *b, const struct snapshot_evidence *e, int signal)
{
	if ((signal == SIGKILL || signal == SIGXCPU) && e->cpu_limit_s > 0)
		buf_printf(b,
		           ". Each process could use %.0f s of CPU time (ulimit -t), and those "
		           "that ended had used %.1f s together",
		           e->cpu_limit_s, e->cpu_used_s);
}

void end_phrase_hints(struct buf *b, const struct snapshot_evidence *e)
{
	phrase_full_before(b, e);
	if (e->address_limit_b > 0) {
		buf_str(b, ". A process of it could have ");
		end_phrase_bytes(b, e->address_limit_b);
		buf_str(b, " of address space at most (ulimit -v)");
		if (e->address_used_b > 0) {
			buf_str(b, ", and had ");
			end_phrase_bytes(b, e->address_used_b);
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
	if (!(e->oom_kills_shared >= 1) || e->oom_before_s > END_PHRASE_LATELY_S)
		return;
	buf_str(b, ". The kernel killed ");
	end_phrase_victims(b, e);
	buf_str(b, " for lack of memory");
	if (e->killed_others == 0)
		buf_str(b, ", and none of the job's");
	else
		buf_str(b, "; whether that was one of the job's is not known");
}

void end_phrase_earlier_oom(struct buf *b, const struct snapshot_evidence *e)
{
	phrase_shared_oom(b, e);
	if (!(e->oom_kills >= 1))
		return;
	buf_str(b, ". ");
	if (e->oom_before_s > END_PHRASE_LATELY_S) {
		end_phrase_span(b, e->oom_before_s);
		buf_str(b, " or more earlier, the kernel had killed ");
	} else {
		buf_str(b, "The kernel had killed ");
	}
	buf_printf(b, "%.0f of its processes", e->oom_kills);
	end_phrase_memory_out(b, e);
}
