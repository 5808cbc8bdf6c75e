/*
 * bare: the command without a recording, where none can be set up: there is too little memory, or
 * too few files may be open. The job matters more than its recording.
 */
#ifndef COLLECT_BARE_H
#define COLLECT_BARE_H

#include <signal.h>
#include <sys/resource.h>

#include "../core/err.h"

/* What a process hands on to the program that it becomes, and setting up a recording changes. */
struct bare {
	sigset_t mask;
	struct sigaction actions[NSIG];
	struct rlimit files;
	const char *mark; /* of a recording around this one; NULL: none */
};

void bare_save(struct bare *b);

/* Becomes the command, as if it had been started without us. Returns only where that failed: the
 * status to exit with, and a sentence. */
int bare_run(const struct bare *b, char *const *command, struct err *e);

#endif
