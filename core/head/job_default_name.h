/*
 * job_default_name: what a person would call a command that nobody named (rtrack-collect --name).
 *
 * An interpreter is named by what it runs: the file name of its script, the module of `-m`, the
 * jar, the workflow file; "make TARGET"; "bash-1a2b3c4d" with a hash of the text of `-c TEXT`.
 * Launchers (env, timeout, srun, conda run, ...) are named by the command that they start, a
 * container by its image where the command may be only arguments. Any other command has the file
 * name of its program. So two scripts never share a history by chance.
 */
#ifndef CORE_HEAD_JOB_DEFAULT_NAME_H
#define CORE_HEAD_JOB_DEFAULT_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"

/* Appends the name of the command argv[0 … argc - 1], as it is recorded: redacted, as a hash of
 * anything else could tell a secret. Nothing for argc 0. False if it is only that of an
 * interpreter, whose program comes from standard input or from a file that a scheduler or a CI made
 * for this run. */
bool job_default_name(const char *const *argv, size_t argc, struct buf *out);

/* Whether a name is what earlier recorders called a command: the file name of its program. Such a
 * recording is named anew when it is read. */
bool job_default_name_was(const char *name, const char *program);

/* Appends the name of a row, whose command line has its words between blanks: made anew if it is
 * what earlier recorders called it. The text of `-c` cannot be told there from what follows it:
 * such a row keeps its name. */
void job_default_name_of_line(const char *name, const char *line, struct buf *out);

#endif
