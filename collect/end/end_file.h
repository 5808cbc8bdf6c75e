/*
 * end_file: how a command ended, as JSON for the engine that started it (--end-file, of which
 * docs/recipes.md has the members), and whether memory ended it (--oom-status).
 */
#ifndef COLLECT_END_END_FILE_H
#define COLLECT_END_END_FILE_H

#include <stdbool.h>

#include "core/base/err.h"
#include "core/recording/snapshot.h"

/* Opens the file and empties it, so that an earlier end is never read as this one: it stays empty
 * until the command has ended. Returns the descriptor (close-on-exec), or -1 with a sentence. */
int end_file_open(const char *path, struct err *e);

/* Whether memory ended the command, by evidence: a process of the job that the kernel's OOM killer
 * or a launcher ended for its memory, and a command that did not succeed. s->end is filled in. */
bool end_file_by_memory(const struct snapshot *s);

/* Writes the end, with the status that the recorder exits with, and closes fd. Returns 0, or -1
 * with a sentence. */
int end_file_write(int fd, const struct snapshot *s, int status, struct err *e);

#endif
