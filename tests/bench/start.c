/* start: how long until a command runs, and how long from then until the recorder has ended, beside
 * bare fork and exec, in turns. The command is this program again, which notes the time as the first
 * thing it does, and ends. start RTRACK-COLLECT DIRECTORY */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/spread.h"

#define ROUNDS 25

extern char **environ;

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int stamp(const char *path)
{
	double t = now_ms();
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	return fd < 0 || write(fd, &t, sizeof t) != sizeof t;
}

/* Sets the milliseconds from here until the stamp, and from the stamp until all has ended. False: it
 * did not run. */
static bool run_once(char *const argv[], const char *path, double *until, double *after)
{
	double from = now_ms(), t = 0, end;
	int pid, status, fd;

	if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) ||
	    waitpid(pid, &status, 0) != pid || status != 0)
		return false;
	end = now_ms();
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, &t, sizeof t) != sizeof t)
		t = 0;
	if (fd >= 0)
		close(fd);
	*until = t - from;
	*after = end - t;
	return t > 0;
}

int main(int argc, char **argv)
{
	char path[4096], out[4096], self[4096] = {0};
	char *bare[] = {self, "--stamp", path, NULL};
	char *ours[] = {argc > 1 ? argv[1] : NULL,
	                "-q",
	                "--no-discover-cloud",
	                "-o",
	                out,
	                "--",
	                self,
	                "--stamp",
	                path,
	                NULL};
	double a[ROUNDS], b[ROUNDS], a_end[ROUNDS], b_end[ROUNDS];

	if (argc > 2 && strcmp(argv[1], "--stamp") == 0)
		return stamp(argv[2]);
	if (argc < 3 || readlink("/proc/self/exe", self, sizeof self - 1) < 0)
		return 2;
	/* Where we may: this is wall time, and others may want the CPUs. */
	(void)setpriority(PRIO_PROCESS, 0, -20);
	snprintf(path, sizeof path, "%s/stamp", argv[2]);
	snprintf(out, sizeof out, "%s/start.gz", argv[2]);
	for (int i = -1; i < ROUNDS; i++) {
		int k = i < 0 ? 0 : i; /* the first turn warms */
		(void)unlink(out);     /* it would be kept under another name */
		if (!run_once(bare, path, &a[k], &a_end[k]) ||
		    !run_once(ours, path, &b[k], &b_end[k])) {
			fprintf(stderr, "start: the command did not run\n");
			return 1;
		}
	}
	spread_row("start-up: until the command runs", "ms", a, b, ROUNDS, "=5");
	spread_row("the end: until it has ended, fsync included", "ms", a_end, b_end, ROUNDS,
	           "=20");
	return 0;
}
