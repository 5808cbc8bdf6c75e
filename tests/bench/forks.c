/* forks: RATE processes a second for so many seconds, one after the other, that run true(1). forks
 * RATE SECONDS */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	const struct timespec nap = {0, 500000};
	double rate = argc > 1 ? atof(argv[1]) : 0, s = argc > 2 ? atof(argv[2]) : 0;
	char *const program[] = {"true", NULL};
	double from = now_s(), n = 0;
	int pid;

	for (double t = 0; t < s; t = now_s() - from) {
		if (n >= t * rate) {
			nanosleep(&nap, NULL);
			continue;
		}
		if (posix_spawnp(&pid, "true", NULL, NULL, program, environ) == 0)
			waitpid(pid, NULL, 0);
		n++;
	}
	return 0;
}
