/* waits: COUNT threads or processes, each of which burns CPU for MS ms of wall time, and at its end
 * says what the kernel says that it waited for a CPU. The sum goes to FILE, in seconds; and the
 * Unix time at which the first of them told, for each may wait on until it has ended. waits
 * threads|processes COUNT MS FILE */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX 64

static double burn_s;
static struct told {
	double waited_s, at;
} * told; /* one for each, in memory that processes share */

static double now_s(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double own_wait_s(void)
{
	unsigned long long ran = 0, waited = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", syscall(SYS_gettid));
	f = fopen(path, "r");
	if (!f || fscanf(f, "%llu %llu", &ran, &waited) != 2)
		exit(1);
	fclose(f);
	return (double)waited / 1e9;
}

static void *burn(void *arg)
{
	double from = now_s(CLOCK_MONOTONIC);
	struct told *mine = arg;

	while (now_s(CLOCK_MONOTONIC) - from < burn_s)
		;
	mine->at = now_s(CLOCK_REALTIME);
	mine->waited_s = own_wait_s();
	return NULL;
}

static void start(pthread_t *thread, int i, int threads)
{
	if (threads && pthread_create(thread, NULL, burn, &told[i]))
		exit(1);
	if (!threads && fork() == 0) {
		burn(&told[i]);
		_exit(0);
	}
}

int main(int argc, char **argv)
{
	int threads = argc > 4 && strcmp(argv[1], "threads") == 0;
	int count = argc > 4 ? atoi(argv[2]) : 0;
	pthread_t thread[MAX];
	double sum = 0, first = 0;
	FILE *f;

	if (count < 1 || count > MAX)
		return 2;
	burn_s = atof(argv[3]) / 1e3;
	told = mmap(NULL, MAX * sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
	            -1, 0);
	if (told == MAP_FAILED)
		return 1;
	for (int i = 0; i < count; i++)
		start(&thread[i], i, threads);
	for (int i = 0; i < count; i++)
		if (threads)
			pthread_join(thread[i], NULL);
	while (!threads && wait(NULL) > 0)
		;
	for (int i = 0; i < count; i++) {
		sum += told[i].waited_s;
		first = i == 0 || told[i].at < first ? told[i].at : first;
	}
	f = fopen(argv[4], "w");
	if (!f || fprintf(f, "%.6f %.6f\n", sum + own_wait_s(), first) < 0 || fclose(f))
		return 1;
	return 0;
}
