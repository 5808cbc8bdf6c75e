/*
 * verdict_end: how a run ended, in words.
 */
#ifndef REPORT_VERDICT_VERDICT_END_H
#define REPORT_VERDICT_VERDICT_END_H

#include "report/runs/load.h"

#define VERDICT_END_MAX 1536

/* A sentence with what the recorder found out about why the run ended; NULL: nothing, it ended
 * well, or an older version recorded it. In a run with parts, it is about the part that says how it
 * ended. */
const char *verdict_end_why(const struct run *run);

/* A sentence: "The job failed with exit status 2.", or why it ended; of a run of several nodes or
 * tasks both. Returns out. */
const char *verdict_end_sentence(const struct run *run, char out[VERDICT_END_MAX]);

/* A few words: "exit status 2". Returns out. */
const char *verdict_end_words(const struct run *run, char out[64]);

/* "TERM", or the number of a signal without a name; "" for 0. */
const char *verdict_end_signal(int signal, char out[16]);

/* The meaning of the exit status or signal, by convention: static. NULL: none is known. */
const char *verdict_end_meaning(const struct snapshot *s);

#endif
