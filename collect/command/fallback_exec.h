/*
 * fallback_exec: runs the command without a recording, because there is too little memory for one
 * or too few files may be open. The job matters more than its recording.
 */
#ifndef COLLECT_COMMAND_FALLBACK_EXEC_H
#define COLLECT_COMMAND_FALLBACK_EXEC_H

#include <signal.h>
#include <sys/resource.h>

#include "core/base/err.h"

/* Everything that a program inherits and that setting up a recording changes. */
struct fallback_exec {
	sigset_t mask;
	struct sigaction actions[NSIG];
	struct rlimit files;
	const char *mark; /* $RTRACK_MARK of an enclosing recording; NULL: none */
};

/* Saves the state of the process. Call it before run(). */
void fallback_exec_save(struct fallback_exec *b);

/* Restores the saved state and replaces this process by the command. Returns only on failure: the
 * status to exit with, and a sentence. */
int fallback_exec_run(const struct fallback_exec *b, char *const *command, struct err *e);

#endif
