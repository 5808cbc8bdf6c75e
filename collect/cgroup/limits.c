/* limits: what the job may use, which is not what the machine has. */
#include "collect/cgroup/limits.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "collect/cgroup/cgroup_text.h"
#include "collect/machine/procstat.h"
#include "collect/procfs/scan.h"
#include "core/snapshot_fields.h"

#define AFFINITY_CPUS 8192 /* the most that Linux is built for */

static bool less(double v, double than)
{
	return isfinite(v) && (isnan(than) || v < than);
}

/* -- walking up -------------------------------------------------------------------------------- */

struct level {
	const struct root *r;
	const struct cgroup_dir *dir;
	size_t len;
	char text[16384];
};

static long level_read(struct level *at, const char *file)
{
	return cgroup_read(at->r, at->dir, at->len, file, at->text, sizeof at->text);
}

static double level_number(struct level *at, const char *file)
{
	long n = level_read(at, file);

	return n < 0 ? NAN : cgroup_text_number(at->text, (size_t)n);
}

static double quota_v2(struct level *at)
{
	long n = level_read(at, "cpu.max");

	return n < 0 ? NAN : cgroup_text_cpu_max(at->text, (size_t)n);
}

static double quota_v1(struct level *at)
{
	double quota = level_number(at, "cpu.cfs_quota_us");
	double period = isfinite(quota) ? level_number(at, "cpu.cfs_period_us") : NAN;

	return period > 0 ? quota / period : quota;
}

static void cpu_level(struct limits *l, struct level *at, bool v2)
{
	double quota = v2 ? quota_v2(at) : quota_v1(at);

	if (quota > 0 && less(quota, l->cpus_quota)) {
		l->cpus_quota = quota;
		l->quota_len = at->len;
	}
}

static void memory_v2(struct limits *l, struct level *at)
{
	double v;

	if (less(v = level_number(at, "memory.max"), l->memory_b))
		l->memory_b = v;
	if (less(v = level_number(at, "memory.high"), l->memory_high_b))
		l->memory_high_b = v;
	if (less(v = level_number(at, "memory.swap.max"), l->swap_b))
		l->swap_b = v;
}

/* swap_b is here what both together may take, until memory_end. */
static void memory_v1(struct limits *l, struct level *at)
{
	double v;

	if (less(v = level_number(at, "memory.limit_in_bytes"), l->memory_b))
		l->memory_b = v;
	if (less(v = level_number(at, "memory.memsw.limit_in_bytes"), l->swap_b))
		l->swap_b = v;
}

static void memory_level(struct limits *l, struct level *at, bool v2)
{
	if (v2)
		memory_v2(l, at);
	else
		memory_v1(l, at);
}

/* Of its own cgroup, v1 tells the least of all above, those that cannot be seen too. */
static void memory_hierarchical(struct limits *l, struct level *at)
{
	long n = level_read(at, "memory.stat");
	double v;

	if (n < 0)
		return;
	v = cgroup_text_key(at->text, (size_t)n, "hierarchical_memory_limit");
	if (v < CGROUP_TEXT_NO_LIMIT && less(v, l->memory_b))
		l->memory_b = v;
}

/* A cgroup without CPUs of its own has those of its parent: the first that names any. */
static void cpuset_level(struct limits *l, struct level *at, bool v2)
{
	static const char *const files[2][2] = {{"cpuset.effective_cpus", "cpuset.cpus"},
	                                        {"cpuset.cpus.effective", "cpuset.cpus"}};

	for (int i = 0; i < 2 && isnan(l->cpus_cpuset); i++) {
		long n = level_read(at, files[v2][i]);

		if (n > 0)
			l->cpus_cpuset = cgroup_text_cpus(at->text, (size_t)n);
	}
}

static bool walk(struct limits *l, const struct root *r, const struct cgroup *where,
                 enum cgroup_kind kind, void (*each)(struct limits *, struct level *, bool))
{
	bool v2;
	struct level at = {.r = r, .dir = cgroup_of(where, kind, &v2)};

	if (!at.dir)
		return false;
	l->hidden |= !at.dir->whole || !at.dir->known;
	if (kind == CGROUP_MEMORY && !v2) {
		at.len = strlen(at.dir->path);
		memory_hierarchical(l, &at);
	}
	for (at.len = strlen(at.dir->path); at.len; at.len = cgroup_parent(at.dir, at.len))
		each(l, &at, v2);
	return v2;
}

/* -- beside cgroups ---------------------------------------------------------------------------- */

static double affinity(int pid)
{
	cpu_set_t *set = CPU_ALLOC(AFFINITY_CPUS);
	size_t size = CPU_ALLOC_SIZE(AFFINITY_CPUS);
	double n = NAN;

	if (set && sched_getaffinity(pid, size, set) == 0)
		n = CPU_COUNT_S(size, set);
	CPU_FREE(set);
	return n;
}

static double online(const struct root *r)
{
	char text[16384];
	long n = root_read(r, "sys/devices/system/cpu/online", text, sizeof text);

	if (n > 0)
		return cgroup_text_cpus(text, (size_t)n);
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

static double address_space(const struct root *r, int pid)
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

static void least_cpus(struct limits *l, bool v2)
{
	const struct {
		double cpus;
		const char *from;
	} told[] = {{l->cpus_online, "online CPUs"},
	            {l->cpus_affinity, "sched_getaffinity"},
	            {l->cpus_cpuset, "cpuset"},
	            {l->cpus_quota, v2 ? "cpu.max" : "cpu.cfs_quota_us"}};

	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		if (less(told[i].cpus, l->cpus)) {
			l->cpus = told[i].cpus;
			l->cpu_from = told[i].from;
		}
}

void limits_read(struct limits *l, const struct root *r, const struct cgroup *where, int pid)
{
	bool cpu_v2, memory_is_v2;

	*l = (struct limits){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NULL, NULL, false, 0};
	cpu_v2 = walk(l, r, where, CGROUP_CPU, cpu_level);
	memory_is_v2 = walk(l, r, where, CGROUP_MEMORY, memory_level);
	walk(l, r, where, CGROUP_CPUSET, cpuset_level);
	if (!memory_is_v2 && isfinite(l->swap_b))
		l->swap_b = l->swap_b > l->memory_b ? l->swap_b - l->memory_b
		            : isfinite(l->memory_b) ? 0
		                                    : NAN;
	if (isfinite(l->memory_b))
		l->memory_from = memory_is_v2 ? "memory.max" : "memory.limit_in_bytes";
	l->as_b = address_space(r, pid);
	l->cpus_online = online(r);
	if (!r->replayed)
		l->cpus_affinity = affinity(pid);
	least_cpus(l, cpu_v2);
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
		                 "are not in the limits told.");
}
