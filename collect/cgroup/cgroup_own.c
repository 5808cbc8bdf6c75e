/* cgroup_own: a cgroup of its own for the command, where one may be made. */
#include "collect/cgroup/cgroup_own.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collect/cgroup/cgroup_outside.h"
#include "collect/cgroup/cgroup_text.h"
#include "collect/machine/clocks.h"
#include "collect/procfs/scan.h"

#define PREFIX     "rtrack-"
#define REMOVE_NS  200000000 /* time to remove it: a dying process leaves it a little late */
#define TEXT_MAX   16384
#define STALE_MAX  64 /* of killed collectors, removed in one go */
#define NAMES_MAX  32 /* that one collector tries */
#define NAME_SIZE  64
#define NESTED_MAX 8 /* levels of cgroups that the command made in it and left behind */

/* struct clone_args up to .cgroup (Linux 5.7): an older kernel may refuse a longer one. */
#define CLONE_ARGS_SIZE 88

enum part { V2, CPUACCT, MEMORY, PARTS };

struct own_dir {
	bool here;
	int parent, dir; /* directories */
	int tasks;       /* v1: where the child writes itself */
	char name[NAME_SIZE];
};

struct cgroup_own {
	const struct root *r;
	const struct cgroup *where;
	bool enabled;
	struct own_dir made[PARTS];
	int why[PARTS]; /* errno if it could not be made; 0: it was made, or not tried */
	bool with_cpu;  /* cpuacct is mounted together with cpu */
	bool flat;      /* memory.use_hierarchy is off */
	uint64_t space; /* the inode of our PID namespace; 0: unknown */
};

/* -- making ------------------------------------------------------------------------------------ */

static void close_dir(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void forget_dir(struct own_dir *m)
{
	m->here = false;
	close_dir(&m->parent);
	close_dir(&m->dir);
	close_dir(&m->tasks);
}

struct stale_sweep {
	int parent;
	int left; /* directories that may still be removed */
	uint64_t space;
};

/* Whether the collector that a directory is named after may be alive. In another PID namespace its
 * PID means nothing here, so the answer is no, and the lock decides: see remove_stale. */
static bool may_be_alive(const struct stale_sweep *s, struct scan name)
{
	uint64_t space;
	int pid;

	if (!scan_int(&name, &pid) || pid <= 0)
		return true; /* another program made it */
	if (scan_literal(&name, "-") && (!scan_u64(&name, &space) || space != s->space))
		return false;
	return kill(pid, 0) == 0 || errno != ESRCH;
}

/* Removes a directory that a killed collector left behind. A live collector of any namespace holds
 * a lock on its own. */
static int remove_stale(void *ctx, const char *name, bool is_dir)
{
	struct stale_sweep *s = ctx;
	struct scan rest = scan_text(name, strlen(name));
	int fd;

	if (!is_dir || !scan_literal(&rest, PREFIX) || may_be_alive(s, rest))
		return 0;
	fd = openat(s->parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		(void)unlinkat(s->parent, name, AT_REMOVEDIR);
	close(fd);
	return --s->left <= 0;
}

/* Opens and locks the new directory. EAGAIN: before the lock was taken, a collector that starts at
 * the same time took it for a stale one, and has removed it or is about to. */
static int lock_dir(struct own_dir *m, bool v2)
{
	struct stat held, named;

	m->dir = openat(m->parent, m->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (m->dir < 0)
		return errno == ENOENT ? EAGAIN : errno;
	if (flock(m->dir, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return EAGAIN;
	if (fstat(m->dir, &held) == 0 &&
	    (fstatat(m->parent, m->name, &named, AT_SYMLINK_NOFOLLOW) ||
	     named.st_ino != held.st_ino))
		return EAGAIN;
	if (!v2)
		m->tasks = openat(m->dir, "tasks", O_WRONLY | O_CLOEXEC);
	return v2 || m->tasks >= 0 ? 0 : errno;
}

static void sweep_beside(const struct cgroup_own *o, const struct own_dir *m)
{
	struct stale_sweep sweep = {m->parent, STALE_MAX, o->space};

	if (m->parent >= 0)
		(void)root_list_fd(m->parent, remove_stale, &sweep);
}

static int make_dir_in(const struct cgroup_own *o, struct own_dir *m, bool v2)
{
	int err = EEXIST;

	for (int i = 1; i <= NAMES_MAX && (err == EEXIST || err == EAGAIN); i++) {
		snprintf(m->name, sizeof m->name, PREFIX "%d-%" PRIu64 ".%d", getpid(), o->space,
		         i);
		if (i == 1)
			*strrchr(m->name, '.') = '\0';
		err = mkdirat(m->parent, m->name, 0755) ? errno : lock_dir(m, v2);
		if (err)
			close_dir(&m->dir);
		/* Also where there are as many cgroups as may be. */
		if (err == EAGAIN)
			sweep_beside(o, m);
		if (err && err != EEXIST && err != EAGAIN)
			(void)unlinkat(m->parent, m->name, AT_REMOVEDIR);
	}
	return err;
}

static uint64_t pid_namespace(const struct root *r)
{
	int fd = root_openat(r, "proc/self/ns/pid");
	struct stat st;
	uint64_t space = fd >= 0 && fstat(fd, &st) == 0 ? st.st_ino : 0;

	if (fd >= 0)
		close(fd);
	return space;
}

static void make_part(struct cgroup_own *o, enum part part, enum cgroup_kind kind)
{
	struct own_dir *m = &o->made[part];
	const struct cgroup_dir *d = &o->where->v[kind];

	if (!d->known)
		return;
	m->parent = root_openat(o->r, d->path);
	o->why[part] = m->parent < 0 ? errno : make_dir_in(o, m, part == V2);
	m->here = o->why[part] == 0;
	if (!m->here)
		forget_dir(m);
}

/* Where cpuacct and cpu are one hierarchy, none is made: in cpu a new cgroup competes with its
 * siblings as one unit of cpu.shares, so the command would be scheduled differently. */
static void make_cpuacct(struct cgroup_own *o)
{
	const struct cgroup_dir *cpu = &o->where->v[CGROUP_CPU];
	const struct cgroup_dir *acct = &o->where->v[CGROUP_CPUACCT];

	o->with_cpu = cpu->known && acct->known && strcmp(cpu->path, acct->path) == 0;
	if (!o->with_cpu)
		make_part(o, CPUACCT, CGROUP_CPUACCT);
}

/* Before Linux 5.11, limits hold for child cgroups only if memory.use_hierarchy is on. If it is
 * off, the command would escape its limit. The root has no limit to escape. Slurm counts the OOM
 * kills of its own cgroups only: in one below it would not see that a step ran out of memory. */
static void make_memory(struct cgroup_own *o)
{
	const struct cgroup_dir *d = &o->where->v[CGROUP_MEMORY];
	char text[64];
	long n;

	if (!d->known || cgroup_outside_step(d->path))
		return;
	n = cgroup_read(o->r, d, strlen(d->path), "memory.use_hierarchy", text, sizeof text);
	o->flat = n > 0 && cgroup_text_number(text, (size_t)n) == 0 && !cgroup_is_machine(d);
	if (!o->flat)
		make_part(o, MEMORY, CGROUP_MEMORY);
}

struct cgroup_own *cgroup_own_open(const struct root *r, const struct cgroup *where, bool enabled,
                                   struct err *e)
{
	struct cgroup_own *o = calloc(1, sizeof *o);

	if (!o) {
		err_set(e, "no memory for a cgroup");
		return NULL;
	}
	o->r = r;
	o->where = where;
	o->enabled = enabled && !r->replayed;
	for (int i = 0; i < PARTS; i++)
		o->made[i] = (struct own_dir){.parent = -1, .dir = -1, .tasks = -1};
	if (!o->enabled)
		return o;
	o->space = pid_namespace(r);
	make_part(o, V2, CGROUP_V2);
	if (!o->made[V2].here)
		make_cpuacct(o);
	make_memory(o);
	return o;
}

void cgroup_own_sweep(const struct cgroup_own *o)
{
	for (int i = 0; o && i < PARTS; i++)
		sweep_beside(o, &o->made[i]);
}

/* -- entering ---------------------------------------------------------------------------------- */

/* Runs in the child, which has one thread. "0" means the thread that writes. */
static void join_v1(const struct cgroup_own *o)
{
	for (int i = 0; i < PARTS; i++)
		while (o->made[i].tasks >= 0 && write(o->made[i].tasks, "0", 1) < 0 &&
		       errno == EINTR)
			;
}

int cgroup_own_fork(struct cgroup_own *o)
{
	long pid = -1;

	if (o && o->made[V2].here) {
		struct clone_args args = {.flags = CLONE_INTO_CGROUP,
		                          .exit_signal = SIGCHLD,
		                          .cgroup = (unsigned)o->made[V2].dir};

		pid = syscall(SYS_clone3, &args, (size_t)CLONE_ARGS_SIZE);
		if (pid < 0) {
			o->why[V2] = errno;
			(void)unlinkat(o->made[V2].parent, o->made[V2].name, AT_REMOVEDIR);
			forget_dir(&o->made[V2]);
			make_cpuacct(o);
		}
	}
	if (pid < 0)
		pid = fork();
	if (pid == 0 && o)
		join_v1(o);
	return (int)pid;
}

void cgroup_own_read(const struct cgroup_own *o, struct snapshot_totals *out)
{
	struct cgroup_usage_files f = {.memory = -1};

	*out = cgroup_usage_none();
	if (!o)
		return;
	f.r = o->r;
	f.v2 = o->made[V2].dir;
	f.cpuacct = o->made[CPUACCT].dir;
	f.memory = cgroup_own_memory(o, &f.memory_is_v2);
	cgroup_usage_read(&f, out);
}

bool cgroup_own_has_cpu(const struct cgroup_own *o)
{
	return o && (o->made[V2].here || o->made[CPUACCT].here);
}

int cgroup_own_v2(const struct cgroup_own *o)
{
	return o && o->made[V2].here ? o->made[V2].dir : -1;
}

int cgroup_own_memory(const struct cgroup_own *o, bool *v2)
{
	*v2 = o && !o->made[MEMORY].here;
	if (!o)
		return -1;
	if (!*v2)
		return o->made[MEMORY].dir;
	/* Ours has the memory controller only if the parent's cgroup.subtree_control enables it. */
	if (o->made[V2].here && faccessat(o->made[V2].dir, "memory.current", R_OK, 0) == 0)
		return o->made[V2].dir;
	return -1;
}

/* -- notes ------------------------------------------------------------------------------------- */

void cgroup_own_notes(const struct cgroup_own *o, struct snapshot *s)
{
	const char *text = "none is mounted";
	int why;

	if (!o || !o->enabled || cgroup_own_has_cpu(o))
		return;
	why = o->why[CPUACCT] ? o->why[CPUACCT] : o->why[V2];
	if (o->with_cpu)
		text = "cpuacct is mounted together with cpu";
	else if (why)
		text = strerror(why);
	snapshot_note(s,
	              "No cgroup of its own could be made for the command (%s): CPU time of "
	              "processes whose parent ignores SIGCHLD may be missing.",
	              text);
}

/* -- removing ---------------------------------------------------------------------------------- */

/* Moves the processes that are still in dir to the cgroup where they would have run without us. */
static void move_back(const struct own_dir *m, int64_t until)
{
	int to = openat(m->parent, "cgroup.procs", O_WRONLY | O_CLOEXEC);
	char text[TEXT_MAX], pid[16];
	struct scan s, line;

	if (to < 0)
		return;
	(void)root_take_fd(root_open_in(m->dir, "cgroup.procs"), text, sizeof text);
	s = scan_text(text, strlen(text));
	while (clocks_now(CLOCK_MONOTONIC) < until && scan_line(&s, &line))
		if (line.p < line.end && scan_copy(line, pid, sizeof pid))
			(void)!write(to, pid, strlen(pid));
	close(to);
}

struct nested {
	int dir, depth;
};

/* Removes the cgroups that the command made in it and left behind empty. */
static int remove_nested(void *ctx, const char *name, bool is_dir)
{
	const struct nested *in = ctx;
	struct nested next = {.depth = in->depth + 1};

	if (!is_dir)
		return 0;
	next.dir = openat(in->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (next.dir < 0)
		return 0;
	if (next.depth < NESTED_MAX)
		(void)root_list_fd(next.dir, remove_nested, &next);
	close(next.dir);
	(void)unlinkat(in->dir, name, AT_REMOVEDIR);
	return 0;
}

static void remove_dir(struct own_dir *m)
{
	const struct timespec moment = {.tv_nsec = 2000000};
	struct nested nested = {m->dir, 0};
	int64_t until = clocks_now(CLOCK_MONOTONIC) + REMOVE_NS;

	while (m->here && unlinkat(m->parent, m->name, AT_REMOVEDIR) < 0 && errno == EBUSY &&
	       clocks_now(CLOCK_MONOTONIC) < until) {
		move_back(m, until);
		(void)root_list_fd(m->dir, remove_nested, &nested);
		nanosleep(&moment, NULL);
	}
	forget_dir(m);
}

void cgroup_own_close(struct cgroup_own *o)
{
	if (!o)
		return;
	for (int i = 0; i < PARTS; i++)
		remove_dir(&o->made[i]);
	free(o);
}
