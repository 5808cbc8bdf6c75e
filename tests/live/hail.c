/* hail: sends a process signals that mean nothing to it, 1000 a second, until it is gone or COUNT
 * were sent. Says how many. hail PID COUNT */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	static const int signals[] = {SIGWINCH, SIGCONT, SIGURG, SIGCHLD};
	const struct timespec moment = {.tv_nsec = 1000000};
	int pid = argc > 1 ? atoi(argv[1]) : 0, count = argc > 2 ? atoi(argv[2]) : 0, sent = 0;

	while (pid > 0 && sent < count && kill(pid, signals[sent % 4]) == 0) {
		sent++;
		nanosleep(&moment, NULL);
	}
	printf("%d\n", sent);
	return 0;
}
