/*
 * sample: what a sample costs, beside a loop that only reads the same files through descriptors
 * that stay open, without parsing. Both in one run, taking turns, since the machine's speed
 * changes: once a second as a recording does it, half a second apart, and one after the other
 * ("hot"), which costs a fraction.
 *
 * Prints rows of the table: microseconds of CPU time. An argument picks the cases whose name
 * begins so.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/machine/machine.h"
#include "collect/process/tree.h"
#include "collect/procfs/root.h"
#include "tests/bench/spread.h"

#define FILES_MAX   4096
#define PACED       3 /* rounds of five seconds: as often as sleeping processes are read again */
#define PACED_ROUND 5
#define HALF_NS     500000000L
#define HOT         9
#define HOT_US      20000 /* of a round, about */
#define HOT_MAX     200   /* samples of one */

#define DETAILED "the system, --detail"

struct floor {
	int fd[FILES_MAX];
	size_t n;
	bool system; /* asks what a system sample asks besides: mounts, space, processes */
	int mounts, proc;
};

static double cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void keep_open(struct floor *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && f->n < FILES_MAX)
		f->fd[f->n++] = fd;
}

static void ask_floor(struct floor *f)
{
	struct pollfd p = {.fd = f->mounts, .events = POLLPRI};
	struct statvfs v;
	struct stat st;

	poll(&p, 1, 0);
	statvfs("/", &v);
	fstat(f->proc, &st);
}

static void read_floor(struct floor *f)
{
	static char text[65536];

	for (size_t i = 0; i < f->n; i++) {
		off_t at = 0;
		ssize_t n;
		/* Multi-record files give a page at a time. */
		do {
			n = pread(f->fd[i], text, sizeof text, at);
			at += n > 0 ? n : 0;
		} while (n >= 3000);
	}
	if (f->system)
		ask_floor(f);
}

struct bench {
	const char *name, *paced_budget, *hot_budget; /* NULL: not measured hot */
	const char *line;                             /* NULL: it lies on none */
	size_t size;
	struct floor floor;
	struct machine *system;
	struct tree *tree;
};

static double read_ours(struct bench *b)
{
	double values[METRIC_COUNT], cells[DETAIL_CELLS_MAX];
	struct tree_counters t;
	double from = cpu_us();

	if (b->system)
		machine_read(b->system, values);
	if (b->system && machine_devices(b->system))
		machine_read_devices(b->system, (int64_t)(from * 1e3), cells);
	if (b->tree)
		tree_read(b->tree, &t);
	return cpu_us() - from;
}

static double read_bare(struct bench *b)
{
	double from = cpu_us();

	read_floor(&b->floor);
	return cpu_us() - from;
}

static void wait_half(void)
{
	struct timespec t = {0, HALF_NS};

	nanosleep(&t, NULL);
}

/* Through the hot ones no line is laid: there, what does not fit into the caches grows fastest. */
static void row(const struct bench *b, bool hot, const double *bare, double *ours, size_t n)
{
	const char *pace = hot ? "hot" : "1/s", *budget = hot ? b->hot_budget : b->paced_budget;
	char name[96], rest[128];

	snprintf(name, sizeof name, "sample, %s: %s", pace, b->name);
	if (b->line && !hot)
		snprintf(rest, sizeof rest, "%s\tsample, %s: %s, against processes\t%zu", budget,
		         pace, b->line, b->size);
	spread_row(name, "us", bare, ours, n, b->line && !hot ? rest : budget);
}

static void compare_paced(struct bench *b)
{
	double bare[PACED] = {0}, ours[PACED] = {0};

	read_ours(b);
	for (int i = 0; i < PACED; i++)
		for (int k = 0; k < PACED_ROUND; k++) {
			wait_half();
			bare[i] += read_bare(b) / PACED_ROUND;
			wait_half();
			ours[i] += read_ours(b) / PACED_ROUND;
		}
	row(b, false, bare, ours, PACED);
}

static void compare_hot(struct bench *b)
{
	double bare[HOT] = {0}, ours[HOT] = {0}, once = read_bare(b) + read_ours(b);
	int n = once * HOT_MAX < 2 * HOT_US ? HOT_MAX : (int)(2 * HOT_US / once) + 1;

	read_ours(b);
	for (int i = 0; i < HOT; i++) {
		for (int k = 0; k < n; k++)
			bare[i] += read_bare(b) / n;
		for (int k = 0; k < n; k++)
			ours[i] += read_ours(b) / n;
	}
	row(b, true, bare, ours, HOT);
}

static void compare(struct bench *b)
{
	compare_paced(b);
	if (b->hot_budget)
		compare_hot(b);
}

/* Memory of its own, in small pages, touched. */
static char *own_memory(size_t n)
{
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		_exit(1);
	madvise(p, n, MADV_NOHUGEPAGE);
	memset(p, 1, n);
	return p;
}

/* A process that sleeps; or burns, and faults all the while. The burning let us through. */
static void live(char *p, size_t n, bool busy)
{
	const struct sched_param none = {0};
	size_t part = n / 16;

	/* Nothing burns on where the bench was ended. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (busy)
		sched_setscheduler(0, SCHED_IDLE, &none);
	for (size_t i = 0;; i++) {
		for (volatile int k = 0; busy && k < 100000; k++)
			;
		if (!busy)
			pause();
		madvise(p + i % 16 * part, part, MADV_DONTNEED);
		memset(p + i % 16 * part, 1, part);
	}
}

enum threads { NONE, ASLEEP, SWITCHING, BUSY };

static void *live_as_thread(void *arg)
{
	const struct timespec nap = {0, 50000000};
	enum threads kind = *(const enum threads *)arg;

	while (kind == ASLEEP)
		pause();
	while (kind == SWITCHING)
		nanosleep(&nap, NULL);
	for (volatile int k = 0;; k++)
		;
	return NULL;
}

/* A process of count threads, of which the first is the same; its pid, or -1. */
static int plant_threads(size_t count, enum threads kind)
{
	const struct sched_param none = {0};
	int ready[2], root;
	char byte;

	if (pipe2(ready, O_CLOEXEC))
		return -1;
	root = fork();
	if (root == 0) {
		pthread_attr_t small;
		pthread_t t;
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sched_setscheduler(0, kind == BUSY ? SCHED_IDLE : SCHED_OTHER, &none);
		pthread_attr_init(&small);
		pthread_attr_setstacksize(&small, 65536);
		for (size_t i = 1; i < count; i++)
			if (pthread_create(&t, &small, live_as_thread, &kind))
				_exit(1);
		if (write(ready[1], "x", 1) == 1)
			live_as_thread(&kind);
		_exit(1);
	}
	setpgid(root, root);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		root = -1;
	close(ready[0]);
	return root;
}

/* A root with count - 1 children, all with so much memory; the root's pid, or -1. */
static int plant(size_t count, size_t mib, bool busy)
{
	size_t n = mib ? mib << 20 : 16 * 4096;
	int ready[2], root;
	char byte;

	if (pipe2(ready, O_CLOEXEC))
		return -1;
	root = fork();
	if (root == 0) {
		setpgid(0, 0);
		for (size_t i = 0; i < count; i++)
			if (i + 1 == count || fork() == 0) {
				char *p = own_memory(n);
				if (write(ready[1], "x", 1) == 1)
					live(p, n, busy);
				_exit(1);
			}
	}
	setpgid(root, root);
	close(ready[1]);
	for (size_t i = 0; i < count; i++)
		if (read(ready[0], &byte, 1) != 1)
			root = -1;
	close(ready[0]);
	return root;
}

static void tree_floor(struct floor *f, int root)
{
	static const char *const files[] = {"stat", "io", "smaps_rollup", "schedstat", "status"};
	char path[96], children[65536];
	FILE *list;
	int pid = root;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", root, root);
	keep_open(f, path);
	list = fopen(path, "r");
	if (!list || !fgets(children, sizeof children, list))
		children[0] = '\0';
	if (list)
		fclose(list);
	for (char *next = children; pid > 0; pid = (int)strtol(next, &next, 10)) {
		for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
			snprintf(path, sizeof path, "/proc/%d/%s", pid, files[i]);
			keep_open(f, path);
		}
		/* The tree must be looked at for new descendants too. */
		snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
		if (pid != root)
			keep_open(f, path);
	}
}

static void close_floor(struct floor *f)
{
	for (size_t i = 0; i < f->n; i++)
		close(f->fd[i]);
	f->n = 0;
}

static int bench_system(const struct root *r, bool detail)
{
	static const char *const files[] = {
	    "/proc/stat",         "/proc/meminfo",         "/proc/diskstats",   "/proc/net/dev",
	    "/proc/pressure/cpu", "/proc/pressure/memory", "/proc/pressure/io", "/proc/loadavg"};
	struct bench b = {.name = detail ? DETAILED : "the system",
	                  .paced_budget = detail ? "x1.5" : "x1.2",
	                  .hot_budget = detail ? "x1.5" : "x1.2"};
	struct err e = {0};

	b.system = machine_open(r, SCHEMA_1, &e);
	if (!b.system) {
		fprintf(stderr, "sample: %s\n", e.msg);
		return 1;
	}
	if (detail)
		machine_keep_devices(b.system);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		keep_open(&b.floor, files[i]);
	b.floor.system = true;
	b.floor.mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	b.floor.proc = open("/proc", O_RDONLY | O_CLOEXEC);
	compare(&b);
	machine_close(b.system);
	close_floor(&b.floor);
	close(b.floor.mounts);
	close(b.floor.proc);
	return 0;
}

/* count: of 1, the memory is its own; of more, the root has as much as each child. */
static const struct tree_case {
	const char *name;
	size_t count, mib;
	bool busy;
	const char *paced_budget, *hot_budget, *line;
	enum threads threads;
} trees[] = {
    {"1 process, asleep", 1, 0, false, "x0.5", "x0.5", "tree asleep", NONE},
    {"10 processes, asleep", 10, 0, false, "x0.5", "x0.5", "tree asleep", NONE},
    {"100 processes, asleep", 100, 0, false, "x0.5", "x0.5", "tree asleep", NONE},
    {"500 processes, asleep", 500, 0, false, "x0.5", "x0.5", "tree asleep", NONE},
    {"1 process, busy", 1, 0, true, "x1.2", "x1.2", "tree busy", NONE},
    {"10 processes, busy", 10, 0, true, "x1.2", "x1.2", "tree busy", NONE},
    {"100 processes, busy", 100, 0, true, "x1.2", "x1.2", "tree busy", NONE},
    {"500 processes, busy", 500, 0, true, "x1.2", "x1.2", "tree busy", NONE},
    {"10 of 50 MiB, asleep", 10, 50, false, "x0.5", "x0.5", NULL, NONE},
    {"10 of 50 MiB, busy", 10, 50, true, "x1.2", NULL, NULL, NONE},
    {"1 of 4 GiB, asleep", 1, 4096, false, "x0.5", "x0.5", NULL, NONE},
    /* One hundredth of a core. */
    {"1 of 4 GiB, busy", 1, 4096, true, "=10000", NULL, NULL, NONE},
    /* One hundredth of a core, whatever the threads do. */
    {"1 thread, switching", 1, 0, false, "=10000", NULL, NULL, SWITCHING},
    {"1 thread, busy", 1, 0, true, "=10000", NULL, NULL, BUSY},
    {"100 threads, asleep", 100, 0, false, "=10000", NULL, NULL, ASLEEP},
    {"100 threads, switching", 100, 0, false, "=10000", NULL, NULL, SWITCHING},
    {"100 threads, busy", 100, 0, true, "=10000", NULL, NULL, BUSY},
    {"1000 threads, asleep", 1000, 0, false, "=10000", NULL, NULL, ASLEEP},
    {"1000 threads, switching", 1000, 0, false, "=10000", NULL, NULL, SWITCHING},
    {"1000 threads, busy", 1000, 0, true, "=10000", NULL, NULL, BUSY},
};

static int bench_tree(const struct root *r, const struct tree_case *c)
{
	static struct bench b;
	struct err e = {0};
	int root =
	    c->threads ? plant_threads(c->count, c->threads) : plant(c->count, c->mib, c->busy);

	b.name = c->name;
	b.paced_budget = c->paced_budget;
	b.hot_budget = c->hot_budget;
	b.line = c->line;
	b.size = c->count;
	b.tree = root > 0 ? tree_open(r, false, &e) : NULL;
	if (!b.tree || tree_set_root(b.tree, root, &e)) {
		fprintf(stderr, "sample: %s: %s\n", c->name, *e.msg ? e.msg : strerror(errno));
		return 1;
	}
	tree_floor(&b.floor, root);
	compare(&b);
	tree_close(b.tree);
	close_floor(&b.floor);
	kill(-root, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		;
	return 0;
}

/* Whether so much memory is there, and as much again. */
static bool fits(size_t mib)
{
	const long pages = sysconf(_SC_AVPHYS_PAGES);

	return (double)pages * (double)sysconf(_SC_PAGESIZE) > 2.0 * 1048576 * (double)mib;
}

static void raise_descriptors(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) == 0) {
		l.rlim_cur = l.rlim_max;
		setrlimit(RLIMIT_NOFILE, &l);
	}
}

static bool picked(const char *name, const char *filter)
{
	return !filter || strncmp(name, filter, strlen(filter)) == 0;
}

int main(int argc, char **argv)
{
	const char *filter = argc > 1 ? argv[1] : NULL;
	struct root r;
	struct err e = {0};
	int rc = 0;

	if (root_open(&r, NULL, &e)) {
		fprintf(stderr, "sample: %s\n", e.msg);
		return 1;
	}
	raise_descriptors();
	if (picked("the system", filter))
		rc = bench_system(&r, false);
	if (picked(DETAILED, filter) && rc == 0)
		rc = bench_system(&r, true);
	for (size_t i = 0; i < sizeof trees / sizeof *trees && rc == 0; i++)
		if (picked(trees[i].name, filter) && fits(trees[i].mib))
			rc = bench_tree(&r, &trees[i]);
	return rc;
}
