/* hear: hears and sends signals, also those that the C library keeps for itself.
 * - hear log FILE: writes "ready", then a line for each signal that it gets: number, si_code,
 * value, "from" and the sender. It ends with 7 once signal 64 has come twice, and with 1 after 60 s
 *   without a signal.
 * - hear send PID FILE: sends PID each signal from 1 to 64 but KILL and STOP, by kill(2), then 64
 *   again. Each once the one before is in the file, since a stop takes a SIGCONT away that nobody
 * has read yet.
 * - hear queue PID N V: sends PID signal N with the value V, and prints its own process ID.
 * - hear kill PID N: sends PID signal N by kill(2).
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LAST        64
#define KERNEL_NSIG 8

static int listen_to_all(const char *file)
{
	const struct timespec patience = {.tv_sec = 60};
	int out = open(file, O_WRONLY | O_CREAT | O_APPEND, 0666), last = 0;
	sigset_t all;

	memset(&all, 0xff, sizeof all);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, KERNEL_NSIG);
	dprintf(out, "ready\n");
	while (last < 2) {
		siginfo_t info = {.si_signo = 0};
		long got = syscall(SYS_rt_sigtimedwait, &all, &info, &patience, KERNEL_NSIG);
		if (got < 0)
			return 1;
		dprintf(out, "%ld %d %d from %d\n", got, info.si_code,
		        info.si_code == SI_QUEUE ? info.si_value.sival_int : 0, (int)info.si_pid);
		last += got == LAST;
	}
	return 7;
}

static int queue(int pid, int signal, int value)
{
	siginfo_t info = {.si_signo = signal, .si_code = SI_QUEUE};

	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_int = value;
	printf("%d\n", getpid());
	return syscall(SYS_rt_sigqueueinfo, pid, signal, &info) ? 1 : 0;
}

static int count_lines(const char *file)
{
	FILE *f = fopen(file, "r");
	int n = 0;

	if (!f)
		return 0;
	for (int c = getc(f); c != EOF; c = getc(f))
		n += c == '\n';
	fclose(f);
	return n;
}

static int send_all(int pid, const char *file)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	for (int s = 1; s <= LAST; s++) {
		int before = count_lines(file);
		if (s == SIGKILL || s == SIGSTOP)
			continue;
		if (kill(pid, s))
			return 1;
		for (int i = 0; i < 60000 && count_lines(file) == before; i++)
			nanosleep(&moment, NULL);
	}
	return kill(pid, LAST) ? 1 : 0;
}

int main(int argc, char **argv)
{
	const char *deed = argc > 2 ? argv[1] : "";
	int pid = argc > 2 ? atoi(argv[2]) : 0;

	if (strcmp(deed, "log") == 0)
		return listen_to_all(argv[2]);
	if (strcmp(deed, "queue") == 0 && argc == 5)
		return queue(pid, atoi(argv[3]), atoi(argv[4]));
	if (strcmp(deed, "kill") == 0 && argc == 4)
		return kill(pid, atoi(argv[3])) ? 1 : 0;
	return strcmp(deed, "send") == 0 && argc == 4 ? send_all(pid, argv[3]) : 2;
}
