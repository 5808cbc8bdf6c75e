/* Fuzzes the collector on a captured machine of any files: pairs of a byte that selects the path, and
 * a text that ends in a NUL. A byte 0xff ends a sample, which makes a row with the one before. */
#include <math.h>

#include "collect/cgroup/limits.h"
#include "collect/cgroup/oom.h"
#include "collect/cloud/discover_cloud.h"
#include "collect/job/discover_job.h"
#include "collect/machine/discover_server.h"
#include "collect/sample.h"
#include "core/end/end_cause.h"
#include "tests/fuzz/folder.h"

#define GROUP "sys/fs/cgroup/"

static const char *const paths[] = {
    "proc/stat",
    "proc/meminfo",
    "proc/diskstats",
    "proc/net/dev",
    "proc/loadavg",
    "proc/vmstat",
    "proc/self/mountinfo",
    "proc/rtrack-statvfs",
    "proc/pressure/cpu",
    "proc/pressure/memory",
    "proc/pressure/io",
    "proc/7/stat",
    "proc/7/statm",
    "proc/7/status",
    "proc/7/io",
    "proc/7/smaps_rollup",
    "proc/7/task/7/children",
    "proc/7/cgroup",
    "proc/7/mountinfo",
    "proc/7/limits",
    "proc/7/environ",
    "proc/7/cmdline",
    "proc/8/stat",
    "proc/8/io",
    "proc/8/smaps_rollup",
    "proc/8/statm",
    "proc/8/task/8/children",
    "sys/devices/system/cpu/online",
    "sys/class/dmi/id/sys_vendor",
    "sys/class/dmi/id/product_name",
    GROUP "cpu.max",
    GROUP "cpu.stat",
    GROUP "memory.max",
    GROUP "memory.current",
    GROUP "memory.stat",
    GROUP "memory.events",
    GROUP "job/cpu.max",
    GROUP "job/cpu.stat",
    GROUP "job/memory.max",
    GROUP "job/memory.high",
    GROUP "job/memory.swap.max",
    GROUP "job/memory.current",
    GROUP "job/memory.stat",
    GROUP "job/memory.events",
    GROUP "job/cpuset.cpus.effective",
    GROUP "cpu/cpu.cfs_quota_us",
    GROUP "cpu/cpu.cfs_period_us",
    GROUP "cpu/cpu.stat",
    GROUP "memory/memory.limit_in_bytes",
    GROUP "memory/memory.usage_in_bytes",
    GROUP "memory/memory.stat",
    GROUP "memory/memory.use_hierarchy",
    GROUP "memory/memory.oom_control",
    GROUP "memory/memory.memsw.limit_in_bytes",
    GROUP "memory/memory.soft_limit_in_bytes",
    GROUP "memory/job/memory.limit_in_bytes",
    GROUP "memory/job/memory.stat",
    GROUP "cpuset/cpuset.effective_cpus",
    GROUP "cpuset/cpuset.cpus",
    NULL,
};

struct machine {
	struct root root;
	struct tree *tree;
	struct machine *system;
	struct cgroup where;
	struct limits limits;
	struct cgroup_watch watch;
	struct oom oom;
	struct snapshot s;
};

/* NAN (not measured), or an amount. */
static void is_amount(double v)
{
	must(isnan(v) || (v >= 0 && isfinite(v)));
}

static void check_discovered(struct machine *m)
{
	struct discover_cloud cloud;
	struct job_env env;
	char *text = malloc(JOB_ENV_MAX);

	discover_server(&m->root, &m->s);
	must(isnan(m->s.server.vcpus) || m->s.server.vcpus >= 1);
	is_amount(m->s.server.memory_b);
	must(text);
	(void)job_env_read(&env, &m->root, 7, text);
	discover_job_env(&m->root, &env, &m->s);
	free(text);
	must(discover_cloud_open(&cloud, NULL, NULL) == 0);
	discover_cloud_start(&cloud, &m->root);
	discover_cloud_close(&cloud);
	is_amount(m->limits.of.memory_b);
	is_amount(m->limits.of.cpus);
	must(isnan(m->limits.of.cpus) || m->limits.of.cpus > 0);
}

static void open_machine(struct machine *m)
{
	must(root_open(&m->root, fuzz_folder.top, NULL) == 0);
	m->tree = tree_open(&m->root, false, NULL);
	m->system = machine_open(&m->root, SCHEMA_1, NULL);
	must(m->tree && m->system);
	machine_keep_devices(m->system);
	cgroup_find(&m->where, &m->root, 7);
	limits_read(&m->limits, &m->root, &m->where, 7);
	cgroup_watch_open(&m->watch, &m->root, &m->where, NULL, &m->limits);
	oom_open(&m->oom, &m->root, &m->where, NULL);
}

static void close_machine(struct machine *m)
{
	oom_close(&m->oom);
	cgroup_watch_close(&m->watch);
	machine_close(m->system);
	tree_close(m->tree);
	root_close(&m->root);
	snapshot_free(&m->s);
}

static void check_row(const struct machine *m, const struct sample *a, struct sample *b,
                      struct sample_carry *carry)
{
	const struct devices *d = machine_devices(m->system);
	const struct sample_shape shape = {7, m->s.server.vcpus, true, d};
	double row[DETAIL_ROW_CELLS];

	b->at = a->at + 1000000000;
	sample_row(a, b, &shape, carry, row);
	for (int id = 0; id < METRIC_COUNT; id++)
		must(!isinf(row[id]) && (isnan(row[id]) || row[id] >= 0));
	for (size_t i = 0; i < d->room; i++)
		is_amount(row[DETAIL_CELL(i)]);
	must(d->used <= d->room && d->n <= DETAIL_DEVICES_MAX);
	for (int i = 0; i < CPU_ACCOUNTING_COUNT; i++)
		must(b->tree.sum[i] >= a->tree.sum[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct machine *m = calloc(1, sizeof *m);
	static double cells[2][DETAIL_CELLS_MAX];
	struct sample before = {.devices = cells[0]}, now = {.devices = cells[1]};
	struct sample_carry carry = {.tree_u = 0};
	struct snapshot_evidence evidence = end_cause_none();
	size_t at;

	must(m != NULL);
	fuzz_folder_begin(paths);
	at = fuzz_folder_put(data, size);
	open_machine(m);
	check_discovered(m);
	tree_set_root(m->tree, 7, NULL);
	sample_take(&before, m->tree, m->system, &m->watch);
	while (at < size) {
		at += fuzz_folder_put(data + at, size - at);
		sample_take(&now, m->tree, m->system, &m->watch);
		check_row(m, &before, &now, &carry);
		sample_copy(&before, &now);
	}
	oom_read(&m->oom);
	m->s.end.evidence = &evidence;
	oom_fill(&m->oom, 0, &m->s);
	machine_notes(m->system, &m->s);
	tree_notes(m->tree, &m->s.totals, &m->s);
	must(m->s.notes.n <= SNAPSHOT_LIST_MAX);
	close_machine(m);
	fuzz_folder_clear();
	free(m);
	return 0;
}
