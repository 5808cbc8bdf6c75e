/* events: what software events (collect/events/perf_events.h) cost a process from its fork to its
 * end, by their number: pairs as perf_events.c opens them, for more CPUs than there are. A row for
 * each number: CPU time of a process without and with events, in us. Where the kernel refuses so
 * many, there is no row. events */
#include <linux/perf_event.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/spread.h"

#define ROUNDS    5
#define PROCESSES 200
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

static int fork_all(void)
{
	char *const program[] = {"true", NULL};
	int pid;

	for (int i = 0; i < PROCESSES; i++)
		if (posix_spawnp(&pid, "true", NULL, NULL, program, environ) ||
		    waitpid(pid, NULL, 0) != pid)
			return 1;
	return 0;
}

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

/* CPU time of each process of a child that forks them all; -1: refused. */
static double turn(char *self, int events)
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
			execl(self, self, "--forks", (char *)NULL);
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
	return n == events ? (used_us() - from) / PROCESSES : -1;
}

int main(int argc, char **argv)
{
	const int events[] = {4, 32, MOST};
	double bare[3][ROUNDS], ours[3][ROUNDS];
	char what[64];

	if (argc > 1 && strcmp(argv[1], "--forks") == 0)
		return fork_all();
	for (int i = 0; i < ROUNDS; i++)
		for (int k = 0; k < 3; k++) {
			bare[k][i] = turn(argv[0], 0);
			ours[k][i] = turn(argv[0], events[k]);
		}
	for (int k = 0; k < 3; k++) {
		if (ours[k][0] < 0)
			continue;
		snprintf(what, sizeof what, "fork, exec and end of a process: %d events",
		         events[k]);
		spread_row(what, "us", bare[k], ours[k], ROUNDS, "");
	}
	return 0;
}
