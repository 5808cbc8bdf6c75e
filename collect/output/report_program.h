/*
 * report_program: runs rtrack-report, which alone has the network, for uploads and downloads.
 *
 * It runs beside the job, not in it: in a session of its own, without the job's descriptors and
 * terminal, and without RTRACK_MARK. A process between it and the recorder reaps it, so that
 * wait(2) for the job never sees it.
 */
#ifndef COLLECT_OUTPUT_REPORT_PROGRAM_H
#define COLLECT_OUTPUT_REPORT_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "collect/command/background.h"
#include "collect/procfs/fd_limit.h"
#include "core/base/err.h"

enum report_program_way {
	REPORT_PROGRAM_FED,      /* its standard input says how it goes on; it outlives us */
	REPORT_PROGRAM_OUTLIVES, /* outlives us as well */
	REPORT_PROGRAM_ENDS,     /* ends with us, as by Ctrl-C */
};

/* {0}: it does not run. */
struct report_program {
	struct background process;
	int in; /* its standard input; -1: none */
	bool ended;
	int status;      /* once it has ended: its exit status; -1: it was killed */
	bool in_status;  /* the next byte is the status */
	char line[1024]; /* of its standard error, not ended yet */
	size_t n;
};

/* Finds it beside this program, else in PATH. -1 with a sentence. */
int report_program_find(char path[PATH_MAX], struct err *e);

/* Starts it. argv[0] is its path. files: the limit of open files that is restored; NULL: none. -1
 * with a sentence. */
int report_program_start(struct report_program *p, const char *const *argv,
                         enum report_program_way way, const struct fd_limit *files, struct err *e);

/* To poll for POLLIN; -1 if it does not run or has ended. */
int report_program_fd(const struct report_program *p);

/* Once the descriptor is ready: calls say for each whole line of its standard error, without the
 * program's name. Notices its end. Never blocks. */
void report_program_read(struct report_program *p, void (*say)(void *ctx, const char *line),
                         void *ctx);

/* Closes its standard input. */
void report_program_hang_up(struct report_program *p);

/* Writes a line to its standard input, and closes it. */
bool report_program_tell(struct report_program *p, const char *line);

/* Waits for its end, for those who have nothing else to do. Returns the status; what it said last
 * is in *said. */
int report_program_wait(struct report_program *p, struct err *said);

/* Kills it, if kill_it is set, else leaves it alone, and closes its descriptors. */
void report_program_close(struct report_program *p, bool kill_it);

#endif
