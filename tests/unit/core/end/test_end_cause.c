/* Tests of core/end/end_cause.c: what is known, the word and the sentence. */
#include <math.h>
#include <signal.h>
#include <string.h>

#include "core/end/end_cause.h"
#include "tests/unit/unit.h"

#define GIB 1073741824.0
#define MIB 1048576.0

struct known {
	const char *what;
	int code, signal; /* code -1 without a signal: not known */
	bool timed_out;
	void (*set)(struct snapshot_evidence *e);
	enum end_cause cause;
	const char *sentence;
};

static void no_oom(struct snapshot_evidence *e)
{
	e->oom_kills = e->oom_kills_machine = 0;
}

static void all_seen(struct snapshot_evidence *e)
{
	no_oom(e);
	e->killed_others = 0;
}

static void own(struct snapshot_evidence *e)
{
	e->oom_kills = e->oom_kills_machine = 1;
	e->oom_victim = SNAPSHOT_VICTIM_COMMAND;
	e->oom_before_s = 0;
	e->oom_of = SNAPSHOT_OOM_CONTAINER;
	e->oom_limit_b = 8 * GIB;
	e->memory_b = 7.9 * GIB;
	e->largest = "python";
	e->largest_b = 7.6 * GIB;
	e->growth_bs = 210 * MIB;
}

static void own_of_several(struct snapshot_evidence *e)
{
	own(e);
	e->oom_of = SNAPSHOT_OOM_CGROUP;
	e->oom_cgroup = "/user/a";
	e->largest_b = 3 * GIB;
	e->growth_bs = NAN;
}

static void own_long_ago(struct snapshot_evidence *e)
{
	own(e);
	e->oom_before_s = 3300;
}

static void other_was_victim(struct snapshot_evidence *e)
{
	own(e);
	e->killed_others = 1;
	e->oom_victim = SNAPSHOT_VICTIM_OTHER;
}

static void unknown_victim(struct snapshot_evidence *e)
{
	own(e);
	e->oom_victim = "";
}

static void several_that_grow(struct snapshot_evidence *e)
{
	own_of_several(e);
	e->growth_bs = 2 * MIB;
}

static void of_machine(struct snapshot_evidence *e)
{
	own(e);
	e->oom_of = SNAPSHOT_OOM_MACHINE;
	e->oom_limit_b = NAN;
	e->largest = "";
	e->memory_b = NAN;
}

static void of_step(struct snapshot_evidence *e)
{
	own(e);
	e->oom_of = SNAPSHOT_OOM_STEP;
	e->oom_limit_b = 150 * MIB;
	e->oom_victim = "";
	e->slurm_step = true;
}

static void of_step_other(struct snapshot_evidence *e)
{
	of_step(e);
	e->oom_victim = SNAPSHOT_VICTIM_OTHER;
}

static void somewhere(struct snapshot_evidence *e)
{
	e->oom_kills_machine = 2;
}

static void elsewhere(struct snapshot_evidence *e)
{
	e->oom_kills = 0;
	e->oom_kills_machine = 2;
}

static void beside(struct snapshot_evidence *e)
{
	e->oom_kills_shared = e->oom_kills_machine = 1;
	e->oom_of = SNAPSHOT_OOM_CGROUP;
	e->oom_limit_b = 64 * MIB;
}

static void beside_safe(struct snapshot_evidence *e)
{
	beside(e);
	e->killed_others = 0;
}

static void beside_long_ago(struct snapshot_evidence *e)
{
	beside(e);
	e->oom_before_s = 3300;
}

static void beside_in_step(struct snapshot_evidence *e)
{
	beside(e);
	e->oom_of = SNAPSHOT_OOM_JOB;
	e->slurm_step = true;
}

static void beside_in_step_safe(struct snapshot_evidence *e)
{
	beside_in_step(e);
	e->killed_others = 0;
}

static void warned(struct snapshot_evidence *e)
{
	no_oom(e);
	e->signals[0] = (struct snapshot_end_signal){"TERM", "slurmstepd", 42, 0, 3};
	e->n_signals = 1;
	e->time_used_s = e->time_limit_s = 3600;
	e->time_enforced = true;
}

static void warned_early(struct snapshot_evidence *e)
{
	warned(e);
	e->time_used_s = 12;
	e->signals[0].before_s = 0.2;
}

static void asked_only(struct snapshot_evidence *e)
{
	no_oom(e);
	e->time_used_s = 10;
	e->time_limit_s = 10;
}

static void winch(struct snapshot_evidence *e)
{
	warned_early(e);
	e->signals[0].signal = "WINCH";
}

static void terminal(struct snapshot_evidence *e)
{
	e->signals[0] = (struct snapshot_end_signal){"INT", "the terminal", NAN, NAN, 0};
	e->n_signals = 1;
}

static void hidden_sender(struct snapshot_evidence *e)
{
	e->signals[0] = (struct snapshot_end_signal){"TERM", "", NAN, NAN, 0};
	e->n_signals = 1;
}

static void cpu(struct snapshot_evidence *e)
{
	no_oom(e);
	e->cpu_used_s = 1.02;
	e->cpu_limit_s = e->cpu_hard_s = 1;
}

static void cpu_soft(struct snapshot_evidence *e)
{
	cpu(e);
	e->cpu_hard_s = NAN;
}

static void file_limit(struct snapshot_evidence *e)
{
	e->file_limit_b = e->file_written_b = MIB;
}

static void file_not_reached(struct snapshot_evidence *e)
{
	e->file_limit_b = MIB;
	e->file_written_b = MIB - 1;
}

static void full(struct snapshot_evidence *e)
{
	no_oom(e);
	e->full[0] = (struct snapshot_end_disk){"/scratch", 0, 1000, false};
	e->n_full = 1;
}

static void full_before(struct snapshot_evidence *e)
{
	all_seen(e);
	full(e);
	e->full[0].at_start = true;
}

static void one_full_before(struct snapshot_evidence *e)
{
	full_before(e);
	e->full[1] = (struct snapshot_end_disk){"/tmp", 0, 1000, false};
	e->n_full = 2;
}

static void room(struct snapshot_evidence *e)
{
	all_seen(e);
	e->disk_left_b = 12 * GIB;
}

static void no_inodes(struct snapshot_evidence *e)
{
	full(e);
	e->full[0].inodes = 0;
	e->full[0].bytes = 1e9;
}

static void child_died(struct snapshot_evidence *e)
{
	no_oom(e);
	e->death = (struct snapshot_end_death){true, "sort", "SEGV", 77, 0.1, NAN, NAN};
}

static void helper_killed(struct snapshot_evidence *e)
{
	no_oom(e);
	e->killed_others = 1;
	e->death = (struct snapshot_end_death){true, "sleep", "KILL", 77, 0.01, NAN, NAN};
}

static void crashed_before(struct snapshot_evidence *e)
{
	child_died(e);
	e->death.before_s = 1.5;
}

static void helper_killed_before(struct snapshot_evidence *e)
{
	cpu(e);
	e->killed_others = 1;
	e->death = (struct snapshot_end_death){true, "sleep", "KILL", 77, 5, NAN, NAN};
}

static void child_cpu(struct snapshot_evidence *e)
{
	cpu_soft(e);
	e->death = (struct snapshot_end_death){true, "", "XCPU", 77, 0.01, NAN, NAN};
}

/* By kill(1). */
static void child_sent_xcpu(struct snapshot_evidence *e)
{
	child_cpu(e);
	e->death.cpu_limit_s = 0;
}

static void child_unsure_xcpu(struct snapshot_evidence *e)
{
	child_cpu(e);
	e->cpu_limit_s = NAN;
}

/* A limit of its own. */
static void child_cpu_hard(struct snapshot_evidence *e)
{
	helper_killed(e);
	e->death.cpu_limit_s = 2;
}

static void child_file(struct snapshot_evidence *e)
{
	no_oom(e);
	e->death = (struct snapshot_end_death){true, "dd", "XFSZ", 77, 0.01, NAN, NAN};
}

static void child_file_limit(struct snapshot_evidence *e)
{
	file_limit(e);
	e->death = (struct snapshot_end_death){true, "dd", "XFSZ", 77, 0.01, NAN, NAN};
}

static void child_reached(struct snapshot_evidence *e)
{
	child_file(e);
	e->death.file_limit_b = 2 * MIB;
}

static void child_not_reached(struct snapshot_evidence *e)
{
	child_file_limit(e);
	e->death.file_limit_b = 0;
}

static void known_victim(struct snapshot_evidence *e)
{
	own(e);
	e->killed_others = 1;
	e->oom_victim = SNAPSHOT_VICTIM_OTHER;
	e->death = (struct snapshot_end_death){true, "tail", "KILL", 77, 0.01, NAN, NAN};
}

static void full_and_died(struct snapshot_evidence *e)
{
	full(e);
	e->death = (struct snapshot_end_death){true, "sort", "SEGV", 77, 0.1, NAN, NAN};
}

static void address(struct snapshot_evidence *e)
{
	e->address_limit_b = 200 * MIB;
	e->address_used_b = 180 * MIB;
}

static void dumped(struct snapshot_evidence *e)
{
	e->core_dumped = true;
}

static void refused(struct snapshot_evidence *e)
{
	e->forks_refused = 3;
	e->forks_limit = 64;
}

static void launcher(struct snapshot_evidence *e)
{
	no_oom(e);
	e->launcher_limit_b = 150 * MIB;
}

static const struct known ends[] = {
    {"well", 0, 0, false, NULL, END_CAUSE_FINISHED, ""},
    {"well, after a child was killed for memory", 0, 0, false, own, END_CAUSE_FINISHED, ""},
    {"a step of Slurm whose child was", 0, 0, false, of_step, END_CAUSE_OOM_PROCESS,
     "Ended with status 0, but the kernel killed 1 of its processes because the memory of its Slurm step, 150 MiB, ran out. Slurm calls that OUT_OF_MEMORY."},
    {"a step of Slurm, by SIGKILL", 0, SIGKILL, false, of_step, END_CAUSE_OOM,
     "Killed by SIGKILL after the kernel killed 1 of its processes because the memory of its Slurm step, 150 MiB, ran out: python had 7.6 GiB and grew by 210 MiB a second. Slurm calls that OUT_OF_MEMORY."},
    {"a step of Slurm, for another reason", 0, SIGKILL, false, of_step_other, END_CAUSE_KILLED,
     "Killed by SIGKILL. The kernel had killed 1 of its processes because the memory of its Slurm step, 150 MiB, ran out."},
    {"a step that others share", 0, 0, false, beside_in_step, END_CAUSE_OOM_PROCESS,
     "Ended with status 0, but the kernel killed 1 process in its cgroup because the memory of its Slurm job, 64 MiB, ran out. Slurm calls that OUT_OF_MEMORY."},
    {"a step that others share, and none of ours was killed", 0, 0, false, beside_in_step_safe,
     END_CAUSE_FINISHED, ""},
    {"not known", -1, 0, false, NULL, END_CAUSE_UNKNOWN, ""},
    {"not known, with kills", -1, 0, false, own, END_CAUSE_OOM_MAYBE,
     "How it ended is not known; the kernel killed 1 of its processes because its container's memory, 8 GiB, ran out."},

    {"memory", 0, SIGKILL, false, own, END_CAUSE_OOM,
     "Killed by the kernel because its container's memory, 8 GiB, ran out: python had 7.6 GiB and grew by 210 MiB a second."},
    {"memory of several", 0, SIGKILL, false, own_of_several, END_CAUSE_OOM,
     "Killed by the kernel because the memory of its cgroup /user/a, 8 GiB, ran out: the job had 7.9 GiB, of which python 3 GiB."},
    {"memory of several that grew", 0, SIGKILL, false, several_that_grow, END_CAUSE_OOM,
     "Killed by the kernel because the memory of its cgroup /user/a, 8 GiB, ran out: the job had 7.9 GiB, of which python 3 GiB, and grew by 2 MiB a second."},
    {"memory of the machine", 0, SIGKILL, false, of_machine, END_CAUSE_OOM,
     "Killed by the kernel because the machine's memory ran out."},
    {"a shell whose child was killed", 137, 0, false, own, END_CAUSE_OOM,
     "Ended with status 137 after the kernel killed 1 of its processes because its container's memory, 8 GiB, ran out: python had 7.6 GiB and grew by 210 MiB a second."},
    {"a parent that says 1", 1, 0, false, own, END_CAUSE_OOM_PROCESS,
     "Ended with status 1 after the kernel killed 1 of its processes because its container's memory, 8 GiB, ran out: python had 7.6 GiB and grew by 210 MiB a second."},
    {"who was the victim is not known", 0, SIGKILL, false, unknown_victim, END_CAUSE_OOM_MAYBE,
     "Killed by SIGKILL while the kernel killed 1 of its processes because its container's memory, 8 GiB, ran out; whether this one was among them is not known."},
    {"137, and others share the cgroup", 137, 0, false, beside, END_CAUSE_OOM_MAYBE,
     "Ended with status 137 while the kernel killed 1 process in its cgroup because the memory of its cgroup, 64 MiB, ran out; whether this one was among them is not known."},
    {"137, and no process of it was killed", 137, 0, false, beside_safe, END_CAUSE_EXITED,
     "Ended with status 137, as a shell does when SIGKILL has ended a command. The kernel killed 1 process in its cgroup for lack of memory, and none of the job's."},
    {"1, and another process of its cgroup was killed", 1, 0, false, beside_safe, END_CAUSE_EXITED,
     "Ended with status 1; no killed process was seen. The kernel killed 1 process in its cgroup for lack of memory, and none of the job's."},
    {"1, and whose was killed is not known", 1, 0, false, beside, END_CAUSE_EXITED,
     "Ended with status 1. The kernel killed 1 process in its cgroup for lack of memory; whether that was one of the job's is not known."},
    {"1, long after a process of its cgroup was killed", 1, 0, false, beside_long_ago,
     END_CAUSE_EXITED, "Ended with status 1."},
    {"a kill long ago", 0, SIGKILL, false, own_long_ago, END_CAUSE_KILLED,
     "Killed by SIGKILL. 55 min or more earlier, the kernel had killed 1 of its processes because its container's memory, 8 GiB, ran out."},
    {"another process was the victim", 0, SIGKILL, false, other_was_victim, END_CAUSE_KILLED,
     "Killed by SIGKILL. The kernel had killed 1 of its processes because its container's memory, 8 GiB, ran out."},
    {"the machine counts, no cgroup does", 0, SIGKILL, false, somewhere, END_CAUSE_OOM_MAYBE,
     "Killed by SIGKILL while the kernel killed 2 processes of the machine for lack of memory; whether this one was among them is not known."},
    {"another cgroup's", 0, SIGKILL, false, elsewhere, END_CAUSE_KILLED,
     "Killed by SIGKILL; no cgroup of the job counted an OOM kill, though the machine did."},
    {"a cgroup of others too", 0, SIGKILL, false, beside, END_CAUSE_OOM_MAYBE,
     "Killed by SIGKILL while the kernel killed 1 process in its cgroup because the memory of its cgroup, 64 MiB, ran out; whether this one was among them is not known."},
    {"a launcher's limit", 0, SIGKILL, false, launcher, END_CAUSE_MEMORY_LIMIT,
     "Killed by its launcher because it used more than its 150 MiB of memory."},

    {"kill -9", 0, SIGKILL, false, no_oom, END_CAUSE_KILLED,
     "Killed by SIGKILL, and not by the kernel for lack of memory: no cgroup of the job and not the machine counted an OOM kill."},
    {"nothing known", 0, SIGKILL, false, NULL, END_CAUSE_KILLED,
     "Killed by SIGKILL; who sent it is not known."},
    {"time limit", 0, SIGKILL, false, warned, END_CAUSE_TIME_LIMIT,
     "Killed by SIGKILL, and not by the kernel for lack of memory: no cgroup of the job and not the machine counted an OOM kill. 3 s earlier it got SIGTERM from slurmstepd (pid 42), at 100 % of its time limit of 60 min."},
    {"SIGTERM at the time limit", 0, SIGTERM, false, warned, END_CAUSE_TIME_LIMIT,
     "Ended by SIGTERM from slurmstepd (pid 42), at 100 % of its time limit of 60 min."},
    {"SIGTERM", 0, SIGTERM, false, warned_early, END_CAUSE_SENT,
     "Ended by SIGTERM from slurmstepd (pid 42)."},
    {"SIGTERM, handled", 143, 0, false, warned_early, END_CAUSE_SENT,
     "Ended with status 143 0.2 s after SIGTERM from slurmstepd (pid 42)."},
    {"at the end of the time that was asked for", 0, SIGTERM, false, asked_only, END_CAUSE_SIGNALED,
     "Ended by SIGTERM; who sent it is not known, at 100 % of the 10 s that were asked for."},
    {"a window's new size is no cause", 1, 0, false, winch, END_CAUSE_EXITED,
     "Ended with status 1; no OOM kill was seen."},
    {"Ctrl-C", 0, SIGINT, false, terminal, END_CAUSE_SENT, "Ended by SIGINT from the terminal."},
    {"a hidden sender", 0, SIGTERM, false, hidden_sender, END_CAUSE_SENT,
     "Ended by SIGTERM from a process that cannot be seen here."},
    {"timeout(1)", 124, 0, true, no_oom, END_CAUSE_TIME_LIMIT,
     "Ended with status 124: timeout(1) ended it because its time was up."},
    {"124 of another program", 124, 0, false, no_oom, END_CAUSE_EXITED,
     "Ended with status 124; no OOM kill was seen."},

    {"ulimit -t, hard", 0, SIGKILL, false, cpu, END_CAUSE_CPU_LIMIT,
     "Killed by SIGKILL at its limit of 1 s of CPU time (ulimit -t)."},
    {"ulimit -t, soft", 0, SIGXCPU, false, cpu_soft, END_CAUSE_CPU_LIMIT,
     "Ended by SIGXCPU at its limit of 1 s of CPU time (ulimit -t)."},
    {"ulimit -t in a shell", 137, 0, false, cpu, END_CAUSE_EXITED,
     "Ended with status 137, as a shell does when SIGKILL has ended a command; the machine counted no OOM kill. Each process could use 1 s of CPU time (ulimit -t), and those that ended had used 1.0 s together."},
    {"ulimit -f", 0, SIGXFSZ, false, file_limit, END_CAUSE_FILE_LIMIT,
     "Ended by SIGXFSZ because a file reached the limit of 1 MiB (ulimit -f)."},
    {"SIGXFSZ of kill(1)", 0, SIGXFSZ, false, file_not_reached, END_CAUSE_SIGNALED,
     "Ended by SIGXFSZ; who sent it is not known. A file could have 1 MiB (ulimit -f)."},
    {"SIGXFSZ without a limit", 0, SIGXFSZ, false, NULL, END_CAUSE_SIGNALED,
     "Ended by SIGXFSZ; who sent it is not known."},
    {"153 where there is a limit of files", 153, 0, false, file_limit, END_CAUSE_EXITED,
     "Ended with status 153, as a shell does when SIGXFSZ has ended a command; a file could have 1 MiB (ulimit -f)."},
    {"ulimit -f in a shell", 153, 0, false, child_file_limit, END_CAUSE_FILE_LIMIT,
     "Ended with status 153: SIGXFSZ had ended its process dd (pid 77) because a file reached the limit of 1 MiB (ulimit -f)."},
    {"ulimit -v", 1, 0, false, address, END_CAUSE_EXITED,
     "Ended with status 1. A process of it could have 200 MiB of address space at most (ulimit -v), and had 180 MiB."},
    {"pids.max", 1, 0, false, refused, END_CAUSE_EXITED,
     "Ended with status 1. 3 times it got no new process or thread: its cgroup may have 64 (pids.max)."},
};

static const struct known other_ends[] = {
    {"a full disk", 1, 0, false, full, END_CAUSE_DISK_FULL,
     "Ended with status 1 after its disk was full: /scratch had 0 B left."},
    {"a disk that was full before", 1, 0, false, full_before, END_CAUSE_EXITED,
     "Ended with status 1; no OOM kill and no killed process was seen. /scratch had 0 B left, and was full when it began."},
    {"one more disk is full", 1, 0, false, one_full_before, END_CAUSE_DISK_FULL,
     "Ended with status 1 after its disk was full: /tmp had 0 B left. /scratch had 0 B left, and was full when it began."},
    {"SIGBUS, and a full disk before", 0, SIGBUS, false, full_before, END_CAUSE_CRASH,
     "Ended by SIGBUS, which stands for memory that is no longer there. /scratch had 0 B left, and was full when it began."},
    {"disks with room", 1, 0, false, room, END_CAUSE_EXITED,
     "Ended with status 1; no OOM kill and no killed process was seen; the disks of its working directory, TMPDIR and output had 12 GiB left or more."},
    {"a full disk, and a child that crashed", 1, 0, false, full_and_died, END_CAUSE_DISK_FULL,
     "Ended with status 1 after its disk was full: /scratch had 0 B left. 0.1 s before that, SIGSEGV had ended its process sort (pid 77)."},
    {"no inodes", 1, 0, false, no_inodes, END_CAUSE_DISK_FULL,
     "Ended with status 1 after its disk was full: /scratch had no inodes left."},
    {"a child crashed", 1, 0, false, child_died, END_CAUSE_PROCESS,
     "Ended with status 1: 0.1 s earlier, SIGSEGV had ended its process sort (pid 77)."},
    {"a child crashed long before", 1, 0, false, crashed_before, END_CAUSE_EXITED,
     "Ended with status 1; no OOM kill was seen. 1.5 s before that, SIGSEGV had ended its process sort (pid 77)."},
    {"a helper that the job may have killed", 1, 0, false, helper_killed, END_CAUSE_EXITED,
     "Ended with status 1; no OOM kill was seen. Just before that, SIGKILL had ended its process sleep (pid 77)."},
    {"a child was killed, and its parent says so", 137, 0, false, helper_killed, END_CAUSE_PROCESS,
     "Ended with status 137: SIGKILL had ended its process sleep (pid 77)."},
    {"a child was killed long before", 137, 0, false, helper_killed_before, END_CAUSE_EXITED,
     "Ended with status 137, as a shell does when SIGKILL has ended a command; the machine counted no OOM kill. Each process could use 1 s of CPU time (ulimit -t), and those that ended had used 1.0 s together. 5 s before that, SIGKILL had ended its process sleep (pid 77)."},
    {"ulimit -t of a child", 1, 0, false, child_cpu, END_CAUSE_CPU_LIMIT,
     "Ended with status 1: SIGXCPU had ended its process 77 at its limit of CPU time (ulimit -t). Each process could use 1 s of CPU time (ulimit -t), and those that ended had used 1.0 s together."},
    {"SIGXCPU before the limit", 1, 0, false, child_sent_xcpu, END_CAUSE_PROCESS,
     "Ended with status 1: SIGXCPU had ended its process 77. Each process could use 1 s of CPU time (ulimit -t), and those that ended had used 1.0 s together."},
    {"SIGXCPU, and no limit is known", 1, 0, false, child_unsure_xcpu, END_CAUSE_PROCESS,
     "Ended with status 1: SIGXCPU had ended its process 77."},
    {"ulimit -t of a child alone", 1, 0, false, child_cpu_hard, END_CAUSE_CPU_LIMIT,
     "Ended with status 1: SIGKILL had ended its process sleep (pid 77) at its limit of 2 s of CPU time (ulimit -t)."},
    {"SIGXFSZ of a child, and no limit is known", 1, 0, false, child_file, END_CAUSE_PROCESS,
     "Ended with status 1: SIGXFSZ had ended its process dd (pid 77), which stands for a file that reached its limit (ulimit -f)."},
    {"ulimit -f of a child", 1, 0, false, child_reached, END_CAUSE_FILE_LIMIT,
     "Ended with status 1: SIGXFSZ had ended its process dd (pid 77) because a file reached the limit of 2 MiB (ulimit -f)."},
    {"SIGXFSZ of kill(1) to a child", 1, 0, false, child_not_reached, END_CAUSE_PROCESS,
     "Ended with status 1: SIGXFSZ had ended its process dd (pid 77)."},
    {"the victim is known", 1, 0, false, known_victim, END_CAUSE_OOM_PROCESS,
     "Ended with status 1 after the kernel killed its process tail (pid 77) because its container's memory, 8 GiB, ran out: python had 7.6 GiB and grew by 210 MiB a second."},
    {"a crash", 0, SIGSEGV, false, dumped, END_CAUSE_CRASH,
     "Ended by SIGSEGV, which stands for invalid memory access; core dumped."},
    {"memory of a file on a full disk", 0, SIGBUS, false, full, END_CAUSE_CRASH,
     "Ended by SIGBUS, which stands for memory that is no longer there. A disk was full then: /scratch had 0 B left."},
    {"SIGPIPE", 0, SIGPIPE, false, NULL, END_CAUSE_SIGNALED,
     "Ended by SIGPIPE, which stands for output that nothing reads any more."},
    {"a real-time signal", 0, 40, false, NULL, END_CAUSE_SIGNALED,
     "Ended by signal 40; who sent it is not known."},
    {"137 by itself", 137, 0, false, no_oom, END_CAUSE_EXITED,
     "Ended with status 137, as a shell does when SIGKILL has ended a command; the machine counted no OOM kill."},
    {"127", 127, 0, false, no_oom, END_CAUSE_EXITED,
     "Ended with status 127, as a shell does when a command or the interpreter of a script is not found; no OOM kill was seen."},
    {"1", 1, 0, false, no_oom, END_CAUSE_EXITED, "Ended with status 1; no OOM kill was seen."},
    {"1, with all that can be seen", 1, 0, false, all_seen, END_CAUSE_EXITED,
     "Ended with status 1; no OOM kill and no killed process was seen."},
    {"1, with nothing", 1, 0, false, NULL, END_CAUSE_EXITED, "Ended with status 1."},
};

static void check(const struct known *known, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct snapshot_evidence e = end_cause_none();
		const struct end_cause_facts f = {.known = known[i].code >= 0,
		                                  .code = known[i].code,
		                                  .signal = known[i].signal,
		                                  .timed_out = known[i].timed_out,
		                                  .evidence = &e};
		struct buf said = {0};
		enum end_cause cause;
		if (known[i].set)
			known[i].set(&e);
		cause = end_cause_of(&f, &said);
		if (cause != known[i].cause || strcmp(buf_cstr(&said), known[i].sentence) != 0)
			print_error("%s: %s: %s\n", known[i].what, end_cause_word(cause),
			            buf_cstr(&said));
		assert_string_equal(buf_cstr(&said), known[i].sentence);
		assert_string_equal(end_cause_word(cause), end_cause_word(known[i].cause));
		buf_free(&said);
	}
}

TEST(each_end_has_its_sentence)
{
	check(ends, sizeof ends / sizeof *ends);
	check(other_ends, sizeof other_ends / sizeof *other_ends);
}

TEST(words)
{
	for (int i = 0; i < END_CAUSE_COUNT; i++) {
		assert_int_equal(end_cause_find(end_cause_word((enum end_cause)i)), i);
		assert_true(strlen(end_cause_word((enum end_cause)i)) <=
		            16); /* rtrack_row.end_cause */
		assert_true(*end_cause_means((enum end_cause)i) != 0);
	}
	assert_int_equal(end_cause_find("no such"), END_CAUSE_UNKNOWN);
	assert_int_equal(end_cause_find(NULL), END_CAUSE_UNKNOWN);
}
