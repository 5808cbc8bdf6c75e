/* tracked_process: one process of the tree. */
#include "collect/process/tracked_process.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define UNREAD     1
#define UNREAD_MAX 8
/* What a reading may tell late: two ticks, of user and of system time, and one for each thread. */
#define LATE_S        0.02
#define LATE_THREAD_S 0.01
#define SCHED_FAR_S   0.5 /* a sum in ns that is so far from the ticks counts something else */

/* Opens one of its files. A kept stat descriptor tells afterwards that the pid was still its own.
 */
static int open_file(const struct tracked_process *m, const struct root *r,
                     enum tracked_process_file file)
{
	static const char *const names[] = {[TRACKED_PROCESS_STAT] = "stat",
	                                    [TRACKED_PROCESS_IO] = "io",
	                                    [TRACKED_PROCESS_SMAPS] = "smaps_rollup",
	                                    [TRACKED_PROCESS_SCHED] = "schedstat",
	                                    [TRACKED_PROCESS_STATUS] = "status"};
	char thread[48];
	int fd;

	snprintf(thread, sizeof thread, "task/%d/children", m->pid);
	fd = proc_pid_open(r, m->pid, file == TRACKED_PROCESS_CHILDREN ? thread : names[file]);
	if (fd >= 0 && !tracked_process_alive(m, r)) {
		close(fd);
		errno = ESRCH;
		return -1;
	}
	return fd;
}

static void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Its descriptor, or -1 with errno. */
static int take(struct tracked_process *m, const struct root *r, enum tracked_process_file file)
{
	if (m->fd[file] < 0)
		m->fd[file] = open_file(m, r, file);
	return m->fd[file];
}

/* After a reading: what failed is opened anew the next time. Keeps errno. */
static int put(struct tracked_process *m, enum tracked_process_file file, int failed)
{
	int why = errno;

	if (failed || !m->kept)
		shut(&m->fd[file]);
	errno = why;
	return failed ? -1 : 0;
}

int tracked_process_open(struct tracked_process *m, const struct root *r, int pid, bool keep)
{
	int fd = proc_pid_open(r, pid, "stat");

	*m = (struct tracked_process){.pid = pid, .next = -1};
	for (int i = 0; i < TRACKED_PROCESS_FILES; i++)
		m->fd[i] = -1;
	if (fd < 0)
		return -1;
	if (proc_pid_stat_read(fd, &m->stat) || m->stat.pid != pid) {
		close(fd);
		return -1;
	}
	m->used = true;
	m->kept = keep;
	if (keep)
		m->fd[TRACKED_PROCESS_STAT] = fd;
	else
		close(fd);
	return 0;
}

/* Whether a failed call says that there is no such process, for us. */
static bool tells_gone(void)
{
	return errno == ESRCH || errno == ENOENT || errno == EACCES || errno == EPERM;
}

/* Its stat as of now: 0; -1 where the process is gone; UNREAD where nobody knows. */
static int look(const struct tracked_process *m, const struct root *r, struct proc_pid_stat *out)
{
	int fd = m->fd[TRACKED_PROCESS_STAT], failed = UNREAD;
	bool kept = fd >= 0;

	if (kept && (failed = proc_pid_stat_read(fd, out)) && errno == ESRCH)
		return -1;
	if (failed) {
		fd = proc_pid_open(r, m->pid, "stat");
		kept = false;
		failed = fd < 0 || proc_pid_stat_read(fd, out);
	}
	if (failed)
		failed = tells_gone() ? -1 : UNREAD;
	else if (out->starttime != m->stat.starttime)
		failed = -1;
	if (fd >= 0 && !kept)
		close(fd);
	return failed;
}

void tracked_process_wake(struct tracked_process *m)
{
	m->still = false;
}

static bool same_sched(const struct proc_pid_sched *a, const struct proc_pid_sched *b)
{
	return a->run_ns == b->run_ns && a->slices == b->slices;
}

static bool rests(struct tracked_process *m)
{
	struct proc_pid_sched now;

	if (m->still)
		m->still = m->fd[TRACKED_PROCESS_SCHED] >= 0 &&
		           proc_pid_sched_read(m->fd[TRACKED_PROCESS_SCHED], &now) == 0 &&
		           same_sched(&now, &m->sched);
	return m->still;
}

int tracked_process_read(struct tracked_process *m, const struct root *r)
{
	struct proc_pid_stat now;
	int failed;

	if (rests(m))
		return 0;
	failed = look(m, r, &now);
	if (failed == UNREAD)
		return m->unread++ < UNREAD_MAX ? 0 : -1;
	if (failed)
		return -1;
	m->unread = 0;
	m->stat = now;
	return 0;
}

bool tracked_process_alive(const struct tracked_process *m, const struct root *r)
{
	struct proc_pid_stat now;

	return look(m, r, &now) >= 0;
}

bool tracked_process_ended(const struct tracked_process *m)
{
	return (m->stat.state == 'Z' || m->stat.state == 'X') && m->stat.num_threads <= 1;
}

static bool is_forbidden(void)
{
	return errno == EACCES || errno == EPERM;
}

int tracked_process_io(struct tracked_process *m, const struct root *r)
{
	struct proc_pid_io io;
	int fd, failed;

	if (m->still)
		return m->io_denied ? -1 : 0;
	fd = take(m, r, TRACKED_PROCESS_IO);
	failed = fd < 0 || proc_pid_io_read(fd, &io);
	m->io_denied = failed && is_forbidden();
	if (!failed)
		m->io = io;
	return put(m, TRACKED_PROCESS_IO, failed);
}

void tracked_process_waits(struct tracked_process *m, const struct proc_pid_sched *now, bool counts)
{
	uint64_t from = m->waits ? m->sched.wait_ns : m->older ? now->wait_ns : 0;

	if (now->slices == 0)
		return;
	if (counts && now->wait_ns > from)
		m->waited_ns += now->wait_ns - from;
	m->waits = true;
	m->sched = *now;
}

void tracked_process_cpu(struct tracked_process *m, const struct root *r, double tick_s)
{
	double cpu = (double)(m->stat.utime + m->stat.stime) * tick_s, exact;
	struct proc_pid_sched now;
	int fd;

	if (m->still)
		return;
	/* A thread that has ended is in the ticks alone. */
	m->ticks |= m->stat.num_threads > 1;
	fd = m->ticks ? -1 : take(m, r, TRACKED_PROCESS_SCHED);
	if (fd >= 0 && put(m, TRACKED_PROCESS_SCHED, proc_pid_sched_read(fd, &now)) == 0) {
		exact = (double)now.run_ns / 1e9;
		m->ticks = exact > cpu + SCHED_FAR_S;
		/* It slept from the reading before until now: so it did when the rest was read. A
		 * captured machine's files are what they are. */
		m->still = m->kept && !r->replayed && !m->ticks && now.slices > 0 &&
		           m->stat.state == 'S' && same_sched(&now, &m->sched);
		tracked_process_waits(m, &now, true);
		m->sched = now;
		if (!m->ticks && exact > cpu)
			cpu = exact;
	}
	if (cpu > m->cpu_s)
		m->cpu_s = cpu;
}

void tracked_process_tell(struct tracked_process *m, double elapsed_s)
{
	int now = (int)m->stat.num_threads, threads = now > m->threads ? now : m->threads;
	double most = m->told_s + threads * elapsed_s;

	/* Who used more had threads that no reading saw. */
	if (m->cpu_s > most && m->cpu_s - most <= LATE_S + threads * LATE_THREAD_S)
		m->told_s = most;
	else
		m->told_s = m->cpu_s;
	m->threads = now;
}

int tracked_process_children(struct tracked_process *m, const struct root *r,
                             struct proc_pid_list *list)
{
	int fd = m->stat.num_threads > 1 ? -1 : take(m, r, TRACKED_PROCESS_CHILDREN);

	if (fd >= 0 && put(m, TRACKED_PROCESS_CHILDREN, proc_pid_children_read(fd, list)) == 0)
		return 0;
	return proc_pid_children(r, m->pid, m->stat.num_threads, list);
}

static int read_smaps(struct tracked_process *m, const struct root *r, struct proc_pid_smaps *out)
{
	int fd = take(m, r, TRACKED_PROCESS_SMAPS);

	return put(m, TRACKED_PROCESS_SMAPS, fd < 0 || proc_pid_smaps_read(fd, out));
}

int tracked_process_smaps(struct tracked_process *m, const struct root *r,
                          struct proc_pid_smaps *out)
{
	bool had = m->fd[TRACKED_PROCESS_SMAPS] >= 0;

	m->pss_denied = false;
	/* A descriptor from before an exec shows the old image, and says ESRCH. */
	if (read_smaps(m, r, out) == 0 || (had && errno == ESRCH && read_smaps(m, r, out) == 0))
		return 0;
	*out = (struct proc_pid_smaps){0};
	/* A kernel thread has none; nor has who is gone meanwhile, which opening does not tell from
	 * a kernel without the file. */
	if (errno == ESRCH || m->stat.rss_pages <= 0 || !tracked_process_alive(m, r))
		return 0;
	m->pss_denied = true;
	return -1;
}

bool tracked_process_status(struct tracked_process *m, const struct root *r,
                            struct proc_pid_status *before)
{
	struct pss_activity now = pss_activity(&m->stat);
	uint64_t ticks = m->stat.utime + m->stat.stime;
	struct proc_pid_status status;
	int fd;

	if ((pss_same(&now, &m->looked) && ticks == m->looked_ticks) || tracked_process_ended(m))
		return false;
	fd = take(m, r, TRACKED_PROCESS_STATUS);
	if (put(m, TRACKED_PROCESS_STATUS, fd < 0 || proc_pid_status_read(fd, &status)))
		return false;
	*before = (struct proc_pid_status){.ctx_voluntary = m->ctx_voluntary,
	                                   .ctx_involuntary = m->ctx_involuntary};
	m->looked = now;
	m->looked_ticks = ticks;
	m->hwm_b = (double)status.hwm_b;
	m->ignores_children = status.ignores_children;
	m->ctx_voluntary = status.ctx_voluntary;
	m->ctx_involuntary = status.ctx_involuntary;
	return true;
}

uint64_t tracked_process_reaped(const struct tracked_process *m)
{
	/* Every process has page faults: these grow where the times, in ticks, do not. */
	return m->stat.cminflt + m->stat.cmajflt + m->stat.cutime + m->stat.cstime;
}

void tracked_process_close(struct tracked_process *m)
{
	if (!m->used)
		return;
	for (int i = 0; i < TRACKED_PROCESS_FILES; i++)
		shut(&m->fd[i]);
	*m = (struct tracked_process){0};
}
