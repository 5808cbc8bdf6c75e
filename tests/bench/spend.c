/* spend: runs two commands in turns, TIMES each, and prints what the second takes beside the first:
 * CPU milliseconds of both (medians), the ratio with its quartiles, and the second's highest RSS in
 * KiB. Their output is thrown away. spend TIMES FIRST... -- SECOND... */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/spread.h"

extern char **environ;

static double ms(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

/* CPU milliseconds; -1: it failed. */
static double spend(char **argv, long *rss_kib)
{
	posix_spawn_file_actions_t quiet;
	struct rusage used;
	int pid, status;

	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, argv[0], &quiet, NULL, argv, environ))
		return -1;
	posix_spawn_file_actions_destroy(&quiet);
	if (wait4(pid, &status, 0, &used) != pid || status != 0)
		return -1;
	if (rss_kib && used.ru_maxrss > *rss_kib)
		*rss_kib = used.ru_maxrss;
	return ms(used.ru_utime) + ms(used.ru_stime);
}

int main(int argc, char **argv)
{
	int times = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 0, second = 2;
	double a[SPREAD_MAX], b[SPREAD_MAX], ratios[SPREAD_MAX];
	struct spread ratio;
	long rss_kib = 0;

	while (second < argc && strcmp(argv[second], "--") != 0)
		second++;
	if (times < 1 || times > SPREAD_MAX || second + 1 >= argc || second == 2)
		return 2;
	argv[second++] = NULL;
	for (int i = 0; i < times; i++) {
		a[i] = spend(argv + 2, NULL);
		b[i] = spend(argv + second, &rss_kib);
		if (a[i] < 0 || b[i] < 0) {
			fprintf(stderr, "spend: %s failed\n", a[i] < 0 ? argv[2] : argv[second]);
			return 1;
		}
		ratios[i] = b[i] / a[i];
	}
	ratio = spread_of(ratios, (size_t)times);
	printf("%.4g %.4g %.3f %.3f %.3f %ld\n", spread_of(a, (size_t)times).median,
	       spread_of(b, (size_t)times).median, ratio.median, ratio.low, ratio.high, rss_kib);
	return 0;
}
