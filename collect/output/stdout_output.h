/*
 * stdout_output: --output -, a snapshot for standard output.
 *
 * The recording is written to disk first, into a new folder that nobody else can write to, below
 * $TMPDIR or /tmp. When it is complete it is copied, and the folder is removed; if the reader goes
 * away it stays. It is plain JSON.
 */
#ifndef COLLECT_OUTPUT_STDOUT_OUTPUT_H
#define COLLECT_OUTPUT_STDOUT_OUTPUT_H

#include "collect/output/snapshot_file.h"
#include "core/base/err.h"

/* output may be NULL. */
bool stdout_output_is(const char *output);

/* Makes the folder, and sets file->path. v as for snapshot_file_name(). -1 with a sentence. */
int stdout_output_name(struct snapshot_file *file, const struct snapshot_file_values *v,
                       struct err *e);

/* Copies the snapshot to fd, and removes it and its folder. -1 with a sentence: it is kept. */
int stdout_output_copy(const char *path, int fd, struct err *e);

/* Removes the folder of path if it is empty. */
void stdout_output_clean(const char *path);

#endif
