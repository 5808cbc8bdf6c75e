/*
 * sample: what a sample costs, beside a loop that only reads the same files through descriptors
 * that stay open, without parsing. Both in one run, taking turns, since the machine's speed
 * changes.
 *
 * Prints a line a case: microseconds of CPU time of both (medians), and the ratio with its spread.
 * An argument picks the cases whose name begins so.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../collect/root.h"
#include "../../collect/system.h"
#include "../../collect/tree.h"

#define ROUNDS      9
#define FILES_MAX   4096
#define PACED_ROUND 8 /* samples of a round, at the pace */
#define PACE_NS     100000000L
#define HOT_ROUND   200

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
	const char *name;
	struct floor floor;
	struct system *system;
	struct tree *tree;
};

static void read_ours(struct bench *b)
{
	struct system_counters s;
	struct tree_counters t;

	if (b->system)
		system_read(b->system, &s);
	if (b->tree)
		tree_read(b->tree, &t);
}

static void wait_for_pace(void)
{
	struct timespec t = {0, PACE_NS};

	nanosleep(&t, NULL);
}

/* CPU microseconds a sample, of one side. */
static double side(struct bench *b, bool ours, int samples, bool paced)
{
	double sum = 0;

	for (int i = 0; i < samples; i++) {
		double from;
		if (paced)
			wait_for_pace();
		from = cpu_us();
		if (ours)
			read_ours(b);
		else
			read_floor(&b->floor);
		sum += cpu_us() - from;
	}
	return sum / samples;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void compare(struct bench *b, bool paced)
{
	double floor[ROUNDS], ours[ROUNDS], ratio[ROUNDS];
	int samples = paced ? PACED_ROUND : HOT_ROUND;

	side(b, true, 3, false);
	for (int i = 0; i < ROUNDS; i++) {
		floor[i] = side(b, false, samples, paced);
		ours[i] = side(b, true, samples, paced);
		ratio[i] = ours[i] / floor[i];
	}
	qsort(floor, ROUNDS, sizeof *floor, ascending);
	qsort(ours, ROUNDS, sizeof *ours, ascending);
	qsort(ratio, ROUNDS, sizeof *ratio, ascending);
	printf("%-34s %-6s %9.1f %9.1f %8.2f  (%.2f-%.2f)\n", b->name, paced ? "10/s" : "hot",
	       floor[ROUNDS / 2], ours[ROUNDS / 2], ratio[ROUNDS / 2], ratio[1], ratio[ROUNDS - 2]);
	fflush(stdout);
}

/* A process that sleeps, or burns, with so many MiB touched. */
static void live(size_t mib, bool busy)
{
	size_t n = mib << 20;
	char *p =
	    n ? mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : NULL;

	if (p && p != MAP_FAILED) {
		madvise(p, n, MADV_NOHUGEPAGE);
		memset(p, 1, n);
	}
	for (volatile unsigned long i = 0;; i++)
		if (!busy)
			pause();
}

/* A root with count - 1 children; the root's pid. All die with their parent's pipe. */
static int plant(size_t count, size_t mib, bool busy)
{
	int ready[2];
	char byte;
	int root;

	if (pipe2(ready, O_CLOEXEC))
		return -1;
	root = fork();
	if (root == 0) {
		setpgid(0, 0);
		for (size_t i = 1; i < count; i++)
			if (fork() == 0)
				live(mib, busy);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		live(mib, busy);
	}
	setpgid(root, root);
	if (read(ready[0], &byte, 1) != 1)
		return -1;
	close(ready[0]);
	close(ready[1]);
	usleep(300000); /* until memory is touched */
	return root;
}

static void tree_floor(struct floor *f, int root)
{
	static const char *const files[] = {"stat", "io", "smaps_rollup"};
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

static int bench_tree(const struct root *r, const char *name, size_t count, size_t mib, bool busy)
{
	static struct bench b;
	struct err e = {0};
	int root = plant(count, mib, busy);

	b.name = name;
	b.tree = root > 0 ? tree_open(r, false, &e) : NULL;
	if (!b.tree || tree_root(b.tree, root, &e)) {
		fprintf(stderr, "sample: %s: %s\n", name, *e.msg ? e.msg : strerror(errno));
		return 1;
	}
	tree_floor(&b.floor, root);
	compare(&b, true);
	compare(&b, false);
	tree_close(b.tree);
	close_floor(&b.floor);
	kill(-root, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		;
	return 0;
}

static int bench_system(const struct root *r)
{
	static const char *const files[] = {
	    "/proc/stat",         "/proc/meminfo",         "/proc/diskstats",   "/proc/net/dev",
	    "/proc/pressure/cpu", "/proc/pressure/memory", "/proc/pressure/io", "/proc/loadavg"};
	static struct bench b = {.name = "system"};
	struct err e = {0};

	b.system = system_open(r, &e);
	if (!b.system) {
		fprintf(stderr, "sample: %s\n", e.msg);
		return 1;
	}
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		keep_open(&b.floor, files[i]);
	b.floor.system = true;
	b.floor.mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	b.floor.proc = open("/proc", O_RDONLY | O_CLOEXEC);
	compare(&b, true);
	compare(&b, false);
	system_close(b.system);
	close_floor(&b.floor);
	close(b.floor.mounts);
	close(b.floor.proc);
	return 0;
}

static const struct {
	const char *name;
	size_t count, mib;
	bool busy;
} trees[] = {
    {"tree: 1 process, asleep", 1, 0, false},       {"tree: 1 process, busy", 1, 0, true},
    {"tree: 10 processes, asleep", 10, 0, false},   {"tree: 10 processes, busy", 10, 0, true},
    {"tree: 100 processes, asleep", 100, 0, false}, {"tree: 10 of 50 MiB, asleep", 10, 50, false},
    {"tree: 1 of 1 GiB, asleep", 1, 1024, false},
};

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
	printf("%-34s %-6s %9s %9s %8s  %s\n", "A SAMPLE", "PACE", "READS us", "OURS us", "RATIO",
	       "SPREAD");
	if (picked("system", filter))
		rc = bench_system(&r);
	for (size_t i = 0; i < sizeof trees / sizeof *trees && rc == 0; i++)
		if (picked(trees[i].name, filter))
			rc = bench_tree(&r, trees[i].name, trees[i].count, trees[i].mib,
			                trees[i].busy);
	return rc;
}
