/*
 * verdict_end: how a run ended, in words.
 */
#ifndef REPORT_VERDICT_VERDICT_END_H
#define REPORT_VERDICT_VERDICT_END_H

#include "report/runs/load.h"

/* A sentence: "The job failed with exit status 2." Returns out. */
const char *verdict_end_sentence(const struct run *run, char out[256]);

/* A few words: "exit status 2". Returns out. */
const char *verdict_end_words(const struct run *run, char out[64]);

/* "TERM", or the number of a signal without a name; "" for 0. */
const char *verdict_end_signal(int signal, char out[16]);

#endif
