/*
 * snapshot_file: names the snapshot and its journal, and writes the snapshot.
 *
 * The snapshot is written to a new file of mode 0600 in the same folder, synced, and renamed. So it
 * is never incomplete. A symbolic link with its name is replaced, not followed: in a folder that
 * all may write to, another user may have made it. A link to a device, a FIFO or a directory is
 * refused, and so is all of /dev.
 */
#ifndef COLLECT_OUTPUT_SNAPSHOT_FILE_H
#define COLLECT_OUTPUT_SNAPSHOT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

#include "collect/job/part.h"
#include "core/base/err.h"
#include "core/files/journal.h"
#include "core/numbers/metric.h"
#include "core/recording/snapshot_source.h"

#define SNAPSHOT_FILE_DEFAULT "rtrack-%h-%p-%t.json.gz" /* the name without --output */

struct snapshot_file {
	char path[PATH_MAX];
	char journal[PATH_MAX]; /* set by snapshot_file_journal */
	double min_s;           /* of a run that took less and did not fail only a sum is written */
	bool keep;              /* do not replace an existing file */
	bool moved;             /* set by snapshot_file_write: another recorder took the name */
	bool watched;           /* set by snapshot_file_journal, as is the next: */
	struct stat before;     /* the file that may be replaced; .st_ino 0: there was none */
	const char *like;       /* set by snapshot_file_free_name */
	char kept[PATH_MAX];    /* set by snapshot_file_write: the new name of an earlier recording
	                           that had this name; "": there was none */
	int kept_as_is;         /* errno: .kept is a temporary name, as it could not be renamed */
};

/* The letters that may follow % in the name of the file: X(letter, help, source). Source: an enum
 * part_value, or one of snapshot_file.c's. */
#define SNAPSHOT_FILE_LETTERS(X)                                                                   \
	X("h", "host", HOST)                                                                       \
	X("p", "process ID", PID)                                                                  \
	X("t", "UTC time", TIME)                                                                   \
	X("j", "job ID of the scheduler", PART_JOB)                                                \
	X("a", "index in the job array", PART_INDEX)                                               \
	X("N", "node", PART_NODE)                                                                  \
	X("r", "rank of the task", PART_RANK)                                                      \
	X("n", "job name", PART_JOB_NAME)

/* The values that they stand for. Strings are borrowed. */
struct snapshot_file_values {
	const char *host;
	long pid;
	time_t now;
	const struct part *part;
	const char *name; /* of the job */
};

/* Sets o->path: replaces the letters in the pattern, %t by 20261121T065151Z, and %% by %. Bytes of
 * a text other than letters, digits, '.' and '-' become '_', and it is cut at 64 bytes. Returns 0,
 * or -1 with a sentence: for a letter without a value, it names the variable that is missing. */
int snapshot_file_name(struct snapshot_file *o, const char *pattern,
                       const struct snapshot_file_values *v, struct err *e);

/* Sets o->path to like, which is borrowed, or to the first free name of run.2.json.gz,
 * run.3.json.gz … It is chosen again if another file has it when the snapshot is written. -1 with a
 * sentence. */
int snapshot_file_free_name(struct snapshot_file *o, const char *like, struct err *e);

/* Checks that the file can be written: the directory is writable, and a file with this name, if
 * any, may be replaced. Returns 0, or -1 with a sentence. */
int snapshot_file_check(const struct snapshot_file *o, struct err *e);

/* Creates the journal PATH.partial, as journal_create does. If that exists (of another recording,
 * running or killed), uses the first free name of PATH.partial.2 to .100, and then random numbers.
 * Returns NULL with a sentence and errno on failure. */
struct journal *snapshot_file_journal(struct snapshot_file *o, struct snapshot *s, struct err *e);

/* Checks that the CSV behind fd is neither the snapshot nor one of its journals. csv: the name that
 * fd was opened by; NULL: standard output. Returns 0, or -1 with a sentence. */
int snapshot_file_apart(const struct snapshot_file *o, const char *csv, int fd, struct err *e);

/* Writes the snapshot, gzipped unless its name ends in ".json". After snapshot_file_journal, only
 * the file of that time is replaced: if another recorder has written one since, both are kept, the
 * second under the first free name of run.2.json.gz …; o->moved, and o->path is that name. If the
 * file of that time is a recording, it is not lost: it gets such a name, o->kept. Returns 0, or -1
 * with a sentence and PATH unchanged. */
int snapshot_file_write(struct snapshot_file *o, struct snapshot *s,
                        const struct snapshot_source *rows, struct err *e);

#endif
