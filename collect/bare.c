/* bare: the command without a recording. */
#include "bare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "mark.h"
#include "run.h"

void bare_save(struct bare *b)
{
	sigprocmask(SIG_SETMASK, NULL, &b->mask);
	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, NULL, &b->actions[i]);
	if (getrlimit(RLIMIT_NOFILE, &b->files))
		b->files.rlim_max = 0;
	b->mark = getenv(MARK_VARIABLE);
}

int bare_run(const struct bare *b, char *const *command, struct err *e)
{
	int why;

	(void)prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0); /* which exec keeps */
	if (b->files.rlim_max)
		(void)setrlimit(RLIMIT_NOFILE, &b->files);
	if (!b->mark || setenv(MARK_VARIABLE, b->mark, 1))
		unsetenv(MARK_VARIABLE);
	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &b->actions[i], NULL);
	sigprocmask(SIG_SETMASK, &b->mask, NULL);
	execvp(command[0], command);
	why = errno;
	err_set(e, "%s: %s", command[0], strerror(why));
	return why == ENOENT ? RUN_NOT_FOUND : RUN_NOT_RUNNABLE;
}
