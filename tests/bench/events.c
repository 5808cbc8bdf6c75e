/* events: what software events (collect/events/perf_events.h) cost the job that they follow: pairs
 * as perf_events.c opens them, for one CPU, or spread over those that there are, for more. Turns of
 * some 30 ms of CPU time, without and with events in pairs, each of the two first by turns: a job's
 * own CPU time of a process from its fork to its end, of a switch between two processes, on one CPU
 * and on two, and of a compiler. A row for each number of events, with
 * the 95 % confidence interval of the median ratio instead of its quartiles. Where the kernel
 * refuses so many, there is no row. events [PAIRS] */
#include <linux/perf_event.h>
#include <math.h>
#include <sched.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/spread.h"

#define PAIRS     SPREAD_MAX
#define PROCESSES 40
#define SWITCHES  20000
#define WAITS     1000 /* switches that may wait for another job, on a busy machine */
#define COMPILERS 2
#define MOST      128
#define RING_B    ((size_t)17 * 4096)

extern char **environ;

struct event {
	int fd;
	struct perf_event_mmap_page *ring;
};

static int open_event(int pid, int i, int events)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct perf_event_attr a = {.size = sizeof a,
	                            .type = PERF_TYPE_SOFTWARE,
	                            .config =
	                                i % 2 ? PERF_COUNT_SW_TASK_CLOCK : PERF_COUNT_SW_DUMMY,
	                            .disabled = 1,
	                            .enable_on_exec = 1,
	                            .inherit = 1,
	                            .sample_id_all = 1,
	                            .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	                            .inherit_stat = i % 2 == 1,
	                            .task = i % 2 == 0,
	                            .comm = i % 2 == 0,
	                            .exclude_kernel = 1,
	                            .exclude_hv = 1};

	return (int)syscall(SYS_perf_event_open, &a, pid, (int)(i * cpus / events), -1,
	                    PERF_FLAG_FD_CLOEXEC);
}

static int run_program(char *const program[])
{
	int pid;

	return posix_spawnp(&pid, *program, NULL, NULL, program, environ) ||
	       waitpid(pid, NULL, 0) != pid;
}

static int fork_all(void)
{
	char *const program[] = {"true", NULL};
	int failed = 0;

	for (int i = 0; i < PROCESSES && !failed; i++)
		failed = run_program(program);
	return failed;
}

static int compile(void)
{
	char *const program[] = {"gcc", "-O0", "-xc", "-c", "-o", "/dev/null", "/dev/null", NULL};
	int failed = 0;

	for (int i = 0; i < COMPILERS && !failed; i++)
		failed = run_program(program);
	return failed;
}

static int stay_on(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	return sched_setaffinity(0, sizeof one, &one);
}

/* Two processes hand a byte to each other, each on its CPU. */
static int hand_over(int n, int cpu, int other)
{
	int there[2], back[2], pid;
	char c = 0;

	if (pipe(there) || pipe(back))
		return 1;
	pid = fork();
	if (stay_on(pid == 0 ? other : cpu))
		return 1;
	for (int i = 0; pid == 0 && i < n / 2; i++)
		if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
			_exit(1);
	if (pid == 0)
		_exit(0);
	for (int i = 0; i < n / 2; i++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			return 1;
	return waitpid(pid, NULL, 0) != pid;
}

static int switch_on_one(void)
{
	return hand_over(SWITCHES, 0, 0);
}

static int switch_on_two(void)
{
	return hand_over(WAITS, 0, 1);
}

static const struct job {
	const char *name, *what;
	int (*run)(void);
	double n;
} jobs[] = {
    {"--forks", "fork, exec and end of a process", fork_all, PROCESSES},
    {"--switches", "a switch to another process of the job", switch_on_one, SWITCHES},
    {"--waits", "a switch to what is not of the job", switch_on_two, WAITS},
    {"--compile", "gcc of an empty file", compile, COMPILERS},
};
#define JOBS (sizeof jobs / sizeof *jobs)

static double used_us(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static bool map_ring(struct event *e)
{
	void *at = mmap(NULL, RING_B, PROT_READ | PROT_WRITE, MAP_SHARED, e->fd, 0);

	e->ring = at == MAP_FAILED ? NULL : at;
	return e->ring;
}

/* Waits for its end, while the rings are emptied. */
static void drain(int pid, const struct event *of, int n)
{
	const struct timespec nap = {0, 5000000};

	while (waitpid(pid, NULL, n ? WNOHANG : 0) != pid) {
		for (int i = 0; i < n; i++)
			of[i].ring->data_tail = of[i].ring->data_head;
		(void)nanosleep(&nap, NULL);
	}
}

/* CPU time of each part of a job; -1: refused. */
static double turn(char *self, const struct job *job, int events)
{
	struct event of[MOST] = {0};
	int go[2], n = 0, pid;
	double from = used_us();
	char byte = 0;

	if (pipe(go))
		return -1;
	pid = fork();
	if (pid == 0) {
		close(go[1]);
		if (read(go[0], &byte, 1) == 1)
			execl(self, self, job->name, (char *)NULL);
		_exit(1);
	}
	while (n < events && (of[n].fd = open_event(pid, n, events)) >= 0 && map_ring(&of[n]))
		n++;
	if (n == events)
		(void)!write(go[1], &byte, 1);
	close(go[1]);
	close(go[0]);
	drain(pid, of, n == events ? n : 0);
	for (int i = 0; i < n; i++) {
		munmap(of[i].ring, RING_B);
		close(of[i].fd);
	}
	return n == events ? (used_us() - from) / job->n : -1;
}

/* The 95 % confidence interval of a median of n, by ranks. */
static void print_row(const struct job *job, int events, double *bare, double *ours, size_t n)
{
	double ratio[PAIRS];
	size_t off = (size_t)ceil(0.98 * sqrt((double)n));

	for (size_t i = 0; i < n; i++)
		ratio[i] = ours[i] / bare[i];
	(void)spread_of(ratio, n);
	printf("%s: %d events\tus\t%.4g\t%.4g\t%.4f\t%.4f\t%.4f\t\n", job->what, events,
	       spread_of(bare, n).median, spread_of(ours, n).median, ratio[n / 2],
	       ratio[n / 2 > off ? n / 2 - off : 0], ratio[n / 2 + off < n ? n / 2 + off : n - 1]);
	fflush(stdout);
}

static void measure(char *self, const struct job *job, int events, size_t pairs)
{
	double bare[PAIRS], ours[PAIRS];

	for (size_t i = 0; i < pairs; i++) {
		if (i % 2)
			bare[i] = turn(self, job, 0);
		ours[i] = turn(self, job, events);
		if (i % 2 == 0)
			bare[i] = turn(self, job, 0);
		if (ours[i] < 0)
			return;
	}
	print_row(job, events, bare, ours, pairs);
}

int main(int argc, char **argv)
{
	const int events[] = {2, 4, 16, 32, MOST};
	int pairs = argc > 1 ? atoi(argv[1]) : 40;

	for (size_t k = 0; argc > 1 && k < JOBS; k++)
		if (strcmp(argv[1], jobs[k].name) == 0)
			return jobs[k].run();
	if (pairs < 1 || pairs > PAIRS)
		return 2;
	for (size_t k = 0; k < JOBS; k++)
		for (size_t i = 0; i < sizeof events / sizeof *events; i++)
			measure(argv[0], &jobs[k], events[i], (size_t)pairs);
	return 0;
}
