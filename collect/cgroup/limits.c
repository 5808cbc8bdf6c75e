/* limits: what the job may use, which can be less than the machine has. */
#include "collect/cgroup/limits.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "collect/cgroup/cgroup_text.h"
#include "collect/machine/procstat.h"
#include "collect/procfs/scan.h"
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

static double read_quota_v2(struct level *at)
{
	long n = read_level(at, "cpu.max");

	return n < 0 ? NAN : cgroup_text_cpu_max(at->text, (size_t)n);
}

static double read_quota_v1(struct level *at)
{
	double quota = read_level_number(at, "cpu.cfs_quota_us");
	double period = isfinite(quota) ? read_level_number(at, "cpu.cfs_period_us") : NAN;

	return period > 0 ? quota / period : quota;
}

static void take_cpu_level(struct limits *l, struct level *at, bool v2)
{
	double quota = v2 ? read_quota_v2(at) : read_quota_v1(at);

	if (quota > 0 && is_less(quota, l->cpus_quota)) {
		l->cpus_quota = quota;
		l->quota_len = at->len;
	}
}

static void take_memory_v2(struct limits *l, struct level *at)
{
	double v;

	if (is_less(v = read_level_number(at, "memory.max"), l->memory_b))
		l->memory_b = v;
	if (is_less(v = read_level_number(at, "memory.high"), l->memory_high_b))
		l->memory_high_b = v;
	if (is_less(v = read_level_number(at, "memory.swap.max"), l->swap_b))
		l->swap_b = v;
}

/* v1 limits memory and swap together. Until limits_read subtracts, swap_b is that sum. */
static void take_memory_v1(struct limits *l, struct level *at)
{
	double v;

	if (is_less(v = read_level_number(at, "memory.limit_in_bytes"), l->memory_b))
		l->memory_b = v;
	if (is_less(v = read_level_number(at, "memory.memsw.limit_in_bytes"), l->swap_b))
		l->swap_b = v;
}

static void take_memory_level(struct limits *l, struct level *at, bool v2)
{
	if (v2)
		take_memory_v2(l, at);
	else
		take_memory_v1(l, at);
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
	if (v < CGROUP_TEXT_NO_LIMIT && is_less(v, l->memory_b))
		l->memory_b = v;
}

/* On the way up the first cgroup with a list of CPUs decides: a cgroup without one of its own uses
 * its parent's, and one with a list has only CPUs of its parent's. The effective list comes first:
 * it leaves out CPUs that are offline or that the parent lost. */
static void take_cpuset_level(struct limits *l, struct level *at, bool v2)
{
	static const char *const files[2][2] = {{"cpuset.effective_cpus", "cpuset.cpus"},
	                                        {"cpuset.cpus.effective", "cpuset.cpus"}};

	for (int i = 0; i < 2 && isnan(l->cpus_cpuset); i++) {
		long n = read_level(at, files[v2][i]);

		if (n > 0)
			l->cpus_cpuset = scan_list(at->text, (size_t)n);
	}
}

static bool walk_up(struct limits *l, const struct root *r, const struct cgroup *where,
                    enum cgroup_kind kind, void (*each)(struct limits *, struct level *, bool))
{
	bool v2;
	struct level at = {.r = r, .dir = cgroup_of(where, kind, &v2)};

	if (!at.dir)
		return false;
	l->hidden |= !at.dir->mount_is_root || !at.dir->known;
	if (kind == CGROUP_MEMORY && !v2) {
		at.len = strlen(at.dir->path);
		take_hierarchical_memory(l, &at);
	}
	for (at.len = strlen(at.dir->path); at.len; at.len = cgroup_parent(at.dir, at.len))
		each(l, &at, v2);
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
	} sources[] = {{l->cpus_online, "online CPUs"},
	               {l->cpus_affinity, "sched_getaffinity"},
	               {l->cpus_cpuset, "cpuset"},
	               {l->cpus_quota, v2 ? "cpu.max" : "cpu.cfs_quota_us"}};

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (is_less(sources[i].cpus, l->cpus)) {
			l->cpus = sources[i].cpus;
			l->cpu_from = sources[i].from;
		}
}

void limits_read(struct limits *l, const struct root *r, const struct cgroup *where, int pid)
{
	bool cpu_v2, memory_is_v2;

	*l = (struct limits){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NULL, NULL, false, 0};
	cpu_v2 = walk_up(l, r, where, CGROUP_CPU, take_cpu_level);
	memory_is_v2 = walk_up(l, r, where, CGROUP_MEMORY, take_memory_level);
	walk_up(l, r, where, CGROUP_CPUSET, take_cpuset_level);
	/* A limit on the sum of memory and swap limits swap only together with a memory limit. */
	if (!memory_is_v2 && isfinite(l->swap_b))
		l->swap_b = l->swap_b > l->memory_b ? l->swap_b - l->memory_b
		            : isfinite(l->memory_b) ? 0
		                                    : NAN;
	if (isfinite(l->memory_b))
		l->memory_from = memory_is_v2 ? "memory.max" : "memory.limit_in_bytes";
	l->as_b = read_address_space(r, pid);
	l->cpus_online = count_online_cpus(r);
	if (!r->replayed)
		l->cpus_affinity = count_affinity_cpus(pid);
	set_least_cpus(l, cpu_v2);
}

void limits_write(const struct limits *l, struct json_write *j)
{
	snapshot_fields_object(j, SNAPSHOT_LIMITS, SCHEMA_1,
	                       &(struct snapshot_limits){
				   .cpus = l->cpus,
				   .cpus_from = l->cpu_from,
				   .cpus_quota = l->cpus_quota,
				   .cpus_cpuset = l->cpus_cpuset,
				   .cpus_affinity = l->cpus_affinity,
				   .cpus_online = l->cpus_online,
				   .memory_b = l->memory_b,
				   .memory_from = l->memory_from,
				   .memory_high_b = l->memory_high_b,
				   .swap_b = l->swap_b,
				   .address_space_b = l->as_b,
				   .hidden = l->hidden,
			       });
}

void limits_notes(const struct limits *l, struct snapshot *s)
{
	if (l->hidden)
		snapshot_note(s, "Limits of cgroups outside of the container cannot be seen, and "
		                 "are not included in the limits.");
}
