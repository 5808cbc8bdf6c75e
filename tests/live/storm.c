/* storm: COUNT processes of MS ms of CPU time each, one after the other or two at a time (AT). With
 * a file, writes what getrusage says of them all to it: user + system seconds. storm COUNT MS AT
 * [FILE] */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void burn(double s)
{
	double from = cpu_s();

	while (cpu_s() - from < s)
		;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 0, at = argc > 3 ? atoi(argv[3]) : 1, running = 0;
	double s = argc > 2 ? atof(argv[2]) / 1e3 : 0;
	struct rusage u, self;
	FILE *f;

	for (int i = 0; i < count; i++) {
		int pid;
		if (running == at) {
			wait(NULL);
			running--;
		}
		pid = fork();
		if (pid == 0) {
			burn(s);
			_exit(0);
		}
		running += pid > 0;
	}
	while (wait(NULL) > 0)
		;
	if (argc < 5)
		return 0;
	getrusage(RUSAGE_CHILDREN, &u);
	getrusage(RUSAGE_SELF, &self);
	f = fopen(argv[4], "w");
	if (!f)
		return 1;
	fprintf(f, "%.6f\n",
	        seconds(u.ru_utime) + seconds(u.ru_stime) + seconds(self.ru_utime) +
	            seconds(self.ru_stime));
	/* What a sanitizer does at the end is not in the truth. */
	_exit(fclose(f) ? 1 : 0);
}
