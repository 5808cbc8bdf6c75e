/* A whole machine of any files, replayed: "PATH TEXT" pairs, a byte for the path and a NUL behind
 * the text. A byte 0xff lets time pass: what is read then makes a row with what was read before. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "../../../collect/cloud_dmi.h"
#include "../../../collect/discover_job.h"
#include "../../../collect/discover_server.h"
#include "../../../collect/limits.h"
#include "../../../collect/oom.h"
#include "../../../collect/sample.h"
#include "../fuzz.h"

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
};
#define PATHS (sizeof paths / sizeof *paths)

static const char *const folders[] = {
    "proc",
    "proc/net",
    "proc/self",
    "proc/pressure",
    "proc/7",
    "proc/7/task",
    "proc/7/task/7",
    "proc/8",
    "proc/8/task",
    "proc/8/task/8",
    "sys",
    "sys/devices",
    "sys/class",
    "sys/class/dmi",
    "sys/class/dmi/id",
    "sys/devices/system",
    "sys/fs",
    "sys/fs/cgroup",
    "sys/fs/cgroup/job",
    "sys/devices/system/cpu",
    "sys/fs/cgroup/cpu",
    "sys/fs/cgroup/memory",
    "sys/fs/cgroup/memory/job",
    "sys/fs/cgroup/cpuset",
};
#define FOLDERS (sizeof folders / sizeof *folders)

static char top[64];

static void clear(void)
{
	int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; i < PATHS; i++)
		unlinkat(dir, paths[i], 0);
	close(dir);
}

static void remove_all(void)
{
	int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	clear();
	for (int pass = 0; pass < 5; pass++)
		for (size_t i = 0; i < FOLDERS; i++)
			unlinkat(dir, folders[i], AT_REMOVEDIR);
	close(dir);
	rmdir(top);
}

/* Once, where files cost the least. */
static void make_folders(void)
{
	char path[128];

	if (*top)
		return;
	snprintf(top, sizeof top, "%s/rtrack-fuzz-XXXXXX",
	         access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	must(mkdtemp(top) != NULL);
	for (int pass = 0; pass < 5; pass++)
		for (size_t i = 0; i < FOLDERS; i++) {
			snprintf(path, sizeof path, "%s/%s", top, folders[i]);
			mkdir(path, 0700);
		}
	atexit(remove_all);
}

static void put(const char *path, const uint8_t *text, size_t n)
{
	char name[128];
	int fd;

	snprintf(name, sizeof name, "%s/%s", top, path);
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	must(fd >= 0 && write(fd, text, n) == (ssize_t)n);
	close(fd);
}

/* Up to the next 0xff; returns what was taken. */
static size_t put_files(const uint8_t *data, size_t size)
{
	size_t at = 0;

	while (at < size && data[at] != 0xff) {
		const uint8_t *text = data + at + 1, *nul = memchr(text, 0, size - at - 1);
		size_t n = nul ? (size_t)(nul - text) : size - at - 1;
		put(paths[data[at] % PATHS], text, n);
		at += n + 2;
	}
	return at < size ? at + 1 : size;
}

struct machine {
	struct root root;
	struct tree *tree;
	struct system *system;
	struct cgroup where;
	struct limits limits;
	struct cgroup_watch watch;
	struct oom oom;
	struct snapshot s;
};

/* Not measured, or an amount. */
static void is_amount(double v)
{
	must(isnan(v) || (v >= 0 && isfinite(v)));
}

static void check_discovered(struct machine *m)
{
	struct cloud_dmi dmi;
	enum cloud_id id;
	char type[CLOUD_VALUE_MAX];

	discover_server(&m->root, &m->s);
	must(isnan(m->s.server.vcpus) || m->s.server.vcpus >= 1);
	is_amount(m->s.server.memory_b);
	discover_job(&m->root, 7, &m->s);
	cloud_dmi_read(&m->root, &dmi);
	cloud_dmi_judge(&dmi, &id, type);
	is_amount(m->limits.memory_b);
	is_amount(m->limits.cpus);
	must(isnan(m->limits.cpus) || m->limits.cpus > 0);
}

static void open_machine(struct machine *m)
{
	must(root_open(&m->root, top, NULL) == 0);
	m->tree = tree_open(&m->root, false, NULL);
	m->system = system_open(&m->root, NULL);
	must(m->tree && m->system);
	cgroup_find(&m->where, &m->root, 7);
	limits_read(&m->limits, &m->root, &m->where, 7);
	cgroup_watch_open(&m->watch, &m->root, &m->where, NULL, &m->limits);
	oom_open(&m->oom, &m->root, &m->where, NULL);
}

static void close_machine(struct machine *m)
{
	oom_close(&m->oom);
	cgroup_watch_close(&m->watch);
	system_close(m->system);
	tree_close(m->tree);
	root_close(&m->root);
	snapshot_free(&m->s);
}

static void check_row(const struct machine *m, const struct sample *a, struct sample *b,
                      struct sample_carry *carry)
{
	const struct sample_shape shape = {7, m->s.server.vcpus, SCHEMA_1, true};
	double row[METRIC_COUNT];

	b->at = a->at + 1000000000;
	sample_row(a, b, &shape, carry, row);
	for (int id = 0; id < METRIC_COUNT; id++)
		must(!isinf(row[id]) && (isnan(row[id]) || row[id] >= 0));
	for (int i = 0; i < LEDGER_COUNT; i++)
		must(b->tree.sum[i] >= a->tree.sum[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct machine *m = calloc(1, sizeof *m);
	struct sample before = {.at = 0}, now = {.at = 0};
	struct sample_carry carry = {.tree_u = 0};
	size_t at;

	must(m != NULL);
	make_folders();
	at = put_files(data, size);
	open_machine(m);
	check_discovered(m);
	tree_root(m->tree, 7, NULL);
	sample_take(&before, m->tree, m->system, &m->watch);
	while (at < size) {
		at += put_files(data + at, size - at);
		sample_take(&now, m->tree, m->system, &m->watch);
		check_row(m, &before, &now, &carry);
		before = now;
	}
	oom_read(&m->oom);
	oom_notes(&m->oom, 9, &m->s);
	system_notes(m->system, &m->s);
	tree_notes(m->tree, &m->s);
	must(m->s.notes.n <= SNAPSHOT_LIST_MAX);
	close_machine(m);
	clear();
	free(m);
	return 0;
}
