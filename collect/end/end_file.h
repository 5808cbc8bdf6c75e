/*
 * end_file: how a command ended, as JSON for the engine that started it (--end-file, of which
 * docs/recipes.md has the members), and whether memory ended it (--oom-status).
 */
#ifndef COLLECT_END_END_FILE_H
#define COLLECT_END_END_FILE_H

#include "core/base/err.h"
#include "core/recording/snapshot.h"

/* Opens the file and empties it, so that an earlier end is never read as this one: it stays empty
 * until the command has ended. Returns the descriptor (close-on-exec), or -1 with a sentence. */
int end_file_open(const char *path, struct err *e);

/* *status becomes oom_status (0: it stays) if memory ended the command, by evidence: a process of
 * the job that the kernel's OOM killer or a launcher ended for its memory, and a command that did
 * not succeed. Then writes the end, with that status, to fd (-1: nowhere) and closes it. Returns 0,
 * or -1 with a sentence. s->end is filled in. */
int end_file_tell(int fd, long oom_status, const struct snapshot *s, int *status, struct err *e);

#endif
