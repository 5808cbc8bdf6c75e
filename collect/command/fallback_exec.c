/* fallback_exec: runs the command without a recording. */
#include "collect/command/fallback_exec.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "collect/command/command.h"
#include "collect/command/exit_status.h"
#include "collect/command/phase_fifo.h"

void fallback_exec_save(struct fallback_exec *b)
{
	sigprocmask(SIG_SETMASK, NULL, &b->mask);
	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, NULL, &b->actions[i]);
	if (getrlimit(RLIMIT_NOFILE, &b->files))
		b->files.rlim_max = 0;
	b->mark = getenv(PHASE_FIFO_VARIABLE);
}

int fallback_exec_run(const struct fallback_exec *b, char *const *command, struct err *e)
{
	int why;

	(void)prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0); /* execve(2) would keep it */
	if (b->files.rlim_max)
		(void)setrlimit(RLIMIT_NOFILE, &b->files);
	if (!b->mark || setenv(PHASE_FIFO_VARIABLE, b->mark, 1))
		unsetenv(PHASE_FIFO_VARIABLE);
	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &b->actions[i], NULL);
	sigprocmask(SIG_SETMASK, &b->mask, NULL);
	why = command_exec(command);
	err_set(e, "%s: %s", command[0], exit_status_reason(command[0], why));
	return exit_status_of(why);
}
