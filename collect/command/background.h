/*
 * background: a process that finds something out while the command runs, and writes one answer
 * into a pipe.
 *
 * It disturbs neither the recording nor the command: it inherits no file descriptor but the pipe,
 * has a session of its own and default signals. Its exit signal is 0, so wait(2) for the command
 * and its orphans ignores it, and it sends no SIGCHLD.
 */
#ifndef COLLECT_COMMAND_BACKGROUND_H
#define COLLECT_COMMAND_BACKGROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BACKGROUND_FD     3 /* in the process: the pipe for its answer, written in one write(2) */
#define BACKGROUND_LIFE_S 3 /* then it is killed, unless it ends itself */

/* {0}: it does not run. */
struct background {
	int pid, fd;
	bool ends_itself;
};

/* Starts a process that calls work and ends. name: of the process, at most 15 bytes. ends_itself:
 * the process has children of its own, and ends with them in time, or as soon as nobody reads the
 * pipe (POLLERR), so that it need not be killed, which they would survive. in: becomes its standard
 * input; -1: it has none. 0, or -1: errno says why. */
int background_start(struct background *b, const char *name, bool ends_itself, int in,
                     void (*work)(const void *ctx), const void *ctx);

/* To poll for POLLIN; -1 if it does not run. */
int background_fd(const struct background *b);

/* Once the descriptor is ready: reads the answer and ends the process. Optional: without it the
 * process stays a zombie until the end. Returns whether the answer has exactly n bytes; they come
 * from a process that parsed hostile text. */
bool background_read(struct background *b, void *answer, size_t n);

/* The same, but waits for the answer until a time of CLOCK_MONOTONIC, and ends the process in any
 * case. */
bool background_wait(struct background *b, int64_t deadline_ns, void *answer, size_t n);

/* Ends the process, if it runs. */
void background_end(struct background *b);

#endif
