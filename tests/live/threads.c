/* threads: a second thread, not the first, forks COUNT workers, each of which burns CPU for MS ms
 * of wall time. threads COUNT MS */
#include <pthread.h>
#include <stdlib.h>
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

int main(int argc, char **argv)
{
	struct work w = {argc > 1 ? atoi(argv[1]) : 4, argc > 2 ? atof(argv[2]) / 1e3 : 1};
	pthread_t thread;

	if (pthread_create(&thread, NULL, fork_all, &w))
		return 1;
	return pthread_join(thread, NULL) ? 1 : 0;
}
