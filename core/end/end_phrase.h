/*
 * end_phrase: parts of the sentence on why a run ended (end_cause.h), each appended to the text. A
 * part whose facts are not known appends nothing.
 */
#ifndef CORE_END_END_PHRASE_H
#define CORE_END_END_PHRASE_H

#include "core/base/buf.h"
#include "core/recording/snapshot.h"

#define END_PHRASE_LATELY_S  5  /* an OOM kill so long before the end may be the end */
#define END_PHRASE_FOLLOWS_S 60 /* an end so long after a signal follows it */

void end_phrase_bytes(struct buf *b, double bytes); /* "7.6 GiB" */
void end_phrase_span(struct buf *b, double s);      /* "3 s", "55 min" */
void end_phrase_signal(struct buf *b, int signal);  /* "SIGTERM" */

/* "2 of its processes"; "its process sort (pid 77)"; "2 processes in its cgroup", which others use
 * as well; "2 processes of the machine" */
void end_phrase_victims(struct buf *b, const struct snapshot_evidence *e);

/* " because its container's memory, 8 GiB, ran out" */
void end_phrase_memory_out(struct buf *b, const struct snapshot_evidence *e);

/* ": python had 7.6 GiB and grew by 210 MiB a second" */
void end_phrase_largest(struct buf *b, const struct snapshot_evidence *e);

/* ", at 100 % of its time limit of 60 min", where it was near */
void end_phrase_time(struct buf *b, const struct snapshot_evidence *e);

/* The latest signal that asks a process to end, END_PHRASE_FOLLOWS_S before the end at most; with
 * a signal, only that one. NULL: none. */
const struct snapshot_end_signal *end_phrase_last_signal(const struct snapshot_evidence *e,
                                                         int signal);

/* " from slurmstepd (pid 42)" */
void end_phrase_sender(struct buf *b, const struct snapshot_end_signal *s);

/* ". 3 s earlier it got SIGTERM from slurmstepd (pid 42)", after by, and end_phrase_time */
void end_phrase_warned(struct buf *b, const struct snapshot_evidence *e, const char *by);

/* Of SIGKILL: that it was no OOM kill, as far as the counters say; or that it may have been one. */
void end_phrase_no_oom(struct buf *b, const struct snapshot_evidence *e);
void end_phrase_oom_maybe(struct buf *b, const struct snapshot_evidence *e);

/* Whether a disk is full that was not when the job began; ": /scratch had 0 B left" */
bool end_phrase_has_filled(const struct snapshot_evidence *e);
void end_phrase_disks(struct buf *b, const struct snapshot_evidence *e);

/* ": 0.1 s earlier, SIGSEGV had ended its process sort (pid 77)", after by; the same as a sentence
 * of its own, begun by a full stop, of a death that is no cause, if there was one */
void end_phrase_death(struct buf *b, const struct snapshot_end_death *d, const char *by);
void end_phrase_death_before(struct buf *b, const struct snapshot_end_death *d);

/* "; no OOM kill and no killed process was seen; the disks of …, had 12 GiB left or more" */
void end_phrase_nothing(struct buf *b, const struct snapshot_evidence *e);

/* ". Slurm calls that OUT_OF_MEMORY", of a step of it */
void end_phrase_slurm(struct buf *b, const struct snapshot_evidence *e);

/* ". Each process could use 1 s of CPU time (ulimit -t), …", if this signal may come from that */
void end_phrase_cpu(struct buf *b, const struct snapshot_evidence *e, int signal);

/* Sentences of their own, each begun by a full stop: limits that it had; OOM kills before the end,
 * and those in a cgroup that others use as well. */
void end_phrase_hints(struct buf *b, const struct snapshot_evidence *e);
void end_phrase_earlier_oom(struct buf *b, const struct snapshot_evidence *e);

#endif
