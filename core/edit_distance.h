/*
 * edit_distance: how far a word is from another, to suggest what was meant.
 */
#ifndef CORE_EDIT_DISTANCE_H
#define CORE_EDIT_DISTANCE_H

#include <stddef.h>

#define EDIT_DISTANCE_FAR 99

/* Letters to insert, remove or replace to make a (n bytes) of b; EDIT_DISTANCE_FAR for words of
 * more than 64
 * bytes. */
size_t edit_distance(const char *a, size_t n, const char *b);

#endif
