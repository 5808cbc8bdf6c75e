/* fallback_exec: the command without a recording. */
#include "collect/command/fallback_exec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "collect/command/phase_fifo.h"
#include "collect/run.h"

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

	(void)prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0); /* which exec keeps */
	if (b->files.rlim_max)
		(void)setrlimit(RLIMIT_NOFILE, &b->files);
	if (!b->mark || setenv(PHASE_FIFO_VARIABLE, b->mark, 1))
		unsetenv(PHASE_FIFO_VARIABLE);
	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &b->actions[i], NULL);
	sigprocmask(SIG_SETMASK, &b->mask, NULL);
	execvp(command[0], command);
	why = errno;
	err_set(e, "%s: %s", command[0], strerror(why));
	return why == ENOENT ? RUN_NOT_FOUND : RUN_NOT_RUNNABLE;
}
