/* catch: says each signal that it gets ("got INT 1", the number counts that signal), and ends at
 * the third INT, at HUP, or after 20 s. catch [FILE]: says it in a file instead. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static const int signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
	                              SIGUSR1, SIGUSR2, SIGCONT, SIGALRM};
	int count[65] = {0}, out = STDOUT_FILENO, got = 0;
	sigset_t set;

	if (argc > 1)
		out = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0666);
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	alarm(20);
	dprintf(out, "ready\n");
	while (got != SIGALRM && got != SIGHUP && count[SIGINT] < 3) {
		got = sigwaitinfo(&set, NULL);
		if (got > 0)
			dprintf(out, "got %s %d\n", sigabbrev_np(got), ++count[got]);
	}
	return got == SIGALRM;
}
