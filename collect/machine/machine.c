/* machine: reads all metrics of the machine. */
#include "collect/machine/machine.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
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

#define TEXT_MAX     ((size_t)1 << 20) /* for the longest file; untouched pages cost nothing */
#define RECOUNT      1024  /* readings until /proc is listed again, to check its link count */
#define STAT_TEXT    65536 /* the lines of 512 CPUs and more */
#define STATVFS_TEXT "proc/rtrack-statvfs"
#define NS_NAME      40 /* "net:[4026531840]" */

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

/* A column is the sum of one or two numbers of the "cpu" line of /proc/stat. */
static const struct {
	enum metric_id id;
	enum procstat_cpu number, other; /* PROCSTAT_CPU_COUNT: no other */
} cpu_columns[] = {
    {METRIC_SYSTEM_UTIME, PROCSTAT_USER, PROCSTAT_NICE},
    {METRIC_SYSTEM_STIME, PROCSTAT_SYSTEM, PROCSTAT_CPU_COUNT},
    {METRIC_SYSTEM_CPU_IOWAIT, PROCSTAT_IOWAIT, PROCSTAT_CPU_COUNT},
    {METRIC_SYSTEM_CPU_STEAL, PROCSTAT_STEAL, PROCSTAT_CPU_COUNT},
    {METRIC_SYSTEM_CPU_IRQ, PROCSTAT_IRQ, PROCSTAT_SOFTIRQ},
};

#define CPU_COLUMNS (sizeof cpu_columns / sizeof *cpu_columns)

struct machine {
	const struct root *r;
	bool opened; /* the files, by the first reading */
	struct root_file file[SOURCES];
	int failed[SOURCES]; /* errno of the last reading, or 0 */
	double tick_s;
	enum schema schema;
	double cpu_s[CPU_COLUMNS]; /* the highest sums so far */
	int proc;                  /* the directory, or -1 */
	long links;       /* of /proc, those of processes left out; -1: not known, list /proc */
	unsigned counted; /* readings since links was set */
	struct pressure pressure;
	struct disk disk;
	struct net net;
	char own_net[NS_NAME]; /* its network namespace; "": not known */
	int job;               /* a process of the job; 0: none */
	bool job_elsewhere;    /* it was seen in another network namespace */
	struct mounts mounts;
	bool mounts_known;
	struct devices *devices;   /* NULL: only sums are kept */
	struct devices of_details; /* what it points to; untouched pages cost nothing here, too */
	char text[TEXT_MAX];
};

struct machine *machine_open(const struct root *r, enum schema schema, struct err *e)
{
	struct machine *s = calloc(1, sizeof *s);

	if (!s) {
		err_set(e, "no memory to read the machine");
		return NULL;
	}
	s->r = r;
	s->schema = schema;
	s->tick_s = 1 / (double)sysconf(_SC_CLK_TCK);
	s->links = -1;
	s->proc = -1;
	return s;
}

static void open_files(struct machine *s)
{
	s->opened = true;
	s->proc = root_openat(s->r, "proc");
	for (size_t i = 0; i < SOURCES; i++)
		root_file_open(&s->file[i], s->r, sources[i].path);
	pressure_open(&s->pressure, s->r);
	if (root_link(s->r, "proc/self/ns/net", s->own_net, sizeof s->own_net) < 0)
		*s->own_net = '\0';
}

void machine_since_boot(struct machine *s)
{
	s->disk.since_boot = s->net.since_boot = true;
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

/* Notes whether the source could be read: n is the length of its text, or below 0 with errno. */
static bool note_read(struct machine *s, enum source i, long n)
{
	s->failed[i] = n < 0 ? errno : 0;
	return n >= 0;
}

static bool note_parsed(struct machine *s, enum source i, bool parsed)
{
	if (!parsed)
		s->failed[i] = EBADMSG;
	return parsed;
}

static void keep_cpu(void *ctx, const char *number, uint64_t ticks)
{
	struct machine *s = ctx;

	devices_set(s->devices, DETAIL_CPU, number, (double)ticks * s->tick_s, NAN);
}

static void read_stat(struct machine *s, double *values)
{
	uint64_t ticks[PROCSTAT_CPU_COUNT + 1] = {0}, all = 0;
	/* The "cpu" line is the first, those of single CPUs are the next. */
	long n = root_file_head(&s->file[STAT], s->text, s->devices ? STAT_TEXT : 1024);

	if (!note_read(s, STAT, n) ||
	    !note_parsed(s, STAT, procstat_parse(s->text, (size_t)n, ticks) == 0))
		return;
	/* gVisor has only zeros. No machine has been up for no time. */
	for (size_t i = 0; i < PROCSTAT_CPU_COUNT; i++)
		all += ticks[i];
	s->failed[STAT] = all ? 0 : ENODATA;
	if (!all)
		return;
	for (size_t i = 0; i < CPU_COLUMNS; i++) {
		double sum =
		    (double)ticks[cpu_columns[i].number] + (double)ticks[cpu_columns[i].other];
		/* The kernel's iowait falls at times (proc_stat(5)). */
		if (sum * s->tick_s > s->cpu_s[i])
			s->cpu_s[i] = sum * s->tick_s;
		values[cpu_columns[i].id] = s->cpu_s[i];
	}
	if (s->devices)
		procstat_each_cpu(s->text, (size_t)n, keep_cpu, s);
}

static void read_meminfo(struct machine *s, double *values)
{
	long n = root_file_head(&s->file[MEMINFO], s->text, 16384);

	if (note_read(s, MEMINFO, n))
		note_parsed(s, MEMINFO,
		            !isnan(meminfo_parse(s->text, (size_t)n, s->schema, values)));
}

static void read_disk(struct machine *s, double *values)
{
	long n = root_file_lines(&s->file[DISKSTATS], s->text, TEXT_MAX);

	if (!note_read(s, DISKSTATS, n))
		return;
	/* An empty file is right: the machine has no disks. */
	disk_update(&s->disk, s->text, (size_t)n, disk_judge_sysfs, s->r);
	values[METRIC_SYSTEM_DISK_READ_BYTES] = s->disk.read_b;
	values[METRIC_SYSTEM_DISK_WRITE_BYTES] = s->disk.write_b;
}

/* It may enter another namespace at any time: unshare(1), ip-netns(8). */
static void look_at_job(struct machine *s)
{
	char path[48], net[NS_NAME];

	if (!s->job || s->job_elsewhere || !*s->own_net)
		return;
	snprintf(path, sizeof path, "proc/%d/ns/net", s->job);
	s->job_elsewhere =
	    root_link(s->r, path, net, sizeof net) > 0 && strcmp(net, s->own_net) != 0;
}

static void read_net(struct machine *s, double *values)
{
	long n = root_file_lines(&s->file[NET_DEV], s->text, TEXT_MAX);

	if (!note_read(s, NET_DEV, n) ||
	    !note_parsed(s, NET_DEV,
	                 net_update(&s->net, s->text, (size_t)n, net_judge_sysfs, s->r) == 0))
		return;
	look_at_job(s);
	if (s->job_elsewhere && !s->net.any_device)
		return;
	values[METRIC_SYSTEM_NET_RECV_BYTES] = s->net.recv_b;
	values[METRIC_SYSTEM_NET_SENT_BYTES] = s->net.sent_b;
}

/* poll(2) reports POLLPRI when the mounts have changed; those of a captured machine never do. */
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
	if (!note_read(s, MOUNTINFO, n))
		return false;
	mounts_list(&s->mounts, s->text, (size_t)n, s->r->replayed ? NULL : mounts_check_stat,
	            NULL);
	s->mounts_known = true;
	return true;
}

static void read_space(struct machine *s, double *values)
{
	struct mounts_space space;
	long n;
	int rc;

	if (mounts_changed(s) && !list_mounts(s))
		return;
	if (s->r->replayed) {
		n = root_read(s->r, STATVFS_TEXT, s->text, TEXT_MAX);
		if (!note_read(s, MOUNTINFO, n))
			return;
		rc = mounts_space_text(&s->mounts, s->text, (size_t)n, &space);
	} else {
		rc = mounts_space(&s->mounts, &space);
	}
	/* No file system counts: the machine has no storage of its own. */
	if (rc < 0)
		space = (struct mounts_space){0};
	values[METRIC_SYSTEM_DISK_SPACE_TOTAL] = space.total_b;
	values[METRIC_SYSTEM_DISK_SPACE_USED] = space.used_b;
	values[METRIC_SYSTEM_DISK_SPACE_FREE] = space.free_b;
}

/* Counts the processes by listing /proc, and checks whether the cheaper link count of /proc may be
 * used instead: it is 2, and 1 for each other directory, and 1 for each process of the whole
 * machine. In a PID namespace or with hidepid, the list is shorter. */
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

static void read_process_count(struct machine *s, double *values)
{
	struct stat st;

	if (s->proc < 0)
		return;
	if (s->links < 0 || ++s->counted >= RECOUNT || fstat(s->proc, &st) < 0)
		values[METRIC_SYSTEM_PROCESSES] = count_processes(s);
	else
		values[METRIC_SYSTEM_PROCESSES] = (double)((long)st.st_nlink - s->links);
}

void machine_read(struct machine *s, double *values)
{
	if (!s->opened)
		open_files(s);
	if (s->devices)
		devices_begin(s->devices);
	for (size_t i = 0; i < METRIC_COUNT; i++)
		values[i] = NAN;
	read_stat(s, values);
	read_meminfo(s, values);
	pressure_read(&s->pressure, values);
	read_disk(s, values);
	read_net(s, values);
	read_space(s, values);
	read_process_count(s, values);
}

void machine_set_job(struct machine *s, int pid)
{
	s->job = pid;
}

void machine_keep_devices(struct machine *s)
{
	double values[METRIC_COUNT], cells[DETAIL_CELLS_MAX];
	struct devices *d = &s->of_details;

	s->devices = s->disk.devices = s->net.devices = s->mounts.devices = d;
	d->room = DETAIL_CELLS_MAX;
	machine_read(s, values);
	devices_end(d, 0, cells);
	/* Room for those that appear later. */
	if (d->used + DETAIL_SPARE < d->room)
		d->room = d->used + DETAIL_SPARE;
}

const struct devices *machine_devices(const struct machine *s)
{
	return s->devices;
}

void machine_read_devices(struct machine *s, int64_t at, double *out)
{
	devices_end(s->devices, at, out);
}

static const char *failure_text(int failed)
{
	if (failed == ENODATA)
		return "only zeros";
	return failed == EBADMSG ? "unknown format" : strerror(failed);
}

void machine_notes(const struct machine *s, struct snapshot *snapshot)
{
	const struct mounts *m = &s->mounts;

	for (size_t i = 0; i < SOURCES; i++)
		if (s->failed[i])
			snapshot_note(
			    snapshot, "The machine's %s is not known: /%s: %s.", sources[i].what,
			    i == MOUNTINFO && s->mounts_known ? STATVFS_TEXT : sources[i].path,
			    failure_text(s->failed[i]));
	if (s->job_elsewhere)
		snapshot_note(snapshot,
		              "The job is in another network namespace than rtrack-collect: %s.",
		              s->net.any_device
		                  ? "its traffic is in the machine's only as far as it passes the "
		                    "machine's own interfaces"
		                  : "the network traffic is not known");
	if (s->pressure.failed)
		snapshot_note(snapshot, "The machine's pressure (PSI) is not known: %s.",
		              failure_text(s->pressure.failed));
	if (s->pressure.load_failed)
		snapshot_note(snapshot, "The machine's load is not known: %s.",
		              failure_text(s->pressure.load_failed));
	for (int kind = 0; s->devices && kind < DETAIL_KINDS; kind++)
		if (s->devices->left[kind])
			snapshot_note(snapshot,
			              "%zu of the %s were not recorded by themselves: there was "
			              "no room, or a name was too long.",
			              s->devices->left[kind], detail_kinds[kind].many);
	if (m->remote)
		snapshot_note(
		    snapshot,
		    "Space on %zu network or FUSE file system%s is not counted (%s): asking "
		    "can block.",
		    m->remote, m->remote == 1 ? "" : "s", m->remote_first);
}
