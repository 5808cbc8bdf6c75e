/*
 * fallback_exec: the command without a recording, where none can be set up: there is too little
 * memory, or
 * too few files may be open. The job matters more than its recording.
 */
#ifndef COLLECT_COMMAND_FALLBACK_EXEC_H
#define COLLECT_COMMAND_FALLBACK_EXEC_H

#include <signal.h>
#include <sys/resource.h>

#include "core/err.h"

/* What a process hands on to the program that it becomes, and setting up a recording changes. */
struct fallback_exec {
	sigset_t mask;
	struct sigaction actions[NSIG];
	struct rlimit files;
	const char *mark; /* of a recording around this one; NULL: none */
};

void fallback_exec_save(struct fallback_exec *b);

/* Becomes the command, as if it had been started without us. Returns only where that failed: the
 * status to exit with, and a sentence. */
int fallback_exec_run(const struct fallback_exec *b, char *const *command, struct err *e);

#endif
