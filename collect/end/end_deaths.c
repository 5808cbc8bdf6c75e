/* end_deaths: processes of the job, but the command, that a signal ended. */
#include "collect/end/end_deaths.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/redact/redact.h"

#define ANCESTORS_MAX 64
#define LOOK_UPS      50 /* a second */
#define AT_ONCE       256
#define DOUBT_NS      INT64_C(1000000000) /* so near the end it may be the one of an OOM kill */
#define VICTIM_NS     INT64_C(1000000000) /* a victim ends so soon after it was counted */

void end_deaths_open(struct end_deaths *d, const struct root *r, struct tree *tree,
                     const struct oom *oom, int command)
{
	struct err why;

	*d = (struct end_deaths){
	    .events = {.fd = -1}, .root = r, .tree = tree, .oom = oom, .command = command};
	if (r->scarce || r->replayed)
		return;
	d->complete = proc_events_open_deaths(&d->events, &why) == 0;
}

void end_deaths_open_told(struct end_deaths *d, const struct root *r, struct tree *tree,
                          const struct oom *oom, int command)
{
	*d = (struct end_deaths){.events = {.fd = -1},
	                         .complete = true,
	                         .root = r,
	                         .tree = tree,
	                         .oom = oom,
	                         .command = command};
}

int end_deaths_fd(const struct end_deaths *d)
{
	return d->events.fd;
}

enum whose { OTHERS, OF_JOB, NOT_KNOWN };

/* Whose child it was. Most parents are in the tree; others are looked up, a few a second. */
static enum whose whose_child(struct end_deaths *d, int pid, int64_t at)
{
	int self = getpid();

	for (int i = 0; i < ANCESTORS_MAX && pid > 1; i++) {
		struct proc_pid_stat stat;
		if (pid == self || pid == d->command || (d->tree && tree_has(d->tree, pid)))
			return OF_JOB;
		if (at / 1000000000 != d->second) {
			d->second = at / 1000000000;
			d->looked = 0;
		}
		if (++d->looked > LOOK_UPS) {
			d->complete = false;
			return NOT_KNOWN;
		}
		if (proc_pid_stat_of(d->root, pid, &stat))
			return NOT_KNOWN;
		pid = stat.ppid;
	}
	return OTHERS;
}

double end_deaths_cpu_s(int pid)
{
	/* The process's own CPUCLOCK_PROF: see cpu_rlimit.c. */
	clockid_t clock = (clockid_t)(~(unsigned)pid << 3);
	struct timespec t;

	return clock_gettime(clock, &t) ? (double)NAN : (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double end_deaths_written_b(const struct root *r, int pid)
{
	struct proc_pid_io io;
	int fd = proc_pid_open(r, pid, "io"), failed = fd < 0 || proc_pid_io_read(fd, &io);

	if (fd >= 0)
		close(fd);
	return failed ? (double)NAN : (double)io.wchar;
}

double end_deaths_cpu_limit_s(int signal, const struct rlimit *cpu, double cpu_s)
{
	rlim_t limit = signal == SIGXCPU ? cpu->rlim_cur : cpu->rlim_max;

	if (isnan(cpu_s))
		return NAN;
	if (limit == RLIM_INFINITY || (signal != SIGXCPU && signal != SIGKILL))
		return 0;
	limit -= signal == SIGXCPU && limit > 0;
	return cpu_s >= (double)limit ? (double)limit : 0;
}

/* NAN where it only may have reached it. */
static double limit_by_bounds(int signal, const struct process_log_dead *known)
{
	struct rlimit cpu = known->limits.cpu;
	double surely_s, maybe_s;

	/* As the kernel leaves it at the signal. */
	cpu.rlim_cur += cpu.rlim_cur != RLIM_INFINITY;
	surely_s = end_deaths_cpu_limit_s(signal, &cpu, known->cpu_least_s);
	maybe_s = end_deaths_cpu_limit_s(signal, &cpu, known->cpu_most_s);
	return surely_s == maybe_s ? surely_s : (double)NAN;
}

/* The limits that a zombie had reached, whose parent may reap it at any time; then those that it
 * had when it was seen. */
static void find_limits(const struct end_deaths *d, const struct process_log_dead *known,
                        struct end_deaths_one *one)
{
	struct rlimit cpu, file;
	double cpu_s = end_deaths_cpu_s(one->pid), written_b;

	one->cpu_limit_s = one->file_limit_b = one->file_had_b = NAN;
	if (d->root->replayed)
		return;
	if (prlimit(one->pid, RLIMIT_CPU, NULL, &cpu) == 0 && !isnan(cpu_s))
		one->cpu_limit_s = end_deaths_cpu_limit_s(one->signal, &cpu, cpu_s);
	else if (known && known->limits.known)
		one->cpu_limit_s = limit_by_bounds(one->signal, known);
	if (prlimit(one->pid, RLIMIT_FSIZE, NULL, &file) == 0)
		one->file_had_b = file.rlim_cur == RLIM_INFINITY ? 0 : (double)file.rlim_cur;
	else if (known && known->limits.known)
		one->file_had_b =
		    known->limits.file == RLIM_INFINITY ? 0 : (double)known->limits.file;
	written_b = end_deaths_written_b(d->root, one->pid);
	if (written_b >= 0 && one->file_had_b >= 0)
		one->file_limit_b = written_b >= one->file_had_b ? one->file_had_b : 0;
}

/* The name of a zombie: any other source may have it from before an exec. */
static void find_comm(const struct end_deaths *d, int pid, char out[PROC_PID_COMM_MAX])
{
	struct proc_pid_stat stat;

	if (proc_pid_stat_of(d->root, pid, &stat) == 0 && (stat.state == 'Z' || stat.state == 'X'))
		memcpy(out, stat.comm, sizeof stat.comm);
}

/* Not when it is a zombie. */
static bool command_lives(const struct end_deaths *d)
{
	struct proc_pid_stat stat;

	return d->command > 0 && proc_pid_stat_of(d->root, d->command, &stat) == 0 &&
	       stat.state != 'Z' && stat.state != 'X';
}

/* False: the kernel does not count OOM kills. */
static bool count_oom(struct end_deaths *d, int64_t at)
{
	double kills = d->oom ? oom_count(d->oom) : (double)NAN;

	if (isnan(kills))
		return false;
	if (!oom_is_closed(d->oom) && at - d->oom_at > VICTIM_NS)
		d->oom_left = 0;
	if (kills > d->oom_counted)
		d->oom_at = at;
	d->oom_left += kills - d->oom_counted;
	d->oom_counted = kills;
	return true;
}

void end_deaths_look(struct end_deaths *d, int64_t at)
{
	if (d->command > 0)
		(void)count_oom(d, at);
}

/* Processes of the job died by SIGKILL just now: all, some or none of them for memory. What was
 * counted since the deaths before may also be the command's own end, unless that still lives. */
static void look_for_oom(struct end_deaths *d)
{
	double n = d->unsettled;

	d->unsettled = 0;
	if (n < 1 || !count_oom(d, d->last[(d->n - 1) % END_DEATHS_KEPT].at))
		return;
	if (d->oom_left < 1) {
		d->no_victims += n;
	} else if (d->oom_left < n) {
		d->oom_left = 0;
	} else if (command_lives(d)) {
		d->victims += n;
		d->oom_left -= n;
	}
}

/* name: where it is not a zombie any more; NULL, or "": not known. known may be NULL. */
static void note_death(struct end_deaths *d, int pid, int signal, int64_t at, const char *name,
                       const struct process_log_dead *known)
{
	struct end_deaths_one *one = &d->last[d->n % END_DEATHS_KEPT];

	*one = (struct end_deaths_one){.pid = pid, .signal = signal, .at = at};
	find_limits(d, known, one);
	(void)snprintf(one->name, sizeof one->name, "%s", name ? name : "");
	find_comm(d, pid, one->name);
	d->n++;
	d->killed += signal == SIGKILL;
	d->unsettled += signal == SIGKILL;
}

static void on_death(struct end_deaths *d, const struct proc_event *e)
{
	enum whose whose = e->parent ? whose_child(d, e->parent, (int64_t)e->at) : NOT_KNOWN;

	if (whose == OF_JOB || (d->tree && tree_has(d->tree, e->pid)))
		note_death(d, e->pid, WTERMSIG(e->status), (int64_t)e->at, NULL, NULL);
	else if (whose == NOT_KNOWN && WTERMSIG(e->status) == SIGKILL)
		d->doubt = (int64_t)e->at;
}

void end_deaths_read(struct end_deaths *d)
{
	struct proc_event e;

	for (int i = 0; i < AT_ONCE && d->events.fd >= 0 && proc_events_next(&d->events, &e); i++)
		if (e.pid == e.tid && WIFSIGNALED(e.status) && e.pid != d->command)
			on_death(d, &e);
	look_for_oom(d);
	if (d->events.lost || d->events.ended_early)
		d->complete = false;
}

void end_deaths_died(void *deaths, const struct proc_event *e, const struct process_log_dead *known)
{
	struct end_deaths *d = deaths;

	if (e->pid == d->command)
		return;
	if (known)
		note_death(d, e->pid, WTERMSIG(e->status), (int64_t)e->at, known->name, known);
	else
		on_death(d, e);
}

void end_deaths_settle(void *deaths)
{
	look_for_oom(deaths);
}

void end_deaths_lost(void *deaths, bool last)
{
	struct end_deaths *d = deaths;
	struct err why;

	d->complete = false;
	if (last)
		(void)proc_events_open_deaths(&d->events, &why);
}

void end_deaths_reaped(struct end_deaths *d, int pid, int status, const char *name, int64_t at)
{
	d->reaped += pid != d->command;
	if (d->complete || pid == d->command || !WIFSIGNALED(status))
		return;
	note_death(d, pid, WTERMSIG(status), at, name, NULL);
	look_for_oom(d);
}

/* A job often ends its helpers by SIGTERM, and a reader that has enough its writer by SIGPIPE: that
 * is no reason to fail, unless the command says so. */
static bool is_reason(int signal, const struct snapshot *s)
{
	switch (signal) {
	case SIGKILL:
	case SIGSEGV:
	case SIGABRT:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGSYS:
	case SIGTRAP:
	case SIGXCPU:
	case SIGXFSZ:
		return true;
	default:
		return s->exit.known && s->exit.code == 128 + signal;
	}
}

/* By SIGKILL; maybe one more than were seen. */
static double count_killed(const struct end_deaths *d, int64_t end)
{
	return d->killed + (d->doubt && end - d->doubt < DOUBT_NS);
}

double end_deaths_candidates(const struct end_deaths *d, int64_t end)
{
	return count_killed(d, end) - d->no_victims;
}

void end_deaths_fill(const struct end_deaths *d, int64_t end, struct snapshot *snapshot)
{
	size_t n = d->n < END_DEATHS_KEPT ? d->n : END_DEATHS_KEPT;
	struct snapshot_evidence *e = snapshot->end.evidence;
	struct snapshot_end_death *death = &e->death;
	double killed = count_killed(d, end);

	e->killed_others = d->complete || killed > 0 ? killed : (double)NAN;
	if (e->oom_kills >= 1 && d->victims >= e->oom_kills)
		e->oom_victim = SNAPSHOT_VICTIM_OTHER;
	else if (d->complete && e->oom_kills > killed - d->no_victims)
		e->oom_victim = SNAPSHOT_VICTIM_COMMAND;
	for (size_t i = n; i-- > 0 && !death->known;) {
		const struct end_deaths_one *one = &d->last[(d->n - n + i) % END_DEATHS_KEPT];
		const char *known = snapshot_signal_name(one->signal);
		double before_s = end > one->at ? (double)(end - one->at) / 1e9 : 0;
		struct buf name = {0};
		if (before_s > END_DEATHS_LATELY_S || !*known || !is_reason(one->signal, snapshot))
			continue;
		redact_text(one->name, sizeof one->name, &name);
		*death = (struct snapshot_end_death){
		    .known = true,
		    .name = snapshot_strdup(snapshot, name.failed ? "" : buf_cstr(&name)),
		    .signal = known,
		    .pid = one->pid,
		    .before_s = before_s,
		    .cpu_limit_s = one->cpu_limit_s,
		    .file_limit_b = one->file_limit_b};
		/* It was reaped: its parent's sum has what it had written. */
		if (isnan(death->file_limit_b) && one->file_had_b >= 0 && e->file_written_b >= 0)
			death->file_limit_b =
			    e->file_written_b >= one->file_had_b ? one->file_had_b : 0;
		buf_free(&name);
	}
}

void end_deaths_close(struct end_deaths *d)
{
	proc_events_close(&d->events);
}
