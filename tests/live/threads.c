/* threads: a second thread, not the first, forks COUNT workers, each of which burns CPU for MS ms
 * of wall time; or, with "switch", the two hand a byte to each other COUNT times, or for MS ms if
 * that is 0, and each works for about US microseconds in between; or, with "exec", the second
 * executes COMMAND. threads COUNT MS [switch [US]] | threads 0 0 exec COMMAND… */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct work {
	int count;
	double s;
};

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *fork_all(void *arg)
{
	const struct work *w = arg;

	for (int i = 0; i < w->count; i++)
		if (fork() == 0) {
			double from = now_s();
			while (now_s() - from < w->s)
				;
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return NULL;
}

static int there[2], back[2], work_us;

/* Always the same number of steps. */
static void work(void)
{
	for (volatile int i = 0; i < work_us * 2000; i++)
		;
}

static void *hand_back(void *arg)
{
	char c;

	(void)arg;
	while (read(there[0], &c, 1) == 1) {
		work();
		if (write(back[1], &c, 1) != 1)
			break;
	}
	return NULL;
}

static int switch_threads(int count, double s)
{
	double from = now_s();
	pthread_t thread;
	char c = 0;

	if (pipe(there) || pipe(back) || pthread_create(&thread, NULL, hand_back, NULL))
		return 1;
	for (int i = 0; count ? i < count : now_s() - from < s; i++) {
		work();
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			return 1;
	}
	close(there[1]);
	return pthread_join(thread, NULL) ? 1 : 0;
}

static void *execute(void *command)
{
	char **argv = command;

	execvp(*argv, argv);
	_exit(127);
}

int main(int argc, char **argv)
{
	struct work w = {argc > 1 ? atoi(argv[1]) : 4, argc > 2 ? atof(argv[2]) / 1e3 : 1};
	pthread_t thread;

	if (argc > 4 && strcmp(argv[3], "exec") == 0)
		return pthread_create(&thread, NULL, execute, argv + 4) || pause();
	work_us = argc > 4 ? atoi(argv[4]) : 0;
	if (argc > 3)
		return switch_threads(w.count, w.s);
	if (pthread_create(&thread, NULL, fork_all, &w))
		return 1;
	return pthread_join(thread, NULL) ? 1 : 0;
}
