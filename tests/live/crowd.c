/* crowd: COUNT processes at once, of MS ms of CPU time each, that wait until all are there and S
 * seconds have passed. Writes how many there were, and what getrusage says of them all and itself
 * (user + system seconds), to FILE. crowd COUNT MS S FILE */
#include <signal.h>
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

static void wait_in(int gate, double burn_s)
{
	double from = cpu_s();
	char byte;

	while (cpu_s() - from < burn_s)
		;
	_exit(read(gate, &byte, 1) < 0);
}

static double seconds(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
	int gate[2], made = 0;
	double hold_s;
	FILE *f;

	if (argc != 5 || pipe(gate))
		return 2;
	hold_s = atof(argv[3]);
	for (int i = 0; i < atoi(argv[1]); i++) {
		int pid = fork();
		if (pid == 0) {
			close(gate[1]);
			wait_in(gate[0], atof(argv[2]) / 1e3);
		}
		if (pid < 0)
			break;
		made++;
	}
	nanosleep(
	    &(struct timespec){(time_t)hold_s, (long)((hold_s - (double)(time_t)hold_s) * 1e9)},
	    NULL);
	close(gate[1]);
	while (wait(NULL) > 0)
		;
	f = fopen(argv[4], "w");
	if (!f)
		return 1;
	fprintf(f, "%d %.6f\n", made, seconds(RUSAGE_SELF) + seconds(RUSAGE_CHILDREN));
	_exit(fclose(f) ? 1 : 0);
}
