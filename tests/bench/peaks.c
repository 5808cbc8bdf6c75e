/* peaks: runs a command and prints what it took: wall milliseconds, CPU milliseconds of it and its
 * children, and the peak RSS in KiB of it alone, and of the largest of the processes that it
 * started. Its output is thrown away. peaks COMMAND...
 *
 * wait4(2) reports only the largest of all, so each process is stopped when it exits, while the
 * kernel still has its peak. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* The peak of the process that the thread tid is of, and its number. */
static long peak_kib(pid_t tid, pid_t *process)
{
	char path[64], line[128];
	long kib = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/status", (int)tid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, "Tgid:", 5) == 0)
			*process = (pid_t)strtol(line + 5, NULL, 10);
		else if (strncmp(line, "VmHWM:", 6) == 0)
			kib = strtol(line + 6, NULL, 10);
	if (f)
		fclose(f);
	return kib;
}

/* Waits until it is traced, then becomes the command. */
static void start_command(char **argv, int go)
{
	char byte;

	if (read(go, &byte, 1) != 1 || dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO) < 0)
		_exit(127);
	execvp(argv[0], argv);
	_exit(127);
}

/* A traced process stopped: lets it go on, with the signal that it was sent. */
static void go_on(pid_t pid, int status, pid_t command, long *command_kib, long *child_kib)
{
	int event = status >> 16, sig = WSTOPSIG(status);
	pid_t process = 0;
	long kib;

	if (event == PTRACE_EVENT_EXIT) {
		kib = peak_kib(pid, &process);
		if (process == command && kib > *command_kib)
			*command_kib = kib;
		else if (process != command && kib > *child_kib)
			*child_kib = kib;
	}
	/* A group stop would hold for ever; nothing here is meant to stop. */
	ptrace(PTRACE_CONT, pid, NULL, (void *)(long)(event ? 0 : sig));
}

int main(int argc, char **argv)
{
	const long options = PTRACE_O_TRACEEXIT | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
	                     PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
	long command_kib = 0, child_kib = 0;
	int go[2], status, result = 1;
	struct rusage used;
	double begin;
	pid_t command, pid;

	if (argc < 2 || pipe(go) || (command = fork()) < 0)
		return 2;
	if (command == 0)
		start_command(argv + 1, go[0]);
	if (ptrace(PTRACE_SEIZE, command, NULL, (void *)options)) {
		fprintf(stderr, "peaks: ptrace: %s\n", strerror(errno));
		kill(command, SIGKILL);
		return 2;
	}
	begin = now_ms();
	if (write(go[1], "", 1) != 1)
		return 2;
	while ((pid = waitpid(-1, &status, __WALL)) > 0)
		if (WIFSTOPPED(status))
			go_on(pid, status, command, &command_kib, &child_kib);
		else if (pid == command)
			result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	getrusage(RUSAGE_CHILDREN, &used);
	printf("%.1f %.1f %ld %ld\n", now_ms() - begin,
	       (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
	           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3,
	       command_kib, child_kib);
	if (result)
		fprintf(stderr, "peaks: %s: status %d\n", argv[1], result);
	return result;
}
