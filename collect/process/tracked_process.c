/* tracked_process: one process of the tree: its descriptors, and what was read of it last. */
#include "collect/process/tracked_process.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "core/base/larger.h"

#define UNKNOWN          1 /* neither 0 nor -1: the file could not be read this time */
#define FAILED_READS_MAX 8
/* CPU time that a reading may get late: two ticks, of user and of system time, and one for each
 * thread. */
#define LATE_S          0.02
#define LATE_THREAD_S   0.01
#define SCHEDSTAT_FAR_S 0.5 /* a schedstat so far above the ticks counts something else */

/* Opens one of its files. The pid may have been given to another process in the meantime: that
 * this process is alive afterwards proves that the file is its own. */
static int open_process_file(const struct tracked_process *p, const struct root *r,
                             enum tracked_process_file file)
{
	static const char *const names[] = {[TRACKED_PROCESS_STAT] = "stat",
	                                    [TRACKED_PROCESS_IO] = "io",
	                                    [TRACKED_PROCESS_SMAPS] = "smaps_rollup",
	                                    [TRACKED_PROCESS_SCHEDSTAT] = "schedstat",
	                                    [TRACKED_PROCESS_STATUS] = "status"};
	char thread[48];
	int fd;

	snprintf(thread, sizeof thread, "task/%d/children", p->pid);
	fd = proc_pid_open(r, p->pid, file == TRACKED_PROCESS_CHILDREN ? thread : names[file]);
	if (fd >= 0 && !tracked_process_alive(p, r)) {
		close(fd);
		errno = ESRCH;
		return -1;
	}
	return fd;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* The descriptor of a file, or -1 with errno. */
static int use_file(struct tracked_process *p, const struct root *r, enum tracked_process_file file)
{
	if (p->fd[file] < 0)
		p->fd[file] = open_process_file(p, r, file);
	return p->fd[file];
}

/* Ends a use: a file that failed is opened again the next time. Keeps errno. */
static int end_use(struct tracked_process *p, enum tracked_process_file file, int failed)
{
	int why = errno;

	if (failed || !p->keeps_fds)
		close_fd(&p->fd[file]);
	errno = why;
	return failed ? -1 : 0;
}

int tracked_process_open(struct tracked_process *p, const struct root *r, int pid, bool keep_fds)
{
	int fd = proc_pid_open(r, pid, "stat");

	*p = (struct tracked_process){.pid = pid, .next = -1};
	for (int i = 0; i < TRACKED_PROCESS_FILES; i++)
		p->fd[i] = -1;
	if (fd < 0)
		return -1;
	if (proc_pid_stat_read(fd, &p->stat) || p->stat.pid != pid) {
		close(fd);
		return -1;
	}
	p->used = true;
	p->keeps_fds = keep_fds;
	if (keep_fds)
		p->fd[TRACKED_PROCESS_STAT] = fd;
	else
		close(fd);
	return 0;
}

/* Whether errno says that there is no such process, or none that we may see (hidepid). */
static bool errno_is_gone(void)
{
	return errno == ESRCH || errno == ENOENT || errno == EACCES || errno == EPERM;
}

/* Reads its stat: 0; -1 if the process is gone; UNKNOWN if that cannot be known. A kept descriptor
 * is of this process, and gives ESRCH for ever once that is gone; a newly opened file may be of
 * another process with the same pid, which has another start time. */
static int read_stat(const struct tracked_process *p, const struct root *r,
                     struct proc_pid_stat *out)
{
	int fd = p->fd[TRACKED_PROCESS_STAT], failed = UNKNOWN;
	bool kept = fd >= 0;

	if (kept && (failed = proc_pid_stat_read(fd, out)) && errno == ESRCH)
		return -1;
	if (failed) {
		fd = proc_pid_open(r, p->pid, "stat");
		kept = false;
		failed = fd < 0 || proc_pid_stat_read(fd, out);
	}
	if (failed)
		failed = errno_is_gone() ? -1 : UNKNOWN;
	else if (out->starttime != p->stat.starttime)
		failed = -1;
	if (fd >= 0 && !kept)
		close(fd);
	return failed;
}

void tracked_process_wake(struct tracked_process *p)
{
	p->idle = false;
}

static bool same_schedstat(const struct proc_pid_schedstat *a, const struct proc_pid_schedstat *b)
{
	return a->run_ns == b->run_ns && a->slices == b->slices;
}

uint64_t tracked_process_clock(const struct tracked_process *p)
{
	/* The process's own CPUCLOCK_SCHED (kernel/time/posix-cpu-timers.c): any process may read
	 * it. For one thread it is the first number of its schedstat. */
	clockid_t clock = (clockid_t)(~(unsigned)p->pid << 3 | 2);
	struct timespec t;

	if (!p->has_clock || clock_gettime(clock, &t))
		return 0;
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

bool tracked_process_slept(const struct tracked_process *p, uint64_t clock_ns)
{
	return clock_ns && p->clock_ns == clock_ns;
}

/* One system call decides: the clock, or a pread(2) of a kept schedstat. */
static bool check_idle(struct tracked_process *p)
{
	struct proc_pid_schedstat now;

	if (p->idle && p->clock_ns)
		p->idle = tracked_process_clock(p) == p->clock_ns;
	else if (p->idle)
		p->idle = p->fd[TRACKED_PROCESS_SCHEDSTAT] >= 0 &&
		          proc_pid_schedstat_read(p->fd[TRACKED_PROCESS_SCHEDSTAT], &now) == 0 &&
		          same_schedstat(&now, &p->schedstat);
	return p->idle;
}

int tracked_process_read(struct tracked_process *p, const struct root *r)
{
	struct proc_pid_stat now;
	int failed;

	if (check_idle(p))
		return 0;
	failed = read_stat(p, r, &now);
	if (failed == UNKNOWN)
		return p->failed_reads++ < FAILED_READS_MAX ? 0 : -1;
	if (failed)
		return -1;
	p->failed_reads = 0;
	p->stat = now;
	return 0;
}

bool tracked_process_alive(const struct tracked_process *p, const struct root *r)
{
	struct proc_pid_stat now;

	return read_stat(p, r, &now) >= 0;
}

bool tracked_process_ended(const struct tracked_process *p)
{
	return (p->stat.state == 'Z' || p->stat.state == 'X') && p->stat.num_threads <= 1;
}

bool tracked_process_left(const struct tracked_process *p)
{
	return tracked_process_ended(p) ||
	       (p->stat.exiting && p->stat.rss_pages == 0 && p->stat.num_threads <= 1);
}

int64_t tracked_process_rss_now(const struct tracked_process *p, const struct root *r)
{
	struct proc_pid_stat now;
	int failed = UNKNOWN;

	if (!p->idle || !tracked_process_slept(p, tracked_process_clock(p)))
		failed = read_stat(p, r, &now);
	if (failed < 0)
		return 0;
	/* If its first thread has ended, its stat has no RSS. */
	if (failed || (now.rss_pages == 0 && now.num_threads > 1))
		return p->stat.rss_pages;
	return now.rss_pages;
}

static bool errno_is_denied(void)
{
	return errno == EACCES || errno == EPERM;
}

int tracked_process_io(struct tracked_process *p, const struct root *r)
{
	struct proc_pid_io io;
	int fd, failed;

	if (p->idle)
		return p->io_denied ? -1 : 0;
	fd = use_file(p, r, TRACKED_PROCESS_IO);
	failed = fd < 0 || proc_pid_io_read(fd, &io);
	p->io_denied = failed && errno_is_denied();
	if (!failed)
		p->io = io;
	return end_use(p, TRACKED_PROCESS_IO, failed);
}

void tracked_process_add_wait(struct tracked_process *p, const struct proc_pid_schedstat *now,
                              bool counts)
{
	uint64_t from = p->predates_run ? now->wait_ns : 0;

	if (p->wait_known)
		from = p->schedstat.wait_ns;
	if (now->slices == 0)
		return;
	if (counts && now->wait_ns > from)
		p->waited_ns += now->wait_ns - from;
	p->wait_known = true;
	p->schedstat = *now;
}

void tracked_process_cpu(struct tracked_process *p, const struct root *r, double tick_s)
{
	double cpu = (double)(p->stat.utime + p->stat.stime) * tick_s, exact;
	uint64_t clock_before = p->clock_ns;
	struct proc_pid_schedstat now;
	int fd;

	if (p->idle)
		return;
	/* PID/schedstat is of the first thread alone. Threads that have ended are nowhere but in
	 * the ticks, so once there were several, the ticks stay the only account. */
	p->ticks_only |= p->stat.num_threads > 1;
	fd = p->ticks_only ? -1 : use_file(p, r, TRACKED_PROCESS_SCHEDSTAT);
	if (fd >= 0 &&
	    end_use(p, TRACKED_PROCESS_SCHEDSTAT, proc_pid_schedstat_read(fd, &now)) == 0) {
		exact = (double)now.run_ns / 1e9;
		p->ticks_only = exact > cpu + SCHEDSTAT_FAR_S;
		/* Unchanged since the reading before, so it slept while the other files were read,
		 * too: they still hold. Not on a captured machine, whose files stand for any
		 * moment. */
		p->idle = (p->keeps_fds || p->has_clock) && !r->replayed && !p->ticks_only &&
		          now.slices > 0 && p->stat.state == 'S' &&
		          same_schedstat(&now, &p->schedstat);
		tracked_process_add_wait(p, &now, true);
		p->schedstat = now;
		p->clock_ns = p->has_clock ? now.run_ns : 0;
		if (!p->ticks_only && exact > cpu)
			cpu = exact;
	}
	if (p->ticks_only) {
		p->clock_ns = tracked_process_clock(p);
		p->idle = p->stat.state == 'S' && tracked_process_slept(p, clock_before);
	}
	if (cpu > p->cpu_s)
		p->cpu_s = cpu;
}

void tracked_process_report_cpu(struct tracked_process *p, double elapsed_s)
{
	int now = (int)p->stat.num_threads, threads = now > p->last_threads ? now : p->last_threads;
	double most = p->reported_s + threads * elapsed_s;

	/* More than a little beyond the most cannot be lateness: there were threads that no reading
	 * saw, and their time is reported at once. */
	if (p->cpu_s > most && p->cpu_s - most <= LATE_S + threads * LATE_THREAD_S)
		p->reported_s = most;
	else
		p->reported_s = p->cpu_s;
	p->last_threads = now;
}

int tracked_process_children(struct tracked_process *p, const struct root *r,
                             struct proc_pid_list *list)
{
	bool all = p->stat.num_threads > 1 && !p->has_clock;
	int fd = all ? -1 : use_file(p, r, TRACKED_PROCESS_CHILDREN);

	if (fd >= 0 && end_use(p, TRACKED_PROCESS_CHILDREN, proc_pid_children_read(fd, list)) == 0)
		return 0;
	return proc_pid_children(r, p->pid, all ? p->stat.num_threads : 1, list);
}

static int read_smaps_rollup(struct tracked_process *p, const struct root *r,
                             struct proc_pid_smaps *out)
{
	int fd = use_file(p, r, TRACKED_PROCESS_SMAPS);

	return end_use(p, TRACKED_PROCESS_SMAPS, fd < 0 || proc_pid_smaps_read(fd, out));
}

int tracked_process_smaps(struct tracked_process *p, const struct root *r,
                          struct proc_pid_smaps *out)
{
	bool had = p->fd[TRACKED_PROCESS_SMAPS] >= 0;

	p->pss_denied = false;
	/* After exec a kept descriptor still means the old address space, and gives ESRCH. */
	if (read_smaps_rollup(p, r, out) == 0 ||
	    (had && errno == ESRCH && read_smaps_rollup(p, r, out) == 0))
		return 0;
	*out = (struct proc_pid_smaps){0};
	/* A kernel thread has no memory, nor has a process that has just ended. The last must be
	 * asked: opening gives ENOENT for it as it does for a kernel without smaps_rollup. */
	if (errno == ESRCH || p->stat.rss_pages <= 0 || !tracked_process_alive(p, r))
		return 0;
	p->pss_denied = true;
	return -1;
}

static int64_t stat_rss_b(const struct proc_pid_stat *stat)
{
	int64_t page = sysconf(_SC_PAGESIZE);

	return stat->rss_pages > 0 && stat->rss_pages < INT64_MAX / page ? stat->rss_pages * page
	                                                                 : 0;
}

bool tracked_process_status(struct tracked_process *p, const struct root *r,
                            struct proc_pid_status *before)
{
	struct pss_activity now = pss_activity(&p->stat);
	uint64_t ticks = p->stat.utime + p->stat.stime;
	struct proc_pid_status status;
	int fd;

	if ((pss_same(&now, &p->status_activity) && ticks == p->status_ticks) ||
	    tracked_process_ended(p))
		return false;
	p->rss = (struct pss_rss){stat_rss_b(&p->stat), NAN, 0};
	fd = use_file(p, r, TRACKED_PROCESS_STATUS);
	if (end_use(p, TRACKED_PROCESS_STATUS, fd < 0 || proc_pid_status_read(fd, &status)))
		return false;
	*before = (struct proc_pid_status){.ctx_voluntary = p->ctx_voluntary,
	                                   .ctx_involuntary = p->ctx_involuntary};
	p->status_activity = now;
	p->status_ticks = ticks;
	p->hwm_b = (double)status.hwm_b;
	p->vm_peak_b = (double)status.vm_peak_b;
	p->hugetlb_b = (double)status.hugetlb_b;
	if (status.has_split)
		p->rss = (struct pss_rss){(int64_t)lesser((double)status.rss_b, 4e18),
		                          lesser((double)status.mapped_b, (double)status.rss_b),
		                          (double)status.shmem_b};
	p->ignores_children = status.ignores_children;
	p->ctx_voluntary = status.ctx_voluntary;
	p->ctx_involuntary = status.ctx_involuntary;
	return true;
}

bool tracked_process_ignores_children(struct tracked_process *p, const struct root *r)
{
	struct proc_pid_status status = {.ignores_children = false};
	int fd = use_file(p, r, TRACKED_PROCESS_STATUS);

	(void)end_use(p, TRACKED_PROCESS_STATUS, fd < 0 || proc_pid_status_read(fd, &status));
	return status.ignores_children;
}

uint64_t tracked_process_reap_stamp(const struct tracked_process *p)
{
	/* Every process has page faults, so these grow even where its times are below a tick. */
	return p->stat.cminflt + p->stat.cmajflt + p->stat.cutime + p->stat.cstime;
}

void tracked_process_close(struct tracked_process *p)
{
	if (!p->used)
		return;
	for (int i = 0; i < TRACKED_PROCESS_FILES; i++)
		close_fd(&p->fd[i]);
	*p = (struct tracked_process){0};
}
