/*
 * job_file: the one file of a job on a node, to which its recordings are appended as they end
 * (core/files/recordings.h), and the folders of Slurm's plugin.
 *
 *   DIR/UID/YYYY-MM-DD/JOB-NODE.json.gz           the file; DIR is root's, DIR/UID the user's
 *   SPOOL/UID/YYYY-MM-DD/JOB-NODE/STEP.json.gz    a recording that is not in it yet, on the node's
 *                                                 own disk; its journal is beside it
 *   DIR/UID/YYYY-MM-DD/JOB-NODE.STEP.copy.json.gz.partial
 *                                                 a copy of that journal (--sync), in case that the
 *                                                 node does not come back (report/input/input.h)
 */
#ifndef COLLECT_OUTPUT_JOB_FILE_H
#define COLLECT_OUTPUT_JOB_FILE_H

#include <stdint.h>
#include <sys/types.h>

#include "core/base/err.h"

/* Appends the recording `file`, as snapshot_file_write leaves it, to the file `to`, and removes it.
 * The folder of `to` is made, and its time is that of the last recording; it must be the user's,
 * the one above the user's or root's, and neither a link. It is one write under a lock, waited
 * for as long as others append; what a crash left of an earlier one is cut off before, and nothing
 * else. A recording that `to` has already is not appended again. 0, or -1 with a sentence: then
 * `file` stays, and `to` is as it was. JOB_FILE_BUSY: another process appends it. If a file server
 * is gone, it may never return: only a signal (alarm(2)) ends the process then. */
#define JOB_FILE_BUSY 1
int job_file_append(const char *file, const char *to, struct err *e);

/* Copies what is new of the first n bytes of a journal to the copy that belongs to its recording
 * `file` and to the file `to`: in one write. If the journal is no longer there afterwards, the
 * recording has ended, and the copy is removed. For a process that may wait for the file server;
 * what fails is left to the next time. */
void job_file_copy(const char *journal, uint64_t n, const char *file, const char *to);

/* Removes the copy, once job_file_append has appended the recording. */
void job_file_remove_copy(const char *file, const char *to);

/* Makes DIR/UID, which only this user may read; as root, so that nobody else can make it first.
 * Nothing follows a link that a user might have put there. For a child of a process with threads,
 * too. 0, or -1: DIR is not there or cannot be written to, or another one's folder has the name. */
int job_file_make_folder(const char *dir, uid_t uid, gid_t gid);

#endif
