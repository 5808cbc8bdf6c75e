/*
 * asked_sources: what was asked for, as the user says it (cpus=8,memory=32GiB,gpus=1,time=4h), and
 * put together from its sources: the first that has an amount wins. docs/asked.md lists both.
 */
#ifndef COLLECT_JOB_ASKED_SOURCES_H
#define COLLECT_JOB_ASKED_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/recording/snapshot.h"

/* Reads one amount, in base units. False, with *out unchanged, if it is none or out of bounds. */
bool asked_sources_amount(enum snapshot_asked_id id, const char *text, size_t n, double *out);

/* Whether a value from any source is plausible: finite, not negative, and below a bound that no
 * machine reaches. Only GPUs may be 0, and nodes and tasks are whole numbers. */
bool asked_sources_plausible(enum snapshot_asked_id id, double v);

/* Reads a list. values become NAN where the list has none. Pairs whose value is empty or 0 are
 * left out if skip_unset, else they are errors. 0, or -1 with a sentence about the first bad pair;
 * the good ones are read nevertheless. */
int asked_sources_list(const char *text, bool skip_unset, double values[SNAPSHOT_ASKED_N],
                       struct err *e);

/* Nothing is known. */
void asked_sources_clear(struct snapshot_asked *a);

/* Sets an amount that is not known yet, if the value is plausible. The texts are borrowed. */
void asked_sources_put(struct snapshot_asked *a, enum snapshot_asked_id id, double value,
                       const char *source, const char *detail, bool share);

/* Sets what is not known yet from a list of the user's (asked.h). 0, or -1 with a
 * sentence about the first bad pair. */
int asked_sources_put_list(struct snapshot_asked *a, const char *list, const char *source,
                           const char *detail, struct err *e);

/* Sets what is not known yet from another. */
void asked_sources_merge(struct snapshot_asked *a, const struct snapshot_asked *from);

/* Sets CPUs and memory that nobody asked for from the limits that are set, and then CPUs, memory
 * and GPUs from the machine. tasks: how many share the node, if the recording is of one; else 1. A
 * CPU affinity is the task's own; all else is divided. gpus NAN: not from the machine. */
void asked_sources_put_rest(struct snapshot_asked *a, const struct snapshot_limits *limits,
                            double memory_b, double gpus, double tasks);

/* Whether tasks on a node share this amount. */
bool asked_sources_shared(enum snapshot_asked_id id);

#endif
