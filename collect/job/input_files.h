/*
 * input_files: which files a command is given to read, and how large they are (docs/snapshot.md,
 * inputs).
 *
 * Files are looked at by name, never opened, and no automount is triggered. It is done before the
 * command starts, so it ends after INPUT_FILES_WAIT_MS, or after the first call that took longer;
 * then the sum is unknown. On a local disk a word takes 1 to 2 microseconds.
 *
 *   input_files_find(&files, &snapshot, command, &option, true);
 *   … the command runs …
 *   input_files_end(&files, &snapshot);
 */
#ifndef COLLECT_JOB_INPUT_FILES_H
#define COLLECT_JOB_INPUT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "core/base/opts.h"
#include "core/recording/snapshot.h"

#define INPUT_FILES_WAIT_MS 100

/* Valid when zero: nothing was found. */
struct input_files {
	struct input_file {
		char *path; /* in the snapshot's arena, as it is; NULL: standard input */
		struct stat before;
	} v[SNAPSHOT_INPUTS_MAX]; /* those of snapshot.inputs.v */
};

/* Fills s->inputs: from a command, NULL-terminated, whose redacted words s->job.argv has, or NULL;
 * from files that an option names, and RTRACK_INPUT. Without names they are left out. What finds no
 * memory is left out (alloc_failed). */
void input_files_find(struct input_files *f, struct snapshot *s, char *const *command,
                      const struct opts_list *option, bool names);

/* Marks those that were written meanwhile. */
void input_files_end(const struct input_files *f, struct snapshot *s);

/* A word of a command line, and the file that it may name. */
struct input_word {
	const char *option; /* before the first '=', n bytes; NULL: none */
	size_t n;
	const char *file; /* NULL: it cannot be a file */
	bool output;      /* the option is one for outputs */
};

/* before: the word before it, or NULL. Pure; points into the words. */
struct input_word input_files_word(const char *word, const char *before);

#endif
