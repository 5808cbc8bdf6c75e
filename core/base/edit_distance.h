/*
 * edit_distance: how many typing mistakes two words are apart, to suggest the nearest known one.
 */
#ifndef CORE_BASE_EDIT_DISTANCE_H
#define CORE_BASE_EDIT_DISTANCE_H

#include <stddef.h>

#define EDIT_DISTANCE_FAR 99

/* The number of letters to insert, remove or replace, and of neighbours to swap, to turn b into a
 * (n bytes); no letter is changed twice (optimal string alignment). EDIT_DISTANCE_FAR for words of
 * more than 64 bytes. */
size_t edit_distance(const char *a, size_t n, const char *b);

#endif
