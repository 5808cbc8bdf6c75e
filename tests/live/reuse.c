/* reuse: numbers of processes that are given again. reuse ROUNDS TRUTH COMMAND ARG… starts COMMAND
 * with `reuse inner ROUNDS TRUTH` after ARG…, which each round has three processes of the same
 * number, one after the other: two of its own, and one of the outer reuse's. Each burns 40 ms. The
 * inner one writes what getrusage says of itself and its own to TRUTH. Needs a namespace of
 * processes where ns_last_pid may be written. Its status: that of COMMAND; 120 where a number was
 * not to be had. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ASK    40 /* descriptors that COMMAND hands on */
#define ANSWER 41

static void nap(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void burn(double s)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while ((double)t.tv_sec + (double)t.tv_nsec / 1e9 < s);
}

/* Forks one of this number, or of any where it is 0; -1 where another got it first. */
static int fork_as(int pid)
{
	int fd, child;

	if (pid) {
		char text[16];
		int n = snprintf(text, sizeof text, "%d", pid - 1);

		fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY);
		if (fd < 0 || write(fd, text, (size_t)n) != n)
			return -1;
		close(fd);
	}
	child = fork();
	if (child == 0) {
		burn(0.04);
		nap(40);
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) != child)
		return -1;
	return !pid || child == pid ? child : -1;
}

static double seconds(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static int inner(int rounds, const char *file)
{
	FILE *f = fopen(file, "w");
	int pid = 0, missed = 0;

	for (int i = 0; i < rounds; i++) {
		pid = fork_as(0);
		missed += fork_as(pid) < 0;
		if (write(ASK, &pid, sizeof pid) != sizeof pid ||
		    read(ANSWER, &pid, sizeof pid) != sizeof pid)
			return 121;
		missed += pid < 0;
	}
	if (!f)
		return 1;
	fprintf(f, "%.6f\n", seconds(RUSAGE_SELF) + seconds(RUSAGE_CHILDREN));
	fclose(f);
	_exit(missed ? 120 : 0);
}

static int outer(char **argv, char *self, char *rounds, char *file)
{
	int ask[2], answer[2], pid, status, child, n = 0;
	char *args[64];

	if (pipe(ask) || pipe(answer))
		return 121;
	child = fork();
	if (child == 0) {
		dup2(ask[1], ASK);
		dup2(answer[0], ANSWER);
		for (int i = 0; i < 4; i++)
			close(i < 2 ? ask[i] : answer[i - 2]);
		while (argv[n] && n < 59) {
			args[n] = argv[n];
			n++;
		}
		memcpy(&args[n], (char *[]){self, "inner", rounds, file, NULL}, 5 * sizeof *args);
		execvp(args[0], args);
		_exit(127);
	}
	close(ask[1]);
	while (read(ask[0], &pid, sizeof pid) == sizeof pid) {
		pid = fork_as(pid);
		if (write(answer[1], &pid, sizeof pid) != sizeof pid)
			break;
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 121;
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "inner") == 0)
		return inner(atoi(argv[2]), argv[3]);
	return argc > 3 ? outer(argv + 3, argv[0], argv[1], argv[2]) : 121;
}
