/* launcher: the daemon by which srun or mpirun starts the tasks of a node. Forks COUNT tasks that run COMMAND,
 * each with its number in VARIABLE (and FIXED=VALUE, if given), reaps them, and writes a line "RANK STATUS"
 * for each to FILE, where STATUS is as in a shell.
 * launcher FILE COUNT VARIABLE[,FIXED=VALUE] COMMAND...
 *
 * To be confused with the tasks, it has a child without a number that waits for the end of them all; and with BURN=S
 * in the environment it burns S seconds of CPU time in a child that it reaps before it starts them, and as many itself
 * while they run. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void burn(double s)
{
	while ((double)clock() / CLOCKS_PER_SEC < s)
		;
}

static int start_task(int rank, char *variable, char **command)
{
	char number[16], *fixed = strchr(variable, ',');
	int pid = fork();

	if (pid)
		return pid;
	snprintf(number, sizeof number, "%d", rank);
	if (fixed) {
		*fixed = '\0';
		putenv(fixed + 1);
	}
	setenv(variable, number, 1);
	execvp(*command, command);
	_exit(127);
}

/* A child that ends when fd, the other end of which only we have, is closed. */
static void start_helper(int fd, int ours)
{
	char byte;

	if (fork())
		return;
	close(ours);
	_exit(read(fd, &byte, 1) != 0);
}

int main(int argc, char **argv)
{
	int count = argc > 4 ? atoi(argv[2]) : 0, pids[64], status, end[2];
	const char *s = getenv("BURN");
	const double burn_s = s ? atof(s) : 0;
	FILE *out = argc > 4 ? fopen(argv[1], "we") : NULL;

	if (!out || count < 1 || count > 64 || pipe2(end, O_CLOEXEC))
		return 2;
	if (fork() == 0) {
		burn(burn_s);
		_exit(0);
	}
	wait(NULL);
	for (int i = 0; i < count; i++)
		pids[i] = start_task(i, argv[3], argv + 4);
	start_helper(end[0], end[1]);
	burn(burn_s);
	for (int i = 0; i < count; i++) {
		waitpid(pids[i], &status, 0);
		fprintf(out, "%d %d\n", i,
		        WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
	}
	close(end[1]);
	wait(NULL);
	return fclose(out) != 0;
}
