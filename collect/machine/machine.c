/* machine: everything of the machine's row, in one call. */
#include "collect/machine/machine.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/machine/disk.h"
#include "collect/machine/meminfo.h"
#include "collect/machine/mounts.h"
#include "collect/machine/net.h"
#include "collect/machine/pressure.h"
#include "collect/machine/procstat.h"
#include "collect/procfs/proc_pid.h"

#define TEXT_MAX     ((size_t)1 << 20) /* of the longest file; untouched pages cost nothing */
#define RECOUNT      1024 /* readings between two listings of /proc that check the links */
#define STATVFS_TEXT "proc/rtrack-statvfs"

enum source { STAT, MEMINFO, DISKSTATS, NET_DEV, MOUNTINFO, SOURCES };

static const struct {
	const char *path, *what;
} sources[SOURCES] = {
    [STAT] = {"proc/stat", "CPU time"},
    [MEMINFO] = {"proc/meminfo", "memory"},
    [DISKSTATS] = {"proc/diskstats", "disk I/O"},
    [NET_DEV] = {"proc/net/dev", "network traffic"},
    [MOUNTINFO] = {"proc/self/mountinfo", "disk space"},
};

struct machine {
	const struct root *r;
	struct root_file file[SOURCES];
	int failed[SOURCES]; /* errno of the last reading, or 0 */
	double tick_s;
	double utime_s, stime_s, iowait_s, steal_s, irq_s; /* as told last */
	int proc;                                          /* directory, or -1 */
	long links;       /* links of /proc that are no process; -1: not known, count */
	unsigned counted; /* readings since links was found */
	struct pressure pressure;
	struct disk disk;
	struct net net;
	struct mounts mounts;
	bool mounts_known;
	char text[TEXT_MAX];
};

struct machine *machine_open(const struct root *r, struct err *e)
{
	struct machine *s = calloc(1, sizeof *s);

	if (!s) {
		err_set(e, "no memory for the system's counters");
		return NULL;
	}
	s->r = r;
	s->tick_s = 1 / (double)sysconf(_SC_CLK_TCK);
	s->links = -1;
	s->proc = root_openat(r, "proc");
	for (size_t i = 0; i < SOURCES; i++)
		root_file_open(&s->file[i], r, sources[i].path);
	pressure_open(&s->pressure, r);
	return s;
}

void machine_close(struct machine *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < SOURCES; i++)
		root_file_close(&s->file[i]);
	pressure_close(&s->pressure);
	if (s->proc >= 0)
		close(s->proc);
	free(s);
}

/* Takes down whether a source could be read, and hands its length on. */
static bool got(struct machine *s, enum source i, long n)
{
	s->failed[i] = n < 0 ? errno : 0;
	return n >= 0;
}

static bool understood(struct machine *s, enum source i, int rc)
{
	if (rc < 0)
		s->failed[i] = EBADMSG;
	return rc == 0;
}

static double at_least(double *last, double now)
{
	if (now > *last)
		*last = now;
	return *last;
}

static void read_cpu(struct machine *s, struct machine_counters *out)
{
	struct procstat_cpu cpu;
	/* The first line is all that is wanted of it. */
	long n = root_file_head(&s->file[STAT], s->text, 1024);

	if (!got(s, STAT, n) || !understood(s, STAT, procstat_parse(s->text, (size_t)n, &cpu)))
		return;
	out->utime_s = at_least(&s->utime_s, ((double)cpu.user + (double)cpu.nice) * s->tick_s);
	out->stime_s = at_least(&s->stime_s, (double)cpu.system * s->tick_s);
	/* The kernel's own iowait falls at times. */
	out->iowait_s = at_least(&s->iowait_s, (double)cpu.iowait * s->tick_s);
	out->steal_s = at_least(&s->steal_s, (double)cpu.steal * s->tick_s);
	out->irq_s = at_least(&s->irq_s, ((double)cpu.irq + (double)cpu.softirq) * s->tick_s);
}

static double or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

static void read_memory(struct machine *s, struct machine_counters *out)
{
	struct meminfo m;
	long n = root_file_head(&s->file[MEMINFO], s->text, 16384);

	if (!got(s, MEMINFO, n) || !understood(s, MEMINFO, meminfo_parse(s->text, (size_t)n, &m)))
		return;
	out->mem_total_b = m.total_b;
	out->mem_free_b = m.free_b;
	out->buffers_b = m.buffers_b;
	out->cached_b = m.cached_b + or_zero(m.sreclaimable_b);
	out->active_b = m.active_b;
	out->inactive_b = m.inactive_b;
	out->swap_used_b = m.swap_total_b > m.swap_free_b          ? m.swap_total_b - m.swap_free_b
	                   : isnan(m.swap_total_b - m.swap_free_b) ? NAN
	                                                           : 0;
	out->mem_available_b = isnan(m.available_b)
	                           ? m.free_b + or_zero(m.buffers_b) + or_zero(out->cached_b)
	                           : m.available_b;
}

static void read_pressure(struct machine *s, struct machine_counters *out)
{
	struct pressure_values v;

	pressure_read(&s->pressure, &v);
	out->psi_cpu_some_s = v.total[PRESSURE_CPU].some_s;
	out->psi_memory_some_s = v.total[PRESSURE_MEMORY].some_s;
	out->psi_memory_full_s = v.total[PRESSURE_MEMORY].full_s;
	out->psi_io_some_s = v.total[PRESSURE_IO].some_s;
	out->psi_io_full_s = v.total[PRESSURE_IO].full_s;
	out->load1 = v.load1;
}

static void read_disk(struct machine *s, struct machine_counters *out)
{
	long n = root_file_lines(&s->file[DISKSTATS], s->text, TEXT_MAX);

	if (!got(s, DISKSTATS, n))
		return;
	/* An empty list is a machine without disks: nothing was read, and nothing went wrong. */
	disk_update(&s->disk, s->text, (size_t)n, disk_judge_sysfs, s->r);
	out->disk_read_b = s->disk.read_b;
	out->disk_write_b = s->disk.write_b;
}

static void read_net(struct machine *s, struct machine_counters *out)
{
	long n = root_file_lines(&s->file[NET_DEV], s->text, TEXT_MAX);

	if (!got(s, NET_DEV, n) || !understood(s, NET_DEV, net_update(&s->net, s->text, (size_t)n)))
		return;
	out->net_recv_b = s->net.recv_b;
	out->net_sent_b = s->net.sent_b;
}

/* The kernel marks the file when a mount came or went; a captured one does not change. */
static bool mounts_changed(struct machine *s)
{
	struct pollfd p = {.fd = s->file[MOUNTINFO].fd, .events = POLLPRI};

	if (!s->mounts_known || s->r->scarce)
		return true;
	return !s->r->replayed && poll(&p, 1, 0) > 0;
}

static bool list_mounts(struct machine *s)
{
	long n = root_file_read(&s->file[MOUNTINFO], s->text, TEXT_MAX);

	if (n < 0 && errno == EFBIG)
		n = (long)strlen(s->text);
	if (!got(s, MOUNTINFO, n))
		return false;
	mounts_list(&s->mounts, s->text, (size_t)n, s->r->replayed ? NULL : mounts_check_stat,
	            NULL);
	s->mounts_known = true;
	return true;
}

static void read_space(struct machine *s, struct machine_counters *out)
{
	struct mounts_space space;
	long n;
	int rc;

	if (mounts_changed(s) && !list_mounts(s))
		return;
	if (s->r->replayed) {
		n = root_read(s->r, STATVFS_TEXT, s->text, TEXT_MAX);
		if (!got(s, MOUNTINFO, n))
			return;
		rc = mounts_space_text(&s->mounts, s->text, (size_t)n, &space);
	} else {
		rc = mounts_space(&s->mounts, &space);
	}
	/* No file system that counts: a machine without storage of its own. */
	if (rc < 0)
		space = (struct mounts_space){0};
	out->space_total_b = space.total_b;
	out->space_used_b = space.used_b;
	out->space_free_b = space.free_b;
}

/* Counts by listing, and learns whether the link count of /proc may be used: it is 2, and one for
 * each directory, and one for each process of the whole machine, which in a pid namespace or behind
 * hidepid are not those that are listed. */
static double count_processes(struct machine *s)
{
	struct stat before, after;
	long dirs, n;
	bool still;

	if (fstat(s->proc, &before) < 0)
		return NAN;
	n = proc_pid_count(s->proc, &dirs);
	if (n < 0 || fstat(s->proc, &after) < 0)
		return NAN;
	still = before.st_nlink == after.st_nlink;
	if (!s->r->replayed && still && (long)before.st_nlink - n == 2 + dirs)
		s->links = 2 + dirs;
	else if (still)
		s->links = -1;
	s->counted = 0;
	return (double)n;
}

static void read_processes(struct machine *s, struct machine_counters *out)
{
	struct stat st;

	if (s->proc < 0)
		return;
	if (s->links < 0 || ++s->counted >= RECOUNT || fstat(s->proc, &st) < 0)
		out->processes = count_processes(s);
	else
		out->processes = (double)((long)st.st_nlink - s->links);
}

void machine_read(struct machine *s, struct machine_counters *out)
{
	double *cell = (double *)(void *)out;

	for (size_t i = 0; i < sizeof *out / sizeof *cell; i++)
		cell[i] = NAN;
	read_cpu(s, out);
	read_memory(s, out);
	read_pressure(s, out);
	read_disk(s, out);
	read_net(s, out);
	read_space(s, out);
	read_processes(s, out);
}

void machine_notes(const struct machine *s, struct snapshot *snapshot)
{
	const struct mounts *m = &s->mounts;

	for (size_t i = 0; i < SOURCES; i++)
		if (s->failed[i])
			snapshot_note(
			    snapshot, "The machine's %s is not known: /%s: %s.", sources[i].what,
			    i == MOUNTINFO && s->mounts_known ? STATVFS_TEXT : sources[i].path,
			    s->failed[i] == EBADMSG ? "not in the kernel's form"
						    : strerror(s->failed[i]));
	if (s->pressure.failed)
		snapshot_note(snapshot, "The machine's pressure (PSI) is not known: %s.",
		              strerror(s->pressure.failed));
	if (s->pressure.load_failed)
		snapshot_note(snapshot, "The machine's load is not known: %s.",
		              strerror(s->pressure.load_failed));
	if (m->remote)
		snapshot_note(
		    snapshot,
		    "Space on %zu network or FUSE file system%s is not counted (%s): asking "
		    "can block.",
		    m->remote, m->remote == 1 ? "" : "s", m->remote_first);
}
