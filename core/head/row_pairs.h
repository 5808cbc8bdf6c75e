/*
 * row_pairs: tags and labels as a text of rtrack_row: "key=value;key=value". Pure.
 */
#ifndef CORE_HEAD_ROW_PAIRS_H
#define CORE_HEAD_ROW_PAIRS_H

#include "core/recording/snapshot.h"

/* Writes as many whole pairs as find room in size bytes: first those that say which CI job it is,
 * and what it runs on, because a CI system has more; then the others in their order. */
void row_pairs_text(const struct snapshot_pairs *pairs, char *out, size_t size);

#endif
