/* limits: what the job may use, which can be less than the machine has. */
#include "collect/cgroup/limits.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/cgroup/cgroup_text.h"
#include "collect/machine/procstat.h"
#include "collect/procfs/scan.h"
#include "core/base/larger.h"
#include "core/recording/snapshot_fields.h"

#define AFFINITY_CPUS 8192 /* the most that Linux is built for */

static bool is_less(double v, double than)
{
	return isfinite(v) && (isnan(than) || v < than);
}

/* -- from the own cgroup up -------------------------------------------------------------------- */

/* One cgroup on the way up: the first len bytes of dir->path. */
struct level {
	const struct root *r;
	const struct cgroup_dir *dir;
	size_t len;
	char text[16384];
};

static long read_level(struct level *at, const char *file)
{
	return cgroup_read(at->r, at->dir, at->len, file, at->text, sizeof at->text);
}

static double read_level_number(struct level *at, const char *file)
{
	long n = read_level(at, file);

	return n < 0 ? NAN : cgroup_text_number(at->text, (size_t)n);
}

static void take_cpu_level(struct limits *l, struct level *at, bool v2)
{
	double quota = NAN, period;
	long n;

	if (v2) {
		n = read_level(at, "cpu.max");
		if (n >= 0)
			quota = cgroup_text_cpu_max(at->text, (size_t)n);
	} else {
		quota = read_level_number(at, "cpu.cfs_quota_us");
		period = isfinite(quota) ? read_level_number(at, "cpu.cfs_period_us") : NAN;
		if (period > 0)
			quota /= period;
	}
	if (quota > 0 && is_less(quota, l->of.cpus_quota)) {
		l->of.cpus_quota = quota;
		l->quota_len = at->len;
	}
}

static void take_least(struct level *at, const char *file, double *least)
{
	double v = read_level_number(at, file);

	if (is_less(v, *least))
		*least = v;
}

/* v1 limits memory and swap together. Until limits_read subtracts, swap_b is that sum. */
static void take_memory_level(struct limits *l, struct level *at, bool v2)
{
	take_least(at, v2 ? "memory.max" : "memory.limit_in_bytes", &l->of.memory_b);
	take_least(at, v2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes", &l->of.swap_b);
	if (v2)
		take_least(at, "memory.high", &l->of.memory_high_b);
}

/* v1 gives the least memory limit of the cgroup and all its ancestors in the cgroup's own
 * memory.stat, so this includes ancestors that a container hides. v2 has no such number. */
static void take_hierarchical_memory(struct limits *l, struct level *at)
{
	long n = read_level(at, "memory.stat");
	double v;

	if (n < 0)
		return;
	v = cgroup_text_key(at->text, (size_t)n, "hierarchical_memory_limit");
	if (v < CGROUP_TEXT_NO_LIMIT && is_less(v, l->of.memory_b))
		l->of.memory_b = v;
}

/* On the way up the first cgroup with a list of CPUs decides: a cgroup without one of its own uses
 * its parent's, and one with a list has only CPUs of its parent's. The effective list comes first:
 * it leaves out CPUs that are offline or that the parent lost. */
static void take_cpuset_level(struct limits *l, struct level *at, bool v2)
{
	static const char *const files[2][2] = {{"cpuset.effective_cpus", "cpuset.cpus"},
	                                        {"cpuset.cpus.effective", "cpuset.cpus"}};

	for (int i = 0; i < 2 && isnan(l->of.cpus_cpuset); i++) {
		long n = read_level(at, files[v2][i]);

		if (n > 0)
			l->of.cpus_cpuset = scan_list(at->text, (size_t)n);
	}
}

static bool is_there(const struct root *r, const struct cgroup_dir *d)
{
	int fd = root_openat(r, d->path);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != ENOENT;
}

/* Returns whether it is v2. Where the cgroup of another process is gone, its limit is unknown, and
 * those above it are not the job's: a scheduler removes that of a short step. */
static bool walk_up(struct limits *l, const struct root *r, const struct cgroup *where, int pid,
                    enum cgroup_kind kind, void (*each)(struct limits *, struct level *, bool))
{
	const struct limits before = *l;
	bool v2;
	struct level at = {.r = r, .dir = cgroup_of(where, kind, &v2)};

	if (!at.dir)
		return false;
	l->of.hidden |= !at.dir->mount_is_root || !at.dir->known;
	if (kind == CGROUP_MEMORY && !v2) {
		at.len = strlen(at.dir->path);
		take_hierarchical_memory(l, &at);
	}
	for (at.len = strlen(at.dir->path); at.len; at.len = cgroup_parent(at.dir, at.len))
		each(l, &at, v2);
	if (pid > 0 && at.dir->known && !is_there(r, at.dir))
		*l = before;
	return v2;
}

/* -- other limits ------------------------------------------------------------------------------ */

static double count_affinity_cpus(int pid)
{
	cpu_set_t *set = CPU_ALLOC(AFFINITY_CPUS);
	size_t size = CPU_ALLOC_SIZE(AFFINITY_CPUS);
	double n = NAN;

	if (set && sched_getaffinity(pid, size, set) == 0)
		n = CPU_COUNT_S(size, set);
	CPU_FREE(set);
	return n;
}

static double count_online_cpus(const struct root *r)
{
	char text[16384];
	long n = root_read(r, "sys/devices/system/cpu/online", text, sizeof text);

	if (n > 0)
		return scan_list(text, (size_t)n);
	n = root_read(r, "proc/stat", text, sizeof text);
	n = procstat_cpus(text, n > 0 ? (size_t)n : strlen(text));
	return n > 0 ? (double)n : NAN;
}

double limits_parse_as(const char *text, size_t n)
{
	struct scan s = scan_text(text, n), line;
	uint64_t v;

	while (scan_line(&s, &line)) {
		if (!scan_literal(&line, "Max address space"))
			continue;
		scan_blanks(&line);
		if (scan_literal(&line, "unlimited"))
			return INFINITY;
		return scan_u64(&line, &v) ? (double)v : NAN;
	}
	return NAN;
}

static double read_address_space(const struct root *r, int pid)
{
	char path[64] = "proc/self/limits", text[4096];
	double v;
	long n;

	if (pid > 0)
		snprintf(path, sizeof path, "proc/%d/limits", pid);
	n = root_read(r, path, text, sizeof text);
	v = n > 0 ? limits_parse_as(text, (size_t)n) : NAN;
	return isfinite(v) ? v : NAN;
}

/* -- all --------------------------------------------------------------------------------------- */

static void set_least_cpus(struct limits *l, bool v2)
{
	const struct {
		double cpus;
		const char *from;
	} sources[] = {{l->of.cpus_online, "online CPUs"},
	               {l->of.cpus_affinity, "sched_getaffinity"},
	               {l->of.cpus_cpuset, "cpuset"},
	               {l->of.cpus_quota, v2 ? "cpu.max" : "cpu.cfs_quota_us"}};

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (is_less(sources[i].cpus, l->of.cpus)) {
			l->of.cpus = sources[i].cpus;
			l->of.cpus_from = sources[i].from;
		}
}

void limits_read_quota(struct limits *l, const struct root *r, const struct cgroup *where, int pid)
{
	bool v2;

	l->of.cpus_quota = NAN;
	l->quota_len = 0;
	v2 = walk_up(l, r, where, pid, CGROUP_CPU, take_cpu_level);
	set_least_cpus(l, v2);
}

void limits_read(struct limits *l, const struct root *r, const struct cgroup *where, int pid)
{
	bool cpu_v2, memory_is_v2;

	*l = (struct limits){.of = {.known = true,
	                            .cpus = NAN,
	                            .cpus_quota = NAN,
	                            .cpus_cpuset = NAN,
	                            .cpus_affinity = NAN,
	                            .memory_b = NAN,
	                            .memory_high_b = NAN,
	                            .swap_b = NAN}};
	cpu_v2 = walk_up(l, r, where, pid, CGROUP_CPU, take_cpu_level);
	memory_is_v2 = walk_up(l, r, where, pid, CGROUP_MEMORY, take_memory_level);
	walk_up(l, r, where, pid, CGROUP_CPUSET, take_cpuset_level);
	/* A limit on the sum of memory and swap limits swap only together with a memory limit. */
	if (!memory_is_v2 && isfinite(l->of.swap_b))
		l->of.swap_b =
		    isfinite(l->of.memory_b) ? larger(l->of.swap_b - l->of.memory_b, 0) : NAN;
	if (isfinite(l->of.memory_b))
		l->of.memory_from = memory_is_v2 ? "memory.max" : "memory.limit_in_bytes";
	l->of.address_space_b = read_address_space(r, pid);
	l->of.cpus_online = count_online_cpus(r);
	if (!r->replayed)
		l->of.cpus_affinity = count_affinity_cpus(pid);
	set_least_cpus(l, cpu_v2);
}

void limits_write(const struct limits *l, struct json_write *j)
{
	snapshot_fields_object(j, SNAPSHOT_LIMITS, SCHEMA_1, &l->of);
}

void limits_notes(const struct limits *l, struct snapshot *s)
{
	if (l->of.hidden)
		snapshot_note(s, "Limits of cgroups outside of the container cannot be seen, and "
		                 "are not included in the limits.");
}
