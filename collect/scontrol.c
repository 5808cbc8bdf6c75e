/* scontrol: asks Slurm's scontrol what a job asked for. */
#include "collect/scontrol.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/job/asked_text.h"
#include "collect/machine/clocks.h"

#define TEXT_MAX 16384 /* of scontrol's line; long paths come after what is read of it */
#define ID_MAX   20

#define REAP_TRIES 1000 /* of 1 ms each; what cannot be killed is not waited for longer */

bool scontrol_is_job(const char *id)
{
	size_t n = strspn(id, "0123456789");

	return n > 0 && n <= ID_MAX && !id[n];
}

static void exec_scontrol(const char *id, int out)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	(void)setpgid(0, 0);
	if (dup2(out, STDOUT_FILENO) >= 0)
		(void)execlp("scontrol", "scontrol", "show", "job", "-o", id, (char *)NULL);
	_exit(127);
}

/* Reads until scontrol closes its output. Returns the length, or 0 if the time is up or nobody
 * waits for the answer. */
static size_t read_line(int from, int answer, char text[TEXT_MAX])
{
	int64_t deadline = clocks_now(CLOCK_MONOTONIC) + SCONTROL_LIMIT_MS * INT64_C(1000000);
	size_t n = 0;
	ssize_t got = 1;

	while (got > 0 && n < TEXT_MAX) {
		struct pollfd fds[] = {{.fd = from, .events = POLLIN}, {.fd = answer}};
		int64_t left = (deadline - clocks_now(CLOCK_MONOTONIC)) / 1000000;
		if (left <= 0 || (poll(fds, 2, (int)left) < 0 && errno != EINTR) || fds[1].revents)
			return 0;
		if (!fds[0].revents)
			continue;
		got = read(from, text + n, TEXT_MAX - n);
		if (got > 0)
			n += (size_t)got;
	}
	return n;
}

/* Kills scontrol with all that it started, and adopts and reaps them: otherwise they would become
 * children of the recorder, and be counted as the job's. */
static void kill_group(pid_t pid)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	pid_t got = 0;

	(void)kill(-pid, SIGKILL);
	(void)kill(pid, SIGKILL);
	for (int i = 0; i < REAP_TRIES && got >= 0; i++) {
		while ((got = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (got == 0)
			(void)nanosleep(&pause, NULL);
	}
}

struct asked_text_job scontrol_job(const char *id, int answer)
{
	char text[TEXT_MAX];
	struct asked_text_job job = {NAN, NAN, NAN};
	int ends[2];
	pid_t pid;

	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (pipe2(ends, O_CLOEXEC))
		return job;
	pid = fork();
	if (pid == 0)
		exec_scontrol(id, ends[1]);
	close(ends[1]);
	if (pid > 0) {
		(void)setpgid(pid, pid);
		job = asked_text_scontrol(text, read_line(ends[0], answer, text));
		kill_group(pid);
	}
	close(ends[0]);
	return job;
}
