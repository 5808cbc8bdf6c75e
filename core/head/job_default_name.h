/*
 * job_default_name: what a person would call a command that nobody named (rtrack-collect --name).
 *
 * An interpreter is named by what it runs: its script, the module of `-m`, the jar, the workflow
 * file; "make -C src TARGET"; "bash-1a2b3c4d" with a hash of the text of `-c TEXT`. A script has
 * its folder in front, as it was typed, "a/run.py"; an absolute path has the last folder only, and
 * the one before that if many projects have such a folder (src, scripts, bin). Folders that are
 * made anew for each run (temporary ones, hashes, job numbers) are left out. Launchers (env,
 * timeout, srun, conda run, ...) are named by the command that they start, a container by its image
 * where the command may be only arguments. Any other command has the file name of its program.
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

/* Whether a name is the file name of the program. */
bool job_default_name_was(const char *name, const char *program);

/* Appends the name of a recording: made anew if it is one that an earlier version made of this
 * command, by the file name of the program, or of the script without its folder. So --name with
 * just that counts as not given. name: may be NULL. */
void job_default_name_anew(const char *name, const char *const *argv, size_t argc, struct buf *out);

/* Appends the name of a row, whose command line has its words between blanks: made anew if it is
 * one that an earlier version made. The text of `-c` cannot be told there from what follows it:
 * such a row keeps its name. */
void job_default_name_of_line(const char *name, const char *line, struct buf *out);

#endif
