/*
 * snapshot_read: reads a recording: rtrack's file or journal, or another tool's JSON or CSV.
 *
 *	struct snapshot s = {.budget = &budget};
 *	if (snapshot_read_file(&s, path, e))
 *		return -1;
 *	...
 *	snapshot_free(&s);
 */
#ifndef CORE_FILES_SNAPSHOT_READ_H
#define CORE_FILES_SNAPSHOT_READ_H

#include "core/recording/snapshot.h"

/* The resources that all recordings of one command may still use together. Each read subtracts what
 * it used, even if it fails. */
struct snapshot_budget {
	uint64_t bytes; /* of inflated content */
	size_t cells;   /* numbers in the metric blocks */
};
#define SNAPSHOT_BUDGET_BYTES ((uint64_t)4 << 30)
#define SNAPSHOT_BUDGET_CELLS ((size_t)256 << 20) /* 50 days at 1 s, 1,000 runs of 2 hours */

#define SNAPSHOT_BYTES_MAX ((uint64_t)2 << 30) /* of one recording, inflated */

/* Reads a recording of any dialect, or a journal, from fd into *s, which must be empty. name names
 * the file in sentences. Values are in base units in any case. On -1 the sentence names the file
 * and the byte or the key, and *s is empty. Caps: 2 GiB inflated, 32
 * levels, 1 MiB a string, FRAME_ROWS_MAX rows, and what s->budget has left. */
int snapshot_read(struct snapshot *s, int fd, const char *name, struct err *e);

/* Opens path (regular files and pipes only, or standard input, see standard_input.h) and reads it.
 */
int snapshot_read_file(struct snapshot *s, const char *path, struct err *e);

/* How much of a recording is read. What does not allow less is read whole: a pipe, a journal, CSV,
 * and a head that stands after metrics or lacks the statistics of a column. */
enum snapshot_want {
	SNAPSHOT_WANT_ROWS,     /* all but the overview */
	SNAPSHOT_WANT_HEAD,     /* what stands before the overview and the rows: s->head_only */
	SNAPSHOT_WANT_OVERVIEW, /* the head with the overview: s->overview */
};

int snapshot_read_path(struct snapshot *s, const char *path, enum snapshot_want want,
                       struct err *e);

/* The same of the recording that begins at this byte of a file of several (recordings.h). */
int snapshot_read_at(struct snapshot *s, const char *path, uint64_t at, enum snapshot_want want,
                     struct err *e);

/* The same from a source (core/base/gz.h), from its beginning, once or twice; s->budget stays.
 * Returns SNAPSHOT_IS_JOURNAL, with *s empty, for a journal: that must be a file. */
#define SNAPSHOT_IS_JOURNAL 2
struct gz_source;
int snapshot_read_from(struct snapshot *s, const struct gz_source *from, const char *name,
                       enum snapshot_want want, struct err *e);

/* The same for the content of the file that name names, inflated before (gz_in_text): it may change
 * meanwhile. A journal is refused. */
int snapshot_read_text(struct snapshot *s, const char *text, size_t n, const char *name,
                       struct err *e);

/* Whether path is a regular file that looks like a recording, perhaps damaged: a journal, or a JSON
 * object with one of the metric blocks. No output of a template looks like that. */
bool snapshot_recognise(const char *path);

/* Whether path may be a recording: it looks like one, or is gzipped, as one that is damaged, or
 * cannot be read. */
bool snapshot_read_may_be(const char *path);

#endif
